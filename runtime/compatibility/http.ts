import type { Codec, Failure } from '../call/types.js'
import { ErrorCode } from '../error.js'
import { challengeOf } from '../http/challenge.js'
import type { HttpResponse } from '../http/message.js'
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

/** Returns the response to a single call, or to a message, that failed, with the status that the switches give it. */
export function withStatus(
  response: HttpResponse,
  { error: { code }, auth }: Failure,
  { protocol }: Codec,
  { httpStatus, authChallenge }: Switches,
): HttpResponse {
  const byCode = httpStatus && protocol !== 'xml-rpc'
  const challenge = code === ErrorCode.AUTHENTICATION ? (authChallenge ?? (byCode && challengeOf(auth))) : undefined
  if (challenge) return { ...response, status: 401, headers: { ...response.headers, 'WWW-Authenticate': challenge } }
  return byCode ? { ...response, status: statuses.get(code) ?? 500 } : response
}

export { challengeOf }
