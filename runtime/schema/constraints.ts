import { type Format, isFormat } from './format.js'

/** What the doc comments of a type demand beyond it, in the words of JSON Schema 2020-12. */
export interface Constraints {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  /** In characters, not in UTF-16 units. */
  readonly minLength?: number
  readonly maxLength?: number
  /** The source of a regular expression with the flag `u`; found anywhere in the string unless it is anchored. */
  readonly pattern?: string
  readonly format?: Format
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

type Value<Name extends keyof Constraints> = NonNullable<Constraints[Name]>

/** What each constraint means for a value that is of the type already. */
const checks: { readonly [Name in keyof Constraints]-?: (value: unknown, limit: Value<Name>) => boolean } = {
  minimum: (value, limit) => (value as number) >= limit,
  maximum: (value, limit) => (value as number) <= limit,
  exclusiveMinimum: (value, limit) => (value as number) > limit,
  exclusiveMaximum: (value, limit) => (value as number) < limit,
  multipleOf: (value, step) => isMultiple(value as number, step),
  minLength: (value, limit) => lengthOf(value) >= limit,
  maxLength: (value, limit) => lengthOf(value) <= limit,
  pattern: (value, source) => new RegExp(source, 'u').test(value as string),
  format: isFormat,
  minItems: (value, limit) => lengthOf(value) >= limit,
  maxItems: (value, limit) => lengthOf(value) <= limit,
  uniqueItems: (value, wanted) => !wanted || isUnique(value),
}

/** Whether a value of the right type meets its constraints. */
export function meets(value: unknown, constraints: Constraints): boolean {
  return Object.entries(constraints).every(([name, limit]) =>
    (checks[name as keyof Constraints] as (value: unknown, limit: unknown) => boolean)(value, limit),
  )
}

/**
 * Whether a number is a multiple of a step. Of a whole one exactly; else as near as doubles are, since neither 0.3 nor 0.1 is
 * the decimal that it is written as: the value, the step and their quotient are each rounded by at most half an epsilon.
 */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isInteger(step)) return value % step === 0
  const quotient = value / step
  const nearest = Math.round(quotient)
  return Math.abs(quotient - nearest) <= 2 * Number.EPSILON * Math.abs(nearest)
}

/** The characters of a string (JSON Schema counts them as RFC 8259 does), the elements of a list or a set. */
export function lengthOf(value: unknown): number {
  if (typeof value !== 'string') return value instanceof Set ? value.size : (value as readonly unknown[]).length
  let length = 0
  for (const _character of value) length += 1
  return length
}

/** Whether no two elements of a list are equal, members of objects in any order. */
export function isUnique(value: unknown): boolean {
  const keys = (value as readonly unknown[]).map(keyOf)
  return new Set(keys).size === keys.length
}

/** A text that equal values, and no others, have in common. */
function keyOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value)
  if (value instanceof Date || value instanceof URL) return `${value.constructor.name}(${value.toJSON()})`
  if (value instanceof ArrayBuffer) return keyOf(new Uint8Array(value))
  if (value instanceof Uint8Array) return `bytes(${value.join()})`
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`
  if (value instanceof Set) return `set(${Array.from(value, keyOf).join()})`
  const members = value instanceof Map ? [...value] : Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members
    .map(([name, each]) => `${JSON.stringify(name)}:${keyOf(each)}`)
    .sort()
    .join()}}`
}

const words: { readonly [Name in keyof Constraints]-?: (limit: Value<Name>) => string } = {
  minimum: (limit) => `>= ${limit}`,
  maximum: (limit) => `<= ${limit}`,
  exclusiveMinimum: (limit) => `> ${limit}`,
  exclusiveMaximum: (limit) => `< ${limit}`,
  multipleOf: (step) => `a multiple of ${step}`,
  minLength: (limit) => `of at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `of at most ${counted(limit, 'character')}`,
  pattern: (source) => `like ${source}`,
  format: (format) => `in the format ${format}`,
  minItems: (limit) => `of at least ${counted(limit, 'element')}`,
  maxItems: (limit) => `of at most ${counted(limit, 'element')}`,
  uniqueItems: () => 'without equal elements',
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Constraints in the words of an error: `>= 0 and <= 10`. */
export function describeConstraints(constraints: Constraints): string {
  const all = Object.entries(constraints).map(([name, limit]) =>
    (words[name as keyof Constraints] as (limit: unknown) => string)(limit),
  )
  return all.join(' and ')
}
