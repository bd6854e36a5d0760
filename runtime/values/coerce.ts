import { branchByTag, elementTypes, flattenSent, memberTypes } from './inner-types.js'
import { isStruct, type Struct, setMember } from './predicates.js'
import { type Param, paramAt, type WireType } from './types.js'
import { Matcher } from './unions/union.js'
import { localWire } from './wire.js'

/** Returns the replacement of a bigint or an empty list, by all its declared types, or the value itself. */
type Replace = (value: bigint | readonly never[], branches: readonly WireType[]) => unknown

/** What a protocol does not distinguish. */
interface Coercions {
  /** True for a type of which a bigint may be a number; absent if the protocol has none. */
  readonly acceptsBigint: ((type: WireType) => boolean) | undefined
  /** True if an empty list is also an empty struct: PHP has one type for both, and sends an empty one as a list. */
  readonly emptyListIsStruct: boolean | undefined
}

/**
 * Replaces, anywhere in arguments, what a protocol does not distinguish from a value of the declared type: bigints by numbers, if a type that
 * `acceptsBigint` is declared and a double represents them exactly (the protocols decode integers beyond 2^53 as bigint, so that none is rounded
 * silently); empty lists by empty structs, if a struct or a record without required members is declared, and no list. Other values stay, and are
 * rejected. Returns `args` itself if nothing is replaced.
 */
export function coerceArguments(
  params: readonly Param[],
  args: readonly unknown[],
  { acceptsBigint, emptyListIsStruct }: Coercions,
): readonly unknown[] {
  let isReplaced = false
  const replace: Replace = (value, branches) => {
    const isNumber = typeof value === 'bigint' && acceptsBigint && branches.some(acceptsBigint)
    const isEmptied = typeof value === 'object' && emptyListIsStruct && isEmptyStruct(branches)
    const other = isNumber ? bigintToNumber(value) : isEmptied ? {} : value
    if (other !== value) isReplaced = true
    return other
  }
  const inner = new InnerTypes()
  const replaced = args.map((arg, i) => {
    const type = paramAt(params, i)?.type
    return type ? replaceIn(() => [type], arg, replace, inner) : arg
  })
  return isReplaced ? replaced : args
}

/** True for a type whose values are numbers that need not be 32-bit integers. */
export function isNumeric({ kind }: WireType): boolean {
  return kind === 'double' || kind === 'number'
}

/** JSON has one number type, so that `any` receives a number too. */
export function isNumericOrAny(type: WireType): boolean {
  return isNumeric(type) || type.kind === 'any'
}

/** The types inside of types, each looked up once in a call: of many branches that takes longer than to read a value. */
class InnerTypes {
  readonly #branches = new Map<readonly WireType[], readonly WireType[]>()
  readonly #inner = new Map<readonly WireType[], Map<number | string, readonly WireType[]>>()

  /** Returns the branches of the types of a value. Of a tagged union only the struct with the tag of the value counts. */
  branchesOf(types: readonly WireType[], value: unknown): readonly WireType[] {
    const tagged = types.map((type) => branchByTag(type, value) ?? type)
    if (tagged.some((type, i) => type !== types[i])) return flattenSent(tagged)
    const branches = this.#branches.get(types) ?? flattenSent(types)
    this.#branches.set(types, branches)
    return branches
  }

  /** Returns the types of an element, or of a member, in some branches. */
  at(key: number | string, branches: readonly WireType[]): readonly WireType[] {
    const byKey = this.#inner.get(branches) ?? new Map<number | string, readonly WireType[]>()
    this.#inner.set(branches, byKey)
    // All elements have the same types, but for those of tuples.
    const known = typeof key === 'number' && !branches.some(({ kind }) => kind === 'tuple') ? 0 : key
    const types =
      byKey.get(known) ?? (typeof known === 'number' ? elementTypes(branches, known) : memberTypes(branches, known))
    byKey.set(known, types)
    return types
  }
}

/**
 * Visits a value once for all its declared types, since one visit per branch takes 2^n for a type that contains itself. The types are looked up where
 * there is something to replace.
 */
function replaceIn(types: () => readonly WireType[], value: unknown, replace: Replace, inner: InnerTypes): unknown {
  if (typeof value !== 'object' && typeof value !== 'bigint') return value
  let known: readonly WireType[] | undefined
  const branches = () => {
    known ??= inner.branchesOf(types(), value)
    return known
  }
  if (typeof value === 'bigint' || isEmptyList(value)) return replace(value, branches())
  const replaceAt = (key: number | string, each: unknown) =>
    replaceIn(() => inner.at(key, branches()), each, replace, inner)
  if (Array.isArray(value)) return value.map((each, i) => replaceAt(i, each))
  if (value instanceof Set) return new Set(Array.from(value, (each) => replaceAt(0, each)))
  if (value instanceof Map) {
    // A number is the name of a member here, not the index of an element.
    const nameOf = (key: unknown) => (typeof key === 'number' ? `${key}` : (key as string))
    return new Map(Array.from(value, ([key, each]) => [key, replaceAt(nameOf(key), each)]))
  }
  if (!isStruct(value)) return value
  const replaced: Struct = {}
  for (const name of Object.keys(value)) setMember(replaced, name, replaceAt(name, value[name]))
  return replaced
}

function isEmptyList(value: unknown): value is readonly never[] {
  return Array.isArray(value) && value.length === 0
}

/**
 * Returns a number if it equals the bigint, or if the bigint has the digits that JavaScript prints for that number: the shortest
 * ones, followed by zeros. Else returns the bigint, as for Infinity, which BigInt does not accept.
 */
function bigintToNumber(value: bigint): number | bigint {
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return BigInt(number) === value || String(number) === String(value) ? number : value
}

/** True if an empty list can only be meant as a struct. */
function isEmptyStruct(branches: readonly WireType[]): boolean {
  return !branches.some(acceptsList) && branches.some(acceptsEmptyStruct)
}

function acceptsList({ kind }: WireType): boolean {
  return kind === 'array' || kind === 'set' || kind === 'tuple' || kind === 'any'
}

function acceptsEmptyStruct(type: WireType): boolean {
  return type.kind === 'map' || (type.kind === 'struct' && new Matcher(localWire, 'test').matches(type, {}))
}
