/**
 * The most digits that an integer on the wire may have. Reading and writing digits takes more than linear time, so that
 * a body of a few megabytes could keep a server busy for seconds.
 */
export const MAX_DIGITS = 10_000

/** Whether an integer, perhaps with a sign, is longer than that. */
export function exceedsMaxDigits(integer: string): boolean {
  return integer.length - (/^[+-]/.test(integer) ? 1 : 0) > MAX_DIGITS
}
