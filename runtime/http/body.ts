// The body of a POST, whatever its entry point and endpoint, from the first byte to its text:
//
//   Content-Length: 5000000  →  413, of which nothing is read
//   1f 8b 08 …, gzip         →  read within the limit  →  its turn  →  decompressed within the limit  →  a text, in its charset
//
// An entry point knows where its host has the body (`HttpRequest.receiveBody`): in Node's message, in a Request, or with middleware that has read
// it (parsed-body.ts).
import { charsetOf, decodeText, isSupported, unsupported } from '../platform/charset.js'
import type { Compression } from './decompress.js'
import {
  type Body,
  type BodyOptions,
  checkLength,
  cutOff,
  HttpError,
  type HttpRequest,
  shorten,
  tooLarge,
} from './message.js'
import {
  type IncomingStream,
  isNodeDisconnect,
  isNodeHttp1,
  type NodeHost,
  type NodeRequest,
  turnOf,
} from './node-requests.js'
import { GrowingBytes, LINGER_MS, readStream } from './read-stream.js'

/** How the body of a POST is read. */
export interface Reading extends BodyOptions {
  readonly compression: Compression | undefined
}

/**
 * Reads the body of a POST: all of it, when it is its turn, decompressed. Calls one of the two functions, once.
 *
 * @throws and calls `onError` with what `HttpRequest.receiveBody` throws, and HttpError (400) if the client has cancelled the request, or the body is
 * not what its Content-Encoding specifies
 */
export function readBody(
  request: HttpRequest,
  reading: Reading,
  onBody: (body: Body) => void,
  onError: (error: unknown) => void,
): void {
  const { node } = request
  // Only a request that comes with others looks at the clock, which costs a call 5 %: one of HTTP/2, and a pipelined one, whose response has no
  // socket while the one before it is sent.
  const isAlone = node.outgoing?.socket !== null && node.incoming?.stream === undefined
  const finish = (body: Body) => void finishBody(body, node, reading).then(onBody, onError)
  request.receiveBody(reading, isAlone && !reading.compression ? onBody : finish, onError)
}

/** Waits for the turn of a request that comes with others, and decompresses its body. */
async function finishBody(body: Body, node: NodeHost, { limit, compression }: Reading): Promise<Body> {
  const { stream } = node.incoming ?? {}
  if (stream) await checkEnded(stream)
  const turn = turnOf(node)
  if (turn) await turn
  if (!compression || body.isDecompressed) return body
  const { decompress } = await import('./decompress.js')
  return { ...body, bytes: await decompress(body.bytes, compression, limit) }
}

/**
 * Checks that a body over HTTP/2 of Node has ended, which ends that of a request that the client cancels as if it were complete. Clients
 * may end it just before (that of node:http2 does): what has been received is handled first.
 *
 * @throws HttpError (400) if the client has cancelled the request
 */
async function checkEnded(stream: IncomingStream): Promise<void> {
  const isCancelled = () => stream.aborted || stream.closed
  for (let turn = 0; turn < 2 && !isCancelled(); turn += 1) await nextTurn()
  if (isCancelled()) throw cutOff()
}

/** Resolves when the host has handled what it has received. The types are those of every host. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }
  return new Promise((resolve) => void setImmediate(resolve))
}

/**
 * Returns what makes a text of a body: in the charset of its Content-Type, or in the one that the body declares.
 *
 * @param declaredCharset returns the charset that the bytes declare
 * @throws HttpError (415) if the charset of the Content-Type is not supported; the function throws RpcParseError for bytes that are not valid
 */
export function textReaderOf(
  { bytes, isDecoded, wasText }: Body,
  contentType: string | undefined,
  declaredCharset?: (bytes: Uint8Array) => string | undefined,
): () => string {
  const charset = isDecoded || !contentType?.includes(';') ? undefined : charsetOf(bytes, contentType)
  if (charset !== undefined && !isSupported(charset)) throw new HttpError(415, `The ${unsupported(charset)}`)
  return () => decodeText(bytes, charset, { declaredCharset, wasText })
}

/**
 * Reads the body of a request of Node from its beginning, and calls one of the two functions, once. What follows a body that is too large is not
 * read.
 *
 * @throws HttpError if it is known to be too large (413), or the client has disconnected (400)
 */
export function readIncoming(
  incoming: NodeRequest,
  limit: number,
  onBody: (body: Body) => void,
  onError: (error: unknown) => void,
): void {
  const { headers } = incoming
  announcedLength((name) => headers[name] as string | undefined, limit)
  if (incoming.destroyed) throw cutOff()
  let first: Uint8Array | undefined
  let more: GrowingBytes | undefined
  let isSettled = false
  // An Error costs more than the rest, and every request is closed: it is made for the first of these alone.
  const fail = (errorOf: () => unknown) => {
    if (isSettled) return
    isSettled = true
    onError(errorOf())
  }
  const onData = (chunk: Uint8Array) => {
    // Mostly it is the only one.
    if (!first && chunk.byteLength <= limit) {
      first = chunk
      return
    }
    more ??= new GrowingBytes(limit, first)
    if (more.add(chunk)) return
    incoming.off('data', onData).pause()
    fail(() => tooLarge(limit))
  }
  const onEnd = () => {
    if (isSettled) return
    isSettled = true
    onBody({ bytes: more?.read() ?? first ?? new Uint8Array() })
  }
  incoming
    .on('data', onData)
    .on('end', onEnd)
    .on('error', (error) => fail(() => (isNodeDisconnect(error) ? cutOff() : error)))
    .on('close', () => fail(cutOff))
}

/**
 * Reads the body of a Request of at most `limit` bytes; `readAll` reads one whose length is known to be within them. `node` is what the
 * host passed with it.
 */
export function readRequest(
  request: Request,
  limit: number,
  node: NodeHost,
  readAll: () => Promise<ArrayBuffer> = () => request.arrayBuffer(),
): Promise<Body> {
  const { headers, bodyUsed } = request
  const length = announcedLength((name) => headers.get(name), limit)
  const stream = Number.isNaN(length) && !bodyUsed ? request.body : null
  const lingerMs = isNodeHttp1(node) ? LINGER_MS : 0
  const bytes = stream
    ? readStream(stream, limit, lingerMs)
    : readAll().then((buffer) => {
        // A request over HTTP/2 that was cancelled, where the host passes no `env`. Earlier middleware may have replaced the body.
        if (buffer.byteLength < length && request.signal.aborted) throw cutOff()
        return checkLength(new Uint8Array(buffer), limit)
      })
  return bytes.then(
    (read) => ({ bytes: read }),
    (error) => {
      // Not every failure is the client's: earlier middleware may have replaced the stream.
      const isCutOff = isNodeDisconnect(error) || (request.signal.aborted && !(error instanceof HttpError))
      throw isCutOff ? cutOff() : error
    },
  )
}

/**
 * Returns the Content-Length, which the host enforces; NaN if the bytes have to be counted.
 *
 * @throws HttpError (413) if it is more than `limit`, or for a transfer coding that hosts do not decode (501, RFC 9112 section 6.1)
 */
function announcedLength(header: (name: string) => string | null | undefined, limit: number): number {
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
