import type { Context } from 'hono'
import { type Awaitable, attempt, chain } from '../call/chain.js'
import type { Codec } from '../call/codec.js'
import { CallContext } from '../call/context.js'
import { fail } from '../call/dispatch.js'
import type { Settings } from '../call/exchange.js'
import { type CodedExchange, refuseMessage, replyTo } from '../call/reply.js'
import { RpcInvalidRequest } from '../error.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { ProtocolName } from '../protocol.js'
import { asksForDocs, exchangeWithoutCodec, serveDocsPage } from '../server/introspection.js'
import { type NoBody, wasReadAsText } from './body.js'
import { decodeText, UnsupportedCharset } from './charset.js'
import { BodyConsumedError, keptBody, readUnlessConsumed } from './consumed-body.js'
import { acceptedEncodings, type Compression, compressionOf, decompress } from './content-encoding.js'
import { maySniff, negotiate, sniff } from './negotiate.js'

/** A Hono handler that answers RPC requests. */
export type View = (c: Context) => Response | Promise<Response>

/** The HTTP side of a server: Request → verb, size → protocol → text → answer. */
export function serve(c: Context, settings: Settings, sequential: boolean): Response | Promise<Response> {
  if (c.req.method === 'POST') return servePost(c, settings, sequential)
  if (settings.docs && asksForDocs(c)) return serveDocsPage(c, settings)
  return refuseMethod(c, settings)
}

function refuseMethod(c: Context, { redirectGetRequestsTo, docs }: Settings): Response {
  const isGet = c.req.method === 'GET' || c.req.method === 'HEAD'
  // The same URL is the docs page for who accepts HTML.
  if (docs && isGet) c.header('Vary', 'Accept', { append: true })
  if (c.req.method === 'GET' && redirectGetRequestsTo !== undefined) return c.redirect(redirectGetRequestsTo, 301)
  return c.text('An RPC endpoint answers POST only.', 405, { Allow: 'POST' })
}

function servePost(c: Context, settings: Settings, sequential: boolean): Response | Promise<Response> {
  const { headers } = c.req.raw
  const contentType = headers.get('content-type')
  const compression = compressionOf(headers.get('content-encoding'))
  if (compression === 'unsupported') return refuseEncoding(c)
  const asked = negotiate(contentType)
  if (!asked && !(settings.sniffContentType && maySniff(headers))) return refuseType(c, settings, contentType)
  const kept = keptBody(c, asked)
  if (kept instanceof RpcInvalidRequest) return refuseValue(c, settings, kept)
  const wasText = kept ? kept.wasText : wasReadAsText(c)
  const charsetOf = kept?.isDecoded ? null : contentType
  const content = kept ? limitBody(kept.bytes, settings) : readContent(c, compression, settings)
  return content.then(
    (body) => {
      if (typeof body === 'string') return refuseBody(c, settings, body)
      const protocol = asked ?? sniff(body)
      if (!protocol || !settings.protocols.includes(protocol)) return refuseType(c, settings, contentType)
      const options = { xml: protocol === 'xml-rpc', wasText }
      return chain(codecOf(protocol), (codec) => {
        const exchange = exchangeOf(c, settings, codec, sequential)
        return serveText(() => decodeText(body, charsetOf, options), exchange, c)
      })
    },
    (error) => reportConsumed(c, settings, error),
  )
}

/** Reads a request's body and decompresses it; the limit is for both. */
function readContent(
  c: Context,
  compression: Compression | undefined,
  { limits }: Settings,
): Promise<Uint8Array | NoBody> {
  const read = readUnlessConsumed(c, limits.bodyBytes)
  if (!compression) return read
  return read.then((body) => (typeof body === 'string' ? body : decompress(body, compression, limits.bodyBytes)))
}

async function limitBody(bytes: Uint8Array, { limits }: Settings): Promise<Uint8Array | NoBody> {
  return bytes.byteLength > limits.bodyBytes ? 'too large' : bytes
}

async function refuseValue(c: Context, settings: Settings, error: RpcInvalidRequest): Promise<Response> {
  return respond(c, jsonrpc, await refuseMessage(error, exchangeOf(c, settings, jsonrpc, false)))
}

/** A mistake in the setup is told to the developer by `onError`; the client gets 500. Other errors are the host's. */
async function reportConsumed(c: Context, settings: Settings, error: unknown): Promise<Response> {
  if (!(error instanceof BodyConsumedError)) throw error
  const { message } = (await fail(error, new CallContext(exchangeWithoutCodec(c, settings)))).error
  return c.text(`${message}.`, 500)
}

function exchangeOf(c: Context, settings: Settings, codec: Codec, sequential: boolean): CodedExchange {
  const request = () => c.req.raw
  return { settings, transport: 'http', codec, authorises: true, honoContext: c, request, sequential }
}

/** RFC 9110 section 15.5.16: Accept-Encoding tells the client what to use instead. */
function refuseEncoding(c: Context): Response {
  const encoding = c.req.raw.headers.get('content-encoding')
  const text = `The Content-Encoding ${encoding} is not supported: send ${acceptedEncodings.replace(',', ' or')}, or none.`
  return c.text(text, 415, { 'Accept-Encoding': acceptedEncodings })
}

const badBodies = {
  'cut off': 'The body ended early.',
  'not gzip': 'The body is not valid gzip data.',
  'not deflate': 'The body is not valid deflate data: send the zlib format (RFC 1950).',
}

function refuseBody(c: Context, { limits }: Settings, reason: NoBody): Response {
  if (reason !== 'too large') return c.text(badBodies[reason], 400)
  return c.text(`The body is larger than ${limits.bodyBytes} bytes.`, 413)
}

function refuseType(c: Context, { protocols }: Settings, contentType: string | null): Response {
  const spoken = { 'json-rpc': 'application/json', 'xml-rpc': 'text/xml' }
  const wanted = protocols.map((protocol) => spoken[protocol]).join(' or ')
  return c.text(`Content-Type ${contentType ?? '(none)'} is not served here: send ${wanted}.`, 415)
}

/** The XML codec is a chunk of its own, loaded when the first XML request comes. */
function codecOf(protocol: ProtocolName): Awaitable<Codec> {
  return protocol === 'json-rpc' ? jsonrpc : import('../xmlrpc/codec.js').then(({ xmlrpc }) => xmlrpc)
}

function serveText(readText: () => string, exchange: CodedExchange, c: Context): Awaitable<Response> {
  const { codec, settings } = exchange
  const reply = attempt<string | undefined | UnsupportedCharset>(
    () => chain(codec.decode(readText(), settings.limits), (message) => replyTo(message, exchange)),
    (error) => (error instanceof UnsupportedCharset ? error : refuseMessage(error, exchange)),
  )
  return chain(reply, (text) =>
    text instanceof UnsupportedCharset ? c.text(text.message, 415) : respond(c, codec, text),
  )
}

/** One string, so that the host sends Content-Length; through the Hono context, so that headers set before stay. */
function respond(c: Context, codec: Codec, text: string | undefined): Response {
  return text === undefined ? c.body(null, 204) : c.body(text, 200, { 'Content-Type': codec.contentType })
}
