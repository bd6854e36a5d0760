import { RpcError } from '../error.js'
import { type Received, RpcTransportError } from './transport-error.js'

/** What came back from a server: a status and bytes, of no protocol yet. */
export interface Answer extends Received {
  readonly ok: boolean
  readonly bytes: Uint8Array
  /** The body as UTF-8. */
  readonly text: string
}

/** The error for a response that does not fit the request. */
export function unexpected(answer: Answer, reason: string, more?: ErrorOptions): RpcTransportError {
  return new RpcTransportError(answer.ok ? reason : `HTTP status ${answer.status}`, { ...answer, ...more })
}

/** Returns the error that a server has sent. Neither its cause nor its stack is the server's to write. */
export function receivedError(code: number, message: string, data?: unknown): RpcError {
  const error = new RpcError(code, message, data === undefined ? {} : { data })
  // The stack begins with the message, whose lines could look like frames.
  const { stack } = error
  if (stack?.includes(message)) error.stack = stack.replace(message, () => message.replace(/\s+/g, ' '))
  return error
}
