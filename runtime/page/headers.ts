import type { DocsSource } from './source.js'

/** The policy of the page: nothing but its own script and style, and calls to the endpoint and the WebSocket. */
export function policyOf(nonce: string, source: DocsSource): string {
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

function callableOrigins({ description, endpoint, webSocket = endpoint }: DocsSource): string[] {
  const hasSocket = description.procedures.some(({ subscription }) => subscription)
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
export const commonHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** A word that cannot be guessed, for one response. */
export function freshNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
}
