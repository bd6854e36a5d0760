import { RpcInvalidRequest } from '../error.js'
import { checkForbidden, checkReferences, foldLines } from './characters.js'
import { describeClosingTag, describeElement } from './elements.js'
import { malformed } from './malformed.js'
import {
  attribute,
  closingTag,
  declaration,
  endOfCdata,
  endOfComment,
  endOfInstruction,
  isCdata,
  match,
  openTagEnd,
  openTagStart,
} from './markup.js'

interface Scan {
  readonly text: string
  readonly maxNestedTags: number
  /** The names of the elements that are open. */
  readonly open: string[]
  /** What stays: elements and their text. */
  readonly kept: string[]
  rootSeen: boolean
}

/**
 * Refuses whatever is not a well-formed document of XML 1.0, and more: the parser behind it, and its validator, let
 * much of that pass. A DOCTYPE or an entity declaration is RpcInsecureRequest, elements nested deeper than
 * `maxNestedTags` RpcInvalidRequest, anything else RpcParseError with line and column.
 *
 * Answers the text without declaration, processing instructions, comments and attributes: they mean nothing here, and
 * the parser takes a quote in an instruction for the start of a string. Line ends are LF (XML 1.0 section 2.11), since a
 * CR before a comment and a LF behind it are two. One pass; every expression is sticky and linear.
 */
export function prefilter(text: string, maxNestedTags: number): string {
  checkForbidden(text, 0, text.length)
  const scan: Scan = { text, maxNestedTags, open: [], kept: [], rootSeen: false }
  let at = match(declaration, text, 0)?.[0].length ?? 0
  while (at < text.length) at = text[at] === '<' ? scanMarkup(scan, at) : scanText(scan, at)
  const unclosed = scan.open.at(-1)
  if (unclosed !== undefined) throw malformed(text, at, `expected ${describeClosingTag(unclosed)}, found the end`)
  if (!scan.rootSeen) throw malformed(text, at, 'expected an element, found the end')
  return scan.kept.join('')
}

/** Each `scan…` begins at an index and answers the one behind what it has read. */
function scanText(scan: Scan, at: number): number {
  const { text } = scan
  const next = text.indexOf('<', at)
  const end = next < 0 ? text.length : next
  const part = text.slice(at, end)
  if (scan.open.length === 0) {
    const outside = part.search(/[^ \t\r\n]/)
    if (outside >= 0) throw malformed(text, at + outside, 'text outside of the root element')
  }
  const cdataEnd = part.indexOf(']]>')
  if (cdataEnd >= 0) throw malformed(text, at + cdataEnd, ']]> is not allowed in text')
  checkReferences(text, at, end)
  scan.kept.push(foldLines(part))
  return end
}

function scanMarkup(scan: Scan, at: number): number {
  switch (scan.text[at + 1]) {
    case '!':
      return scanBang(scan, at)
    case '?':
      return endOfInstruction(scan.text, at)
    case '/':
      return scanCloseTag(scan, at)
    default:
      return scanOpenTag(scan, at)
  }
}

function scanBang({ text, open, kept }: Scan, at: number): number {
  if (!isCdata(text, at)) return endOfComment(text, at)
  if (open.length === 0) throw malformed(text, at, 'text outside of the root element')
  const end = endOfCdata(text, at)
  kept.push(foldLines(text.slice(at, end)))
  return end
}

function scanCloseTag({ text, open, kept }: Scan, at: number): number {
  const found = match(closingTag, text, at)
  if (!found) throw malformed(text, at, 'a closing tag that is malformed')
  const [tag, name = ''] = found
  const innermost = open.pop()
  if (name !== innermost) {
    const expected = innermost === undefined ? 'the end' : describeClosingTag(innermost)
    throw malformed(text, at, `expected ${expected}, found ${describeClosingTag(name)}`)
  }
  kept.push(tag)
  return at + tag.length
}

function scanOpenTag(scan: Scan, at: number): number {
  const { text, open } = scan
  const found = match(openTagStart, text, at)
  const tag = found?.[1]
  if (!found || tag === undefined) throw malformed(text, at, 'expected the name of an element behind <')
  if (open.length === 0 && scan.rootSeen) throw malformed(text, at, 'a second root element')
  scan.rootSeen = true
  let end = scanAttributes(text, at + found[0].length)
  const close = match(openTagEnd, text, end)
  if (!close) throw malformed(text, end, `expected an attribute, > or /> in ${describeElement(tag)}`)
  end += close[0].length
  if (close[1] === '') open.push(tag)
  if (open.length > scan.maxNestedTags) {
    throw new RpcInvalidRequest(`Invalid Request: elements nested deeper than ${scan.maxNestedTags}`)
  }
  scan.kept.push(`<${tag}${close[1]}>`)
  return end
}

function scanAttributes(text: string, at: number): number {
  const names = new Set<string | undefined>()
  let end = at
  for (let found = match(attribute, text, end); found; found = match(attribute, text, end)) {
    if (names.has(found[1])) throw malformed(text, end, 'a second attribute of the same name')
    names.add(found[1])
    checkReferences(text, end, end + found[0].length)
    end += found[0].length
  }
  return end
}
