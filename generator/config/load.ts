import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ApiInfo } from '../../runtime/openrpc/info.js'
import type { RpcConfig } from '../../runtime/server/config.js'
import { statAt } from '../cache/fresh.js'
import type { Disk } from '../disk.js'
import { expectedOf, type OptionRow, type OptionType, optionTable } from '../option-table.js'
import { type GenerateOptions, lockName, relativeTo, slashes, UsageError } from '../options.js'

/** The value that a configuration module exported, and the bytes that it consisted of. */
export interface Evaluated {
  readonly format: typeof evaluatedFormat
  readonly files: readonly (readonly [path: string, hash: string])[]
  readonly value: unknown
}

export const evaluatedFormat = 1

/** The targets of a configuration, and its value for the next run: an unchanged module is not run again. */
export interface Loaded {
  readonly targets: readonly RpcConfig[]
  readonly evaluated?: Evaluated
}

/**
 * Reads a configuration file. `before` is its value in an earlier run. Throws UsageError that names the file and the
 * mistake.
 */
export async function loadConfig(path: string, disk: Disk, before?: Evaluated): Promise<Loaded> {
  const text = disk.read(path)
  if (text === undefined) throw new UsageError(`${path} does not exist`)
  if (path.endsWith('.json')) return { targets: checkConfig(readJson(path, text), path) }
  const files = importedFiles(path, disk).map((file) => [file, disk.hashOf(file) ?? ''] as const)
  if (before && JSON.stringify(before.files) === JSON.stringify(files)) {
    return { targets: checkConfig(before.value, path), evaluated: before }
  }
  const value = await evaluate(path, files, disk)
  return { targets: checkConfig(value, path), evaluated: { format: evaluatedFormat, files, value } }
}

function readJson(path: string, text: string): unknown {
  try {
    const value = JSON.parse(text)
    return basename(path) === 'package.json' ? value['rpc-gen'] : value
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

async function evaluate(path: string, files: Evaluated['files'], disk: Disk): Promise<unknown> {
  const imports = files.length > 1
  const typed = files.map(([file]) => file).filter((file) => /\.m?ts$/.test(file))
  try {
    return await (path.endsWith('.ts') ? importTypeScript(path, typed, imports, disk) : importDefault(path, imports))
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** True once this process has run a configuration: the modules that it imported are cached and would be stale. */
let hasRun = false

/** Imports a configuration under a new URL each time, because a process that watches would get the first version forever. */
async function importDefault(path: string, imports: boolean): Promise<unknown> {
  if (hasRun && imports) return importElsewhere(path)
  hasRun = true
  const module = await import(`${pathToFileURL(path).href}?${Date.now()}`)
  return module.default
}

/** Runs a configuration in a new process, whose module cache is empty. What it prints goes to stderr. */
function importElsewhere(path: string): unknown {
  const script = `const { writeSync } = require('node:fs')
import(${JSON.stringify(pathToFileURL(path).href)}).then(
  (module) => writeSync(3, JSON.stringify({ value: module.default })),
  (error) => writeSync(3, JSON.stringify({ error: String(error?.message ?? error) })),
)`
  const { output } = spawnSync(process.execPath, ['-e', script], { stdio: ['ignore', 2, 2, 'pipe'] })
  const { value, error } = JSON.parse(output[3]?.toString() || '{ "error": "the process ended without a result" }')
  if (error !== undefined) throw new Error(error)
  return value
}

/**
 * Node 20 cannot run TypeScript. Writes the module without its types into a file beside it, so that its imports still resolve,
 * and does the same for the TypeScript modules that it imports.
 */
async function importTypeScript(
  path: string,
  typed: readonly string[],
  imports: boolean,
  disk: Disk,
): Promise<unknown> {
  const { stripTypes } = await import('../source/project/strip.js')
  const plain = new Map(typed.map((file) => [file, join(dirname(file), `.${basename(file)}.${randomUUID()}.mjs`)]))
  try {
    for (const [file, copy] of plain) {
      const rewrite = (imported: string) => {
        const other = plain.get(imported)
        return other && `./${slashes(relative(dirname(file), other))}`
      }
      const text = withImports(stripTypes(disk.read(file) ?? ''), file, rewrite, disk)
      writeFileSync(copy, text, { flag: 'wx', mode: 0o600 })
    }
    return await importDefault(plain.get(path) ?? path, imports)
  } finally {
    for (const copy of plain.values()) rmSync(copy, { force: true })
  }
}

const names = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

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
  const paths = target === found ? [dirname(found), found] : [dirname(found), dirname(target), target]
  const distrusted = paths.find((path) => reasonNotToTrust(path) !== undefined)
  if (distrusted === undefined) return found
  const [name, what] = [found, distrusted].map((path) => relativeTo(cwd, path))
  throw new UsageError(
    `${name} is not read: ${what} ${reasonNotToTrust(distrusted)}: change that, or name the file: --config ${name}`,
  )
}

/** Returns the folders of a project that contain a working directory, the nearest first. */
function projectFolders(cwd: string, disk: Disk): readonly string[] {
  const folders = [cwd]
  for (const folder of folders) {
    if (disk.isFile(join(folder, 'package.json'))) return folders
    const above = dirname(folder)
    if (above !== folder) folders.push(above)
  }
  return [cwd]
}

function configIn(folders: readonly string[], disk: Disk): string | undefined {
  for (const folder of folders) {
    const found = names.map((name) => join(folder, name)).find((path) => disk.isFile(path))
    if (found !== undefined) return found
  }
  const packageFile = join(folders.at(-1) ?? '', 'package.json')
  return hasOwnSection(disk.read(packageFile) ?? '') ? packageFile : undefined
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

function hasOwnSection(text: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(text)
  } catch {
    return false
  }
}

const specifiers = /(\b(?:from|import|require)\s*\(?\s*(['"]))(\.\.?\/[^'"]+)(?=\2)/g

/** Returns a module and the modules beside it that it imports, transitively: what its value depends on. */
function importedFiles(path: string, disk: Disk): string[] {
  const found = new Set([path])
  for (const file of found) {
    for (const [, , , specifier = ''] of (disk.read(file) ?? '').matchAll(specifiers)) {
      const imported = fileOf(specifier, file, disk)
      if (imported !== undefined) found.add(imported)
    }
  }
  return [...found]
}

/** Returns the text of a module with new specifiers for the imports for which `rewrite` returns one. */
function withImports(text: string, from: string, rewrite: (file: string) => string | undefined, disk: Disk): string {
  return text.replace(specifiers, (whole, start: string, _quote, specifier: string) => {
    const imported = fileOf(specifier, from, disk)
    const other = imported === undefined ? undefined : rewrite(imported)
    return other === undefined ? whole : start + other
  })
}

/** Resolves as TypeScript does: `./paths.js` and `./paths` may both be `./paths.ts`. */
function fileOf(specifier: string, from: string, disk: Disk): string | undefined {
  const path = resolve(dirname(from), specifier)
  const sources = /\.m?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [`${path}.ts`, `${path}.mts`]
  return [path, ...sources].find((file) => disk.isFile(file))
}

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSwitch = (value: unknown) => typeof value === 'boolean'

const isOfType: Readonly<Record<OptionType, (value: unknown) => boolean>> = {
  switch: isSwitch,
  file: isText,
  files: (value) => isText(value) || isTexts(value),
  text: isText,
  texts: isTexts,
  switchOrFile: (value) => isSwitch(value) || isText(value),
  modules: (value) => isObject(value) && Object.values(value as object).every(isText),
  info: isInfo,
}

function isInfo(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { title, version, description, servers = [] } = value as Partial<Record<keyof ApiInfo, unknown>>
  const isServer = (each: unknown) => isText((each as { url?: unknown } | null)?.url)
  const isDescribed = description === undefined || isText(description)
  return isText(title) && isText(version) && isDescribed && Array.isArray(servers) && servers.every(isServer)
}

const rows: Readonly<Record<string, OptionRow>> = optionTable
const keys = new Map(Object.entries(rows).filter(([, { only }]) => only !== 'flag'))

/**
 * Returns the targets of a configuration, several if it is a list. Throws UsageError that names the invalid target and
 * key.
 */
export function checkConfig(value: unknown, path: string): readonly RpcConfig[] {
  if (!Array.isArray(value)) return [checkTarget(value, path)]
  if (value.length === 0) throw new UsageError(`${path} has no target: the list is empty`)
  const targets = value.map((each, i) => checkTarget(each, `${path}: target ${nameIn(each) ?? i + 1}`))
  if (targets.length === 1) return targets
  for (const [i, { name }] of targets.entries()) {
    if (!name) throw new UsageError(`${path}: target ${i + 1} has no name: each of several targets needs one`)
    const duplicate = targets.findIndex((each) => each.name === name)
    if (duplicate < i)
      throw new UsageError(`${path}: target ${duplicate + 1} and target ${i + 1} are both named ${name}`)
  }
  return targets
}

function nameIn(target: unknown): string | undefined {
  const name = (target as RpcConfig | null)?.name
  return isText(name) && name !== '' ? name : undefined
}

function checkTarget(value: unknown, at: string): RpcConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${at} is not a configuration: expected an object with the options`)
  }
  for (const [name, each] of Object.entries(value)) {
    const row = keys.get(name)
    if (!row) throw new UsageError(`${at}: unknown option ${name}: the options are ${[...keys.keys()].join(', ')}`)
    const isChoice = !row.choices || row.choices.includes(each as string)
    if (!isChoice || !isOfType[row.type](each)) throw new UsageError(`${at}: ${name}: expected ${expectedOf(row)}`)
  }
  return value
}

/** Merges the options of the command line over those of a configuration, whose paths are relative to its own folder. */
export function withConfig(options: GenerateOptions, config: RpcConfig, configFile: string): GenerateOptions {
  const folder = dirname(configFile)
  const located = Object.entries(config).map(([name, value]) => [name, locate(value, keys.get(name)?.type, folder)])
  const { name: _name, paths = [], RPC_METHODS_MODULES: methodsModules = [], ...rest } = Object.fromEntries(located)
  return { ...rest, methodsModules, configFile, ...options, paths: options.paths.length > 0 ? options.paths : paths }
}

function locate(value: unknown, type: OptionType | undefined, folder: string): unknown {
  if (type === 'files') return [value].flat().map((path) => join(folder, path as string))
  if (type === 'modules') {
    const modules = Object.entries(value as Readonly<Record<string, string>>)
    return Object.fromEntries(modules.map(([name, path]) => [name, join(folder, path)]))
  }
  if (type !== 'file' && type !== 'switchOrFile') return value
  return value === false ? undefined : join(folder, value === true ? lockName : (value as string))
}
