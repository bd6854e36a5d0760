import type { BytesClass } from './types.js'

/** An object on the wire: members by name. */
export type Struct = Record<string, unknown>

/** A predicate over one value. */
export type Predicate = (value: unknown) => boolean

/** True for a 32-bit signed integer. */
export function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

/** True for a finite number. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

export function isBigint(value: unknown): value is bigint {
  return typeof value === 'bigint'
}

export function isNull(value: unknown): value is null {
  return value === null
}

export function isUndefined(value: unknown): value is undefined {
  return value === undefined
}

/** True for a valid Date of the years 0001 to 9999, which both protocols can represent. */
export function isDate(value: unknown): value is Date {
  if (!(value instanceof Date)) return false
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999
}

export function isUrl(value: unknown): value is URL {
  return value instanceof URL
}

/** True for binary data in the class that the procedure declares. */
export function isBytes(value: unknown, as: BytesClass = 'Uint8Array'): boolean {
  if (as === 'Uint8Array') return value instanceof Uint8Array
  if (as === 'ArrayBuffer') return value instanceof ArrayBuffer
  const host: { Buffer?: { isBuffer(value: unknown): boolean } } = globalThis
  return host.Buffer?.isBuffer(value) ?? false
}

/** True for every object, arrays included. */
export function isObject(value: unknown): value is Struct {
  return typeof value === 'object' && value !== null
}

/** True for an object with members: not an array, nor a class that is serialised in another form, such as Date. */
export function isStruct(value: unknown): value is Struct {
  if (typeof value !== 'object' || value === null) return false
  // Twice as fast as comparing prototypes, for a struct with two members.
  return value.constructor === Object || isOtherStruct(value)
}

/** Decides for objects with another prototype, or with a member called `constructor`. */
function isOtherStruct(value: object): boolean {
  return (
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof ArrayBuffer) &&
    !(value instanceof Map) &&
    !(value instanceof Set) &&
    !(value instanceof URL)
  )
}

export function isArrayOf(value: unknown, is: Predicate): boolean {
  if (!Array.isArray(value)) return false
  for (const each of value) if (!is(each)) return false
  return true
}

/** True for an array of `elements`, the first `required` of which are required, and any number of `rest`. */
export function isTupleOf(value: unknown, elements: readonly Predicate[], required: number, rest?: Predicate): boolean {
  if (!Array.isArray(value) || value.length < required) return false
  if (value.length > elements.length && !rest) return false
  for (let i = 0; i < value.length; i += 1) {
    const absent = value[i] === undefined && i >= required && i < elements.length
    if (!absent && !(elements[i] ?? rest)?.(value[i])) return false
  }
  return true
}

/** True for a struct whose members are accepted by `is`, except those in `known` and those that `keys` does not match. */
export function isRecordOf(value: unknown, is: Predicate, known: readonly string[] = [], keys = anyKey): boolean {
  if (!isStruct(value)) return false
  return Object.keys(value).every((name) => known.includes(name) || !keys.test(name) || is(value[name]))
}

/** Matches every key: the index signature of `string`. */
export const anyKey: { test(name: string): boolean } = { test: () => true }

export function isSetOf(value: unknown, is: Predicate): boolean {
  if (!(value instanceof Set)) return false
  for (const each of value) if (!is(each)) return false
  return true
}

export function isMapOf(value: unknown, is: Predicate): boolean {
  if (!(value instanceof Map)) return false
  for (const [name, each] of value) if (typeof name !== 'string' || !is(each)) return false
  return true
}

/** Returns an own member of a struct. Generated code uses it for names that objects inherit, such as `constructor`. */
export function member(value: Struct, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
