import type { BytesClass } from './types.js'

/** An object on the wire: members by name. */
export type Struct = Record<string, unknown>

/** True for a 32-bit signed integer. */
export function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

/** True for a finite number. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** True for a valid Date of the years 0001 to 9999, which both protocols can represent. */
export function isDate(value: unknown): value is Date {
  if (!(value instanceof Date)) return false
  const year = value.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** True for binary data in the class that the procedure declares. */
export function isBytes(value: unknown, as: BytesClass): boolean {
  if (as === 'Uint8Array') return value instanceof Uint8Array
  if (as === 'ArrayBuffer') return value instanceof ArrayBuffer
  const { Buffer }: { Buffer?: { isBuffer(value: unknown): boolean } } = globalThis as object
  return Buffer?.isBuffer(value) ?? false
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

/** Returns an own member of a struct: `constructor` and other names are inherited by all objects. */
export function member(value: Struct, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** True for an object that inherits no member: those of JSON and XML, and object literals. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns a member as functions of structs read it: inherited ones too, such as getters of a class, but none of all objects. */
export function memberOf(value: Struct, name: string): unknown {
  return name in Object.prototype ? member(value, name) : value[name]
}

/** Returns the elements of a list whose names a struct has, in the order of the list. `positions` are where they are, by name. */
export function presentElements<T>(
  value: Struct,
  list: readonly T[],
  positions: ReadonlyMap<string, number>,
): readonly T[] {
  const found = Object.keys(value).flatMap((name) => positions.get(name) ?? [])
  return found.sort((a, b) => a - b).map((at) => list[at] as T)
}

/** Sets an own member, `__proto__` too: no name changes the prototype. */
export function setMember(into: Struct, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns an object with the entries of a Map. */
export function structFrom(entries: Iterable<readonly [unknown, unknown]>): Struct {
  const struct: Struct = {}
  for (const [name, value] of entries) setMember(struct, `${name}`, value)
  return struct
}
