import { RpcError } from '../error.js'
import { type Received, RpcTransportError } from './transport-error.js'

/** A response that a protocol has not decoded yet. */
export interface TransportResponse extends Received {
  readonly ok: boolean
  readonly bytes: Uint8Array
  /** The body as UTF-8, with U+FFFD for invalid bytes. */
  readonly text: string
}

/** Returns the error for a response that does not match the request. */
export function unexpected(response: TransportResponse, reason: string, more?: ErrorOptions): RpcTransportError {
  return new RpcTransportError(response.ok ? reason : `HTTP status ${response.status}`, { ...response, ...more })
}

/** Returns the error that a server has sent. The server does not determine its cause or its stack. */
export function receivedError(
  code: number,
  message: string,
  data: unknown,
  response: Partial<TransportResponse>,
): RpcError {
  const error = new RpcError(code, message, data === undefined ? {} : { data })
  // The stack begins with the message, whose lines could look like frames.
  const { stack } = error
  if (stack?.includes(message)) error.stack = stack.replace(message, () => message.replace(/\s+/g, ' '))
  const { status, headers } = response
  // Not enumerable: an error is equal to one that is made by hand.
  return status ? Object.defineProperties(error, { status: { value: status }, headers: { value: headers } }) : error
}

/** The code of an error that has none, or one that is not an integer: a server error (JSON-RPC 2.0 section 5.1). */
export const UNKNOWN_CODE = -32000
