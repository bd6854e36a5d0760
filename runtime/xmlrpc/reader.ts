import { RpcInvalidRequest } from '../error.js'
import { setMember } from '../values/convert.js'
import type { Struct } from '../values/predicates.js'
import { type Cursor, passes } from './cursor.js'
import { describeElement } from './elements.js'
import { invalid, missing, refusalError, refuse, repeated } from './invalid.js'
import { scalars } from './scalars.js'
import { elementStart, memberEnd, memberMiddle, memberStart, readShortName, readShortValue } from './shortcuts.js'
import {
  closeParent,
  closeTag,
  isClosing,
  nextChild,
  openChild,
  openOnlyChild,
  openTag,
  readLeaf,
  skipContent,
} from './tags.js'
import { detach, readText, trimSpace } from './text.js'

/**
 * Reads what stands behind a `<value>`, up to its end: an integer is a number where that is exact, else a bigint; a date
 * is a Date, base64 a Uint8Array, nil null, a struct a plain object with own members. Text without an element is a
 * string, its white space kept.
 *
 * Throws RpcInvalidRequest for elements that XML-RPC does not have or not there, and for nesting beyond the limit. A
 * scalar whose text is not of its type becomes the cursor's refusal.
 */
export function readValue(cursor: Cursor, level: number): unknown {
  if (cursor.empty) return ''
  const value = readShortValue(cursor)
  if (value === undefined) return readAnyValue(cursor, level)
  return typeof value === 'string' ? detach(value, cursor.text) : value
}

function readAnyValue(cursor: Cursor, level: number): unknown {
  const text = readText(cursor)
  if (isClosing(cursor)) {
    closeTag(cursor, 'value')
    return detach(text, cursor.text)
  }
  if (trimSpace(text) !== '') throw invalid(cursor, level, 'text in <value> beside or instead of an element')
  const value = readTyped(cursor, level)
  if (nextChild(cursor, 'value', level)) throw invalid(cursor, level, '<value> with more than one element')
  return value
}

function readTyped(cursor: Cursor, level: number): unknown {
  const type = openTag(cursor)
  switch (type) {
    case 'string':
      return detach(readLeaf(cursor, type, level), cursor.text)
    case 'array':
      return readArray(cursor, nested(cursor, level))
    case 'struct':
      return readStruct(cursor, nested(cursor, level))
    default:
      return readScalar(cursor, type, level)
  }
}

function readScalar(cursor: Cursor, type: string, level: number): unknown {
  const scalar = scalars.get(type)
  if (!scalar) throw invalid(cursor, level, `expected a type of XML-RPC, found ${describeElement(type)}`)
  const text = trimSpace(readLeaf(cursor, type, level))
  const value = scalar.read(text)
  return value === undefined ? refuse(cursor, level, scalar.expected, text) : value
}

/** The level of what is in an array or a struct. */
function nested({ limits }: Cursor, level: number): number {
  if (level < limits.depth) return level + 1
  throw new RpcInvalidRequest(`Invalid Request: nested deeper than ${limits.depth}`)
}

function readArray(cursor: Cursor, level: number): unknown[] {
  openOnlyChild(cursor, 'array', level - 1)
  const list = readElements(cursor, level)
  closeParent(cursor, 'array', level - 1)
  return list
}

function readElements(cursor: Cursor, level: number): unknown[] {
  const isEntry = cursor.multicall && level === 1
  const list: unknown[] = []
  if (cursor.empty) return list
  for (;;) {
    if (!passes(cursor, elementStart)) {
      if (!nextChild(cursor, 'data', level - 1)) return list
      openChild(cursor, 'data', level - 1)
    }
    cursor.path[level] = list.length
    list.push(isEntry ? readEntry(cursor, list.length) : readValue(cursor, level))
  }
}

/** The last of two members with one name wins. */
function readStruct(cursor: Cursor, level: number): Struct {
  const members: Struct = {}
  if (cursor.empty) return members
  for (;;) {
    if (readShortMember(cursor, level, members)) continue
    if (!nextChild(cursor, 'struct', level - 1)) return members
    openChild(cursor, 'struct', level - 1)
    readMember(cursor, level, members)
  }
}

/** A member as nearly every client writes it; false, and nothing is read, where it begins in another way. */
function readShortMember(cursor: Cursor, level: number, members: Struct): boolean {
  const { at } = cursor
  if (!passes(cursor, memberStart)) return false
  const name = readShortName(cursor)
  if (name === undefined || !passes(cursor, memberMiddle)) {
    cursor.at = at
    return false
  }
  cursor.path[level] = name
  const value = readValue(cursor, level)
  if (!passes(cursor, memberEnd)) closeParent(cursor, 'member', level - 1)
  setMember(members, name, value)
  return true
}

/** The name and the value come in either order. */
function readMember(cursor: Cursor, level: number, members: Struct): void {
  const { refusal } = cursor
  let name: string | undefined
  let value: unknown
  let found = false
  cursor.path[level] = undefined
  const { empty } = cursor
  while (!empty && nextChild(cursor, 'member', level - 1)) {
    const child = openChild(cursor, 'member', level - 1)
    if (child === 'name' ? name !== undefined : found) throw repeated(cursor, level - 1, 'member', child)
    if (child === 'name') {
      name = readLeaf(cursor, child, level - 1)
      cursor.path[level] = name
    } else {
      found = true
      value = readValue(cursor, level)
    }
  }
  if (name === undefined) throw missing(cursor, level - 1, 'member', 'name')
  if (!found) throw missing(cursor, level - 1, 'member', 'value')
  // The value stood before its name.
  if (cursor.refusal !== refusal && cursor.refusal) cursor.refusal.path[level] = name
  setMember(members, name, value)
}

/**
 * Reads an entry of a multicall; one that cannot be read is its error, since one bad entry is one fault. Of those beyond
 * the limit nothing is kept: their number is all that counts.
 */
function readEntry(cursor: Cursor, index: number): unknown {
  if (cursor.empty) return ''
  const { at, refusal } = cursor
  cursor.refusal = undefined
  try {
    if (index >= cursor.limits.batch) return skipContent(cursor, 'value')
    const value = readValue(cursor, 1)
    return cursor.refusal ? refusalError(cursor.refusal) : value
  } catch (error) {
    if (!(error instanceof RpcInvalidRequest)) throw error
    cursor.at = at
    skipContent(cursor, 'value')
    return error
  } finally {
    cursor.refusal = refusal
  }
}
