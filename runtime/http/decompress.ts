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

/** Members without data leave the length what it is: their checksum and length, zeros, and the first byte of the next member. */
const afterEmpty = `${'\0'.repeat(8)}\x1f`

/**
 * True if the last four bytes are those of the decompressed data, its length (RFC 1952) or its checksum (RFC 1950): hosts
 * differ in what they accept after the end of compressed data, and whether they accept its end without these bytes.
 */
function endsWhole(body: Uint8Array, compression: Compression, decompressed: Uint8Array): boolean {
  const trailer = new DataView(body.buffer, body.byteOffset + body.byteLength - 4)
  if (compression === 'gzip') {
    return (
      trailer.getUint32(0, true) === decompressed.length && !new TextDecoder('latin1').decode(body).includes(afterEmpty)
    )
  }
  return trailer.getUint32(0) === adler32(decompressed)
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
