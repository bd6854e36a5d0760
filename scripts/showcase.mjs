import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, tool } from './run.mjs'
import { startServer } from './serving.mjs'

const folder = join(root, 'fixtures/showcase')

/** Generates fixtures/showcase/rpc.gen.ts and compiles the showcase; dist/ has to exist. */
export function prepareShowcase() {
  run('dist/generator/cli.cjs', 'fixtures/showcase/procedures')
  // Node 20 cannot run TypeScript. The output is inside the package, so that `rpc-gen` in it refers to this package.
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  run(tool.tsc, '-p', 'fixtures/showcase/tsconfig.json')
}

/** Serves the prepared showcase; `port` 0, the default, is any free one. */
export function startShowcase(options) {
  return startServer(join(folder, 'dist/serve.js'), { cwd: root, ...options })
}
