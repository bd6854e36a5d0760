import { UsageError } from '../options.js'
import { alternativesOf, matches } from './pattern.js'

/** The values that a schema accepts: those of its branches. */
export interface Type {
  branches(): readonly Branch[]
}

export function unionType(branches: readonly Branch[]): Type {
  return { branches: () => branches }
}

/** The types of the schemas `true` and `false`. */
export const anything = unionType([{ kind: 'any' }])
export const nothing = unionType([])

/** One kind of value. `opaque`: keywords of JSON Schema that are compared as text; all of them limit the branch. */
export type Branch = (
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A list or an object that is a constant; only other tools write it. */
  | { readonly kind: 'constant'; readonly text: string }
  | ({ readonly kind: 'number' } & NumberLimits)
  | ({ readonly kind: 'string' } & StringLimits)
  | ArrayBranch
  | ObjectBranch
) & {
  readonly opaque?: readonly string[]
  /** The name of the type in the source, if it has one; not compared. */
  readonly name?: string
}

/** `prefix`, then any number of `rest`; without a rest the list ends after the prefix. */
export interface ArrayBranch {
  readonly kind: 'array'
  readonly prefix: readonly Type[]
  readonly rest: Type | undefined
  readonly least: number
  readonly most: number
  readonly unique: boolean
}

/** Members by name, other members whose names match a pattern without alternatives, and the others. */
export interface ObjectBranch {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Member>
  readonly patterns: ReadonlyMap<string, Type>
  /** Undefined: senders do not send them, and receivers ignore them. `nothing`: they are rejected. */
  readonly others: Type | undefined
}

export interface Member {
  readonly type: Type
  readonly required: boolean
}

/** Returns the type of the members without declared names; undefined if there are none. */
export function furtherMembers({ others }: ObjectBranch): Type | undefined {
  return others === nothing ? undefined : others
}

/** Returns the types that a member has to have: its own, those of the patterns that match its name, or that of the others. */
export function memberTypes(object: ObjectBranch, name: string, others = furtherMembers(object)): Type[] {
  const own = object.members.get(name)
  if (own) return [own.type]
  const matching = matchingIn([...object.patterns], name)
  return matching.length > 0 || !others ? matching : [others]
}

/** The patterns of one object that names are compared with: names and patterns multiply. */
const mostPatterns = 16

/** Returns the values of the patterns that match a name. */
export function matchingIn<Value>(patterns: readonly (readonly [string, Value])[], name: string): Value[] {
  return patterns.slice(0, mostPatterns).flatMap(([pattern, value]) => (matches(pattern, name) ? [value] : []))
}

/** Returns the type of one element; undefined if a list has no such element. */
export function elementAt({ prefix, rest }: ArrayBranch, index: number): Type | undefined {
  return prefix[index] ?? rest
}

/** The numbers of a branch; limits of integers are integers and inclusive. */
export interface NumberLimits {
  readonly integer: boolean
  readonly least: number
  readonly most: number
  /** True if the limit itself is excluded. */
  readonly above: boolean
  readonly below: boolean
  /** Sorted. */
  readonly steps: readonly number[]
}

/** The strings of a branch; lengths in characters. */
export interface StringLimits {
  readonly least: number
  readonly most: number
  /** Sorted; a string has to match each. */
  readonly patterns: readonly string[]
  readonly formats: readonly string[]
}

/** The limits of an `Int`. */
export const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 }

export function isInt32({ integer, least, most }: NumberLimits): boolean {
  return integer && least >= int32.least && most <= int32.most
}

export function numberLimits(schema: ForeignSchema, integer: boolean): NumberLimits {
  // Documents of other tools may have the format instead of its limits.
  const limits =
    integer && schema.format === 'int32' ? { minimum: int32.least, maximum: int32.most, ...schema } : schema
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = limits
  const least = exclusive(schema.exclusiveMinimum, minimum) ?? -Infinity
  const most = exclusive(schema.exclusiveMaximum, maximum) ?? Infinity
  return closed({
    integer,
    least: Math.max(minimum, least),
    most: Math.min(maximum, most),
    above: least > -Infinity && least >= minimum,
    below: most < Infinity && most <= maximum,
    steps: multipleOf === undefined ? [] : [multipleOf],
  })
}

/** In draft 4 this is a boolean, for the limit beside it. */
function exclusive(limit: number | boolean | undefined, beside: number): number | undefined {
  if (typeof limit === 'number') return limit
  return limit ? beside : undefined
}

/** Integers have limits that they reach, so that `> 0` and `>= 1` are the same. */
function closed(limits: NumberLimits): NumberLimits {
  const { integer, least, most, above, below, steps } = limits
  const whole = integer || steps.some(Number.isInteger)
  if (!whole) return limits
  return {
    integer: true,
    least: above ? Math.floor(least) + 1 : Math.ceil(least),
    most: below ? Math.ceil(most) - 1 : Math.floor(most),
    above: false,
    below: false,
    steps: steps.filter((step) => step !== 1),
  }
}

/** Replaces the pattern of a Date that callers send: the pattern is long, and versions may write it differently. */
export const sentDate = 'sent-date'

/** What a bigint is written as. */
export const bigintText = '^-?\\d+$'

export function stringLimits(schema: ForeignSchema): StringLimits {
  const { minLength = 0, maxLength = Infinity, pattern, format, contentEncoding } = schema
  const date = pattern !== undefined && isDatePattern(pattern)
  const bytes = contentEncoding === 'base64'
  const formats = [format, date ? sentDate : undefined, contentEncoding]
  return {
    least: minLength,
    most: maxLength,
    // The pattern of base64 repeats the encoding.
    patterns: pattern === undefined || date || (bytes && pattern.includes('A-Za-z0-9+/')) ? [] : [pattern],
    formats: sorted(formats.filter((each) => each !== undefined)),
  }
}

/** Recognises the pattern by what it accepts, not by its text. */
function isDatePattern(pattern: string): boolean {
  if (!pattern.includes('02-29') || pattern.length > 2000) return false
  const takes = (text: string) => matches(pattern, text)
  return takes('2020-02-29') && takes('2020-02-29T01:02Z') && !takes('2021-02-29') && !takes('2020')
}

/** Matches text up to a special character, without a character that may be missing. */
const literalStart = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|/])*)(?![*+?{])(\$?)/u

/** Returns the text that all names begin with that match one alternative. `isWhole`: it is the only such name. */
export function startOfNames(alternative: string): { readonly text: string; readonly isWhole: boolean } {
  const [all, text = '', end] = literalStart.exec(alternative) ?? []
  return { text: text.replace(/\\(\W)/gu, '$1'), isWhole: all === alternative && end === '$' }
}

/** The numbers of both. */
export function meetNumbers(a: NumberLimits, b: NumberLimits): NumberLimits {
  const least = Math.max(a.least, b.least)
  const most = Math.min(a.most, b.most)
  return closed({
    integer: a.integer || b.integer,
    least,
    most,
    above: [a, b].some((each) => each.above && each.least === least),
    below: [a, b].some((each) => each.below && each.most === most),
    steps: sorted([...a.steps, ...b.steps]),
  })
}

export function meetStrings(a: StringLimits, b: StringLimits): StringLimits {
  return {
    least: Math.max(a.least, b.least),
    most: Math.min(a.most, b.most),
    patterns: sorted([...a.patterns, ...b.patterns]),
    formats: sorted([...a.formats, ...b.formats]),
  }
}

export function sorted<Value extends string | number>(values: readonly Value[]): Value[] {
  return [...new Set(values)].sort()
}

/** True if every number of one branch is a number of the other. */
function numbersWithin(a: NumberLimits, b: NumberLimits): boolean {
  if (b.integer && !a.integer) return false
  if (a.least < b.least || (a.least === b.least && b.above && !a.above)) return false
  if (a.most > b.most || (a.most === b.most && b.below && !a.below)) return false
  return b.steps.every((step) => a.steps.some((own) => own === step || isMultiple(own, step)))
}

/** Fractions are rounded, so they are never a multiple. */
function isMultiple(own: number, step: number): boolean {
  return Number.isSafeInteger(own) && Number.isSafeInteger(step) && own % step === 0
}

function stringsWithin(a: StringLimits, b: StringLimits): boolean {
  if (a.least < b.least || a.most > b.most) return false
  const isMet = (pattern: string) => a.patterns.some((each) => each === pattern || accepts(pattern, each))
  return b.patterns.every(isMet) && b.formats.every((each) => a.formats.includes(each))
}

/** True for the pattern of a template such as `id-${string}` if everything that another pattern matches begins like it. */
function accepts(pattern: string, other: string): boolean {
  const [start] = literalStart.exec(pattern) ?? []
  if (start === undefined || pattern !== `${start}[\\s\\S]*$`) return false
  return alternativesOf(other).every((each) => startOfNames(each).text.startsWith(startOfNames(pattern).text))
}

function acceptsNumber(limits: NumberLimits, value: number): boolean {
  const { integer, least, most, above, below, steps } = limits
  if (integer && !Number.isInteger(value)) return false
  if (above ? value <= least : value < least) return false
  if (below ? value >= most : value > most) return false
  return steps.every((step) => Number.isInteger(value / step))
}

/** True if a string meets the limits. Formats are not checked: a branch with a format accepts none. */
function acceptsString({ least, most, patterns, formats }: StringLimits, value: string): boolean {
  const length = [...value].length
  if (formats.length > 0 || length < least || length > most) return false
  return patterns.every((each) => matches(each, value))
}

/**
 * True if a branch of a union, of those that may accept another one, passes. The one at `index` is tried first: versions of a union mostly
 * have the same order.
 */
export function hasBranch(
  union: readonly Branch[],
  accepted: Branch,
  index: number,
  test: (branch: Branch) => boolean,
): boolean {
  const first = union[index]
  const candidates = isConstant(accepted) ? acceptingConstant(union, accepted) : withoutConstants(union)
  return (first !== undefined && test(first)) || candidates.some(test)
}

/** The branches of a union: constants by their value, and the others. */
interface Sorted {
  readonly constants: ReadonlyMap<string, readonly Branch[]>
  readonly others: readonly Branch[]
}

const sortedUnions = new WeakMap<readonly Branch[], Sorted>()

function sortedUnion(union: readonly Branch[]): Sorted {
  const known = sortedUnions.get(union)
  if (known) return known
  const constants = new Map<string, Branch[]>()
  const others: Branch[] = []
  for (const branch of union) {
    const key = constantKey(branch)
    const same = key === undefined ? others : constants.get(key)
    if (same) same.push(branch)
    else if (key !== undefined) constants.set(key, [branch])
  }
  const made = { constants, others }
  sortedUnions.set(union, made)
  return made
}

/** Equal constants have the same key; undefined for any other branch. */
export function constantKey(branch: Branch): string | undefined {
  if (branch.kind === 'literal') return `${typeof branch.value} ${branch.value}`
  return branch.kind === 'constant' ? `constant ${branch.text}` : branch.kind === 'null' ? 'null' : undefined
}

/** Returns the branches that are not constants. */
export function withoutConstants(union: readonly Branch[]): readonly Branch[] {
  return sortedUnion(union).others
}

/** Returns the branches of a union that may accept a constant: equal ones, and those that are not constants. */
export function acceptingConstant(union: readonly Branch[], constant: Branch): readonly Branch[] {
  const key = constantKey(constant)
  if (union.length < 8 || key === undefined) return union
  const { constants, others } = sortedUnion(union)
  return [...(constants.get(key) ?? []), ...others]
}

/** True if a branch has one value. */
export function isConstant({ kind }: Branch): boolean {
  return kind === 'null' || kind === 'literal' || kind === 'constant'
}

/** True if a branch accepts a constant; a list or an object is assumed to be accepted by a branch of its kind. */
export function acceptsConstant(branch: Branch, constant: Branch): boolean {
  if (branch.kind === 'any') return true
  if (constant.kind === 'null' || branch.kind === 'null') return constant.kind === branch.kind
  if (branch.kind === 'constant') return constant.kind === 'constant' && constant.text === branch.text
  if (constant.kind === 'constant') return branch.kind === (constant.text.startsWith('[') ? 'array' : 'object')
  if (constant.kind !== 'literal') return false
  const { value } = constant
  if (branch.kind === 'literal') return branch.value === value
  if (branch.kind === 'number') return typeof value === 'number' && acceptsNumber(branch, value)
  return branch.kind === 'string' && typeof value === 'string' && acceptsString(branch, value)
}

/** True if a scalar is within another branch; false for lists and objects. */
export function scalarsWithin(a: Branch, b: Branch): boolean {
  if (a.kind === 'constant') return b.kind === 'constant' && a.text === b.text
  if (isConstant(a)) return acceptsConstant(b, a)
  if (a.kind === 'number') return b.kind === 'number' && numbersWithin(a, b)
  return a.kind === 'string' && b.kind === 'string' && stringsWithin(a, b)
}

export type Fields = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A schema of any tool and any draft; `true` accepts everything, `false` nothing. */
export type AnySchema = ForeignSchema | boolean

/** The keywords of JSON Schema that the comparison understands; there may be others. */
export interface ForeignSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly minimum?: number
  readonly maximum?: number
  /** A limit; in draft 4 whether the limit beside it is exclusive. */
  readonly exclusiveMinimum?: number | boolean
  readonly exclusiveMaximum?: number | boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly AnySchema[]
  /** A list of schemas before 2020-12. */
  readonly items?: AnySchema | readonly AnySchema[]
  readonly additionalItems?: AnySchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: AnySchema
}

/** Keywords that do not limit values. */
export const remarks: ReadonlySet<string> = new Set(
  '$comment description summary title deprecated default examples example x-enum-varnames x-enum-descriptions'.split(
    ' ',
  ),
)

/** Keywords that limit values and are compared as text. */
const opaqueWords =
  `not if then else contains minContains maxContains propertyNames minProperties maxProperties dependencies
  dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties`.split(/\s+/)

/** Returns the keywords of a schema that limit values and are compared as text. */
export function opaqueOf(schema: ForeignSchema): string[] {
  const words = schema as Readonly<Record<string, unknown>>
  return opaqueWords.filter((word) => words[word] !== undefined).map((word) => `${word} ${textOf(words[word])}`)
}

/** JSON with members in order, so that equal values have equal texts. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members
    .map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)
    .sort()
    .join()}}`
}

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'boolean' || isRecord(value)
}

/**
 * Returns the value that a chain of references ends at, and the last reference on the way. Objects that `isReference` rejects
 * are not followed. Throws UsageError for a reference that cannot be resolved or refers only to itself; `name` is the
 * document's name in messages.
 */
export function resolveReferences(
  start: unknown,
  root: object,
  name: string,
  isReference: (value: Fields) => boolean = () => true,
): { readonly value: unknown; readonly ref?: string } {
  const seen = new Set<unknown>()
  let found: { readonly value: unknown; readonly ref?: string } = { value: start }
  for (;;) {
    const { value } = found
    if (!isRecord(value) || typeof value['$ref'] !== 'string' || !isReference(value)) return found
    const ref = value['$ref']
    if (seen.has(value)) throw new UsageError(`${name} has ${ref}, which refers only to itself`)
    seen.add(value)
    found = { value: lookUp(ref, root, name), ref }
  }
}

/** Returns the target of a reference: a JSON Pointer (RFC 6901) into the document. */
function lookUp(ref: string, root: object, name: string): unknown {
  if (!ref.startsWith('#'))
    throw new UsageError(`${name} refers to ${ref}, outside of the file: only references within the file are supported`)
  const [start, ...parts] = decoded(ref.slice(1)).split('/')
  const found = start === '' ? parts.reduce(memberOf, root) : undefined
  if (found === undefined) throw new UsageError(`${name} refers to ${ref}, which does not exist`)
  return found
}

function memberOf(value: unknown, part: string): unknown {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isMember ? (value as Fields)[name] : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
