import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, runQuietly, tool } from '../run.mjs'
import { startServer } from './serving.mjs'

const folder = join(root, 'fixtures/showcase')

/** Generates fixtures/showcase/rpc.gen.ts; dist/ has to exist. */
export function generateShowcase() {
  runQuietly('dist/generator/cli.cjs', 'fixtures/showcase/procedures')
}

/** Compiles the generated showcase. */
export function compileShowcase() {
  // Node 20 cannot run TypeScript. The output is inside the package, so that `rpc-gen` in it refers to this package.
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  runQuietly(tool.tsc, '-p', 'fixtures/showcase/tsconfig.json')
}

export function prepareShowcase() {
  generateShowcase()
  compileShowcase()
}

/** Serves the prepared showcase; `port` 0, the default, is any free one. */
export function startShowcase(options) {
  return startServer(join(folder, 'dist/serve.js'), { cwd: root, ...options })
}
