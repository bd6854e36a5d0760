import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes beside the file and renames: who reads it sees the old bytes or the new ones. The folder is made; a file keeps its
 * mode. Nobody can put a file or a link in the way of a name that cannot be guessed.
 */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  const before = lstatSync(path, { throwIfNoEntry: false })
  const mode = before?.isFile() ? before.mode & 0o777 : undefined
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: mode ?? 0o666 })
    // What the umask took away when it was made.
    if (mode !== undefined) chmodSync(draft, mode)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
