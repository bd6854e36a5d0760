import { type Constraints, mergeConstraints } from '../schema/constraints.js'
import type {
  ArrayType,
  BigintType,
  BytesClass,
  BytesType,
  Keys,
  LazyType,
  LiteralType,
  MapType,
  Member,
  ScalarType,
  SetType,
  StructType,
  TemplateType,
  TupleType,
  UnionType,
  WireType,
} from './types.js'

export const int: ScalarType = { kind: 'int' }
export const double: ScalarType = { kind: 'double' }
export const number: ScalarType = { kind: 'number' }
export const bigint: BigintType = { kind: 'bigint' }
export const string: ScalarType = { kind: 'string' }
export const boolean: ScalarType = { kind: 'boolean' }
export const date: ScalarType = { kind: 'date' }
export const url: ScalarType = { kind: 'url' }
export const nil: ScalarType = { kind: 'null' }
export const absent: ScalarType = { kind: 'undefined' }
export const nothing: ScalarType = { kind: 'void' }
export const any: ScalarType = { kind: 'any' }

/** A type that doc comments limit further. */
export function constrained(type: WireType, constraints: Constraints): WireType {
  const { id, doc: _doc, limits: _limits, unnamed: _unnamed, ...plain } = type
  return {
    ...(plain as WireType),
    constraints: mergeConstraints(type.constraints, constraints),
    ...(id === undefined ? {} : { limits: { type, constraints } }),
  }
}

/** Gives a type the name that schemas and docs have for it, and what its doc comment says. */
export function named(id: string, type: WireType, doc?: string): WireType {
  return doc === undefined ? { ...type, id } : { ...type, id, doc }
}

/** Binary data, in the class that the procedure declares. */
export function bytes(as: BytesClass = 'Uint8Array'): BytesType {
  return { kind: 'bytes', as }
}

/** Exactly this value. */
export function literal(value: string | number | boolean | bigint): LiteralType | BigintType {
  return typeof value === 'bigint' ? { kind: 'bigint', value: `${value}` } : { kind: 'literal', value }
}

/** A string that a template literal type describes. */
export function template(text: string, pattern: string): TemplateType {
  return { kind: 'template', text, pattern }
}

export function array(element: WireType): ArrayType<LazyType> {
  return { kind: 'array', element }
}

export function set(element: WireType): SetType<LazyType> {
  return { kind: 'set', element }
}

/** `required` of the elements must be there; `rest` may follow any number of times. */
export function tuple(
  elements: readonly WireType[],
  required: number = elements.length,
  rest?: WireType,
): TupleType<LazyType> {
  return rest ? { kind: 'tuple', elements, required, rest } : { kind: 'tuple', elements, required }
}

/** The same of a type for which the source has no name: `id` was made from the place. */
export function unnamed(id: string, type: WireType): WireType {
  return { ...type, id, unnamed: true }
}

/** A member of a struct that may be left out. */
export interface OptionalMember {
  readonly optional: WireType
  readonly doc?: string
}

/** A member of a struct that has to be there, and what its doc comment says. */
export interface DocumentedMember {
  readonly required: WireType
  readonly doc: string
}

/** Marks a member of `struct` as one that may be left out. */
export function optional(type: WireType, doc?: string): OptionalMember {
  return doc === undefined ? { optional: type } : { optional: type, doc }
}

/** A member of `struct` that has docs. */
export function documented(type: WireType, doc: string): DocumentedMember {
  return { required: type, doc }
}

/**
 * An object with these members; `name` is '' where the source has none, `rest` is an index signature's type and `keys` the
 * names that it is for.
 */
export function struct(
  name: string,
  members: Readonly<Record<string, WireType | OptionalMember | DocumentedMember>>,
  rest?: WireType,
  keys?: Keys,
): StructType<LazyType> {
  return {
    kind: 'struct',
    ...(name === '' ? {} : { name, id: name }),
    members: Object.entries(members).map(([key, type]) => memberOf(key, type)),
    ...(rest ? { rest } : {}),
    ...(keys ? { keys } : {}),
  }
}

/** The names of an index signature; `pattern` is the source of an anchored regular expression. */
export function keys(text: string, pattern: string): Keys {
  return { text, pattern }
}

function memberOf(name: string, member: WireType | OptionalMember | DocumentedMember): Member {
  if ('kind' in member) return { name, type: member }
  const doc = member.doc === undefined ? {} : { doc: member.doc }
  return 'optional' in member
    ? { name, type: member.optional, optional: true, ...doc }
    : { name, type: member.required, ...doc }
}

/** An object whose members are all of one type. */
export function record(value: WireType, keys?: Keys): StructType<LazyType> {
  return { kind: 'struct', members: [], rest: value, ...(keys ? { keys } : {}) }
}

export function map(value: WireType): MapType<LazyType> {
  return { kind: 'map', value }
}

/** One of several types; `discriminant` is the member whose literal tells structs apart. */
export function union(branches: readonly WireType[], discriminant?: string): UnionType<LazyType> {
  return discriminant === undefined ? { kind: 'union', branches } : { kind: 'union', branches, discriminant }
}

/** A type that is declared further down, or that contains itself. */
export function ref(name: string, type: () => WireType): LazyType {
  return { kind: 'ref', name, type }
}
