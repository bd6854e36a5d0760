import { securityOf } from '../call/auth-scheme.js'
import type { Auth, Codec, FailedCall } from '../call/types.js'
import type { AuthScheme } from '../description/security.js'
import { ErrorCode } from '../error.js'
import type { Switches } from './options.js'

/** The status of other codes is 500. */
const statuses: ReadonlyMap<number, number> = new Map([
  [ErrorCode.PARSE_ERROR, 400],
  [ErrorCode.INVALID_REQUEST, 400],
  [ErrorCode.INVALID_PARAMS, 400],
  // A 401 requires a challenge (RFC 9110 section 15.5.2).
  [ErrorCode.AUTHENTICATION, 403],
  [ErrorCode.FORBIDDEN, 403],
  [ErrorCode.METHOD_NOT_FOUND, 404],
])

/** What is known here of a response of HTTP. */
interface StatusResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the response to a single call, or to a message, that failed, with the status that the switches give it. */
export function withStatus<Plain extends StatusResponse>(
  response: Plain,
  { error: { code }, auth }: FailedCall,
  { protocol }: Codec,
  switches: Switches,
): Plain {
  const byCode = switches.httpStatus && protocol !== 'xml-rpc'
  const challenge = code === ErrorCode.AUTHENTICATION ? challengeOf(switches, auth, byCode) : undefined
  if (challenge) return { ...response, status: 401, headers: { ...response.headers, 'WWW-Authenticate': challenge } }
  return byCode ? { ...response, status: statuses.get(code) ?? 500 } : response
}

/**
 * Returns the challenge to callers that are not known (RFC 9110 section 11.6.1): that of the option `authChallenge`, otherwise, if `bySchemes`, by
 * the schemes of the rule that decides who calls: `Bearer`, `Basic realm="isStaff"`, `ApiKey header="X-Api-Key"`. Undefined if there is none.
 */
export function challengeOf(
  { authChallenge, httpStatus }: Switches,
  auth: Auth | undefined,
  bySchemes: boolean = httpStatus,
): string | undefined {
  return authChallenge ?? (bySchemes ? challengeOfSchemes(auth) : undefined)
}

function challengeOfSchemes(auth: Auth | undefined): string | undefined {
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
