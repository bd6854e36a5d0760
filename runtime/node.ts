/**
 * Serves rpc-gen from node:http, node:http2's compatibility API, Express, Connect, Fastify and Koa.
 *
 * @module
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Awaitable, isPending } from './call/maybe-async.js'
import { readIncoming } from './http/body.js'
import { methodNotAllowed, respondToGet, respondToPost } from './http/endpoint.js'
import { type Body, type BodyOptions, type HttpRequest, type HttpResponse, plainText } from './http/message.js'
import { type NodeHost, type ParsedMessage, toSend } from './http/node-requests.js'
import { BodyConsumedError, parsedBody } from './http/parsed-body.js'
import { LINGER_MS } from './http/read-stream.js'
import { completeOptions, flag, interval, type OptionTable } from './option-table.js'
import { sequentialSettings } from './options.js'
import { type RpcServer, settingsOf } from './server/server.js'
import { hasHostLength, MAX_HOST_LENGTH } from './values/url.js'

type Incoming = IncomingMessage | Http2ServerRequest
type Outgoing = ServerResponse | Http2ServerResponse

/**
 * A request listener of Node, and middleware of Express and Connect. `next` gets the requests that are not served, and errors
 * that are not those of a call.
 */
export type NodeHandler = (incoming: Incoming, outgoing: Outgoing, next?: (error?: unknown) => void) => void

/** The type of `context.env` on Node, the same as in Hono's Node server: `RpcContext<{ Bindings: NodeBindings }>`. */
export interface NodeBindings {
  readonly incoming: Incoming
  readonly outgoing: Outgoing
}

/** Options of `nodeHandler`; everything has a default. */
export interface NodeHandlerOptions {
  /** Whether the entries of a batch or a multicall run one after another. Default false. */
  readonly sequential?: boolean
  /**
   * Milliseconds after which a connection is closed whose client reads nothing of a response that waits for it; 0 for none. A client that
   * reads slowly is not disconnected. Default 60,000.
   */
  readonly sendTimeoutMs?: number
}

const optionTable: OptionTable<NodeHandlerOptions, Required<NodeHandlerOptions>> = {
  sequential: flag(false),
  sendTimeoutMs: interval(60_000),
}

/**
 * Returns a request listener for a server, on every path that it is mounted at. It responds to POST, and to GET with the docs page,
 * `openrpc.json` or a redirect if the server has one. A request with another method is passed to `next`, as in Express; without `next`
 * its response is 405.
 *
 * If middleware has read the body, `req.rawBody` or `req.body` is used. A body that is too large gets 413 while it
 * is still arriving; the rest of it is discarded for up to five seconds, then the connection is closed. If the listener is also
 * registered for `checkContinue`, it rejects such a request before the client sends its body.
 *
 * @example
 * createServer(nodeHandler(server)).listen(8080)
 * @example
 * express().use('/rpc', nodeHandler(server))
 * @throws TypeError for an option that does not exist or has a wrong value
 * @throws RangeError if `sendTimeoutMs` is negative or too large
 * @throws Error if the registrations of the server conflict
 */
export function nodeHandler(server: RpcServer, options: NodeHandlerOptions = {}): NodeHandler {
  const { sequential, sendTimeoutMs } = completeOptions(options, 'nodeHandler', optionTable)
  settingsOf(server)
  return (incoming, outgoing, next) => {
    const request = new NodeHttpRequest(incoming, outgoing, sendTimeoutMs)
    // The errors of the host end here: all that are not those of a call or its request, such as registrations that conflict.
    const passToHost = (error: unknown) => (next ? next(error) : sendInternalError(incoming, outgoing, error))
    const sendWhenReady = (response: Awaitable<HttpResponse>) => {
      if (isPending(response)) return void response.then((ready) => send(request, ready)).then(undefined, passToHost)
      try {
        send(request, response)
      } catch (error) {
        passToHost(error)
      }
    }
    try {
      const settings = sequential ? sequentialSettings(settingsOf(server)) : settingsOf(server)
      if (request.method === 'POST') return respondToPost(request, settings, sendWhenReady)
      const response = respondToGet(request, settings)
      if (!response && next) return next()
      sendWhenReady(response ?? methodNotAllowed(request, settings))
    } catch (error) {
      passToHost(error)
    }
  }
}

function sendInternalError(incoming: Incoming, outgoing: Outgoing, error: unknown): void {
  console.error(error)
  send(new NodeHttpRequest(incoming, outgoing), plainText(500, 'Internal Server Error'))
}

/** CANCEL (RFC 9113 section 7): the client learns that the response is not complete. */
const HTTP2_CANCEL = 8

/** Sends a response: a text in one piece, with its length, or a stream. */
function send(request: NodeHttpRequest, { status, headers, text, stream, variesByAccept }: HttpResponse): void {
  const { incoming } = request.env
  // The compatibility API of HTTP/2 has the same methods.
  const outgoing = request.env.outgoing as ServerResponse
  // The client has gone, or middleware has responded, for instance since the call took too long.
  if (outgoing.destroyed || outgoing.headersSent) return void stream?.cancel()
  const all: Record<string, string | number> = { ...headers }
  if (status !== 204 && status !== 304 && !stream) all['Content-Length'] = text === null ? 0 : Buffer.byteLength(text)
  if (variesByAccept) all['Vary'] = [outgoing.getHeader('Vary') ?? [], 'Accept'].flat().join(', ')
  const body = request.method === 'HEAD' ? '' : (text ?? '')
  if (status === 413 && !incoming.complete) {
    sendEarly(request, all, body)
  } else {
    if (request.awaitsContinue) all['Connection'] = 'close'
    outgoing.writeHead(status, all)
    if (stream) {
      sendStream(stream, outgoing, request.sendTimeoutMs)
    } else {
      outgoing.end(toSend(body))
      endIfUnread(outgoing, request.sendTimeoutMs)
    }
  }
}

function sendStream(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse, ms: number): void {
  void import('./http/events.js').then(({ writeStream }) => writeStream(stream, outgoing, ms, () => cancel(outgoing)))
}

/** Destroys a connection, or of HTTP/2 the stream. */
function cancel(outgoing: ServerResponse): void {
  const { stream } = outgoing as unknown as { readonly stream?: Http2ServerResponse['stream'] }
  if (stream) stream.close(HTTP2_CANCEL)
  else outgoing.destroy()
}

/**
 * Destroys a connection, or a stream of HTTP/2, that has a response to send and none of it is read. Node itself waits for ever. A timeout
 * that the application has set is kept.
 */
function endIfUnread(outgoing: ServerResponse, ms: number): void {
  // Not `writableFinished`: since Node 24 it is false until the next tick.
  if (ms === 0 || outgoing.writableLength === 0 || outgoing.socket?.timeout) return
  const { stream } = outgoing as unknown as { readonly stream?: Http2ServerResponse['stream'] }
  outgoing.setTimeout(ms, () => cancel(outgoing))
  if (stream) return
  const socket = outgoing.socket as (Socket & { readonly server?: Server }) | null
  // With a keepAliveTimeout node sets its own.
  if (!socket?.server?.keepAliveTimeout) outgoing.once('finish', () => socket?.setTimeout(0))
}

/**
 * Sends 413 while the body is still arriving. A connection that is closed with bytes unread is reset, and the client may
 * never see the response: so the rest is read, and discarded, for a while. Of HTTP/2 the stream alone is closed then.
 */
function sendEarly(request: NodeHttpRequest, headers: Record<string, string | number>, body: string): void {
  const { incoming } = request.env
  const outgoing = request.env.outgoing as ServerResponse
  const isHttp2 = incoming.httpVersionMajor >= 2
  outgoing.writeHead(413, isHttp2 ? headers : { ...headers, Connection: 'close' })
  if (isHttp2) outgoing.end(body)
  else outgoing.write(body)
  const close = () => {
    clearTimeout(timer)
    if (isHttp2) (incoming as Http2ServerRequest).stream.close()
    else outgoing.end()
  }
  // A client that waits for 100 has sent nothing.
  const timer = setTimeout(close, request.awaitsContinue ? 0 : LINGER_MS)
  incoming.once('end', close).once('close', close).resume()
}

/** A request of node:http or of the compatibility API of node:http2. */
class NodeHttpRequest implements HttpRequest {
  readonly honoContext = undefined
  readonly executionContext = undefined
  readonly nonce = undefined
  readonly method: string
  readonly env: NodeBindings
  readonly node: NodeHost
  /** The option of `nodeHandler`. */
  readonly sendTimeoutMs: number
  #request: Request | undefined

  constructor(incoming: Incoming, outgoing: Outgoing, sendTimeoutMs = 0) {
    this.sendTimeoutMs = sendTimeoutMs
    this.method = incoming.method ?? 'GET'
    this.env = { incoming, outgoing }
    this.node = this.env
  }

  get url(): string {
    return urlOf(this.env.incoming)
  }

  get request(): Request {
    this.#request ??= requestOf(this.env)
    return this.#request
  }

  /** True if the client has sent `Expect: 100-continue` and waits for the response to send its body. */
  get awaitsContinue(): boolean {
    // Node sends 100 before it emits `request`, but not if there is a listener of `checkContinue`.
    const { _sent100: isSent } = this.env.outgoing as { readonly _sent100?: boolean }
    return isSent === false && this.header('expect')?.toLowerCase() === '100-continue'
  }

  header(name: string): string | undefined {
    const value = this.env.incoming.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  receiveBody(options: BodyOptions, onBody: (body: Body) => void, onError: (error: unknown) => void): void {
    const { incoming, outgoing } = this.env
    // A parser may make `{}` of an empty body.
    const isEmpty = this.header('content-length') === '0'
    if (isEmpty || incoming.readableDidRead || incoming.readableEnded) {
      onBody(isEmpty ? { bytes: new Uint8Array() } : bodyOfMiddleware(incoming as ParsedMessage, options))
      return
    }
    readIncoming(incoming, options.limit, onBody, onError)
    if (this.awaitsContinue) outgoing.writeContinue()
  }
}

/** Returns what middleware has kept of the body. */
function bodyOfMiddleware(incoming: ParsedMessage, options: BodyOptions): Body {
  const body = parsedBody(incoming, options)
  if (!body) throw new BodyConsumedError()
  return body
}

/** Makes the Request that procedures get: its body has been used, its signal aborts when the client disconnects. */
function requestOf({ incoming, outgoing }: NodeBindings): Request {
  const headers = new Headers()
  const { rawHeaders, method = 'GET' } = incoming
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!name.startsWith(':')) headers.append(name, value)
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const signal = disconnectSignal(outgoing)
  const request = new Request(urlOf(incoming), { method, headers, signal, body: hasBody ? '' : null })
  if (hasBody) void request.arrayBuffer()
  return request
}

function disconnectSignal(outgoing: Outgoing): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The client disconnected', 'AbortError'))
  if (outgoing.destroyed) abort()
  else outgoing.once('close', () => outgoing.writableEnded || abort())
  return controller.signal
}

/** Returns the absolute URL, with `localhost` for an invalid host. Express cuts `url` to the part after the mount point. */
function urlOf(incoming: Incoming & { readonly originalUrl?: string }): string {
  const target = incoming.originalUrl ?? incoming.url ?? '/'
  if (/^https?:\/\//i.test(target) && hasHostLength(target) && URL.canParse(target)) {
    return withoutCredentials(new URL(target)).href
  }
  const host = incoming.headers.host ?? `${incoming.headers[':authority'] ?? ''}`
  const scheme = (incoming.socket as TLSSocket).encrypted ? 'https' : 'http'
  const isHost = host && host.length <= MAX_HOST_LENGTH && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`)
  const origin = `${scheme}://${isHost ? host : 'localhost'}`
  return new URL(`${origin}${target.startsWith('/') ? target : '/'}`).href
}

/** A Request accepts none. */
function withoutCredentials(url: URL): URL {
  url.username = ''
  url.password = ''
  return url
}
