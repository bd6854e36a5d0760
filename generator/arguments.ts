import { parseArgs } from 'node:util'
import { type GenerateOptions, type ImportExt, UsageError } from './options.js'

/** What the command line asks for. */
export interface Command {
  readonly options: GenerateOptions
  /** The configuration file that the command line names. */
  readonly config: string | undefined
  /** Compare, write nothing. */
  readonly check: boolean
  /** Go on until stopped, with a run for each change. */
  readonly watch: boolean
  /** Print the model, write nothing. */
  readonly model: boolean
  /** Diagnostics as JSON lines. */
  readonly json: boolean
  readonly help: boolean
  readonly version: boolean
}

export const usage = `Usage: rpc-gen [options] <path>...
       rpc-gen diff [options] <old> [<new> | <path>...]

Compiles the exported functions that are marked @rpc into one typed module.

  <path>                     a folder (recursive), a file or a glob
  -o, --out <file>           the generated file; default: rpc.gen.ts beside the first path
  -p, --project <file>       the tsconfig; default: the nearest one above the first path
  -c, --config <file>        default: rpc.config.{ts,js,mjs,json}, or "rpc-gen" in package.json
      --require-auth         a procedure without auth is an error
      --strict-docs          an undocumented parameter, or an inferred result that is no longer an Int, is an error
      --json-schema <file>   also write the model as JSON Schema 2020-12
      --openrpc <file>       also write the OpenRPC document
      --client <file>        also write a typed client that stands alone
      --lock                 also write rpc.lock.json: what callers rely on
      --check                write nothing; exit 1 when an output is stale
  -w, --watch                generate again on every change, until stopped
      --model                print the intermediate model as JSON, write nothing
      --no-cache             read and write nothing of earlier runs
      --json                 print diagnostics as JSON lines on stdout
      --import-ext <ext>     how imports end: js, ts or none; default: as the project does it
  -h, --help
  -v, --version

Exit status: 0 done, 1 errors in the sources or a stale file, 2 wrong usage.
`

const flags = {
  out: { type: 'string', short: 'o' },
  project: { type: 'string', short: 'p' },
  config: { type: 'string', short: 'c' },
  'require-auth': { type: 'boolean' },
  'strict-docs': { type: 'boolean' },
  'json-schema': { type: 'string' },
  openrpc: { type: 'string' },
  client: { type: 'string' },
  lock: { type: 'boolean' },
  check: { type: 'boolean', default: false },
  watch: { type: 'boolean', short: 'w', default: false },
  model: { type: 'boolean', default: false },
  'no-cache': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'import-ext': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'v', default: false },
} as const

/** Commands of their own, and those to come: a folder of that name is written `./diff`. */
const reserved = ['diff', 'init', 'mcp']

/** Reads the command line. Throws UsageError with a sentence about what is wrong. */
export function parseArguments(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv)
  const [first] = positionals
  if (first !== undefined && reserved.includes(first)) {
    const hint = `for a folder of that name write ./${first}`
    throw new UsageError(
      first === 'diff'
        ? `diff is a command of its own and comes first; ${hint}`
        : `${first} is a reserved word: ${hint}`,
    )
  }
  const { config, check, watch, model, json, help, version } = values
  for (const name of ['out', 'project', 'config', 'json-schema', 'openrpc', 'client'] as const) {
    if (values[name] === '') throw new UsageError(`--${name} names no file`)
  }
  if (watch && (check || model)) throw new UsageError(`--watch and --${check ? 'check' : 'model'} exclude each other`)
  if (check && model) throw new UsageError('--check and --model exclude each other')
  return { options: { paths: positionals, ...optionsIn(values) }, config, check, watch, model, json, help, version }
}

type Values = ReturnType<typeof parse>['values']

/** The options that are given. */
function optionsIn(values: Values): Omit<GenerateOptions, 'paths'> {
  const { out, project, openrpc, client, lock } = values
  const given = {
    out,
    project,
    importExt: toImportExt(values['import-ext']),
    requireAuth: values['require-auth'],
    strictDocs: values['strict-docs'],
    jsonSchema: values['json-schema'],
    openrpc,
    client,
    lock,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: true })
  } catch (error) {
    // The first sentence says what is wrong; the rest is about a trick with `--`.
    throw new UsageError(String((error as Error).message).split('. ')[0])
  }
}

function toImportExt(text: string | undefined): ImportExt | undefined {
  if (text === undefined || text === 'js' || text === 'ts' || text === 'none') return text
  throw new UsageError(`--import-ext takes js, ts or none, not ${text}`)
}
