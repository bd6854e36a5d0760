import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { BuildOptions } from '../options/options.js'
import { expectedOf, flagOf, helpLines, type OptionRow, optionTable, type Rows, rowsOf } from '../options/table.js'
import { nearName } from '../text.js'

/** A parsed command line: the options of the targets, and the flags of the command itself. */
export interface Command extends CommandFlags {
  readonly options: BuildOptions
}

type Table = typeof optionTable

type CommandFlags = {
  readonly [Name in keyof Table as Table[Name] extends { readonly only: 'flag' } ? Name : never]?:
    | ValueOf<Table[Name]>
    | undefined
}

export const usage = `Usage: rpc-gen [options] <path>...
       rpc-gen dev [options] [<path>...] -- <command>
       rpc-gen diff [options] <old> [<new> | <path>...]
       rpc-gen init

Compiles the exported functions that are marked @rpc into one typed module.

${helpLines(optionTable)}
Exit status: 0 done, 1 errors in the sources or a stale file, 2 wrong usage.
`

/** The subcommands, existing and planned. A folder of such a name is written `./diff`. */
const reserved = ['dev', 'diff', 'init', 'mcp']

/** Commands of other tools, and what is written instead. */
const otherNames: Readonly<Record<string, string>> = {
  build: 'rpc-gen src/procedures, or rpc-gen alone with a configuration',
  check: 'rpc-gen --check',
  generate: 'rpc-gen src/procedures, or rpc-gen alone with a configuration',
  help: 'rpc-gen --help',
  watch: 'rpc-gen --watch',
}

/** Parses the command line, or the arguments of `dev` before its command. Throws UsageError with the reason. */
export function parseArguments(argv: readonly string[], subcommand?: 'dev'): Command {
  const { values, positionals } = parseFlags(argv, optionTable)
  const [first] = positionals
  if (first !== undefined && reserved.includes(first)) {
    const hint = `for a folder of that name write ./${first}`
    throw new UsageError(
      first === 'mcp'
        ? `there is no command mcp: serve tools with serveStdio of rpc-gen/mcp (https://github.com/rpc-gen/rpc-gen/blob/main/docs/guide/mcp.md); ${hint}`
        : `${first} is a separate command and has to come first; ${hint}`,
    )
  }
  if (first !== undefined && Object.hasOwn(otherNames, first) && !existsSync(first))
    throw new UsageError(`there is no command ${first}: write ${otherNames[first]}`)
  const { check, watch, model, noRestart, poll } = values
  for (const name of ['check', 'watch', 'model'] as const) {
    if (subcommand && values[name]) throw new UsageError(`${subcommand} and --${name} exclude each other`)
  }
  if (noRestart && !subcommand) throw new UsageError('--no-restart is an option of rpc-gen dev')
  if (poll && !watch && !subcommand) throw new UsageError('--poll is an option of --watch and rpc-gen dev')
  if (watch && (check || model)) throw new UsageError(`--watch and --${check ? 'check' : 'model'} exclude each other`)
  if (check && model) throw new UsageError('--check and --model exclude each other')
  const isFlag = ([name]: readonly [string, unknown]) => (optionTable as Rows)[name]?.only === 'flag'
  const given = Object.entries(values)
  const options = Object.fromEntries(given.filter((each) => !isFlag(each)))
  return { ...Object.fromEntries(given.filter(isFlag)), options: { ...options, paths: positionals } }
}

type ValueOf<Row extends OptionRow> = Row['type'] extends 'switch' | 'switchOrFile'
  ? boolean
  : Row['type'] extends 'texts'
    ? readonly string[]
    : string

/** The values of flags by their keys. Flags that are not given are absent. */
type Values<Table extends Rows> = { readonly [Name in keyof Table]?: ValueOf<Table[Name]> }

/** Parses the flags of a table. Throws UsageError for unknown flags and for values that a row does not allow. */
export function parseFlags<Table extends Rows>(
  argv: readonly string[],
  table: Table,
): { readonly values: Values<Table>; readonly positionals: readonly string[] } {
  const rows = rowsOf(table, 'flag').filter(([, { only }]) => only !== 'argument')
  const flags = rows.map(([name, { value, type, short }]) => {
    const form = {
      type: value ? 'string' : 'boolean',
      multiple: type === 'texts',
      ...(short ? { short } : {}),
    } as const
    return [flagOf(name), form] as const
  })
  const placeholders = new Map(rows.map(([name, { value }]) => [flagOf(name), value]))
  const { values, positionals } = parseArgv(argv, Object.fromEntries(flags), placeholders)
  const given = rows.flatMap(([name, row]) => {
    const value = values[flagOf(name)]
    const flag = `--${flagOf(name)}`
    if (row.type === 'file' && value === '') throw new UsageError(`${flag} names no file`)
    if (row.choices && typeof value === 'string' && !row.choices.includes(value))
      throw new UsageError(`${flag}: expected ${expectedOf(row)}, got ${value || "''"}`)
    return value === undefined ? [] : [[name, value]]
  })
  return { values: Object.fromEntries(given), positionals }
}

function parseArgv(
  argv: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object,
  placeholders: ReadonlyMap<string, string | undefined>,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    // The first sentence of Node's message names the mistake; the rest explains a trick with `--`.
    const [sentence = ''] = String((error as Error).message).split(/\.\s/)
    const [, unknown] = /^Unknown option '--(\S+)'/.exec(sentence) ?? []
    const near = unknown && flagNear(unknown, Object.keys(options))
    if (near) throw new UsageError(`${sentence}: write it --${near}`)
    // Node has the same placeholder for every flag, unlike `--help`, and none before another flag.
    const missing = sentence.replace(/argument is ambiguous$/, 'argument missing')
    const named = (_: string, flag: string) => `--${flag} ${placeholders.get(flag) ?? '<value>'}`
    throw new UsageError(missing.replace(/--([\w-]+)(?: <value>)?(?=' argument missing)/, named))
  }
}

/** Returns the flag that a misspelt one means: `check` for `chek`, and `strict-docs` for the key `strictDocs`. */
function flagNear(name: string, flags: readonly string[]): string | undefined {
  const flag = flagOf(name)
  return flags.includes(flag) ? flag : nearName(flag, flags)
}
