// What patterns match, as far as it shows without running them: a stranger may have written them.
//
//     '^a$|^id-[\\s\\S]*$'  →  the text `a`, and every text that begins with `id-`

/** Longer patterns are compared as text. */
const MAX_PATTERN = 2000

/** Returns `^a$` and `^b` of `^a$|^b`. A bar inside of a group or a class does not divide: the parts are invalid. */
export function alternativesOf(pattern: string): readonly string[] {
  const parts = pattern.length > MAX_PATTERN ? [] : pattern.split('|')
  return parts.length > 1 && parts.every(isValid) ? parts : [pattern]
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

function startOf(alternative: string): Start {
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
  const own = alternativesOf(pattern).map(startOf)
  return alternativesOf(other).every((each) => {
    const { text, rest } = startOf(each)
    const isSame = (one: Start) => one.rest === 'nothing' && rest === 'nothing' && one.text === text
    return own.some((one) => (one.rest === 'anything' ? text.startsWith(one.text) : isSame(one)))
  })
}

/** True if no text matches both patterns, which have no alternatives. `false` may be wrong. */
export function areTextsApart(a: string, b: string): boolean {
  const [one, other] = [startOf(a), startOf(b)]
  const canBegin = (each: Start, text: string) => each.rest !== 'nothing' && text.startsWith(each.text)
  return one.text !== other.text && !canBegin(one, other.text) && !canBegin(other, one.text)
}
