import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { statAt } from './cache/fresh.js'
import type { GeneratedFile } from './generated.js'
import { type Options, outputsOf, slashes, UsageError } from './options.js'
import { replaceFile } from './replace.js'

/** Whether a file on disk has these bytes. Its size mostly tells; only then is it read. */
export function isCurrent({ path, text }: GeneratedFile): boolean {
  return statAt(path)?.size === Buffer.byteLength(text) && readFileSync(path, 'utf8') === text
}

/**
 * Writes what has changed and answers which files these are; each file is replaced as a whole or not at all. Throws
 * UsageError where the file system refuses.
 */
export function writeFiles(files: readonly GeneratedFile[]): GeneratedFile[] {
  const changed = files.filter((file) => !isCurrent(file))
  for (const { path, text } of changed) {
    try {
      replaceFile(path, text)
    } catch (error) {
      throw new UsageError(`${path} cannot be written: ${(error as Error).message}`)
    }
  }
  return changed
}

/**
 * Throws UsageError for an output where something else is: a folder, a path below a file, a file that rpc-gen did not write, or
 * another output. All are checked before any is written.
 */
export function checkTargets(options: Options): void {
  const { cwd } = options
  const outputs = outputsOf(options)
  for (const { path, row } of outputs) if (row.ours) checkTarget(path, row.ours, cwd)
  for (const { path, row } of outputs) {
    if (!row.source || /(?<!\.d)\.[mc]?ts$/.test(path)) continue
    throw new UsageError(`${shown(path, cwd)} is no name of a TypeScript source: .ts, .mts or .cts`)
  }
  const paths = outputs.map(({ path }) => resolve(path))
  const twice = paths.find((path, i) => paths.indexOf(path) !== i)
  if (twice !== undefined) throw new UsageError(`${shown(twice, cwd)} is named for two outputs`)
}

/** `ours` is how what rpc-gen writes there begins; an empty file may be replaced too. */
function checkTarget(path: string, ours: RegExp, cwd: string): void {
  const name = shown(path, cwd)
  const above = nearestAbove(path)
  if (!statSync(above).isDirectory()) {
    throw new UsageError(`${name} cannot be written: ${shown(above, cwd)} is a file, not a folder`)
  }
  if (path.endsWith('/')) throw new UsageError(`${name} is a folder: name a file`)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) throw new UsageError(`${name} is a folder: name a file`)
  if (ours.test(beginningOf(path).trimStart())) return
  const text = readFileSync(path, 'utf8').trim()
  if (text !== '' && !ours.test(text)) {
    throw new UsageError(`${name} was not written by rpc-gen and would be lost: name another file, or remove it`)
  }
}

/**
 * Enough to know what we wrote by; what stands for the rest can be the end of nothing. To read all of the 15 MB of 5,000
 * procedures took a tenth of a run while watching.
 */
function beginningOf(path: string): string {
  const bytes = Buffer.alloc(1024)
  const file = openSync(path, 'r')
  try {
    return `${bytes.toString('utf8', 0, readSync(file, bytes))}…`
  } finally {
    closeSync(file)
  }
}

/** The nearest thing that exists above a path. */
function nearestAbove(path: string): string {
  const above = dirname(path)
  return above === path || existsSync(above) ? above : nearestAbove(above)
}

function shown(path: string, cwd: string): string {
  return slashes(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)
}
