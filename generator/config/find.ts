import { dirname, join } from 'node:path'
import type { Disk } from '../disk.js'

const names = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

/**
 * The configuration that counts in a folder: the nearest one there or above, up to the package that the folder lies in.
 * Undefined when there is none.
 */
export function findConfig(folder: string, disk: Disk): string | undefined {
  const found = names.map((name) => join(folder, name)).find((path) => disk.isFile(path))
  if (found !== undefined) return found
  const packageFile = join(folder, 'package.json')
  const text = disk.read(packageFile)
  if (text !== undefined) return hasOwnSection(text) ? packageFile : undefined
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above, disk)
}

function hasOwnSection(text: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(text)
  } catch {
    return false
  }
}
