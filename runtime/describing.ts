import type { Context } from 'hono'
import type { Auth } from './auth.js'
import { CallContext } from './context.js'
import { admit, fail } from './dispatch.js'
import { AuthenticationError } from './error.js'
import type { Exchange, Settings } from './exchange.js'
import type { Discovered } from './openrpc/discover.js'

/** Where the docs page is: who may see it, and where what it describes is called. */
export interface DocsPlace {
  /** Default: the server's. */
  readonly auth?: Auth
  /** Relative to the page; its own URL when absent. */
  readonly endpoint?: string
}

/** How the page asks for the OpenRPC document: it has one URL, whatever it is mounted at. */
const documentQuery = 'openrpc.json'

/** Whether a request asks for the docs page, or for something that belongs to it. */
export function asksForDocs({ req }: Context): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  return req.query('asset') !== undefined || (req.header('accept')?.includes('text/html') ?? false)
}

/** Serves the docs page, in a chunk of its own that is loaded when the first one asks for it. */
export async function serveDocsPage(c: Context, settings: Settings, place: DocsPlace): Promise<Response> {
  if (c.req.query('asset') === documentQuery) return serveOpenRpc(c, settings, place.auth)
  const discovered = await admitted(c, settings, place.auth)
  if (discovered instanceof Response) return discovered
  const { serveDocs } = await import('./docs/index.js')
  const { description, document } = discovered
  return serveDocs(c, {
    description,
    info: document.info,
    protocols: settings.protocols,
    endpoint: place.endpoint,
    openrpc: settings.protocols.includes('json-rpc') ? `?asset=${documentQuery}` : undefined,
  })
}

/** Serves the OpenRPC document, with an entity tag so that who has it need not get it again. */
export async function serveOpenRpc(c: Context, settings: Settings, auth?: Auth): Promise<Response> {
  const discovered = await admitted(c, settings, auth)
  if (discovered instanceof Response) return discovered
  const { body, etag } = await discovered.text
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  const has = c.req.header('if-none-match')
  if (has !== undefined && isAmong(etag, has)) return c.body(null, 304, headers)
  return c.body(body, 200, { ...headers, 'Content-Type': 'application/json' })
}

/** Weak comparison (RFC 9110 section 13.1.2). */
function isAmong(etag: string, list: string): boolean {
  return list.split(',').some((each) => [etag, '*'].includes(each.trim().replace(/^W\//, '')))
}

/** What may be seen of a server by who asks; the answer where that is nothing. */
async function admitted(c: Context, settings: Settings, auth?: Auth): Promise<Discovered | Response> {
  const context = new CallContext(exchangeOf(c, settings))
  try {
    if (settings.refusal) throw settings.refusal
    const level = auth ?? settings.server.auth
    if (level !== undefined) await admit({ auth: level }, context)
    const { discover } = await import('./openrpc/discover.js')
    return discover(settings.table, settings.info)
  } catch (error) {
    const { message } = fail(error, context).error
    return c.text(`${message}.`, error instanceof AuthenticationError ? 403 : 500)
  }
}

function exchangeOf(c: Context, settings: Settings): Exchange {
  const request = () => c.req.raw
  return { settings, transport: 'http', codec: undefined, authorises: true, honoContext: c, request, sequential: false }
}
