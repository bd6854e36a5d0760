// Whether the last run of a command is still valid, and where the cache has its files:
//
//   a manifest whose files all have the same stamps  →  the command prints its line again and ends
//
// This module is loaded before the cache is checked, so it imports only node built-ins and files that import no others.
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, isContinuousIntegration } from '../../../runtime/source-record.js'
import {
  type Entry,
  hashOf,
  hashOfNames,
  isSettled,
  relevantNamesIn,
  type Snapshot,
  stampOf,
  statAt,
} from '../../disk/stamps.js'

/** What a run has read and written. If nothing of it has changed, the next run would write the same bytes. */
export interface Observed extends Snapshot {
  /** When the run began, in milliseconds. */
  readonly at: number
  /** Folders that were listed, and the names in them. */
  readonly folders: readonly Entry[]
  /** The outputs of the run: a folder counts as unchanged whether it contains them or not. */
  readonly outputs: readonly string[]
}

/** What the command stores about a run, and prints again if nothing has changed. */
export interface Manifest extends Observed {
  /** `2 procedures in 3 files → src/rpc.gen.ts` */
  readonly line: string
}

/** The version of the manifest's form. A manifest of another version is ignored. */
const format = 4

/** Where a command's files are in the cache. */
export interface Cache {
  readonly folder: string
  /** How the names of its files begin. Each file contains the key itself. */
  readonly name: string
  /** What the files depend on besides their content: the working directory, the arguments, and where this rpc-gen is installed. */
  readonly key: string
}

/** The kinds of files that the cache contains for a command. */
export type CacheKind = 'manifest' | 'parts' | 'texts'

/**
 * Returns where a command's files are in the cache: in the user's own cache folder, because anyone who can add files to a checkout
 * could otherwise decide what is generated. Undefined with `--no-cache`, in CI (where a cache could only come from another
 * machine), and for a user without a home folder.
 */
export function cacheOf(cwd: string, argv: readonly string[]): Cache | undefined {
  if (argv.includes('--no-cache') || isContinuousIntegration()) return undefined
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  const key = JSON.stringify([format, cwd, realpathSync(process.argv[1] ?? ''), ...argv])
  return { folder, name: shortName(key), key }
}

/** Returns a short name for a key: FNV-1a, twice 32 bits. Loading node:crypto would be a thirtieth of a run without changes. */
function shortName(key: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let i = 0; i < key.length; i += 1) {
    const code = key.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x5bd1e995)
  }
  return [one, other].map((part) => (part >>> 0).toString(36)).join('')
}

export function cacheFile({ folder, name }: Cache, kind: CacheKind): string {
  return join(folder, `${name}.${kind}.json`)
}

/** True for a folder, not a link to one, that belongs to the user and that other users cannot write to. */
export function isPrivateFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  const user = process.getuid?.()
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0)
}

/**
 * Returns what an earlier run of the same command stored; undefined if there is no file, or it is damaged, or it cannot be read or
 * trusted. The manifest has no hash: damage makes it differ from the files, and a hash would be a thirtieth of a run without changes.
 */
export function readCached<T extends object>(cache: Cache, kind: CacheKind): T | undefined {
  try {
    if (!isPrivateFolder(cache.folder)) return undefined
    const text = readFileSync(cacheFile(cache, kind), 'utf8')
    const { hash, key, value } = JSON.parse(text)
    const isIntact = kind === 'manifest' || hash === hashOf(`{${text.slice(hashMember(hash).length)}`)
    return isIntact && key === cache.key ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the content of a cache file: JSON whose first member, except in a manifest, is the hash of the others. */
export function cachedText({ key }: Cache, kind: CacheKind, value: unknown): string {
  const json = JSON.stringify({ key, value })
  return kind === 'manifest' ? json : hashMember(hashOf(json)) + json.slice(1)
}

function hashMember(hash: string): string {
  return `{"hash":"${hash}",`
}

/**
 * Returns what a run has observed if nothing has changed, with new stamps where bytes were compared; undefined if anything has
 * changed, or if the form is another one.
 */
export function revalidate<Run extends Observed>(observed: Run): Run | undefined {
  const now = Date.now()
  try {
    if (observed.absent.some((path) => statAt(path) !== undefined)) return undefined
    if (observed.links.some(([path, target]) => realpathSync(path) !== target)) return undefined
    const outputs = new Set(observed.outputs)
    const files = revalidateEntries(observed.files, observed.at, (path) => hashOf(readFileSync(path)))
    const folders =
      files &&
      revalidateEntries(observed.folders, observed.at, (path) => hashOfNames(path, relevantNamesIn(path), outputs))
    if (!files || !folders) return undefined
    if (files === observed.files && folders === observed.folders) return observed
    return { ...observed, at: now, files, folders }
  } catch {
    return undefined
  }
}

/** Returns the same list if every stamp is conclusive, a new list if hashes were compared, undefined if an entry differs. */
function revalidateEntries(
  entries: readonly Entry[],
  at: number,
  hashNow: (path: string) => string,
): readonly Entry[] | undefined {
  const doubtful = new Map<number, Entry>()
  for (const [i, [path, stamp, hash]] of entries.entries()) {
    const stats = statAt(path)
    // Reading a named pipe that has taken its place would wait for ever, and a device may have no end.
    if (!stats?.isFile() && !stats?.isDirectory()) return undefined
    if (hash === '' || (stampOf(stats) === stamp && isSettled(stats, at))) continue
    if (hashNow(path) !== hash) return undefined
    doubtful.set(i, [path, stampOf(stats), hash])
  }
  return doubtful.size === 0 ? entries : entries.map((entry, i) => doubtful.get(i) ?? entry)
}
