import { type NoBody, readStream } from './body.js'

/** How a request body may be compressed: `deflate` is the zlib format (RFC 9110 section 8.4.1.2), not raw deflate data. */
export type Compression = 'gzip' | 'deflate'

/** The supported content codings, as Accept-Encoding lists them. */
export const acceptedEncodings = 'gzip, deflate'

const compressions: ReadonlyMap<string, Compression | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/** Returns the compression that a Content-Encoding names, undefined for none; a list of several is not supported. */
export function compressionOf(contentEncoding: string | null): Compression | undefined | 'unsupported' {
  if (contentEncoding === null) return undefined
  const name = contentEncoding.trim().toLowerCase()
  return compressions.has(name) ? compressions.get(name) : 'unsupported'
}

/**
 * Decompresses a body to at most `limit` bytes: where it exceeds them it is `too large`, and the rest is not decompressed.
 * Data that is damaged, cut off or followed by other data is `not gzip` or `not deflate`.
 */
export async function decompress(
  body: Uint8Array<ArrayBuffer>,
  compression: Compression,
  limit: number,
): Promise<Uint8Array | NoBody> {
  try {
    const decompressed = await readStream(inPieces(body).pipeThrough(new DecompressionStream(compression)), limit)
    if (typeof decompressed === 'string') return decompressed
    return endsWhole(body, compression, decompressed) ? decompressed : `not ${compression}`
  } catch {
    return `not ${compression}`
  }
}

/** Some hosts decompress a whole chunk before they pass any of it on, and 4 kB of it may become 4 MB. */
const pieceBytes = 4096

function inPieces(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    if (at >= body.length) return controller.close()
    controller.enqueue(body.subarray(at, at + pieceBytes))
    at += pieceBytes
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/**
 * True if the last four bytes are those of the decompressed data, its length (RFC 1952) or its checksum (RFC 1950): hosts
 * differ in what they accept behind the end of compressed data, and whether they accept its end without these bytes.
 */
function endsWhole(body: Uint8Array<ArrayBuffer>, compression: Compression, decompressed: Uint8Array): boolean {
  const trailer = new DataView(body.buffer, body.byteOffset + body.byteLength - 4)
  if (compression === 'gzip') return trailer.getUint32(0, true) === decompressed.length
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
