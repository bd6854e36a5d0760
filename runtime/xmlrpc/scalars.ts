import type { Wire } from '../call/wire.js'
import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../values/bytes.js'
import { isInt } from '../values/predicates.js'
import { exceedsMaxDigits } from '../values/scalar-text.js'
import { escapeText } from './parse.js'

/** What the text of a scalar element has to be, and its value; undefined when it is something else. */
export interface Scalar {
  readonly expected: string
  /** `text` comes without the white space around it. */
  readonly read: (text: string) => unknown
}

// Both are linear: no two neighbours in them match the same character.
const integer = /^[+-]?\d+$/
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
  // Two JavaScript clients write the words.
  ['false', false],
  ['true', true],
])

// Beyond 32 bits, against the specification: some clients widen, and a number or a bigint can take it. Int refuses it.
const int = integerOf('int', 63)
const i8 = integerOf('i8', 63)
const double: Scalar = { expected: 'double', read: readDouble }
const dateTime: Scalar = { expected: 'dateTime.iso8601', read: parseDateTime }
const nil: Scalar = { expected: 'nil', read: (text) => (text === '' ? null : undefined) }

/**
 * The scalar elements by name, but for `string`, whose white space counts. Those with a prefix are the extensions of
 * Apache's implementation; the prefix is taken as it is usually written.
 */
export const scalars: ReadonlyMap<string, Scalar> = new Map([
  ['int', int],
  ['i4', int],
  ['i8', i8],
  ['ex:i1', integerOf('i1', 7)],
  ['ex:i2', integerOf('i2', 15)],
  ['ex:i8', i8],
  ['ex:biginteger', { expected: 'biginteger', read: readInteger }],
  ['double', double],
  ['ex:float', double],
  ['ex:double', double],
  ['boolean', { expected: 'boolean', read: (text) => booleans.get(text) }],
  ['dateTime.iso8601', dateTime],
  ['ex:dateTime', dateTime],
  ['base64', { expected: 'base64', read: decodeBase64 }],
  ['nil', nil],
  ['ex:nil', nil],
])

/** An integer from -2^bits to 2^bits - 1. */
function integerOf(expected: string, bits: number): Scalar {
  const limit = 2n ** BigInt(bits)
  const read = (text: string) => {
    if (!isInteger(text)) return undefined
    const value = BigInt(text)
    return value >= -limit && value < limit ? narrow(value) : undefined
  }
  return { expected, read }
}

function readInteger(text: string): number | bigint | undefined {
  return isInteger(text) ? narrow(BigInt(text)) : undefined
}

function isInteger(text: string): boolean {
  return integer.test(text) && !exceedsMaxDigits(text)
}

/** A number where it is exact. */
function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** `1e999` is no number: what is read is finite. */
function readDouble(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/**
 * Writes a value that is neither a list nor a struct by what it is; undefined for anything else. Throws an Error for a
 * number, a bigint, a date or a text that XML-RPC cannot hold.
 */
export function writeScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `<value><string>${escapeText(value)}</string></value>`
    case 'boolean':
      return value ? '<value><boolean>1</boolean></value>' : '<value><boolean>0</boolean></value>'
    case 'number':
      // A negative zero is no int: it would lose its sign.
      return isInt(value) && !Object.is(value, -0) ? writeInt(value) : writeDouble(value)
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw new RangeError('an integer beyond 64 bits')
      return `<value><i8>${value}</i8></value>`
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

export function writeInt(value: number): string {
  return `<value><int>${value}</int></value>`
}

/** Throws a RangeError for NaN and the infinities. */
export function writeDouble(value: number): string {
  return `<value><double>${formatDouble(value)}</double></value>`
}

/**
 * Plain decimal digits that read back as the same double: XML-RPC has no exponent. There is always a point, `1.0`, so
 * that a client sees a double.
 */
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
const pattern =
  /^(?!.{10}[T ]\d{4})(\d{4})(-?)(\d{2})\2(\d{2})[T ](\d{2})(:?)(\d{2})(?:\6(\d{2})(?:[.,](\d+))?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i

const minute = 60_000

/**
 * Parses a dateTime.iso8601: `19980717T14:08:55`, or ISO 8601's basic form `19980717T140855`, or its extended form
 * `1998-07-17T14:08:55`. Seconds and their fraction are optional; digits beyond milliseconds are cut off. The zone is `Z`,
 * `+02:00`, `+0200` or `+02`; without one the date is in UTC, whatever the zone of the process.
 *
 * Returns undefined for text that is not a date: a 30th of February, 25 o'clock, a 60th second, a year outside 0001 to
 * 9999. 24:00:00 is the end of a day (ISO 8601).
 */
export function parseDateTime(text: string): Date | undefined {
  const found = pattern.exec(text)
  if (!found) return undefined
  const [year, month, day] = [found[1], found[3], found[4]].map(Number) as [number, number, number]
  const [hours, minutes, seconds] = [found[5], found[7], found[8] ?? 0].map(Number) as [number, number, number]
  const milliseconds = Number((found[9] ?? '').slice(0, 3).padEnd(3, '0'))
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (!isTime(hours, minutes, seconds, /[1-9]/.test(found[9] ?? ''))) return undefined
  const offset = parseOffset(found[10])
  if (offset === undefined) return undefined
  date.setUTCHours(hours, minutes, seconds, milliseconds)
  date.setTime(date.getTime() - offset * minute)
  return hasFourDigits(date) ? date : undefined
}

function isTime(hours: number, minutes: number, seconds: number, fraction: boolean): boolean {
  if (hours === 24) return minutes === 0 && seconds === 0 && !fraction
  return hours < 24 && minutes < 60 && seconds < 60
}

/** Minutes east of UTC; undefined when there are no such hours or minutes. */
function parseOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

function hasFourDigits(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/**
 * Writes `YYYYMMDDTHH:MM:SS` in UTC, the one form that every client reads. Throws a RangeError for an invalid date and
 * for a year outside 0001 to 9999.
 */
export function formatDateTime(date: Date): string {
  if (!hasFourDigits(date)) throw new RangeError('a date that is invalid, or outside the years 0001 to 9999')
  return date.toISOString().slice(0, 19).replaceAll('-', '')
}

const same = (value: unknown): unknown => value

/** XML-RPC has dates, binary data and 64-bit integers of its own: the reader and the writer do the work. */
export const xmlrpcWire: Wire = {
  readDate: same,
  readBytes: (value, as) => (value instanceof Uint8Array ? fromUint8Array(value, as) : value),
  readBigint: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value),
  writeDate: same,
  writeBytes: (value) => toUint8Array(value) ?? value,
  writeBigint: same,
}
