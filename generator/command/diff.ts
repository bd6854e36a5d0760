import { relative } from 'node:path'
import type { Description } from '../../runtime/description/description.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { isChangeCode, jsonReport, type Reported, sortChanges, textReport } from '../diff/change.js'
import { readAtRevision } from '../diff/revision.js'
import { compareVersions, parseVersion, readVersion, type Version } from '../diff/version.js'
import { lockName } from '../options/options.js'
import { diffTable, helpLines } from '../options/table.js'
import { parseFlags } from './arguments.js'
import { styleOf } from './report.js'

export const diffUsage = `Usage: rpc-gen diff [options] <old> [<new> | <path>...]
       rpc-gen diff --base <revision> [<old>] [<new> | <path>...]

Prints what changed between two versions of an API, and which changes break its callers.

${helpLines(diffTable)}
Exit status: 0 nothing breaks, 1 something breaks or the sources have errors, 2 wrong usage.
`

/** The options that the sources are compiled with, besides their paths. */
interface SourceFlags {
  readonly project?: string
  readonly config?: string | undefined
  readonly target?: string | undefined
}

/** What was compiled from the sources, and the path of the lock of the target, if it has one. */
export interface Compiled {
  readonly description: Description
  readonly lock?: string | undefined
}

/**
 * Compiles the new version; without paths those of the configuration are used. Undefined if the sources have errors, which
 * it has reported.
 */
export type Compile = (paths: readonly string[], flags: SourceFlags) => Promise<Compiled | undefined>

/** Where the report goes. */
interface ReportStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Runs `rpc-gen diff`; `argv` is what follows `diff`. Returns 0 if nothing breaks, 1 if a change breaks that is not allowed or if the
 * sources have errors. Throws UsageError for wrong usage.
 */
export async function diffCommand(
  argv: readonly string[],
  compile: Compile,
  output: ReportStream = process.stdout,
): Promise<0 | 1> {
  const { values, positionals } = parseFlags(argv, diffTable)
  if (values.help) {
    output.write(diffUsage)
    return 0
  }
  const { base } = values
  // With a revision, the old file can be left out.
  const isFileLeftOut = base !== undefined && !positionals[0]?.endsWith('.json')
  const [file, paths] = isFileLeftOut ? [undefined, positionals] : [positionals[0], positionals.slice(1)]
  if (file === undefined && base === undefined)
    throw new UsageError(
      'rpc-gen diff needs an old version: a document (rpc-gen diff old.openrpc.json), or a git revision with a lock (rpc-gen diff --base main)',
    )
  const isAllowed = allowing(values.allow ?? [])
  const before = file !== undefined && base === undefined ? readVersion(file) : undefined
  const after = await newVersion(paths, values, compile)
  if (!after) return 1
  const old = before ?? (await versionAt(file ?? after.lock ?? lockName, base ?? ''))
  const changes = sortChanges(compareVersions(old, after.version)).map(
    (change): Reported => (change.breaking && isAllowed(change) ? { ...change, allowed: true } : change),
  )
  output.write(values.json ? jsonReport(changes) : textReport(changes, styleOf(output, process.env).color))
  return changes.some(({ breaking, allowed }) => breaking && !allowed) ? 1 : 0
}

/** `code`, or `code:method`. */
function allowing(allowed: readonly string[]): (change: Reported) => boolean {
  for (const each of allowed) {
    const [code = ''] = each.split(':', 1)
    if (!isChangeCode(code))
      throw new UsageError(
        `--allow: unknown change ${code}; https://github.com/rpc-gen/rpc-gen/blob/main/docs/reference/diff.md lists all of them`,
      )
  }
  return ({ code, method }) => allowed.includes(code) || allowed.includes(`${code}:${method}`)
}

async function versionAt(path: string, revision: string): Promise<Version> {
  const file = relative('.', path).replaceAll('\\', '/')
  return parseVersion(await readAtRevision(file, revision), `${file} of ${revision}`)
}

/** The new version: a file, or what the sources are compiled to, with the path of their lock. */
async function newVersion(
  paths: readonly string[],
  { project, config, target }: SourceFlags,
  compile: Compile,
): Promise<{ readonly version: Version; readonly lock?: string | undefined } | undefined> {
  const document = paths.find((path) => path.endsWith('.json'))
  if (document !== undefined && paths.length > 1)
    throw new UsageError(`${document} is a document: give it without further paths`)
  if (document !== undefined) return { version: readVersion(document) }
  const compiled = await compile(paths, { ...(project === undefined ? {} : { project }), config, target })
  if (!compiled) return undefined
  const { description, lock } = compiled
  return { version: { kind: 'sources', name: 'the sources', description }, lock }
}
