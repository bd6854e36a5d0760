import { RpcError } from '../error.js'
import { describeIssue, describeValue, formatPath } from '../values/describe.js'
import type { IssueCode, IssueDetails, IssueLimits, IssueRule, PathSegment } from '../values/issue.js'

/** The most characters of a body that an error shows. */
const MAX_BODY = 200

/** What is known of a response, the reason for an RpcTransportError; only its URL if there was none. */
export interface ReceivedResponse {
  readonly url: string
  readonly redirected?: boolean
  readonly status?: number | undefined
  readonly headers?: Headers
  readonly contentType?: string | null
  readonly text?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** What a platform hides in the error of a connection: a host with several addresses has no message but a code. */
export interface HiddenReason {
  readonly message?: string
  readonly code?: string
}

/**
 * The error of a call without a response of the protocol: the server is unreachable, or sent an HTML page, a 502, an incomplete body or
 * a response to another call. The message describes what was received.
 */
export class RpcTransportError extends Error {
  override readonly name: string = 'RpcTransportError'
  /** The URL of the response, after redirects. */
  declare readonly url: string
  /** The HTTP status; undefined if there was no response. */
  declare readonly status: number | undefined
  /** The headers of the response; undefined if there was no response. They are not enumerable, so that logs do not contain them. */
  declare readonly headers: Headers | undefined
  /** The Content-Type of the response; null if it has none, undefined if there was no response. */
  declare readonly contentType: string | null | undefined
  /** The first 200 characters of what was received; undefined if there was no response, or its body ended early. */
  declare readonly body: string | undefined
  /** The delay that the server requests (Retry-After), in milliseconds; 0 if it does not. */
  declare readonly retryAfterMs: number

  constructor(reason: string, received: ReceivedResponse) {
    const { url, redirected, status, contentType, text, retryAfterMs = 0, headers } = received
    const body = text?.slice(0, MAX_BODY)
    const seen = `: received ${status}, ${contentType || 'no content type'}, ${JSON.stringify(body) ?? 'part of a body'}`
    // Of the options of an Error there is `cause`.
    super(`${redirected ? 'redirected to ' : ''}${url}: ${reason}${status ? seen : ''}`, received)
    Object.assign(this, { url, status, contentType, body, retryAfterMs })
    Object.defineProperty(this, 'headers', { value: headers })
  }
}

/** A response that a protocol has not decoded yet. */
export interface TransportResponse extends ReceivedResponse {
  readonly ok: boolean
  readonly bytes: Uint8Array
  /** The body as UTF-8, with U+FFFD for invalid bytes. */
  readonly text: string
}

/** Returns the error for a response that does not match the request. */
export function unexpected(
  response: TransportResponse,
  reason: string,
  more?: { readonly cause?: unknown },
): RpcTransportError {
  return new RpcTransportError(response.ok ? reason : `HTTP status ${response.status}`, { ...response, ...more })
}

/**
 * Returns the error that a server has sent, whatever its members are. The server does not determine its cause or its stack.
 *
 * @param code any other than an integer becomes -32000
 */
export function receivedError(
  code: unknown,
  received: unknown,
  data: unknown,
  response: Partial<TransportResponse>,
): RpcError {
  const message = typeof received === 'string' ? received : 'no message'
  const error = new RpcError(
    Number.isInteger(code) ? (code as number) : UNKNOWN_CODE,
    message,
    data === undefined ? {} : { data },
  )
  // The stack begins with the message, whose lines could look like frames.
  const { stack } = error
  if (stack?.includes(message)) error.stack = stack.replace(message, () => message.replace(/\s+/g, ' '))
  const { status, headers } = response
  // Not enumerable: an error is equal to one that is made by hand.
  return status ? Object.defineProperties(error, { status: { value: status }, headers: { value: headers } }) : error
}

/** The code of an error that has none, or one that is not an integer: a server error (JSON-RPC 2.0 section 5.1). */
export const UNKNOWN_CODE = -32000

/** A path as it is extended while a value is converted: the path of the outer value, if any, and a segment. */
export type ValuePath = readonly [outer: ValuePath, segment: PathSegment] | undefined

/** Returns the error for a value at a path. */
export function valueError(
  method: string,
  path: ValuePath,
  expected: string,
  value: unknown,
  failure?: IssueRule,
): RpcValueError {
  const segments: PathSegment[] = []
  for (let at = path; at; at = at[0]) segments.push(at[1])
  return new RpcValueError(method, segments.reverse(), expected, value, failure)
}

/** The error of a call whose parameter or result does not match the table of the client, and so cannot be converted. */
export class RpcValueError extends Error implements IssueDetails {
  override readonly name: string = 'RpcValueError'
  /** The name of the procedure. */
  readonly method: string
  /** The path: `['user', 'joined']` of a parameter, `['result', 'joined']`. */
  readonly path: readonly PathSegment[]
  /** The expected type. */
  readonly expected: string
  /** A description of the value: `string of length 7`. */
  readonly received: string
  /** The rule that the value does not meet: `type`, `required`, as in the issues of a server. */
  readonly code: IssueCode
  /** The limit of the rule: of `type` the expected kind. */
  readonly limit?: IssueLimits[IssueCode]

  constructor(
    method: string,
    path: readonly PathSegment[],
    expected: string,
    value: unknown,
    failure: IssueRule = { code: 'type', limit: expected },
  ) {
    const received = describeValue(value)
    super(`${method}: ${describeIssue({ expected, received }, formatPath(path))}`)
    this.method = method
    this.path = path
    this.expected = expected
    this.received = received
    this.code = value === undefined ? 'required' : failure.code
    if (value !== undefined) this.limit = failure.limit
  }
}
