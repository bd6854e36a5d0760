import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { RpcServer } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'

/** A server that listens, and how it is ended. */
export interface Listening {
  readonly server: Server
  readonly origin: string
  /** `/rpc` of it. */
  readonly url: string
  readonly port: number
  close(): void
}

/** Listens on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const origin = `http://127.0.0.1:${port}`
  return { server, port, origin, url: `${origin}/rpc`, close }
}

/** Serves an app on a free port of this machine, by Hono's adapter for Node. */
export function serveApp(app: Hono): Promise<Listening> {
  return listen(getRequestListener(app.fetch))
}

/** Sends a request to `/rpc`, and a way to end what it is sent to. */
export interface EntryPoint {
  request(init: RequestInit): Promise<Response>
  close(): void
}

async function overPort(listener: RequestListener): Promise<EntryPoint> {
  const { url, close } = await listen(listener)
  return { request: (init) => fetch(url, init), close }
}

const nothing = () => {}

/** The entry points of HTTP, by name. */
export const entryPoints: Readonly<Record<string, (server: RpcServer) => Promise<EntryPoint>>> = {
  Hono: async (server) => {
    const app = new Hono().route('/rpc', server.router())
    return { request: async (init) => app.request('/rpc', init), close: nothing }
  },
  fetch: async ({ fetch }) => ({
    request: async (init) => fetch(new Request('http://localhost/rpc', init)),
    close: nothing,
  }),
  nodeHandler: (server) => overPort(nodeHandler(server)),
  '@hono/node-server': (server) => overPort(getRequestListener(new Hono().route('/rpc', server.router()).fetch)),
}
