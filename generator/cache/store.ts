import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../replace.js'
import { type Cache, type CacheKind, cacheFile, isPrivateFolder, statAt } from './fresh.js'

/** How long the files of a command are kept that is not run any more, in milliseconds. */
const maxAge = 30 * 24 * 60 * 60 * 1000

/** Writes into the cache; a cache that cannot be written is not an error, the next run does the work again. */
export function store(cache: Cache, kind: CacheKind, value: unknown): void {
  try {
    mkdirSync(cache.folder, { recursive: true, mode: 0o700 })
    if (!isPrivateFolder(cache.folder)) return
    const path = cacheFile(cache, kind)
    if (!statAt(path)) removeOld(cache.folder)
    replaceFile(path, JSON.stringify({ key: cache.key, value }))
  } catch {
    // A read-only home folder, a full disk, a file in the folder's place.
  }
}

/** Checkouts come and go, and nobody looks into this folder. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - maxAge) rmSync(path, { force: true })
  }
}
