import type { ChangeCode, Said } from './change.js'
import { describeUnion } from './describe.js'
import { pairBranches } from './pair.js'
import { directionOf, type Side, typeCode } from './side.js'
import type { Branch, Type } from './type.js'
import { became, type Walk, walkLimits } from './walk-limits.js'
import { walkArrays, walkObjects } from './walk-parts.js'
import type { Within } from './within.js'

/** One level of two types, or of two branches of one kind. */
export function compareLevel(pair: Pair, side: Side, isWithin: Within['branch']): Step[] {
  const steps: Step[] = []
  const walk: Walk = {
    side,
    isWithin,
    say: (code, path, said) => steps.push({ path, code, said }),
    types(old, now, path, optional = false) {
      if (old.group !== now.group) steps.push({ path, pair: { old, now, optional } })
    },
    branches: (old, now) => steps.push({ path: '', pair: { old, now } }),
  }
  if ('optional' in pair) walkUnions(stripped(pair.old, pair.optional), stripped(pair.now, pair.optional), '', walk)
  else walkBranches(pair.old, pair.now, '', walk)
  return steps
}

/** Two types, and whether null in one of them says no more than that the value may be left out; or two branches. */
export type Pair =
  | { readonly old: Type; readonly now: Type; readonly optional: boolean }
  | { readonly old: Branch; readonly now: Branch }

/** A change of a level, or a pair of the next one. */
export type Step =
  | { readonly path: string; readonly code: ChangeCode; readonly said: Said }
  | { readonly path: string; readonly pair: Pair }

export function stripped(type: Type, optional: boolean): readonly Branch[] {
  return optional ? type.branches().filter(({ kind }) => kind !== 'null') : type.branches()
}

function walkUnions(old: readonly Branch[], now: readonly Branch[], path: string, walk: Walk): void {
  const { pairs, oldOnly, newOnly } = pairBranches(old, now, walk.isWithin)
  for (const [one, other] of pairs) walk.branches(one, other)
  const lost = oldOnly.filter((each) => !walk.isWithin(each, now))
  const gained = newOnly.filter((each) => !walk.isWithin(each, old))
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
