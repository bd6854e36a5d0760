import { malformed } from './malformed.js'

/** What XML 1.0 section 2.2 leaves out: controls, lone surrogates (the `u` flag sees no others), U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u
const everyForbidden = new RegExp(forbidden, 'gu')

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const reference = /&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([\da-fA-F]+));/y

/** The index of the first character that no XML document can hold; -1 when there is none. */
export function findForbidden(text: string): number {
  return text.search(forbidden)
}

/** Refuses such a character in a part of a document. */
export function checkForbidden(text: string, from: number, to: number): void {
  const wrong = findForbidden(text.slice(from, to))
  if (wrong < 0) return
  const at = from + wrong
  throw malformed(text, at, `${nameCodePoint(text.codePointAt(at) ?? 0)} is not allowed in XML`)
}

/** A code point in the notation of Unicode: `U+0001`. */
export function nameCodePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Refuses references other than those to the five entities of XML 1.0 section 4.6 and to allowed characters. */
export function checkReferences(text: string, from: number, to: number): void {
  const part = text.slice(from, to)
  for (let at = part.indexOf('&'); at >= 0; at = part.indexOf('&', at + 1)) {
    reference.lastIndex = at
    const found = reference.exec(part)
    if (!found) throw malformed(text, from + at, describeMistake(part.slice(at, at + 42)))
    if (!isAllowed(found)) throw malformed(text, from + at, 'a reference to a character that XML does not allow')
  }
}

function isAllowed([, name, decimal, hex]: RegExpExecArray): boolean {
  if (name !== undefined) return true
  const code = Number.parseInt(decimal ?? hex ?? '', hex === undefined ? 10 : 16)
  return code <= 0x10ffff && findForbidden(String.fromCodePoint(code)) < 0
}

function describeMistake(start: string): string {
  if (!/^&[^\s;&<]+;/.test(start)) return 'expected &amp; for a bare &'
  return start[1] === '#' ? 'invalid character reference' : 'unknown entity'
}

/** Replaces the references of a text that `checkReferences` has let pass. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?)?([^;]+);/g, (_, numeric: string | undefined, body: string) => {
    if (numeric === undefined) return predefined[body] as string
    return String.fromCodePoint(Number.parseInt(body, numeric === '#' ? 10 : 16))
  })
}

/** Every line end as LF (XML 1.0 section 2.11). */
export function foldLines(text: string): string {
  return text.includes('\r') ? text.split(/\r\n?/).join('\n') : text
}

const special: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** What keeps a text from standing as it is. Most have none of it: asking first saves 12 % of writing structs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const unusual = /[&<>\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * Escapes a text for element content. A CR is written as a reference, since a reader turns a plain one into LF. Throws an
 * Error that names a character which XML forbids (XML 1.0 section 2.2), a lone surrogate among them.
 */
export function escapeText(text: string): string {
  if (!unusual.test(text)) return text
  const at = findForbidden(text)
  if (at >= 0) throw new Error(`XML cannot hold the character ${nameCodePoint(text.charCodeAt(at))}`)
  return escapeSpecial(text)
}

/** The same for a text that has to go out whatever is in it: all that XML forbids becomes U+FFFD. */
export function escapeAnyText(text: string): string {
  return escapeSpecial(text.replace(everyForbidden, '\ufffd'))
}

function escapeSpecial(text: string): string {
  return text.replace(/[&<>\r]/g, (char) => special[char] as string)
}
