/** How much of a body an error shows. */
const longest = 200

/** What is known of a response. */
export interface Received {
  readonly url: string
  readonly redirected?: boolean
  readonly status?: number | undefined
  readonly contentType?: string | null
  readonly text?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/**
 * There is no response, or it is not one of the protocol: a server that cannot be reached, an HTML page, a 502, a body
 * that broke off, a response to another call. The message describes what was received.
 */
export class RpcTransportError extends Error {
  override readonly name: string = 'RpcTransportError'
  /** Where the response is from, after redirects. */
  declare readonly url: string
  /** Undefined if there was no response. */
  declare readonly status: number | undefined
  /** As the server gave it; null when it gave none. */
  declare readonly contentType: string | null | undefined
  /** The first 200 characters of what was received; undefined if there was no response, or its body ended early. */
  declare readonly body: string | undefined
  /** How long the server asks to wait (Retry-After); 0 when it does not. */
  declare readonly retryAfterMs: number

  constructor(reason: string, received: Received) {
    const { url, redirected, status, contentType, text, retryAfterMs = 0 } = received
    const body = text?.slice(0, longest)
    const seen = `: received ${status}, ${contentType || 'no content type'}, ${JSON.stringify(body) ?? 'part of a body'}`
    // Of the options of an Error there is `cause`.
    super(`${redirected ? 'redirected to ' : ''}${url}: ${reason}${status ? seen : ''}`, received)
    Object.assign(this, { url, status, contentType, body, retryAfterMs })
  }
}
