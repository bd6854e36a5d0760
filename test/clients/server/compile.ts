import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuildFresh } from '../../../scripts/fresh.mjs'
import { mustRun } from '../../run.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Compiles the app, for what runs no TypeScript; answers where its JavaScript is. `rpc-gen` in it is dist/. */
export async function compileApp(): Promise<string> {
  if (!isBuildFresh()) throw new Error('dist/ is missing or older than the sources: run `npm run build` first')
  const folder = join(root, 'test/clients/server')
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  // The types are checked with those of all tests.
  await mustRun(root, process.execPath, 'node_modules/typescript/bin/tsc', '-p', folder, '--noCheck')
  return join(folder, 'dist/test/clients/server/app.js')
}
