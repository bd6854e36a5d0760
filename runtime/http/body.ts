import type { Context } from 'hono'

/** Why there is no body: it exceeds the limit, its sender left before the end, or its compressed data is damaged. */
export type NoBody = 'too large' | 'cut off' | 'not gzip' | 'not deflate'

/**
 * Reads a request's body of at most `limit` bytes; no more are kept. A length that is announced is believed, since the
 * host holds the client to it; else the body is counted as it comes.
 */
export function readBody(c: Context, limit: number): Promise<Uint8Array<ArrayBuffer> | NoBody> {
  return read(c, limit).catch((error: unknown) => {
    // Not every failure is the client's: middleware before us may have put a stream of its own there.
    if (hasCode(error, 'ECONNRESET') || c.req.raw.signal.aborted) return 'cut off'
    throw error
  })
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function read(c: Context, limit: number): Promise<Uint8Array<ArrayBuffer> | NoBody> {
  const { headers, bodyUsed } = c.req.raw
  const announced = headers.has('transfer-encoding') ? Number.NaN : lengthIn(headers)
  if (announced > limit) return Promise.resolve('too large')
  const stream = Number.isNaN(announced) && !bodyUsed ? c.req.raw.body : null
  if (stream) return readStream(stream, limit)
  return c.req.arrayBuffer().then((body) => (body.byteLength > limit ? 'too large' : new Uint8Array(body)))
}

/**
 * Whether something before us has read the body as text and kept no bytes: what was not UTF-8 in it is lost, and what
 * `readBody` answers has been written anew from that text.
 */
export function wasReadAsText({ req }: Context): boolean {
  return req.raw.bodyUsed && !('arrayBuffer' in req.bodyCache || 'blob' in req.bodyCache)
}

/** NaN when no length is announced. */
function lengthIn(headers: Headers): number {
  const announced = headers.get('content-length')
  return announced === null ? Number.NaN : Number(announced)
}

/** Reads a stream of at most `limit` bytes into one buffer that grows: a million chunks of one byte are not a million objects. */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | NoBody> {
  let buffer = new Uint8Array(Math.min(limit, 4096))
  let size = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const end = size + next.value.byteLength
    if (end > limit) {
      reader.cancel().catch(() => {})
      return 'too large'
    }
    if (end > buffer.length) buffer = grow(buffer, end, limit)
    buffer.set(next.value, size)
    size = end
  }
  return buffer.subarray(0, size)
}

/** To twice its length, since many small steps would copy it many times, but never beyond the limit. */
function grow(buffer: Uint8Array, size: number, limit: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(size, Math.min(limit, 2 * buffer.length)))
  larger.set(buffer)
  return larger
}
