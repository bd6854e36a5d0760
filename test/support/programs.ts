import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './install.js'
import { root } from './paths.js'

/** Where the runtimes beside Node are installed, and the programs that the tests start under them. */
export const runtimes = join(root, 'test/clients/runtimes')

const notInstalled = await install(runtimes)

/** A program of a package for this platform, whose own script, which would link it, is not run. */
function find(scope: string, ...path: string[]): string | undefined {
  const at = join(runtimes, 'node_modules', scope)
  const packages = existsSync(at) ? readdirSync(at) : []
  return packages.map((name) => join(at, name, ...path)).find(existsSync)
}

export const bun = find('@oven', 'bin', 'bun')
export const deno = find('@deno', 'deno')
export const workerd = find('@cloudflare', 'bin', 'workerd')
export const esbuild = find('@esbuild', 'bin', 'esbuild')

/** Why a program is not here; undefined when it is. */
export function missingProgram(program: string | undefined): string | undefined {
  if (program) return undefined
  return notInstalled ?? `runtimes/package.json lists none for ${process.platform} ${process.arch}`
}
