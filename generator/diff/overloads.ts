import type { Method, Param, Signature } from './api.js'
import { type Change, changeOf } from './change.js'
import { describeType, describeUnion } from './describe.js'
import type { Branch, Type } from './type.js'
import { createWithin, createXmlWithin, isDisjoint, type Relation } from './within.js'

/** Compares versions of a method of which at least one is overloaded: a call uses the first signature that accepts it. */
export interface OverloadComparison {
  /** Returns calls that are no longer accepted, and new ones; `reported` are the changes of the params of all signatures together. */
  calls(old: Method, now: Method, reported: readonly Change[]): Change[]
  /**
   * Returns which signatures of the new version may handle calls that one of the old version accepted. Undefined if a version does
   * not have the result of each overload.
   */
  handling(old: Method, now: Method): readonly (readonly [old: Signature, now: Signature])[] | undefined
}

/** True if either version has more than one signature. */
export function isOverloaded(old: Method, now: Method): boolean {
  return old.overloads !== undefined || now.overloads !== undefined
}

/** Makes a comparison over grouped types. */
export function createOverloadComparison(): OverloadComparison {
  const within = createWithin()
  // If an overload accepts a Date, a string may be a date: its type in XML-RPC decides which overload accepts it.
  const surely = createXmlWithin('param')
  return {
    calls: (old, now, reported) => [
      ...lostCalls(old, now, reported, { within, surely }),
      ...addedOverloads(old, now, within),
    ],
    handling: (old, now) => handlingPairs(signaturesOf(old), signaturesOf(now), surely),
  }
}

function handlingPairs(
  before: readonly Signature[],
  after: readonly Signature[],
  within: Relation,
): (readonly [Signature, Signature])[] | undefined {
  if ([...before, ...after].some(({ result }) => !result)) return undefined
  const ways = after.map((each) => callsOf(each, before, within))
  return before.flatMap((one, i) => {
    const reached = ownCalls(one, i, before, after, within).map(({ acceptance }) => acceptance.slice(before.length))
    return after.flatMap((other, j): [Signature, Signature][] => {
      // Calls that an earlier signature accepted are compared with that one.
      const isOwn = ways[j]?.some(({ acceptance }) => mayReach(acceptance, i))
      return isOwn && reached.some((acceptance) => mayReach(acceptance, j)) ? [[one, other]] : []
    })
  })
}

/** True if calls can reach a signature: no earlier one accepts all of them. */
function mayReach(acceptance: readonly Acceptance[], index: number): boolean {
  return acceptance[index] !== 'none' && !acceptance.slice(0, index).includes('all')
}

function signaturesOf(types: Method): readonly Signature[] {
  return types.overloads ?? [types]
}

/** The calls that reach a signature, with how the old signatures and then the new ones accept them. */
function ownCalls(
  one: Signature,
  index: number,
  before: readonly Signature[],
  after: readonly Signature[],
  within: Relation,
): Calls[] {
  const all = callsOf(one, [...before, ...after], within)
  return all.filter(({ acceptance }) => !acceptance.slice(0, index).includes('all'))
}

/** Returns changes for calls that an overload accepted and that are rejected now, unless they are reported as changes of params. */
function lostCalls(
  old: Method,
  now: Method,
  reported: readonly Change[],
  { within, surely }: Readonly<Record<'within' | 'surely', Relation>>,
): Change[] {
  const [before, after] = [signaturesOf(old), signaturesOf(now)]
  const rejected = (one: Signature, i: number, by: Relation) =>
    ownCalls(one, i, before, [...after, now], by).filter(
      ({ acceptance }) => !acceptance.slice(before.length, -1).includes('all'),
    )
  const isTakenByParams = ({ acceptance }: Calls) => acceptance.at(-1) === 'all'
  // If some overload still accepts each argument with its old type, the other overloads do not receive the call.
  const isKnown = ({ positions }: Calls) =>
    positions.every((all, at) => {
      const union = after.flatMap((each) => branchesAt(each, at))
      return all.every((branch) => surely.unions([branch], union))
    })
  const isReported = reported.some(({ breaking }) => breaking)
  return before.flatMap((one, i) => {
    const plainly = rejected(one, i, within).filter((each) => !isReported || isTakenByParams(each))
    const lost = plainly.length > 0 ? plainly : rejected(one, i, surely).filter(isKnown)
    return lost.length > 0 ? [lostChange(old, one, lost)] : []
  })
}

/** If there are more calls, the rest is counted. */
const shownCalls = 3

function lostChange({ name }: Method, signature: Signature, calls: readonly Calls[]): Change {
  // A call with null is reported as the call without that argument.
  const plain = calls.filter(({ positions }) => positions.every((all) => all.some(({ kind }) => kind !== 'null')))
  const all = [...new Set((plain.length > 0 ? plain : calls).map(describeCalls))]
  const more = all.length > shownCalls ? [`${all.length - shownCalls} more`] : []
  const message = `calls with ${[...all.slice(0, shownCalls), ...more].join(' or ')} are no longer accepted`
  return changeOf('overload-removed', name, name, { message, old: describeSignature(signature) })
}

/** Overloads that accept calls which were rejected. */
function addedOverloads(old: Method, now: Method, within: Relation): Change[] {
  const before = signaturesOf(old)
  return (now.overloads ?? []).flatMap((each) => {
    if (!callsOf(each, before, within).some(({ acceptance }) => !acceptance.includes('all'))) return []
    const text = describeSignature(each)
    return [
      changeOf('overload-added', old.name, old.name, { message: `calls with ${text} are accepted too`, new: text }),
    ]
  })
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: Signature): string {
  const word = ({ name, required, rest, type }: Param) => {
    const text = describeType(type)
    return rest
      ? `...${name}: ${text}`
      : `${name}${required ? '' : '?'}: ${required ? text : text.replace(/ \| null$/, '')}`
  }
  return `(${params.map(word).join(', ')})`
}

/** True if a signature accepts all of some calls, none of them, or possibly some. */
export type Acceptance = 'all' | 'none' | 'some'

/** Calls by position of one length, cut so that each of some signatures accepts or rejects all of them, as far as is known. */
export interface Calls {
  /** The values at each position. */
  readonly positions: readonly (readonly Branch[])[]
  /** True if more values like the last one may follow. */
  readonly open: boolean
  /** By the index of the signature. */
  readonly acceptance: readonly Acceptance[]
}

/** More kinds of calls than these are treated as one. */
const mostKinds = 512

/** Returns the calls of a signature, split so that each of `others` accepts or rejects a part as a whole if possible. */
function callsOf(one: Signature, others: readonly Signature[], within: Relation): Calls[] {
  const places = Math.max(...[one, ...others].map(({ params }) => fixed(params).length))
  const least = leastOf(one.params)
  const most = restOf(one.params) ? places + 1 : fixed(one.params).length
  const lengths = Array.from({ length: most - least + 1 }, (_, i) => least + i)
  return lengths.flatMap((length) => {
    const open = length > places
    const cuts = Array.from({ length }, (_, i) => cut(branchesAt(one, i), others, i, within))
    const kinds = cuts.reduce((count, each) => count * each.length, 1)
    // Arguments after the last position may be of different kinds in one call.
    const parts = cuts.map((each, i) => (kinds > mostKinds || i === places ? [joined(each)] : each))
    return product(parts).map((positions) => ({
      positions: positions.map(({ branches }) => branches),
      open,
      acceptance: others.map((other, i) =>
        fits(other, length, open) ? allOf(positions.map((at) => at.acceptance[i])) : 'none',
      ),
    }))
  })
}

/** `(Int, string)` */
function describeCalls({ positions, open }: Calls): string {
  const words = positions.map((branches) => describeUnion(branches))
  return `(${[...words, ...(open ? ['…'] : [])].join(', ')})`
}

/** A set of the values of one position. */
interface ValueSet {
  readonly branches: readonly Branch[]
  readonly acceptance: readonly Acceptance[]
}

/** Groups values by the signatures that accept them. */
function cut(
  branches: readonly Branch[],
  others: readonly Signature[],
  position: number,
  within: Relation,
): ValueSet[] {
  const parts = new Map<string, ValueSet>()
  for (const branch of branches) {
    const acceptance = others.map((other) => acceptanceOf(branch, branchesAt(other, position), within))
    const before = parts.get(acceptance.join())?.branches ?? []
    parts.set(acceptance.join(), { branches: [...before, branch], acceptance })
  }
  return [...parts.values()]
}

function acceptanceOf(branch: Branch, union: readonly Branch[], within: Relation): Acceptance {
  if (within.unions([branch], union)) return 'all'
  return union.every((each) => isDisjoint(branch, each)) ? 'none' : 'some'
}

function joined(parts: readonly ValueSet[]): ValueSet {
  const acceptance = parts[0]?.acceptance.map((_, i) => {
    const [first = 'some', ...more] = new Set(parts.map((each) => each.acceptance[i]))
    return more.length === 0 ? first : 'some'
  })
  return { branches: parts.flatMap(({ branches }) => branches), acceptance: acceptance ?? [] }
}

function product(parts: readonly (readonly ValueSet[])[]): ValueSet[][] {
  return parts.reduce<ValueSet[][]>((all, next) => all.flatMap((each) => next.map((part) => [...each, part])), [[]])
}

/** Combines the verdicts on each argument into the verdict on a list of arguments. */
function allOf(positions: readonly (Acceptance | undefined)[]): Acceptance {
  if (positions.includes('none')) return 'none'
  return positions.includes('some') ? 'some' : 'all'
}

function fits({ params }: Signature, length: number, open: boolean): boolean {
  if (length < leastOf(params)) return false
  return restOf(params) !== undefined || (!open && length <= fixed(params).length)
}

/** The values that a signature accepts at a position. */
function branchesAt({ params }: Signature, position: number): readonly Branch[] {
  const type: Type | undefined = fixed(params)[position]?.type
  return type?.branches() ?? elementsOf(restOf(params))
}

/** A rest parameter is a list by name; by position each of its elements is an argument. */
function elementsOf(rest: Param | undefined): readonly Branch[] {
  return rest?.type.branches().flatMap((each) => (each.kind === 'array' ? (each.rest?.branches() ?? []) : [])) ?? []
}

function fixed(params: readonly Param[]): Param[] {
  return params.filter(({ rest }) => !rest)
}

function restOf(params: readonly Param[]): Param | undefined {
  return params.find(({ rest }) => rest)
}

function leastOf(params: readonly Param[]): number {
  return fixed(params).findLastIndex(({ required }) => required) + 1
}
