import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const names = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

/**
 * The configuration that counts in a folder: the nearest one there or above, up to the package that the folder lies in.
 * Undefined when there is none.
 */
export function findConfig(folder: string): string | undefined {
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  const packageFile = join(folder, 'package.json')
  if (existsSync(packageFile)) return hasOwnSection(packageFile) ? packageFile : undefined
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}

function hasOwnSection(packageFile: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(readFileSync(packageFile, 'utf8'))
  } catch {
    return false
  }
}
