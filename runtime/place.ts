/** `line 3, column 7`: where an index of a text is; both begin at 1. */
export function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
