import { PairCache } from '../values/cache.js'
import type { UnionType } from '../values/types.js'
import { flatten, isJsonObject, type JsonObject, type PlainType, resolveType } from './described-types.js'
import type { DescribedType, TypesByName } from './description.js'

/** The type of a value in JSON. */
type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

const typesByKind: Readonly<
  Record<Exclude<DescribedType['kind'], 'literal' | 'union' | 'ref' | 'any' | 'custom'>, readonly JsonType[]>
> = {
  int: ['number'],
  double: ['number'],
  number: ['number'],
  bigint: ['number', 'string'],
  string: ['string'],
  template: ['string'],
  date: ['string'],
  url: ['string'],
  bytes: ['string'],
  boolean: ['boolean'],
  null: ['null'],
  undefined: ['null'],
  void: ['null'],
  array: ['array'],
  set: ['array'],
  tuple: ['array'],
  struct: ['object'],
  map: ['object'],
}

/** Returns the types that values of a type have in JSON; empty for a union, a reference, a custom scalar and `any`. */
export function jsonTypesOf(type: DescribedType): readonly JsonType[] {
  return type.kind === 'literal'
    ? [typeof type.value as JsonType]
    : ((typesByKind as Partial<Record<DescribedType['kind'], readonly JsonType[]>>)[type.kind] ?? [])
}

/** True if null is one of the values of a type. */
export function acceptsNull(type: DescribedType, types: TypesByName): boolean {
  return flatten(type, types).some(({ kind }) => kind === 'null' || kind === 'any')
}

/** True if undefined is not one of the values of a type. */
export function rejectsUndefined(type: DescribedType, types: TypesByName): boolean {
  return flatten(type, types).every(({ kind }) => kind !== 'undefined' && kind !== 'void' && kind !== 'any')
}

/** True if a JSON value looks like one of a type. Sufficient to choose a branch of a union; not a validation. */
export function fits(value: unknown, type: DescribedType, types: TypesByName): boolean {
  return new Comparison(types).fits(value, type)
}

/** Compares values with types, each pair once: branches of a union may have the same members. */
class Comparison {
  readonly #types: TypesByName
  readonly #known = new PairCache<PlainType, boolean>()

  constructor(types: TypesByName) {
    this.#types = types
  }

  fits(value: unknown, type: DescribedType): boolean {
    const plain = resolveType(type, this.#types)
    return this.#known.get(plain, value, () => this.#compare(value, plain))
  }

  #compare(value: unknown, type: PlainType): boolean {
    if (type.kind === 'any') return true
    if (type.kind === 'union') return type.branches.some((each) => this.fits(value, each))
    if (type.kind === 'literal') return type.value === value
    if (Array.isArray(value)) return this.#fitsList(value, type)
    if (isJsonObject(value)) return this.#fitsObject(value, type)
    return jsonTypesOf(type).includes((value ?? null) === null ? 'null' : (typeof value as JsonType))
  }

  #fitsList(value: readonly unknown[], type: PlainType): boolean {
    if (type.kind === 'tuple')
      return value.length >= type.required && (!!type.rest || value.length <= type.elements.length)
    if (type.kind !== 'array' && type.kind !== 'set') return false
    return value.every((each) => this.fits(each, type.element))
  }

  #fitsObject(value: JsonObject, type: PlainType): boolean {
    if (type.kind === 'map') return Object.values(value).every((each) => this.fits(each, type.value))
    if (type.kind !== 'struct') return false
    return type.members.every((member) => {
      if (!Object.hasOwn(value, member.name)) return member.optional === true
      return this.fits(value[member.name], member.type)
    })
  }
}

/** Returns the index of the branch of a JSON value: the first that fits, else the one with its tag, else -1. */
export function branchOf(value: unknown, type: UnionType<never> | PlainType, types: TypesByName): number {
  if (type.kind !== 'union') return -1
  const comparison = new Comparison(types)
  const fitting = type.branches.findIndex((each) => comparison.fits(value, each))
  const { discriminant } = type
  if (fitting >= 0 || discriminant === undefined || !isJsonObject(value)) return fitting
  return type.branches.findIndex((each) => {
    const plain = resolveType(each, types)
    const tag = plain.kind === 'struct' && plain.members.find(({ name }) => name === discriminant)
    return tag && comparison.fits(value[discriminant], tag.type)
  })
}
