import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Disk } from '../disk/disk.js'
import type { ImportDefault } from '../options/config.js'
import { slashes } from '../paths.js'

/** Returns the default export of a configuration, for a command that runs once. */
export const importConfig: ImportDefault = (path, disk) => {
  const files = importedFiles(path, disk)
  return files.some(isTypeScript) ? importCopy(path, files, disk) : importFile(path)
}

/**
 * The same for a command that runs repeatedly. A configuration is evaluated again only if its bytes, or those of a module that it imports,
 * have changed, and always as a copy, because a process imports a file only once.
 */
export function createImportConfig(): ImportDefault {
  const imported = new Map<string, { readonly bytes: string; readonly value: Promise<unknown> }>()
  return (path, disk) => {
    const files = importedFiles(path, disk)
    const bytes = JSON.stringify(files.map((file) => [file, disk.hashOf(file)]))
    const before = imported.get(path)
    if (before?.bytes === bytes) return before.value
    const value = importCopy(path, files, disk)
    imported.set(path, { bytes, value })
    // It may have failed for another reason than its bytes.
    value.catch(() => imported.delete(path))
    return value
  }
}

async function importFile(path: string): Promise<unknown> {
  const module = await import(pathToFileURL(path).href)
  return module.default
}

/**
 * Imports a copy of a module and of the files that it imports. The copies are beside the files, so that all imports still
 * resolve. They have no types, because Node 20 cannot run TypeScript, and new names, because a process imports a file only once.
 */
async function importCopy(path: string, files: readonly string[], disk: Disk): Promise<unknown> {
  const { stripTypes } = await import('../source/program/required.js')
  const copies = new Map(files.filter(isCopied).map((file) => [file, copyOf(file)]))
  try {
    for (const [file, copy] of copies) {
      const text = disk.read(file) ?? ''
      const plain = isTypeScript(file) ? stripTypes(text) : text
      writeFileSync(copy, withCopies(plain, file, copies, disk), { flag: 'wx', mode: 0o600 })
    }
    return await importFile(copies.get(path) ?? path)
  } finally {
    for (const copy of copies.values()) rmSync(copy, { force: true })
  }
}

function isCopied(file: string): boolean {
  return /\.(?:[mc]?[jt]s|json)$/.test(file)
}

function isTypeScript(file: string): boolean {
  return /\.m?ts$/.test(file)
}

function copyOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomUUID()}${isTypeScript(file) ? '.mjs' : extname(file)}`)
}

const specifiers = /(\b(?:from|import|require)\s*\(?\s*(['"]))(\.\.?\/[^'"]+)(?=\2)/g

/** Returns a module and the files beside it that it imports, transitively: what its value depends on. */
function importedFiles(path: string, disk: Disk): string[] {
  const found = new Set([path])
  for (const file of found) {
    for (const [, , , specifier = ''] of (disk.read(file) ?? '').matchAll(specifiers)) {
      const imported = fileOf(specifier, file, disk)
      if (imported !== undefined) found.add(imported)
    }
  }
  return [...found]
}

/** Returns the text of a module with the paths of copies in its imports. */
function withCopies(text: string, from: string, copies: ReadonlyMap<string, string>, disk: Disk): string {
  return text.replace(specifiers, (whole, start: string, _quote, specifier: string) => {
    const copy = copies.get(fileOf(specifier, from, disk) ?? '')
    return copy === undefined ? whole : `${start}./${slashes(relative(dirname(from), copy))}`
  })
}

/** Resolves as TypeScript does: `./paths.js` and `./paths` may both be `./paths.ts`. */
function fileOf(specifier: string, from: string, disk: Disk): string | undefined {
  const path = resolve(dirname(from), specifier)
  const sources = /\.m?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [`${path}.ts`, `${path}.mts`]
  return [path, ...sources].find((file) => disk.isFile(file))
}
