/** A token of a regular expression: an escape, the beginning of a group, or a character. */
const token = /\\.|\(\?(?:<?[=!]|<[^>\]]*>|:|[a-z-]+:)|./gsu

/** What shorthand classes are in a class. */
const shorthands: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' }

/**
 * Returns a pattern that matches the same texts, without what the APIs of language models reject: look-around, and shorthand classes
 * such as `\d`, which becomes `[0-9]`. Undefined if there is none, and for a pattern that matches every text.
 *
 * @example plainPattern('^\\d+-[\\s\\S]*$') === '^[0-9]+-'
 */
export function plainPattern(source: string): string | undefined {
  let isInClass = false
  let plain = ''
  for (const [text] of source.replace(/(?<!\\)\[\\s\\S\]\*\$$/, '').matchAll(token)) {
    const written = text.length > 1 ? plainToken(text, isInClass) : text
    if (written === undefined) return undefined
    if (text === '[' || text === ']') isInClass = text === '['
    plain += written
  }
  return plain === '' || plain === '^' ? undefined : plain
}

function plainToken(text: string, isInClass: boolean): string | undefined {
  // A class contains these characters.
  if (isInClass && text.startsWith('(')) return text
  if (text.startsWith('(')) return text === '(?:' || /^\(\?<[^=!]/.test(text) ? '(?:' : undefined
  const letter = text.slice(1)
  const shorthand = shorthands[letter.toLowerCase()]
  if (shorthand === undefined) return /[a-zA-Z1-9]/.test(letter) && !/[fnrtuvx]/.test(letter) ? undefined : text
  if (isInClass) return letter === letter.toLowerCase() ? shorthand : undefined
  return letter === letter.toLowerCase() ? `[${shorthand}]` : `[^${shorthand}]`
}
