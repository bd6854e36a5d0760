import { type Change, type ChangeCode, changeOf, type Said } from './change.js'
import { baseOf, constraintsOf, describeBranch, describeType, describeUnion } from './describe.js'
import { pairBranches } from './pair.js'
import { constraintCode, directionOf, type Side, typeCode } from './side.js'
import { type Branch, partsOf, type Type } from './type.js'
import { walkArrays, walkObjects } from './walk-parts.js'
import type { createWithin } from './within.js'

/** What is shared while one param or one result is compared. */
export interface Walk {
  readonly side: Side
  readonly within: ReturnType<typeof createWithin>
  /** Says what has changed at a place. */
  say(code: ChangeCode, path: string, said: Said): void
  /** Compares two types at a place; null of one side is no difference where it only says that the value may be left out. */
  types(old: Type, now: Type, path: string, optional?: boolean): void
}

/** What is compared: a param or the result of a method, and its place. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
}

/** A pair of types is looked at in this many places of one subject, so that shared types do not multiply. */
const mostPlaces = 4
const deepest = 300

/**
 * What has changed between two types, each change at its place. `optional`: null says no more than that the value may be
 * left out, on one side only; that is told already.
 */
export function compareTypes(
  old: Type,
  now: Type,
  subject: Subject,
  within: Walk['within'],
  optional = false,
): Change[] {
  const { side, method, path } = subject
  const found: Change[] = []
  const say: Walk['say'] = (code, at, said) => found.push(changeOf(code, method, at, said))
  const walk: Walk = { side, within, say, types: placesOf((...pair) => walkUnions(...pair, walk)) }
  walk.types(old, now, path, optional)
  const [taken, takes] = side === 'param' ? [old, now] : [now, old]
  const fits = stripped(taken, optional).every((branch) => within.branch(branch, takes.branches()))
  // What breaks is never missed, even where no single place can be named.
  if (!fits && !found.some(({ breaking }) => breaking)) {
    say(`${side}-type-changed`, path, became(describeType(old), describeType(now)))
  }
  return found
}

/** Compares pairs that differ; one that contains itself, or that stands in many places, comes to an end. */
function placesOf(compare: (old: readonly Branch[], now: readonly Branch[], path: string) => void): Walk['types'] {
  const open = new Set<string>()
  const places = new Map<string, number>()
  return (old, now, path, optional = false) => {
    if (old.group === now.group) return
    const pair = `${old.group} ${now.group} ${optional}`
    const hasParts = [old, now].some((each) => each.branches().some((branch) => partsOf(branch).length > 0))
    const count = places.get(pair) ?? 0
    if (open.has(pair) || open.size > deepest || (hasParts && count >= mostPlaces)) return
    places.set(pair, count + 1)
    open.add(pair)
    compare(stripped(old, optional), stripped(now, optional), path)
    open.delete(pair)
  }
}

function stripped(type: Type, optional: boolean): readonly Branch[] {
  return optional ? type.branches().filter(({ kind }) => kind !== 'null') : type.branches()
}

function became(old: string, now: string): Said {
  return old === now
    ? { message: `${now} has other limits`, old, new: now }
    : { message: `${old} became ${now}`, old, new: now }
}

function walkUnions(old: readonly Branch[], now: readonly Branch[], path: string, walk: Walk): void {
  const { pairs, oldOnly, newOnly } = pairBranches(old, now)
  for (const [one, other] of pairs) walkBranches(one, other, path, walk)
  const lost = oldOnly.filter((each) => !walk.within.branch(each, now))
  const gained = newOnly.filter((each) => !walk.within.branch(each, old))
  if (lost.length === 0 && gained.length === 0) return
  const isValue = ({ kind }: Branch) => kind === 'literal'
  if ([...lost, ...gained].every(isValue) && old.some(isValue) && now.some(isValue)) {
    for (const each of lost) walk.say(`${walk.side}-value-removed`, path, lostSaid([each], walk.side))
    for (const each of gained) walk.say(`${walk.side}-value-added`, path, gainedSaid([each], walk.side))
    return
  }
  const direction = directionOf(gained.length === 0, lost.length === 0)
  const code = typeCode(walk.side, direction)
  if (direction === 'narrower' && now.length > 0 && oldOnly.length < old.length)
    walk.say(code, path, lostSaid(lost, walk.side))
  else if (direction === 'wider' && newOnly.length < now.length) walk.say(code, path, gainedSaid(gained, walk.side))
  else walk.say(code, path, became(describeUnion(old), describeUnion(now)))
}

function lostSaid(branches: readonly Branch[], side: Side): Said {
  const old = describeUnion(branches)
  return { message: `${old} is no longer ${side === 'param' ? 'taken' : 'answered'}`, old }
}

function gainedSaid(branches: readonly Branch[], side: Side): Said {
  const now = describeUnion(branches)
  return { message: side === 'param' ? `${now} is taken too` : `${now} can be answered too`, new: now }
}

/** Two branches of one kind that are not the same. */
function walkBranches(old: Branch, now: Branch, path: string, walk: Walk): void {
  if (old.kind === 'array' && now.kind === 'array') walkArrays(old, now, path, walk)
  else if (old.kind === 'object' && now.kind === 'object') walkObjects(old, now, path, walk)
  else walkLimits(old, now, path, walk)
}

/** Scalars of another base are another type; of the same base their constraints differ. */
export function walkLimits(old: Branch, now: Branch, path: string, walk: Walk): void {
  const direction = directionOf(walk.within.branch(now, [old]), walk.within.branch(old, [now]))
  const [one, other] = [baseOf(old), baseOf(now)]
  if (one !== other) {
    walk.say(typeCode(walk.side, direction), path, became(one, other))
    return
  }
  const [before, after] = [limited(old), limited(now)]
  walk.say(constraintCode(walk.side, direction), path, became(before, after))
}

/** `Int >= 1` */
function limited(branch: Branch): string {
  const limits = constraintsOf(branch)
  return `${describeBranch(branch)}${limits && ` ${limits}`}`
}
