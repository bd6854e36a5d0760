import { readText, skipSpace } from './content.js'
import type { Element } from './elements.js'
import { attribute, closeTag as closeTagPattern, match, openTagStart, tagEnd } from './grammar.js'
import { malformed } from './malformed.js'
import { OutsideCore } from './outside.js'
import { pathOf, type Source } from './source.js'
import { misplaced, trimSpace } from './structure.js'
import { passes, tag } from './usual.js'

const slash = 0x2f
const greaterThan = 0x3e

/** The names that the core takes: those of XML-RPC and its extensions, and others in ASCII, which are only wrong. */
const coreName = /^(?:ex:)?[A-Za-z_][\w.-]*$/

/** Reads the tag that begins with the `<` here; answers its name, and `source.empty` for `<name/>`. */
export function openTag(source: Source): string {
  const { text, at } = source
  if (passes(source, tag)) return text.slice(at + 1, source.at - 1)
  const found = match(openTagStart, text, at)
  const name = found?.[1]
  if (!found || name === undefined) throw malformed(text, at, 'expected the name of an element behind <')
  if (!source.anyName && !coreName.test(name)) throw new OutsideCore(text, at, 'a name that XML-RPC does not have')
  const behind = at + found[0].length
  const end = match(tagEnd, text, behind)
  if (!end) {
    if (match(attribute, text, behind)) throw new OutsideCore(text, behind, 'an attribute')
    throw malformed(text, behind, `expected an attribute, > or /> in <${name}>`)
  }
  source.at = behind + end[0].length
  source.empty = end[1] !== ''
  return name
}

/** Reads the tag of the one child that an element may have here. */
export function openChild(source: Source, child: Element, parent: Element, level: number): void {
  if (opens(source, child)) return
  const name = openTag(source)
  if (name !== child.name) throw unexpected(source, level, parent, name)
}

/** Reads the tag of one of the two children that an element may have here, and answers which. */
export function openEither(source: Source, one: Element, other: Element, parent: Element, level: number): Element {
  if (opens(source, one)) return one
  if (opens(source, other)) return other
  const name = openTag(source)
  if (name === one.name) return one
  if (name === other.name) return other
  throw unexpected(source, level, parent, name)
}

/** Reads an element's tag, if it stands here and in the usual form. */
export function opens(source: Source, { open }: Element): boolean {
  if (!source.text.startsWith(open, source.at)) return false
  source.at += open.length
  source.empty = false
  return true
}

/** An element where it is not expected. */
export function unexpected(source: Source, level: number, parent: Element, name: string): Error {
  return misplaced(pathOf(source, level), `<${name}> in <${parent.name}>`)
}

/** An element that is there already. */
export function repeated(source: Source, level: number, parent: Element, child: Element): Error {
  return misplaced(pathOf(source, level), `a second <${child.name}> in <${parent.name}>`)
}

/** An element that is not there. */
export function missing(source: Source, level: number, parent: Element, child: Element): Error {
  return misplaced(pathOf(source, level), `<${parent.name}> without <${child.name}>`)
}

/** Whether the next tag is a closing one, or there is none. */
export function isClosing({ text, at }: Source): boolean {
  return text.charCodeAt(at + 1) === slash || at >= text.length
}

/** Reads the closing tag of an element; of none (`undefined`) where every element is closed. */
export function closeTag(source: Source, name: string | undefined): void {
  const { text, at } = source
  if (name !== undefined && isUsualClose(text, at, name)) {
    source.at = at + name.length + 3
    return
  }
  const expected = name === undefined ? 'the end' : `</${name}>`
  if (at >= text.length) throw malformed(text, at, `expected ${expected}, found the end`)
  const found = match(closeTagPattern, text, at)
  if (!found) throw malformed(text, at, 'a closing tag that is malformed')
  if (found[1] !== name) throw malformed(text, at, `expected ${expected}, found </${found[1]}>`)
  source.at = at + found[0].length
}

function isUsualClose(text: string, at: number, name: string): boolean {
  const end = at + 2 + name.length
  return text.charCodeAt(end) === greaterThan && text.charCodeAt(at + 1) === slash && text.startsWith(name, at + 2)
}

/**
 * Moves to the next child of an element; false when there is none more, and the closing tag has been read. Between the
 * children there may be white space, comments and processing instructions.
 */
export function nextChild(source: Source, parent: Element, level: number): boolean {
  if (!skipSpace(source) && trimSpace(readText(source)) !== '') {
    throw misplaced(pathOf(source, level), `text in <${parent.name}> beside or instead of an element`)
  }
  if (!isClosing(source)) return true
  closeTag(source, parent.name)
  return false
}

/** Reads the closing tag of an element that has the one child it can have. */
export function closeBehind(source: Source, child: Element, parent: Element, level: number): void {
  if (!nextChild(source, parent, level)) return
  openChild(source, child, parent, level)
  throw repeated(source, level, parent, child)
}
