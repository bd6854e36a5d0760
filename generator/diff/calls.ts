import { describeUnion } from './describe.js'
import { isDisjoint } from './disjoint.js'
import type { ParamType, SignatureTypes } from './method-types.js'
import type { Branch, Type } from './type.js'
import type { Within } from './within.js'

/** Whether a signature takes all of some calls, none of them, or may take a part. */
export type Taking = 'all' | 'none' | 'some'

/** Calls by position of one length that go the same way with each of some signatures, as far as one can tell. */
export interface Calls {
  /** What may stand at each position. */
  readonly positions: readonly (readonly Branch[])[]
  /** Whether more of what stands last may follow. */
  readonly open: boolean
  /** By the index of the signature. */
  readonly taking: readonly Taking[]
}

/** More kinds of calls than these are not told apart: they are taken for one. */
const mostKinds = 512

/** The calls of a signature, cut so that each of `others` takes them as one where it can be. */
export function callsOf(one: SignatureTypes, others: readonly SignatureTypes[], within: Within['branch']): Calls[] {
  const places = Math.max(...[one, ...others].map(({ params }) => fixed(params).length))
  const least = leastOf(one.params)
  const most = restOf(one.params) ? places + 1 : fixed(one.params).length
  const lengths = Array.from({ length: most - least + 1 }, (_, i) => least + i)
  return lengths.flatMap((length) => {
    const open = length > places
    const cuts = Array.from({ length }, (_, i) => cut(branchesAt(one, i), others, i, within))
    const kinds = cuts.reduce((count, each) => count * each.length, 1)
    // Arguments behind the last place may be of different kinds in one call.
    const parts = cuts.map((each, i) => (kinds > mostKinds || i === places ? [joined(each)] : each))
    return product(parts).map((positions) => ({
      positions: positions.map(({ branches }) => branches),
      open,
      taking: others.map((other, i) =>
        fits(other, length, open) ? allOf(positions.map((at) => at.taking[i])) : 'none',
      ),
    }))
  })
}

/** `(Int, string)` */
export function describeCalls({ positions, open }: Calls): string {
  const words = positions.map((branches) => describeUnion(branches))
  return `(${[...words, ...(open ? ['…'] : [])].join(', ')})`
}

/** Some of the values of one position. */
interface Part {
  readonly branches: readonly Branch[]
  readonly taking: readonly Taking[]
}

/** By who takes what: values that go the same way stay together. */
function cut(
  branches: readonly Branch[],
  others: readonly SignatureTypes[],
  position: number,
  within: Within['branch'],
): Part[] {
  const parts = new Map<string, Part>()
  for (const branch of branches) {
    const taking = others.map((other) => takingOf(branch, branchesAt(other, position), within))
    const before = parts.get(taking.join())?.branches ?? []
    parts.set(taking.join(), { branches: [...before, branch], taking })
  }
  return [...parts.values()]
}

function takingOf(branch: Branch, union: readonly Branch[], within: Within['branch']): Taking {
  if (within(branch, union)) return 'all'
  return union.every((each) => isDisjoint(branch, each)) ? 'none' : 'some'
}

function joined(parts: readonly Part[]): Part {
  const taking = parts[0]?.taking.map((_, i) => {
    const [first = 'some', ...more] = new Set(parts.map((each) => each.taking[i]))
    return more.length === 0 ? first : 'some'
  })
  return { branches: parts.flatMap(({ branches }) => branches), taking: taking ?? [] }
}

function product(parts: readonly (readonly Part[])[]): Part[][] {
  return parts.reduce<Part[][]>((all, next) => all.flatMap((each) => next.map((part) => [...each, part])), [[]])
}

/** What holds of a list of arguments, by what holds of each of them. */
function allOf(positions: readonly (Taking | undefined)[]): Taking {
  if (positions.includes('none')) return 'none'
  return positions.includes('some') ? 'some' : 'all'
}

function fits({ params }: SignatureTypes, length: number, open: boolean): boolean {
  if (length < leastOf(params)) return false
  return restOf(params) !== undefined || (!open && length <= fixed(params).length)
}

/** What a signature takes at a position. */
export function branchesAt({ params }: SignatureTypes, position: number): readonly Branch[] {
  const type: Type | undefined = fixed(params)[position]?.type
  return type?.branches() ?? elementsOf(restOf(params))
}

/** A rest parameter is a list by name; by position each of its elements is an argument. */
function elementsOf(rest: ParamType | undefined): readonly Branch[] {
  return rest?.type.branches().flatMap((each) => (each.kind === 'array' ? (each.rest?.branches() ?? []) : [])) ?? []
}

function fixed(params: readonly ParamType[]): ParamType[] {
  return params.filter(({ rest }) => !rest)
}

function restOf(params: readonly ParamType[]): ParamType | undefined {
  return params.find(({ rest }) => rest)
}

function leastOf(params: readonly ParamType[]): number {
  return fixed(params).findLastIndex(({ required }) => required) + 1
}
