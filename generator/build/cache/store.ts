import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFiles } from '../../disk/replace.js'
import { statAt } from '../../disk/stamps.js'
import { type Cache, type CacheKind, cachedText, cacheFile, isPrivateFolder } from './fresh.js'

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
