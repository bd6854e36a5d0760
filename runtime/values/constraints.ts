// Constraints, such as `{ minimum: 0, maximum: 10 }`: their tests, and their words in errors (`from 0 to 10`). Generator and runtime share
// them.
import { type FormatName, isFormat } from './format.js'
import type { IssueRule } from './issue.js'

/** The constraints from the doc comments of a type, named as in JSON Schema 2020-12. */
export interface Constraints {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  /** In characters, not in UTF-16 code units. */
  readonly minLength?: number
  readonly maxLength?: number
  /** The source of a regular expression with the flag `u`, not anchored. */
  readonly pattern?: string
  readonly format?: FormatName
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** What each constraint limits, and the type of the limit. */
export const constraintForms: {
  readonly [Name in keyof Constraints]-?: readonly [form: 'number' | 'text' | 'list', limit: string]
} = {
  minimum: ['number', 'number'],
  maximum: ['number', 'number'],
  exclusiveMinimum: ['number', 'number'],
  exclusiveMaximum: ['number', 'number'],
  multipleOf: ['number', 'number'],
  minLength: ['text', 'number'],
  maxLength: ['text', 'number'],
  pattern: ['text', 'string'],
  format: ['text', 'string'],
  minItems: ['list', 'number'],
  maxItems: ['list', 'number'],
  uniqueItems: ['list', 'boolean'],
}

type Limit<Name extends keyof Constraints> = NonNullable<Constraints[Name]>

/**
 * The test of each constraint, for a value of the right type. They run in this order: limits of the size come before tests that
 * read the whole value, so that `@maxLength` protects a slow `@pattern`.
 */
const checks: {
  readonly [Name in keyof Constraints]-?: (value: unknown, limit: Limit<Name>, keys: ValueKeys | undefined) => boolean
} = {
  minimum: (value, limit) => (value as number) >= limit,
  maximum: (value, limit) => (value as number) <= limit,
  exclusiveMinimum: (value, limit) => (value as number) > limit,
  exclusiveMaximum: (value, limit) => (value as number) < limit,
  multipleOf: (value, step) => isMultiple(value as number | bigint, step),
  maxLength: isAtMost,
  minLength: isAtLeast,
  maxItems: isAtMost,
  minItems: isAtLeast,
  format: isFormat,
  pattern: (value, source) => new RegExp(source, 'u').test(value as string),
  uniqueItems: (value, wanted, keys) => !wanted || isUnique(value, keys),
}

type Constraint = [name: keyof Constraints, limit: unknown]

/** Returns constraints in the order in which they are tested. */
function inTestOrder(
  constraints: { readonly [Name in keyof Constraints]?: Constraints[Name] | undefined },
): Constraint[] {
  const names = Object.keys(checks) as (keyof Constraints)[]
  return names.filter((name) => constraints[name] !== undefined).map((name) => [name, constraints[name]])
}

const lowerBounds: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems'])
const upperBounds: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'])

/** Merges the constraints of a type and those of its use. Of two bounds the stricter one applies. */
export function mergeConstraints(own: Constraints = {}, further: Constraints): Constraints {
  const merged = Object.entries(further).map(([name, limit]) => {
    const other = own[name as keyof Constraints]
    if (typeof other !== 'number') return [name, limit]
    if (lowerBounds.has(name)) return [name, Math.max(other, limit as number)]
    return [name, upperBounds.has(name) ? Math.min(other, limit as number) : limit]
  })
  return { ...own, ...Object.fromEntries(merged) }
}

/** True if a value of the right type meets constraints. `keys` are those of the values in which it is, if these are tested too. */
export type Test = (value: unknown, keys?: ValueKeys) => boolean

/** Returns the test of constraints. They are prepared with its first call. */
export function testOf(constraints: Constraints): Test {
  let tests: readonly Test[] | undefined
  return (value, keys) => {
    tests ??= inTestOrder(constraints).map(([name, limit]) => {
      if (name !== 'pattern') return (each, keys) => (checks[name] as Check)(each, limit, keys)
      const pattern = new RegExp(limit as string, 'u')
      return (each) => pattern.test(each as string)
    })
    for (const test of tests) if (!test(value, keys)) return false
    return true
  }
}

type Check = (value: unknown, limit: unknown, keys: ValueKeys | undefined) => boolean

/** True if a value of the right type meets constraints. */
export function meets(value: unknown, constraints: Constraints): boolean {
  return testOf(constraints)(value)
}

/**
 * True if a number is a multiple of a step: exactly for an integer step, else within the precision of doubles, since 0.3 and 0.1
 * are both rounded. The value, the step and their quotient are each rounded by at most half an epsilon.
 */
function isMultiple(value: number | bigint, step: number): boolean {
  if (typeof value === 'bigint')
    return Number.isInteger(step) ? value % BigInt(step) === 0n : isMultiple(Number(value), step)
  if (Number.isInteger(step)) return value % step === 0
  const quotient = value / step
  const nearest = Math.round(quotient)
  return Math.abs(quotient - nearest) <= 2 * Number.EPSILON * Math.abs(nearest)
}

/** True if a string or a URL has at most `limit` characters, or a list or a set at most `limit` elements. */
export function isAtMost(value: unknown, limit: number): boolean {
  const size = sizeOf(value)
  return size <= limit || (typeof value === 'string' && size <= 2 * limit && countCharacters(value) <= limit)
}

/** True if a string or a URL has at least `limit` characters, or a list or a set at least `limit` elements. */
export function isAtLeast(value: unknown, limit: number): boolean {
  const size = sizeOf(value)
  if (typeof value !== 'string' || size < limit) return size >= limit
  return size >= 2 * limit || countCharacters(value) >= limit
}

/**
 * Returns the UTF-16 length of a string or of the text of a URL, which is ASCII. A character has one or two units, so that only strings
 * near a limit are counted.
 */
function sizeOf(value: unknown): number {
  if (value instanceof URL) return value.href.length
  return value instanceof Set ? value.size : (value as string | readonly unknown[]).length
}

/** Counts characters as JSON Schema does: Unicode code points (RFC 8259). */
function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count += 1
  return count
}

/** True if no two elements of a list are equal; the order of members is ignored. Stops at the first equal pair. */
export function isUnique(value: unknown, keys: ValueKeys = new ValueKeys()): boolean {
  const count = sizeOf(value)
  if (count < 2) return true
  const scalars = new Set<unknown>()
  const texts = new Set<string>()
  for (const each of value as readonly unknown[]) {
    const text = textKeyOf(each, count > FEW_NUMBERS, keys)
    const known: Set<unknown> = text === undefined ? scalars : texts
    const key = text ?? each
    const { size } = known
    if (known.add(key).size === size) return false
  }
  return true
}

/** Of more numbers the texts are compared, which have a secret hash: the numbers may have been chosen to have one hash (`hash-loads.ts`). */
const FEW_NUMBERS = 256

/** Returns the key of an object, or of one of many numbers; undefined for a value that is its own key. */
function textKeyOf(value: unknown, isMany: boolean, keys: ValueKeys): string | undefined {
  if (typeof value === 'object' && value !== null) return keys.keyOf(value)
  if (!isMany) return undefined
  return typeof value === 'bigint' ? `${value}n` : typeof value === 'number' ? `${value}` : undefined
}

/** Texts up to this length are their own keys: to remember a number for each of them takes longer than to make them again. */
const MAX_OWN_KEY = 64

/** How many steps it is to make the key of an object, besides those of its inner values. */
const KEY = 12

/** What limits the work for a request. */
interface Steps {
  take(count: number): void
}

/**
 * Keys of objects: the same one for equal objects. The key of an object is made from those of its inner values, and once: lists without
 * equal elements may contain each other, and a text of the whole at each level would be depth times size.
 */
export class ValueKeys {
  readonly #byObject = new Map<object, string>()
  readonly #byText = new Map<string, string>()
  readonly #steps: Steps | undefined

  /** @param steps limits how many objects get a key */
  constructor(steps?: Steps) {
    this.#steps = steps
  }

  keyOf(value: object): string {
    const key = this.#partText(value)
    this.#byObject.set(value, key)
    return key
  }

  #textOf(value: object): string {
    if (value instanceof Date || value instanceof URL) return `${value.constructor.name}(${value.toJSON()})`
    if (value instanceof ArrayBuffer) return this.#textOf(new Uint8Array(value))
    if (value instanceof Uint8Array) return `bytes(${value.join()})`
    if (value instanceof Set) return `set(${this.#listText(value)})`
    if (Array.isArray(value)) return `[${this.#listText(value)}]`
    const members = value instanceof Map ? value : new Map(Object.entries(value))
    const names = [...members.keys()].sort().filter((name) => members.get(name) !== undefined)
    return `{${names.map((name) => `${JSON.stringify(name)}:${this.#partText(members.get(name))}`).join()}}`
  }

  #listText(items: Iterable<unknown>): string {
    let text = ''
    for (const each of items) text += `${this.#partText(each)},`
    return text
  }

  #partText(value: unknown): string {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
    const known = this.#byObject.get(value)
    if (known !== undefined) return known
    this.#steps?.take(KEY)
    const text = this.#textOf(value)
    if (text.length <= MAX_OWN_KEY) return text
    const key = this.#byText.get(text) ?? `#${this.#byText.size}`
    this.#byText.set(text, key)
    this.#byObject.set(value, key)
    return key
  }
}

/** The words of errors: for the type, and for a value that fails the test; the word for the value precedes both. */
interface Words<Limit> {
  readonly expected: (limit: Limit) => string
  readonly received: (limit: Limit, value: unknown) => string
}

const sizeWords = (bound: string, noun: string): Words<number> => ({
  expected: (limit) => `of at ${bound} ${pluralize(limit, noun)}`,
  received: (_limit, value) => `of length ${typeof value === 'string' ? countCharacters(value) : sizeOf(value)}`,
})

const words: { readonly [Name in keyof Constraints]-?: Words<Limit<Name>> } = {
  minimum: { expected: (limit) => `>= ${limit}`, received: (limit) => `below ${limit}` },
  maximum: { expected: (limit) => `<= ${limit}`, received: (limit) => `above ${limit}` },
  exclusiveMinimum: { expected: (limit) => `> ${limit}`, received: (limit) => `not above ${limit}` },
  exclusiveMaximum: { expected: (limit) => `< ${limit}`, received: (limit) => `not below ${limit}` },
  multipleOf: {
    expected: (step) => `a multiple of ${step}`,
    received: (step) => `that is not a multiple of ${step}`,
  },
  minLength: /* @__PURE__ */ sizeWords('least', 'character'),
  maxLength: /* @__PURE__ */ sizeWords('most', 'character'),
  pattern: { expected: (source) => `like ${source}`, received: () => 'that does not match the pattern' },
  format: {
    expected: (format) => `in the format ${format}`,
    received: (format) => `that is not in the format ${format}`,
  },
  minItems: /* @__PURE__ */ sizeWords('least', 'element'),
  maxItems: /* @__PURE__ */ sizeWords('most', 'element'),
  uniqueItems: { expected: () => 'without equal elements', received: () => 'with equal elements' },
}

/** Two bounds in one phrase. */
const ranges = [
  ['minimum', 'maximum', (from: number, to: number) => (from === to ? `= ${to}` : `from ${from} to ${to}`)],
  ['minLength', 'maxLength', (from: number, to: number) => sizeRange(from, to, 'character')],
  ['minItems', 'maxItems', (from: number, to: number) => sizeRange(from, to, 'element')],
] as const

function sizeRange(from: number, to: number, noun: string): string {
  return `of ${from === to ? '' : `${from} to `}${pluralize(to, noun)}`
}

/** Returns a number with its noun: `1 element`, `2 elements`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns constraints in the words of an error: `from 0 to 10 and a multiple of 2`. */
export function describeConstraints(constraints: Constraints): string {
  const texts = new Map(
    Object.entries(constraints).map(([name, limit]) => [name, wordsOf(name as keyof Constraints).expected(limit)]),
  )
  for (const [low, high, describeRange] of ranges) {
    const { [low]: from, [high]: to } = constraints
    if (from === undefined || to === undefined) continue
    texts.set(low, describeRange(from, to))
    texts.delete(high)
  }
  return [...texts.values()].join(' and ')
}

/** A constraint that a value does not meet, and the words of an error for the value: `above 10`. */
type FailedConstraint = IssueRule<keyof Constraints> & { readonly received: string }

/**
 * Returns the first constraint, in test order, that a value does not meet. The value is of the right type and does not meet all
 * constraints, so that the last one, often a slow pattern, is not tested again.
 */
export function findFailure(value: unknown, constraints: Constraints, keys?: ValueKeys): FailedConstraint {
  const inOrder = inTestOrder(constraints)
  const isMet = ([name, limit]: Constraint) => (checks[name] as Check)(value, limit, keys)
  const last = inOrder.pop() as Constraint
  const [code, limit] = inOrder.find((each) => !isMet(each)) ?? last
  return { code, limit, received: wordsOf(code).received(limit, value) } as FailedConstraint
}

function wordsOf(name: keyof Constraints): Words<unknown> {
  return words[name] as Words<unknown>
}
