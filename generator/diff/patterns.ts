// What patterns match, as far as it shows without running them: a stranger may have written them.
//
//     '^a$|^id-[\\s\\S]*$'  →  the text `a`, and every text that begins with `id-`

/** Longer patterns are compared as text. */
const MAX_PATTERN = 2000

/** Returns `^a$` and `^b` of `^a$|^b`, each once. A bar inside of a group or a class does not divide: the parts are invalid. */
export function alternativesOf(pattern: string): readonly string[] {
  return startsIn(pattern).alternatives
}

/** The alternatives of a pattern, with the texts and the beginnings of texts that they match. */
interface Starts {
  readonly alternatives: readonly string[]
  readonly all: readonly Start[]
  readonly texts: ReadonlySet<string>
  readonly beginnings: ReadonlySet<string>
  /** The lengths of the beginnings, each once. */
  readonly lengths: ReadonlySet<number>
}

/** Patterns with alternatives, each of which is compiled: constants and unions compare one pattern many times. */
const examined = new Map<string, Starts>()

function startsIn(pattern: string): Starts {
  const known = examined.get(pattern)
  if (known) return known
  const parts = pattern.length > MAX_PATTERN ? [] : [...new Set(pattern.split('|'))]
  const alternatives = pattern.includes('|') && parts.length > 0 && parts.every(isValid) ? parts : [pattern]
  const all = alternatives.map(startOf)
  const textsOf = (rest: Start['rest']) => all.filter((each) => each.rest === rest).map(({ text }) => text)
  const beginnings = new Set(textsOf('anything'))
  const lengths = new Set(Array.from(beginnings, ({ length }) => length))
  const starts = { alternatives, all, texts: new Set(textsOf('nothing')), beginnings, lengths }
  if (pattern.includes('|')) examined.set(pattern, starts)
  return starts
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') !== undefined
  } catch {
    return false
  }
}

/** The text that everything begins with which an alternative matches, and what may follow it. */
interface Start {
  readonly text: string
  readonly rest: 'nothing' | 'anything' | 'unknown'
}

/** Text up to a character that is special in a pattern, without one that may be missing, and what follows it. */
const start = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(.*)$/su

/** Names and patterns are compared in pairs, and each is read once. */
const starting = new Map<string, Start>()

function startOf(alternative: string): Start {
  const known = starting.get(alternative) ?? readStart(alternative)
  starting.set(alternative, known)
  return known
}

function readStart(alternative: string): Start {
  const [, text = '', rest = '|'] = (alternative.length > MAX_PATTERN ? null : start.exec(alternative)) ?? []
  if (rest.includes('|')) return { text: '', rest: 'unknown' }
  const isOpen = rest === '' || rest === '[\\s\\S]*$'
  return { text: text.replace(/\\(\W)/gu, '$1'), rest: rest === '$' ? 'nothing' : isOpen ? 'anything' : 'unknown' }
}

/** Returns `a` of `^a$`; undefined for a pattern that matches other names too. */
export function nameMatchedBy(alternative: string): string | undefined {
  const { text, rest } = startOf(alternative)
  return rest === 'nothing' ? text : undefined
}

/** The inverse: the pattern of one name. */
export function patternOfName(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`
}

/** True if a pattern, such as that of the template `id-${string}`, matches every text that another one does. `false` may be wrong. */
export function matchesAllOf(pattern: string, other: string): boolean {
  if (pattern === other) return true
  const own = startsIn(pattern)
  return startsIn(other).all.every(({ text, rest }) => {
    return (rest === 'nothing' && own.texts.has(text)) || hasBeginning(own, text)
  })
}

/** True if a pattern matches a text. `false` may be wrong. */
export function matchesText(pattern: string, text: string): boolean {
  const own = startsIn(pattern)
  return own.texts.has(text) || hasBeginning(own, text)
}

function hasBeginning({ beginnings, lengths }: Starts, text: string): boolean {
  return [...lengths].some((length) => beginnings.has(text.slice(0, length)))
}

/** True if no text matches both patterns, which have no alternatives. `false` may be wrong. */
export function areTextsApart(a: string, b: string): boolean {
  const [one, other] = [startOf(a), startOf(b)]
  const canBegin = (each: Start, text: string) => each.rest !== 'nothing' && text.startsWith(each.text)
  return one.text !== other.text && !canBegin(one, other.text) && !canBegin(other, one.text)
}
