/** Values by position: omitted ones at the end are left out, and before others they are null. */
export function positional(values: readonly unknown[]): unknown[] {
  const given = values.findLastIndex((value) => value !== undefined) + 1
  return values.slice(0, given).map((each) => each ?? null)
}
