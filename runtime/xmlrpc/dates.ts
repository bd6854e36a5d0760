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
