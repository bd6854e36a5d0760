import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Diagnostic, formatDiagnostic, type Position } from './diagnostic.js'

/** How diagnostics look where they are written to. */
export interface Look {
  /** Whether the line of the source is shown under each. */
  readonly frame: boolean
  readonly color: boolean
}

/** A terminal gets frames, and colour unless NO_COLOR says otherwise (no-color.org: set, and not empty). */
export function lookOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Look {
  const frame = stream.isTTY === true
  return { frame, color: frame && !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

/** One diagnostic as this look has it; positions start from `cwd`. */
export function showDiagnostic(diagnostic: Diagnostic, look: Look, cwd: string): string {
  const [head = '', ...more] = formatDiagnostic(diagnostic).split('\n')
  const { code, position } = diagnostic
  const frame = look.frame && position ? codeFrame(position, look, cwd) : []
  return [head.replace(code, paint('red', code, look)), ...frame, ...more].join('\n')
}

/** The line of the source, with a caret under the place; nothing where the file cannot be read any more. */
function codeFrame({ file, line, column }: Position, look: Look, cwd: string): string[] {
  const text = lineOf(resolve(cwd, file), line)
  if (text === undefined) return []
  const margin = `${line} | `
  // Tabs stay tabs under the line too, so that the caret stands where the terminal puts the character.
  const before = text.slice(0, column - 1).replace(/[^\t]/gu, ' ')
  return [
    `  ${paint('dim', margin, look)}${text}`,
    `  ${paint('dim', `${' '.repeat(margin.length - 2)}| `, look)}${before}${paint('red', '^', look)}`,
  ]
}

function lineOf(path: string, line: number): string | undefined {
  try {
    return readFileSync(path, 'utf8').split(/\r\n|[\n\r\u2028\u2029]/)[line - 1]
  } catch {
    return undefined
  }
}

function paint(style: 'red' | 'dim', text: string, { color }: Look): string {
  return color ? styleText(style, text, { validateStream: false }) : text
}
