// What patterns match, as far as it shows without running them: a stranger may have written them.
//
//     '^a$|^id-[\\s\\S]*$'  →  the text `a`, and every text that begins with `id-`

/** A pattern, an alternative of one, or a name: the text that everything begins with which it matches, and what may follow it. */
export interface Alternative {
  readonly pattern: string
  readonly text: string
  readonly rest: 'nothing' | 'anything' | 'unknown'
}

/** Text up to a character that is special in a pattern, without one that may be missing, and what follows it. */
const start = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(.*)$/su

/** Returns what shows of a pattern as a whole. */
export function readPattern(pattern: string): Alternative {
  const [, text = '', rest = '|'] = start.exec(pattern) ?? []
  if (rest.includes('|')) return { pattern, text: '', rest: 'unknown' }
  // Half a surrogate pair does not match the beginning of a whole one.
  const isHalf = /[\ud800-\udbff]$/u.test(text)
  const isOpen = !isHalf && (rest === '' || rest === '[\\s\\S]*$')
  const what = rest === '$' ? 'nothing' : isOpen ? 'anything' : 'unknown'
  return { pattern, text: text.replace(/\\(\W)/gu, '$1'), rest: what }
}

/** Returns `^a$` and `^b` of `^a$|^b`, each once. If there are others, such as groups, the pattern is not divided: a bar may be inside of one. */
export function alternativesOf(pattern: string): readonly Alternative[] {
  const parts = Array.from(new Set(pattern.split('|')), readPattern)
  return parts.some(({ rest }) => rest === 'unknown') ? [readPattern(pattern)] : parts
}

const excluding = /^\^\(\?!\(\?:((?:[^\\^$.*+?()[\]{}/]|\\[\\^$.*+?()[\]{}|/])*)\)\$\)\(\?:(.*)\)$/su

/** A pattern of names, and the names that it does not apply to. */
export interface Keys {
  readonly pattern: string
  readonly excluded: ReadonlySet<string>
}

/**
 * Returns `^x-` without `x-a` and `x-b` for `^(?!(?:x-a|x-b)$)(?:^x-)`. Documents of rpc-gen exclude declared members from a pattern; they are
 * compared by name anyway. Other patterns apply to every name.
 */
export function keysOf(pattern: string, isDeclared: (name: string) => boolean): Keys {
  const [, names, keys] = excluding.exec(pattern) ?? []
  const all = names?.replace(/\\(.)|\|/gsu, (_, special) => special ?? '\0').split('\0') ?? []
  if (keys === undefined || names?.includes('\0') || !all.every(isDeclared)) return { pattern, excluded: new Set() }
  return { pattern: keys, excluded: new Set(all) }
}

/** Returns the pattern of one name. */
export function alternativeOfName(name: string): Alternative {
  return { pattern: `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`, text: name, rest: 'nothing' }
}

/** True if one pattern, such as that of `id-${string}`, matches every text that another one does. `false` may be wrong. */
export function covers(one: Alternative, other: Alternative): boolean {
  if (one.pattern === other.pattern) return true
  if (one.rest === 'nothing') return other.rest === 'nothing' && one.text === other.text
  return one.rest === 'anything' && other.text.startsWith(one.text)
}

/** True if no text matches both alternatives. `false` may be wrong. */
export function areApart(one: Alternative, other: Alternative): boolean {
  const canBegin = (each: Alternative, text: string) => each.rest !== 'nothing' && text.startsWith(each.text)
  return one.text !== other.text && !canBegin(one, other.text) && !canBegin(other, one.text)
}
