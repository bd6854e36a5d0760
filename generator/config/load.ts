import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RpcConfig } from '../../runtime/server/config.js'
import { statAt } from '../cache/fresh.js'
import type { Disk } from '../disk.js'
import { relativeTo, slashes, UsageError } from '../options.js'
import { checkConfig } from './check.js'

/** What a configuration that is a module said, and the bytes that it said it with. */
export interface Evaluated {
  readonly format: typeof evaluatedFormat
  readonly files: readonly (readonly [path: string, hash: string])[]
  readonly value: unknown
}

export const evaluatedFormat = 1

/** The targets of a configuration, and its value for the next run: a module need not be run again while its files are the same. */
export interface Loaded {
  readonly targets: readonly RpcConfig[]
  readonly evaluated?: Evaluated
}

/**
 * Reads a configuration file. `before` is what it said in an earlier run. Throws UsageError that names the file and what
 * is wrong in it.
 */
export async function loadConfig(path: string, disk: Disk, before?: Evaluated): Promise<Loaded> {
  const text = disk.read(path)
  if (text === undefined) throw new UsageError(`${path} cannot be read: there is no such file`)
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

/** Whether this process has run a configuration: modules that one imports are kept, and would be the old ones. */
let hasRun = false

/** Each run reads it anew: a watching process would be given the first version for ever. */
async function importDefault(path: string, imports: boolean): Promise<unknown> {
  if (hasRun && imports) return importElsewhere(path)
  hasRun = true
  const module = await import(`${pathToFileURL(path).href}?${Date.now()}`)
  return module.default
}

/** Runs it in a process of its own, which has no modules yet; what it prints goes to stderr. */
function importElsewhere(path: string): unknown {
  const script = `const { writeSync } = require('node:fs')
import(${JSON.stringify(pathToFileURL(path).href)}).then(
  (module) => writeSync(3, JSON.stringify({ value: module.default })),
  (error) => writeSync(3, JSON.stringify({ error: String(error?.message ?? error) })),
)`
  const { output } = spawnSync(process.execPath, ['-e', script], { stdio: ['ignore', 2, 2, 'pipe'] })
  const { value, error } = JSON.parse(output[3]?.toString() || '{ "error": "it ended without a word" }')
  if (error !== undefined) throw new Error(error)
  return value
}

/**
 * Node 20 cannot run TypeScript: its types are taken off into a file beside it, so that its own imports still resolve, and so
 * are those of the TypeScript that it imports.
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
 * Returns the nearest configuration, from the working directory up to the nearest package.json; without a package.json only the
 * working directory is looked at, since what is above is not the project's. Undefined when there is none. Throws UsageError for
 * one that somebody else could have put there, at its own path or at that of a link's target: it is not run, and a run without
 * it might leave out what it requires.
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

/** The folders of a project that a working directory may be in, the nearest first. */
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

/** Root can change everything anyway. Undefined on Windows, where a mode says nothing about others. */
function reasonNotToTrust(path: string): string | undefined {
  const user = process.getuid?.()
  const stats = statAt(path)
  if (user === undefined || !stats) return undefined
  if (stats.uid !== user && stats.uid !== 0) return 'belongs to another user'
  if (stats.mode & 0o002) return 'can be written by every user'
  // Where everybody has a group of their own, files are mostly writable by it.
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

/** A module and the modules beside it that it imports, those of these included: what its value is made of. */
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

/** The text of a module with other specifiers for those of its imports for which `rewrite`, given the file, has one. */
function withImports(text: string, from: string, rewrite: (file: string) => string | undefined, disk: Disk): string {
  return text.replace(specifiers, (whole, start: string, _quote, specifier: string) => {
    const imported = fileOf(specifier, from, disk)
    const other = imported === undefined ? undefined : rewrite(imported)
    return other === undefined ? whole : start + other
  })
}

/** As TypeScript finds it: `./paths.js` may stand for `./paths.ts`, and so may `./paths`. */
function fileOf(specifier: string, from: string, disk: Disk): string | undefined {
  const path = resolve(dirname(from), specifier)
  const sources = /\.m?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [`${path}.ts`, `${path}.mts`]
  return [path, ...sources].find((file) => disk.isFile(file))
}
