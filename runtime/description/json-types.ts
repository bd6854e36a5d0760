import { flatten } from './described-types.js'
import type { DescribedType, TypesByName } from './description.js'

/** The type of a value in JSON. */
export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

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
