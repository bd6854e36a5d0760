import { keptCharacters } from '../call/reply.js'
import { type MessageSource, turnOfMessage } from '../call/turns.js'
import { type Body, cutOff, tooLarge } from './message.js'
import type { ParsedMessage } from './parsed-body.js'
import { announcedLength, GrowingBytes } from './stream.js'

// Requests of Node, which its hosts pass as `env.incoming`: of node:http, and of the compatibility API of node:http2.

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
  const bytes = new GrowingBytes(limit)
  // An Error costs more than the rest, and every request is closed: it is made for the first of these alone.
  let settle = (run: () => void) => {
    settle = () => {}
    run()
  }
  const onData = (chunk: Uint8Array) => {
    if (bytes.add(chunk)) return
    incoming.off('data', onData).pause()
    settle(() => onError(tooLarge(limit)))
  }
  incoming
    .on('data', onData)
    .on('end', () => settle(() => onBody({ bytes: bytes.read() })))
    .on('error', (error) => settle(() => onError(isDisconnect(error) ? cutOff() : error)))
    .on('close', () => settle(() => onError(cutOff())))
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

/** True if a request of Node has come together with an earlier one: of a pipelined one, the response has no socket yet. */
export function isPipelined(env: unknown): boolean {
  return outgoingOf(env)?.socket === null
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

/** True if a request came over HTTP/2 of Node, which ends the body of a request that the client cancels as if it were complete. */
export function isNodeHttp2(env: unknown): boolean {
  return incomingOf(env)?.stream !== undefined
}

/**
 * Checks that a body over HTTP/2 of Node has ended. Clients that cancel a request may end its body just before (that of node:http2
 * does): what has been received is handled first.
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
