/**
 * Serves JSON-RPC over WebSocket, on every host that Hono upgrades connections on.
 *
 * @module
 */

import type { Context } from 'hono'
import type { WSContext, WSMessageReceive } from 'hono/ws'
import type { LocalContext } from '../call/types.js'
import { HonoHttpRequest } from '../http/hono.js'
import { completeOptions } from '../option-table.js'
import { type RpcServer, settingsOf } from '../server/server.js'
import { Connection, UpgradeRequest } from './connection.js'
import { checkOrigin, checkOrigins, heartbeatsOf, optionTableOf, type WebSocketOptions } from './options.js'
import { keepAlive } from './socket.js'

export type { AllowedOrigins, ConnectionLimits, WebSocketOptions } from './options.js'

/** What Hono's `upgradeWebSocket` accepts: called with the context of the request, it returns the handlers of the connection. */
export type CreateEvents = (c: Context) => ConnectionEvents

/** The handlers of one connection. */
export interface ConnectionEvents {
  /** The connection is open. Not every host calls it. */
  // biome-ignore lint/suspicious/noExplicitAny: the socket of the host, which differs from adapter to adapter
  onOpen?(event: Event, ws: WSContext<any>): void
  /** A message has arrived. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onMessage?(event: MessageEvent<WSMessageReceive>, ws: WSContext<any>): void
  /** The connection is closed. */
  onClose?(): void
  /** The connection has failed, which ends it. */
  onError?(): void
}

/**
 * Returns what Hono's `upgradeWebSocket` of any host accepts. Each message is a request, a notification or a batch of JSON-RPC 2.0;
 * calls of a connection run at the same time, and their responses are sent as they end.
 *
 * `context.request` is the request of the upgrade; its `signal`, and that of every running call, aborts when the connection is
 * closed. `context.notify` sends notifications to the client. `context.transport` is `'websocket'`.
 *
 * @example
 * app.get('/rpc', upgradeWebSocket(webSocket(server)))
 * @throws TypeError if the server does not accept JSON-RPC, or for an option with a wrong value
 * @throws RangeError for a limit that is not a positive integer
 * @throws Error if the registrations of the server conflict
 */
export function webSocket(server: RpcServer, options: WebSocketOptions = {}): CreateEvents {
  const settings = settingsOf(server)
  const complete = completeOptions(options, 'webSocket', optionTableOf(settings.limits))
  const { limits, origins, pingMs, reauthorizeMs } = complete
  checkOrigins(origins)
  const heartbeatTexts = heartbeatsOf(complete)
  const own = { limits, reauthorizeMs, heartbeatTexts }
  if (!settings.protocols.includes('json-rpc')) {
    throw new TypeError('webSocket: the server does not accept JSON-RPC, the only protocol over WebSocket')
  }
  return (c) => {
    if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') return {}
    checkOrigin(c.req, origins)
    const closing = new AbortController()
    const { headers } = c.req.raw
    const context = {
      // A copy: hosts reuse the request of an upgrade, or abort its signal for other reasons.
      request: new Request(c.req.url, { headers, signal: closing.signal }),
      honoContext: c,
      env: c.env,
      executionContext: new HonoHttpRequest(c).executionContext,
    } as LocalContext & { readonly request: Request }
    const upgrade = new UpgradeRequest(context, reauthorizeMs)
    const connection = new Connection(() => settingsOf(server), upgrade, own, closing)
    return eventsOf(connection, pingMs)
  }
}

/** Not every host reports that a connection is open: it is attached with its first event. */
function eventsOf(connection: Connection, pingMs: number): ConnectionEvents {
  let stop: (() => void) | undefined
  const end = () => {
    stop?.()
    connection.end()
  }
  const attach = (ws: WSContext) => {
    connection.attach(ws)
    stop ??= keepAlive(ws.raw, pingMs)
  }
  return {
    onOpen: (_, ws) => attach(ws),
    onMessage: ({ data }, ws) => {
      attach(ws)
      connection.receive(data)
    },
    onClose: end,
    onError: end,
  }
}
