import { type Received, RpcTransportError } from './transport-error.js'

/** What came back from a server: a status and bytes, of no protocol yet. */
export interface Answer extends Received {
  readonly ok: boolean
  readonly bytes: Uint8Array
  /** The body as UTF-8. */
  readonly text: string
}

/** The error for an answer that is not what was asked for. */
export function unexpected(answer: Answer, reason: string, more?: ErrorOptions): RpcTransportError {
  return new RpcTransportError(answer.ok ? reason : `HTTP status ${answer.status}`, { ...answer, ...more })
}
