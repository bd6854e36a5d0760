import { patternOf } from './pattern.js'

/** The text is at most this long, whatever a pattern repeats. */
const MAX_LENGTH = 200

/**
 * Returns a short text of at least `minLength` characters that matches a pattern: `^[A-Z]{2}-\d+$` → `AA-0`. Undefined if the pattern has
 * parts that are not built here, such as lookaheads and references: the text is tested against the pattern itself.
 */
export function textMatching(pattern: string, minLength = 0): string | undefined {
  const expression = patternOf(pattern)
  const texts = [0, minLength].map((times) => new Builder(pattern, Math.min(times, MAX_LENGTH)).alternatives())
  return texts.find((text) => text.length >= minLength && expression?.test(text))
}

/** Reads a pattern from left to right, and builds a text that matches the first alternatives. */
class Builder {
  #at = 0
  readonly #pattern: string
  /** How often a part is repeated, if its quantifier allows that. */
  readonly #times: number

  constructor(pattern: string, times: number) {
    this.#pattern = pattern
    this.#times = times
  }

  /** The first alternative; the others are read and dropped. */
  alternatives(): string {
    const [first = ''] = this.#split()
    return first
  }

  #split(): string[] {
    const texts = ['']
    while (this.#at < this.#pattern.length && this.#peek() !== ')') {
      if (this.#skip('|')) texts.push('')
      else texts[texts.length - 1] += this.#part()
    }
    return texts
  }

  #part(): string {
    const part = this.#atom()
    const [quantifier = '', least, comma, most = ''] = this.#match(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? []
    if (quantifier === '') return part
    const low = Number(least ?? (quantifier.startsWith('+') ? 1 : 0))
    const isOpen = comma === ',' || /^[*+]/.test(quantifier)
    const high = isOpen ? Number(most || MAX_LENGTH) : low
    return part.repeat(Math.min(Math.max(low, this.#times), high, MAX_LENGTH)).slice(0, MAX_LENGTH)
  }

  #atom(): string {
    if (this.#match(/\(\?(?:<?[=!])/y)) return this.#closed('')
    if (this.#match(/\((?:\?(?::|<[^>]*>))?/y)) return this.#closed(undefined)
    const [set] = this.#match(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\./suy) ?? []
    if (set !== undefined) return characterIn(set)
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    if (character === '^' || character === '$') return ''
    return character === '.' ? 'a' : character
  }

  /** The text of a group, or another one in its place. */
  #closed(other: string | undefined): string {
    const text = this.alternatives()
    this.#skip(')')
    return other ?? text
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at]
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at += 1
    return true
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#pattern) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }
}

/** The characters that a set is tested with: letters and digits first. */
const candidates = ['a', 'A', '0', '1', ...' -_.@/:+#,;=&%!?*()<>[]{}|~^$\'"`\\', 'é', '中', '\n', '\t']

/** Returns a character that a set, a class or an escape matches. Empty if there is none among the usual ones, as for `\b`. */
function characterIn(set: string): string {
  const expression = patternOf(`^(?:${set})$`)
  const first = /^\[(?!\^)(\\?.)/su.exec(set)?.[1] ?? set
  const own = first.replace(/^\\(?=[^\w])/, '')
  return [...candidates, own].find((each) => expression?.test(each)) ?? ''
}
