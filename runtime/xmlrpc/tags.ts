import { RpcInvalidRequest } from '../error.js'
import { type Cursor, passes } from './cursor.js'
import { type Child, children, describeClosingTag, describeElement, type Parent } from './elements.js'
import { invalid, missing, OutsideCore, repeated, unexpected } from './invalid.js'
import { malformed } from './malformed.js'
import { attribute, closingTag, match, openTagEnd, openTagStart } from './markup.js'
import { readText, skipToTag } from './text.js'

const slash = 0x2f
const greaterThan = 0x3e

/** The names that the core takes: those of XML-RPC and its extensions, and others in ASCII, which are only wrong. */
const coreName = /^(?:ex:)?[A-Za-z_][\w.-]*$/

/** A tag as nearly everybody writes it: asking for it first saves 10 % of 1,000 structs. */
const plainTag = /<[A-Za-z][\w.]*>/y

/** Reads the tag that begins with the `<` here; answers its name, and `cursor.empty` for `<name/>`. */
export function openTag(cursor: Cursor): string {
  const { text, at } = cursor
  if (passes(cursor, plainTag)) return text.slice(at + 1, cursor.at - 1)
  const found = match(openTagStart, text, at)
  const name = found?.[1]
  if (!found || name === undefined) throw malformed(text, at, 'expected the name of an element behind <')
  if (!cursor.anyName && !coreName.test(name)) throw new OutsideCore(text, at, 'a name that XML-RPC does not have')
  let behind = at + found[0].length
  if (cursor.anyName) behind = skipAttributes(text, behind)
  const end = match(openTagEnd, text, behind)
  if (!end) {
    if (match(attribute, text, behind)) throw new OutsideCore(text, behind, 'an attribute')
    throw malformed(text, behind, `expected an attribute, > or /> in ${describeElement(name)}`)
  }
  cursor.at = behind + end[0].length
  cursor.empty = end[1] !== ''
  return name
}

/** Attributes have no meaning in XML-RPC. */
function skipAttributes(text: string, from: number): number {
  let at = from
  for (let next = match(attribute, text, at); next; next = match(attribute, text, at)) at += next[0].length
  return at
}

/** Reads the tag of a child, and answers which it is of those that its parent may have. */
export function openChild<P extends Parent>(cursor: Cursor, parent: P, level: number): Child<P> {
  const name = openTag(cursor)
  if (!(children[parent] as readonly string[]).includes(name)) throw unexpected(cursor, level, parent, name)
  return name as Child<P>
}

/** Whether the next tag is a closing one, or there is none. */
export function isClosing({ text, at }: Cursor): boolean {
  return text.charCodeAt(at + 1) === slash || at >= text.length
}

/** Reads the closing tag of an element; of none (`undefined`) where every element is closed. */
export function closeTag(cursor: Cursor, name: string | undefined): void {
  const { text, at } = cursor
  if (name !== undefined && isPlainClose(text, at, name)) {
    cursor.at = at + name.length + 3
    return
  }
  const expected = name === undefined ? 'the end' : describeClosingTag(name)
  if (at >= text.length) throw malformed(text, at, `expected ${expected}, found the end`)
  const found = match(closingTag, text, at)
  if (!found) throw malformed(text, at, 'a closing tag that is malformed')
  const [tag, closed = ''] = found
  if (closed !== name) throw malformed(text, at, `expected ${expected}, found ${describeClosingTag(closed)}`)
  cursor.at = at + tag.length
}

/** As nearly everybody writes it: asking first saves 10 % of 1,000 structs, and 16 % of a small call. */
function isPlainClose(text: string, at: number, name: string): boolean {
  const end = at + 2 + name.length
  return text.charCodeAt(end) === greaterThan && text.charCodeAt(at + 1) === slash && text.startsWith(name, at + 2)
}

/**
 * Moves to the next child of an element; false when there is none more, and the closing tag has been read. Between the
 * children there may be white space, comments and processing instructions.
 */
export function nextChild(cursor: Cursor, parent: Parent | 'value', level: number): boolean {
  if (!skipToTag(cursor)) throw invalid(cursor, level, `text in <${parent}> beside or instead of an element`)
  if (!isClosing(cursor)) return true
  closeTag(cursor, parent)
  return false
}

/** Reads the tag of the one child that an element has to have. */
export function openOnlyChild(cursor: Cursor, parent: 'param' | 'array' | 'fault', level: number): void {
  if (cursor.empty || !nextChild(cursor, parent, level)) throw missing(cursor, level, parent, children[parent][0])
  openChild(cursor, parent, level)
}

/** Reads the closing tag of an element that has all the children it can have. */
export function closeParent(cursor: Cursor, parent: 'param' | 'array' | 'member' | 'fault', level: number): void {
  if (nextChild(cursor, parent, level)) throw repeated(cursor, level, parent, openChild(cursor, parent, level))
}

/** Reads the text of an element that has no elements in it, up to its end. */
export function readLeaf(cursor: Cursor, name: string, level: number): string {
  if (cursor.empty) return ''
  const text = readText(cursor)
  if (!isClosing(cursor)) throw unexpected(cursor, level, name, openTag(cursor))
  closeTag(cursor, name)
  return text
}

/** Moves over an element, whatever is in it: that it is well-formed is all that counts. */
export function skipElement(cursor: Cursor): void {
  const name = openTag(cursor)
  if (!cursor.empty) skipContent(cursor, name)
}

/** The same behind its tag. */
export function skipContent(cursor: Cursor, name: string): void {
  const open = [name]
  const most = mostTags(cursor.limits.depth)
  while (open.length > 0) {
    readText(cursor)
    if (isClosing(cursor)) {
      closeTag(cursor, open.pop())
    } else {
      const child = openTag(cursor)
      if (!cursor.empty) open.push(child)
      if (open.length > most) throw new RpcInvalidRequest(`Invalid Request: elements nested deeper than ${most}`)
    }
  }
}

/** A nested value is `<value><array><data>` or `<value><struct><member>`; ten are the call around them and a scalar. */
export function mostTags(depth: number): number {
  return 3 * depth + 10
}
