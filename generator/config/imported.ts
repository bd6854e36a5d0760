import { dirname, resolve } from 'node:path'
import type { Disk } from '../disk.js'

const specifiers = /\b(?:from|import|require)\s*\(?\s*(['"])(\.\.?\/[^'"]+)\1/g

/** A module and the modules beside it that it imports, those of these included: what its value is made of. */
export function importedFiles(path: string, disk: Disk): string[] {
  const found = new Set([path])
  for (const file of found) {
    for (const [, , specifier = ''] of (disk.read(file) ?? '').matchAll(specifiers)) {
      const imported = resolve(dirname(file), specifier)
      if (disk.isFile(imported)) found.add(imported)
    }
  }
  return [...found]
}
