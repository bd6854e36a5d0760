// Writes the files of the cache, and makes the manifest of a run, which fresh.ts reads.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Seen, snapshotOf } from '../../disk/disk.js'
import { replaceFiles } from '../../disk/replace.js'
import { type Entry, hashOf, hashOfNames, stampAt, statAt } from '../../disk/stamps.js'
import { foldersFrom } from '../../paths.js'
import { type Cache, type CacheKind, cachedText, cacheFile, isPrivateFolder, type Observed } from './fresh.js'

/** Cache files of a command that has not run for this many milliseconds are removed. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

/** Writes a value into the cache. Failures are ignored: the next run repeats the work. */
export function store(cache: Cache, kind: CacheKind, value: unknown): void {
  storeFile(cacheFile(cache, kind), cachedText(cache, kind, value))
}

/** Writes a file of the cache. Failures are ignored. */
export function storeFile(path: string, content: string): void {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isPrivateFolder(folder)) return
    if (!statAt(path)) removeOld(folder)
    replaceFiles([{ path, text: content }])
  } catch {
    // A read-only home folder, a full disk, a file where the folder should be.
  }
}

/** Removes old files: checkouts are deleted, and users do not look into this folder. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - MAX_AGE_MS) rmSync(path, { force: true })
  }
}

/** A file that a run has written. */
interface WrittenFile {
  readonly path: string
  readonly text: string
}

/** Returns what a run has read and written. It began `at` this time, in milliseconds. */
export function observedBy(at: number, seen: Seen, outputs: readonly WrittenFile[]): Observed {
  const written = new Set(outputs.map(({ path }) => path))
  const { files, absent, links } = snapshotOf(seen, written)
  return {
    at,
    files: [...files, ...outputs.map(({ path, text }): Entry => [path, stampAt(path) ?? '', hashOf(text)])],
    folders: Array.from(seen.folders, ([path, { stamp, names }]) => [path, stamp, hashOfNames(path, names, written)]),
    absent,
    links,
    outputs: [...written],
  }
}

/** The files of rpc-gen and the version of the compiler: others may write other bytes. */
export function ownFiles(): Entry[] {
  // The build puts every chunk of the generator in one directory.
  const here = dirname(fileURLToPath(import.meta.url))
  const compiler = packageJsonOf('ts-morph', here) ?? packageJsonOf('ts-morph', process.cwd()) ?? []
  return [join(here, '../../package.json'), ...scriptsIn(here), compiler].flat().flatMap((path): Entry[] => {
    const stamp = stampAt(path)
    return stamp === undefined ? [] : [[path, stamp, hashOf(readFileSync(path))]]
  })
}

/** Returns one hash of these files. */
export function versionOf(own: readonly Entry[]): string {
  return hashOf(own.map(([path, , hash]) => `${path} ${hash}`).join('\n'))
}

function scriptsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name))
}

function packageJsonOf(name: string, from: string): string | undefined {
  return foldersFrom(from)
    .map((folder) => join(folder, 'node_modules', name, 'package.json'))
    .find(statAt)
}
