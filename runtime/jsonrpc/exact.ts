import { RpcInvalidRequest } from '../error.js'
import { lineColumn } from '../values/position.js'
import { exceedsMaxDigits, MAX_DIGITS } from '../values/scalar-text.js'
import { quoteTokens } from './string.js'

/** A string, of which the first quote is enough, or an integer of 16 digits or more that is no part of another number. */
const stringOrLongInteger = /"|(?<![\w.+-])-?[1-9]\d{15,}(?![\w.])/g

/**
 * The value of a JSON text with long integers as what they are. `value` is what JSON.parse made of it; a second parse,
 * of the text with these integers as strings, differs from it just where they stand, so that no string of the sender's
 * can pass for a number.
 */
export function readExact(text: string, value: unknown): unknown {
  const quoted = quoteTokens(text, stringOrLongInteger, (digits, at) => checkLength(digits, text, at))
  return quoted === undefined ? value : restore(value, JSON.parse(quoted))
}

function checkLength(digits: string, text: string, at: number): void {
  if (!exceedsMaxDigits(digits)) return
  throw new RpcInvalidRequest('Invalid Request', {
    data: `${lineColumn(text, at)}: an integer of more than ${MAX_DIGITS} digits`,
  })
}

function restore(value: unknown, quoted: unknown): unknown {
  if (typeof value === 'number') return typeof quoted === 'string' ? exactInteger(quoted) : value
  if (Array.isArray(value)) return value.map((each, i) => restore(each, (quoted as unknown[])[i]))
  if (typeof value === 'object' && value !== null) restoreMembers(value as Members, quoted as Members)
  return value
}

type Members = Record<string, unknown>

/** In place: a member `__proto__` that is there already is an own one, and stays that. */
function restoreMembers(value: Members, quoted: Members): void {
  for (const name of Object.keys(value)) value[name] = restore(value[name], quoted[name])
}

function exactInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
