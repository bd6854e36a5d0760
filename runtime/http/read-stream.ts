import { tooLarge } from './message.js'

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
  #size: number

  /** @param first the first chunk, within the limit */
  constructor(limit: number, first?: Uint8Array) {
    this.#limit = limit
    this.#buffer = first
    this.#size = first?.byteLength ?? 0
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
