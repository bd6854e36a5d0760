/** The id of a name: white space has no place in one, and half a character has none in a document. */
export function idOf(name: string): string {
  return name.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\s/g, encodeURIComponent)
}
