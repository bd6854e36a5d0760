// The scalar elements of XML-RPC: how their texts are read and written, and what the wire marks to be written as one.
//
//   <dateTime.iso8601>20260131T12:00:00</dateTime.iso8601>  →  Date
import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../values/bytes.js'
import { memoize } from '../values/cache.js'
import { flattenSent } from '../values/inner-types.js'
import type { IssueType } from '../values/issue.js'
import { isDate, isInt, isStruct } from '../values/predicates.js'
import { dateFrom, exceedsMaxDigits, readBigint } from '../values/scalar-text.js'
import type { WireType } from '../values/types.js'
import { identity, type WireScalars, type Wires, wiresOf } from '../values/wire.js'
import { escapeText } from './parse.js'

/** A scalar element. */
export interface ScalarElement {
  readonly expected: string
  /** The kind of its values in the issue for a malformed one. */
  readonly kind: IssueType
  /** Returns the value of a text without white space around it; undefined if it is not of the type. */
  readonly read: (text: string) => unknown
  /** Matches the text of a number, which `read` rejects if it is out of range. */
  readonly number?: RegExp
}

// Both are linear: no two adjacent parts match the same character.
const integer = /^[+-]?\d+$/
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
  // Two JavaScript clients write the words.
  ['false', false],
  ['true', true],
])

// Up to 64 bits, unlike the specification, since some clients send them. `Int` rejects what exceeds 32 bits.
const intElement = integerElement('int', 63, 'int')
const i8 = integerElement('i8', 63)
const doubleElement: ScalarElement = { expected: 'double', kind: 'double', read: readDouble, number: decimal }
const dateTime: ScalarElement = { expected: 'dateTime.iso8601', kind: 'date', read: parseDateTime }
const nil: ScalarElement = { expected: 'nil', kind: 'null', read: (text) => (text === '' ? null : undefined) }

/**
 * The scalar elements by name, except `string`, whose white space counts. Those with a prefix are the extensions of Apache's
 * implementation (ws.apache.org/xmlrpc/types.html).
 */
export const scalarElements: ReadonlyMap<string, ScalarElement> = new Map([
  ['int', intElement],
  ['i4', intElement],
  ['i8', i8],
  ['ex:i1', integerElement('i1', 7)],
  ['ex:i2', integerElement('i2', 15)],
  ['ex:i8', i8],
  ['ex:biginteger', { expected: 'biginteger', kind: 'integer', read: readInteger, number: integer }],
  ['double', doubleElement],
  ['ex:float', doubleElement],
  ['ex:double', doubleElement],
  ['boolean', { expected: 'boolean', kind: 'boolean', read: (text) => booleans.get(text) }],
  ['dateTime.iso8601', dateTime],
  ['ex:dateTime', dateTime],
  ['base64', { expected: 'base64', kind: 'base64', read: decodeBase64 }],
  ['nil', nil],
  ['ex:nil', nil],
])

/** Returns the words of an error for a text that is not of the type of its element: `a malformed int`, `an i8 out of range`. */
export function describeMalformed(element: string, text: string): string {
  const scalar = scalarElements.get(element)
  if (scalar === dateTime) return `a malformed ${element}: the form is YYYYMMDDTHH:MM:SS`
  if (!scalar?.number?.test(text)) return `a malformed ${element}`
  return `${element === 'double' ? 'a' : 'an'} ${element} out of range`
}

/** An integer from -2^bits to 2^bits - 1. */
function integerElement(expected: string, bits: number, kind: IssueType = 'integer'): ScalarElement {
  const limit = 2n ** BigInt(bits)
  const read = (text: string) => {
    if (!isInteger(text)) return undefined
    const value = BigInt(text)
    return value >= -limit && value < limit ? narrow(value) : undefined
  }
  return { expected, kind, read, number: integer }
}

function readInteger(text: string): number | bigint | undefined {
  return isInteger(text) ? narrow(BigInt(text)) : undefined
}

function isInteger(text: string): boolean {
  return integer.test(text) && !exceedsMaxDigits(text)
}

/** Returns a number if that is exact. */
function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Rejects `1e999`: doubles are finite. */
function readDouble(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** Encodes a bigint; throws a RangeError for one that its element cannot represent. */
type WriteBigint = (value: bigint) => string

/** A bigint in each of the forms. */
export const writeBigintAs = {
  i8(value) {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError('an integer beyond 64 bits')
    return `<value><i8>${value}</i8></value>`
  },
  string: (value) => `<value><string>${value}</string></value>`,
  // All digits: those that JavaScript prints for 2 ** 60 are another integer to a reader that does not round.
  double(value) {
    const number = Number(value)
    if (!Number.isFinite(number) || BigInt(number) !== value) {
      throw new RangeError('an integer that a double does not represent exactly')
    }
    return `<value><double>${value}.0</double></value>`
  },
} satisfies Readonly<Record<string, WriteBigint>>

/** How texts and bigints are written. */
export interface ScalarWriting {
  readonly writeText: (text: string) => string
  readonly writeBigint: WriteBigint
}

const defaultScalars: ScalarWriting = { writeText: escapeText, writeBigint: writeBigintAs.i8 }

/**
 * Encodes a value that is neither a list nor a struct; returns undefined for any other.
 *
 * @throws Error for a number, a bigint, a date or a text that XML-RPC cannot represent
 */
export function writeScalar(value: unknown, { writeText, writeBigint } = defaultScalars): string | undefined {
  switch (typeof value) {
    case 'string':
      return `<value><string>${writeText(value)}</string></value>`
    case 'boolean':
      return value ? '<value><boolean>1</boolean></value>' : '<value><boolean>0</boolean></value>'
    case 'number':
      // As an int, a negative zero would lose its sign.
      return isInt(value) && !Object.is(value, -0) ? writeInt(value) : writeDouble(value)
    case 'bigint':
      return writeBigint(value)
    case 'object':
      return writeObject(value)
    default:
      return undefined
  }
}

function writeObject(value: object | null): string | undefined {
  if (value === null) return '<value><nil/></value>'
  if (value instanceof Date) return `<value><dateTime.iso8601>${formatDateTime(value)}</dateTime.iso8601></value>`
  const bytes = toUint8Array(value)
  return bytes && `<value><base64>${encodeBase64(bytes)}</base64></value>`
}

/** Returns the `<value>` of a 32-bit integer. */
export function writeInt(value: number): string {
  return `<value><int>${value}</int></value>`
}

/** Throws a RangeError for NaN and the infinities. */
export function writeDouble(value: number): string {
  return `<value><double>${formatDouble(value)}</double></value>`
}

/** Formats a double without an exponent, which XML-RPC does not have, and with a point: `1.0`. It reads back as the same double. */
function formatDouble(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a finite number`)
  if (Object.is(value, -0)) return '-0.0'
  const shortest = String(value)
  if (shortest.includes('e')) return value < 0 ? `-${withoutExponent(shortest.slice(1))}` : withoutExponent(shortest)
  return shortest.includes('.') ? shortest : `${shortest}.0`
}

/** From `1.5e-7` or `1e+21`. */
function withoutExponent(shortest: string): string {
  const [mantissa = '', exponent] = shortest.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  return `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`
}

// The lookahead rejects a date with dashes beside a time without colons, which ISO 8601 does not mix.
const datePattern =
  /^(?!.{10}[T ]\d{4})(\d{4})(-?)(\d{2})\2(\d{2})[T ](\d{2})(:?)(\d{2})(?:\6(\d{2})(?:[.,](\d+))?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i

/**
 * Parses a dateTime.iso8601: `19980717T14:08:55`, or ISO 8601's basic form `19980717T140855`, or its extended form
 * `1998-07-17T14:08:55`. Seconds, their fraction and the zone are optional. A date without a zone is in UTC.
 *
 * Returns undefined for other text, a day or a time that does not exist, and a year outside 0001 to 9999.
 */
export function parseDateTime(text: string): Date | undefined {
  const match = datePattern.exec(text)
  if (!match) return undefined
  const [, year, _dash, month, day, hours, _colon, ...others] = match
  const date = dateFrom([year, month, day, hours, ...others])
  return isDate(date) ? date : undefined
}

/**
 * Formats a date as `YYYYMMDDTHH:MM:SS` in UTC, the form that every client reads.
 *
 * @throws RangeError for an invalid date, and for a year outside 0001 to 9999
 */
export function formatDateTime(date: Date): string {
  if (!isDate(date)) throw new RangeError('a date that is invalid, or outside the years 0001 to 9999')
  return date.toISOString().slice(0, 19).replaceAll('-', '')
}

/** A value of a union, with the type of the branch that its definition has chosen. */
export class TypedValue {
  readonly type: WireType
  readonly value: unknown

  constructor(type: WireType, value: unknown) {
    this.type = type
    this.value = value
  }
}

const doubleType: WireType = { kind: 'double' }
export const anyType: WireType = { kind: 'any' }
const numbers: readonly WireType['kind'][] = ['number', 'int', 'double', 'any']

const numericTypes = /* @__PURE__ */ memoize((types: readonly WireType[]) =>
  flattenSent(types).filter(({ kind }) => numbers.includes(kind)),
)

/** Returns the type by which a number of one of these types is encoded: a Double only if no other type has it, whatever their order. */
export function numberType(value: number, types: readonly WireType[]): WireType {
  const all = numericTypes(types)
  const [first = anyType, ...others] = isInt(value) ? all : all.filter(({ kind }) => kind !== 'int')
  return others.length === 0 || (first.kind === 'double' && others.every(({ kind }) => kind === 'double'))
    ? first
    : anyType
}

/** Marks what its definition has made of a value of a union, where the text depends on the type. */
function markType(value: unknown, type: WireType, among: readonly WireType[]): unknown {
  if (typeof value === 'number') return markNumber(value, numberType(value, among))
  const isMarked = Array.isArray(value) || (isStruct(value) && !(value instanceof TypedValue))
  return isMarked ? new TypedValue(type, value) : value
}

function markNumber(value: number, type: WireType): unknown {
  // As an int, a negative zero is zero.
  if (type.kind === 'int') return value + 0
  return type.kind === 'double' ? new TypedValue(doubleType, value) : value
}

/**
 * XML-RPC has dates, binary data and 64-bit integers: `decode.ts` and `encode.ts` convert them. A bigint may be decimal text too, since
 * not every client has `<i8>`.
 */
export const xmlrpcScalars: WireScalars = {
  readDate: identity,
  readBytes: (value, as) => (value instanceof Uint8Array ? fromUint8Array(value, as) : value),
  readBigint,
  writeDate: identity,
  writeBytes: (value) => toUint8Array(value) ?? value,
  writeBigint: identity,
  markType,
}

export const xmlrpcWires: Wires = /* @__PURE__ */ wiresOf(xmlrpcScalars)
