import type { ApiInfo } from './description/openrpc.js'

/**
 * The configuration in `rpc.config.ts` (or .js, .mjs, .json, or `"rpc-gen"` in package.json), or one of several targets there.
 * Paths are relative to its folder.
 */
export interface RpcConfig {
  /** The name of a target, for `--target` and diagnostics; required if the configuration lists several. Default: none. */
  readonly name?: string
  /** Folders, files or globs of the procedures. Default: none; paths on the command line replace them. */
  readonly paths?: string | readonly string[]
  /** The generated file. Default: `rpc.gen.ts` beside the first path. */
  readonly out?: string
  /** The tsconfig. Default: the nearest one above the first path. */
  readonly project?: string
  /** The extension of generated imports. Default: the one that the tsconfig and the sources use. */
  readonly importExt?: 'js' | 'ts' | 'none'
  /** Whether a procedure without auth of its own, or of its module, is an error. Default false. */
  readonly requireAuth?: boolean
  /** Whether an undocumented parameter, and an inferred result that is no longer an Int, are errors. Default false. */
  readonly strictDocs?: boolean
  /** Where to write the model as JSON Schema 2020-12. Default: nowhere. */
  readonly jsonSchema?: string
  /** Where to write the OpenRPC document. Default: nowhere. */
  readonly openrpc?: string
  /** Where to write a typed client that does not import the module. Default: nowhere. */
  readonly client?: string
  /** Where to write a typed client in Python, a module without dependencies for Python 3.9 and later. Default: nowhere. */
  readonly pythonClient?: string
  /** Where to write the contract with callers, which `--check` and `rpc-gen diff` compare; true is `rpc.lock.json`. Default: nowhere. */
  readonly lock?: boolean | string
  /**
   * The codecs of types that neither protocol has: the module that exports one by the name of the type, or `module#export`. See
   * `defineScalar`. Default: none.
   *
   * @example `{ Decimal: 'src/scalars.ts', ObjectId: 'src/scalars.ts#objectId' }`
   */
  readonly scalars?: Readonly<Record<string, string>>
  /**
   * Whether the generated client imports the codecs of `scalars` and converts their values. Otherwise its functions have the types that
   * are sent. Default false.
   */
  readonly clientCodecs?: boolean
  /**
   * The Python classes of the types in `scalars`, for the Python client: a class with its module, which is called with what was received
   * and whose `str()` is sent, or also the functions `decode` and `encode` that do that. Default: the client has the values that are sent.
   *
   * @example `{ Decimal: 'decimal.Decimal', Money: { type: 'shop.Money', decode: 'shop.read_money', encode: 'shop.write_money' } }`
   */
  readonly pythonScalars?: Readonly<
    Record<string, string | { readonly type: string; readonly decode?: string; readonly encode?: string }>
  >
  /** The title, version and description in the OpenRPC document. Default: name and version of the package. */
  readonly info?: ApiInfo
  /**
   * Folders, files or globs whose procedures the legacy entry points serve; they are compiled in addition to the paths. Default:
   * none.
   */
  readonly RPC_METHODS_MODULES?: string | readonly string[]
}

/**
 * Types for `rpc.config.ts`.
 *
 * @example
 * export default defineConfig({ paths: 'src/procedures', requireAuth: true })
 *
 * @example
 * export default defineConfig([
 *   { name: 'public', paths: 'src/public', out: 'src/public.gen.ts' },
 *   { name: 'admin', paths: 'src/admin', out: 'src/admin.gen.ts', requireAuth: true },
 * ])
 */
export function defineConfig(config: RpcConfig): RpcConfig
export function defineConfig(targets: readonly RpcConfig[]): readonly RpcConfig[]
export function defineConfig(config: RpcConfig | readonly RpcConfig[]): RpcConfig | readonly RpcConfig[] {
  return config
}
