import { securityOf } from '../call/auth-scheme.js'
import type { Auth } from '../call/types.js'
import type { AuthScheme } from '../description/security.js'

/**
 * Returns the challenge to callers that are not known (RFC 9110 section 11.6.1), by the schemes of the rule that decides who calls: `Bearer`,
 * `Basic realm="isStaff"`, `ApiKey header="X-Api-Key"`. Undefined if it has no scheme.
 */
export function challengeOf(auth: Auth | undefined): string | undefined {
  const [first = []] = auth === undefined ? [] : securityOf(auth)
  const all = first.flatMap(({ scheme }) => (scheme ? [challengeOfScheme(scheme)] : []))
  return [...new Set(all)].join(', ') || undefined
}

function challengeOfScheme(scheme: AuthScheme & { readonly name: string }): string {
  if (scheme.scheme === 'apiKey') return `ApiKey header="${scheme.header}"`
  if (scheme.scheme === 'cookie') return `Cookie name="${scheme.cookie}"`
  // A header is ASCII.
  return scheme.scheme === 'basic' ? `Basic realm="${scheme.name.replace(/[^ -~]|["\\]/g, '_')}"` : 'Bearer'
}
