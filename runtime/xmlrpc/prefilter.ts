import { RpcInsecureRequest, RpcInvalidRequest } from '../error.js'
import { checkReferences, findForbidden, nameCodePoint } from './characters.js'
import { malformed } from './malformed.js'

const space = '[ \\t\\r\\n]'
const nameStart =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
  '\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}' +
  '\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const name = `([${nameStart}][${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*)`

const openTag = new RegExp(`<${name}`, 'uy')
const attribute = new RegExp(`${space}+${name}${space}*=${space}*("[^<"]*"|'[^<']*')`, 'uy')
const tagEnd = new RegExp(`${space}*(/?)>`, 'y')
const closeTag = new RegExp(`</${name}${space}*>`, 'uy')
const instruction = new RegExp(`<\\?${name}(?=${space}|\\?>)`, 'uy')
const declaration = new RegExp(
  `<\\?xml${space}+version${space}*=${space}*(?:"1\\.[0-9]+"|'1\\.[0-9]+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[A-Za-z][\\w.-]*"|'[A-Za-z][\\w.-]*'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
  'y',
)

interface Scan {
  readonly text: string
  readonly maxNestedTags: number
  /** The names of the elements that are open. */
  readonly open: string[]
  /** What stays: the text without its comments and processing instructions. */
  readonly kept: string[]
  rootSeen: boolean
}

/**
 * Refuses whatever is not a well-formed document of XML 1.0, and more: the parser behind it, and its validator, let
 * much of that pass. A DOCTYPE or an entity declaration is RpcInsecureRequest, elements nested deeper than
 * `maxNestedTags` RpcInvalidRequest, anything else RpcParseError with line and column.
 *
 * Answers the text without declaration, processing instructions and comments: they mean nothing here, and the parser
 * takes a quote in an instruction for the start of a string. One pass; every expression is sticky and linear.
 */
export function prefilter(text: string, maxNestedTags: number): string {
  const wrong = findForbidden(text)
  if (wrong >= 0) throw malformed(text, wrong, `${nameCodePoint(text.codePointAt(wrong) ?? 0)} is not allowed in XML`)
  const scan: Scan = { text, maxNestedTags, open: [], kept: [], rootSeen: false }
  let at = match(declaration, text, 0)?.[0].length ?? 0
  while (at < text.length) at = text[at] === '<' ? scanMarkup(scan, at) : scanText(scan, at)
  const unclosed = scan.open.at(-1)
  if (unclosed !== undefined) throw malformed(text, at, `expected </${unclosed}>, found the end`)
  if (!scan.rootSeen) throw malformed(text, at, 'expected an element, found the end')
  return scan.kept.join('')
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
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
  scan.kept.push(part)
  return end
}

function scanMarkup(scan: Scan, at: number): number {
  switch (scan.text[at + 1]) {
    case '!':
      return scanBang(scan, at)
    case '?':
      return scanInstruction(scan, at)
    case '/':
      return scanCloseTag(scan, at)
    default:
      return scanOpenTag(scan, at)
  }
}

function scanBang({ text, open, kept }: Scan, at: number): number {
  if (text.startsWith('<!--', at)) {
    const end = indexOf(text, '--', at + 4, at, 'a comment that does not end')
    if (text[end + 2] !== '>') throw malformed(text, end, '-- is not allowed in a comment')
    return end + 3
  }
  if (text.startsWith('<![CDATA[', at)) {
    if (open.length === 0) throw malformed(text, at, 'text outside of the root element')
    const end = indexOf(text, ']]>', at + 9, at, 'a CDATA section that does not end') + 3
    kept.push(text.slice(at, end))
    return end
  }
  const found = /^<!(DOCTYPE|ENTITY)/i.exec(text.slice(at, at + 9))?.[1]
  if (!found) throw malformed(text, at, 'expected a comment or a CDATA section behind <!')
  throw new RpcInsecureRequest(`${malformed(text, at, `${found} is not allowed`).message}`)
}

function scanInstruction({ text }: Scan, at: number): number {
  const target = match(instruction, text, at)?.[1]
  if (target === undefined) throw malformed(text, at, 'expected the name of a processing instruction behind <?')
  if (target.toLowerCase() === 'xml') {
    const reason = at === 0 ? 'the XML declaration is malformed' : 'an XML declaration stands at the very start only'
    throw malformed(text, at, reason)
  }
  return indexOf(text, '?>', at, at, 'a processing instruction that does not end') + 2
}

function scanCloseTag({ text, open, kept }: Scan, at: number): number {
  const found = match(closeTag, text, at)
  if (!found) throw malformed(text, at, 'a closing tag that is malformed')
  const expected = open.pop()
  if (found[1] !== expected) {
    const instead = expected === undefined ? 'the end' : `</${expected}>`
    throw malformed(text, at, `expected ${instead}, found </${found[1]}>`)
  }
  kept.push(found[0])
  return at + found[0].length
}

function scanOpenTag(scan: Scan, at: number): number {
  const { text, open } = scan
  const found = match(openTag, text, at)
  const tag = found?.[1]
  if (!found || tag === undefined) throw malformed(text, at, 'expected the name of an element behind <')
  if (open.length === 0 && scan.rootSeen) throw malformed(text, at, `a second root element <${tag}>`)
  scan.rootSeen = true
  let end = scanAttributes(text, at + found[0].length)
  const close = match(tagEnd, text, end)
  if (!close) throw malformed(text, end, `expected an attribute, > or /> in <${tag}>`)
  end += close[0].length
  if (close[1] === '') open.push(tag)
  if (open.length > scan.maxNestedTags) {
    throw new RpcInvalidRequest(`Invalid Request: elements nested deeper than ${scan.maxNestedTags}`)
  }
  scan.kept.push(text.slice(at, end))
  return end
}

function scanAttributes(text: string, at: number): number {
  const names = new Set<string | undefined>()
  let end = at
  for (let found = match(attribute, text, end); found; found = match(attribute, text, end)) {
    if (names.has(found[1])) throw malformed(text, end, `a second attribute ${found[1]}`)
    names.add(found[1])
    checkReferences(text, end, end + found[0].length)
    end += found[0].length
  }
  return end
}

function indexOf(text: string, what: string, from: number, start: number, reason: string): number {
  const found = text.indexOf(what, from)
  if (found < 0) throw malformed(text, start, reason)
  return found
}
