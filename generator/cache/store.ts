import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../replace.js'
import { nameOf } from './fresh.js'

/** A folder that is kept from run to run, and the name of a command's files in it. */
export interface Cache {
  readonly folder: string
  readonly name: string
}

export function cacheOf(folder: string | undefined, key: string): Cache | undefined {
  return folder === undefined ? undefined : { folder, name: nameOf(key) }
}

/** Writes into the cache; a cache that cannot be written is no error, the next run does the work again. */
export function store(folder: string, name: string, value: unknown): void {
  try {
    const ignore = join(folder, '.gitignore')
    if (!existsSync(ignore)) replaceFile(ignore, '*\n')
    replaceFile(join(folder, name), JSON.stringify(value))
  } catch {
    // A read-only checkout, a full disk, a file in the folder's place.
  }
}
