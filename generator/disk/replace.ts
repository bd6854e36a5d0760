import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A file and its new content. */
interface Replacement {
  readonly path: string
  readonly text: string | Uint8Array
}

/**
 * Writes files, all or none. All are written beside their paths before the first is renamed, so that readers see either the old
 * bytes or the new ones. Removes drafts that a killed run has left beside them. Throws an Error that names the file that cannot be written.
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
    removeOldDrafts([...drafts.keys()])
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

/** A run renames its drafts within seconds, so an older one is of a run that was killed. In milliseconds. */
const MAX_DRAFT_AGE_MS = 10 * 60 * 1000

/** Removes drafts of these files that no run uses any more. Those that cannot be removed do no harm. */
function removeOldDrafts(paths: readonly string[]): void {
  const names = new Map<string, Set<string>>()
  for (const path of paths) names.set(dirname(path), (names.get(dirname(path)) ?? new Set()).add(basename(path)))
  for (const [folder, own] of names) {
    try {
      const drafts = readdirSync(folder).filter((name) => own.has(replacedByDraft(name) ?? ''))
      for (const draft of drafts.map((name) => join(folder, name))) {
        const stats = lstatSync(draft)
        if (stats.isFile() && stats.mtimeMs < Date.now() - MAX_DRAFT_AGE_MS) rmSync(draft)
      }
    } catch {
      // The folder cannot be listed, or another run has removed them.
    }
  }
}

/** `rpc.gen.ts` for `rpc.gen.ts.8c3a….tmp`; undefined for the name of any other file. */
function replacedByDraft(name: string): string | undefined {
  return /^(.*)\.[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\.tmp$/s.exec(name)?.[1]
}
