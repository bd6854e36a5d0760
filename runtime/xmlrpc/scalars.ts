import { decodeBase64 } from '../base64.js'
import { isTooLong } from '../digits.js'
import { parseDateTime } from './dates.js'

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
  return integer.test(text) && !isTooLong(text)
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
