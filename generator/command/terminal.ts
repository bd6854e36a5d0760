import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Diagnostic, detailsOf, locationOf, type Position } from '../diagnostics/diagnostic.js'
import { type Line, printable } from '../diagnostics/printable.js'

/** How diagnostics are shown. */
export interface TerminalStyle {
  /** True if the line of the source is shown under each. */
  readonly frame: boolean
  readonly color: boolean
}

/** Returns how diagnostics are shown: a terminal gets source lines, and colour unless NO_COLOR is set (no-color.org: and not empty). */
export function styleOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): TerminalStyle {
  const frame = stream.isTTY === true
  return { frame, color: frame && !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

/** Returns the lines of one diagnostic, with the line of the source if frames are shown; positions are relative to `cwd`. */
export function diagnosticLines(diagnostic: Diagnostic, style: TerminalStyle, cwd: string): Line[] {
  const { code, message, position } = diagnostic
  const frame = style.frame && position ? codeFrame(position, cwd) : []
  return [[locationOf(diagnostic), ['red', code], ` ${message}`], ...frame, ...detailsOf(diagnostic)]
}

/** Returns the line of the source with a caret under the position; empty if the file cannot be read any more. */
function codeFrame({ file, line, column }: Position, cwd: string): Line[] {
  const text = lineOf(resolve(cwd, file), line)
  if (text === undefined) return []
  const margin = `${line} | `
  // Tabs are kept in the caret's line, so that the terminal aligns it with the character.
  const before = printable(text.slice(0, column - 1)).replace(/[^\t]/gu, ' ')
  return [
    ['  ', ['dim', margin], text],
    ['  ', ['dim', `${' '.repeat(margin.length - 2)}| `], before, ['red', '^']],
  ]
}

function lineOf(path: string, line: number): string | undefined {
  try {
    return readFileSync(path, 'utf8').split(/\r\n|[\n\r\u2028\u2029]/)[line - 1]
  } catch {
    return undefined
  }
}
