// Options as callers give them, as builds use them (`Options`: complete, with absolute paths):
//
//   { paths: ['src/procedures'] }  →  { paths: ['/app/src/procedures'], out: '/app/src/rpc.gen.ts', … }
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { RpcConfig } from '../../runtime/config.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { relativeTo, slashes } from '../paths.js'
import { type OptionRow, type OutputName, optionTable } from './table.js'

/** The extension of generated imports: that of the built file, that of the source, or none. */
export type ImportExt = NonNullable<RpcConfig['importExt']>

/** The options of `generate`: those of a configuration, and the base of relative paths. */
export interface GenerateOptions extends Omit<RpcConfig, 'name'> {
  /** The base of relative paths. Default: the working directory of the process. */
  readonly cwd?: string
}

/** The options of one build, from a configuration, the command line or a function. */
export interface BuildOptions extends Omit<GenerateOptions, 'paths' | 'RPC_METHODS_MODULES'> {
  readonly paths: readonly string[]
  /** RPC_METHODS_MODULES as a list. */
  readonly methodsModules?: readonly string[]
  /** The configuration that the options are from; diagnostics point to it. */
  readonly configFile?: string
}

/** Returns the options of a build: the locations of sources are lists. */
export function buildOptionsOf({ paths = [], RPC_METHODS_MODULES, ...options }: GenerateOptions): BuildOptions {
  const methodsModules = RPC_METHODS_MODULES && { methodsModules: [RPC_METHODS_MODULES].flat() }
  return { ...options, paths: [paths].flat(), ...methodsModules }
}

/** The options with defaults; paths are absolute, with forward slashes. */
export interface Options extends Omit<BuildOptions, 'lock' | 'scalars'> {
  readonly out: string
  readonly lock?: string
  readonly methodsModules: readonly string[]
  readonly scalars: readonly ScalarOption[]
  readonly cwd: string
}

/** A type that has a codec. */
export interface ScalarOption {
  readonly name: string
  readonly module: string
  /** The export, if the configuration names one. */
  readonly export: string | undefined
}

const outputRows = Object.entries<OptionRow>(optionTable).filter(([, { header }]) => header) as [
  OutputName,
  OptionRow,
][]

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
  return outputRows.flatMap(([name, row]) => {
    const path = options[name]
    return path === undefined ? [] : [{ name, path, row }]
  })
}

/** Returns the options with absolute paths: relative ones are relative to `folder`. Throws UsageError for an empty path. */
export function withAbsolutePaths(options: BuildOptions, folder: string): BuildOptions {
  const { paths, methodsModules = [], scalars = {} } = options
  if (paths.includes('')) throw new UsageError('a path is empty')
  const absolute = (path: string) => slashes(isAbsolute(path) ? path : join(folder, path))
  const files = [...outputRows.map(([name]) => name), 'project', 'configFile'] as const
  const located = files.map((name) => {
    const path = options[name] === true ? lockName : options[name]
    if (path === '') throw new UsageError(`${name} names no file`)
    return [name, path ? absolute(path) : undefined]
  })
  return {
    ...options,
    ...Object.fromEntries(located),
    paths: paths.map((path) => absolute(path).replace(/\/+$/, '')),
    methodsModules: methodsModules.map((path) => absolute(path).replace(/\/+$/, '')),
    scalars: Object.fromEntries(Object.entries(scalars).map(([name, module]) => [name, absolute(module)])),
  }
}

/** Fills in the defaults. Throws UsageError if there is no path. */
export function completeOptions(options: BuildOptions, disk: Disk): Options {
  const cwd = slashes(resolve(options.cwd ?? process.cwd()))
  const unknown = Object.keys(options.pythonScalars ?? {}).find((name) => !Object.hasOwn(options.scalars ?? {}, name))
  if (unknown !== undefined) throw new UsageError(`pythonScalars.${unknown}: there is no ${unknown} in scalars`)
  const { paths, methodsModules = [], scalars = {}, out, ...located } = withAbsolutePaths(options, cwd)
  const [first] = [...paths, ...methodsModules]
  if (first === undefined)
    throw new UsageError('no paths: give a folder, a file or a glob, for instance rpc-gen src/procedures')
  return {
    ...(located as Omit<BuildOptions, 'lock' | 'scalars'>),
    paths,
    methodsModules,
    out: out ?? slashes(join(folderOf(literalPart(first, cwd, disk), cwd), 'rpc.gen.ts')),
    scalars: Object.entries(scalars).map(([name, path]) => {
      const [, module = path, exported] = /^(.*?)(?:#([^#/]*))?$/s.exec(path) ?? []
      return { name, module, export: exported }
    }),
    cwd,
  }
}

/** Returns the folder of a path; for the working directory itself that directory, because folders above it are not the project's. */
function folderOf(path: string, cwd: string): string {
  const plain = slashes(resolve(path))
  return plain === cwd ? cwd : dirname(plain)
}

/** Returns the part of a glob before its first special character, a path of a file or a folder as it is. The default output is beside it. */
function literalPart(path: string, cwd: string, disk: Disk): string {
  const parts = relativeTo(cwd, path).split('/')
  const special = disk.isFile(path) || disk.isFolder(path) ? -1 : parts.findIndex((part) => /[*?[\]{}!()]/.test(part))
  return special === -1 ? path : join(cwd, ...parts.slice(0, special))
}
