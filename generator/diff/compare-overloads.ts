import type { Changes } from './change.js'
import type { Relations } from './compare-types.js'
import type { Method, Signature } from './contract.js'
import { describeSignature } from './describe.js'
import { areDisjoint } from './disjoint.js'
import { lengthsOf } from './limits.js'
import { memberPairsOf } from './members.js'
import type { Strictness } from './relation.js'
import type { Steps } from './steps.js'
import { list, type Type, unionOf } from './type.js'

/** Signatures that handle the same calls. */
export type SignaturePairs = readonly (readonly [old: Signature, now: Signature])[]

/**
 * Reports calls that are no longer accepted, and new ones. Returns the signatures that handled a call and may handle it now: the first
 * that accepts a call handles it.
 */
export function compareOverloads(
  old: Method,
  now: Method,
  strictness: Strictness,
  relations: Relations,
  changes: Changes,
): SignaturePairs {
  const { name } = old
  const { [strictness]: relation, steps } = relations
  const callsBy = ({ overloads, ...own }: Method) =>
    (overloads ?? [own]).map((of) => ({ of, list: callsOf(of, steps) }))
  type Calls = ReturnType<typeof callsBy>[number]
  const [before, after] = [callsBy(old), callsBy(now)]
  const isAccepted = ({ list }: Calls, by: readonly Calls[]) => {
    const lists = by.map((each) => each.list)
    return relation.areWithin(list.branches, unionOf(lists, steps))
  }
  // What the params of all signatures together no longer accept is reported already.
  const [isBroken, all] = [changes.breaks, callsOf(now, steps)]
  const isReported = (one: Calls) => isBroken && !relation.areWithin(one.list.branches, all)
  for (const one of before.filter((each) => !isAccepted(each, after) && !isReported(each))) {
    const text = describeSignature(one.of)
    changes.add('overload-removed', name, `not all calls with ${text} are accepted`, text)
  }
  for (const one of after.filter((each) => now.overloads && !isAccepted(each, before))) {
    const text = describeSignature(one.of)
    changes.add('overload-added', name, `calls with ${text} are accepted too`, undefined, text)
  }
  return before.flatMap((one, i) => {
    // Calls that an earlier signature accepted are compared with that one.
    const isLater = (other: Calls) => !isAccepted(other, before.slice(0, i))
    if (!isLater(one)) return []
    const candidates = after.filter((other) => !acceptNoCommonCall(one.list, other.list, steps) && isLater(other))
    const last = candidates.findIndex((other) => isAccepted(one, [other]))
    return candidates.slice(0, last < 0 ? candidates.length : last + 1).map((other) => [one.of, other.of] as const)
  })
}

/** True if no call has arguments of both lists, by their number, or by one that each call has. `false` may be wrong. */
function acceptNoCommonCall(a: Type, b: Type, steps: Steps): boolean {
  const [[one], [other]] = [a.branches, b.branches]
  if (!one || !other) return true
  const [lengths, others] = [lengthsOf(one.limits), lengthsOf(other.limits)]
  if (lengths[1] < others[0] || others[1] < lengths[0]) return true
  return memberPairsOf(one, other, steps).some((pair) => {
    const [first, second] = [pair.one, pair.other]
    if (!first || !second || (first.optional && second.optional)) return false
    return areDisjoint([first.type.branches, second.type.branches], steps)
  })
}

/** The arguments by position that a signature accepts. A rest parameter is a list by name; by position each element is an argument. */
function callsOf({ params }: Signature, steps: Steps): Type {
  const fixed = params.filter(({ rest }) => !rest)
  const rest = params.find((each) => each.rest)?.type.branches
  steps.take(params.length + ((rest?.length ?? 0) >> 4))
  const elements = rest?.flatMap(({ others }) => others ?? [])
  const types = fixed.map(({ type }) => type)
  return list(types, fixed.findLastIndex((each) => !each.optional) + 1, elements && unionOf(elements, steps))
}
