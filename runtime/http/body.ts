import { type MessageSource, turnOfMessage } from '../call/turns.js'
import { type Body, HttpError, shorten } from './message.js'

/** Returns the error for a body that is larger than the limit: 413. */
export function tooLarge(limit: number, headers: Readonly<Record<string, string>> = {}): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes.`, headers)
}

/** Returns the error for a body whose sender disconnected before its end: 400. */
export function cutOff(): HttpError {
  return new HttpError(400, 'The body ended early.')
}

/** Returns the same bytes. @throws HttpError (413) if there are more than `limit` */
export function limited<T extends Uint8Array>(bytes: T, limit: number): T {
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return bytes
}

/**
 * Returns the Content-Length, which the host enforces; NaN if the bytes have to be counted.
 *
 * @throws HttpError (413) if it is more than `limit`, or for a transfer coding that hosts do not decode (501, RFC 9112 section 6.1)
 */
export function announcedLength(header: (name: string) => string | null | undefined, limit: number): number {
  const coding = header('transfer-encoding')
  if (coding != null) {
    if (coding.trim().toLowerCase() === 'chunked') return Number.NaN
    throw new HttpError(501, `The Transfer-Encoding ${shorten(coding)} is not supported: send chunked.`)
  }
  const length = header('content-length')
  if (length == null) return Number.NaN
  if (Number(length) > limit) throw tooLarge(limit)
  return Number(length)
}

/** What is used of a request of node:http or node:http2, which hosts pass as `env.incoming`. */
interface NodeRequest {
  readonly httpVersionMajor?: number
  readonly socket?: MessageSource
  /** Of HTTP/2. */
  readonly stream?: { readonly aborted?: boolean; readonly closed?: boolean; readonly session?: MessageSource }
}

function nodeRequestOf(env: unknown): NodeRequest | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: NodeRequest | null }
  return incoming ?? undefined
}

/** True if a request came over HTTP/1 of Node. */
export function isNodeHttp1(env: unknown): boolean {
  return nodeRequestOf(env)?.httpVersionMajor === 1
}

/** True if a request of Node has come together with an earlier one: of a pipelined one, the response has no socket yet. */
export function isPipelined(env: unknown): boolean {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: { readonly socket?: unknown } | null }
  return outgoing?.socket === null
}

/** Returns a promise of the turn of a request of Node that is pipelined, or of HTTP/2; undefined if it may be handled now. */
export function turnOfRequest(env: unknown): Promise<void> | undefined {
  const { socket, stream } = nodeRequestOf(env) ?? {}
  const source = stream ? stream.session : socket
  return source && turnOfMessage(source)
}

/** True if a request came over HTTP/2 of Node, which ends the body of a request that the client cancels as if it were complete. */
export function isNodeHttp2(env: unknown): boolean {
  return nodeRequestOf(env)?.stream !== undefined
}

/**
 * Checks that a body over HTTP/2 of Node has ended. Clients that cancel a request may end its body just before (that of node:http2
 * does): what has been received is handled first.
 *
 * @throws HttpError (400) if the client has cancelled the request
 */
export async function checkEnded(env: unknown): Promise<void> {
  const stream = nodeRequestOf(env)?.stream
  const isCancelled = () => stream?.aborted || stream?.closed
  for (let turn = 0; turn < 2 && !isCancelled(); turn += 1) await nextTurn()
  if (isCancelled()) throw cutOff()
}

/** Resolves when the host has handled what it has received. The types are those of every host. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }
  return new Promise((resolve) => void setImmediate(resolve))
}

/**
 * Reads the body of a Request of at most `limit` bytes; `readAll` reads one whose length is known to be within them. `env` is what the
 * host passed with it.
 */
export function readRequest(
  request: Request,
  limit: number,
  env: unknown,
  readAll: () => Promise<ArrayBuffer> = () => request.arrayBuffer(),
): Promise<Body> {
  const { headers, bodyUsed } = request
  const length = announcedLength((name) => headers.get(name), limit)
  const stream = Number.isNaN(length) && !bodyUsed ? request.body : null
  const lingerMs = isNodeHttp1(env) ? LINGER_MS : 0
  const bytes = stream
    ? readStream(stream, limit, lingerMs)
    : readAll().then((buffer) => {
        // A request over HTTP/2 that was cancelled, where the host passes no `env`. Earlier middleware may have replaced the body.
        if (buffer.byteLength < length && request.signal.aborted) throw cutOff()
        return limited(new Uint8Array(buffer), limit)
      })
  return bytes.then(
    (read) => ({ bytes: read }),
    (error) => {
      // Not every failure is the client's: earlier middleware may have replaced the stream.
      const isCutOff = hasCode(error, 'ECONNRESET') || (request.signal.aborted && !(error instanceof HttpError))
      throw isCutOff ? cutOff() : error
    },
  )
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * How long the rest of a body that is too large is discarded over HTTP/1 of Node. A connection that is closed with bytes unread is reset,
 * and the client may never see the response.
 */
export const LINGER_MS = 5000

/**
 * Reads a stream of at most `limit` bytes into one growing buffer, so that small chunks are not kept as one object each. If there are
 * more, the rest is discarded for up to `lingerMs`, or cancelled.
 *
 * @throws HttpError (413) if there are more
 */
export async function readStream(stream: ReadableStream<Uint8Array>, limit: number, lingerMs = 0): Promise<Uint8Array> {
  const bytes = new GrowingBytes(limit)
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (bytes.add(next.value)) continue
    if (lingerMs === 0) reader.cancel().catch(() => {})
    else if (!(await discard(reader, lingerMs))) throw tooLarge(limit, { Connection: 'close' })
    throw tooLarge(limit)
  }
  return bytes.read()
}

/** Reads what is left of a stream; resolves to false if it has not ended after some time. It is not cancelled, which resets a connection. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late])
      if (!next) return false
      if (next.done) return true
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Bytes that arrive in chunks, up to a limit. */
export class GrowingBytes {
  readonly #limit: number
  #buffer: Uint8Array | undefined
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds a chunk; returns false if it exceeds the limit. The first one is not copied, because usually there is only one. */
  add(chunk: Uint8Array): boolean {
    const end = this.#size + chunk.byteLength
    if (end > this.#limit) return false
    if (this.#buffer) {
      if (end > this.#buffer.length) this.#buffer = this.#grow(this.#buffer, end)
      this.#buffer.set(chunk, this.#size)
    } else {
      this.#buffer = chunk
    }
    this.#size = end
    return true
  }

  /** Returns all bytes that were added. */
  read(): Uint8Array {
    if (!this.#buffer) return new Uint8Array()
    return this.#size === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#size)
  }

  /** Returns a copy of twice the length, since many small steps would copy it many times, but never beyond the limit. */
  #grow(buffer: Uint8Array, size: number): Uint8Array {
    const larger = new Uint8Array(Math.max(size, Math.min(this.#limit, 2 * buffer.length)))
    larger.set(buffer)
    return larger
  }
}
