import { RpcParseError } from '../error.js'

const longest = 120

/** The error for XML that is not well-formed; `at` is an index into the text. Lines and columns begin at 1. */
export function malformed(text: string, at: number, reason: string): RpcParseError {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  const short = reason.length > longest ? `${reason.slice(0, longest)}…` : reason
  return new RpcParseError(`Parse error: line ${lines.length}, column ${column}: ${short}`)
}
