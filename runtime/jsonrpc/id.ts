import { endOfString } from './string.js'

/** The text of a body, and the texts of the ids in it, by the place of their request, once one was asked for. */
export interface Numbers {
  readonly text: string
  ids?: ReadonlyMap<number, string>
}

/**
 * The id of a request as the answer repeats it: with the same value (JSON-RPC 2.0 section 5). Undefined for what is no id.
 * `at` is the place of the request in its batch.
 */
export function encodeId(id: unknown, numbers: Numbers, at: number | undefined): string | undefined {
  if (id === null || typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  if (!Number.isFinite(id)) return undefined
  // A number that is no integer, or too large for one: only its own text has surely the same value.
  numbers.ids ??= numericIds(numbers.text, at !== undefined)
  return numbers.ids.get(at ?? 0)
}

const number = /[ \t\n\r]*(-?\d[\d.eE+-]*)/y

/**
 * Finds the numbers that are ids in a well-formed message, in one pass: a parameter may have millions of numbers. The last of
 * two ids of one request counts, as in JSON.parse.
 */
function numericIds(text: string, isBatch: boolean): ReadonlyMap<number, string> {
  const ids = new Map<number, string>()
  const requestLevel = isBatch ? 2 : 1
  let level = 0
  let request = 0
  let name = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (level === requestLevel) name = text.slice(at, end + 1)
      at = end
    } else if (char === '[' || char === '{') level += 1
    else if (char === ']' || char === '}') level -= 1
    else if (char === ',' && level < requestLevel) request += 1
    else if (char === ':' && level === requestLevel && JSON.parse(name) === 'id') {
      number.lastIndex = at + 1
      ids.set(request, number.exec(text)?.[1] ?? '')
    }
  }
  return ids
}
