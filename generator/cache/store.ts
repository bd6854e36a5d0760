import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFiles } from '../replace.js'
import { type Cache, type CacheKind, cacheFile, isPrivateFolder, statAt } from './fresh.js'

/** Cache files of a command that has not run for this many milliseconds are removed. */
const maxAge = 30 * 24 * 60 * 60 * 1000

/** Writes into the cache. Failures are ignored: the next run repeats the work. */
export function store(cache: Cache, kind: CacheKind, value: unknown): void {
  try {
    mkdirSync(cache.folder, { recursive: true, mode: 0o700 })
    if (!isPrivateFolder(cache.folder)) return
    const path = cacheFile(cache, kind)
    if (!statAt(path)) removeOld(cache.folder)
    replaceFiles([{ path, text: JSON.stringify({ key: cache.key, value }) }])
  } catch {
    // A read-only home folder, a full disk, a file where the folder should be.
  }
}

/** Removes old files: checkouts are deleted, and users do not look into this folder. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - maxAge) rmSync(path, { force: true })
  }
}
