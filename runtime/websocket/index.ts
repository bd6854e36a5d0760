/**
 * Serves JSON-RPC over WebSocket, on every host that Hono upgrades connections on.
 *
 * @module
 */

import type { Context } from 'hono'
import type { WSContext, WSMessageReceive } from 'hono/ws'
import { completeOptions, interval, type OptionTable, shortText, unchecked } from '../call/options.js'
import type { LocalContext } from '../call/types.js'
import { HonoHttpRequest } from '../http/hono.js'
import { type RpcServer, settingsOf } from '../server/server.js'
import { isStruct } from '../values/predicates.js'
import { Connection, MAX_HEARTBEAT } from './connection.js'
import { type ConnectionLimits, completeConnectionLimits } from './limits.js'
import { type AllowedOrigins, checkOrigin, checkOrigins } from './origin.js'
import { keepAlive } from './socket.js'
import { Upgrade } from './upgrade.js'

export type { ConnectionLimits } from './limits.js'
export type { AllowedOrigins } from './origin.js'

/** Options of `webSocket`; everything has a default. */
export interface WebSocketOptions {
  /**
   * Texts that clients send as heartbeats, with the reply to each; null for none: `{ ping: 'pong', pong: null, '': null }`. They are not
   * JSON-RPC, and are not calls; a text is matched as a whole, and has at most 1000 characters. Default: none.
   */
  readonly heartbeatTexts?: Readonly<Record<string, string | null>>
  /** Limits of each connection, listed below. `limits` of the server apply to messages and calls as over HTTP. Default: the default of each. */
  readonly limits?: Partial<ConnectionLimits>
  /**
   * The origins of the pages that may connect, such as `https://example.org`: browsers do not ask the server before they connect
   * across origins, and send its cookies. A request without `Origin` is not from a browser, and accepted. Default `'same'`: the
   * host of the request; `'*'` for every origin.
   */
  readonly origins?: AllowedOrigins
  /**
   * Milliseconds between pings on Node, where a client that has not replied by the next one is disconnected; 0 for none. Bun, Deno
   * and Workers ping by themselves. Default 30,000.
   */
  readonly pingMs?: number
  /**
   * Milliseconds after which the predicates of a running subscription are called again; if they do not authorise its caller any more, it ends with
   * the error -32098, or -32099 if a later rule of `{ all }` rejects the caller. `context.request` is another Request object then, also for later
   * calls, so that `oncePerRequest` calls its predicate again. 0 for never. Default 60,000.
   */
  readonly reauthorizeMs?: number
}

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
 * @throws RangeError for a limit that is not a positive number
 * @throws Error if the registrations of the server conflict
 */
export function webSocket(server: RpcServer, options: WebSocketOptions = {}): CreateEvents {
  const complete = completeOptions<Required<WebSocketOptions>>(options, 'webSocket', optionTable)
  const { origins, pingMs, reauthorizeMs } = complete
  checkOrigins(origins)
  const heartbeatTexts = heartbeatsOf(complete)
  const settings = settingsOf(server)
  const limits = completeConnectionLimits(complete.limits, settings.limits)
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
    const upgrade = new Upgrade(context, reauthorizeMs)
    const connection = new Connection(() => settingsOf(server), upgrade, own, closing)
    return eventsOf(connection, pingMs)
  }
}

const optionTable: OptionTable<WebSocketOptions> = {
  heartbeatTexts: { initial: {}, expected: 'an object of texts and replies', accepts: isStruct },
  limits: unchecked({}),
  origins: unchecked('same'),
  pingMs: interval(30_000),
  reauthorizeMs: interval(60_000),
}

function heartbeatsOf({ heartbeatTexts }: Required<WebSocketOptions>): ReadonlyMap<string, string | null> {
  for (const [text, reply] of Object.entries(heartbeatTexts)) {
    const option = `webSocket: heartbeatTexts[${shortText(text)}]`
    if (text.length > MAX_HEARTBEAT) throw new TypeError(`${option}: more than ${MAX_HEARTBEAT} characters`)
    if (reply !== null && typeof reply !== 'string') {
      throw new TypeError(`${option} is ${shortText(reply)}, expected the reply, a string, or null for none`)
    }
  }
  return new Map(Object.entries(heartbeatTexts))
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
