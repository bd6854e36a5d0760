// The docs page over HTTP: `GET /rpc` with `Accept: text/html` is the page, and `?asset=script-….js` its script. The page runs by a
// Content-Security-Policy of its own, unless middleware has sent one; it is rendered once for each description
// and the rest of its source, such as the addresses.
import { html } from 'hono/html'
import type { Description } from '../description/description.js'
import { script, scriptHash, style, styleHash } from './assets.gen.js'
import type { DocsSource } from './data.js'
import { bodyHtml } from './page.js'
import { socketMarkup, urlMarkup } from './procedure.js'

export type { DocsSource } from './data.js'

/** The names of the script and the style; another text has another name. */
const scriptAsset = `script-${scriptHash}.js`
const styleAsset = `style-${styleHash}.css`

const assets: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  [scriptAsset, { type: 'text/javascript; charset=utf-8', text: script }],
  [styleAsset, { type: 'text/css; charset=utf-8', text: style }],
])

/** The address of the page, and the nonce of the policy that middleware sends. */
interface PageRequest {
  readonly url: string
  readonly nonce: string | undefined
}

/** A response of HTTP, for its entry point to send. */
interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly variesByAccept?: boolean
}

/**
 * Returns the page of an API, or its script or style where `?asset=` names one. The page is rendered once for each
 * description and the rest of its source.
 */
export function serveDocs(request: PageRequest, source: DocsSource, cacheControl = 'no-cache'): PageResponse {
  const asset = new URL(request.url).searchParams.get('asset')
  return asset === null ? servePage(request, source, cacheControl) : serveAsset(asset)
}

function serveAsset(name: string): PageResponse {
  const found = assets.get(name)
  if (!found) {
    const headers = { ...commonHeaders, 'Content-Type': 'text/plain; charset=UTF-8' }
    return { status: 404, text: `There is no ${JSON.stringify(name)} here.`, headers }
  }
  const cacheControl = 'public, max-age=31536000, immutable'
  const headers = { ...commonHeaders, 'Content-Type': found.type, 'Cache-Control': cacheControl }
  return { status: 200, text: found.text, headers }
}

function servePage({ url, nonce: given }: PageRequest, source: DocsSource, cacheControl: string): PageResponse {
  const nonce = given ?? freshNonce()
  // The middleware that sets a nonce writes the policy too, perhaps without images.
  const policy = given === undefined ? policyOf(nonce, source) : undefined
  const { endpoint, webSocket = endpoint } = source
  const body = bodyOf(source)
    .replaceAll(`${urlMarkup}`, safeUrl(url, endpoint))
    .replaceAll(`${socketMarkup}`, safeUrl(url, webSocket).replace(/^http/, 'ws'))
  const headers = {
    ...commonHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheControl,
    // X-Frame-Options is for browsers without frame-ancestors.
    ...(policy !== undefined && { 'Content-Security-Policy': policy, 'X-Frame-Options': 'DENY' }),
  }
  return { status: 200, text: headHtml(source, nonce, policy !== undefined) + body, headers, variesByAccept: true }
}

/** Needs no request: the policy of the page allows images in the page itself only. */
const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  "<rect width='16' height='16' rx='3' fill='%230b57a8'/>" +
  "<path d='M6 4 2.5 8 6 12m4-8 3.5 4-3.5 4' fill='none' stroke='white' stroke-width='1.8'/></svg>"

function headHtml({ info }: DocsSource, nonce: string, withIcon: boolean): string {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
${withIcon ? html`<link rel="icon" href="${icon}">\n` : ''}<link rel="stylesheet" href="?asset=${styleAsset}" nonce="${nonce}">
<script src="?asset=${scriptAsset}" nonce="${nonce}"></script>
</head>
`
  return head.toString()
}

const bodies = new WeakMap<Description, Map<string, string>>()

/** The body with the placeholders for addresses. */
function bodyOf(source: DocsSource): string {
  const { description, ...rest } = source
  const known = bodies.get(description) ?? new Map<string, string>()
  bodies.set(description, known)
  const key = JSON.stringify(rest)
  const body = known.get(key) ?? bodyHtml(source)
  known.set(key, body)
  return body
}

/** The endpoint's URL, percent-encoded so that no sample has to escape it. */
function safeUrl(page: string, endpoint = ''): string {
  const url = new URL(page)
  url.search = ''
  const { href } = new URL(endpoint, url)
  const plain = href.replace(/[^\w.~:/?#[\]@=%,;+&-]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return plain.replaceAll('&', '&amp;')
}

/** The policy of the page: nothing but its own script and style, and calls to the endpoint and the WebSocket. */
function policyOf(nonce: string, source: DocsSource): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    `connect-src ${[...new Set(callableOrigins(source))].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function callableOrigins({ description, endpoint, webSocket }: DocsSource): string[] {
  const hasSocket = webSocket !== undefined && description.procedures.some(({ subscription }) => subscription)
  // `ws:` allows `wss:` too.
  const socket = webSocket?.replace(/^(?:http(s?):)?\/\//i, 'ws$1://')
  return [originOf(endpoint), ...(hasSocket ? [originOf(socket)] : [])]
}

/** The origin of an address; a relative one has the page's own, for WebSockets too. */
function originOf(address: string | undefined): string {
  const elsewhere = address !== undefined && /^(?:(?:http|ws)s?:)?\/\//i.test(address)
  if (!elsewhere || !URL.canParse(address, 'https://localhost')) return "'self'"
  const { origin, host } = new URL(address, 'https://localhost')
  return address.startsWith('//') ? host : origin
}

/** Headers of the page and of its assets. */
const commonHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** A fresh nonce for the Content-Security-Policy of one response. */
function freshNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
}
