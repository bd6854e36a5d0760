/** Returns a pattern as the server tests it, with the flag `u`; undefined if this platform cannot read it. */
export function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
