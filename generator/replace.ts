import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file by renaming a draft, so that readers see either the old bytes or the new ones. */
export function replaceFile(path: string, text: string): void {
  const draft = writeDraft(path, text)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * Writes the text beside a file, with the mode of that file, and returns the path to rename. Creates the folder. The name cannot be
 * guessed, so that nothing else can create a file or a link with that name first.
 */
export function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomUUID()}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  const before = lstatSync(path, { throwIfNoEntry: false })
  const mode = before?.isFile() ? before.mode & 0o777 : undefined
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: mode ?? 0o666 })
    // Restores the mode that the umask reduced.
    if (mode !== undefined) chmodSync(draft, mode)
    return draft
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
