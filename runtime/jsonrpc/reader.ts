import { RpcInvalidRequest } from '../error.js'
import { holdsUnusualNumber, readExact } from './exact.js'
import { malformed } from './malformed.js'
import { endOfString } from './string.js'

/** A parsed body. */
export interface Body {
  readonly value: unknown
  /** Whether a number in it may be beyond what a double holds: it stands as Infinity. */
  readonly unusual: boolean
}

/**
 * Reads JSON text; integers that a double cannot hold exactly come as bigint.
 *
 * Throws RpcParseError, which says where, for what is no JSON; RpcInvalidRequest for nesting deeper than `depth` inside
 * of `envelope` levels, and for an integer of more than 10,000 digits.
 */
export function readJson(text: string, depth: number, envelope = 0): Body {
  const limit = depth + envelope
  if (text.length > 2 * limit && nestingOf(text, limit) > limit) {
    throw new RpcInvalidRequest('Invalid Request', { data: `nested deeper than ${depth}` })
  }
  const value = parse(text)
  const unusual = holdsUnusualNumber(text)
  return { value: unusual ? readExact(text, value) : value, unusual }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed(text)
  }
}

/** How deep arrays and objects nest; stops counting one above `limit`. */
function nestingOf(text: string, limit: number): number {
  let nesting = 0
  let deepest = 0
  for (let i = 0; i < text.length && deepest <= limit; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = endOfString(text, i)
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++nesting)
    else if (code === 0x5d || code === 0x7d) nesting -= 1
  }
  return deepest
}
