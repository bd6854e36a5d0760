import { RpcInsecureRequest } from '../error.js'
import { instruction, match } from './grammar.js'
import { malformed } from './malformed.js'

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
