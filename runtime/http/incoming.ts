// Reads the body of a POST when it is its turn: on Node, several requests may come at once. Its requests, of node:http and of the
// compatibility API of node:http2, are what its hosts pass as `env.incoming`.
import type { Connection, Connections, MessageSource, UnsentResponse } from '../call/connections.js'
import type { RequestScope } from '../call/scope.js'
import type { ProtocolName } from '../protocols.js'
import type { Compression } from './decompress.js'
import { announcedLength } from './headers.js'
import { type Body, cutOff, type HttpRequest, tooLarge } from './message.js'
import type { ParsedMessage } from './parsed-body.js'
import { GrowingBytes } from './stream.js'

/** How the body of a POST is read. */
export interface Reading {
  /** The most bytes, decompressed too. */
  readonly limit: number
  /** The protocol of the Content-Type; undefined if it has none. */
  readonly protocol: ProtocolName | undefined
  readonly compression: Compression | undefined
  /** Those of the server. */
  readonly connections: Connections
}

/**
 * Reads the body of a POST, whatever its entry point: all of it, when it is its turn, decompressed. Calls one of the two functions, once.
 *
 * @throws and calls `onError` with what `HttpRequest.readBody` throws, and HttpError (400) if the client has cancelled the request, or the body is
 * not what its Content-Encoding specifies
 */
export function readBody(
  request: HttpRequest,
  reading: Reading,
  onBody: (body: Body) => void,
  onError: (error: unknown) => void,
): void {
  const { incoming, outgoing } = (request.env ?? {}) as { readonly incoming?: Incoming; readonly outgoing?: Outgoing }
  // Only a request that comes with others looks at the clock, which costs a call 5 %: one of HTTP/2, and a pipelined one, whose response has no
  // socket while the one before it is sent.
  const isPlain = !reading.compression && outgoing?.socket !== null && incoming?.stream === undefined
  const finish = (body: Body) => void finishBody(body, request.env, reading).then(onBody, onError)
  request.readBody(reading.limit, reading.protocol, isPlain ? onBody : finish, onError)
}

/**
 * Waits for the turn of a request of Node that is pipelined, or of HTTP/2, and decompresses its body. A client that reads nothing gets no further
 * calls run: a pipelined request waits until the response before it has been sent, one of HTTP/2 for those that are too large.
 */
async function finishBody(body: Body, env: unknown, { limit, compression, connections }: Reading): Promise<Body> {
  const { socket, stream } = incomingOf(env) ?? {}
  const { outgoing } = (env ?? {}) as { readonly outgoing?: Outgoing | null }
  if (stream) await checkEnded(stream)
  const source = stream ? stream.session : socket
  const connection = source && connections.of(source)
  const turn = connection?.turn(() => (stream ? connection.room() : socketOf(outgoing)))
  if (turn) await turn
  // Its request may have been cancelled since.
  const isOpen = stream && connection && outgoing && !outgoing.stream?.closed
  const response = isOpen ? new OpenResponse(outgoing, connection) : undefined
  if (!compression || body.isDecompressed) return { ...body, response }
  const { decompress } = await import('./decompress.js')
  return { ...body, response, bytes: await decompress(body.bytes, compression, limit) }
}

/** Waits until the response before this one has been sent. */
function socketOf(outgoing: Outgoing | null | undefined): Promise<void> | undefined {
  return outgoing?.socket === null ? new Promise((resolve) => outgoing.once('socket', resolve)) : undefined
}

/** What is used of Node's IncomingMessage and Http2ServerRequest. */
export interface Incoming extends ParsedMessage {
  rawBody?: unknown
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly httpVersionMajor: number
  readonly destroyed: boolean
  /** Null until a listener reads it. */
  readonly readableFlowing: boolean | null
  readonly readableDidRead: boolean
  readonly socket?: MessageSource
  /** Of HTTP/2. */
  readonly stream?: { readonly aborted?: boolean; readonly closed?: boolean; readonly session?: object | undefined }
  pause(): unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end' | 'close', listener: () => void): this
  off(event: 'data', listener: (chunk: Uint8Array) => void): this
}

/** Returns the request of Node that a host has passed; undefined elsewhere. Some hosts pass an object of their own, without most members. */
export function incomingOf(env: unknown): Partial<Incoming> | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Incoming | null }
  return typeof incoming === 'object' && incoming !== null ? incoming : undefined
}

/**
 * Reads the body of a request of Node from its beginning, and calls one of the two functions, once. What follows a body that is too large is not
 * read.
 *
 * @throws HttpError if it is known to be too large (413), or the client has disconnected (400)
 */
export function readIncoming(
  incoming: Incoming,
  limit: number,
  onBody: (body: Body) => void,
  onError: (error: unknown) => void,
): void {
  const { headers } = incoming
  announcedLength((name) => headers[name] as string | undefined, limit)
  if (incoming.destroyed) throw cutOff()
  let first: Uint8Array | undefined
  let more: GrowingBytes | undefined
  let isSettled = false
  // An Error costs more than the rest, and every request is closed: it is made for the first of these alone.
  const fail = (errorOf: () => unknown) => {
    if (isSettled) return
    isSettled = true
    onError(errorOf())
  }
  const onData = (chunk: Uint8Array) => {
    // Mostly it is the only one.
    if (!first && chunk.byteLength <= limit) {
      first = chunk
      return
    }
    more ??= new GrowingBytes(limit, first)
    if (more.add(chunk)) return
    incoming.off('data', onData).pause()
    fail(() => tooLarge(limit))
  }
  const onEnd = () => {
    if (isSettled) return
    isSettled = true
    onBody({ bytes: more?.read() ?? first ?? new Uint8Array() })
  }
  incoming
    .on('data', onData)
    .on('end', onEnd)
    .on('error', (error) => fail(() => (isDisconnect(error) ? cutOff() : error)))
    .on('close', () => fail(cutOff))
}

/** True for an error of Node that means only that the client has disconnected, or cancelled its request. */
export function isDisconnect(error: unknown): boolean {
  return /^(ECONNRESET|ERR_HTTP2_.*)$/.test(`${(error as { readonly code?: unknown } | undefined)?.code}`)
}

/** True if a request came over HTTP/1 of Node. */
export function isNodeHttp1(env: unknown): boolean {
  return incomingOf(env)?.httpVersionMajor === 1
}

/** What is used of Node's ServerResponse and Http2ServerResponse. */
interface Outgoing {
  /** Null while the response before it on the connection is sent. */
  readonly socket?: unknown
  /** Of HTTP/2. */
  readonly stream?: { readonly writableLength: number; readonly closed: boolean }
  once(event: 'socket' | 'close', listener: () => void): this
}

/** The response to a request of HTTP/2, from the turn of the request until it is closed. */
class OpenResponse implements UnsentResponse {
  readonly #outgoing: Outgoing
  scope: RequestScope | undefined

  constructor(outgoing: Outgoing, connection: Connection) {
    this.#outgoing = outgoing
    outgoing.once('close', connection.hold(this))
  }

  get size(): number {
    return (this.#outgoing.stream?.writableLength ?? 0) + (this.scope?.budget?.characters ?? 0)
  }
}

/**
 * Checks that a body over HTTP/2 of Node has ended, which ends that of a request that the client cancels as if it were complete. Clients
 * may end it just before (that of node:http2 does): what has been received is handled first.
 *
 * @throws HttpError (400) if the client has cancelled the request
 */
async function checkEnded(stream: NonNullable<Incoming['stream']>): Promise<void> {
  const isCancelled = () => stream.aborted || stream.closed
  for (let turn = 0; turn < 2 && !isCancelled(); turn += 1) await nextTurn()
  if (isCancelled()) throw cutOff()
}

/** Resolves when the host has handled what it has received. The types are those of every host. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }
  return new Promise((resolve) => void setImmediate(resolve))
}
