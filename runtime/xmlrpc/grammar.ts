const space = '[ \\t\\r\\n]'
const nameStart =
  ':A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
  '\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}' +
  '\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const name = `([${nameStart}][${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*)`

// What tags and instructions look like (XML 1.0 sections 2.3, 2.6, 2.8 and 3.1). All are sticky and linear.
export const openTagStart: RegExp = new RegExp(`<${name}`, 'uy')
export const attribute: RegExp = new RegExp(`${space}+${name}${space}*=${space}*("[^<"]*"|'[^<']*')`, 'uy')
export const tagEnd: RegExp = new RegExp(`${space}*(/?)>`, 'y')
export const closeTag: RegExp = new RegExp(`</${name}${space}*>`, 'uy')
export const instruction: RegExp = new RegExp(`<\\?${name}(?=${space}|\\?>)`, 'uy')
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
