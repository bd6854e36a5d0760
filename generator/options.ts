import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { ApiInfo } from '../runtime/openrpc/info.js'
import type { RpcConfig } from '../runtime/server/config.js'
import { flagOf, type OptionRow, type OutputName, optionTable } from './option-table.js'

/** The extension of generated imports: that of the built file, that of the source, or none. */
export type ImportExt = NonNullable<RpcConfig['importExt']>

/** The options of `generate`. */
export interface GenerateOptions extends Omit<RpcConfig, 'name' | 'paths' | 'RPC_METHODS_MODULES'> {
  /** Folders (recursive), files or globs, relative to `cwd`. */
  readonly paths: readonly string[]
  /** Folders, files or globs whose procedures the legacy entry points serve; they are compiled in addition to the paths. Default: none. */
  readonly methodsModules?: readonly string[]
  /** The configuration that the options are from; diagnostics point to it. Default: none. */
  readonly configFile?: string
  /** The base of relative paths. Default: the working directory of the process. */
  readonly cwd?: string
}

/** The options, complete: absolute paths with forward slashes. */
export interface Options extends Readonly<Record<Exclude<OutputName, 'out'>, string | undefined>> {
  readonly paths: readonly string[]
  readonly out: string
  readonly project: string | undefined
  readonly importExt: ImportExt | undefined
  readonly requireAuth: boolean
  readonly strictDocs: boolean
  readonly methodsModules: readonly string[]
  readonly scalars: readonly ScalarOption[]
  readonly clientCodecs: boolean
  readonly info: ApiInfo | undefined
  readonly configFile: string | undefined
  readonly cwd: string
}

/** A type that has a codec. */
export interface ScalarOption {
  readonly name: string
  readonly module: string
  /** The export, if the configuration names one. */
  readonly export: string | undefined
}

/** Wrong usage of the command, its options or its configuration. The command prints the message and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const rows = Object.entries(optionTable) as [keyof typeof optionTable, OptionRow][]

/** The default name of the lock. */
export const lockName = 'rpc.lock.json'

/** A file that a run writes. */
export interface Output {
  readonly name: OutputName
  readonly path: string
  readonly row: OptionRow
}

/** The outputs of a run; the generated module is the first one. */
export function outputsOf(options: Options): Output[] {
  return rows.flatMap(([name, row]) => {
    const path = row.ours && options[name as OutputName]
    return path === undefined ? [] : [{ name: name as OutputName, path, row }]
  })
}

/** Fills in the defaults. Throws UsageError if there is no path. */
export function completeOptions(options: GenerateOptions): Options {
  const cwd = slashes(resolve(options.cwd ?? process.cwd()))
  const [first] = [...options.paths, ...(options.methodsModules ?? [])]
  if (first === undefined)
    throw new UsageError('no paths: give a folder, a file or a glob, for instance rpc-gen src/procedures')
  if (options.paths.includes('')) throw new UsageError('a path is empty')
  const given: Readonly<Record<string, unknown>> = { ...options }
  for (const [name, { ours }] of rows)
    if (ours && given[name] === '') throw new UsageError(`--${flagOf(name)} names no file`)
  const absolute = (path: string) => slashes(isAbsolute(path) ? path : join(cwd, path))
  return {
    paths: options.paths.map((path) => absolute(path).replace(/\/+$/, '')),
    out: absolute(options.out ?? join(besides(absolute(literalPart(first)), cwd), 'rpc.gen.ts')),
    project: options.project === undefined ? undefined : absolute(options.project),
    importExt: options.importExt,
    requireAuth: options.requireAuth ?? false,
    strictDocs: options.strictDocs ?? false,
    methodsModules: (options.methodsModules ?? []).map((path) => absolute(path).replace(/\/+$/, '')),
    ...furtherOutputs(given, absolute),
    scalars: Object.entries(options.scalars ?? {}).map(([name, path]) => {
      const [, module = path, exported] = /^(.*?)(?:#([^#/]*))?$/s.exec(path) ?? []
      return { name, module: absolute(module), export: exported }
    }),
    clientCodecs: options.clientCodecs ?? false,
    info: options.info,
    configFile: options.configFile === undefined ? undefined : absolute(options.configFile),
    cwd,
  }
}

function furtherOutputs(given: Readonly<Record<string, unknown>>, absolute: (path: string) => string) {
  const paths = rows.flatMap(([name, { ours }]) => {
    const path = given[name] === true ? lockName : given[name]
    return ours && name !== 'out' ? [[name, typeof path === 'string' ? absolute(path) : undefined]] : []
  })
  return Object.fromEntries(paths) as Pick<Options, Exclude<OutputName, 'out'>>
}

/** Returns the folder of a path; for the working directory itself that directory, because folders above it are not the project's. */
function besides(path: string, cwd: string): string {
  const plain = slashes(resolve(path))
  return plain === cwd ? cwd : dirname(plain)
}

/** Returns the part of a glob before its first special character. The default output is beside it. */
function literalPart(path: string): string {
  const parts = slashes(path).replace(/\/+$/, '').split('/')
  const special = parts.findIndex((part) => /[*?[\]{}!()]/.test(part))
  return special === -1 ? parts.join('/') : parts.slice(0, special).join('/') || '.'
}

export function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Returns a path for messages: relative to the working directory, with forward slashes. */
export function relativeTo(cwd: string, path: string): string {
  return slashes(relative(cwd, path)) || '.'
}
