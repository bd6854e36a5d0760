import { RpcInvalidRequest } from '../error.js'
import { cut } from './malformed.js'

/** The error for a well-formed document that is not XML-RPC; `path` says where, `''` for the call itself. */
export function misplaced(path: string, reason: string): RpcInvalidRequest {
  return new RpcInvalidRequest(`Invalid Request: ${path === '' ? '' : `${path}: `}${cut(reason)}`)
}

/** A text without the white space around it; `trim` takes more. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** White space of XML 1.0 section 2.3, by its character code. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
