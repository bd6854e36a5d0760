// The configuration: the nearest file, or the one of --config, its targets, and the flags over them:
//
//   { paths: 'src/api', out: 'src/rpc.gen.ts' } and `-o src/api.gen.ts`  →  { paths: 'src/api', out: 'src/api.gen.ts' }
import { basename, dirname, join } from 'node:path'
import type { RpcConfig } from '../../runtime/config.js'
import type { ApiInfo } from '../../runtime/description/openrpc.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { statAt } from '../disk/stamps.js'
import { foldersUpTo, relativeTo } from '../paths.js'
import { pythonKeywords } from '../text.js'
import { type BuildOptions, buildOptionsOf, withAbsolutePaths } from './options.js'
import { type Expected, expectedOf, isExpected, isObject, isText, optionTable, rowsOf } from './table.js'

/** Returns the default export of a module. */
export type ImportDefault = (path: string, disk: Disk) => Promise<unknown>

/** Returns the targets of a configuration file. Throws UsageError that names the file and the mistake. */
export async function loadConfig(
  path: string,
  disk: Disk,
  importDefault: ImportDefault,
): Promise<readonly RpcConfig[]> {
  const text = disk.read(path)
  if (text === undefined)
    throw new UsageError(`${path} ${disk.isFolder(path) ? 'is a folder: name a file' : 'does not exist'}`)
  try {
    const value = path.endsWith('.json') ? JSON.parse(text) : await importDefault(path, disk)
    return checkConfig(basename(path) === 'package.json' ? value['rpc-gen'] : value, path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message } = error as Error
    throw new UsageError(`${path} cannot be read: ${path.endsWith('.json') ? withLine(message, text) : message}`)
  }
}

/** Returns a message of JSON.parse with the line that editors show instead of the position, or with that of a comment. */
function withLine(message: string, text: string): string {
  const lineAt = (position: number) => text.slice(0, position).split('\n').length
  const comment = text.search(/^[ \t]*\/[/*]/m)
  if (comment >= 0) return `JSON has no comments, as in line ${lineAt(comment)}: remove it, or write rpc.config.ts`
  return message.replace(/ at position (\d+).*$/, (_all, at: string) => ` in line ${lineAt(Number(at))}`)
}

const configNames = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

/**
 * Returns the nearest configuration, from the working directory up to the nearest package.json. Without a package.json only the
 * working directory is searched, because folders above it are not part of the project. Undefined if there is none. Throws
 * UsageError for a configuration that another user could have written, at its own path or at the target of a link: it is not
 * run, and a run without it might leave out what it requires.
 */
export function findConfig(cwd: string, disk: Disk): string | undefined {
  const found = configIn(projectFolders(cwd, disk), disk)
  if (found === undefined) return undefined
  const target = disk.realpath(found)
  for (const path of [dirname(found), dirname(target), target]) {
    const reason = reasonNotToTrust(path)
    const [name, what] = [found, path].map((each) => relativeTo(cwd, each))
    const hint = `change that, or name the file: --config ${name}`
    if (reason) throw new UsageError(`${name} is not read: ${what} ${reason}: ${hint}`)
  }
  return found
}

/** Returns the folders of a project that contain a working directory, the nearest first. */
function projectFolders(cwd: string, disk: Disk): readonly string[] {
  return foldersUpTo(cwd, (folder) => disk.isFile(join(folder, 'package.json')))
}

function configIn(folders: readonly string[], disk: Disk): string | undefined {
  const paths = folders.flatMap((folder) => configNames.map((name) => join(folder, name)))
  const packageFile = join(folders.at(-1) ?? '', 'package.json')
  return paths.find(disk.isFile) ?? (hasOwnSection(disk.read(packageFile) ?? '') ? packageFile : undefined)
}

/** Returns why another user may have written a file. Root is trusted. Undefined on Windows, where modes do not show it. */
function reasonNotToTrust(path: string): string | undefined {
  const user = process.getuid?.()
  const stats = statAt(path)
  if (user === undefined || !stats) return undefined
  if (stats.uid !== user && stats.uid !== 0) return 'belongs to another user'
  if (stats.mode & 0o002) return 'can be written by every user'
  // Where every user has a private group, files are usually group-writable.
  return stats.mode & 0o020 && stats.gid !== process.getgid?.() ? 'can be written by another group' : undefined
}

/**
 * True if a package.json has a configuration. One with a syntax error counts if the key is anywhere in it, so that reading it reports
 * the error: a run without it might leave out what it requires.
 */
function hasOwnSection(text: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(text)
  } catch {
    return /"rpc-gen"\s*:/.test(text)
  }
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
    const keyword = names.flatMap((name) => `${name}`.split('.')).find((part) => pythonKeywords.has(part))
    if (keyword !== undefined) throw new UsageError(`${at}: pythonScalars.${type}: ${keyword} is a keyword of Python`)
  }
}

const keys = new Map(rowsOf(optionTable, 'key'))

/**
 * Returns the targets of a configuration, several if it is a list. Throws UsageError that names the invalid target and
 * key.
 */
function checkConfig(value: unknown, path: string): readonly RpcConfig[] {
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
    if (!row) throw new UsageError(`${at}: unknown option ${name}: the options are ${[...rows.keys()].join(', ')}`)
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
