import type { Command } from './arguments.js'
import type { Diagnostic } from './diagnostic.js'
import type { Generated } from './generated.js'
import { relativeTo } from './options.js'
import { lookOf, showDiagnostic } from './terminal.js'

/** Says what is wrong: to people on stderr, as data on stdout. */
export function report(diagnostics: readonly Diagnostic[], { json }: Pick<Command, 'json'>): 1 {
  const look = lookOf(process.stderr, process.env)
  for (const each of diagnostics) {
    if (json) process.stdout.write(`${JSON.stringify(each)}\n`)
    else process.stderr.write(`${showDiagnostic(each, look, process.cwd())}\n`)
  }
  process.stderr.write(`${counted(diagnostics.length, 'error')}, nothing was written\n`)
  return 1
}

/** `2 procedures in 3 files → src/rpc.gen.ts` */
export function doneLine({ files, model, sources }: Generated): string {
  const outputs = files.map(({ path }) => shown(path)).join(', ')
  return `${counted(model.procedures.length, 'procedure')} in ${counted(sources, 'file')} → ${outputs}`
}

/** One line about a run that ended well; with --json stdout is for data. */
export function say(line: string, unchanged: boolean, { json }: Pick<Command, 'json'>, since = 0): void {
  const seconds = ((performance.now() - since) / 1000).toFixed(2)
  process[json ? 'stderr' : 'stdout'].write(`${line}${unchanged ? ' (unchanged)' : ''}, ${seconds} s\n`)
}

/** A path as a reader knows it. */
export function shown(path: string): string {
  return relativeTo(process.cwd(), path)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
