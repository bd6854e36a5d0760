// In a chunk that is loaded by the first compressed body.
import { HttpError } from './message.js'
import { readStream } from './read-stream.js'

/** How a request body may be compressed: `deflate` is the zlib format (RFC 9110 section 8.4.1.2), not raw deflate data. */
export type Compression = 'gzip' | 'deflate'

/**
 * Decompresses a body to at most `limit` bytes; the rest is not decompressed.
 *
 * @throws HttpError if there are more (413), or if the data is damaged, cut off or followed by other data (400)
 */
export async function decompress(body: Uint8Array, compression: Compression, limit: number): Promise<Uint8Array> {
  try {
    const decompressed = await readStream(inPieces(body).pipeThrough(new DecompressionStream(compression)), limit)
    if (endsWhole(body, compression, decompressed)) return decompressed
  } catch (error) {
    if (error instanceof HttpError) throw error
  }
  throw new HttpError(400, damaged[compression])
}

const damaged: Readonly<Record<Compression, string>> = {
  gzip: 'The body is not valid gzip data.',
  deflate: 'The body is not valid deflate data: send the zlib format (RFC 1950).',
}

/** Some hosts decompress a whole chunk before they pass any of it on, and 4 kB of it may become 4 MB. */
const pieceBytes = 4096

function inPieces(body: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (at >= body.length) return controller.close()
    controller.enqueue(new Uint8Array(body.subarray(at, at + pieceBytes)))
    at += pieceBytes
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/**
 * True if the last four bytes are those of the decompressed data, its length (RFC 1952) or its checksum (RFC 1950): hosts
 * differ in what they accept after the end of compressed data, and whether they accept its end without these bytes.
 */
function endsWhole(body: Uint8Array, compression: Compression, decompressed: Uint8Array): boolean {
  const trailer = new DataView(body.buffer, body.byteOffset + body.byteLength - 4)
  if (compression === 'gzip') return trailer.getUint32(0, true) === decompressed.length && !beginsEmpty(body)
  return trailer.getUint32(0) === adler32(decompressed)
}

/**
 * True if gzip data begins with a member without data, as compressors write it: only such members before another one leave the length what it
 * is. Its header may have a name and a comment (RFC 1952), and its only block has fixed codes or is stored (RFC 1951).
 */
function beginsEmpty(body: Uint8Array): boolean {
  const [flags = 0] = body.subarray(3)
  let at = 10
  for (const text of [8, 16]) if (flags & text) at = body.indexOf(0, at) + 1
  const [first, ...next] = body.subarray(at, at + 3)
  const size = first === 3 && next[0] === 0 ? 2 : first === 1 && !next.some(Boolean) ? 5 : Number.POSITIVE_INFINITY
  return body.length > at + size + 8
}

/** The checksum of the zlib format (RFC 1950 section 8.2). */
function adler32(bytes: Uint8Array): number {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return high * 65_536 + low
}
