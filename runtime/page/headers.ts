/** The policy of the page: nothing but its own script and style, and calls to the endpoint. */
export function policyOf(nonce: string, endpoint: string | undefined): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src ${originOf(endpoint)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** The origin of an endpoint; a relative address has the page's own. */
function originOf(endpoint: string | undefined): string {
  const elsewhere = endpoint !== undefined && /^(?:https?:)?\/\//i.test(endpoint)
  if (!elsewhere || !URL.canParse(endpoint, 'https://localhost')) return "'self'"
  const { origin, host } = new URL(endpoint, 'https://localhost')
  return endpoint.startsWith('//') ? host : origin
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
