/** RFC 3339 and the date and date-time forms of ISO 8601 that clients send; seconds and zone may be missing. */
const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)?(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)?)?$/

/** Reads a date; without a zone it is UTC, whatever zone the server runs in. Undefined when it is none. */
export function parseDate(text: string): Date | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const millisecond = fraction.padEnd(3, '0').slice(0, 3)
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}${zoneOf(zone)}`)
  return Number.isNaN(date.getTime()) || !isDay(Number(year), Number(month), Number(day)) ? undefined : date
}

/** ECMAScript reads `+02:00` only. */
function zoneOf(zone: string): string {
  if (zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Engines read February 30 as March 1. */
function isDay(year: number, month: number, day: number): boolean {
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return day >= 1 && day <= last.getUTCDate()
}
