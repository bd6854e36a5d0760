import type { Wire } from '../call/wire.js'
import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../values/bytes.js'
import { exceedsMaxDigits } from '../values/scalar-text.js'
import { parseDate } from './dates.js'

/** JSON has strings for dates (RFC 3339), binary data (base64) and integers of any size (decimal). */
export const jsonWire: Wire = {
  readDate: (value) => (typeof value === 'string' ? (parseDate(value) ?? value) : value),
  readBytes: (value, as) => {
    const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
    return bytes ? fromUint8Array(bytes, as) : value
  },
  readBigint: (value) => {
    if (typeof value === 'string') return /^-?\d+$/.test(value) && !exceedsMaxDigits(value) ? BigInt(value) : value
    return Number.isSafeInteger(value) ? BigInt(value as number) : value
  },
  writeDate: (value) => (value instanceof Date ? value.toISOString() : value),
  writeBytes: (value) => {
    const bytes = toUint8Array(value)
    return bytes ? encodeBase64(bytes) : value
  },
  writeBigint: (value) => (typeof value === 'bigint' ? value.toString() : value),
}
