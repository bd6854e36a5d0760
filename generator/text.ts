// Names and texts as JavaScript writes them, the characters in them that a reader does not see, and the words that Python reserves. The model
// and what prints it use them, and the search for what a misspelt name means:
//
//   quote("it's")  →  "it's"    memberKey('odd name')  →  'odd name'    escapeUnseen('a\u200bb')  →  a\u200bb

/** A JavaScript string literal: in single quotes, or in double ones where that saves escapes. */
export function quote(text: string): string {
  // Nearly every text; the general case takes ten times as long.
  if (/^[ -&(-[\]-~]*$/.test(text)) return `'${text}'`
  const escaped = escapeUnseen(JSON.stringify(text))
  if (text.includes("'") && !text.includes('"')) return escaped
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The name of a member in an object literal or an interface. */
export function memberKey(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return isIdentifier(name) ? name : quote(name)
}

/** True for an identifier whose characters can all be seen. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) && !invisible.test(name)
}

/** Control and format characters, line separators, lone surrogates, and whatever else is not shown: fillers, variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const invisibles = new RegExp(invisible, 'gu')

/** Escapes characters that a reader of code does not see, as string literals and templates have them: `\u202e`. */
export function escapeUnseen(text: string): string {
  return text.replace(invisibles, escaped)
}

/** Characters that act on what shows a text: C0 except the tab, DEL, C1, line separators, and changes of the text direction. */
const acting = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes characters that a terminal or an editor obeys. Others may be part of words and emoji. Line breaks remain if `hasLines`. */
export function escapeActing(text: string, hasLines = false): string {
  return text.replace(acting, (each) => (hasLines && each === '\n' ? each : escaped(each)))
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }).join('')
}

/** `OrderId` of `orderId`. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Lowers the first letters: `order` of `Order`, `urlPart` of `URLPart`. */
export function lowerFirst(text: string): string {
  return text.replace(/^\p{Lu}+(?!\p{Ll})|^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}/u, (start) => start.toLowerCase())
}

/**
 * Returns the name that a misspelt one means: `retruns` means `returns`. It differs in its case or in one letter that is missing, added,
 * different, or swapped with the next one; names of less than `least` letters only in their case or in a swap, because others are words.
 */
export function nearName<Name extends string>(name: string, names: readonly Name[], least = 5): Name | undefined {
  if ((names as readonly string[]).includes(name)) return undefined
  const lower = name.toLowerCase()
  return (
    names.find((each) => each.toLowerCase() === lower) ?? names.find((each) => isNear(lower, each.toLowerCase(), least))
  )
}

/** True if one letter is missing, added or different, or swapped with the next one. Both are in lower case. */
function isNear(one: string, other: string, least: number): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [left, right] = [one.slice(same), other.slice(same)]
  if (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)) return true
  if (other.length < least) return false
  return left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)
}

/** Appends a member to a path: `createOrder(draft).lines` or, if the name is not an identifier, `createOrder(draft)["first line"]`. */
export function memberPath(path: string, name: string): string {
  return isIdentifier(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}

/** Words that Python reserves. */
export const pythonKeywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import ' +
    'in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)
