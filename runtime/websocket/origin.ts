import { HTTPException } from 'hono/http-exception'
import { parseUrl } from '../values/url.js'

/** Which pages may connect: those of the same host, every page, or those of the origins in a list. */
export type AllowedOrigins = 'same' | '*' | readonly string[]

/** @throws TypeError for what is not a choice of origins */
export function checkOrigins(origins: AllowedOrigins): void {
  if (origins === 'same' || origins === '*') return
  if (!Array.isArray(origins)) {
    throw new TypeError(`webSocket: origins is ${JSON.stringify(origins)}, expected 'same', '*' or a list of origins`)
  }
  for (const origin of origins) {
    if (originOf(origin) !== origin) {
      throw new TypeError(`webSocket: ${JSON.stringify(origin)} is not an origin, such as "https://example.org"`)
    }
  }
}

/** @throws HTTPException (403) if the page that connects is of an origin that is not allowed */
export function checkOrigin(request: { header(name: string): string | undefined }, allowed: AllowedOrigins): void {
  const origin = request.header('Origin')
  if (origin === undefined || allowed === '*') return
  if (allowed === 'same' ? isSameHost(origin, request.header('Host')) : allowed.includes(origin)) return
  throw new HTTPException(403, { message: 'Forbidden origin' })
}

function originOf(text: unknown): string | undefined {
  return typeof text === 'string' ? parseUrl(text)?.origin : undefined
}

/** Not the scheme: a proxy that ends TLS changes it. A request without Host has none in common with any page. */
function isSameHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && host !== '' && parseUrl(origin)?.host === host.toLowerCase()
}
