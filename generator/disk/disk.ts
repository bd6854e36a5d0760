// The file system as a run sees it: each path is read once, and every result is recorded for the cache and for watching:
//
//   disk.read('src/api/a.ts')  →  the text; disk.seen.files has the path with the hash and the stamp of the text
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Entry, hashOf, isSettled, relevantNames, type Snapshot, stampOf, statAt } from './stamps.js'

/** A file as it was read. */
export interface ReadFile {
  readonly text: string
  readonly hash: string
  readonly stamp: string
  /** When it was read, in milliseconds. */
  readonly at: number
}

/** The content of a folder. */
interface Listing {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /** The names that can affect a run, as the manifest has them. */
  readonly names: readonly string[]
  readonly stamp: string
}

/** The file system for the analysis. Every result is recorded, so that a later run can check whether it is still valid. */
export interface Disk {
  /** The text without a byte order mark; undefined without such a file. */
  read(path: string): string | undefined
  isFile(path: string): boolean
  isFolder(path: string): boolean
  list(path: string): Listing
  realpath(path: string): string
  /** The content of a file that was read. */
  hashOf(path: string): string | undefined
  readonly seen: Seen
}

/** All results that were returned. */
export interface Seen {
  readonly files: ReadonlyMap<string, ReadFile>
  /** Files that were found and not read. */
  readonly present: ReadonlySet<string>
  readonly absent: ReadonlySet<string>
  readonly folders: ReadonlyMap<string, Listing>
  readonly links: ReadonlyMap<string, string>
}

/** `before` is the record of an earlier run: unchanged files are not read again. */
export function createDisk(before?: Seen): Disk {
  const files = new Map<string, ReadFile>()
  const present = new Set<string>()
  const absent = new Set<string>()
  const folders = new Map<string, Listing>()
  const links = new Map<string, string>()
  const read = (path: string): ReadFile | undefined => {
    const known = files.get(path)
    if (known) return known
    const found = readAt(path, before?.files.get(path))
    if (found) files.set(path, found)
    else if (!statAt(path)) absent.add(path)
    return found
  }
  return {
    read: (path) => read(path)?.text,
    isFile(path) {
      if (files.has(path) || present.has(path)) return true
      const stats = absent.has(path) ? undefined : statAt(path)
      if (stats?.isFile()) present.add(path)
      else if (!stats) absent.add(path)
      return stats?.isFile() ?? false
    },
    isFolder(path) {
      const stats = absent.has(path) ? undefined : statAt(path)
      if (!stats) absent.add(path)
      return stats?.isDirectory() ?? false
    },
    list(path) {
      const known = folders.get(path)
      if (known) return known
      const listing = listAt(path)
      if (listing) folders.set(path, listing)
      else absent.add(path)
      return listing ?? { files: [], folders: [], names: [], stamp: '' }
    },
    realpath(path) {
      const target = realpathAt(path)
      if (target !== path) links.set(path, target)
      return target
    },
    hashOf: (path) => files.get(path)?.hash,
    seen: { files, present, absent, folders, links },
  }
}

/** Returns the recorded content if the stamp proves that it is unchanged; else reads the file. */
function readAt(path: string, before: ReadFile | undefined): ReadFile | undefined {
  const at = Date.now()
  const stats = statAt(path)
  if (!stats?.isFile()) return undefined
  const stamp = stampOf(stats)
  if (before?.stamp === stamp && isSettled(stats, before.at)) return before
  try {
    const bytes = readFileSync(path)
    const hash = hashOf(bytes)
    return { text: before?.hash === hash ? before.text : decode(bytes), hash, stamp, at }
  } catch {
    return undefined
  }
}

/** Decodes as TypeScript does: UTF-8, or UTF-16 if there is a byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(bytes).swap16().toString('utf16le', 2)
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
}

function listAt(path: string): Listing | undefined {
  const stats = statAt(path)
  if (!stats?.isDirectory()) return undefined
  const files: string[] = []
  const folders: string[] = []
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    for (const entry of entries) {
      const followed = entry.isSymbolicLink() ? statAt(`${path}/${entry.name}`) : entry
      if (followed?.isFile()) files.push(entry.name)
      else if (followed?.isDirectory()) folders.push(entry.name)
    }
    return { files: files.sort(), folders: folders.sort(), names: relevantNames(entries), stamp: stampOf(stats) }
  } catch {
    return undefined
  }
}

/** Returns the path without symbolic links; the same path if it cannot be resolved. */
export function realpathAt(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Returns what was read from the file system, without some files. */
export function snapshotOf({ files, present, absent, links }: Seen, except: ReadonlySet<string>): Snapshot {
  const found = [...present].filter((path) => !files.has(path)).map((path): Entry => [path, '', ''])
  const read = Array.from(files, ([path, { stamp, hash }]): Entry => [path, stamp, hash])
  return {
    files: [...read, ...found].filter(([path]) => !except.has(path)),
    absent: [...new Set([...absent].filter((path) => !except.has(path)).map(firstAbsent))],
    links: [...links],
  }
}

/** Returns the first missing segment of an absent path: it has to exist before the path can. */
export function firstAbsent(path: string): string {
  const above = dirname(path)
  return above === path || statAt(above) ? path : firstAbsent(above)
}
