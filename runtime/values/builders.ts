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

/** Returns a type with further constraints. */
export function constrained(type: WireType, constraints: Constraints): WireType {
  const { id, doc: _doc, limits: _limits, unnamed: _unnamed, ...plain } = type
  return {
    ...(plain as WireType),
    constraints: mergeConstraints(type.constraints, constraints),
    ...(id === undefined ? {} : { limits: { type, constraints } }),
  }
}

/** Returns a type with its name in schemas and docs, and its doc comment. */
export function named(id: string, type: WireType, doc?: string): WireType {
  return doc === undefined ? { ...type, id } : { ...type, id, doc }
}

/** Returns the type of binary data, in the class that the procedure declares. */
export function bytes(as: BytesClass = 'Uint8Array'): BytesType {
  return { kind: 'bytes', as }
}

/** Returns a literal type. */
export function literal(value: string | number | boolean | bigint): LiteralType | BigintType {
  return typeof value === 'bigint' ? { kind: 'bigint', value: `${value}` } : { kind: 'literal', value }
}

/** Returns a template literal type; `pattern` is the source of an anchored regular expression. */
export function template(text: string, pattern: string): TemplateType {
  return { kind: 'template', text, pattern }
}

export function array(element: WireType): ArrayType<LazyType> {
  return { kind: 'array', element }
}

export function set(element: WireType): SetType<LazyType> {
  return { kind: 'set', element }
}

/** Returns a tuple type whose first `required` elements are required, followed by any number of `rest`. */
export function tuple(
  elements: readonly WireType[],
  required: number = elements.length,
  rest?: WireType,
): TupleType<LazyType> {
  return rest ? { kind: 'tuple', elements, required, rest } : { kind: 'tuple', elements, required }
}

/** Like `named`, for a type without a name in the source: `id` was derived from its location. */
export function unnamed(id: string, type: WireType): WireType {
  return { ...type, id, unnamed: true }
}

/** An optional member of a struct. */
export interface OptionalMember {
  readonly optional: WireType
  readonly doc?: string
}

/** A required member of a struct with its doc comment. */
export interface DocumentedMember {
  readonly required: WireType
  readonly doc: string
}

/** Marks a member of `struct` as optional. */
export function optional(type: WireType, doc?: string): OptionalMember {
  return doc === undefined ? { optional: type } : { optional: type, doc }
}

/** Adds the doc comment of a required member of `struct`. */
export function documented(type: WireType, doc: string): DocumentedMember {
  return { required: type, doc }
}

/**
 * Returns an object type; `name` is '' if the source has no name for it, `rest` is the type of its index signature and `keys`
 * are the keys of that.
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

/** Returns the keys of an index signature; `pattern` is the source of an anchored regular expression. */
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

/** Returns the type of an object whose members all have one type. */
export function record(value: WireType, keys?: Keys): StructType<LazyType> {
  return { kind: 'struct', members: [], rest: value, ...(keys ? { keys } : {}) }
}

export function map(value: WireType): MapType<LazyType> {
  return { kind: 'map', value }
}

/** Returns a union; `discriminant` is the member whose literal type differs in every struct. */
export function union(branches: readonly WireType[], discriminant?: string): UnionType<LazyType> {
  return discriminant === undefined ? { kind: 'union', branches } : { kind: 'union', branches, discriminant }
}

/** Returns a reference to a type that is declared later, or that contains itself. */
export function ref(name: string, type: () => WireType): LazyType {
  return { kind: 'ref', name, type }
}
