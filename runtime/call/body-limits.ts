import { RpcInvalidRequest } from '../error.js'
import type { CompleteLimits } from './limits.js'
import type { BodyBounds, CallSettings, Procedure, Table } from './types.js'

const encoder = /* @__PURE__ */ new TextEncoder()

/** A body is larger than what the called procedure accepts. */
export class BodyTooLarge extends RpcInvalidRequest {
  readonly limit: number

  constructor(procedure: string, limit: number) {
    super(`Invalid Request: the body is larger than the ${limit} bytes that ${procedure} accepts`)
    this.limit = limit
  }
}

/** Returns the smallest and the largest limit of a body that any procedure of a table has; that of the server is among them. */
export function bodyBoundsOf(table: Table, { bodyBytes }: CompleteLimits): BodyBounds {
  let [smallest, largest] = [bodyBytes, bodyBytes]
  for (const procedure of table.values()) {
    smallest = Math.min(smallest, procedure.bodyBytes ?? bodyBytes)
    largest = Math.max(largest, procedure.bodyBytes ?? bodyBytes)
  }
  return { smallest, largest }
}

/** @throws BodyTooLarge if the body of the request is larger than what the procedure accepts */
export function checkBody(
  { name, bodyBytes, noLimits }: Procedure,
  { settings, bodyBytes: size }: { readonly settings: CallSettings; readonly bodyBytes: number },
): void {
  const limit = bodyBytes ?? settings.limits.bodyBytes
  if (size > limit && !noLimits) throw new BodyTooLarge(name, limit)
}

/** Returns the bytes of a message; those of a text in UTF-8 are counted only if a limit depends on them: a code unit has one to three. */
export function bytesOf(message: string | Uint8Array, { smallest, largest }: BodyBounds): number {
  if (typeof message !== 'string') return message.byteLength
  const isClear = message.length * 3 <= smallest || message.length > largest
  return isClear ? message.length : encoder.encode(message).byteLength
}

/** @throws RpcInvalidRequest if a message is larger than what any procedure accepts */
export function checkMessageSize(bytes: number, { largest }: BodyBounds): void {
  if (bytes > largest) throw new RpcInvalidRequest(`Invalid Request: larger than ${largest} bytes`)
}
