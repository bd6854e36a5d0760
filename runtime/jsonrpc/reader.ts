import { RpcInvalidRequest, RpcParseError } from '../error.js'

/** Reads JSON text; integers that a double cannot hold exactly come as bigint. */
export function readJson(text: string, depth: number): unknown {
  if (text.length > 2 * depth && nestingOf(text, depth) > depth) {
    throw new RpcInvalidRequest(`Invalid Request: nested deeper than ${depth}`)
  }
  try {
    return /\d{16}/.test(text) ? readExact(text) : JSON.parse(text)
  } catch {
    throw new RpcParseError()
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

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

/** A string, or an integer of 16 digits or more that is neither part of another number nor a member's name. */
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\w.+-])-?[1-9]\d{15,}(?![\w.])(?!\s*:)/gs

/**
 * JSON.parse over a text in which every long integer stands as a marked string, read back as what it is. The mark is
 * one that the text does not hold, so that no string of the sender's can pass for a number.
 */
function readExact(text: string): unknown {
  const mark = markFor(text)
  const marked = text.replace(stringOrLongInteger, (token) => (token[0] === '"' ? token : `"${mark}${token}"`))
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? exactInteger(value.slice(mark.length)) : value,
  )
}

function exactInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

function markFor(text: string): string {
  let mark = 'integer:'
  while (text.includes(mark)) mark = `${Math.random().toString(36).slice(2)}:`
  return mark
}
