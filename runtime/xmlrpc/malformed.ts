import { cut } from '../bounds.js'
import { RpcParseError } from '../error.js'
import { placeOf } from '../place.js'

/** The length of a reason, which quotes what came. */
export const MAX_REASON = 120

/** The error for XML that is not well-formed; `at` is an index into the text. */
export function malformed(text: string, at: number, reason: string): RpcParseError {
  return new RpcParseError(`Parse error: ${placeOf(text, at)}: ${cut(reason, MAX_REASON)}`)
}
