import { type Received, RpcTransportError } from './transport-error.js'

/** What came back from a server: a status and bytes, of no protocol yet. */
export interface Answer extends Received {
  readonly ok: boolean
  readonly bytes: Uint8Array
}

/** The body as UTF-8. */
export function textOf({ bytes }: Answer): string {
  return new TextDecoder().decode(bytes)
}

/** The error for an answer that is not what was asked for; `text` where it is not UTF-8. */
export function unexpected(answer: Answer, reason: string, more?: ErrorOptions & { text?: string }): RpcTransportError {
  const received = { ...answer, text: textOf(answer), ...more }
  return new RpcTransportError(answer.ok ? reason : `HTTP status ${answer.status}`, received)
}
