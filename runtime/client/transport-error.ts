/** How much of a body an error shows. */
const longest = 200

/** The known properties of a response. */
export interface Received {
  readonly url: string
  readonly redirected?: boolean
  readonly status?: number | undefined
  readonly headers?: Headers
  readonly contentType?: string | null
  readonly text?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
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

  constructor(reason: string, received: Received) {
    const { url, redirected, status, contentType, text, retryAfterMs = 0, headers } = received
    const body = text?.slice(0, longest)
    const seen = `: received ${status}, ${contentType || 'no content type'}, ${JSON.stringify(body) ?? 'part of a body'}`
    // Of the options of an Error there is `cause`.
    super(`${redirected ? 'redirected to ' : ''}${url}: ${reason}${status ? seen : ''}`, received)
    Object.assign(this, { url, status, contentType, body, retryAfterMs })
    Object.defineProperty(this, 'headers', { value: headers })
  }
}
