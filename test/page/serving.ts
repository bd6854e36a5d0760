import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Compiles api.ts. */
export function compileApi(): Promise<Manifest> {
  return compileIn(temporaryFolder('page'), 'api.ts')
}

/** Compiles a file of this folder in another one, where what was generated stays: `rpc.gen.ts` and `client.gen.ts`. */
export function compileIn(folder: string, name: string): Promise<Manifest> {
  return compileModule(folder, name, readFileSync(join(import.meta.dirname, name), 'utf8'), { client: 'client.gen.ts' })
}
