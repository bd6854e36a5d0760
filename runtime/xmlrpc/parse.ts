// Reads XML 1.0 (w3.org/TR/xml) without a DOCTYPE, independently of XML-RPC. All patterns are sticky and linear.
import { RpcInsecureRequest, RpcInvalidRequest, RpcParseError } from '../error.js'
import { lineColumn } from '../values/position.js'

/** A document that is read once, from left to right. */
export interface Cursor {
  readonly text: string
  /** Element names that errors may quote. Any other name may be part of a value that contains an unescaped `<`. */
  readonly names: ReadonlySet<string>
  /** How many nested elements `skipContent` accepts. */
  readonly maxNesting: number
  /** The index of the next character to read. */
  at: number
  /** True if the last tag was `<name/>`, which has no closing tag. */
  empty: boolean
}

/** Returns a text without its byte order mark. */
export function stripMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Moves past the match of a sticky pattern. Returns false, and does not move, if it does not match. */
export function accept(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at
  if (!pattern.test(cursor.text)) return false
  cursor.at = pattern.lastIndex
  cursor.empty = false
  return true
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Returns the error for XML that is not well-formed at an index. `reason` names the kind of mistake and quotes nothing: the
 * text may be part of a value that contains an unescaped `&` or `<`.
 */
function syntaxError(text: string, at: number, reason: string): RpcParseError {
  return new RpcParseError(`Parse error: ${lineColumn(text, at)}: ${reason}`)
}

/** Returns `<param>` for a name that errors may quote, otherwise `an unknown element`. */
export function describeElement(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? `<${name}>` : 'an unknown element'
}

function describeClosingTag(names: ReadonlySet<string>, name: string): string {
  return names.has(name) ? `</${name}>` : 'the closing tag of an unknown element'
}

// Markup (sections 2.3 to 3.1)

export const lessThan = 0x3c
const greaterThan = 0x3e
const slash = 0x2f
const exclamation = 0x21
const question = 0x3f

/** The form of nearly every tag: trying it first saves 10 % of 1,000 structs. */
const plainTag = /<[A-Za-z][\w.]*>/y
const openTagStart = /* @__PURE__ */ aroundName('<', '')
const attribute = /* @__PURE__ */ aroundName('[ \\t\\r\\n]+', '[ \\t\\r\\n]*=[ \\t\\r\\n]*(?:"[^<"]*"|\'[^<\']*\')')
const openTagEnd = /[ \t\r\n]*(\/?)>/y
const closingTag = /* @__PURE__ */ aroundName('</', '[ \\t\\r\\n]*>')
const instruction = /* @__PURE__ */ aroundName('<\\?', '(?=[ \\t\\r\\n]|\\?>)')
const declaration =
  /<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/y

/** Returns a pattern whose first group is a name (section 2.3). */
function aroundName(before: string, after: string): RegExp {
  const start =
    ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
    '\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}' +
    '\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
  const name = `([${start}][${start}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*)`
  return new RegExp(before + name + after, 'uy')
}

const cdataStart = '<![CDATA['
const cdataEnd = ']]>'

/** Moves past the declaration and other markup before the root element. */
export function skipProlog(cursor: Cursor): void {
  const { text } = cursor
  cursor.at = match(declaration, text, 0)?.[0].length ?? 0
  skipOutsideRoot(cursor)
  if (cursor.at === text.length) throw syntaxError(text, cursor.at, 'expected an element, found the end')
  if (isClosing(cursor)) closeTag(cursor, undefined)
}

/** Rejects anything but comments, instructions and white space after the root element. */
export function checkEnd(cursor: Cursor): void {
  skipOutsideRoot(cursor)
  const { text, at } = cursor
  if (at === text.length) return
  if (isClosing(cursor)) closeTag(cursor, undefined)
  openTag(cursor)
  throw syntaxError(text, at, 'a second root element')
}

/** Throws RpcParseError if a document is not well-formed. */
export function checkWellFormed(cursor: Cursor): void {
  cursor.at = 0
  skipProlog(cursor)
  const root = openTag(cursor)
  if (!cursor.empty) skipContent(cursor, root)
  checkEnd(cursor)
}

/** Reads the tag that begins here and returns its name; sets `cursor.empty` for `<name/>`. */
export function openTag(cursor: Cursor): string {
  const { text, at } = cursor
  if (accept(cursor, plainTag)) return text.slice(at + 1, cursor.at - 1)
  const found = match(openTagStart, text, at)
  const name = found?.[1]
  if (!found || name === undefined) throw syntaxError(text, at, 'expected the name of an element behind <')
  const behind = skipAttributes(text, at + found[0].length)
  const end = match(openTagEnd, text, behind)
  if (!end) {
    throw syntaxError(text, behind, `expected an attribute, > or /> in ${describeElement(cursor.names, name)}`)
  }
  cursor.at = behind + end[0].length
  cursor.empty = end[1] !== ''
  return name
}

/** Returns the index after the attributes. They have no meaning in XML-RPC. */
function skipAttributes(text: string, from: number): number {
  const names = new Set<string | undefined>()
  let at = from
  for (let found = match(attribute, text, at); found; found = match(attribute, text, at)) {
    if (names.has(found[1])) throw syntaxError(text, at, 'a second attribute of the same name')
    names.add(found[1])
    const end = at + found[0].length
    checkForbidden(text, at, end)
    checkReferences(text, at, end)
    at = end
  }
  return at
}

/** True if the next tag is a closing tag, or the text ends. */
export function isClosing({ text, at }: Cursor): boolean {
  return text.charCodeAt(at + 1) === slash || at >= text.length
}

/** Reads the closing tag of an element; `undefined` means that no element is open. */
export function closeTag(cursor: Cursor, name: string | undefined): void {
  const { text, at, names } = cursor
  if (name !== undefined && isPlainClose(text, at, name)) {
    cursor.at = at + name.length + 3
    return
  }
  const expected = name === undefined ? 'the end' : describeClosingTag(names, name)
  if (at >= text.length) throw syntaxError(text, at, `expected ${expected}, found the end`)
  const found = match(closingTag, text, at)
  if (!found) throw syntaxError(text, at, 'a closing tag that is malformed')
  const [tag, closed = ''] = found
  if (closed !== name) throw syntaxError(text, at, `expected ${expected}, found ${describeClosingTag(names, closed)}`)
  cursor.at = at + tag.length
}

/** The form of nearly every closing tag: trying it first saves 10 % of 1,000 structs, and 16 % of a small call. */
function isPlainClose(text: string, at: number, name: string): boolean {
  const end = at + 2 + name.length
  return text.charCodeAt(end) === greaterThan && text.charCodeAt(at + 1) === slash && text.startsWith(name, at + 2)
}

/**
 * Moves past the content and the closing tag of an element, whose tag has been read. Throws RpcInvalidRequest for nesting
 * beyond `maxNesting`.
 */
export function skipContent(cursor: Cursor, name: string): void {
  const open = [name]
  const { maxNesting } = cursor
  while (open.length > 0) {
    readText(cursor)
    if (isClosing(cursor)) {
      closeTag(cursor, open.pop())
    } else {
      const child = openTag(cursor)
      if (!cursor.empty) open.push(child)
      if (open.length > maxNesting) {
        throw new RpcInvalidRequest(`Invalid Request: elements nested deeper than ${maxNesting}`)
      }
    }
  }
}

/** True if the `<` here begins a tag, and not a comment, a CDATA section or an instruction. */
function isTag(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1)
  return code !== exclamation && code !== question
}

function skipOutsideRoot(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    accept(cursor, spaces)
    if (cursor.at === text.length) return
    if (text.charCodeAt(cursor.at) !== lessThan || text.startsWith(cdataStart, cursor.at)) {
      throw syntaxError(text, cursor.at, 'text outside of the root element')
    }
    if (isTag(text, cursor.at)) return
    skipMarkup(cursor)
  }
}

/** Moves past a comment or an instruction. */
function skipMarkup(cursor: Cursor): void {
  const { text, at } = cursor
  cursor.at = text.charCodeAt(at + 1) === question ? endOfInstruction(text, at) : endOfComment(text, at)
  checkForbidden(text, at, cursor.at)
}

/** Throws RpcInsecureRequest for a DOCTYPE or an entity declaration, wherever it is. */
function endOfComment(text: string, at: number): number {
  if (!text.startsWith('<!--', at)) throw declarationError(text, at)
  const end = indexOf(text, '--', at + 4, at, 'a comment that does not end')
  if (text[end + 2] !== '>') throw syntaxError(text, end, '-- is not allowed in a comment')
  return end + 3
}

function declarationError(text: string, at: number): Error {
  const found = /^<!(DOCTYPE|ENTITY)/i.exec(text.slice(at, at + 9))?.[1]
  if (!found) return syntaxError(text, at, 'expected a comment or a CDATA section behind <!')
  return new RpcInsecureRequest(syntaxError(text, at, `${found} is not allowed`).message)
}

function endOfInstruction(text: string, at: number): number {
  const target = match(instruction, text, at)?.[1]
  if (target === undefined) throw syntaxError(text, at, 'expected the name of a processing instruction behind <?')
  if (target.toLowerCase() === 'xml') {
    const reason = at === 0 ? 'the XML declaration is malformed' : 'an XML declaration is only allowed at the start'
    throw syntaxError(text, at, reason)
  }
  return indexOf(text, '?>', at, at, 'a processing instruction that does not end') + 2
}

function indexOf(text: string, what: string, from: number, start: number, reason: string): number {
  const found = text.indexOf(what, from)
  if (found < 0) throw syntaxError(text, start, reason)
  return found
}

// Text

const spaces = /[ \t\r\n]*/y

/** The source of a pattern for text that needs no decoding and no check: without `&`, `]` (of `]]>`), CR and forbidden characters. */
export const plainCharacters = '[^<&\\]\\r\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]*'
/** The same with references to the entities of section 4.6: so many that an engine can go back over all of them. */
export const textWithReferences = `${plainCharacters}(?:&(?:lt|gt|amp|quot|apos);${plainCharacters}){0,1000}`

// Up to a tag, without a comment, CDATA section or instruction between. A small call takes 10 % more time without `plainToTag`, structs
// 5 % without `spaceToTag`.
const plainToTag = /* @__PURE__ */ new RegExp(`${plainCharacters}(?=<[^!?])`, 'y')
const referencesToTag = /* @__PURE__ */ new RegExp(`${textWithReferences}(?=<[^!?])`, 'y')
const spaceToTag = /[ \t\r\n]*(?=<[^!?])/y

/**
 * Reads text up to the next tag or the end. References and line ends (section 2.11) are decoded, CDATA sections are kept as
 * they are, comments and instructions are dropped.
 */
export function readText(cursor: Cursor): string {
  const { text, at } = cursor
  if (accept(cursor, plainToTag)) return text.slice(at, cursor.at)
  return accept(cursor, referencesToTag) ? decodeEntities(text.slice(at, cursor.at)) : readMixedText(cursor)
}

function readMixedText(cursor: Cursor): string {
  const { text } = cursor
  let read = ''
  for (;;) {
    const next = text.indexOf('<', cursor.at)
    const end = next < 0 ? text.length : next
    read += decodeText(text, cursor.at, end)
    cursor.at = end
    if (next < 0 || isTag(text, end)) return read
    if (text.startsWith(cdataStart, end)) read += readCdata(cursor)
    else skipMarkup(cursor)
  }
}

function decodeText(text: string, from: number, to: number): string {
  const slice = text.slice(from, to)
  const end = slice.indexOf(cdataEnd)
  if (end >= 0) throw syntaxError(text, from + end, ']]> is not allowed in text')
  checkForbidden(text, from, to)
  checkReferences(text, from, to)
  return decodeReferences(foldLines(slice))
}

function readCdata(cursor: Cursor): string {
  const { text, at } = cursor
  const start = at + cdataStart.length
  const end = indexOf(text, cdataEnd, start, at, 'a CDATA section that does not end')
  cursor.at = end + cdataEnd.length
  checkForbidden(text, at, cursor.at)
  return foldLines(text.slice(start, end))
}

/** Moves to the next tag; returns false if anything but white space, comments and instructions precedes it. */
export function skipToTag(cursor: Cursor): boolean {
  return accept(cursor, spaceToTag) || trimSpace(readText(cursor)) === ''
}

export function skipSpace(cursor: Cursor): void {
  while (isSpace(cursor.text.charCodeAt(cursor.at))) cursor.at++
}

/** Returns a text without the white space of XML around it. `trim` removes more. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Engines may implement a slice of at least this length as a pointer into the whole text. */
const minSliceLength = 13

/** A text of this length may stay in memory for the sake of a part of it. */
const shortText = 1024

/** Returns a part of a body that does not keep the whole body in memory: procedures may store their parameters. */
export function detach(slice: string, text: string): string {
  return text.length <= shortText || slice.length > text.length / 2 ? slice : copyOf(slice)
}

/** Returns the same characters in separate memory: slicing a concatenation makes engines build it first. */
export function copyOf(slice: string): string {
  return slice.length < minSliceLength ? slice : ` ${slice}`.slice(1)
}

// Characters

/** Characters outside section 2.2: controls, lone surrogates (the `u` flag matches no others), U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the searched characters
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u
const everyForbidden = /* @__PURE__ */ new RegExp(forbidden, 'gu')

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const reference = /&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([\da-fA-F]+));/y

function checkForbidden(text: string, from: number, to: number): void {
  const wrong = text.slice(from, to).search(forbidden)
  if (wrong < 0) return
  const at = from + wrong
  throw syntaxError(text, at, `${codePointName(text.codePointAt(at) ?? 0)} is not allowed in XML`)
}

/** Returns `U+0001`. */
function codePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Rejects references to entities other than the five of section 4.6, and to forbidden characters. */
function checkReferences(text: string, from: number, to: number): void {
  const slice = text.slice(from, to)
  for (let at = slice.indexOf('&'); at >= 0; at = slice.indexOf('&', at + 1)) {
    const found = match(reference, slice, at)
    if (!found) throw syntaxError(text, from + at, describeReference(slice.slice(at, at + 42)))
    if (!isAllowed(found)) throw syntaxError(text, from + at, 'a reference to a character that XML does not allow')
  }
}

function isAllowed([, name, decimal, hex]: RegExpExecArray): boolean {
  if (name !== undefined) return true
  const code = Number.parseInt(decimal ?? hex ?? '', hex === undefined ? 10 : 16)
  return code <= 0x10ffff && !forbidden.test(String.fromCodePoint(code))
}

function describeReference(start: string): string {
  if (!/^&[^\s;&<]+;/.test(start)) return 'expected &amp; for a bare &'
  return start[1] === '#' ? 'invalid character reference' : 'unknown entity'
}

/** Decodes references that `checkReferences` has accepted. */
function decodeReferences(text: string): string {
  if (!text.includes('&#')) return decodeEntities(text)
  return text.replace(/&(?:#(x?)(\w+)|\w+);/g, (found, hex: string, digits?: string) => {
    return digits ? String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)) : decodeEntities(found)
  })
}

/** Decodes references to the entities of section 4.6. */
export function decodeEntities(text: string): string {
  let decoded = ''
  let from = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at)
    decoded += text.slice(from, at) + predefined[text.slice(at + 1, end)]
    from = end + 1
  }
  return decoded + text.slice(from)
}

/** Returns a text with every line end as LF (section 2.11). */
function foldLines(text: string): string {
  return text.includes('\r') ? text.split(/\r\n?/).join('\n') : text
}

/** Characters that need an escape or are forbidden. Most texts have none: testing first saves 12 % of writing structs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the searched characters
const special = /[&<>\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * Escapes a text for element content. A CR becomes a reference, since a parser turns a plain one into LF.
 *
 * @throws Error that names a character which XML forbids, a lone surrogate for instance
 */
export function escapeText(text: string): string {
  if (!special.test(text)) return text
  const at = text.search(forbidden)
  if (at >= 0) throw new Error(`XML cannot represent the character ${codePointName(text.charCodeAt(at))}`)
  return escapeSpecial(text)
}

/** Escapes a text that must be sent whatever it contains: forbidden characters become U+FFFD. */
export function escapeAnyText(text: string): string {
  return escapeSpecial(text.replace(everyForbidden, '\ufffd'))
}

function escapeSpecial(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replaceAll('\r', '&#13;')
}
