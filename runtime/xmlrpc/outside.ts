import { RpcInvalidRequest } from '../error.js'
import type { Limits } from '../limits.js'
import { placeOf } from './malformed.js'

/** The core reader leaves a document to the other reader. */
export class OutsideCore extends Error {
  override readonly name = 'OutsideCore'
  readonly text: string
  readonly at: number

  /** `what` stands at the index `at`. */
  constructor(text: string, at: number, what: string) {
    super(what)
    this.text = text
    this.at = at
  }
}

/** The other reader takes forty times as long: it gets no more than `limits.xmlSlowBytes`. */
export function checkSize({ text, at, message }: OutsideCore, { xmlSlowBytes }: Limits): void {
  // A character is a byte or more.
  if (text.length <= xmlSlowBytes && new TextEncoder().encode(text).length <= xmlSlowBytes) return
  const reason = `${placeOf(text, at)}: ${message}, in a document of more than ${xmlSlowBytes} bytes`
  throw new RpcInvalidRequest(`Invalid Request: ${reason}`)
}
