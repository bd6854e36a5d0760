// Writes outputs: those whose text has changed, all or none, and no two of them to one file:
//
//   rpc.gen.ts as it is on disk, client.gen.ts with another text  →  client.gen.ts is written
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../diagnostics/diagnostic.js'
import { replaceFiles } from '../disk/replace.js'
import { statAt } from '../disk/stamps.js'
import { type Options, outputsOf } from '../options/options.js'
import type { OptionRow } from '../options/table.js'
import { foldersFrom, slashes } from '../paths.js'
import type { GeneratedFile } from './generated.js'

/**
 * True if a file on disk has this text, with any line ends, with a byte order mark, and without its last line end: Git and editors
 * change these. Most stale files differ in size and are not read.
 */
export function isCurrent({ path, text }: GeneratedFile): boolean {
  const more = (statAt(path)?.size ?? -1) - Buffer.byteLength(text)
  if (more < -1 || (more > 0 && more > text.split('\n').length + markBytes)) return false
  const found = readFileSync(path, 'utf8')
  return found === text || withoutLastBreak(found) === withoutLastBreak(text)
}

const markBytes = 3

function withoutLastBreak(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
}

/** True if the first line of a file ends with CRLF. */
function hasCrlf(path: string): boolean {
  return existsSync(path) && /^[^\n]*\r\n/.test(beginningOf(path))
}

/**
 * Writes the files that have changed, all or none, and returns them. Throws UsageError for a file that cannot be written. What differs
 * from the text that the run before wrote is written without reading the file.
 */
export function writeFiles(files: readonly GeneratedFile[], before: readonly GeneratedFile[] = []): GeneratedFile[] {
  const textBefore = new Map(before.map(({ path, text }) => [path, text]))
  const changed = files.filter((file) => (textBefore.get(file.path) ?? file.text) !== file.text || !isCurrent(file))
  try {
    replaceFiles(changed.map(withOldLineEnds))
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  return changed
}

/** Keeps the line ends of the file that is replaced. */
function withOldLineEnds(file: GeneratedFile): GeneratedFile {
  return hasCrlf(file.path) ? { ...file, text: file.text.replace(/\r?\n/g, '\r\n') } : file
}

/** A configuration to compile. It has a name if there are several. */
export interface Target {
  readonly name: string | undefined
  readonly options: Options
}

/**
 * Throws UsageError for an output that cannot be written: its path is a folder, is below a file, cannot be accessed, contains a file
 * that rpc-gen did not write, or is that of another output. All are checked before the first is written.
 */
export function checkTargets(targets: readonly Target[]): void {
  const first = new Map<string, string>()
  for (const { name: target, options } of targets) {
    for (const { name, path, row } of outputsOf(options)) {
      const described = target === undefined ? name : `${name} of ${target}`
      const other = first.get(resolve(path))
      const both = `${other} and ${described}`
      if (other) throw new UsageError(`${pathBelow(path, options.cwd)} is the path of two outputs: ${both}`)
      first.set(resolve(path), described)
      checkOutput(path, row, options.cwd)
    }
  }
}

function checkOutput(path: string, { header, source }: OptionRow, cwd: string): void {
  const name = pathBelow(path, cwd)
  try {
    if (header) checkPath(path, header, cwd)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${name} cannot be written: ${(error as Error).message}`)
  }
  if (!source) return
  const [isValid, expected] = endings[source]
  if (!isValid.test(path)) throw new UsageError(`${name} is not a ${source} source: expected ${expected}`)
}

/** How the names of sources end. */
const endings: Readonly<Record<NonNullable<OptionRow['source']>, readonly [isValid: RegExp, expected: string]>> = {
  TypeScript: [/(?<!\.d)\.[mc]?ts$/, '.ts, .mts or .cts'],
  Python: [/\.py$/, '.py'],
}

/** `header` matches the beginning of a file that rpc-gen has written. */
function checkPath(path: string, header: RegExp, cwd: string): void {
  const name = pathBelow(path, cwd)
  const above = foldersFrom(dirname(path)).find(existsSync) ?? dirname(path)
  if (!statSync(above).isDirectory()) {
    throw new UsageError(`${name} cannot be written: ${pathBelow(above, cwd)} is a file, not a folder`)
  }
  const found = statSync(path, { throwIfNoEntry: false })
  if (path.endsWith('/') || found?.isDirectory()) throw new UsageError(`${name} is a folder: name a file`)
  if (found && !found.isFile()) throw new UsageError(`${name} is neither a file nor a folder: name a file`)
  if (!found || isReplaceable(path, found.size, header)) return
  throw new UsageError(`${name} was not written by rpc-gen and would be overwritten: name another file, or remove it`)
}

/**
 * True if rpc-gen has written a file, or if it is empty. Only its first kilobyte is read: reading all 15 MB of a module with 5,000
 * procedures took a tenth of a run while watching.
 */
function isReplaceable(path: string, size: number, header: RegExp): boolean {
  const text = beginningOf(path).trim()
  return header.test(text) || (text === '' && size <= beginning)
}

/** In bytes. */
const beginning = 1024

function beginningOf(path: string): string {
  const bytes = Buffer.alloc(beginning)
  const file = openSync(path, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

function pathBelow(path: string, cwd: string): string {
  return slashes(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)
}
