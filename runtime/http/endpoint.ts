import { CallContext } from '../call/context.js'
import { fail } from '../call/dispatch.js'
import { type Awaitable, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { handleText, rejectMessage } from '../call/reply.js'
import { createScope, type ScopeOptions } from '../call/scope.js'
import type { Codec, RpcContext } from '../call/types.js'
import { RpcInvalidRequest, RpcParseError } from '../error.js'
import type { ProtocolName } from '../protocol.js'
import { checkEnded, isNodeHttp2, isPipelined, tooLarge, turnOfRequest } from './body.js'
import { decodeText } from './charset.js'
import type { ErrorStatus, StatusCodec } from './compatibility.js'
import { type Compression, compressionOf, decompress } from './content-encoding.js'
import type { EventStream } from './events.js'
import {
  isDocsPageRequest,
  isDocumentRequest,
  isDocumentUrl,
  isGet,
  serveDocsPage,
  serveOpenRpc,
} from './introspection.js'
import {
  type Body,
  HttpError,
  type HttpRequest,
  type HttpResponse,
  plainText,
  type RequestHead,
  shorten,
} from './message.js'
import { acceptsEvents, maySniff, negotiate, sniff } from './negotiate.js'
import { BodyConsumedError } from './parsed-body.js'
import type { Settings } from './settings.js'

/**
 * Responds to an HTTP request, whatever its entry point; undefined if its method is not served. The one HTTP implementation:
 * method → type → body → text → response.
 */
export function respond(
  request: HttpRequest,
  settings: Settings,
  options: ScopeOptions = {},
): Awaitable<HttpResponse> | undefined {
  return request.method === 'POST' ? respondToPost(request, settings, options) : respondToGet(request, settings)
}

/** Responds to a request that is not a POST; undefined if its method is not served. */
export function respondToGet(request: RequestHead, settings: Settings): Awaitable<HttpResponse> | undefined {
  const { docs, redirectGetRequestsTo } = settings
  if (isDocumentRequest(request) && settings.table.has('rpc.discover')) return serveOpenRpc(request, settings)
  if (docs && isDocsPageRequest(request)) return serveDocsPage(request, settings)
  if (!isGet(request) || redirectGetRequestsTo === undefined) return undefined
  // A header is Latin-1.
  const isLatin1 = !/[^\0-\xff]/.test(redirectGetRequestsTo)
  const headers = { Location: isLatin1 ? redirectGetRequestsTo : encodeURI(redirectGetRequestsTo) }
  return { status: 301, text: null, headers, variesByAccept: docs }
}

/** Returns the response to a method that is not served: 405. */
export function methodNotAllowed(request: RequestHead, settings: Settings): HttpResponse {
  const { docs, redirectGetRequestsTo, table } = settings
  const servesGet =
    docs || redirectGetRequestsTo !== undefined || (isDocumentUrl(request.url) && table.has('rpc.discover'))
  // A client that accepts HTML gets the docs page at the same URL.
  const variesByAccept = docs && isGet(request)
  const text = acceptsEvents(request.header('accept'))
    ? 'A stream is a POST of a JSON-RPC call with Accept: text/event-stream: use fetch, not EventSource.'
    : docs
      ? 'An RPC endpoint accepts POST; its docs page is for GET with Accept: text/html.'
      : 'An RPC endpoint accepts POST only.'
  return { ...plainText(405, text, { Allow: servesGet ? 'GET, HEAD, POST' : 'POST' }), variesByAccept }
}

/** Not async functions here and below: with them, a small call through node:http takes 13 % more. */
function respondToPost(request: HttpRequest, settings: Settings, options: ScopeOptions): Awaitable<HttpResponse> {
  const recover = (error: unknown) => respondToError(error, request, settings)
  try {
    const post = new Post(request, settings, options)
    return request.readBody(post.limit, post.protocol).then((body) => post.respondTo(body), recover)
  } catch (error) {
    return recover(error)
  }
}

/** A POST whose headers are accepted. Its entry point reads the body: that of Node without a promise, which takes 3 % less. */
export class Post {
  /** The protocol of the Content-Type; undefined if the body decides. */
  readonly protocol: ProtocolName | undefined
  readonly #contentType: string | undefined
  readonly #request: RequestHead
  readonly #settings: Settings
  readonly #options: ScopeOptions
  readonly #compression: Compression | undefined
  /** Only such a request looks at the clock, which costs a call alone 5 %. */
  readonly #isPipelined: boolean

  /** @throws HttpError (415) if its Content-Type or Content-Encoding is not supported */
  constructor(request: RequestHead, settings: Settings, options: ScopeOptions) {
    this.#request = request
    this.#settings = settings
    this.#options = options
    this.#isPipelined = isPipelined(request.env)
    this.#compression = compressionOf(request.header('content-encoding'))
    this.#contentType = request.header('content-type')
    this.protocol = negotiate(this.#contentType)
    if (this.protocol ? !settings.protocols.includes(this.protocol) : !maySniff(request, settings)) {
      throw unsupportedType(this.#contentType, settings)
    }
  }

  /** How many bytes of the body are read at most: any procedure may be the called one, so it is the largest of their limits. */
  get limit(): number {
    return this.#settings.bodyBounds.largest
  }

  /** Returns the response to a body. */
  respondTo(body: Body): Awaitable<HttpResponse> {
    const { env } = this.#request
    const compression = body.isDecompressed ? undefined : this.#compression
    const respond = () =>
      compression
        ? decompressBody(body, compression, this.limit).then((plain) => this.#respondTo(plain))
        : this.#respondTo(body)
    return maybeCatch(
      () => {
        const turn = isNodeHttp2(env)
          ? checkEnded(env).then(() => turnOfRequest(env))
          : this.#isPipelined && turnOfRequest(env)
        return turn ? turn.then(respond) : respond()
      },
      (error) => respondToError(error, this.#request, this.#settings),
    )
  }

  #respondTo(body: Body): Awaitable<HttpResponse> {
    const settings = this.#settings
    const protocol = this.protocol ?? sniff(body.bytes)
    if (!protocol || !settings.protocols.includes(protocol)) {
      throw unsupportedType(this.#contentType, settings)
    }
    return maybeThen(settings.codecFor(protocol), (codec) =>
      maybeThen(watch(codec, settings), (watched) => this.#handle(body, codec, watched)),
    )
  }

  #handle({ bytes, isDecoded, wasText }: Body, codec: Codec, watched?: StatusCodec): Awaitable<HttpResponse> {
    let events: EventStream | undefined
    const openStream = async (context: RpcContext) => {
      const { openEvents } = await import('./events.js')
      events = openEvents(context, this.#request, this.#settings)
      return events
    }
    const options = { ...this.#options, bodyBytes: bytes.byteLength, openStream }
    const scope = createScope(this.#settings, watched?.codec ?? codec, this.#request, options)
    const contentType = isDecoded ? undefined : this.#contentType
    const readText = () => decodeText(bytes, contentType, { xml: codec.protocol === 'xml-rpc', wasText })
    return maybeThen(handleText(readText, scope, isHttpError), (text) => {
      if (scope.rejection) throw tooLarge(scope.rejection.limit)
      return events?.response ?? replyResponse(text, codec, events?.rejection ?? watched?.status())
    })
  }
}

async function decompressBody(body: Body, compression: Compression, limit: number): Promise<Body> {
  return { ...body, bytes: await decompress(body.bytes, compression, limit) }
}

function unsupportedType(contentType: string | undefined, { protocols, compatibility }: Settings): HttpError {
  const spoken = { 'json-rpc': 'application/json', 'xml-rpc': 'text/xml' }
  const wanted = protocols.map((protocol) => spoken[protocol]).join(' or ')
  const formAndText = compatibility.formAndTextBodies ? ' Forms and text: JSON or XML, not from a browser.' : ''
  return new HttpError(415, `Content-Type ${shorten(contentType)} is not served here: send ${wanted}.${formAndText}`)
}

/** Returns what finds the HTTP status of errors; undefined if it does not depend on them. */
function watch(codec: Codec, { compatibility }: Settings): Awaitable<StatusCodec> | undefined {
  if (!compatibility.httpStatus && compatibility.authChallenge === undefined) return undefined
  return import('../compatible.js').then(({ statusCodec }) => statusCodec(codec, compatibility))
}

function isHttpError(error: unknown): boolean {
  return error instanceof HttpError
}

function replyResponse(text: string | undefined, codec: Codec, error?: ErrorStatus): HttpResponse {
  if (text === undefined) return { status: 204, headers: {}, text: null }
  const headers = { 'Content-Type': codec.contentType }
  return error
    ? { status: error.status, headers: { ...headers, ...error.headers }, text }
    : { status: 200, headers, text }
}

/** Returns the response to an error outside of calls; rejects with an error that is not one of this endpoint. */
export async function respondToError(error: unknown, request: RequestHead, settings: Settings): Promise<HttpResponse> {
  if (error instanceof HttpError) return plainText(error.status, error.message, error.headers)
  if (error instanceof RpcInvalidRequest || error instanceof RpcParseError) {
    const codec = await settings.codecFor(negotiate(request.header('content-type')) ?? 'json-rpc')
    const watched = await watch(codec, settings)
    const text = await rejectMessage(error, createScope(settings, watched?.codec ?? codec, request))
    return replyResponse(text, codec, watched?.status())
  }
  // Other errors are the host's.
  if (!(error instanceof BodyConsumedError)) throw error
  // A mistake in the setup is for the developer, by `onError`; the client gets 500.
  const { message } = (await fail(error, new CallContext(createScope(settings, undefined, request)))).error
  return plainText(500, `${message}.`)
}
