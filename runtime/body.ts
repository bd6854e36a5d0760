import type { Context } from 'hono'

/**
 * Reads a request's body; undefined when it is larger than `limit` bytes, of which no more are kept. A length that is
 * announced is believed, since the host holds the client to it; else the body is counted as it comes.
 */
export async function readBody(c: Context, limit: number): Promise<Uint8Array | undefined> {
  const announced = c.req.raw.headers.get('content-length')
  if (announced !== null && Number(announced) > limit) return undefined
  const stream = announced === null && !c.req.raw.bodyUsed ? c.req.raw.body : null
  if (stream) return readStream(stream, limit)
  const body = new Uint8Array(await c.req.arrayBuffer())
  return body.byteLength > limit ? undefined : body
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength
    if (size > limit) {
      await reader.cancel()
      return undefined
    }
    chunks.push(next.value)
  }
  return join(chunks, size)
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}
