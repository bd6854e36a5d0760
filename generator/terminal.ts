import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Diagnostic, detailsOf, locationOf, type Position } from './diagnostic.js'
import { type Line, printable } from './printable.js'

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

/** The lines of one diagnostic, with the line of the source where the look has frames; positions start from `cwd`. */
export function diagnosticLines(diagnostic: Diagnostic, look: Look, cwd: string): Line[] {
  const { code, message, position } = diagnostic
  const frame = look.frame && position ? codeFrame(position, cwd) : []
  return [[locationOf(diagnostic), ['red', code], ` ${message}`], ...frame, ...detailsOf(diagnostic)]
}

/** The line of the source, with a caret under the place; nothing where the file cannot be read any more. */
function codeFrame({ file, line, column }: Position, cwd: string): Line[] {
  const text = lineOf(resolve(cwd, file), line)
  if (text === undefined) return []
  const margin = `${line} | `
  // Tabs stay tabs under the line too, so that the caret stands where the terminal puts the character.
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
