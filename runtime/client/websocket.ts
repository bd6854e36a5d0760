/**
 * JSON-RPC over WebSocket for the typed client.
 *
 * @module
 */

import { CANCEL, unsubscribeOf } from '../description/system-names.js'
import { isReading, ReconnectingSocket, type WebSocketLike, type WebSocketOptions } from './connection.js'
import { RpcTransportError, receivedError, type TransportResponse, unexpected } from './errors.js'
import { type JsonMessage, json, readParsed } from './json.js'
import type { RpcRequest } from './members.js'
import type { RpcCall, Transport, TransportSettings } from './options.js'
import { type SubscribeOptions, type SubscribingClient, Subscriptions } from './subscriptions.js'

export type { ClosedConnection, WebSocketLike, WebSocketOptions } from './connection.js'
export type { SubscribeOptions, SubscribingClient } from './subscriptions.js'

/** A transport with a connection for one client. */
export interface WebSocketTransport extends Transport {
  /** Closes the connection. Running and further calls reject. */
  close(): void
  /**
   * Subscribes by a call of a client with this transport, and returns the items. The end of a `for await` unsubscribes. If the
   * connection is lost, the iterator throws an RpcTransportError, or with `resubscribe` waits for the next connection.
   *
   * @example
   * for await (const tick of transport.subscribe(client, client.$request.ticks('XAU'))) console.log(tick)
   */
  subscribe<Item>(
    client: SubscribingClient,
    request: RpcRequest<AsyncIterable<Item>>,
    options?: SubscribeOptions,
  ): AsyncIterableIterator<Item>
}

/**
 * Returns a transport for JSON-RPC 2.0 over WebSocket, for one client. The connection is opened by the first call, and again when it is
 * lost. A call whose connection is lost before its response rejects with an RpcTransportError; it is sent again only if the procedure
 * is idempotent. `fetch` and `init` of the client have no effect.
 *
 * @example
 * const transport = webSocket({ onNotification: (method, params) => console.log(method, params) })
 * const client = createClient<JsonProcedures>('wss://example.org/rpc', { transport })
 * @throws TypeError from a call: the URL is not a ws(s) URL or has credentials, the client has `headers` (browsers cannot set them on a
 * WebSocket), the platform has no WebSocket, or another client uses the transport
 */
export function webSocket(options: WebSocketOptions = {}): WebSocketTransport {
  // What the function throws is reported by the platform, and ends no connection: a response may follow.
  const subscriptions = new Subscriptions((method, params) => {
    queueMicrotask(() => options.onNotification?.(method, params))
  })
  const calls = new PendingCalls(options.cancel ?? true, subscriptions.methods)
  const connection = new ReconnectingSocket(options, {
    receive: (message, socket, characters) => receive({ message, socket, characters }, calls, subscriptions),
    lose: (error, willReconnect) => {
      calls.lose(error)
      subscriptions.lose(error, willReconnect)
    },
    reopen: () => subscriptions.reopen(),
  })
  return {
    ...json,
    exchange: async (body, sent, settings, signal) => {
      checkHeaders(settings)
      let socket: WebSocketLike
      // It may be lost before this function continues.
      do socket = await connection.open(settings)
      while (!connection.has(socket))
      signal.throwIfAborted()
      const sentAt = performance.now()
      signal.addEventListener('abort', () => connection.doubt(socket, sentAt), { once: true })
      const value = await calls.start(sent, signal, socket, body)
      return { url: settings.url, ok: true, bytes: new Uint8Array(), text: '', value } satisfies SocketResponse
    },
    read: (response, sent, batch, settings) => {
      const outcomes = readParsed((response as SocketResponse).value, response, sent, batch, settings)
      return outcomes.map((outcome, i) =>
        subscriptions.methods.has(sent[i]?.method ?? '') && isNoId(outcome)
          ? unexpected(response, 'the result is not the id of a subscription')
          : outcome,
      )
    },
    end: (call) => calls.end(call),
    close: () => connection.close(),
    subscribe: <Item>(
      client: SubscribingClient,
      request: RpcRequest<AsyncIterable<Item>>,
      how: SubscribeOptions = {},
    ) => subscriptions.subscribe(client, request, how) as AsyncIterableIterator<Item>,
  }
}

/** True for a result that is not an id. The outcome of a notification is undefined. */
function isNoId(outcome: unknown): boolean {
  return !(outcome instanceof Error || /^(?:string|number|undefined)$/.test(typeof outcome))
}

/** The response to one message, parsed. */
interface SocketResponse extends TransportResponse {
  readonly value: unknown
}

function checkHeaders({ headers }: TransportSettings): void {
  if (headers.some((source) => typeof source === 'function' || [...new Headers(source)].length > 0)) {
    throw new TypeError(
      'webSocket(): the client has headers or auth, which a WebSocket cannot send: use the option connect, or a cookie',
    )
  }
}

/** A message that waits for its response. */
interface PendingCall {
  resolve(value: unknown): void
  reject(error: unknown): void
}

class PendingCalls {
  readonly #byId = new Map<unknown, PendingCall>()
  /** Where the calls were sent whose response has not arrived. */
  readonly #sent = new Map<RpcCall, WebSocketLike>()
  /** Calls that have ended; their batch may be sent later. */
  readonly #ended = new WeakSet<RpcCall>()
  /** The calls of subscriptions that have ended without a response, by their ids. */
  readonly #late = new Map<unknown, RpcCall>()
  readonly #mayCancel: boolean
  readonly #subscriptions: ReadonlySet<string>

  /** @param subscriptions the procedures whose calls subscribe */
  constructor(mayCancel: boolean, subscriptions: ReadonlySet<string>) {
    this.#mayCancel = mayCancel
    this.#subscriptions = subscriptions
  }

  /** Sends calls and resolves with the response; with null immediately if all are notifications. */
  async start(calls: readonly RpcCall[], signal: AbortSignal, socket: WebSocketLike, body: string): Promise<unknown> {
    const ids = calls.flatMap(({ id }) => id ?? [])
    if (ids.some((id) => this.#byId.has(id))) throw new TypeError('webSocket(): one transport cannot serve two clients')
    socket.send(body)
    for (const call of calls) {
      if (call.id !== undefined) this.#sent.set(call, socket)
      if (this.#ended.has(call)) this.end(call)
    }
    if (ids.length === 0) return null
    try {
      return await new Promise((resolve, reject) => {
        const settle = (value: unknown) => {
          for (const call of calls) this.#sent.delete(call)
          resolve(value)
        }
        const call = { resolve: settle, reject }
        for (const id of ids) this.#byId.set(id, call)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    } finally {
      for (const id of ids) this.#byId.delete(id)
    }
  }

  /** A call has ended: if its response has not arrived, the server need not continue. */
  end(call: RpcCall): void {
    const socket = this.#sent.get(call)
    this.#sent.delete(call)
    this.#ended.add(call)
    if (socket && this.#subscriptions.has(call.method)) this.#late.set(call.id, call)
    if (this.#mayCancel) socket?.send(`{"jsonrpc":"2.0","method":"${CANCEL}","params":{"id":${call.id}}}`)
  }

  /** The connection is lost, and with it all calls. */
  lose(error: RpcTransportError): void {
    this.#sent.clear()
    this.#late.clear()
    this.#fail(error)
  }

  /** Settles the call of an id; false if none waits for it. */
  settle(id: unknown, value: unknown): boolean {
    const call = this.#byId.get(id)
    call?.resolve(value)
    return call !== undefined
  }

  /** Ends what a call has begun that was given up, such as by its time limit, when the server had sent the response. */
  endLate({ id, result }: JsonMessage, socket: WebSocketLike): void {
    const call = this.#late.get(id)
    if (!call) return
    this.#late.delete(id)
    if (result !== undefined) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: unsubscribeOf(call.method), params: [result] }))
    }
  }

  /** Settles the only call with a response that has no matching id; rejects all if there are several. */
  settleUnmatched(value: unknown, error: RpcTransportError): void {
    const [only, ...more] = new Set(this.#byId.values())
    if (only && more.length === 0) only.resolve(value)
    else this.#fail(error)
  }

  #fail(error: RpcTransportError): void {
    for (const call of new Set(this.#byId.values())) call.reject(error)
  }
}

/** The longest id of a server that is returned to it. */
const MAX_ID = 1000

/** A message, the socket that it came over, and its size. */
interface Received {
  readonly message: unknown
  readonly socket: WebSocketLike
  readonly characters: number
}

/** Returns why the connection has to be closed; undefined if it is not. */
function receive(
  { message, socket, characters }: Received,
  calls: PendingCalls,
  subscriptions: Subscriptions,
): string | undefined {
  const entries: readonly (JsonMessage | null | undefined)[] = Array.isArray(message) ? message : [message]
  const size = characters / entries.length
  for (const entry of entries) {
    const { id, method, params } = entry ?? {}
    if (typeof method === 'string') {
      if (id !== undefined) reject(id, socket)
      else subscriptions.receive(method, params, size)
      continue
    }
    // A batch has one response. A response that no call waits for belongs to an aborted one.
    if (calls.settle(id, message)) break
    if (entry) calls.endLate(entry, socket)
    if (id === null && entry?.error != null)
      calls.settleUnmatched(message, unmatched(socket, entry.error as JsonMessage))
  }
  return subscriptions.hasTooMany ? 'too many notifications before the id of their subscription' : undefined
}

/** A client has no procedures. No response to an id that is not one, or too long to be one, or while the server does not read. */
function reject(id: unknown, socket: WebSocketLike): void {
  const isId = Number.isFinite(id) || (typeof id === 'string' && id.length <= MAX_ID)
  if (!isId || !isReading(socket)) return
  socket.send(JSON.stringify({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id }))
}

function unmatched({ url = '' }: WebSocketLike, error: JsonMessage): RpcTransportError {
  const { code, message } = receivedError(error.code, error.message, undefined, {})
  return new RpcTransportError(`an error without the id of a call: ${code} ${message}`, { url })
}
