import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { ApiInfo } from '../runtime/openrpc/info.js'
import { outputs } from './outputs.js'

/** How a generated import ends: like the built file, like the source, or not at all. */
export type ImportExt = 'js' | 'ts' | 'none'

/** What `generate` takes. */
export interface GenerateOptions {
  /** Folders (recursive), files or globs, relative to `cwd`. */
  readonly paths: readonly string[]
  /** The generated file. Default: `rpc.gen.ts` beside the first path. */
  readonly out?: string
  /** The tsconfig. Default: the nearest one above the first path; without any, strict nodenext. */
  readonly project?: string
  /** Default: inferred from the tsconfig and from the sources' own imports. */
  readonly importExt?: ImportExt
  /** Whether a procedure without auth, of its own or of its module, is an error. Default false. */
  readonly requireAuth?: boolean
  /** Whether an undocumented parameter, and an inferred result that is no longer an Int, are errors. Default false. */
  readonly strictDocs?: boolean
  /** Folders, files or globs whose procedures the older generation picks up; compiled beside the paths. Default none. */
  readonly methodsModules?: readonly string[]
  /** Where to write the model as JSON Schema 2020-12. Default: nowhere. */
  readonly jsonSchema?: string
  /** Where to write the OpenRPC document. Default: nowhere. */
  readonly openrpc?: string
  /** Where to write a typed client that stands alone. Default: nowhere. */
  readonly client?: string
  /** Where to write what callers rely on; true is `rpc.lock.json` in `cwd`. Default: nowhere. */
  readonly lock?: boolean | string
  /** What the OpenRPC document says of the API. Default: name and version of the package that `out` lies in. */
  readonly info?: ApiInfo
  /** What relative paths start from. Default: the working directory of the process. */
  readonly cwd?: string
}

/** The options, complete: absolute paths with forward slashes. */
export interface Options {
  readonly paths: readonly string[]
  readonly out: string
  readonly project: string | undefined
  readonly importExt: ImportExt | undefined
  readonly requireAuth: boolean
  readonly strictDocs: boolean
  readonly methodsModules: readonly string[]
  readonly jsonSchema: string | undefined
  readonly openrpc: string | undefined
  readonly client: string | undefined
  readonly lock: string | undefined
  readonly info: ApiInfo | undefined
  readonly cwd: string
}

/** Wrong usage: a sentence for the user, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the lock file is called where nothing says it. */
export const lockName = 'rpc.lock.json'

/** Fills in the defaults. Throws UsageError without any path. */
export function completeOptions(options: GenerateOptions): Options {
  const cwd = slashes(resolve(options.cwd ?? process.cwd()))
  const [first] = [...options.paths, ...(options.methodsModules ?? [])]
  if (first === undefined) throw new UsageError('give a folder, a file or a glob, for instance: rpc-gen src/procedures')
  if (options.paths.includes('')) throw new UsageError('a path is empty')
  if (options.out === '') throw new UsageError('--out names no file')
  for (const { name, flag } of outputs) if (options[name] === '') throw new UsageError(`--${flag} names no file`)
  const absolute = (path: string) => slashes(isAbsolute(path) ? path : join(cwd, path))
  const optional = (path: string | undefined) => (path === undefined ? undefined : absolute(path))
  return {
    paths: options.paths.map((path) => absolute(path).replace(/\/+$/, '')),
    out: absolute(options.out ?? join(besides(absolute(literalPart(first)), cwd), 'rpc.gen.ts')),
    project: optional(options.project),
    importExt: options.importExt,
    requireAuth: options.requireAuth ?? false,
    strictDocs: options.strictDocs ?? false,
    methodsModules: (options.methodsModules ?? []).map((path) => absolute(path).replace(/\/+$/, '')),
    jsonSchema: optional(options.jsonSchema),
    openrpc: optional(options.openrpc),
    client: optional(options.client),
    lock: optional(options.lock === true ? lockName : options.lock || undefined),
    info: options.info,
    cwd,
  }
}

/** The folder that a path lies in; of the working directory itself that directory, since what is above is not the project's. */
function besides(path: string, cwd: string): string {
  const plain = slashes(resolve(path))
  return plain === cwd ? cwd : dirname(plain)
}

/** The part of a glob before its first special character: what the default output lies beside. */
function literalPart(path: string): string {
  const parts = slashes(path).replace(/\/+$/, '').split('/')
  const special = parts.findIndex((part) => /[*?[\]{}!()]/.test(part))
  return special === -1 ? parts.join('/') : parts.slice(0, special).join('/') || '.'
}

export function slashes(path: string): string {
  return path.replaceAll('\\', '/')
}

/** A path as a reader knows it: relative to the working directory, with forward slashes. */
export function relativeTo(cwd: string, path: string): string {
  return slashes(relative(cwd, path)) || '.'
}
