import { memberPath } from '../model/path.js'
import { describeType } from './describe.js'
import { directionOf, typeCode } from './side.js'
import { type ArrayBranch, elementAt, type Member, type ObjectBranch, type Type } from './type.js'
import { type Walk, walkLimits } from './walk-limits.js'
import { lengthsWithin } from './within-parts.js'

/** Lists: how many elements there are, then these. */
export function walkArrays(old: ArrayBranch, now: ArrayBranch, path: string, walk: Walk): void {
  if (!lengthsWithin(old, now) || !lengthsWithin(now, old)) walkLengths(old, now, path, walk)
  const places = Math.max(old.prefix.length, now.prefix.length)
  for (let i = 0; i < places; i += 1) walkElements(elementAt(old, i), elementAt(now, i), `${path}[${i}]`, walk)
  walkElements(old.rest, now.rest, `${path}[]`, walk)
}

/** Of an element that is not there the length has told. */
function walkElements(old: Type | undefined, now: Type | undefined, path: string, walk: Walk): void {
  if (old && now) walk.types(old, now, path)
}

function walkLengths(old: ArrayBranch, now: ArrayBranch, path: string, walk: Walk): void {
  if (old.prefix.length === 0 && now.prefix.length === 0) {
    walkLimits(old, now, path, walk)
    return
  }
  const direction = directionOf(lengthsWithin(now, old), lengthsWithin(old, now))
  const [before, after] = [lengthOf(old), lengthOf(now)]
  walk.say(typeCode(walk.side, direction), path, {
    message: `the list had ${before}, and has ${after}`,
    old: before,
    new: after,
  })
}

function lengthOf({ least, most }: ArrayBranch): string {
  if (least === most) return `${least} element${least === 1 ? '' : 's'}`
  return most === Infinity ? `${least} elements or more` : `${least} to ${most} elements`
}

/** Objects: members that are gone, new or of another type, then those without a name of their own. */
export function walkObjects(old: ObjectBranch, now: ObjectBranch, path: string, walk: Walk): void {
  for (const [name, member] of old.members) {
    const other = now.members.get(name)
    if (other) walkMember(member, other, memberPath(path, name), walk)
    else walkLost(member, now, memberPath(path, name), walk)
  }
  for (const [name, member] of now.members) {
    if (!old.members.has(name)) sayAdded(member, memberPath(path, name), walk)
  }
  walkOthers(old, now, path, walk)
}

function walkMember(old: Member, now: Member, path: string, walk: Walk): void {
  const type = describeType(now.type)
  if (old.required && !now.required) {
    const message = walk.side === 'param' ? 'may be left out' : 'may be missing'
    walk.say(`${walk.side}-member-optional`, path, { message: `the member ${message}`, new: type })
  }
  if (!old.required && now.required) {
    const message = walk.side === 'param' ? 'has to be sent' : 'is always there'
    walk.say(`${walk.side}-member-required`, path, { message: `the member ${message}`, new: type })
  }
  // What may be left out may be null too, in params.
  walk.types(old.type, now.type, path, walk.side === 'param' && old.required !== now.required)
}

/** A member that is declared no more can be one of the further members. */
function walkLost({ type }: Member, { others }: ObjectBranch, path: string, walk: Walk): void {
  if (typeof others !== 'string') {
    walk.types(type, others, path)
    return
  }
  const message = walk.side === 'param' ? 'the member is no longer taken' : 'the member is no longer answered'
  walk.say(`${walk.side}-member-removed`, path, { message, old: describeType(type) })
}

function sayAdded({ type, required }: Member, path: string, walk: Walk): void {
  const said = { new: describeType(type) }
  if (walk.side === 'result') walk.say('result-member-added', path, { message: 'the member is answered too', ...said })
  else if (required) walk.say('param-member-added-required', path, { message: 'the member has to be sent', ...said })
  else walk.say('param-member-added-optional', path, { message: 'the member may be sent too', ...said })
}

/** Members without a declared name: by pattern, and the others. */
function walkOthers(old: ObjectBranch, now: ObjectBranch, path: string, walk: Walk): void {
  const names = new Set([...old.patterns.keys(), ...now.patterns.keys()])
  for (const name of names) walkFurther(old.patterns.get(name), now.patterns.get(name), `${path}[]`, walk)
  const typeOf = ({ others }: ObjectBranch) => (typeof others === 'string' ? undefined : others)
  walkFurther(typeOf(old), typeOf(now), `${path}[]`, walk)
}

function walkFurther(old: Type | undefined, now: Type | undefined, path: string, walk: Walk): void {
  const verb = walk.side === 'param' ? 'taken' : 'answered'
  if (old && now) walk.types(old, now, path)
  else if (old) {
    const message = `further members are no longer ${verb}`
    walk.say(`${walk.side}-member-removed`, path, { message, old: describeType(old) })
  } else if (now) {
    const code = walk.side === 'param' ? 'param-member-added-optional' : 'result-member-added'
    walk.say(code, path, { message: `further members are ${verb} too`, new: describeType(now) })
  }
}
