import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { GeneratedFile } from './index.js'

/** Whether a file on disk has these bytes. */
export function isCurrent({ path, text }: GeneratedFile): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === text
}

/** Writes what has changed and answers which files these are; each file is replaced as a whole or not at all. */
export function writeFiles(files: readonly GeneratedFile[]): GeneratedFile[] {
  const changed = files.filter((file) => !isCurrent(file))
  for (const file of changed) replace(file)
  return changed
}

function replace({ path, text }: GeneratedFile): void {
  const draft = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
