import { findForbidden, nameCodePoint, replaceForbidden } from './characters.js'

const special: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const replacement = '\ufffd'

/** What keeps a text from standing as it is; most have none of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const unusual = /[&<>\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * Escapes a text for element content. A CR is written as a reference, since a reader turns a plain one into LF; a lone
 * surrogate, which no encoding can hold, becomes U+FFFD. Throws an Error that names a character which XML forbids.
 */
export function escapeText(text: string): string {
  if (!unusual.test(text)) return text
  return escapeSpecial(findForbidden(text) < 0 ? text : replaceForbidden(text, replaceSurrogate))
}

/** The same for a text that has to go out whatever is in it: all that XML forbids becomes U+FFFD. */
export function escapeAnyText(text: string): string {
  return escapeSpecial(replaceForbidden(text, () => replacement))
}

function replaceSurrogate(char: string): string {
  const code = char.charCodeAt(0)
  if (code >= 0xd800 && code <= 0xdfff) return replacement
  throw new Error(`XML cannot hold the character ${nameCodePoint(code)}`)
}

function escapeSpecial(text: string): string {
  return text.replace(/[&<>\r]/g, (char) => special[char] as string)
}
