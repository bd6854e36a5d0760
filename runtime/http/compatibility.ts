import type { Codec, WireError } from '../call/types.js'
import type { Switches } from '../compatibility.js'
import { ErrorCode } from '../error.js'
import type { HttpResponse } from './message.js'

/** The status of other codes is 500. */
const statuses: ReadonlyMap<number, number> = new Map([
  [ErrorCode.PARSE_ERROR, 400],
  [ErrorCode.INVALID_REQUEST, 400],
  [ErrorCode.INVALID_PARAMS, 400],
  [ErrorCode.AUTHENTICATION, 403],
  [ErrorCode.FORBIDDEN, 403],
  [ErrorCode.METHOD_NOT_FOUND, 404],
])

/** Returns the response to a single call, or to a message, that failed, with the status that the switches give it. */
export function withStatus(
  response: HttpResponse,
  { code }: WireError,
  { protocol }: Codec,
  { httpStatus, authChallenge }: Switches,
): HttpResponse {
  if (code === ErrorCode.AUTHENTICATION && authChallenge !== undefined) {
    return { ...response, status: 401, headers: { ...response.headers, 'WWW-Authenticate': authChallenge } }
  }
  return httpStatus && protocol !== 'xml-rpc' ? { ...response, status: statuses.get(code) ?? 500 } : response
}
