import { isValidPattern } from '../model/match-pattern.js'

/** The patterns of one object that names are compared with: names and patterns multiply. */
export const MAX_PATTERNS = 16

/** Returns the parts of `^a$|^b$`. A bar inside of a group or a class does not divide. */
export function alternativesOf(pattern: string): readonly string[] {
  if (!isValidPattern(pattern)) return [pattern]
  const parts: string[] = ['']
  let depth = 0
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === '|' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${token}`)
  }
  return parts
}

/** Matches text up to a special character, without a character that may be missing. */
const literalStart = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(\$?)/u

/** Returns the text that everything begins with that an alternative matches. `isWhole`: it matches only that text. */
export function startOf(alternative: string): { readonly text: string; readonly isWhole: boolean } {
  const [all, text = '', end] = literalStart.exec(alternative) ?? []
  return { text: text.replace(/\\(\W)/gu, '$1'), isWhole: all === alternative && end === '$' }
}

/** Divides the pattern of keys: names that it matches as a whole, and the patterns of other names. */
export function keysMatching(pattern: string): { readonly names: readonly string[]; readonly rest: readonly string[] } {
  const parts = alternativesOf(pattern)
  const whole = parts.map(startOf).filter(({ isWhole }) => isWhole)
  return { names: whole.map(({ text }) => text), rest: parts.filter((each) => !startOf(each).isWhole) }
}

/** True if one pattern, that of a template such as `id-${string}`, matches everything that another one does. */
export function matchesAllOf(pattern: string, other: string): boolean {
  if (pattern === other) return true
  const [start] = literalStart.exec(pattern) ?? []
  if (start === undefined || pattern !== `${start}[\\s\\S]*$`) return false
  return alternativesOf(other).every((each) => startOf(each).text.startsWith(startOf(pattern).text))
}

/** True if no text matches both patterns, as they begin differently. `false` may be wrong. */
export function areTextsApart(a: string, b: string): boolean {
  const [one, other] = [startOf(a).text, startOf(b).text]
  return !one.startsWith(other) && !other.startsWith(one)
}
