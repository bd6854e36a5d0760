import type { Limits } from '../call/limits.js'
import type { ProtocolName } from '../protocol.js'
import type { WireType } from '../values/types.js'
import type { Call, Message, Misshapen, WireError } from './call.js'
import type { Awaitable } from './chain.js'
import type { Wire } from './wire.js'

/**
 * One protocol: how its bodies are read and its answers written. A codec knows nothing of HTTP, of procedures or of the
 * other codec. An answer is put together from text: one piece per call, made where the call ends so that a value which
 * the protocol cannot hold fails that call alone, then the document around them.
 */
export interface Codec {
  readonly protocol: ProtocolName
  /** The answer's Content-Type. */
  readonly contentType: string
  readonly wire: Wire
  /** Whether an empty list stands for an empty struct where the type has no list. Default false. */
  readonly emptyListIsStruct?: boolean
  /** Reads a body. Throws RpcError, or rejects with one, when it is malformed (-32700) or no request (-32600). */
  decode(text: string, limits: Limits): Awaitable<Message>
  /** The text of one result; throws when the protocol cannot hold the value. `value` has been lowered. */
  encodeResult(call: Call, type: WireType, value: unknown): string
  /** The text of one error. Without a call when the whole body was refused. */
  encodeError(call: Call | Misshapen | undefined, error: WireError): string
  /** The document around the answers; undefined when there is nothing to send. */
  encodeMessage(message: Pick<Message, 'batch'>, replies: readonly string[]): string | undefined
}

/** Text that is encoded already; an encoder writes it as it stands. */
export class Encoded {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The same whose size is bounded already, as that of a multicall is. */
export class BoundedText extends Encoded {}

const encodedOnce = new WeakMap<object, Encoded>()

/** Returns the JSON text of an object that never changes. It is made once. */
export function encodeOnce(value: object): Encoded {
  const known = encodedOnce.get(value)
  if (known) return known
  const encoded = new Encoded(JSON.stringify(value))
  encodedOnce.set(value, encoded)
  return encoded
}
