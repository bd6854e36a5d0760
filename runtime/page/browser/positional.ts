/** Values by position: what is left out at the end is not there, and before others it is null. */
export function positional(values: readonly unknown[]): unknown[] {
  const given = values.findLastIndex((value) => value !== undefined) + 1
  return values.slice(0, given).map((each) => each ?? null)
}
