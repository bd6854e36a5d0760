// Definitions of types without inner types, and of constrained types: functions that check a value and return what it becomes on a wire.
//
//   constrained(int, { minimum: 1 })  →  a definition that throws INVALID for 0
import { type Constraints, isUnique, mergeConstraints, testOf, ValueKeys } from './constraints.js'
import { define, INVALID, isProbe, reject, typeOf, withoutConstraints } from './definition.js'
import { flattenUnion, regExp, SHORT } from './inner-types.js'
import { isBytes, isDate, isInt, isNumber } from './predicates.js'
import { serializeUnknown } from './serialize-unknown.js'
import type { BytesClass, ScalarKind, WireType } from './types.js'
import { isSendableUrl, parseUrl } from './url.js'
import type { Definition, Value, Wire } from './wire.js'

/** A 32-bit signed integer. */
export function int(value: Value, _wire?: Wire): number {
  return isInt(value) ? value : reject(value, int)
}

/** A finite number, `<double>` in XML-RPC. */
export function double(value: Value, _wire?: Wire): number {
  return isNumber(value) ? value : reject(value, double)
}

/** A finite number. */
export function number(value: Value, _wire?: Wire): number {
  return isNumber(value) ? value : reject(value, number)
}

/** A string. */
export function string(value: Value, _wire?: Wire): string {
  return typeof value === 'string' ? value : reject(value, string)
}

/** A boolean. */
export function boolean(value: Value, _wire?: Wire): boolean {
  return typeof value === 'boolean' ? value : reject(value, boolean)
}

/** `null`. */
export function nullType(value: Value, _wire?: Wire): null {
  return value === null ? value : reject(value, nullType)
}

/** `undefined`: null in both protocols. */
export function undefinedType(value: Value, wire: Wire): undefined {
  return undefinedOn(value, wire, undefinedType)
}

/** `void`: null in both protocols. */
export function voidType(value: Value, wire: Wire): undefined {
  return undefinedOn(value, wire, voidType)
}

function undefinedOn(value: Value, wire: Wire, type: Definition): undefined {
  if (value !== undefined && !(value === null && wire.decodes)) return reject(value, type)
  return (wire.encodes ? null : undefined) as undefined
}

/** A value of any type, which is encoded by its JavaScript type. */
export function any(value: Value, wire: Wire): Value {
  if (wire.serializes) {
    const serialized = serializeUnknown(value, wire.scalars)
    return wire.encodes ? serialized : value
  }
  return isProbe(value) ? reject(value, any) : value
}

/** A Date of the years 0001 to 9999. */
export function date(value: Value, wire: Wire): Date {
  const read = wire.decodes ? wire.scalars.readDate(value) : value
  if (!isDate(read)) return reject(value, date)
  return wire.encodes ? (wire.scalars.writeDate(read) as Date) : read
}

/** An integer of any size. */
export function bigint(value: Value, wire: Wire): bigint {
  const read = wire.decodes ? wire.scalars.readBigint(value) : value
  if (typeof read !== 'bigint') return reject(value, bigint)
  return wire.encodes ? (wire.scalars.writeBigint(read) as bigint) : read
}

/** A URL: its text in both protocols. */
export function url(value: Value, wire: Wire): URL {
  if (wire.decodes) return (typeof value === 'string' && parseUrl(value)) || reject(value, url)
  if (!isSendableUrl(value)) return reject(value, url)
  return wire.encodes ? (value.href as never) : value
}

/** Binary data as a Uint8Array. */
export function bytes(value: Value, wire: Wire): Uint8Array {
  return bytesAs(value, wire, 'Uint8Array', bytes) as Uint8Array
}

/** Binary data as a Buffer of Node. */
export function buffer(value: Value, wire: Wire): Value {
  return bytesAs(value, wire, 'Buffer', buffer)
}

/** Binary data as an ArrayBuffer. */
export function arrayBuffer(value: Value, wire: Wire): ArrayBuffer {
  return bytesAs(value, wire, 'ArrayBuffer', arrayBuffer) as ArrayBuffer
}

function bytesAs(value: Value, wire: Wire, as: BytesClass, type: Definition): unknown {
  const read = wire.decodes ? wire.scalars.readBytes(value, as) : value
  if (!isBytes(read, as)) return reject(value, type)
  return wire.encodes ? wire.scalars.writeBytes(read) : read
}

const scalarDefinitions: Readonly<Record<ScalarKind, Definition>> = {
  int,
  double,
  number,
  string,
  boolean,
  null: nullType,
  undefined: undefinedType,
  void: voidType,
  any,
  date,
  url,
}
for (const [kind, type] of Object.entries(scalarDefinitions)) define(type, () => ({ kind: kind as ScalarKind }))
define(bigint, () => ({ kind: 'bigint' }))
define(bytes, () => ({ kind: 'bytes', as: 'Uint8Array' }))
define(buffer, () => ({ kind: 'bytes', as: 'Buffer' }))
define(arrayBuffer, () => ({ kind: 'bytes', as: 'ArrayBuffer' }))

/** A value of a literal type. */
export type Literal = string | number | boolean | bigint

/** A value that is one of these strings, numbers and booleans. */
export function readLiteral(value: Value, ...literals: readonly (string | number | boolean)[]): Value {
  for (let i = 0; i < literals.length; i += 1) if (literals[i] === value) return value
  if (isProbe(value)) return reject(value, literal(...literals))
  throw INVALID
}

/** One of these strings, numbers, booleans and bigints. */
export function literal(...literals: Literal[]): Definition {
  const hasBigint = literals.some((each) => typeof each === 'bigint')
  const all = literals.length > SHORT ? new Set(literals) : undefined
  const isLiteral = (value: Literal) => (all ? all.has(value) : literals.includes(value))
  const check = (value: Value, wire: Wire) => {
    if (isLiteral(value)) return wire.encodes && hasBigint ? wire.scalars.writeBigint(value) : value
    const read = wire.decodes && hasBigint ? wire.scalars.readBigint(value) : value
    if (typeof read === 'bigint' && isLiteral(read)) return read
    throw INVALID
  }
  const [first, ...others] = literals.map(literalType)
  return define(check, () =>
    first && others.length === 0 ? first : { kind: 'union', branches: literals.map(literalType) },
  )
}

function literalType(value: Literal): WireType {
  return typeof value === 'bigint' ? { kind: 'bigint', value: `${value}` } : { kind: 'literal', value }
}

/** A template literal type; `pattern` is the source of an anchored regular expression. */
export function template(text: string, pattern: string): Definition<string> {
  return define(
    (value: Value) => {
      if (typeof value === 'string' && regExp(pattern).test(value)) return value
      throw INVALID
    },
    () => ({ kind: 'template', text, pattern }),
  )
}

/** A type with further constraints. */
export function constrained<T>(type: Definition<T>, constraints: Constraints): Definition<T> {
  // All are tested in one order: a limit of the length comes before a pattern, at whichever declaration it is.
  const { base, all } = withoutConstraints(type, constraints)
  const meets = testOf(all)
  const convert = (value: Value, wire: Wire): T => {
    // The text of a URL is tested before it is parsed.
    if (typeof value === 'string' && (base as Definition) === url && !meets(value)) throw INVALID
    const result = base(value, wire) as T
    if (meets(wire.encodes ? value : result, wire.keys) && !hasDroppedElements(value, result, wire.keys)) return result
    throw INVALID
  }
  let comparesElements: boolean | undefined
  const convertList = (value: Value, wire: Wire): T => {
    if (wire.matcher) return wire.matcher.convertOnce(convert, value)
    comparesElements ??= all.uniqueItems === true || flattenUnion([typeOf(base)]).some(({ kind }) => kind === 'set')
    return convert(value, comparesElements && !wire.keys ? wire.with({ keys: new ValueKeys() }) : wire)
  }
  return define(
    isOfLists(all) ? convertList : convert,
    () => constrainedType(typeOf(type), constraints),
    () => [type],
    { type: base, constraints: all },
  )
}

function isOfLists({ minItems, maxItems, uniqueItems }: Constraints): boolean {
  return minItems !== undefined || maxItems !== undefined || uniqueItems === true
}

/** True if equal elements of a list became one element of a Set: its size is limited, and would not be that of the list. */
export function hasDroppedElements(value: Value, result: unknown, keys?: ValueKeys): boolean {
  return result instanceof Set && Array.isArray(value) && !isUnique(value, keys)
}

function constrainedType(type: WireType, constraints: Constraints): WireType {
  const { id, notes: _notes, limits: _limits, unnamed: _unnamed, ...plain } = type
  return {
    ...(plain as WireType),
    constraints: mergeConstraints(type.constraints, constraints),
    ...(id !== undefined && { limits: { type, constraints } }),
  }
}
