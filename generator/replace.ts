import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

let drafts = 0

/** Writes beside the file and renames: who reads it sees the old bytes or the new ones. The folder is made. */
export function replaceFile(path: string, text: string): void {
  drafts += 1
  const draft = `${path}.${process.pid}.${drafts}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
