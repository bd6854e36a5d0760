/** Returns the id of a name, which must not contain white space or a lone surrogate. */
export function idOf(name: string): string {
  return name.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\s/g, encodeURIComponent)
}
