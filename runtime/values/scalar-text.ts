/**
 * The maximum number of digits of an integer on the wire. Parsing and printing digits takes more than linear time: a body of a
 * few megabytes could block a server for seconds.
 */
export const MAX_DIGITS = 10_000

/** True if an integer, with or without a sign, has more than MAX_DIGITS digits. */
export function exceedsMaxDigits(integer: string): boolean {
  return integer.length - (/^[+-]/.test(integer) ? 1 : 0) > MAX_DIGITS
}

/** Decodes a bigint: a safe integer, or decimal text. Returns other values, such as text that is too long, unchanged. */
export function readBigint(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d+$/.test(value) && !exceedsMaxDigits(value) ? BigInt(value) : value
  return Number.isSafeInteger(value) ? BigInt(value as number) : value
}

/**
 * Returns the date of its fields, as the pattern of a protocol has matched them: year, month and day, then optionally hours,
 * minutes, seconds, the fraction of a second, and a zone such as `Z`, `+02:00`, `+0200` or `+02`. A date without a zone is in UTC,
 * whatever the zone of the process. Digits beyond milliseconds are dropped.
 *
 * Returns undefined for February 30, 25:00, second 60 or an offset of 24 hours. 24:00:00 is the end of a day (ISO 8601).
 */
export function dateFrom(fields: readonly (string | undefined)[]): Date | undefined {
  const [year, month, day, hours = '00', minutes = '00', seconds = '00', fraction = '', zone = 'Z'] = fields
  const midnight = `${year}-${month}-${day}`
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const date = new Date(`${midnight}T${hours}:${minutes}:${seconds}.${milliseconds}${offsetOf(zone)}`)
  // Engines parse February 30 as March 1.
  const isDay = new Date(midnight).getUTCDate() === Number(day)
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined
}

/** ECMAScript parses `Z` and `+02:00` only. */
function offsetOf(zone: string): string {
  return zone.length === 1 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}
