import { memberPath } from '../text.js'
import { lengthsOf } from './limits.js'
import { type Alternative, alternativeOfName, areApart, covers } from './patterns.js'
import type { Steps } from './steps.js'
import { type Branch, type Member, never, type Type } from './type.js'

/** The members or elements that two objects or lists have at one path; undefined for one that one of them does not have. */
export interface MemberPair {
  /** `.id` of a member, `[0]` of an element, `[]` of the others. */
  readonly path: string
  readonly one: Member | undefined
  readonly other: Member | undefined
  /** True for the elements or members that are not declared one by one. */
  readonly isFurther?: boolean
  /** Names that are not compared, for they may match patterns of the other object. */
  readonly unknown?: string
}

/**
 * Pairs the members or elements of two branches; none for branches without any. Takes a step for each before it is made, and for each name and pattern
 * that is compared with a pattern.
 */
export function memberPairsOf(one: Branch, other: Branch, steps: Steps): readonly MemberPair[] {
  if (one.kind !== other.kind) return []
  const pairs = { opaque: referencesOf, list: elementsOf, object: membersOf }[one.kind as 'opaque' | 'list' | 'object']
  if (!pairs) return []
  steps.take((one.size + other.size) >> 1)
  return pairs(one, other, steps)
}

/** Keywords may accept what a reference rejects, such as `not`: its types have to be the same, so they are compared in both directions. */
function referencesOf(one: Branch, other: Branch): readonly MemberPair[] {
  const pairs = Array.from(
    one.members,
    ([name, a]): MemberPair => ({ path: '', one: a, other: other.members.get(name) }),
  )
  return one.isExact ? pairs.flatMap((pair) => [pair, { path: '', one: pair.other, other: pair.one }]) : pairs
}

/** The elements that both lists can have: at each position, then the further ones. One that either list always has is in each common list. */
function elementsOf(one: Branch, other: Branch): readonly MemberPair[] {
  const count = Math.max(one.members.size, other.members.size)
  const [lengths, others] = [lengthsOf(one.limits), lengthsOf(other.limits)]
  const least = Math.max(lengths[0], others[0])
  return Array.from({ length: Math.min(count + 1, lengths[1], others[1]) }, (_, i): MemberPair => {
    const [a, b] = [one, other].map((of) => of.members.get(`${i}`)?.type ?? of.others)
    const optional = i >= least
    const isFurther = i === count
    const path = `[${isFurther ? '' : i}]`
    return { path, one: a && { type: a, optional }, other: b && { type: b, optional }, isFurther }
  }).filter((pair) => pair.one && pair.other)
}

function membersOf(one: Branch, other: Branch, steps: Steps): readonly MemberPair[] {
  const names = [...new Set([...one.members.keys(), ...other.members.keys()])]
  const common = names.filter((name) => one.members.has(name) && other.members.has(name))
  const patterns = [...new Map([...one.patterns, ...other.patterns]).values()]
  const pairOf = (path: string, own: (of: Branch) => Member | undefined, keys: () => Alternative): MemberPair => {
    const memberIn = (of: Branch) =>
      own(of) ?? (of.patterns.size === 0 ? optional(of.others) : memberOfKeys(of, keys(), steps))
    const [a, b] = [memberIn(one), memberIn(other)]
    return { path, one: a, other: b, ...((a === notKnown || b === notKnown) && { unknown: keys().pattern }) }
  }
  const isCommon = (keys: Alternative) => {
    steps.take(one.size)
    return common.some((name) => !areApart(keys, alternativeOfName(name)))
  }
  return [
    ...names.map((name) => {
      const own = (of: Branch) => of.members.get(name)
      return pairOf(memberPath('', name), own, () => alternativeOfName(name))
    }),
    ...patterns.map(({ names: keys }) => {
      const own = (of: Branch) =>
        optional(of.patterns.get(keys.pattern)?.type) ?? (isCommon(keys) ? notKnown : undefined)
      return { ...pairOf('[]', own, () => keys), isFurther: true }
    }),
    { path: '[]', one: optional(one.others), other: optional(other.others), isFurther: true },
  ]
}

/** Stands for a member whose name may match patterns in some way. */
const notKnown: Member = { type: never, optional: true }

/** Returns the undeclared members whose names match a pattern; undefined if these are not sent. */
function memberOfKeys(of: Branch, keys: Alternative, steps: Steps): Member | undefined {
  steps.take(of.patterns.size)
  const [first, ...more] = [...of.patterns.values()].filter(({ names }) => !areApart(names, keys))
  if (!first) return optional(of.others)
  return more.length === 0 && covers(first.names, keys) ? optional(first.type) : notKnown
}

function optional(type: Type | undefined): Member | undefined {
  return type && { type, optional: true }
}

/** True for a member that is not there, or that is rejected. */
export function isAbsent(member: Member | undefined): boolean {
  return !member || (member.optional && member.type.branches.length === 0)
}
