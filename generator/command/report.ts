import type { Generated } from '../build/generated.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { counted, jsonText, type Line, printable, terminalText } from '../diagnostics/printable.js'
import { relativeTo } from '../paths.js'
import type { Command } from './arguments.js'
import { diagnosticLines, styleOf } from './terminal.js'

export type StreamName = 'stdout' | 'stderr'

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

/** `2 procedures in 3 files → src/rpc.gen.ts`, for each target, escaped: the next run prints it unchanged. */
export function doneLine(targets: readonly (Generated & { readonly name: string | undefined })[]): string {
  const lines = targets.map(({ name, files, model, sources }) => {
    const outputs = files.map(({ path }) => shown(path)).join(', ')
    const target = name === undefined ? '' : `${name}: `
    return `${target}${counted(model.procedures.length, 'procedure')} in ${counted(sources, 'file')} → ${outputs}`
  })
  return printable(lines.join('; '))
}

/** Prints one line about a successful run; with --json on stderr, because stdout is for data. */
export function printDone(line: string, unchanged: boolean, { json }: Pick<Command, 'json'>, since = 0): void {
  const seconds = ((performance.now() - since) / 1000).toFixed(2)
  print(json ? 'stderr' : 'stdout', [`${line}${unchanged ? ' (unchanged)' : ''}, ${seconds} s`])
}

/** Returns a path for messages. */
export function shown(path: string): string {
  return relativeTo(process.cwd(), path)
}
