import { keptCharacters } from '../call/reply.js'
import { type MessageSource, turnOfMessage } from '../call/turns.js'
import type { ProtocolName } from '../protocols.js'
import type { Compression } from './decompress.js'
import { announcedLength } from './headers.js'
import { type Body, cutOff, type HttpRequest, tooLarge } from './message.js'
import type { ParsedMessage } from './parsed-body.js'
import { GrowingBytes } from './stream.js'

// Reads the body of a POST when it is its turn: on Node, several requests may come at once. Its requests, of node:http and of the
// compatibility API of node:http2, are what its hosts pass as `env.incoming`.

/** How the body of a POST is read. */
export interface Reading {
  /** The most bytes, decompressed too. */
  readonly limit: number
  /** The protocol of the Content-Type; undefined if it has none. */
  readonly protocol: ProtocolName | undefined
  readonly compression: Compression | undefined
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
  const { env } = request
  // Only a request that is not alone looks at the clock, which costs a call 5 %.
  const isAlone = !comesWithOthers(env)
  const finish = (body: Body) => void finishBody(body, env, reading, isAlone).then(onBody, onError)
  request.readBody(reading.limit, reading.protocol, isAlone && !reading.compression ? onBody : finish, onError)
}

/** True for a request of Node over HTTP/2, and for a pipelined one: its response has no socket while the one before it is sent. */
function comesWithOthers(env: unknown): boolean {
  const { incoming, outgoing } = (env ?? {}) as { readonly incoming?: Partial<Incoming>; readonly outgoing?: Outgoing }
  return outgoing?.socket === null || incoming?.stream !== undefined
}

async function finishBody(body: Body, env: unknown, { limit, compression }: Reading, isAlone: boolean): Promise<Body> {
  if (incomingOf(env)?.stream) await checkEnded(env)
  const turn = isAlone ? undefined : turnOfRequest(env)
  if (turn) await turn
  if (!compression || body.isDecompressed) return body
  const { decompress } = await import('./decompress.js')
  return { ...body, bytes: await decompress(body.bytes, compression, limit) }
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

function outgoingOf(env: unknown): Outgoing | null | undefined {
  return ((env ?? {}) as { readonly outgoing?: Outgoing | null }).outgoing
}

/**
 * Returns a promise of the turn of a request of Node that is pipelined, or of HTTP/2; undefined if it may be handled now. A client that reads
 * nothing gets no further calls run: a pipelined one waits until the response before it has been sent, one of HTTP/2 for those that are too large.
 */
export function turnOfRequest(env: unknown): Promise<void> | undefined {
  const outgoing = outgoingOf(env)
  const { socket, stream } = incomingOf(env) ?? {}
  const session = stream?.session
  if (session) return turnOfMessage(session, () => (outgoing ? roomIn(session, outgoing, env as object) : undefined))
  return socket && turnOfMessage(socket, () => socketOf(outgoing))
}

function socketOf(outgoing: Outgoing | null | undefined): Promise<void> | undefined {
  return outgoing?.socket === null ? new Promise((resolve) => outgoing.once('socket', resolve)) : undefined
}

/** The most bytes of responses that a session of HTTP/2 holds when the next call runs. */
const MAX_UNSENT = 8 * 2 ** 20

/** The responses of a session that are not closed, each with the `env` of its request. */
interface OpenResponses {
  readonly all: Map<Outgoing, object>
  /** Called when one of them closes. */
  onClose(): void
}

const responses = /* @__PURE__ */ new WeakMap<object, OpenResponses>()

/**
 * Waits until the responses of a session, those in batches that are not complete among them, are not too large, and adds one. Called when the
 * request before it has got its turn.
 */
function roomIn(session: object, outgoing: Outgoing, env: object): Promise<void> | undefined {
  const open = responses.get(session) ?? { all: new Map(), onClose() {} }
  responses.set(session, open)
  let unsent = 0
  for (const [{ stream }, each] of open.all) unsent += (stream?.writableLength ?? 0) + keptCharacters(each)
  if (unsent > MAX_UNSENT) {
    return new Promise<void>((resolve) => {
      open.onClose = resolve
    }).then(() => roomIn(session, outgoing, env))
  }
  // Its request may have been cancelled since.
  if (outgoing.stream?.closed) return undefined
  open.all.set(outgoing, env)
  outgoing.once('close', () => {
    open.all.delete(outgoing)
    open.onClose()
  })
  return undefined
}

/**
 * Checks that a body over HTTP/2 of Node has ended, which ends that of a request that the client cancels as if it were complete. Clients
 * may end it just before (that of node:http2 does): what has been received is handled first.
 *
 * @throws HttpError (400) if the client has cancelled the request
 */
export async function checkEnded(env: unknown): Promise<void> {
  const stream = incomingOf(env)?.stream
  const isCancelled = () => stream?.aborted || stream?.closed
  for (let turn = 0; turn < 2 && !isCancelled(); turn += 1) await nextTurn()
  if (isCancelled()) throw cutOff()
}

/** Resolves when the host has handled what it has received. The types are those of every host. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }
  return new Promise((resolve) => void setImmediate(resolve))
}
