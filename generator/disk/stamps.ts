// What identifies the content of a file or a folder, for later runs.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'

export type Entry = readonly [path: string, stamp: string, hash: string]

/** What a run has read from the file system. */
export interface Snapshot {
  /** Files and the hashes of their bytes. The hash is empty for a file that exists and was not read. */
  readonly files: readonly Entry[]
  /** Paths that did not exist. */
  readonly absent: readonly string[]
  /** Symbolic links and their targets. */
  readonly links: readonly (readonly [path: string, target: string])[]
}

/** Two changes within this many milliseconds may leave the times of a file unchanged (FAT: two seconds). */
const timestampGranularityMs = 2000

/** Returns size, times and identity of a file as text. A different stamp means that the bytes may differ. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

/** Returns the stamp of the file at a path; undefined without one. */
export function stampAt(path: string): string | undefined {
  const stats = statAt(path)
  return stats && stampOf(stats)
}

/** True for a symbolic link. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch {
    return false
  }
}

/** True if a stamp that was read at time `at` identifies the content: the file had not just changed. */
export function isSettled({ mtimeMs, ctimeMs }: Stats, at: number): boolean {
  return Math.max(mtimeMs, ctimeMs) < at - timestampGranularityMs
}

/** Returns the stats of a path; undefined if it does not exist or cannot be accessed. */
export function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function hashOf(bytes: Uint8Array | string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes, 'base64')
}

/** The names in a folder that can affect a run: folders, sources and configuration files. Of hidden ones only sources: `@rpc` in them is an error. */
export function relevantNamesIn(path: string): string[] {
  return relevantNames(readdirSync(path, { withFileTypes: true }))
}

export function relevantNames(entries: readonly Dirent[]): string[] {
  const names: string[] = []
  for (const entry of entries) {
    const { name } = entry
    const isFile = entry.isFile()
    const isHidden = name.startsWith('.')
    const isSource = /\.[mc]?[jt]sx?$/i.test(name)
    if (isFile ? !isSource && (isHidden || !/\.json$/i.test(name)) : isHidden || name === 'node_modules') continue
    names.push(isFile ? name : entry.isDirectory() ? `${name}/` : `${name}@`)
  }
  return names.sort()
}

/** Returns the hash of a folder's names, without outputs of the run. */
export function hashOfNames(path: string, names: readonly string[], outputs: ReadonlySet<string>): string {
  return hashOf(names.filter((name) => !outputs.has(`${path}/${name}`)).join('\0'))
}
