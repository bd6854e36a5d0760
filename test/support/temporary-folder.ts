import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

/** A new, empty folder, by its real path. It is removed after the run. */
export function temporaryFolder(purpose: string): string {
  const all = process.env['RPC_GEN_TEST_FOLDER']
  if (all === undefined) throw new Error('temporaryFolder needs the global set-up of vitest.config.ts')
  return mkdtempSync(join(all, `${purpose}-`))
}
