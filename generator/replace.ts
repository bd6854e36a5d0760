import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file and its new content. */
interface Replacement {
  readonly path: string
  readonly text: string | Uint8Array
}

/**
 * Writes files, all or none. All are written beside their paths before the first is renamed, so that readers see either the old
 * bytes or the new ones. Throws an Error that names the file that cannot be written.
 */
export function replaceFiles(files: readonly Replacement[]): void {
  const drafts = new Map<string, string>()
  let current = ''
  try {
    for (const { path, text } of files) {
      current = path
      // The name cannot be guessed, so that nothing else can create a file or a link with that name first.
      const draft = `${path}.${randomUUID()}.tmp`
      drafts.set(path, draft)
      writeDraft(draft, path, text)
    }
    for (const [path, draft] of drafts) {
      current = path
      renameSync(draft, path)
    }
  } catch (error) {
    for (const draft of drafts.values()) if (existsSync(draft)) rmSync(draft)
    throw new Error(`${current} cannot be written: ${(error as Error).message}`)
  }
}

/** Writes the text with the mode of the file that the draft replaces. Creates the folder. */
function writeDraft(draft: string, path: string, text: Replacement['text']): void {
  mkdirSync(dirname(path), { recursive: true })
  const before = lstatSync(path, { throwIfNoEntry: false })
  const mode = before?.isFile() ? before.mode & 0o777 : undefined
  writeFileSync(draft, text, { flag: 'wx', mode: mode ?? 0o666 })
  // Restores the mode that the umask reduced.
  if (mode !== undefined) chmodSync(draft, mode)
}
