// Types, values and paths in the words of an error: `lines[0].quantity: expected int >= 1, received string of length 1`. Errors repeat text of the
// sender: these limits keep every error below a few kilobytes. Lengths are in UTF-16 code units.
import { type Constraints, describeConstraints, pluralize } from './constraints.js'
import type { IssueDetails, IssueType, PathSegment } from './issue.js'
import { isDate, isInt } from './predicates.js'
import type { CustomType, LazyType, ScalarKind, StructType, TupleType, WireType } from './types.js'

/** The length of a name (of a member, a parameter, a method) in an error. */
export const MAX_NAME = 60
/** The length of an error's message. */
const MAX_MESSAGE = 1000
/** The length of the JSON text of the issues that an error lists. */
export const MAX_DATA = 16_000
/** The length of a value in an error. */
const MAX_VALUE = 40

/** The words of an error for a missing value. */
const MISSING = 'nothing'

/** The end of an error for what another module exports, and is undefined while that is loading. */
export const importCycleHint = 'is it part of an import cycle?'

/** The length of the text of a union in an error. */
export const MAX_UNION = 200

/**
 * Returns a type in the words of an error: `int >= 0`, `array of string`, `"red" | "green"`, `Order`. Of a union that is longer than
 * `most` it has the first branches, and how many there are.
 */
export function describeType(type: WireType, most: number = MAX_UNION): string {
  const { constraints } = type
  return constraints ? `${describeKind(type, most)} ${describeConstraints(constraints)}` : describeKind(type, most)
}

function describeKind(type: WireType, most: number): string {
  switch (type.kind) {
    case 'ref':
      return type.name
    case 'custom':
      return describeCustom(type, most)
    case 'literal':
      return JSON.stringify(type.value)
    case 'template':
      return type.text
    case 'bigint':
      return type.value ?? kindOf(type)
    case 'array':
    case 'set':
      return `array of ${grouped(type.element, most)}`
    case 'map':
      return `object of ${grouped(type.value, most)}`
    case 'tuple':
      return describeTuple(type, most)
    case 'struct':
      return type.name ?? describeStruct(type, most)
    case 'union':
      return describeUnion(type.branches, most)
    default:
      return kindOf(type)
  }
}

/** Returns the kind of a type's values, or the name of a custom scalar: `int`, `object`. A union has no kind of its own. */
export function kindOf(type: WireType): IssueType {
  switch (type.kind) {
    case 'ref':
      return kindOf(type.type())
    case 'custom':
      return type.name
    case 'literal':
      return typeof type.value
    case 'template':
      return 'string'
    case 'bytes':
      return 'base64'
    case 'bigint':
      return 'integer'
    case 'url':
      return 'URL'
    case 'undefined':
    case 'void':
      return 'null'
    case 'array':
    case 'set':
    case 'tuple':
      return 'array'
    case 'map':
    case 'struct':
      return 'object'
    default:
      return type.kind satisfies Exclude<ScalarKind, 'url' | 'undefined' | 'void'> | 'union'
  }
}

/** `Decimal (string like ^-?\d+$)`: what is sent for a value. A pattern or format of the codec's schema is part of it. */
function describeCustom({ name, wire, schema = {} }: CustomType<LazyType>, most: number): string {
  const { pattern, format } = schema
  const further = { ...(pattern !== undefined && { pattern }), ...(format !== undefined && { format }) }
  const sent = [describeType(wire, most), describeConstraints(further as Constraints)].filter(Boolean).join(' ')
  return `${name} (${sent})`
}

function describeStruct({ members, indexes = [] }: StructType<LazyType>, most: number): string {
  const [index, ...more] = indexes
  return index && members.length + more.length === 0 ? `object of ${grouped(index.type, most)}` : 'object'
}

/** `[int, string?, ...boolean]` */
function describeTuple({ elements, required, rest }: TupleType<LazyType>, most: number): string {
  const shown = elements.map((element, i) =>
    i < required ? describeType(element, most) : `${grouped(element, most)}?`,
  )
  return `[${[...shown, ...(rest ? [`...${grouped(rest, most)}`] : [])].join(', ')}]`
}

function grouped(type: WireType, most: number): string {
  return type.kind === 'union' ? `(${describeType(type, most)})` : describeType(type, most)
}

/** `"red" | "green"`, `"red" | "green" | … (2000 values)` */
function describeUnion(branches: readonly WireType[], most: number): string {
  const texts = new Set<string>()
  let length = 0
  for (const branch of branches) {
    const text = describeType(branch, most)
    if (texts.has(text)) continue
    if (length + text.length > most && texts.size > 0) {
      const noun = branches.every(({ kind }) => kind === 'literal') ? 'values' : 'types'
      return `${[...texts].join(' | ')} | … (${branches.length} ${noun})`
    }
    texts.add(text)
    length += text.length + 3
  }
  return [...texts].join(' | ')
}

/** How errors describe a rejected value: by its type and size, or by the value itself, truncated to 40 characters. */
export type ErrorDetails = 'types' | 'values'

/**
 * Returns a value in the words of an error, in as much detail as a server's `errorDetails` allow: `string "abc"`. `failure` is the
 * constraint that the value does not meet: `int above 10`.
 */
export function describeReceived(value: unknown, details: ErrorDetails, failure?: string): string {
  const shown = details === 'values' ? showScalar(value) : undefined
  return shown ?? (failure === undefined ? describeValue(value) : `${nounOf(value)} ${failure}`)
}

/** Returns the word for a value that has constraints. */
function nounOf(value: unknown): string {
  if (typeof value === 'number') return isInt(value) ? 'int' : 'number'
  if (typeof value === 'bigint') return 'integer'
  return Array.isArray(value) ? 'array' : typeof value === 'object' ? describeValue(value) : typeof value
}

/**
 * Returns a value in the words of an error: its type and size, `string of length 3`, `array of 2`, `nothing`. An error may
 * reach logs and other callers, so it does not contain the value.
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return MISSING
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

function describeNumber(value: number): string {
  // NaN and the infinities reveal nothing, and no other words explain the error.
  if (!Number.isFinite(value)) return `${value}`
  if (!Number.isInteger(value)) return 'non-integer number'
  if (isInt(value)) return 'int'
  // Its digits are not known: it was written as `1e21`, or a parser has rounded it.
  return Number.isSafeInteger(value) ? 'integer outside of int32' : 'double beyond 2^53'
}

function describeBigint(value: bigint): string {
  const { length } = `${value < 0n ? -value : value}`
  return `integer of ${pluralize(length, 'digit')}`
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `array of length ${value.length}`
  if (value instanceof Date) return describeDate(value)
  if (value instanceof URL) return 'URL'
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return 'base64'
  if (value instanceof Map) return 'map'
  // `[object RegExp]` for a built-in class.
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return name === 'Object' ? 'object' : name === 'Set' ? 'set' : name
}

function describeDate(value: Date): string {
  if (Number.isNaN(value.getTime())) return 'invalid date'
  return isDate(value) ? 'date' : 'date outside of the years 0001 to 9999'
}

/** Returns a scalar itself, truncated; undefined for lists and objects. */
function showScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return `string ${quoteValue(value)}`
  if (typeof value === 'bigint') return `integer ${truncate(`${value}`, MAX_VALUE)}`
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`
  if (value instanceof URL) return `URL ${truncate(value.href, MAX_VALUE)}`
  return value instanceof Date && !Number.isNaN(value.getTime()) ? `date ${value.toISOString()}` : undefined
}

/** Returns `draft.lines` or, if the name is not an identifier, `draft["first line"]`. Truncates a long name. */
export function appendKey(path: string, name: string): string {
  const short = truncate(name, MAX_NAME)
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(short)) return `${path}[${JSON.stringify(short)}]`
  return path === '' ? short : `${path}.${short}`
}

/** Returns `draft.lines[2].quantity`; `params[0].lines` and `params` for a path that does not begin with a name. */
export function formatPath(path: readonly PathSegment[]): string {
  return path.reduce<string>(appendSegment, typeof path[0] === 'string' ? '' : 'params')
}

/** Returns the path of an element or a member of the value at a path. */
function appendSegment(path: string, segment: PathSegment): string {
  return typeof segment === 'number' ? `${path}[${segment}]` : appendKey(path, segment)
}

/** The path of a value that is explained. Equal paths that begin with one object are one object: their texts may be long, and are not compared. */
export class Path {
  readonly #outer: Path | undefined
  readonly #segment: PathSegment
  #inner: Map<PathSegment, Path> | undefined
  #text: string | undefined

  private constructor(outer: Path | undefined, segment: PathSegment) {
    this.#outer = outer
    this.#segment = segment
  }

  /** Returns the path with these segments. */
  static of(segments: readonly PathSegment[]): Path {
    return segments.reduce((path, segment) => path.inner(segment), new Path(undefined, ''))
  }

  /** Returns the path of an inner value. */
  inner(segment: PathSegment): Path {
    this.#inner ??= new Map()
    const path = this.#inner.get(segment) ?? new Path(this, segment)
    this.#inner.set(segment, path)
    return path
  }

  /** `draft.lines[2].quantity`, made once: that of an inner value begins with that of the outer one. */
  get text(): string {
    this.#text ??= this.#outer ? appendSegment(this.#outer.text, this.#segment) : ''
    return this.#text
  }

  /** `['draft', 'lines', 2, 'quantity']` */
  get segments(): readonly PathSegment[] {
    const segments: PathSegment[] = []
    for (let path: Path = this; path.#outer; path = path.#outer) segments.push(path.#segment)
    return segments.reverse()
  }
}

/** Returns at most `length` code units of a text, followed by an ellipsis if it was longer. */
export function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Returns a name in quotes for a message. */
export function quoteName(name: string): string {
  return JSON.stringify(truncate(name, MAX_NAME))
}

/** Returns a value, truncated, in quotes for a message. */
export function quoteValue(text: string): string {
  return JSON.stringify(truncate(text, MAX_VALUE))
}

/** Returns a message of at most `MAX_MESSAGE` code units that ends in `end`. */
export function truncateMessage(text: string, end = ''): string {
  // One for the ellipsis.
  return truncate(text, MAX_MESSAGE - 1 - end.length) + end
}

/** The number of issues that one error lists. More would cost more than the request. */
export const MAX_ISSUES = 20

/** Returns `draft.lines[2].quantity: expected int, received string of length 1`. */
export function describeIssue(
  { expected, received }: Pick<IssueDetails, 'expected' | 'received'>,
  path: string,
): string {
  return `${path}: expected ${expected}, received ${received}`
}

/** Returns the issues of several items; stops at MAX_ISSUES. */
export function collectIssues<T, Found>(
  items: Iterable<T>,
  issuesOf: (item: T, index: number) => readonly Found[],
): Found[] {
  const issues: Found[] = []
  let index = 0
  for (const item of items) {
    for (const issue of issuesOf(item, index)) issues.push(issue)
    if (issues.length >= MAX_ISSUES) break
    index += 1
  }
  return issues
}
