import type { BytesClass } from './types.js'

/**
 * How one protocol carries the values that it has no plain form for. `read…` goes from the wire to TypeScript, `write…`
 * the other way. All are total: a value that is not theirs comes back as it went in, and the predicate that follows
 * refuses it.
 */
export interface Wire {
  readDate(value: unknown): unknown
  readBytes(value: unknown, as: BytesClass): unknown
  readBigint(value: unknown): unknown
  writeDate(value: unknown): unknown
  writeBytes(value: unknown): unknown
  writeBigint(value: unknown): unknown
}

/** The conversion of types that have the same form on the wire. */
export function same(value: unknown): unknown {
  return value
}

/** Calls from the same process bring TypeScript values and get them back. */
export const localWire: Wire = {
  readDate: same,
  readBytes: same,
  readBigint: same,
  writeDate: same,
  writeBytes: same,
  writeBigint: same,
}
