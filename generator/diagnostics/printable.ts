import { styleText } from 'node:util'
import { escapeActing } from '../text.js'

/** The styles of text. */
type Style = 'red' | 'green' | 'dim' | 'bold'

/** A line to print: pieces of text, some with a style. */
export type Line = string | readonly (string | readonly [style: Style, text: string])[]

/**
 * Escapes the characters that a terminal interprets, so that a foreign name or document cannot change what is
 * shown: a carriage return becomes `\u000d`.
 */
export function printable(text: string): string {
  return escapeActing(text)
}

/** Returns the text of lines, each with a line break. Every piece is escaped: the only control characters are those of styles. */
export function terminalText(lines: readonly Line[], color = false): string {
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

/** Returns a number with its noun: `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${plural(count, noun)}`
}

/** Returns a noun after a number. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`
}

/** Returns JSON with the same characters escaped. They only occur inside strings. */
export function jsonText(value: unknown, space?: number): string {
  return escapeActing(JSON.stringify(value, null, space) ?? 'null', true)
}
