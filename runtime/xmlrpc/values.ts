import { setMember } from '../convert.js'
import { RpcInvalidRequest } from '../error.js'
import type { Struct } from '../predicates.js'
import { readText } from './content.js'
import * as elements from './elements.js'
import { readLeaf, readScalar } from './leaves.js'
import { readShortName } from './names.js'
import { refusalError } from './refusal.js'
import { detach } from './retain.js'
import { readShortValue } from './short.js'
import { skimContent } from './skim.js'
import { pathOf, type Source } from './source.js'
import { misplaced, trimSpace } from './structure.js'
import {
  closeBehind,
  closeTag,
  isClosing,
  missing,
  nextChild,
  openChild,
  openEither,
  opens,
  openTag,
  repeated,
} from './tags.js'
import { elementStart, memberEnd, memberMiddle, memberStart, passes } from './usual.js'

/**
 * Reads what stands behind a `<value>`, up to its end: an integer is a number where that is exact, else a bigint; a date
 * is a Date, base64 a Uint8Array, nil null, a struct a plain object with own members. Text without an element is a
 * string, its white space kept.
 *
 * Throws RpcInvalidRequest for elements that XML-RPC does not have or not there, and for nesting beyond the limit. A
 * scalar whose text is not of its type becomes the source's refusal.
 */
export function readValue(source: Source, level: number): unknown {
  if (source.empty) return ''
  const value = readShortValue(source)
  if (value === undefined) return readAnyValue(source, level)
  return typeof value === 'string' ? detach(value, source.text) : value
}

function readAnyValue(source: Source, level: number): unknown {
  const text = readText(source)
  if (isClosing(source)) {
    closeTag(source, 'value')
    return detach(text, source.text)
  }
  if (trimSpace(text) !== '') {
    throw misplaced(pathOf(source, level), 'text in <value> beside or instead of an element')
  }
  const value = readTyped(source, level)
  if (nextChild(source, elements.value, level)) {
    throw misplaced(pathOf(source, level), '<value> with more than one element')
  }
  return value
}

function readTyped(source: Source, level: number): unknown {
  if (opens(source, elements.struct)) return readStruct(source, nested(source, level))
  if (opens(source, elements.array)) return readArray(source, nested(source, level))
  const type = openTag(source)
  switch (type) {
    case 'string':
      return detach(readLeaf(source, type, level), source.text)
    case 'array':
      return readArray(source, nested(source, level))
    case 'struct':
      return readStruct(source, nested(source, level))
    default:
      return readScalar(source, type, level)
  }
}

/** The level of what is in an array or a struct. */
function nested({ limits }: Source, level: number): number {
  if (level >= limits.depth) throw misplaced('', `nested deeper than ${limits.depth}`)
  return level + 1
}

function readArray(source: Source, level: number): unknown[] {
  const { array, data } = elements
  if (source.empty || !nextChild(source, array, level - 1)) throw missing(source, level - 1, array, data)
  openChild(source, data, array, level - 1)
  const list = readElements(source, level)
  closeBehind(source, data, array, level - 1)
  return list
}

function readElements(source: Source, level: number): unknown[] {
  const { data, value } = elements
  const isEntry = source.multicall && level === 1
  const list: unknown[] = []
  if (source.empty) return list
  for (;;) {
    if (!passes(source, elementStart)) {
      if (!nextChild(source, data, level - 1)) return list
      openChild(source, value, data, level - 1)
    }
    source.path[level] = list.length
    list.push(isEntry ? readEntry(source, list.length) : readValue(source, level))
  }
}

/** The last of two members with one name wins. */
function readStruct(source: Source, level: number): Struct {
  const { struct, member } = elements
  const members: Struct = {}
  if (source.empty) return members
  for (;;) {
    if (passes(source, memberStart)) {
      if (readUsualMember(source, level, members)) continue
    } else {
      if (!nextChild(source, struct, level - 1)) return members
      openChild(source, member, struct, level - 1)
    }
    readMember(source, level, members)
  }
}

/** Behind a `<member><name>`; where it goes on in an unusual way nothing is read, and the name comes again. */
function readUsualMember(source: Source, level: number, members: Struct): boolean {
  const at = source.at - elements.name.open.length
  const key = readShortName(source)
  if (key === undefined || !passes(source, memberMiddle)) {
    source.at = at
    return false
  }
  source.path[level] = key
  const read = readValue(source, level)
  if (!passes(source, memberEnd)) closeMember(source, level)
  setMember(members, key, read)
  return true
}

/** Behind a name and a value. */
function closeMember(source: Source, level: number): void {
  const { member, name, value } = elements
  if (!nextChild(source, member, level - 1)) return
  throw repeated(source, level - 1, member, openEither(source, name, value, member, level - 1))
}

/** The name and the value come in either order. */
function readMember(source: Source, level: number, members: Struct): void {
  const { member, name, value } = elements
  const { refusal } = source
  let key: string | undefined
  let read: unknown
  let found = false
  source.path[level] = undefined
  const empty = source.empty
  while (!empty && nextChild(source, member, level - 1)) {
    if (openEither(source, name, value, member, level - 1) === name) {
      if (key !== undefined) throw repeated(source, level - 1, member, name)
      key = readLeaf(source, 'name', level - 1)
      source.path[level] = key
    } else {
      if (found) throw repeated(source, level - 1, member, value)
      found = true
      read = readValue(source, level)
    }
  }
  if (key === undefined) throw missing(source, level - 1, member, name)
  if (!found) throw missing(source, level - 1, member, value)
  if (source.refusal !== refusal && source.refusal) source.refusal.path[level] = key
  setMember(members, key, read)
}

/**
 * Reads an entry of a multicall; one that cannot be read is its error, since one bad entry is one fault. Of those beyond
 * the limit nothing is kept: their number is all that counts.
 */
function readEntry(source: Source, index: number): unknown {
  if (source.empty) return ''
  const { at, refusal } = source
  source.refusal = undefined
  try {
    if (index >= source.limits.batch) return skimContent(source, 'value')
    const value = readValue(source, 1)
    return source.refusal ? refusalError(source.refusal) : value
  } catch (error) {
    if (!(error instanceof RpcInvalidRequest)) throw error
    source.at = at
    skimContent(source, 'value')
    return error
  } finally {
    source.refusal = refusal
  }
}
