// Reads a `<methodCall>`, and the values of calls and responses, from left to right, straight to values. `elements.ts` finds the elements,
// `scalars.ts` reads their texts.
//
//   <methodCall><methodName>add</methodName><params><param><value><int>1</int></value></param></params></methodCall>  →  add, [1]
import type { CompleteLimits } from '../call/limits.js'
import type { Call, InvalidEntry } from '../call/types.js'
import { MULTICALL } from '../description/system-names.js'
import { RpcInvalidRequest } from '../error.js'
import { type Struct, setMember } from '../values/predicates.js'
import {
  callLevel,
  checkPrefix,
  closeParent,
  cursorOver,
  invalid,
  invalidValueOf,
  mismatch,
  missing,
  nextChild,
  openChild,
  openOnlyChild,
  paramsLevel,
  type RpcCursor,
  readLeaf,
  repeated,
} from './elements.js'
import {
  accept,
  type Cursor,
  checkEnd,
  checkWellFormed,
  closeTag,
  copyOf,
  decodeEntities,
  detach,
  isClosing,
  lessThan,
  openTag,
  plainCharacters,
  readText,
  skipContent,
  skipProlog,
  skipSpace,
  textWithReferences,
  trimSpace,
} from './parse.js'
import { scalarElements } from './scalars.js'

/** A decoded call. */
export interface XmlCall extends Call {
  readonly params: readonly unknown[]
  /** The entries of a multicall that cannot be read, by their index; undefined for any other call. */
  readonly invalidEntries: ReadonlyMap<number, InvalidEntry['error']> | undefined
}

/**
 * Decodes a `<methodCall>`. Attributes are ignored: they have no meaning in XML-RPC.
 *
 * A scalar whose text is not of its type (`<int>x</int>`) does not throw here: it is the `invalidValue` of the call.
 *
 * @throws RpcParseError for XML that is not well-formed
 * @throws RpcInvalidRequest for XML that is not a call
 * @throws UnsupportedMarkup for a call that the fallback decodes
 */
export function readCall(text: string, limits: CompleteLimits): XmlCall {
  const cursor = cursorOver(text, limits)
  try {
    return readMethodCall(cursor)
  } catch (error) {
    throw firstError(cursor, error)
  }
}

/** Returns the error to report: a syntax error anywhere in the document comes before any other error. */
export function firstError(cursor: RpcCursor, error: unknown): unknown {
  if (error instanceof RpcInvalidRequest) checkWellFormed(cursor)
  return error
}

// Calls

/** The members of a call that have been read. */
interface PartialCall {
  method: string | undefined
  params: unknown[] | undefined
  /** Where `<params>` begins if it precedes `<methodName>`. */
  early: number | undefined
}

function readMethodCall(cursor: RpcCursor): XmlCall {
  const call: PartialCall = { method: undefined, params: undefined, early: undefined }
  const hasContent = readPlainStart(cursor, call) || openCall(cursor)
  while (hasContent && nextChild(cursor, 'methodCall', callLevel)) readCallMember(cursor, call)
  checkEnd(cursor)
  const { method, params, early } = call
  if (method === undefined) throw missing(cursor, callLevel, 'methodCall', 'methodName')
  return withParams(cursor, method, early === undefined ? (params ?? []) : readEarlyParams(cursor, early, method))
}

function withParams({ firstInvalidScalar, invalidEntries }: RpcCursor, method: string, params: unknown[]): XmlCall {
  const call = { method, params, wantsReply: true, invalidEntries }
  return firstInvalidScalar ? { ...call, invalidValue: invalidValueOf(firstInvalidScalar) } : call
}

/** Reads up to the end of the parameters. Returns false, and reads nothing, if the call is not in the plain form. */
function readPlainStart(cursor: RpcCursor, call: PartialCall): boolean {
  if (accept(cursor, callStart)) {
    const method = trimSpace(readText(cursor))
    if (method !== '' && accept(cursor, paramsStart)) {
      call.method = method
      call.params = readParams(cursor, method)
      return true
    }
  }
  cursor.at = 0
  return false
}

function openCall(cursor: RpcCursor): boolean {
  const hasContent = openRoot(cursor, 'methodCall')
  checkPrefix(cursor)
  return hasContent
}

/** Reads up to the tag of the root element. Returns false if it is empty. */
export function openRoot(cursor: RpcCursor, expected: 'methodCall' | 'methodResponse'): boolean {
  skipProlog(cursor)
  const name = openTag(cursor)
  if (name !== expected) throw mismatch(cursor, callLevel, `<${expected}>`, name)
  return !cursor.empty
}

function readCallMember(cursor: RpcCursor, call: PartialCall): void {
  const { at } = cursor
  const child = openChild(cursor, 'methodCall', callLevel)
  const known = child === 'methodName' ? call.method : (call.params ?? call.early)
  if (known !== undefined) throw repeated(cursor, callLevel, 'methodCall', child)
  if (child === 'methodName') {
    call.method = trimSpace(readLeaf(cursor, 'methodName', callLevel))
    if (call.method === '') throw invalid(cursor, callLevel, '<methodName> is empty')
  } else if (call.method === undefined) {
    // How the parameters are read depends on the method.
    call.early = at
    if (!cursor.empty) skipContent(cursor, child)
  } else {
    call.params = readParams(cursor, call.method)
  }
}

function readEarlyParams(cursor: RpcCursor, at: number, method: string): unknown[] {
  cursor.at = at
  openTag(cursor)
  return readParams(cursor, method)
}

/** Reads the content and the closing tag of `<params>`. */
function readParams(cursor: RpcCursor, method: string): unknown[] {
  const params: unknown[] = []
  if (cursor.empty) return params
  if (method === MULTICALL) cursor.invalidEntries = new Map()
  for (;;) {
    cursor.path[0] = params.length
    if (!accept(cursor, paramStart)) {
      if (!nextChild(cursor, 'params', paramsLevel)) return params
      openChild(cursor, 'params', paramsLevel)
      openOnlyChild(cursor, 'param', 0)
    }
    params.push(readValue(cursor, 0))
    if (!accept(cursor, paramEnd)) closeParent(cursor, 'param', 0)
  }
}

// Values

/**
 * Reads the content and the closing tag of `<value>`. An integer is a number if that is exact, otherwise a bigint; a date is a
 * Date, base64 a Uint8Array, nil null, a struct a plain object. Text without an element is a string with its white space.
 *
 * @throws RpcInvalidRequest for unknown elements, and for nesting beyond the limit
 */
export function readValue(cursor: RpcCursor, level: number): unknown {
  if (cursor.empty) return ''
  const value = readPlainValue(cursor)
  if (value !== undefined) return value
  return cursor.leniency ? readLeniently(cursor, level) : readAnyValue(cursor, level)
}

/** Reads a value of a response; the markup of one that is not of XML-RPC may be replaced, as an unknown element. */
function readLeniently(cursor: RpcCursor, level: number): unknown {
  const { at } = cursor
  try {
    return readAnyValue(cursor, level)
  } catch (error) {
    const replaced = error instanceof RpcInvalidRequest ? replace(cursor, '', level) : undefined
    if (replaced === undefined) throw error
    cursor.at = at
    skipContent(cursor, 'value')
    return replace(cursor, cursor.text.slice(at, cursor.text.lastIndexOf('</', cursor.at - 1)), level)
  }
}

function replace({ leniency, path, isFault }: RpcCursor, text: string, level: number): unknown {
  return leniency?.replace(text, path[level], isFault)
}

function readAnyValue(cursor: RpcCursor, level: number): unknown {
  if (accept(cursor, structStart)) {
    const members = readStructElement(cursor, nestedLevel(cursor, level))
    if (!accept(cursor, valueEnd) && nextChild(cursor, 'value', level))
      throw invalid(cursor, level, '<value> with more than one element')
    return members
  }
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

function readTyped(cursor: RpcCursor, level: number): unknown {
  const type = openTag(cursor)
  switch (type) {
    case 'string':
      return detach(readLeaf(cursor, type, level), cursor.text)
    case 'array':
      return readArrayElement(cursor, nestedLevel(cursor, level))
    case 'struct':
      return readStructElement(cursor, nestedLevel(cursor, level))
    default:
      return readScalarElement(cursor, type, level)
  }
}

/** Records the first scalar whose text is not of its type and reads on, since the document may have a worse error. */
function readScalarElement(cursor: RpcCursor, type: string, level: number): unknown {
  const { leniency } = cursor
  const scalar = leniency ? leniency.scalarOf(type) : scalarElements.get(type)
  if (!scalar) return replaceUnknown(cursor, type, level)
  const text = trimSpace(readLeaf(cursor, type, level))
  const value = scalar.read(text)
  if (value !== undefined) return value
  const replaced = replace(cursor, text, level)
  if (replaced === undefined) {
    const path = cursor.path.slice(0, level + 1)
    cursor.firstInvalidScalar ??= { path, element: type, scalar, text }
  }
  return replaced
}

/** Reads the content of an element that is not a type of XML-RPC as text; if it has elements, their markup is kept. */
function replaceUnknown(cursor: RpcCursor, type: string, level: number): unknown {
  const { at, empty, leniency } = cursor
  const error = mismatch(cursor, level, 'a type of XML-RPC', type)
  if (!leniency) throw error
  if (!empty) skipContent(cursor, type)
  let text = empty ? '' : cursor.text.slice(at, cursor.text.lastIndexOf('</', cursor.at - 1))
  if (!empty && !text.includes('<')) {
    cursor.at = at
    text = trimSpace(readLeaf(cursor, type, level))
  }
  const replaced = replace(cursor, text, level)
  if (replaced === undefined) throw error
  return replaced
}

function nestedLevel({ limits }: RpcCursor, level: number): number {
  if (level < limits.depth) return level + 1
  throw new RpcInvalidRequest(`Invalid Request: nested deeper than ${limits.depth}`)
}

function readArrayElement(cursor: RpcCursor, level: number): unknown[] {
  openOnlyChild(cursor, 'array', level - 1)
  const list = readElements(cursor, level)
  closeParent(cursor, 'array', level - 1)
  return list
}

function readElements(cursor: RpcCursor, level: number): unknown[] {
  const isEntry = cursor.invalidEntries && level === 1
  const list: unknown[] = []
  if (cursor.empty) return list
  let mayBePlain = !isEntry
  for (;;) {
    const plain = mayBePlain ? readPlainElement(cursor) : undefined
    if (plain !== undefined) {
      list.push(plain)
      continue
    }
    // The other elements of a list are nearly always like this one.
    mayBePlain = false
    if (!accept(cursor, elementStart)) {
      if (!nextChild(cursor, 'data', level - 1)) return list
      openChild(cursor, 'data', level - 1)
    }
    cursor.path[level] = list.length
    list.push(isEntry ? readEntry(cursor, list.length) : readValue(cursor, level))
  }
}

/**
 * Reads an entry of a multicall. An unreadable one is undefined, and its error is in `invalidEntries`, because it fails
 * alone. Entries beyond the limit are skipped: only their number counts.
 */
function readEntry(cursor: RpcCursor, index: number): unknown {
  if (cursor.empty) return ''
  const { at, firstInvalidScalar } = cursor
  cursor.firstInvalidScalar = undefined
  try {
    if (index >= cursor.limits.batch) return skipContent(cursor, 'value')
    const value = readValue(cursor, 1)
    if (!cursor.firstInvalidScalar) return value
    cursor.invalidEntries?.set(index, invalidValueOf(cursor.firstInvalidScalar))
    return undefined
  } catch (error) {
    if (!(error instanceof RpcInvalidRequest)) throw error
    cursor.at = at
    skipContent(cursor, 'value')
    cursor.invalidEntries?.set(index, error)
    return undefined
  } finally {
    cursor.firstInvalidScalar = firstInvalidScalar
  }
}

/** Of two members with one name the last one counts. */
function readStructElement(cursor: RpcCursor, level: number): Struct {
  const members: Struct = {}
  if (cursor.empty) return members
  for (;;) {
    if (readPlainMembers(cursor, level, members) || !nextChild(cursor, 'struct', level - 1)) return members
    openChild(cursor, 'struct', level - 1)
    readMember(cursor, level, members)
  }
}

/** Reads the members up to one that begins in another form than the plain one. Returns true if it has read the closing tag of the struct. */
function readPlainMembers(cursor: RpcCursor, level: number, members: Struct): boolean {
  let isMember = accept(cursor, memberStart)
  while (isMember) {
    const name = readPlainName(cursor)
    if (name === undefined || !accept(cursor, memberMiddle)) {
      cursor.at = cursor.text.lastIndexOf('<member>', cursor.at)
      return false
    }
    cursor.path[level] = name
    setMember(members, name, readValue(cursor, level))
    isMember = accept(cursor, memberNext)
    if (!isMember && accept(cursor, structEnd)) return true
    if (!isMember) closeParent(cursor, 'member', level - 1)
  }
  return false
}

/** Reads `<name>` and `<value>` in either order. */
function readMember(cursor: RpcCursor, level: number, members: Struct): void {
  const { firstInvalidScalar, empty } = cursor
  let name: string | undefined
  let value: unknown
  let found = false
  cursor.path[level] = undefined
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
  if (!found) value = replace(cursor, '', level)
  if (!found && value === undefined) throw missing(cursor, level - 1, 'member', 'value')
  // The value may have preceded its name.
  if (cursor.firstInvalidScalar !== firstInvalidScalar && cursor.firstInvalidScalar) {
    cursor.firstInvalidScalar.path[level] = name
  }
  setMember(members, name, value)
}

// The fast path: patterns for the markup of nearly all clients, several tags at once. Other text is read tag by
// tag. All patterns are sticky and linear; the gains are of reading, by bench/sections/xml.mjs.

// A small call takes twice as long without these four.
const callStart =
  /(?:<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[A-Za-z][\w-]*"|'[A-Za-z][\w-]*'))? ?\?>)?[ \t\r\n]*<methodCall>[ \t\r\n]*<methodName>/y
const paramsStart = /<\/methodName>[ \t\r\n]*<params>/y
const paramStart = /[ \t\r\n]*<param>[ \t\r\n]*<value>/y
const paramEnd = /[ \t\r\n]*<\/param>/y

/** 1,000 structs take 10 % longer without it. */
const elementStart = /[ \t\r\n]*<value>/y

// Structs take about twice as long without these six: 1.15 times without the first two, 1.08 times without the last two.
const structStart = /[ \t\r\n]*<struct>/y
const valueEnd = /[ \t\r\n]*<\/value>/y
const memberStart = /[ \t\r\n]*<member>[ \t\r\n]*<name>/y
const memberMiddle = /<\/name>[ \t\r\n]*<value>/y
const structEnd = /[ \t\r\n]*<\/member>[ \t\r\n]*<\/struct>/y
const memberNext = /[ \t\r\n]*<\/member>[ \t\r\n]*<member>[ \t\r\n]*<name>/y

/** The content and the closing tag of a value. A double of so many digits is finite. */
const plainContent = `<(?:string>${plainCharacters}</string|int>-?\\d{1,15}</int|i4>-?\\d{1,15}</i4|double>-?\\d{1,300}\\.\\d+</double|boolean>[01]</boolean)></value>`

/** Structs take twice as long without it. */
const plainValue = /* @__PURE__ */ new RegExp(plainContent, 'y')
/** 10,000 ints take 1.4 times as long without it. */
const plainElement = /* @__PURE__ */ new RegExp(`<value>${plainContent}`, 'y')

/** The same for a string with references, which takes three times as long without it. */
const valueWithReferences = /* @__PURE__ */ new RegExp(`<string>${textWithReferences}</string></value>`, 'y')

const letterI = 0x69
const letterD = 0x64
const letterS = 0x73
const minus = 0x2d
const zero = 0x30
const four = 0x34

/**
 * Reads the content and the closing tag of a value that is a string, with references to entities at most, an integer of at most 15
 * digits, a decimal or a boolean. Returns undefined for any other value.
 */
function readPlainValue(cursor: Cursor): string | number | boolean | undefined {
  const { text, at } = cursor
  if (accept(cursor, plainValue)) return plainValueAt(text, at, cursor.at)
  if (text.charCodeAt(at + 1) !== letterS || !accept(cursor, valueWithReferences)) return undefined
  return detach(decodeEntities(text.slice(at + '<string>'.length, cursor.at - '</string></value>'.length)), text)
}

/** The same for an element of an array, with its tag. */
function readPlainElement(cursor: Cursor): string | number | boolean | undefined {
  skipSpace(cursor)
  const { text, at } = cursor
  return accept(cursor, plainElement) ? plainValueAt(text, at + '<value>'.length, cursor.at) : undefined
}

function plainValueAt(text: string, at: number, end: number): string | number | boolean {
  switch (text.charCodeAt(at + 1)) {
    case letterS:
      return detach(text.slice(at + '<string>'.length, end - '</string></value>'.length), text)
    case letterI:
      if (text.charCodeAt(at + 2) === four) return readDigits(text, at + '<i4>'.length, end - '</i4></value>'.length)
      return readDigits(text, at + '<int>'.length, end - '</int></value>'.length)
    case letterD:
      return Number(text.slice(at + '<double>'.length, end - '</double></value>'.length))
    default:
      return text.charCodeAt(at + '<boolean>'.length) !== zero
  }
}

/** Reads so few digits that every step is exact. `Number` of a slice takes 10 % longer. */
function readDigits(text: string, from: number, to: number): number {
  const negative = text.charCodeAt(from) === minus
  let value = 0
  for (let at = negative ? from + 1 : from; at < to; at++) value = value * 10 + text.charCodeAt(at) - zero
  // `-0` is the integer 0.
  return negative ? 0 - value : value
}

const maxNameLength = 32
const plainName = /^\w*$/

/**
 * Recent member names by a hash. Most names are repeated, and a string that an engine has used as a key is faster: this saves 10 %
 * of 1,000 structs. Clients cannot make it grow.
 */
const recentNames: string[] = Array(256).fill('')

/** Reads the name of a member: letters, digits and `_` up to a `<`. Returns undefined for any other name. */
function readPlainName(cursor: Cursor): string | undefined {
  const { text, at } = cursor
  let hash = 0
  let end = at
  for (let code = text.charCodeAt(at); code !== lessThan; code = text.charCodeAt(++end)) {
    if (end - at === maxNameLength) return undefined
    hash = (hash * 31 + code) & 0xff
  }
  let name = recentNames[hash] as string
  if (name.length !== end - at || !text.startsWith(name, at)) {
    name = copyOf(text.slice(at, end))
    if (!plainName.test(name)) return undefined
    recentNames[hash] = name
  }
  cursor.at = end
  return name
}
