import { styleText } from 'node:util'

/** How our own text may look. */
export type Style = 'red' | 'green' | 'dim' | 'bold'

/** A line to print: pieces of text, some with a style. */
export type Line = string | readonly (string | readonly [style: Style, text: string])[]

/** C0 but the tab, DEL, C1, line separators, and what turns the direction of text: all that a terminal acts upon. */
const acting = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/**
 * Escapes the characters that a terminal acts upon, so that a name or a document of somebody else cannot change what is
 * shown: a carriage return becomes `\u000d`.
 */
export function printable(text: string): string {
  return text.replace(acting, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the text of lines, each ended. Every piece is escaped, so that the only control characters are our own styles. */
export function textOf(lines: readonly Line[], color = false): string {
  return lines.map((line) => `${lineText(line, color)}\n`).join('')
}

function lineText(line: Line, color: boolean): string {
  if (typeof line === 'string') return printable(line)
  return line
    .map((piece) => {
      if (typeof piece === 'string') return printable(piece)
      const [style, text] = piece
      return color ? styleText(style, printable(text), { validateStream: false }) : printable(text)
    })
    .join('')
}

/** Returns JSON with the same characters escaped; all of them can only be inside of strings. */
export function jsonText(value: unknown, space?: number): string {
  return (JSON.stringify(value, null, space) ?? 'null').replace(acting, (each) =>
    each === '\n' ? each : printable(each),
  )
}
