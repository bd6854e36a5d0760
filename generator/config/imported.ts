import { dirname, resolve } from 'node:path'
import type { Disk } from '../disk.js'

const specifiers = /(\b(?:from|import|require)\s*\(?\s*(['"]))(\.\.?\/[^'"]+)(?=\2)/g

/** A module and the modules beside it that it imports, those of these included: what its value is made of. */
export function importedFiles(path: string, disk: Disk): string[] {
  const found = new Set([path])
  for (const file of found) {
    for (const [, , , specifier = ''] of (disk.read(file) ?? '').matchAll(specifiers)) {
      const imported = fileOf(specifier, file, disk)
      if (imported !== undefined) found.add(imported)
    }
  }
  return [...found]
}

/** The text of a module with other specifiers for those of its imports for which `rewrite`, given the file, has one. */
export function withImports(
  text: string,
  from: string,
  rewrite: (file: string) => string | undefined,
  disk: Disk,
): string {
  return text.replace(specifiers, (whole, start: string, _quote, specifier: string) => {
    const imported = fileOf(specifier, from, disk)
    const other = imported === undefined ? undefined : rewrite(imported)
    return other === undefined ? whole : start + other
  })
}

/** As TypeScript finds it: `./paths.js` may stand for `./paths.ts`, and so may `./paths`. */
function fileOf(specifier: string, from: string, disk: Disk): string | undefined {
  const path = resolve(dirname(from), specifier)
  const sources = /\.m?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [`${path}.ts`, `${path}.mts`]
  return [path, ...sources].find((file) => disk.isFile(file))
}
