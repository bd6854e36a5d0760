/**
 * The maximum number of digits of an integer on the wire. Parsing and printing digits takes more than linear time: a body of a
 * few megabytes could block a server for seconds.
 */
export const MAX_DIGITS = 10_000

/** True if an integer, with or without a sign, has more than MAX_DIGITS digits. */
export function exceedsMaxDigits(integer: string): boolean {
  return integer.length - (/^[+-]/.test(integer) ? 1 : 0) > MAX_DIGITS
}
