import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runQuietly } from '../run.mjs'
import { step } from '../step.mjs'

const sources = [
  'runtime',
  'generator',
  'templates',
  'scripts/build/build.mjs',
  'scripts/build/types.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.paths.json',
]

/** Builds dist/ unless it is fresh. */
export function buildWhenStale() {
  if (!isBuildFresh()) step('Building dist/', () => runQuietly('scripts/build/build.mjs'))
}

/** True if dist/ contains everything that package.json lists and is newer than every source that it was made from. */
export function isBuildFresh() {
  const dist = join(root, 'dist')
  if (!existsSync(dist) || !promised().every((path) => existsSync(join(root, path)))) return false
  const built = filesUnder(dist).map((path) => statSync(path).mtimeMs)
  const written = sources.flatMap((path) => filesUnder(join(root, path))).map((path) => statSync(path).mtimeMs)
  return Math.max(...written) < Math.min(...built)
}

/** The paths in `exports` and `bin`. */
function promised() {
  const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const paths = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(paths))
  return [...paths(exports), ...paths(bin)]
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesUnder(join(path, entry.name)))
}
