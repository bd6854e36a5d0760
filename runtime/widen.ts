import { branchesOf, elementTypes, memberTypes } from './branches.js'
import { setMember } from './convert.js'
import type { Param } from './param.js'
import { paramAt } from './param.js'
import { isStruct, type Struct } from './predicates.js'
import type { WireType } from './wire-type.js'

/**
 * Integers beyond 2^53 leave the readers as bigint, so that none is rounded in silence. Where a number is declared they
 * become one when a double holds them; else they stay, and are refused. `becomesNumber` says for which types. Returns
 * `args` itself where there is nothing to convert.
 */
export function widenArguments(
  params: readonly Param[],
  args: readonly unknown[],
  becomesNumber: (type: WireType) => boolean,
): readonly unknown[] {
  let isWidened = false
  const toNumber = (branches: readonly WireType[], value: bigint) => {
    const number = branches.some(becomesNumber) ? doubleOf(value) : value
    if (typeof number === 'number') isWidened = true
    return number
  }
  const widened = args.map((arg, i) => {
    const type = paramAt(params, i)?.type
    return type ? widen([type], arg, toNumber) : arg
  })
  return isWidened ? widened : args
}

export function isNumeric({ kind }: WireType): boolean {
  return kind === 'double' || kind === 'number'
}

/** In JSON a number is a number, whoever declares nothing. */
export function isNumericOrAny(type: WireType): boolean {
  return isNumeric(type) || type.kind === 'any'
}

type ToNumber = (branches: readonly WireType[], value: bigint) => number | bigint

/** `types` are all that the value may be. They are looked at together, or a type that contains itself would take 2^n. */
function widen(types: readonly WireType[], value: unknown, toNumber: ToNumber): unknown {
  if (typeof value !== 'object' && typeof value !== 'bigint') return value
  const branches = branchesOf(types)
  if (typeof value === 'bigint') return toNumber(branches, value)
  const element = (index: number) => elementTypes(branches, index)
  const member = (name: string) => memberTypes(branches, name)
  if (Array.isArray(value)) return value.map((each, i) => widen(element(i), each, toNumber))
  if (value instanceof Set) return new Set(Array.from(value, (each) => widen(element(0), each, toNumber)))
  if (value instanceof Map) {
    return new Map(Array.from(value, ([name, each]) => [name, widen(member(name), each, toNumber)]))
  }
  if (!isStruct(value)) return value
  const widened: Struct = {}
  for (const name of Object.keys(value)) setMember(widened, name, widen(member(name), value[name], toNumber))
  return widened
}

/**
 * Exact, or just the digits that a client in JavaScript writes for this double: the shortest that are nearest to it,
 * zeros behind. A bigint beyond a double's range would be Infinity, which BigInt does not take back.
 */
function doubleOf(value: bigint): number | bigint {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return BigInt(number) === value || String(number) === String(value) ? number : value
}
