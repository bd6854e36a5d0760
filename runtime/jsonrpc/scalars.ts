import type { Wire } from '../call/wire.js'
import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../values/bytes.js'
import { exceedsMaxDigits } from '../values/scalar-text.js'

/** In JSON, dates (RFC 3339), binary data (base64) and bigints (decimal) are strings. */
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

/** RFC 3339, and the forms of ISO 8601 that clients send: seconds and zone are optional. */
const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)?(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)?)?$/

/** Parses a date. One without a zone is in UTC, whatever the zone of the process. Returns undefined for other text. */
export function parseDate(text: string): Date | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const millisecond = fraction.padEnd(3, '0').slice(0, 3)
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}${zoneOf(zone)}`)
  return Number.isNaN(date.getTime()) || !isDay(Number(year), Number(month), Number(day)) ? undefined : date
}

/** ECMAScript parses `+02:00` only. */
function zoneOf(zone: string): string {
  if (zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Engines parse February 30 as March 1. */
function isDay(year: number, month: number, day: number): boolean {
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return day >= 1 && day <= last.getUTCDate()
}
