import { checkForbidden, checkReferences, decodeReferences, foldLines } from './characters.js'
import { malformed } from './malformed.js'
import { contentOfCdata, endOfCdata, endOfComment, endOfInstruction, isCdata } from './markup.js'
import type { Source } from './source.js'
import { passes, plainText, space, spaceAlone } from './usual.js'

const lessThan = 0x3c
const exclamation = 0x21
const question = 0x3f

/**
 * Reads text up to the next tag or the end: the five entities, references and line ends (XML 1.0 section 2.11) decoded,
 * CDATA sections as they stand, comments and processing instructions left out.
 */
export function readText(source: Source): string {
  const { text, at } = source
  return passes(source, plainText) ? text.slice(at, source.at) : readOddText(source)
}

/** Whether a tag begins with this `<`, and no comment, CDATA section or instruction. */
function isTag(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1)
  return code !== exclamation && code !== question
}

function readOddText(source: Source): string {
  const { text } = source
  let read = ''
  for (;;) {
    const next = text.indexOf('<', source.at)
    const end = next < 0 ? text.length : next
    read += decodePart(text, source.at, end)
    source.at = end
    if (next < 0 || isTag(text, end)) return read
    if (isCdata(text, end)) read += readCdata(source)
    else skipMarkup(source)
  }
}

function decodePart(text: string, from: number, to: number): string {
  const part = text.slice(from, to)
  const cdataEnd = part.indexOf(']]>')
  if (cdataEnd >= 0) throw malformed(text, from + cdataEnd, ']]> is not allowed in text')
  checkForbidden(text, from, to)
  checkReferences(text, from, to)
  return decodeReferences(foldLines(part))
}

function readCdata(source: Source): string {
  const { text, at } = source
  source.at = endOfCdata(text, at)
  checkForbidden(text, at, source.at)
  return foldLines(contentOfCdata(text, at, source.at))
}

/** A comment or a processing instruction. */
function skipMarkup(source: Source): void {
  const { text, at } = source
  source.at = text.charCodeAt(at + 1) === question ? endOfInstruction(text, at) : endOfComment(text, at)
  checkForbidden(text, at, source.at)
}

/** Moves to the next tag over white space; false where something else is there. */
export function skipSpace(source: Source): boolean {
  return passes(source, spaceAlone)
}

/** Moves to the next tag outside of the root element, or to the end. */
export function skipOutside(source: Source): void {
  const { text } = source
  for (;;) {
    passes(source, space)
    if (source.at === text.length) return
    if (text.charCodeAt(source.at) !== lessThan || isCdata(text, source.at)) {
      throw malformed(text, source.at, 'text outside of the root element')
    }
    if (isTag(text, source.at)) return
    skipMarkup(source)
  }
}
