import { RpcInsecureRequest } from '../error.js'
import { malformed } from './malformed.js'

// What the markup of XML 1.0 looks like. All patterns are sticky and linear.

const space = '[ \\t\\r\\n]'
/** Section 2.3. */
const nameStart =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
  '\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}' +
  '\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const name = `([${nameStart}][${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*)`

// Section 3.1. A tag is its start, attributes, and its end.
export const openTagStart: RegExp = new RegExp(`<${name}`, 'uy')
export const attribute: RegExp = new RegExp(`${space}+${name}${space}*=${space}*("[^<"]*"|'[^<']*')`, 'uy')
export const openTagEnd: RegExp = new RegExp(`${space}*(/?)>`, 'y')
export const closingTag: RegExp = new RegExp(`</${name}${space}*>`, 'uy')

/** Section 2.6. */
const instruction = new RegExp(`<\\?${name}(?=${space}|\\?>)`, 'uy')

/** Section 2.8. */
export const declaration: RegExp = new RegExp(
  `<\\?xml${space}+version${space}*=${space}*(?:"1\\.[0-9]+"|'1\\.[0-9]+')` +
    `(?:${space}+encoding${space}*=${space}*(?:"[A-Za-z][\\w.-]*"|'[A-Za-z][\\w.-]*'))?` +
    `(?:${space}+standalone${space}*=${space}*(?:"(?:yes|no)"|'(?:yes|no)'))?${space}*\\?>`,
  'y',
)

/** Looks for a pattern at one index and nowhere else. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const cdataStart = '<![CDATA['
const cdataEnd = ']]>'

/** Whether a CDATA section begins here. */
export function isCdata(text: string, at: number): boolean {
  return text.startsWith(cdataStart, at)
}

/** The index behind the CDATA section that begins at `at`. */
export function endOfCdata(text: string, at: number): number {
  return indexOf(text, cdataEnd, at + cdataStart.length, at, 'a CDATA section that does not end') + cdataEnd.length
}

/** What is in a CDATA section. */
export function contentOfCdata(text: string, at: number, end: number): string {
  return text.slice(at + cdataStart.length, end - cdataEnd.length)
}

/**
 * The index behind the comment that begins with the `<!` at `at`. What begins with that and is neither a comment nor a
 * CDATA section is refused: RpcInsecureRequest for a DOCTYPE or a declaration of an entity, wherever they stand.
 */
export function endOfComment(text: string, at: number): number {
  if (!text.startsWith('<!--', at)) throw refuseDeclaration(text, at)
  const end = indexOf(text, '--', at + 4, at, 'a comment that does not end')
  if (text[end + 2] !== '>') throw malformed(text, end, '-- is not allowed in a comment')
  return end + 3
}

function refuseDeclaration(text: string, at: number): Error {
  const found = /^<!(DOCTYPE|ENTITY)/i.exec(text.slice(at, at + 9))?.[1]
  if (!found) return malformed(text, at, 'expected a comment or a CDATA section behind <!')
  return new RpcInsecureRequest(malformed(text, at, `${found} is not allowed`).message)
}

/** The index behind the processing instruction that begins at `at`. An XML declaration is none. */
export function endOfInstruction(text: string, at: number): number {
  const target = match(instruction, text, at)?.[1]
  if (target === undefined) throw malformed(text, at, 'expected the name of a processing instruction behind <?')
  if (target.toLowerCase() === 'xml') {
    const reason = at === 0 ? 'the XML declaration is malformed' : 'an XML declaration stands at the very start only'
    throw malformed(text, at, reason)
  }
  return indexOf(text, '?>', at, at, 'a processing instruction that does not end') + 2
}

function indexOf(text: string, what: string, from: number, start: number, reason: string): number {
  const found = text.indexOf(what, from)
  if (found < 0) throw malformed(text, start, reason)
  return found
}
