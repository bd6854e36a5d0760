import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { Hono } from 'hono'
import type { RpcServer } from 'rpc-gen'
import { type WebSocketOptions, webSocket } from 'rpc-gen/websocket'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'

/** A server of WebSocket on a free port, by Node's adapter. */
export interface ServingWebSocket {
  /** `ws://127.0.0.1:…/rpc`. */
  readonly url: string
  /** The connections as the server has them. */
  readonly sockets: ReadonlySet<WebSocket>
  connect(options?: ClientOptions): Promise<Peer>
  stop(): Promise<void>
}

/** @param app with middleware in front of the server */
export async function serveWebSocket(
  server: RpcServer,
  options: WebSocketOptions = {},
  app = new Hono(),
): Promise<ServingWebSocket> {
  app.get('/rpc', upgradeWebSocket(webSocket(server, options)))
  app.route('/rpc', server.router())
  const wss = new WebSocketServer({ noServer: true })
  // Under exactOptionalPropertyTypes the types of ws do not fit those of the adapter.
  const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, websocket: { server: wss as never } })
  if (!listening.listening) await once(listening, 'listening')
  const url = `ws://127.0.0.1:${(listening.address() as AddressInfo).port}/rpc`
  return {
    url,
    sockets: wss.clients,
    connect: (options) => Peer.open(new WebSocket(url, options)),
    async stop() {
      for (const socket of wss.clients) socket.terminate()
      await new Promise<void>((resolve) => void listening.close(() => resolve()))
    },
  }
}

/** The other end of a connection, message by message. */
export class Peer {
  readonly socket: WebSocket
  readonly closed: Promise<readonly [code: number, reason: string]>
  /** What was received and not yet read. */
  readonly received: unknown[] = []
  #wake = () => {}

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve([code, `${reason}`]))
    })
    socket.on('message', (data) => {
      this.received.push(JSON.parse(`${data}`))
      this.#wake()
    })
  }

  /** Rejects if the connection is not accepted. */
  static async open(socket: WebSocket): Promise<Peer> {
    const peer = new Peer(socket)
    await once(socket, 'open')
    return peer
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  }

  call(id: number, method: string, ...params: unknown[]): void {
    this.send({ jsonrpc: '2.0', method, params, id })
  }

  /** Returns the next message. */
  async next(): Promise<unknown> {
    while (this.received.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.received.shift()
  }

  close(): void {
    this.socket.close()
  }
}
