import { RpcParseError } from '../error.js'
import { lineColumn } from '../values/position.js'

/**
 * The error for text that is no JSON, with line and column (beginning at 1) and what was expected there: engines tell
 * in words of their own. The message is that of the specification's example, so that the place stands in `data`.
 */
export function malformed(text: string): RpcParseError {
  const scan: Scan = { text, at: 0, open: [], want: 'value' }
  let expected = step(scan)
  while (expected === undefined) expected = step(scan)
  return new RpcParseError('Parse error', { data: `${lineColumn(text, scan.at)}: expected ${expected}` })
}

/** How far the text has been read: RFC 8259's grammar, with a list of what is open in place of recursion. */
interface Scan {
  readonly text: string
  at: number
  /** What closes the objects and arrays that are open. */
  readonly open: ('}' | ']')[]
  /** `first` stands behind an opening bracket, `next` behind a value. */
  want: 'value' | 'name' | 'colon' | 'first' | 'next'
}

const space = /[ \t\n\r]*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string does not hold these as they are
const plain = /[^"\\\x00-\x1f]*/y
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** Goes behind what `pattern` matches here; false when it matches nothing. */
function skip(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at
  if (!pattern.test(scan.text)) return false
  scan.at = pattern.lastIndex
  return true
}

/** Reads one token; answers what was expected where the text breaks. */
function step(scan: Scan): string | undefined {
  skip(scan, space)
  const char = scan.text[scan.at]
  const closer = scan.open.at(-1)
  if (closer !== undefined && char === closer && (scan.want === 'first' || scan.want === 'next')) {
    scan.open.pop()
    return go(scan, 'next')
  }
  if (scan.want === 'next') {
    if (closer === undefined) return 'the end'
    return char === ',' ? go(scan, closer === '}' ? 'name' : 'value') : `, or ${closer}`
  }
  if (scan.want === 'colon') return char === ':' ? go(scan, 'value') : ':'
  const first = scan.want === 'first'
  if (scan.want === 'name' || (first && closer === '}')) {
    return char === '"' ? readString(scan, 'colon') : first ? 'a name or }' : 'a name'
  }
  return readValue(scan, char, first ? 'a value or ]' : 'a value')
}

/** Goes behind one character, to what comes next. */
function go(scan: Scan, want: Scan['want']): undefined {
  scan.at += 1
  scan.want = want
}

function readValue(scan: Scan, char: string | undefined, expected: string): string | undefined {
  if (char === '"') return readString(scan, 'next')
  if (char === '{' || char === '[') {
    scan.open.push(char === '{' ? '}' : ']')
    return go(scan, 'first')
  }
  if (!skip(scan, scalar)) return expected
  scan.want = 'next'
  return undefined
}

function readString(scan: Scan, want: Scan['want']): string | undefined {
  scan.at += 1
  do skip(scan, plain)
  while (skip(scan, escaped))
  const char = scan.text[scan.at]
  if (char === '"') return go(scan, want)
  if (char === '\\') return 'an escape such as \\n or \\u000a'
  return char === undefined ? 'the end of the string' : 'an escape in place of a control character'
}
