import { RpcParseError } from '../error.js'
import { placeOf } from '../place.js'

const longest = 120

/** A reason that quotes what came, which may be a megabyte. */
export function cut(reason: string): string {
  return reason.length > longest ? `${reason.slice(0, longest)}…` : reason
}

/** The error for XML that is not well-formed; `at` is an index into the text. */
export function malformed(text: string, at: number, reason: string): RpcParseError {
  return new RpcParseError(`Parse error: ${placeOf(text, at)}: ${cut(reason)}`)
}
