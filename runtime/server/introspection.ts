import type { Context } from 'hono'
import { encodeOnce } from '../call/codec.js'
import { CallContext } from '../call/context.js'
import { admit, fail } from '../call/dispatch.js'
import type { Exchange, Settings } from '../call/exchange.js'
import { AuthenticationError } from '../error.js'
import type { Discovered } from '../openrpc/discover.js'
import type { OpenRpc } from '../openrpc/openrpc.js'

/** How the page asks for the OpenRPC document: it has one URL, whatever it is mounted at. */
const documentQuery = 'openrpc.json'

/** Whether a request asks for the docs page, or for something that belongs to it. */
export function asksForDocs({ req }: Context): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return req.query('asset') !== undefined || (req.header('accept')?.includes('text/html') ?? false)
}

/**
 * Serves the docs page, in a chunk of its own that is loaded for the first request.
 *
 * @param endpoint where the procedures are called, relative to the page; its own URL when absent
 */
export async function serveDocsPage(c: Context, settings: Settings, endpoint?: string): Promise<Response> {
  if (c.req.query('asset') === documentQuery) return serveOpenRpc(c, settings)
  const discovered = await discoverFor(c, settings)
  if (discovered instanceof Response) return discovered
  const { serveDocs } = await import('../page/index.js')
  const { description, document } = discovered
  const source = {
    description,
    info: document.info,
    protocols: settings.protocols,
    endpoint,
    openrpc: settings.protocols.includes('json-rpc') ? `?asset=${documentQuery}` : undefined,
  }
  return serveDocs(c, source, cacheControlOf(settings))
}

/** Serves the OpenRPC document, with an entity tag so that who has it need not get it again. */
export async function serveOpenRpc(c: Context, settings: Settings): Promise<Response> {
  const discovered = await discoverFor(c, settings)
  if (discovered instanceof Response) return discovered
  const { body, etag } = await textOf(discovered.document)
  const headers = { ETag: etag, 'Cache-Control': cacheControlOf(settings) }
  const has = c.req.header('if-none-match')
  if (has !== undefined && isAmong(etag, has)) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json' })
}

/** What not everyone may see is stored by no cache. */
function cacheControlOf({ introspectionAuth }: Settings): string {
  return introspectionAuth === undefined || introspectionAuth === 'public' ? 'no-cache' : 'private, no-store'
}

interface TaggedText {
  readonly body: string
  readonly etag: string
}

const texts = new WeakMap<OpenRpc, Promise<TaggedText>>()

/** Returns the document as it is sent and its strong entity tag (RFC 9110 section 8.8.3), both made once. */
function textOf(document: OpenRpc): Promise<TaggedText> {
  const known = texts.get(document)
  if (known) return known
  const text = tagged(encodeOnce(document).text)
  texts.set(document, text)
  return text
}

async function tagged(body: string): Promise<TaggedText> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const hex = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return { body, etag: `"${hex.join('')}"` }
}

/** Weak comparison (RFC 9110 section 13.1.2). */
function isAmong(etag: string, list: string): boolean {
  return list.split(',').some((each) => [etag, '*'].includes(each.trim().replace(/^W\//, '')))
}

/** Returns the description of a server, or the response to a caller who may not see it. */
async function discoverFor(c: Context, settings: Settings): Promise<Discovered | Response> {
  const context = new CallContext(exchangeWithoutCodec(c, settings))
  try {
    if (settings.unservable) throw settings.unservable
    await admit(settings.introspectionAuth, context)
    const { discover } = await import('../openrpc/discover.js')
    context.end()
    return discover(settings.table, settings.info)
  } catch (error) {
    const { message } = (await fail(error, context)).error
    c.header('Vary', 'Accept', { append: true })
    return c.text(`${message}.`, error instanceof AuthenticationError ? 403 : 500, { 'Cache-Control': 'no-store' })
  }
}

/** An HTTP request that is not a call. */
export function exchangeWithoutCodec(c: Context, settings: Settings): Exchange {
  const request = () => c.req.raw
  return { settings, transport: 'http', codec: undefined, authorises: true, honoContext: c, request, sequential: false }
}
