import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RpcConfig } from '../../runtime/server/config.js'
import type { Disk } from '../disk.js'
import { slashes, UsageError } from '../options.js'
import { checkConfig } from './check.js'
import { importedFiles, withImports } from './imported.js'

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
