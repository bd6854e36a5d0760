import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
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

/** An app that is served on a free port, with its WebSockets. */
export interface Served {
  readonly origin: string
  close(): void
}

/** Serves it. */
export async function serveSockets(app: Hono): Promise<Served> {
  const sockets = new WebSocketServer({ noServer: true })
  // Under exactOptionalPropertyTypes the types of ws do not fit those of the adapter.
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, websocket: { server: sockets as never } })
  if (!server.listening) await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const each of sockets.clients) each.terminate()
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    },
  }
}
