// What a type demands of its values beside their kind. One type is within another if it implies each limit of the other:
//
//     [['minimum', 1], ['maximum', 9]]  is within  [['exclusiveMinimum', 0]]
import { type Constraints, meets } from '../../runtime/values/constraints.js'

/** A list, since a type can have several patterns or formats: its own, and that of its kind. */
export type Limits = readonly Limit[]
export type Limit = readonly [name: keyof Constraints, limit: string | number | boolean]

export function limitsOf(constraints: Readonly<Record<string, unknown>> = {}): Limits {
  return Object.entries(constraints).filter(([, limit]) => limit !== undefined) as unknown as Limits
}

/** True if every value within `sub` is within `sup`. `false` may be wrong: patterns and formats are compared as text. */
export function isWithin(sub: Limits, sup: Limits): boolean {
  return sup.every(([name, limit]) => (isImplied[name] as Rule)(limit, sub))
}

/** True if a constant is within limits. `false` may be wrong: formats are not tested, and no pattern is run. */
export function hasWithin(value: string | number | boolean, limits: Limits): boolean {
  return limits.every(([name, limit]) => {
    if (name === 'format') return false
    if (name === 'pattern') return typeof value === 'string' && matchesAllOf(String(limit), patternOfName(value))
    return (typeof value === 'string') === name.endsWith('Length') && meets(value, { [name]: limit })
  })
}

type Rule = (limit: unknown, sub: Limits) => boolean

/** True if other limits imply one. */
const isImplied: {
  readonly [Name in keyof Constraints]-?: (limit: NonNullable<Constraints[Name]>, sub: Limits) => boolean
} = {
  minimum: (limit, sub) => lowest(sub) >= limit,
  maximum: (limit, sub) => highest(sub) <= limit,
  exclusiveMinimum: (limit, sub) => greatest(sub, 'exclusiveMinimum') >= limit || lowestIncluded(sub) > limit,
  exclusiveMaximum: (limit, sub) => least(sub, 'exclusiveMaximum') <= limit || highestIncluded(sub) < limit,
  // Fractions are rounded, so that they are a multiple of themselves only.
  multipleOf: (limit, sub) =>
    valuesOf(sub, 'multipleOf').some(
      (step) => step === limit || (Number.isSafeInteger(step) && Number.isSafeInteger(limit) && step % limit === 0),
    ),
  minLength: (limit, sub) => limit <= 0 || greatest(sub, 'minLength') >= limit,
  maxLength: (limit, sub) => least(sub, 'maxLength') <= limit,
  pattern: (limit, sub) => valuesOf(sub, 'pattern').some((each) => matchesAllOf(limit, each)),
  format: (limit, sub) => valuesOf(sub, 'format').includes(limit),
  minItems: (limit, sub) => limit <= 0 || greatest(sub, 'minItems') >= limit,
  maxItems: (limit, sub) => mostItems(sub) <= limit,
  uniqueItems: (limit, sub) => !limit || mostItems(sub) <= 1 || valuesOf(sub, 'uniqueItems').includes(true),
}

function valuesOf<Name extends keyof Constraints>(limits: Limits, name: Name): NonNullable<Constraints[Name]>[] {
  return limits.flatMap(([each, limit]) => (each === name ? [limit as NonNullable<Constraints[Name]>] : []))
}

function greatest(limits: Limits, name: 'minimum' | 'exclusiveMinimum' | 'minLength' | 'minItems'): number {
  return Math.max(...valuesOf(limits, name))
}

function least(limits: Limits, name: 'maximum' | 'exclusiveMaximum' | 'maxLength' | 'maxItems'): number {
  return Math.min(...valuesOf(limits, name))
}

export function leastItems(limits: Limits): number {
  return Math.max(0, greatest(limits, 'minItems'))
}

export function mostItems(limits: Limits): number {
  return least(limits, 'maxItems')
}

/** The least number that limits include; for integers `> 0` is `>= 1`. */
function lowestIncluded(limits: Limits): number {
  const from = greatest(limits, 'minimum')
  return isInteger(limits) ? Math.max(Math.ceil(from), Math.floor(greatest(limits, 'exclusiveMinimum')) + 1) : from
}

function highestIncluded(limits: Limits): number {
  const to = least(limits, 'maximum')
  return isInteger(limits) ? Math.min(Math.floor(to), Math.ceil(least(limits, 'exclusiveMaximum')) - 1) : to
}

function lowest(limits: Limits): number {
  return Math.max(lowestIncluded(limits), greatest(limits, 'exclusiveMinimum'))
}

function highest(limits: Limits): number {
  return Math.min(highestIncluded(limits), least(limits, 'exclusiveMaximum'))
}

function isInteger(limits: Limits): boolean {
  return valuesOf(limits, 'multipleOf').some(Number.isInteger)
}

// Patterns are compared without running them, since a stranger may have written them.

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

/** Text up to a character that is special in a pattern, without one that may be missing, and what follows it. */
const start = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(.*)$/su

/** The text that everything begins with which an alternative matches, and what may follow it. */
interface Start {
  readonly text: string
  readonly rest: 'nothing' | 'anything' | 'unknown'
}

function startOf(alternative: string): Start {
  const [, text = '', rest = '|'] = (alternative.length > MAX_PATTERN ? null : start.exec(alternative)) ?? []
  if (rest.includes('|')) return { text: '', rest: 'unknown' }
  const isOpen = rest === '' || rest === '[\\s\\S]*$'
  return { text: text.replace(/\\(\W)/gu, '$1'), rest: rest === '$' ? 'nothing' : isOpen ? 'anything' : 'unknown' }
}

/** Returns `a` of `^a$`; undefined for a pattern that matches other names too. */
export function nameOf(alternative: string): string | undefined {
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
  const starts = alternativesOf(pattern).map(startOf)
  return alternativesOf(other).every((each) => {
    const { text, rest } = startOf(each)
    return starts.some((own) =>
      own.rest === 'anything'
        ? text.startsWith(own.text)
        : own.rest === 'nothing' && rest === 'nothing' && own.text === text,
    )
  })
}

/** True if no text matches both patterns, which have no alternatives. `false` may be wrong. */
export function areTextsApart(a: string, b: string): boolean {
  const [own, other] = [startOf(a), startOf(b)]
  if (own.text === other.text) return false
  return (
    !(own.rest !== 'nothing' && other.text.startsWith(own.text)) &&
    !(other.rest !== 'nothing' && own.text.startsWith(other.text))
  )
}
