import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Compiles api.ts. */
export function compileApi(): Promise<Manifest> {
  return compileIn(temporaryFolder('page'), 'api.ts')
}

/** Compiles a file of this folder in another one, where what was generated stays: `rpc.gen.ts` and `client.gen.ts`. */
export function compileIn(folder: string, name: string): Promise<Manifest> {
  return compileModule(folder, name, readFileSync(at(name), 'utf8'), { client: 'client.gen.ts' })
}

/** An app on a free port. */
export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Serves it. */
export function startApp(app: Hono): Promise<Served> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }: AddressInfo) => {
      const stop = () => new Promise<void>((done) => server.close(() => done()))
      resolve({ url: `http://127.0.0.1:${port}`, stop })
    })
  })
}
