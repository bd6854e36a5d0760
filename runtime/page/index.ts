import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Description } from '../schema/description.js'
import { assets, scriptAsset, styleAsset } from './assets.js'
import { urlMark } from './code-html.js'
import { commonHeaders, freshNonce, policyOf } from './headers.js'
import { bodyHtml } from './page.js'
import type { DocsSource } from './source.js'

export type { DocsSource } from './source.js'

/**
 * Answers GET and HEAD with the page of an API, and with its script and its style under `?asset=`. The page is rendered
 * once for each description.
 */
export function serveDocs(c: Context, source: DocsSource, cacheControl = 'no-cache'): Response {
  const asset = c.req.query('asset')
  return asset === undefined ? servePage(c, source, cacheControl) : serveAsset(c, asset)
}

function serveAsset(c: Context, name: string): Response {
  const found = assets.get(name)
  if (!found) return c.text(`There is no ${JSON.stringify(name)} here.`, 404, { ...commonHeaders })
  return c.body(found.text, 200, {
    ...commonHeaders,
    'Content-Type': found.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}

function servePage(c: Context, source: DocsSource, cacheControl: string): Response {
  const given: unknown = c.get('secureHeadersNonce')
  const nonce = typeof given === 'string' ? given : freshNonce()
  const body = bodyOf(source).join(safeUrl(c.req.url, source.endpoint))
  c.header('Vary', 'Accept', { append: true })
  return c.body(headHtml(source, nonce) + body, 200, {
    ...commonHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheControl,
    // Who gave out a nonce writes the policy too. X-Frame-Options is for browsers that do not know frame-ancestors.
    ...(typeof given === 'string'
      ? {}
      : { 'Content-Security-Policy': policyOf(nonce, source.endpoint), 'X-Frame-Options': 'DENY' }),
  })
}

function headHtml({ info }: DocsSource, nonce: string): string {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="stylesheet" href="?asset=${styleAsset}" nonce="${nonce}">
<script src="?asset=${scriptAsset}" nonce="${nonce}"></script>
</head>
`
  return head.toString()
}

const bodies = new WeakMap<Description, Map<string, readonly string[]>>()

/** What stands before, between and behind the places of the address. */
function bodyOf(source: DocsSource): readonly string[] {
  const { description, ...rest } = source
  const known = bodies.get(description) ?? new Map<string, readonly string[]>()
  bodies.set(description, known)
  const key = JSON.stringify(rest)
  const body = known.get(key) ?? bodyHtml(source).split(urlMark)
  known.set(key, body)
  return body
}

/** The address to call, without a character that means something to HTML, a shell, Python or JavaScript. */
function safeUrl(page: string, endpoint = ''): string {
  const url = new URL(page)
  url.search = ''
  const { href } = new URL(endpoint, url)
  const plain = href.replace(/[^\w.~:/?#[\]@=%,;+&-]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
  return plain.replaceAll('&', '&amp;')
}
