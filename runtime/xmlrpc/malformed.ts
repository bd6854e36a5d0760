import { RpcParseError } from '../error.js'
import { lineColumn } from '../values/position.js'

/**
 * The error for XML that is not well-formed; `at` is an index into the text. `reason` names the kind of mistake and shows
 * nothing of the text: it may be part of a value with an unescaped `&` or `<` in it.
 */
export function malformed(text: string, at: number, reason: string): RpcParseError {
  return new RpcParseError(`Parse error: ${lineColumn(text, at)}: ${reason}`)
}
