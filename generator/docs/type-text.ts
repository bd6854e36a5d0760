/** A type as a doc comment writes it; nothing is said yet of what its words mean. */
export type DocType =
  | { readonly kind: 'word'; readonly word: string; readonly args: readonly DocType[] }
  | { readonly kind: 'either'; readonly branches: readonly DocType[] }
  /** Anything else: it may be every type. */
  | { readonly kind: 'unread' }

const unread: DocType = { kind: 'unread' }

const letters = '[\\p{ID_Continue}$.]'
const plain = new RegExp(`^${letters}+$`, 'u')
/** `Array<T>`, `Array.<T>`, `list[T]`, `list(T)`. */
const applied = new RegExp(`^(${letters}+?)\\.?[<[(](.*)[>\\])]$`, 'u')

/** What stands around a type, the outermost first. */
const around: readonly (readonly [form: RegExp, read: (inner: DocType) => DocType])[] = [
  [/^readonly (.+)$/, (inner) => inner],
  [/^\?(.+)$/, (inner) => either(inner, word('null'))],
  [/^!(.+)$/, (inner) => inner],
  // Of all arguments together, or of one.
  [/^\.\.\.(.+)$/, (inner) => either(inner, word('array', inner))],
  [/^(.+)=$/, (inner) => either(inner, word('undefined'))],
  [/^(.+)\?$/, (inner) => either(inner, word('null'))],
  [/^(.+)!$/, (inner) => inner],
  [/^(.+)\[ ?\]$/, (inner) => word('array', inner)],
]

/** Reads a type in the habits of TypeScript, JSDoc and Python. */
export function readTypeText(text: string): DocType {
  return text.includes('=>') ? unread : read(text.replace(/\s+or\s+/g, '|'))
}

function read(given: string): DocType {
  const text = given.trim()
  const branches = split(text, '|')
  if (branches.length > 1) return either(...branches.map(read))
  for (const [form, readForm] of around) {
    const inner = form.exec(text)?.[1]
    if (inner !== undefined) return readForm(read(inner))
  }
  if (plain.test(text)) return word(text)
  const grouped = /^\((.*)\)$/.exec(text)?.[1]
  if (grouped !== undefined) return isBalanced(grouped) && split(grouped, ',').length === 1 ? read(grouped) : unread
  const [, head, inside = ''] = applied.exec(text) ?? []
  return head === undefined || !isBalanced(inside) ? unread : applying(head, split(inside, ','))
}

function applying(written: string, texts: readonly string[]): DocType {
  const head = written.toLowerCase()
  // Any number of them.
  if (head === 'tuple' && texts.length === 2 && texts[1]?.trim() === '...') return word('list', read(texts[0] ?? ''))
  const args = texts.map(read)
  if (head === 'union') return either(...args)
  const [only = unread, second] = args
  if (second !== undefined) return word(written, ...args)
  if (head === 'optional') return either(only, word('null'))
  return ['promise', 'promiselike', 'awaitable'].includes(head) ? only : word(written, only)
}

function word(written: string, ...args: DocType[]): DocType {
  return { kind: 'word', word: written, args }
}

function either(...branches: DocType[]): DocType {
  return { kind: 'either', branches }
}

/** At a separator that stands in no brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charAt(i)
    depth += depthOf(character)
    if (character !== separator || depth !== 0) continue
    parts.push(text.slice(start, i))
    start = i + 1
  }
  return [...parts, text.slice(start)]
}

/** Whether a text closes what it opens, and nothing else. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    depth += depthOf(character)
    if (depth < 0) return false
  }
  return depth === 0
}

function depthOf(character: string): number {
  if ('<[({'.includes(character)) return 1
  return '>])}'.includes(character) ? -1 : 0
}
