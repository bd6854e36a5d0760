// The responses that describe a server: a chunk that is loaded for the first of them.
import { CallContext } from '../call/context.js'
import type { Discovered } from '../call/discover.js'
import { checkAuth } from '../call/dispatch.js'
import { fail } from '../call/failure.js'
import { createScope } from '../call/scope.js'
import type { OpenRpc } from '../description/openrpc.js'
import { ErrorCode, isRpcError } from '../error.js'
import { encodeOnce } from '../jsonrpc/codec.js'
import type { Settings } from '../options.js'
import { memoize } from '../values/cache.js'
import { type HttpResponse, plainText, type RequestHead } from './message.js'

/** Where the page calls procedures. */
export interface Addresses {
  readonly endpoint?: string
  readonly webSocket?: string | undefined
}

/** Returns the docs page. `documentUrl` is where it requests the OpenRPC document of a server with JSON-RPC. */
export async function docsPageResponse(
  request: RequestHead,
  settings: Settings,
  { endpoint, webSocket }: Addresses,
  documentUrl: string,
): Promise<HttpResponse> {
  const discovered = await discoverFor(request, settings)
  if ('status' in discovered) return discovered
  const { serveDocs } = await import('../page/index.js')
  const { description, document } = discovered
  const source = {
    description,
    info: document.info,
    protocols: settings.protocols,
    endpoint,
    webSocket,
    openrpc: settings.protocols.includes('json-rpc') ? documentUrl : undefined,
  }
  return serveDocs(request, source, cacheControlOf(settings))
}

/** Returns the OpenRPC document, with an entity tag so that clients need not download it again. */
export async function openRpcResponse(request: RequestHead, settings: Settings): Promise<HttpResponse> {
  const discovered = await discoverFor(request, settings)
  if ('status' in discovered) return discovered
  const { body, etag } = await taggedTextOf(discovered.document)
  const headers = { ETag: etag, 'Cache-Control': cacheControlOf(settings) }
  const has = request.header('if-none-match')
  if (has !== undefined && isAmong(etag, has)) return { status: 304, text: null, headers }
  return { status: 200, text: body, headers: { ...headers, 'Content-Type': 'application/json' } }
}

/** A description that not everyone may see must not be stored by a cache. */
function cacheControlOf({ introspectionAuth }: Settings): string {
  return introspectionAuth === undefined || introspectionAuth === 'public' ? 'no-cache' : 'private, no-store'
}

interface TaggedText {
  readonly body: string
  readonly etag: string
}

/** Returns the text of a document and its strong entity tag (RFC 9110 section 8.8.3), both made once. */
const taggedTextOf = memoize(async (document: OpenRpc): Promise<TaggedText> => {
  const body = encodeOnce(document).text
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const hex = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return { body, etag: `"${hex.join('')}"` }
})

/** Weak comparison (RFC 9110 section 13.1.2). */
function isAmong(etag: string, list: string): boolean {
  return list.split(',').some((each) => [etag, '*'].includes(each.trim().replace(/^W\//, '')))
}

/** Returns the description of a server, or the response for a caller that may not see it. */
async function discoverFor(request: RequestHead, settings: Settings): Promise<Discovered | HttpResponse> {
  const context = new CallContext(createScope(settings, undefined, request))
  let isAuthorized = false
  try {
    await checkAuth(settings.introspectionAuth, context)
    isAuthorized = true
    const { discover } = await import('../call/discover.js')
    context.end()
    return discover(settings.table, settings.info)
  } catch (error) {
    const { code, message } = (await fail(error, context)).error
    const isUnknown = code === ErrorCode.AUTHENTICATION
    const challenge = isUnknown
      ? (await import('../compatibility/index.js')).challengeOf(settings.compatibility, settings.introspectionAuth)
      : undefined
    const status = isAuthorized || !isRpcError(error) ? 500 : challenge ? 401 : 403
    const headers = { 'Cache-Control': 'no-store', ...(challenge && { 'WWW-Authenticate': challenge }) }
    return { ...plainText(status, `${message}.`, headers), variesByAccept: true }
  }
}
