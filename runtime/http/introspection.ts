import type { OptionRow, OptionTable } from '../option-table.js'
import type { DocsOptions, Settings } from '../options.js'
import type { Addresses } from './documents.js'
import { type HttpResponse, plainText, type RequestHead } from './message.js'
import { countResponse, turnOf } from './node-requests.js'

/** The last segment of the OpenRPC document's path, and the relative URL by which the page requests it. */
const documentName = 'openrpc.json'

/** True for GET, and for HEAD, which is a GET without the body. */
export function isGet({ method }: RequestHead): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** True for the URL of the OpenRPC document, below the path of the endpoint. */
export function isDocumentUrl(url: string): boolean {
  return new URL(url).pathname.endsWith(`/${documentName}`)
}

/** True if a request is for the OpenRPC document. */
export function isDocumentRequest(request: RequestHead): boolean {
  return isGet(request) && isDocumentUrl(request.url)
}

/** True if a request is for the docs page, or for one of its assets. */
export function isDocsPageRequest(request: RequestHead): boolean {
  if (!isGet(request)) return false
  return assetOf(request) !== null || (request.header('accept')?.includes('text/html') ?? false)
}

function assetOf({ url }: RequestHead): string | null {
  return new URL(url).searchParams.get('asset')
}

/**
 * Serves the docs page, or the OpenRPC document if the page requests it.
 *
 * @param addresses where the procedures are called, relative to the page; its own URL when absent
 */
export async function serveDocsPage(
  request: RequestHead,
  settings: Settings,
  addresses: Addresses = {},
): Promise<HttpResponse> {
  if (assetOf(request) === documentName) return serveOpenRpc(request, settings)
  return (await documentsInTurn(request)).docsPageResponse(request, settings, addresses, `?asset=${documentName}`)
}

/** Serves the OpenRPC document; another method than GET and HEAD is 405. */
export async function serveOpenRpc(request: RequestHead, settings: Settings): Promise<HttpResponse> {
  if (!isGet(request)) return plainText(405, 'The OpenRPC document is for GET.', { Allow: 'GET, HEAD' })
  return (await documentsInTurn(request)).openRpcResponse(request, settings)
}

/** Waits for the turn of a request that comes with others: one read of a socket can have a thousand requests for the page, which are not read. */
async function documentsInTurn({ node }: RequestHead): Promise<typeof import('./documents.js')> {
  const turn = turnOf(node)
  if (turn) await turn
  countResponse(node)
  return import('./documents.js')
}

/** The options of `docs`. */
export const docsTable: OptionTable<DocsOptions> = {
  endpoint: { ...address('an http(s) URL', /^https?:$/), isRequired: true },
  // Browsers open a WebSocket at an http(s) URL too.
  webSocket: address('a ws(s) URL', /^(?:http|ws)s?:$/),
}

/** An address that the page can call. */
function address(url: string, protocols: RegExp): OptionRow<string> {
  return {
    expected: `a path or ${url}, relative to the page and without a password`,
    accepts: (value) => typeof value === 'string' && isCallableAddress(value, protocols),
  }
}

/** Any base will do: whether a path is valid does not depend on it. */
const anyPage = 'https://localhost/docs'

function isCallableAddress(address: string, protocols: RegExp): boolean {
  if (!URL.canParse(address, anyPage)) return false
  const { protocol, username, password } = new URL(address, anyPage)
  // fetch and WebSocket reject an address with credentials.
  return protocols.test(protocol) && username === '' && password === ''
}
