import { RpcInvalidRequest } from '../error.js'
import { lineColumn } from '../values/position.js'
import { readExact } from './exact.js'
import { malformed } from './malformed.js'
import { endOfString } from './string.js'

/** A parsed body. */
export interface Body {
  readonly value: unknown
  /** Whether a number in it may be beyond what a double holds: it stands as Infinity. */
  readonly unusual: boolean
  /** The text that it was parsed from. */
  readonly text: string
}

/**
 * Reads JSON text; integers that a double cannot hold exactly come as bigint.
 *
 * Throws RpcParseError, which says where, for what is no JSON; RpcInvalidRequest for nesting deeper than `depth` inside
 * of `envelope` levels, and for an integer of more than 10,000 digits.
 */
export function readJson(text: string, depth: number, envelope = 0): Body {
  const value = parse(text, depth, envelope)
  const unusual = holdsUnusual(value, depth + envelope)
  if (unusual === 'too deep') checkNesting(text, depth, envelope)
  return { value: unusual ? readExact(text, value) : value, unusual: unusual === true, text }
}

/** An engine may give up on deep nesting before the end shows what else is wrong. */
function parse(text: string, depth: number, envelope: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    checkNesting(text, depth, envelope)
    throw malformed(text)
  }
}

/**
 * Whether there is a number that a double may not hold exactly. Goes down `levels` levels at most: one walk for both, in 0.4
 * of the time that looking for digits and brackets in the text takes.
 */
function holdsUnusual(value: unknown, levels: number): boolean | 'too deep' {
  if (typeof value === 'number') return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return 'too deep'
  return Array.isArray(value) ? inItems(value, levels - 1) : inMembers(value as Members, levels - 1)
}

type Members = Readonly<Record<string, unknown>>

function inItems(items: readonly unknown[], levels: number): boolean | 'too deep' {
  let found = false
  for (const each of items) {
    const inside = holdsUnusual(each, levels)
    if (inside === 'too deep') return inside
    if (inside) found = true
  }
  return found
}

/** By `for…in`: a list of the values first costs 7 % of a call of 12 members. */
function inMembers(members: Members, levels: number): boolean | 'too deep' {
  let found = false
  for (const name in members) {
    const inside = holdsUnusual(members[name], levels)
    if (inside === 'too deep') return inside
    if (inside) found = true
  }
  return found
}

/** Throws where the text is nested deeper than the limit. */
function checkNesting(text: string, depth: number, envelope: number): void {
  let nesting = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) {
      nesting += 1
      if (nesting <= depth + envelope) continue
      throw new RpcInvalidRequest('Invalid Request', { data: `${lineColumn(text, at)}: nested deeper than ${depth}` })
    } else if (code === 0x5d || code === 0x7d) nesting -= 1
  }
}
