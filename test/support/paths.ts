import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this project. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const declared: Readonly<Record<string, readonly [string]>> = JSON.parse(
  readFileSync(join(root, 'tsconfig.paths.json'), 'utf8'),
).compilerOptions.paths

/** The entry points in their sources, as `paths` of a tsconfig wants them: absolute, so that any folder can use them. */
export const paths: Record<string, string[]> = Object.fromEntries(
  Object.entries(declared).map(([name, [path]]) => [name, [join(root, path)]]),
)

/** Options of a strict project without the types of Node, as a tsconfig has them. */
export const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [] as string[],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  // Those of the sources.
  jsx: 'react-jsx',
  jsxImportSource: 'hono/jsx',
  paths,
}
