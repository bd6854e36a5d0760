import { CallContext } from '../call/context.js'
import { fail } from '../call/dispatch.js'
import { type Awaitable, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { handleText, rejectMessage } from '../call/reply.js'
import { createScope, type ScopeOptions } from '../call/scope.js'
import type { Codec } from '../call/types.js'
import { RpcInvalidRequest } from '../error.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import { tooLarge } from './body.js'
import { decodeText } from './charset.js'
import type { ErrorStatus, StatusCodec } from './compatibility.js'
import { type Compression, compressionOf, decompress } from './content-encoding.js'
import { asksForDocs, asksForDocument, serveDocsPage, serveOpenRpc } from './introspection.js'
import { type Body, HttpError, type HttpRequest, type HttpResponse, plainText } from './message.js'
import { maySniff, negotiate, sniff } from './negotiate.js'
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

function respondToGet(request: HttpRequest, settings: Settings): Awaitable<HttpResponse> | undefined {
  const { docs, redirectGetRequestsTo } = settings
  if (asksForDocument(request) && settings.table.has('rpc.discover')) return serveOpenRpc(request, settings)
  if (docs && asksForDocs(request)) return serveDocsPage(request, settings)
  if (request.method !== 'GET' || redirectGetRequestsTo === undefined) return undefined
  // A header is Latin-1.
  const isLatin1 = !/[^\0-\xff]/.test(redirectGetRequestsTo)
  const headers = { Location: isLatin1 ? redirectGetRequestsTo : encodeURI(redirectGetRequestsTo) }
  return { status: 301, text: null, headers, variesByAccept: docs }
}

/** Returns the response to a method that is not served: 405. */
export function methodNotAllowed({ method }: HttpRequest, { docs }: Settings): HttpResponse {
  // The same URL is the docs page for who accepts HTML.
  const variesByAccept = docs && (method === 'GET' || method === 'HEAD')
  return { ...plainText(405, 'An RPC endpoint answers POST only.', { Allow: 'POST' }), variesByAccept }
}

/** Not an async function: with one, a small call through node:http takes 13 % more. */
function respondToPost(request: HttpRequest, settings: Settings, options: ScopeOptions): Awaitable<HttpResponse> {
  const recover = (error: unknown) => respondToError(error, request, settings)
  try {
    const compression = compressionOf(request.header('content-encoding'))
    const contentType = request.header('content-type')
    const asked = negotiate(contentType)
    if (!asked && !maySniff(request, settings)) throw unsupportedType(contentType, settings)
    if (asked && !settings.protocols.includes(asked)) throw unsupportedType(contentType, settings)
    // The body says which procedure it calls, so as much is read as any of them accepts.
    const { largest } = settings.bodyBounds
    const respondTo = (body: Body) => {
      const protocol = asked ?? sniff(body.bytes)
      if (!protocol || !settings.protocols.includes(protocol)) throw unsupportedType(contentType, settings)
      return maybeThen(settings.codecFor(protocol), (codec) =>
        hasStatus(settings)
          ? watch(codec, settings).then((watched) => respondToBody(body, request, codec, settings, options, watched))
          : respondToBody(body, request, codec, settings, options),
      )
    }
    return request.readBody(largest, asked).then((body) => {
      const isCompressed = compression && !body.isDecompressed
      return maybeCatch(
        () => (isCompressed ? decompressBody(body, compression, largest).then(respondTo) : respondTo(body)),
        recover,
      )
    }, recover)
  } catch (error) {
    return recover(error)
  }
}

async function decompressBody(body: Body, compression: Compression, limit: number): Promise<Body> {
  return { ...body, bytes: await decompress(body.bytes, compression, limit) }
}

function unsupportedType(contentType: string | undefined, { protocols, compatibility }: Settings): HttpError {
  const spoken = { 'json-rpc': 'application/json', 'xml-rpc': 'text/xml' }
  const wanted = protocols.map((protocol) => spoken[protocol]).join(' or ')
  const formAndText = compatibility.formAndTextBodies ? ' Forms and text: JSON or XML, not from a browser.' : ''
  return new HttpError(415, `Content-Type ${contentType ?? '(none)'} is not served here: send ${wanted}.${formAndText}`)
}

function respondToBody(
  { bytes, isDecoded, wasText }: Body,
  request: HttpRequest,
  codec: Codec,
  settings: Settings,
  options: ScopeOptions,
  watched?: StatusCodec,
): Awaitable<HttpResponse> {
  const scope = createScope(settings, watched?.codec ?? codec, request, { ...options, bodyBytes: bytes.byteLength })
  const contentType = isDecoded ? undefined : request.header('content-type')
  const readText = () => decodeText(bytes, contentType, { xml: codec.protocol === 'xml-rpc', wasText })
  return maybeThen(handleText(readText, scope, isHttpError), (text) => {
    if (scope.rejection) throw tooLarge(scope.rejection.limit)
    return replyResponse(text, codec, watched?.status())
  })
}

/** True if an error of a call may change the HTTP status. */
function hasStatus({ compatibility }: Settings): boolean {
  return compatibility.httpStatus || compatibility.authChallenge !== undefined
}

async function watch(codec: Codec, { compatibility }: Settings): Promise<StatusCodec> {
  const { statusCodec } = await import('../compatible.js')
  return statusCodec(codec, compatibility)
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

async function respondToError(error: unknown, request: HttpRequest, settings: Settings): Promise<HttpResponse> {
  if (error instanceof HttpError) return plainText(error.status, error.message, error.headers)
  if (error instanceof RpcInvalidRequest) {
    const watched = hasStatus(settings) ? await watch(jsonrpc, settings) : undefined
    const text = await rejectMessage(error, createScope(settings, watched?.codec ?? jsonrpc, request))
    return replyResponse(text, jsonrpc, watched?.status())
  }
  // Other errors are the host's.
  if (!(error instanceof BodyConsumedError)) throw error
  // A mistake in the setup is for the developer, by `onError`; the client gets 500.
  const { message } = (await fail(error, new CallContext(createScope(settings, undefined, request)))).error
  return plainText(500, `${message}.`)
}
