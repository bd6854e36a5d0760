import { checkForbidden, checkReferences, decodeReferences, foldLines } from './characters.js'
import { type Cursor, passes } from './cursor.js'
import { malformed } from './malformed.js'
import { contentOfCdata, endOfCdata, endOfComment, endOfInstruction, isCdata } from './markup.js'

const lessThan = 0x3c
const exclamation = 0x21
const question = 0x3f

/** Text that stands for itself: nothing to decode, no `]` that may be of a `]]>`, no character that has to be looked at. */
export const plain = '[^<&\\]\\r\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]*'
/** White space of XML 1.0 section 2.3, or none. */
export const gap = '[ \\t\\r\\n]*'

const space = new RegExp(gap, 'y')

// Up to a tag, and no comment, CDATA section or instruction. A small call takes 10 % more time without the first, one of
// structs 5 % without the second.
const plainToTag = new RegExp(`${plain}(?=<[^!?])`, 'y')
const spaceToTag = new RegExp(`${gap}(?=<[^!?])`, 'y')

/**
 * Reads text up to the next tag or the end: the five entities, references and line ends (XML 1.0 section 2.11) decoded,
 * CDATA sections as they stand, comments and processing instructions left out.
 */
export function readText(cursor: Cursor): string {
  const { text, at } = cursor
  return passes(cursor, plainToTag) ? text.slice(at, cursor.at) : readMixedText(cursor)
}

function readMixedText(cursor: Cursor): string {
  const { text } = cursor
  let read = ''
  for (;;) {
    const next = text.indexOf('<', cursor.at)
    const end = next < 0 ? text.length : next
    read += decodePart(text, cursor.at, end)
    cursor.at = end
    if (next < 0 || isTag(text, end)) return read
    if (isCdata(text, end)) read += readCdata(cursor)
    else skipMarkup(cursor)
  }
}

/** Whether a tag begins with this `<`, and no comment, CDATA section or instruction. */
function isTag(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1)
  return code !== exclamation && code !== question
}

function decodePart(text: string, from: number, to: number): string {
  const part = text.slice(from, to)
  const cdataEnd = part.indexOf(']]>')
  if (cdataEnd >= 0) throw malformed(text, from + cdataEnd, ']]> is not allowed in text')
  checkForbidden(text, from, to)
  checkReferences(text, from, to)
  return decodeReferences(foldLines(part))
}

function readCdata(cursor: Cursor): string {
  const { text, at } = cursor
  cursor.at = endOfCdata(text, at)
  checkForbidden(text, at, cursor.at)
  return foldLines(contentOfCdata(text, at, cursor.at))
}

/** A comment or a processing instruction. */
function skipMarkup(cursor: Cursor): void {
  const { text, at } = cursor
  cursor.at = text.charCodeAt(at + 1) === question ? endOfInstruction(text, at) : endOfComment(text, at)
  checkForbidden(text, at, cursor.at)
}

/** Moves to the next tag where nothing but white space, comments and instructions stand before it; false elsewhere. */
export function skipToTag(cursor: Cursor): boolean {
  return passes(cursor, spaceToTag) || trimSpace(readText(cursor)) === ''
}

/** Moves to the next tag outside of the root element, or to the end. */
export function skipOutsideRoot(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    passes(cursor, space)
    if (cursor.at === text.length) return
    if (text.charCodeAt(cursor.at) !== lessThan || isCdata(text, cursor.at)) {
      throw malformed(text, cursor.at, 'text outside of the root element')
    }
    if (isTag(text, cursor.at)) return
    skipMarkup(cursor)
  }
}

/** A text without the white space around it; `trim` takes more. */
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

/** Of this length on, an engine may make a part of a text by pointing into it. */
const leastPointer = 13

/** A text so short may well be kept for the sake of a part of it. */
const shortText = 1024

/** A part of a body that does not keep the whole body in memory: a procedure may keep its parameters for long. */
export function detach(part: string, text: string): string {
  return text.length <= shortText || part.length > text.length / 2 ? part : copyOf(part)
}

/** The same characters in memory of their own: taking a part of a sum has to put the sum together first. */
export function copyOf(part: string): string {
  return part.length < leastPointer ? part : ` ${part}`.slice(1)
}
