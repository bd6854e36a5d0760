import type { ParsedMessage } from './parsed-body.js'

// What is used of the request and the response of Node, of node:http and of the compatibility API of node:http2. Its hosts pass both as `env`.

/** What is used of Node's IncomingMessage and Http2ServerRequest. */
export interface Incoming extends ParsedMessage {
  rawBody?: unknown
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly httpVersionMajor: number
  readonly destroyed: boolean
  /** Null until a listener reads it. */
  readonly readableFlowing: boolean | null
  readonly readableDidRead: boolean
  readonly socket?: Pausable
  /** Of HTTP/2. */
  readonly stream?: IncomingStream
  pause(): unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end' | 'close', listener: () => void): this
  off(event: 'data', listener: (chunk: Uint8Array) => void): this
}

/** A socket; the session of HTTP/2 cannot be paused. */
export interface Pausable {
  pause?(): void
  resume?(): void
}

/** A request of HTTP/2. */
export interface IncomingStream {
  readonly aborted?: boolean
  readonly closed?: boolean
  readonly session?: object | undefined
}

/** What is used of Node's ServerResponse and Http2ServerResponse. */
export interface Outgoing {
  /** Null while the response before it on the connection is sent. */
  readonly socket?: unknown
  /** Of HTTP/2. */
  readonly stream?: { readonly writableLength: number; readonly closed: boolean }
  once(event: 'socket' | 'close', listener: () => void): this
}

/** Returns the request of Node that a host has passed; undefined elsewhere. Some hosts pass an object of their own, without most members. */
export function incomingOf(env: unknown): Partial<Incoming> | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Incoming | null }
  return typeof incoming === 'object' && incoming !== null ? incoming : undefined
}

/** Returns the response of Node that a host has passed; undefined elsewhere. */
export function outgoingOf(env: unknown): Outgoing | undefined {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: Outgoing | null }
  return outgoing ?? undefined
}

/** True if a request came over HTTP/1 of Node. */
export function isNodeHttp1(env: unknown): boolean {
  return incomingOf(env)?.httpVersionMajor === 1
}

/** True for an error of Node that means only that the client has disconnected, or cancelled its request. */
export function isDisconnect(error: unknown): boolean {
  return /^(ECONNRESET|ERR_HTTP2_.*)$/.test(`${(error as { readonly code?: unknown } | undefined)?.code}`)
}
