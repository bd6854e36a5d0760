import { type Body, HttpError } from './message.js'

/** Returns the error for a body that is larger than the limit: 413. */
export function tooLarge(limit: number): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes.`)
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
 * @throws HttpError (413) if it is more than `limit`
 */
export function announcedLength(header: (name: string) => string | null | undefined, limit: number): number {
  const length = header('content-length')
  if (length == null || header('transfer-encoding') != null) return Number.NaN
  if (Number(length) > limit) throw tooLarge(limit)
  return Number(length)
}

/** Reads the body of a Request of at most `limit` bytes; `readAll` reads one whose length is known to be within them. */
export function readRequest(
  request: Request,
  limit: number,
  readAll: () => Promise<ArrayBuffer> = () => request.arrayBuffer(),
): Promise<Body> {
  const { headers, bodyUsed } = request
  const length = announcedLength((name) => headers.get(name), limit)
  const stream = Number.isNaN(length) && !bodyUsed ? request.body : null
  const bytes = stream ? readStream(stream, limit) : readAll().then((buffer) => limited(new Uint8Array(buffer), limit))
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
 * Reads a stream of at most `limit` bytes into one growing buffer, so that small chunks are not kept as one object each.
 *
 * @throws HttpError (413) if there are more
 */
export async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const bytes = new GrowingBytes(limit)
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (bytes.add(next.value)) continue
    reader.cancel().catch(() => {})
    throw tooLarge(limit)
  }
  return bytes.read()
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
