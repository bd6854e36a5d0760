/** From this column on a line is an indented code block in Markdown: no tag and no field begins there. */
export const codeIndent = 4

/** The column of the first character; a tab goes to the next multiple of four, as in Markdown. */
export function indentOf(text: string): number {
  let column = 0
  for (const character of leadingSpace(text)) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** The white space that all lines begin with; blank lines do not count. */
export function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map(leadingSpace)
  return indents.reduce(commonStart, indents[0] ?? '')
}

/** The lines without the white space that they share; blank ones become empty. */
export function dedent(lines: readonly string[]): string[] {
  const { length } = commonIndent(lines)
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(length)))
}

/** What stands behind a tag or a field, and its continuation lines, as one text. */
export function joinText(first: string, continuation: readonly string[]): string {
  return [first.trimEnd(), ...dedent(continuation)].join('\n').trim()
}

function leadingSpace(text: string): string {
  return text.slice(0, text.length - text.trimStart().length)
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}
