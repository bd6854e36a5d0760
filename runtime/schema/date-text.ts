const day = '(?:0[1-9]|1\\d|2[0-8])'
const month = '(?:0[1-9]|1[0-2])'
const days = `(?:${month}-${day}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const date = `(?!0000)(?:\\d{4}-${days}|${leapYear}-02-29)`
/** Midnight may be the end of a day: a fraction of it is nothing, to the millisecond. */
const endOfDay = '24:00(?::00(?:[.,](?:0{1,2}|0{3}\\d{0,15}))?)?'
const time = `(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,18})?)?|${endOfDay})`
const zone = '(?:[Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)'

/**
 * What callers may send for a Date: RFC 3339 and the forms of ISO 8601 beside it that are read, in which seconds and zone
 * may be missing. The format date-time knows none of these. At the two ends of the years 0001 to 9999 a zone may make it
 * another year, which the pattern does not see.
 */
export const dateText = `^${date}(?:[Tt ]${time}${zone}?)?$`
