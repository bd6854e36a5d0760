import type { OpenRpc } from '../../runtime/openrpc/openrpc.js'
import { parseFlags } from '../arguments.js'
import { diffTable, helpLines } from '../option-table.js'
import { UsageError } from '../options.js'
import { lookOf } from '../terminal.js'
import { type Api, apiOf, readApi } from './api.js'
import { isChangeCode, jsonReport, type Reported, sortChanges, textReport } from './change.js'
import { compareApis } from './methods.js'

export const diffUsage = `Usage: rpc-gen diff [options] <old> [<new> | <path>...]

Prints what changed between two versions of an API, and which changes break its callers.

${helpLines(diffTable)}
Exit status: 0 nothing breaks, 1 something breaks or the sources have errors, 2 wrong usage.
`

/** The options that the sources are compiled with, besides their paths. */
export interface SourceFlags {
  readonly project?: string
  readonly config?: string | undefined
  readonly target?: string | undefined
}

/**
 * Compiles the new version; without paths those of the configuration are used. Undefined if the sources have errors, which
 * it has reported.
 */
export type GenerateDocument = (paths: readonly string[], flags: SourceFlags) => Promise<OpenRpc | undefined>

/** Where the report goes. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Runs `rpc-gen diff`; `argv` is what follows `diff`. Returns 0 if nothing breaks, 1 if a change breaks that is not allowed or if the
 * sources have errors. Throws UsageError for wrong usage.
 */
export async function diffCommand(
  argv: readonly string[],
  generateDocument: GenerateDocument,
  output: Output = process.stdout,
): Promise<0 | 1> {
  const { values, positionals } = parseFlags(argv, diffTable)
  if (values.help) {
    output.write(diffUsage)
    return 0
  }
  const [old, ...rest] = positionals
  if (old === undefined) throw new UsageError('rpc-gen diff needs an old document: rpc-gen diff old.openrpc.json')
  const isAllowed = allowing(values.allow ?? [])
  const before = readApi(old)
  const after = await newApi(rest, values, generateDocument)
  if (!after) return 1
  const changes = sortChanges(compared(comparable(before, after), comparable(after, before))).map(
    (change): Reported => (change.breaking && isAllowed(change) ? { ...change, allowed: true } : change),
  )
  output.write(values.json ? jsonReport(changes) : textReport(changes, lookOf(output, process.env).color))
  return changes.some(({ breaking, allowed }) => breaking && !allowed) ? 1 : 0
}

/** `code`, or `code:method`. */
function allowing(allowed: readonly string[]): (change: Reported) => boolean {
  for (const each of allowed) {
    const [code = ''] = each.split(':', 1)
    if (!isChangeCode(code))
      throw new UsageError(`--allow: unknown change ${code}; docs/reference/diff.md lists all of them`)
  }
  return ({ code, method }) => allowed.includes(code) || allowed.includes(`${code}:${method}`)
}

/**
 * The methods of one version that the other can have: an OpenRPC document does not contain methods that only XML-RPC can call.
 * They are kept if another protocol could call them before.
 */
function comparable(api: Api, other: Api): Api {
  if (api.kind === 'document' || other.kind !== 'document') return api
  const names = new Set(other.methods.map(({ name }) => name))
  const methods = api.methods.filter(({ name, protocols }) => protocols.includes('json-rpc') || names.has(name))
  return { ...api, methods }
}

async function newApi(
  paths: readonly string[],
  { project, config, target }: SourceFlags,
  generateDocument: GenerateDocument,
): Promise<Api | undefined> {
  const document = paths.find((path) => path.endsWith('.json'))
  if (document !== undefined && paths.length > 1)
    throw new UsageError(`${document} is a document: give it without further paths`)
  if (document !== undefined) return readApi(document)
  const generated = await generateDocument(paths, { ...(project === undefined ? {} : { project }), config, target })
  return generated && apiOf(generated, 'the sources')
}

/** References of a file can be nested deeper than the stack allows. */
function compared(old: Api, now: Api): Reported[] {
  try {
    return compareApis(old, now)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`the types of ${old.name} or of ${now.name} are nested too deeply`)
  }
}
