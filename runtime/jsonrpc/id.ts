import { quoteTokens } from './string.js'

/** The text of a body, and what it is with every number as a string, once that was asked for. */
export interface Numbers {
  readonly text: string
  quoted?: unknown
}

/**
 * The id of a request as the answer repeats it: with the same value (JSON-RPC 2.0 section 5). Undefined for what is no id.
 * `at` is the place of the request in its batch.
 */
export function encodeId(id: unknown, numbers: Numbers, at: number | undefined): string | undefined {
  if (id === null || typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  return Number.isFinite(id) ? writtenId(numbers, at) : undefined
}

/** A number that is no integer, or too large for one: only its own text has surely the same value. */
function writtenId(numbers: Numbers, at: number | undefined): string | undefined {
  numbers.quoted ??= JSON.parse(quoteTokens(numbers.text, stringOrNumber) ?? numbers.text)
  const entry = at === undefined ? numbers.quoted : (numbers.quoted as readonly unknown[])[at]
  const { id } = entry as { readonly id: unknown }
  return typeof id === 'string' ? id : undefined
}

const stringOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
