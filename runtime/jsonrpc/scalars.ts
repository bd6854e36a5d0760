import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../values/bytes.js'
import { dateFrom, readBigint } from '../values/scalar-text.js'
import { type WireScalars, type Wires, wiresOf } from '../values/wire.js'

/** In JSON, dates (RFC 3339), binary data (base64) and bigints (decimal) are strings. */
export const jsonScalars: WireScalars = {
  readDate: (value) => (typeof value === 'string' ? (parseDate(value) ?? value) : value),
  readBytes: (value, as) => {
    const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
    return bytes ? fromUint8Array(bytes, as) : value
  },
  readBigint,
  writeDate: (value) => (value instanceof Date ? value.toISOString() : value),
  writeBytes: (value) => {
    const bytes = toUint8Array(value)
    return bytes ? encodeBase64(bytes) : value
  },
  writeBigint: (value) => (typeof value === 'bigint' ? value.toString() : value),
}

export const jsonWires: Wires = /* @__PURE__ */ wiresOf(jsonScalars)

/** RFC 3339, and the forms of ISO 8601 that clients send: seconds and zone are optional. */
const datePattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)?(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)?)?$/

/** Parses a date. One without a zone is in UTC, whatever the zone of the process. Returns undefined for other text. */
export function parseDate(text: string): Date | undefined {
  const match = datePattern.exec(text)
  return match ? dateFrom(match.slice(1)) : undefined
}
