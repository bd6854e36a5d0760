import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run one folder for everything temporary, with its own cache; both are removed at the end. */
export function setup(): (() => void) | undefined {
  // It is called for each lane.
  if (process.env['RPC_GEN_TEST_FOLDER'] !== undefined) return undefined
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rpc-gen-tests-')))
  // Tests run commands as other users too.
  chmodSync(folder, 0o755)
  process.env['RPC_GEN_TEST_FOLDER'] = folder
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  process.env['XDG_CACHE_HOME'] = cache
  return () => rmSync(folder, { recursive: true, force: true })
}
