// Options as a configuration or a caller gives them, which are checked, and as builds use them (`Options`: complete, with absolute paths):
//
//   { paths: ['src/procedures'] }  →  { paths: ['/app/src/procedures'], out: '/app/src/rpc.gen.ts', … }
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { RpcConfig } from '../../runtime/config.js'
import type { ApiInfo } from '../../runtime/description/openrpc.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { relativeTo, slashes } from '../paths.js'
import { nearName, pythonKeywords } from '../text.js'
import {
  type Expected,
  expectedOf,
  isExpected,
  isObject,
  isText,
  type OptionRow,
  type OutputName,
  optionTable,
  rowsOf,
} from './table.js'

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
  const methodsModules = RPC_METHODS_MODULES !== undefined && { methodsModules: [RPC_METHODS_MODULES].flat() }
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
interface Output {
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
function withAbsolutePaths(options: BuildOptions, folder: string): BuildOptions {
  const { paths, methodsModules = [], scalars = {} } = options
  if (paths.includes('')) throw new UsageError('a path is empty')
  if (methodsModules.includes('')) throw new UsageError('RPC_METHODS_MODULES: a path is empty')
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

/** What to do if there are no paths. */
export const pathsHint = 'give a folder, a file or a glob, for instance rpc-gen src/procedures'

/** Fills in the defaults. Throws UsageError if there is no path. */
export function completeOptions(options: BuildOptions, disk: Disk): Options {
  const cwd = slashes(resolve(options.cwd ?? process.cwd()))
  const unknown = Object.keys(options.pythonScalars ?? {}).find((name) => !Object.hasOwn(options.scalars ?? {}, name))
  if (unknown !== undefined) throw new UsageError(`pythonScalars.${unknown}: there is no ${unknown} in scalars`)
  const { paths, methodsModules = [], scalars = {}, out, ...located } = withAbsolutePaths(options, cwd)
  const [first] = [...paths, ...methodsModules]
  if (first === undefined) throw new UsageError(`no paths: ${pathsHint}`)
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

/** The keys of `info`, with the values that they accept. */
const infoKeys: Readonly<Record<keyof ApiInfo, readonly [isValid: (value: unknown) => boolean, expected: string]>> = {
  title: [isText, 'a string'],
  version: [isText, 'a string'],
  description: [(value = '') => isText(value), 'a string'],
  servers: [(value = []) => Array.isArray(value) && value.every(isServer), 'a list of objects with url, a string'],
}

function isServer(value: unknown): boolean {
  return isText((value as { url?: unknown } | null)?.url)
}

function checkInfo(info: Readonly<Record<string, unknown>>, at: string): void {
  const unknown = Object.keys(info).find((key) => !Object.hasOwn(infoKeys, key))
  if (unknown !== undefined)
    throw new UsageError(`${at}: unknown key info.${unknown}: the keys are ${Object.keys(infoKeys).join(', ')}`)
  for (const [key, [isValid, expected]] of Object.entries(infoKeys))
    if (!isValid(info[key])) throw new UsageError(`${at}: info.${key}: expected ${expected}`)
}

/** A keyword in a name would be a syntax error of the Python client. */
function checkClasses(classes: NonNullable<RpcConfig['pythonScalars']>, at: string): void {
  for (const [type, value] of Object.entries(classes)) {
    const names = isText(value) ? [value] : Object.values(value)
    // A name of Python itself has no module, and is in lower case.
    const bare = names.find((name) => !/^[a-z]+$|\./.test(`${name}`))
    if (bare !== undefined)
      throw new UsageError(`${at}: pythonScalars.${type}: ${bare} has no module, unlike decimal.Decimal`)
    const keyword = names.flatMap((name) => `${name}`.split('.')).find((part) => pythonKeywords.has(part))
    if (keyword !== undefined) throw new UsageError(`${at}: pythonScalars.${type}: ${keyword} is a keyword of Python`)
  }
}

const keys = new Map(rowsOf(optionTable, 'key'))

/**
 * Returns the targets of a configuration, several if it is a list. Throws UsageError that names the invalid target and
 * key.
 */
export function checkConfig(value: unknown, path: string): readonly RpcConfig[] {
  if (!Array.isArray(value)) return [checkTarget(value, path)]
  if (value.length === 0) throw new UsageError(`${path} has no target: the list is empty`)
  const targets = value.map((each, i) => checkTarget(each, `${path}: target ${targetName(each) ?? i + 1}`))
  if (targets.length === 1) return targets
  for (const [i, { name }] of targets.entries()) {
    if (!name) throw new UsageError(`${path}: target ${i + 1} has no name: each of several targets needs one`)
    const duplicate = targets.findIndex((each) => each.name === name)
    if (duplicate < i)
      throw new UsageError(`${path}: target ${duplicate + 1} and target ${i + 1} are both named ${name}`)
  }
  return targets
}

function targetName(target: unknown): string | undefined {
  const name = (target as RpcConfig | null)?.name
  return isText(name) && name !== '' ? name : undefined
}

/** Checks one target. `further` are options of a function that a configuration file does not have; a function has no name of a target. */
export function checkTarget<T extends RpcConfig>(
  value: unknown,
  at: string,
  further?: Readonly<Record<string, Expected['type']>>,
): T {
  if (!isObject(value)) throw new UsageError(`${at} is not a configuration: expected an object with the options`)
  const rows = new Map<string, Expected>(keys)
  if (further) rows.delete('name')
  for (const [name, type] of Object.entries(further ?? {})) rows.set(name, { type })
  for (const [name, each] of Object.entries(value)) {
    const row = rows.get(name)
    if (!row) {
      const near = nearName(name, [...rows.keys()])
      const hint = near ? `write it ${near}` : `the options are ${[...rows.keys()].join(', ')}`
      throw new UsageError(`${at}: unknown option ${name}: ${hint}`)
    }
    if (each === undefined) continue
    if (!isExpected(each, row)) throw new UsageError(`${at}: ${name}: expected ${expectedOf(row)}`)
    if (row.type === 'info') checkInfo(each, at)
    if (row.type === 'classes') checkClasses(each, at)
  }
  return value as T
}

/** Merges the options of the command line over those of a configuration, whose paths are relative to its own folder. */
export function withConfig(options: BuildOptions, config: RpcConfig, configFile: string): BuildOptions {
  const { name: _name, ...rest } = config
  const located = withAbsolutePaths(buildOptionsOf(rest), dirname(configFile))
  return { ...located, configFile, ...options, paths: options.paths.length > 0 ? options.paths : located.paths }
}
