import { describeConstraints } from '../schema/constraints.js'
import { cut } from './bounds.js'
import { isDate, isInt } from './predicates.js'
import type { LazyType, TupleType, WireType } from './wire-type.js'

/** A type in the words of an error: `int >= 0`, `array of string`, `"red" | "green"`, `Order`. */
export function describeType(type: WireType): string {
  const { constraints } = type
  return constraints ? `${describeKind(type)} ${describeConstraints(constraints)}` : describeKind(type)
}

function describeKind(type: WireType): string {
  switch (type.kind) {
    case 'ref':
      return type.name
    case 'literal':
      return JSON.stringify(type.value)
    case 'template':
      return type.text
    case 'bytes':
      return 'base64'
    case 'bigint':
      return type.value ?? 'integer'
    case 'url':
      return 'URL'
    case 'undefined':
    case 'void':
      return 'null'
    case 'array':
    case 'set':
      return `array of ${grouped(type.element)}`
    case 'map':
      return `object of ${grouped(type.value)}`
    case 'tuple':
      return describeTuple(type)
    case 'struct':
      return type.name ?? (type.members.length === 0 && type.rest ? `object of ${grouped(type.rest)}` : 'object')
    case 'union':
      return [...new Set(type.branches.map(describeType))].join(' | ')
    default:
      return type.kind
  }
}

/** `[int, string?, ...boolean]` */
function describeTuple({ elements, required, rest }: TupleType<LazyType>): string {
  const parts = elements.map((element, i) => (i < required ? describeType(element) : `${grouped(element)}?`))
  return `[${[...parts, ...(rest ? [`...${grouped(rest)}`] : [])].join(', ')}]`
}

function grouped(type: WireType): string {
  return type.kind === 'union' ? `(${describeType(type)})` : describeType(type)
}

/** What an error says of a rejected value: its type and size, or the value itself, cut to 40 characters. */
export type ErrorDetails = 'types' | 'values'

/** Shows a value where that is wanted; a variable, so that a client's bundle leaves out what only servers call. */
let show: ((value: unknown) => string | undefined) | undefined

/**
 * Runs `explain`, in which `describeValue` shows values themselves if `details` is `'values'`. Explaining is synchronous, so
 * that a switch does, and none of its functions has to hand the setting on.
 */
export function explainWith<T>(details: ErrorDetails, explain: () => T): T {
  const before = show
  show = details === 'values' ? showValue : undefined
  try {
    return explain()
  } finally {
    show = before
  }
}

/**
 * Returns a value in the words of an error: its type and size, `string of length 3`, `array of 2`, `nothing`. An error may
 * reach logs and other callers, so it names no value: only inside of `explainWith('values', …)` this is `string "abc"`.
 */
export function describeValue(value: unknown): string {
  const shown = show?.(value)
  if (shown !== undefined) return shown
  switch (typeof value) {
    case 'undefined':
      return 'nothing'
    case 'string':
      return `string of length ${value.length}`
    case 'number':
      return describeNumber(value)
    case 'bigint':
      return describeBigint(value)
    case 'object':
      return value === null ? 'null' : describeObject(value)
    default:
      return typeof value
  }
}

/** What an error calls a value that is not there. */
export const nothing = describeValue(undefined)

function describeNumber(value: number): string {
  // NaN and the infinities are no secret, and nothing else says what is wrong with them.
  if (!Number.isFinite(value)) return `${value}`
  if (!Number.isInteger(value)) return 'non-integer number'
  return isInt(value) ? 'integer' : 'integer outside of int32'
}

function describeBigint(value: bigint): string {
  const { length } = `${value < 0n ? -value : value}`
  return `integer of ${length} digit${length === 1 ? '' : 's'}`
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `array of ${value.length}`
  if (value instanceof Date) return describeDate(value)
  if (value instanceof URL) return 'URL'
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return 'base64'
  if (value instanceof Map) return 'map'
  // `[object RegExp]`: what a class of the language or the host calls itself.
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return name === 'Object' ? 'object' : name === 'Set' ? 'set' : name
}

function describeDate(value: Date): string {
  if (Number.isNaN(value.getTime())) return 'invalid date'
  return isDate(value) ? 'date' : 'date outside of the years 0001 to 9999'
}

const longest = 40

/** A value itself, if it is a scalar. */
function showValue(value: unknown): string | undefined {
  if (typeof value === 'string') return `string ${JSON.stringify(cut(value, longest))}`
  if (typeof value === 'bigint') return `integer ${cut(`${value}`, longest)}`
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`
  if (value instanceof URL) return `URL ${cut(value.href, longest)}`
  return value instanceof Date && !Number.isNaN(value.getTime()) ? `date ${value.toISOString()}` : undefined
}
