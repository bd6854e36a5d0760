import type { AddressInfo } from 'node:net'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { Hono } from 'hono'
import { webSocket } from 'rpc-gen/websocket'
import { WebSocketServer } from 'ws'
import { app, strict } from './app.js'

export interface Serving {
  /** `http://127.0.0.1:` and a free port. */
  readonly url: string
  stop(): Promise<void>
}

/** Blocks, as Ethereum's clients subscribe to them. */
async function* newHeads(_kind: string): AsyncGenerator<{ number: string }> {
  for (const number of ['0x2b', '0x2c']) yield { number }
}

/**
 * Serves the app on a port, in a zone in which a date that is read as local differs; with WebSocket at `/rpc` only where it is
 * needed: Node's adapter then does not respond to `Upgrade: h2c`, which curl sends.
 */
export async function startServing(options: { readonly withWebSocket?: boolean } = {}): Promise<Serving> {
  process.env['TZ'] = 'Asia/Kathmandu'
  if (new Date(0).getHours() !== 5) throw new Error('the zone of the server could not be set')
  if (options.withWebSocket) {
    strict.registerProcedure(newHeads, { name: 'eth_subscribe', unchecked: true, subscription: true })
  }
  const { fetch } = new Hono().get('/rpc', upgradeWebSocket(webSocket(strict))).route('/', app)
  // Under exactOptionalPropertyTypes the types of ws do not fit those of the adapter.
  const websocket = { server: new WebSocketServer({ noServer: true }) as never }
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0, ...(options.withWebSocket && { websocket }) })
  if (!server.listening) await new Promise<void>((resolve) => void server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
