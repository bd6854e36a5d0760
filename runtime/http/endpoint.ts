// HTTP, the same for every entry point: the method, the types and the charset of a request, and the status and headers of its response.
//
//   POST /rpc, application/json, {"jsonrpc":"2.0",…}  →  200, application/json
//   PUT /rpc                                          →  405, Allow: GET, HEAD, POST
//
// A POST: respond → respondToPost → readBody (body.ts) → respondToBody → handleBody → handleText (call/reply.ts) → responseOf
import { BodyTooLarge } from '../call/body-limits.js'
import { CallContext } from '../call/context.js'
import { fail } from '../call/failure.js'
import { type Awaitable, isPending, maybeThen } from '../call/maybe-async.js'
import { handleText, type Reply, rejectMessage } from '../call/reply.js'
import { createScope } from '../call/scope.js'
import { TooManyStreams } from '../call/subscribe.js'
import type { Codec, RpcContext } from '../call/types.js'
import { DISCOVER } from '../description/system-names.js'
import { isInstance, RpcInvalidRequest, RpcParseError } from '../error.js'
import type { Settings } from '../options.js'
import { protocolTable } from '../protocols.js'
import { type Reading, readBody, textReaderOf } from './body.js'
import { acceptsEvents, compressionOf, maySniff, negotiate, sniff } from './headers.js'
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
  tooLarge,
} from './message.js'
import { countResponse } from './node-requests.js'
import { BodyConsumedError } from './parsed-body.js'

/**
 * Responds to an HTTP request, whatever its entry point. The one HTTP implementation: method → type → body → text → response. Rejects with the
 * host's errors, which `respondToError` does not know.
 */
export function respond(request: HttpRequest, settings: Settings): Awaitable<HttpResponse> {
  if (request.method !== 'POST') return respondToGet(request, settings) ?? methodNotAllowed(request, settings)
  return new Promise((resolve) => respondToPost(request, settings, resolve))
}

/** Responds to a request that is not a POST; undefined if its method is not served. */
export function respondToGet(request: RequestHead, settings: Settings): Awaitable<HttpResponse> | undefined {
  const { docs, redirectGetRequestsTo } = settings
  if (isDocumentRequest(request) && settings.table.has(DISCOVER)) return serveOpenRpc(request, settings)
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
  const servesGet = docs || redirectGetRequestsTo !== undefined || (isDocumentUrl(request.url) && table.has(DISCOVER))
  // A client that accepts HTML gets the docs page at the same URL.
  const variesByAccept = docs && isGet(request)
  const text = acceptsEvents(request.header('accept'))
    ? 'A stream is a POST of a JSON-RPC call with Accept: text/event-stream: use fetch, not EventSource.'
    : docs
      ? 'An RPC endpoint accepts POST; its docs page is for GET with Accept: text/html.'
      : 'An RPC endpoint accepts POST only.'
  return { ...plainText(405, text, { Allow: servesGet ? 'GET, HEAD, POST' : 'POST' }), variesByAccept }
}

/**
 * Responds to a POST: calls `send`, once, with the response, or a promise of it that rejects as that of `respond` does. Not an async function: with
 * them, here and below, a small call through node:http takes 13 % more.
 */
export function respondToPost(
  request: HttpRequest,
  settings: Settings,
  send: (response: Awaitable<HttpResponse>) => void,
): void {
  const sendError = (error: unknown) => send(respondToError(error, request, settings))
  try {
    const compression = compressionOf(request)
    const contentType = request.header('content-type')
    const protocol = negotiate(contentType)
    if (protocol ? !settings.protocols.includes(protocol) : !maySniff(request, settings)) {
      throw unsupportedType(contentType, settings)
    }
    // Any procedure may be the called one, so the limit is the largest of theirs.
    const limit = settings.bodyBounds.largest
    const post = { request, settings, contentType, protocol, compression, limit }
    readBody(request, post, (body) => send(respondToBody(post, body)), sendError)
  } catch (error) {
    sendError(error)
  }
}

/** A POST whose headers are accepted. */
interface Post extends Reading {
  readonly request: RequestHead
  readonly settings: Settings
  readonly contentType: string | undefined
}

function respondToBody(post: Post, body: Body): Awaitable<HttpResponse> {
  const { request, settings, contentType, protocol = sniff(body.bytes) } = post
  try {
    if (!protocol || !settings.protocols.includes(protocol)) throw unsupportedType(contentType, settings)
    const codec = settings.codecFor(protocol)
    const response = isPending(codec)
      ? codec.then((loaded) => handleBody(post, body, loaded))
      : handleBody(post, body, codec)
    if (!isPending(response)) return response
    return response.then(undefined, (error) => respondToError(error, request, settings))
  } catch (error) {
    return respondToError(error, request, settings)
  }
}

/** @throws HttpError (415) if its charset is not supported, (413) if it is larger than what the called procedure accepts */
function handleBody(post: Post, body: Body, codec: Codec): Awaitable<HttpResponse> {
  const { request, settings, contentType } = post
  const readText = textReaderOf(body, contentType, codec.declaredCharset)
  const openStream = async (context: RpcContext) => {
    const { openEvents } = await import('./events.js')
    return openEvents(context, request, settings)
  }
  const scope = createScope(settings, codec, request, { bodyBytes: body.bytes.byteLength, openStream })
  countResponse(request.node, scope)
  const reply = handleText(readText, scope)
  if (!isPending(reply)) return responseOf(reply, codec, settings)
  return reply.then((settled) => responseOf(settled, codec, settings))
}

function unsupportedType(contentType: string | undefined, { protocols, compatibility }: Settings): HttpError {
  const wanted = protocols.map((protocol) => protocolTable[protocol].types[0]).join(' or ')
  const formAndText = compatibility.formAndTextBodies ? ' Forms and text: JSON or XML, not from a browser.' : ''
  return new HttpError(415, `Content-Type ${shorten(contentType)} is not served here: send ${wanted}.${formAndText}`)
}

/** @throws HttpError (413) if the only call does not accept a body of this size */
function responseOf({ text, failure, subscription }: Reply, codec: Codec, settings: Settings): Awaitable<HttpResponse> {
  if (failure && isInstance(failure.cause, BodyTooLarge)) throw tooLarge(failure.cause.limit)
  const stream = subscription?.stream
  if (stream) return import('./events.js').then(({ eventsResponse }) => eventsResponse(stream))
  if (text === undefined) return { status: 204, headers: {}, text: null }
  const response = { status: 200, headers: { 'Content-Type': codec.contentType }, text }
  if (!failure) return response
  const { compatibility } = settings
  const hasStatus = compatibility.httpStatus || compatibility.authChallenge !== undefined
  const failed = hasStatus
    ? import('../compatibility/index.js').then(({ withStatus }) => withStatus(response, failure, codec, compatibility))
    : response
  return isInstance(failure.thrown, TooManyStreams) ? maybeThen(failed, asBusy) : failed
}

function asBusy(response: HttpResponse): HttpResponse {
  return { ...response, status: 503, headers: { ...response.headers, 'Retry-After': '1' } }
}

/**
 * Returns the response to an error of the request outside of calls: of its headers, and of reading its body. Rejects with any other error, which is
 * the host's.
 */
async function respondToError(error: unknown, request: RequestHead, settings: Settings): Promise<HttpResponse> {
  if (error instanceof HttpError) return plainText(error.status, error.message, error.headers)
  if (error instanceof RpcInvalidRequest || error instanceof RpcParseError) {
    const codec = await settings.codecFor(negotiate(request.header('content-type')) ?? 'json-rpc')
    return responseOf(await rejectMessage(error, createScope(settings, codec, request)), codec, settings)
  }
  if (!(error instanceof BodyConsumedError)) throw error
  // A mistake in the setup is for the developer, by `onError`; the client gets 500.
  const { message } = (await fail(error, new CallContext(createScope(settings, undefined, request)))).error
  return plainText(500, `${message}.`)
}
