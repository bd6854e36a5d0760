import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run a cache folder of its own: no test reads or writes that of the developer. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-cache-'))
  process.env['XDG_CACHE_HOME'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
