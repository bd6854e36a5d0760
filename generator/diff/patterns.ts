// What patterns match, as far as it shows without running them: a stranger may have written them.
//
//     '^a$|^id-[\\s\\S]*$'  →  the text `a`, and every text that begins with `id-`

/** A pattern, an alternative of one, or a name: the text that everything begins with which it matches, and what may follow it. */
export interface Alternative {
  readonly pattern: string
  readonly text: string
  readonly rest: 'nothing' | 'anything' | 'unknown'
}

/** Longer patterns are compared as text, so that it takes no time to read one. */
const MAX_PATTERN = 200

/** Text up to a character that is special in a pattern, without one that may be missing, and what follows it. */
const start = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(.*)$/su

/** Returns what shows of a pattern as a whole. */
export function readPattern(pattern: string): Alternative {
  const [, text = '', rest = '|'] = (pattern.length <= MAX_PATTERN && start.exec(pattern)) || []
  if (rest.includes('|')) return { pattern, text: '', rest: 'unknown' }
  // Half a surrogate pair does not match the beginning of a whole one.
  const isHalf = /[\ud800-\udbff]$/u.test(text)
  const isOpen = !isHalf && (rest === '' || rest === '[\\s\\S]*$')
  const what = rest === '$' ? 'nothing' : isOpen ? 'anything' : 'unknown'
  return { pattern, text: text.replace(/\\(\W)/gu, '$1'), rest: what }
}

/** Returns `^a$` and `^b` of `^a$|^b$`, each once. If there are others, such as groups, the pattern is not divided: a bar may be inside of one. */
export function alternativesOf(pattern: string): readonly Alternative[] {
  const parts = Array.from(new Set(pattern.split('|')), readPattern)
  return parts.some(({ rest }) => rest === 'unknown') ? [readPattern(pattern)] : parts
}

const excluding = /^\^\(\?!\(\?:((?:[^\\^$.*+?()[\]{}/]|\\[\\^$.*+?()[\]{}|/])*)\)\$\)\(\?:(.*)\)$/su

/** A pattern of names: the names and the beginnings of names that it certainly matches, and the names that it does not apply to. */
export interface Keys {
  readonly pattern: string
  readonly excluded: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly starts: ReadonlySet<string>
}

/** Returns `^x-` without `x-a` and `x-b` for `^(?!(?:x-a|x-b)$)(?:^x-)`: so documents of rpc-gen exclude declared members from a pattern. */
export function keysOf(whole: string): Keys {
  const [, excluded, pattern = whole] = excluding.exec(whole) ?? []
  const texts = excluded?.replace(/\\(.)|\|/gsu, (_, special) => special ?? '\0').split('\0') ?? []
  const all = alternativesOf(pattern)
  const textsOf = (rest: Alternative['rest']) => new Set(all.flatMap((each) => (each.rest === rest ? [each.text] : [])))
  return { pattern, excluded: new Set(texts), names: textsOf('nothing'), starts: textsOf('anything') }
}

/** True if one of the patterns certainly matches the beginning of one of the names, and does not exclude it. Names and patterns do not multiply. */
export function areMatched(patterns: readonly Keys[], names: Iterable<string>): boolean {
  const byStart = new Map<string, Keys[]>()
  for (const keys of patterns) for (const text of keys.starts) byStart.set(text, (byStart.get(text) ?? []).concat(keys))
  for (const name of byStart.size > 0 ? names : [])
    for (let length = Math.min(name.length, MAX_PATTERN); length >= 0; length -= 1)
      if (byStart.get(name.slice(0, length))?.some(({ excluded }) => !excluded.has(name))) return true
  return false
}

/** Returns the pattern of one name. */
export function alternativeOfName(name: string): Alternative {
  return { pattern: `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`, text: name, rest: 'nothing' }
}

/** True if a pattern certainly matches a text. */
export function matches({ text, rest }: Alternative, whole: string): boolean {
  return rest === 'nothing' ? whole === text : rest === 'anything' && whole.startsWith(text)
}

/** True if one pattern, such as that of `id-${string}`, matches every text that another one does. `false` may be wrong. */
export function covers(one: Alternative, other: Alternative): boolean {
  if (one.pattern === other.pattern) return true
  return matches(one, other.text) && (one.rest === 'anything' || other.rest === 'nothing')
}

/** True if no text matches both alternatives. `false` may be wrong. */
export function areApart(one: Alternative, other: Alternative): boolean {
  const canBegin = (each: Alternative, text: string) => each.rest !== 'nothing' && text.startsWith(each.text)
  return one.text !== other.text && !canBegin(one, other.text) && !canBegin(other, one.text)
}
