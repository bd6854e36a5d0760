import { charsetOf, isSupported, unsupported } from '../platform/charset.js'
import type { ProtocolName } from '../protocols.js'
import type { Compression } from './decompress.js'
import { checkEnded, isDisconnect, isNodeHttp1, isNodeHttp2, isPipelined, turnOfRequest } from './incoming.js'
import { type Body, cutOff, HttpError, type HttpRequest, limited, type RequestHead, shorten } from './message.js'
import { announcedLength, LINGER_MS, readStream } from './stream.js'

/** How the body of a POST is read. */
export interface Reading {
  /** The most bytes, decompressed too. */
  readonly limit: number
  /** The protocol of the Content-Type; undefined if it has none. */
  readonly protocol: ProtocolName | undefined
  readonly compression: Compression | undefined
}

/**
 * Reads the body of a POST, whatever its entry point: all of it, when it is its turn, decompressed. Calls one of the two functions, once.
 *
 * @throws and calls `onError` with what `HttpRequest.readBody` throws, and HttpError (400) if the client has cancelled the request, or the body is
 * not what its Content-Encoding specifies
 */
export function readBody(
  request: HttpRequest,
  reading: Reading,
  onBody: (body: Body) => void,
  onError: (error: unknown) => void,
): void {
  const { env } = request
  const { limit, protocol, compression } = reading
  // Only a request that is not alone looks at the clock, which costs a call 5 %.
  const isAlone = !isPipelined(env) && !isNodeHttp2(env)
  const finish = (body: Body) => void finishBody(body, env, reading, isAlone).then(onBody, onError)
  request.readBody(limit, protocol, isAlone && !compression ? onBody : finish, onError)
}

async function finishBody(body: Body, env: unknown, { limit, compression }: Reading, isAlone: boolean): Promise<Body> {
  if (isNodeHttp2(env)) await checkEnded(env)
  const turn = isAlone ? undefined : turnOfRequest(env)
  if (turn) await turn
  if (!compression || body.isDecompressed) return body
  const { decompress } = await import('./decompress.js')
  return { ...body, bytes: await decompress(body.bytes, compression, limit) }
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
      const isCutOff = isDisconnect(error) || (request.signal.aborted && !(error instanceof HttpError))
      throw isCutOff ? cutOff() : error
    },
  )
}

/** The supported content codings, as Accept-Encoding lists them. */
const acceptedEncodings = 'gzip, deflate'

const compressions: ReadonlyMap<string, Compression | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/**
 * Returns the compression that the Content-Encoding of a request names, undefined for none.
 *
 * @throws HttpError (415) for any other, lists included, with Accept-Encoding (RFC 9110 section 15.5.16)
 */
export function compressionOf(request: RequestHead): Compression | undefined {
  const contentEncoding = request.header('content-encoding')
  if (contentEncoding === undefined) return undefined
  const name = contentEncoding.trim().toLowerCase()
  if (compressions.has(name)) return compressions.get(name)
  const wanted = acceptedEncodings.replace(',', ' or')
  throw new HttpError(
    415,
    `The Content-Encoding ${shorten(contentEncoding)} is not supported: send ${wanted}, or none.`,
    {
      'Accept-Encoding': acceptedEncodings,
    },
  )
}

/**
 * Returns the charset that its Content-Type specifies for a body; undefined if the body decides.
 *
 * @throws HttpError (415) if the charset is not supported
 */
export function charsetOfBody({ bytes, isDecoded }: Body, contentType: string | undefined): string | undefined {
  const charset = isDecoded ? undefined : charsetOf(bytes, contentType)
  if (charset !== undefined && !isSupported(charset)) throw new HttpError(415, `The ${unsupported(charset)}`)
  return charset
}
