// Parses JSON (RFC 8259), independently of JSON-RPC: within a depth, with long integers as bigints, and with the position of a syntax error.
//
//   {"id":12345678901234567890}  →  { id: 12345678901234567890n }
import { RpcInvalidRequest, RpcParseError, withoutStack } from '../error.js'
import { lineColumn } from '../values/position.js'
import { exceedsMaxDigits, MAX_DIGITS } from '../values/scalar-text.js'

/** A parsed text. */
export interface Json {
  readonly value: unknown
  /** True if it may contain a number that a double does not represent exactly, or that is Infinity. */
  readonly hasUnsafeIntegers: boolean
}

/**
 * Parses JSON; integers that a double does not represent exactly become bigints. `envelope` levels of nesting are not counted.
 *
 * @throws RpcParseError with the position, for a syntax error
 * @throws RpcInvalidRequest for nesting deeper than `depth`, and for an integer of more than 10,000 digits
 */
export function parseJson(text: string, depth: number, envelope = 0): Json {
  const value = parse(text, depth, envelope)
  const found = findUnsafe(value, depth + envelope)
  if (found === 'too deep') checkNesting(text, depth, envelope)
  return { value: found ? parseLossless(text, value) : value, hasUnsafeIntegers: found === true }
}

function parse(text: string, depth: number, envelope: number): unknown {
  try {
    return withoutStack(() => JSON.parse(text))
  } catch {
    // An engine may fail on deep nesting before it finds a syntax error.
    checkNesting(text, depth, envelope)
    throw syntaxError(text)
  }
}

/**
 * True if there is a number that a double may not represent exactly. Checks the nesting in the same walk, which takes 0.4 of
 * the time of a search for digits and brackets in the text.
 */
function findUnsafe(value: unknown, levels: number): boolean | 'too deep' {
  if (typeof value === 'number') return isUnsafe(value)
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return 'too deep'
  return Array.isArray(value) ? findInItems(value, levels - 1) : findInMembers(value as Members, levels - 1)
}

function isUnsafe(value: number): boolean {
  return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
}

type Members = Record<string, unknown>

/** Numbers are looked at here: a call with a list of 10,000 takes 6 % less. */
function findInItems(items: readonly unknown[], levels: number): boolean | 'too deep' {
  let found = false
  for (const each of items) {
    if (typeof each === 'number') {
      if (isUnsafe(each)) found = true
      continue
    }
    if (typeof each === 'string') continue
    const inside = findUnsafe(each, levels)
    if (inside === 'too deep') return inside
    if (inside) found = true
  }
  return found
}

/** Uses `for…in`: a list of the values takes 7 % more of a call of 12 members. */
function findInMembers(members: Members, levels: number): boolean | 'too deep' {
  let found = false
  for (const name in members) {
    const each = members[name]
    if (typeof each === 'string') continue
    const inside = findUnsafe(each, levels)
    if (inside === 'too deep') return inside
    if (inside) found = true
  }
  return found
}

function checkNesting(text: string, depth: number, envelope: number): void {
  if (text.length <= depth + envelope) return
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

// Long integers

/** The first quote of a string, or an integer of 16 digits or more that is not part of another number. */
const quoteOrLongInteger = /"|(?<![\w.+-])-?[1-9]\d{15,}(?![\w.])/g

/**
 * Returns the value of a JSON text with long integers as bigints. `value` is the result of JSON.parse. Parsing the text again
 * with these integers as strings gives a value that differs only there, so that no string of the sender is read as a number.
 */
function parseLossless(text: string, value: unknown): unknown {
  const quoted = quoteLongIntegers(text)
  return quoted === undefined ? value : restore(value, JSON.parse(quoted))
}

/** Returns a well-formed text with its long integers as strings; undefined if there are none. */
function quoteLongIntegers(text: string): string | undefined {
  const pieces: string[] = []
  let done = 0
  quoteOrLongInteger.lastIndex = 0
  for (let found = quoteOrLongInteger.exec(text); found; found = quoteOrLongInteger.exec(text)) {
    const [token] = found
    if (token === '"') {
      quoteOrLongInteger.lastIndex = endOfString(text, found.index) + 1
    } else {
      checkDigits(token, text, found.index)
      pieces.push(text.slice(done, found.index), `"${token}"`)
      done = quoteOrLongInteger.lastIndex
    }
  }
  return done === 0 ? undefined : pieces.join('') + text.slice(done)
}

function checkDigits(digits: string, text: string, at: number): void {
  if (!exceedsMaxDigits(digits)) return
  throw new RpcInvalidRequest('Invalid Request', {
    data: `${lineColumn(text, at)}: an integer of more than ${MAX_DIGITS} digits`,
  })
}

function restore(value: unknown, quoted: unknown): unknown {
  if (typeof value === 'number') return typeof quoted === 'string' ? toInteger(quoted) : value
  if (Array.isArray(value)) return value.map((each, i) => restore(each, (quoted as unknown[])[i]))
  if (typeof value === 'object' && value !== null) restoreMembers(value as Members, quoted as Members)
  return value
}

/** Assigns in place: an own member `__proto__` exists already, and stays an own one. */
function restoreMembers(value: Members, quoted: Members): void {
  for (const name of Object.keys(value)) value[name] = restore(value[name], quoted[name])
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** Returns the index of the quote that ends the string at `start`, or the text's length if none does. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** A member of an object in a text that may not be well-formed. */
interface MemberText {
  /** The JSON text of its name. */
  readonly name: string
  /** Where its value begins. */
  readonly at: number
  /** How many commas precede its object in the list that contains it. */
  readonly index: number
}

/** Yields the members of the objects at a level of nesting: 1 for the object itself, 2 for those of a list. */
export function* membersAt(text: string, ofLevel: number): Generator<MemberText> {
  let level = 0
  let index = 0
  let name = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (level === ofLevel) name = text.slice(at, end + 1)
      at = end
    } else if (char === '[' || char === '{') level += 1
    else if (char === ']' || char === '}') level -= 1
    else if (char === ',' && level < ofLevel) index += 1
    else if (char === ':' && level === ofLevel) yield { name, at: at + 1, index }
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

// Syntax errors

/**
 * Returns the error for text that is not JSON, with line and column (from 1) and what was expected there, since the messages
 * of engines differ. The message is that of the specification's example, so the position is in `data`.
 */
function syntaxError(text: string): RpcParseError {
  const scan: Scan = { text, at: 0, open: [], want: 'value' }
  let expected = step(scan)
  while (expected === undefined) expected = step(scan)
  const data = `${lineColumn(text, scan.at)}: expected ${expected}`
  return withoutStack(() => new RpcParseError('Parse error', { data }))
}

/** The state of a scan by RFC 8259's grammar, with a list of open brackets instead of recursion. */
interface Scan {
  readonly text: string
  at: number
  /** The closing brackets of open objects and arrays. */
  readonly open: ('}' | ']')[]
  /** `first` follows an opening bracket, `next` a value. */
  want: 'value' | 'name' | 'colon' | 'first' | 'next'
}

const scalarToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** Moves past what a pattern matches here. Returns false, and does not move, if it does not match. */
function accept(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text)) return false
  scan.at = pattern.lastIndex
  return true
}

/** Reads one token. Returns what was expected if another one is there. */
function step(scan: Scan): string | undefined {
  while (isSpace(scan.text.charCodeAt(scan.at))) scan.at += 1
  const char = scan.text[scan.at]
  const closer = scan.open.at(-1)
  if (closer !== undefined && char === closer && (scan.want === 'first' || scan.want === 'next')) {
    scan.open.pop()
    return advance(scan, 'next')
  }
  if (scan.want === 'next') {
    if (closer === undefined) return 'the end'
    return char === ',' ? advance(scan, closer === '}' ? 'name' : 'value') : `, or ${closer}`
  }
  if (scan.want === 'colon') return char === ':' ? advance(scan, 'value') : ':'
  const first = scan.want === 'first'
  if (scan.want === 'name' || (first && closer === '}')) {
    return char === '"' ? readString(scan, 'colon') : first ? 'a name or }' : 'a name'
  }
  return readValue(scan, char, first ? 'a value or ]' : 'a value')
}

/** Moves past one character. */
function advance(scan: Scan, want: Scan['want']): undefined {
  scan.at += 1
  scan.want = want
}

function readValue(scan: Scan, char: string | undefined, expected: string): string | undefined {
  if (char === '"') return readString(scan, 'next')
  if (char === '{' || char === '[') {
    scan.open.push(char === '{' ? '}' : ']')
    return advance(scan, 'first')
  }
  if (!accept(scan, scalarToken)) return expected
  scan.want = 'next'
  return undefined
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function readString(scan: Scan, want: Scan['want']): string | undefined {
  scan.at += 1
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code === 0x22) return advance(scan, want)
    if (Number.isNaN(code)) return 'the end of the string'
    if (code < 0x20) return 'an escape instead of a control character'
    if (code !== 0x5c) scan.at += 1
    else if (!accept(scan, escaped)) return 'an escape such as \\n or \\u000a'
  }
}
