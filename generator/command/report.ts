// What the command prints: diagnostics with the lines of the sources under them, and what a run has written:
//
//   a diagnostic  →  src/orders.ts:7:24 RPC121 a function cannot be serialised
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Generated } from '../build/generated.js'
import { type Diagnostic, detailsOf, locationOf, type Position } from '../diagnostics/diagnostic.js'
import { counted, jsonText, type Line, printable, terminalText } from '../diagnostics/printable.js'
import { relativeTo } from '../paths.js'
import type { Command } from './arguments.js'

type StreamName = 'stdout' | 'stderr'

/** Prints lines. Names and text from documents are escaped. */
export function print(to: StreamName, lines: readonly Line[]): void {
  const stream = process[to]
  stream.write(terminalText(lines, styleOf(stream, process.env).color))
}

/** Prints why a command cannot be run. */
export function printUsageError(message: string): void {
  print('stderr', [`rpc-gen: ${message}`])
}

/** Prints diagnostics: for people on stderr, as JSON lines on stdout. */
export function report(diagnostics: readonly Diagnostic[], { json }: Pick<Command, 'json'>): 1 {
  const style = styleOf(process.stderr, process.env)
  for (const each of diagnostics) {
    if (json) process.stdout.write(`${jsonText(each)}\n`)
    else print('stderr', diagnosticLines(each, style, process.cwd()))
  }
  print('stderr', [`${counted(diagnostics.length, 'error')}, nothing was written`])
  return 1
}

/**
 * `2 procedures in 2 of 3 files → src/rpc.gen.ts`, for each target, escaped: the next run prints it unchanged. A file without procedures may lack an
 * `@rpc`.
 */
export function doneLine(targets: readonly (Generated & { readonly name: string | undefined })[]): string {
  const lines = targets.map(({ name, files, model, sources }) => {
    const outputs = files.map(({ path }) => relativePath(path)).join(', ')
    const target = name === undefined ? '' : `${name}: `
    const { size } = new Set(model.procedures.map(({ module }) => module))
    const declaring = size < sources ? `${size} of ` : ''
    return `${target}${counted(model.procedures.length, 'procedure')} in ${declaring}${counted(sources, 'file')} → ${outputs}`
  })
  return printable(lines.join('; '))
}

/** Prints one line about a successful run; with --json on stderr, because stdout is for data. */
export function printDone(line: string, unchanged: boolean, { json }: Pick<Command, 'json'>, since = 0): void {
  const seconds = ((performance.now() - since) / 1000).toFixed(2)
  print(json ? 'stderr' : 'stdout', [`${line}${unchanged ? ' (unchanged)' : ''}, ${seconds} s`])
}

/** Returns a path for messages. */
export function relativePath(path: string): string {
  return relativeTo(process.cwd(), path)
}

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
