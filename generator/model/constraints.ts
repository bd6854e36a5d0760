// Which constraints a type can have, what they mean together, and which literals meet them.
//
//   minimum 1 and minimum 3  →  minimum 3;  minimum 3 and maximum 1  →  a contradiction
import { flatten, innerTypesOf, structureOf } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { type Constraints, constraintForms, meets } from '../../runtime/values/constraints.js'
import type { Kind, ModelType, OfKind } from './model.js'
import { slowPartOf } from './slow-pattern.js'
import { baseKind, isTaggedScalar, isTaggedText, narrowestScalar, taggedScalars } from './tagged-scalars.js'

export type ConstraintName = keyof Constraints

/** A constraint as a tag or a constraint type specifies it. */
export interface Constraint {
  readonly name: ConstraintName
  readonly value: number | string | boolean
}

/** The kinds that can have constraints, by what these limit. */
const forms: Partial<Record<Kind, 'number' | 'text' | 'list'>> = {
  ...{ int: 'number', double: 'number', number: 'number', bigint: 'number' },
  ...{ string: 'text', template: 'text', url: 'text' },
  ...{ array: 'list', set: 'list', tuple: 'list' },
}

/** A URL has a form of its own, and a Set no equal elements. */
const excluded: Partial<Record<Kind, readonly ConstraintName[]>> = { url: ['pattern', 'format'], set: ['uniqueItems'] }

/** True if a type, or the type that it refers to, can have a constraint. */
export function canHave(type: ModelType, name: ConstraintName, types: TypesByName): boolean {
  const { kind } = type
  if (kind !== 'ref') return forms[kind] === constraintForms[name][0] && !excluded[kind]?.includes(name)
  const named = types.get(type.name)
  return named !== undefined && canHave(named.type, name, types)
}

/** True if a constraint applies to a literal. */
export function isApplicable(name: ConstraintName, value: string | number): boolean {
  return constraintForms[name][0] === (typeof value === 'string' ? 'text' : 'number')
}

/** Returns a type with further constraints, all of which apply. Undefined if they cannot be combined, as two patterns. */
export function constrain(type: ModelType, more: Constraints): ModelType | undefined {
  const merged: Record<string, unknown> = { ...type.constraints }
  for (const [name, limit] of Object.entries(more)) {
    const known = merged[name]
    const both = known === undefined || known === limit ? limit : stricter(name as ConstraintName, known, limit)
    if (both === undefined) return undefined
    merged[name] = both
  }
  return { ...type, constraints: merged }
}

function stricter(name: ConstraintName, one: unknown, other: unknown): unknown {
  if (typeof one !== 'number' || typeof other !== 'number' || name === 'multipleOf') return undefined
  return /^(?:min|exclusiveMin)/.test(name) ? Math.max(one, other) : Math.min(one, other)
}

/** Limits of one quantity: the lower one and the upper one. */
const opposites: readonly (readonly [least: ConstraintName, most: ConstraintName])[] = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
]

/** Returns limits that exclude every value; undefined if there are none. Steps, patterns and formats are not examined. */
export function contradiction(type: ModelType): readonly ConstraintName[] | undefined {
  const { kind, constraints = {} } = type
  const { minItems = 0, maxItems = Infinity } = constraints
  if (kind === 'tuple' && !type.rest && minItems > type.elements.length) return ['minItems']
  if (kind === 'tuple' && maxItems < type.required) return ['maxItems']
  return opposites.find(([least, most]) => {
    const [low, high] = [Number(constraints[least]), Number(constraints[most])]
    const isExclusive = least.startsWith('exclusive') || most.startsWith('exclusive')
    return low > high || (isExclusive && low === high)
  })
}

/** True if a literal meets constraints. A slow pattern is not run on a long text of a source. */
export function literalMeets(value: string | number, constraints: Constraints): boolean {
  const { pattern, ...others } = constraints
  const isSlow = pattern !== undefined && `${value}`.length > 20 && slowPartOf(pattern) !== undefined
  return meets(value, isSlow ? others : constraints)
}

/** Returns the texts and numbers that a type lists as literals, including those of named types. */
export function literalsIn(type: ModelType, types: TypesByName): (string | number)[] {
  return flatten(type, types).flatMap((each) =>
    each.kind === 'literal' && typeof each.value !== 'boolean' ? [each.value] : [],
  )
}

/**
 * Returns the type that fulfils two declarations of one member, such as its own and that of an index signature: TypeScript does not
 * distinguish Int from number and knows no constraints. Undefined if no type fulfils both, or if Int or constraints are inside of them.
 */
export function narrowed(type: ModelType, by: ModelType, types: TypesByName): ModelType | undefined {
  const options = flatten(by, types)
  if (type.kind === 'any' || options.some((each) => each.kind === 'any' || haveSameStructure(each, type))) return type
  if (type.kind === 'union') {
    const branches = type.branches.flatMap((each) => narrowed(each, by, types) ?? [])
    return branches.length === type.branches.length ? { ...type, branches } : undefined
  }
  if (type.kind === 'ref') {
    const isUnchanged = (each: ModelType) => narrowed(each, by, types) === each
    return flatten(type, types).every(isUnchanged) ? type : undefined
  }
  if (type.kind === 'literal') return fitsLiteral(type, options) ? type : undefined
  if (type.kind === 'template' && options.some(({ kind }) => isTaggedText(kind))) return undefined
  const alike = options.filter(({ kind }) => baseKind(kind) === baseKind(type.kind))
  // TypeScript has checked types of different kinds, such as a template and a string, and types without Int and constraints.
  if (!alike.some((each) => isNarrower(each, types))) return type
  const found = innerTypesOf(type).length > 0 ? [] : alike.map((each) => both(type, each))
  return found.some((each) => each && haveSameStructure(each, type)) ? type : found.length === 1 ? found[0] : undefined
}

/** True if a type is or contains one that is wider for TypeScript. */
function isNarrower(type: ModelType, types: TypesByName, seen = new Set<string>()): boolean {
  if (type.constraints || isTaggedScalar(type.kind)) return true
  if (type.kind !== 'ref') return innerTypesOf(type).some((each) => isNarrower(each, types, seen))
  const target = seen.has(type.name) ? undefined : types.get(type.name)?.type
  return target !== undefined && isNarrower(target, types, seen.add(type.name))
}

/** Returns the intersection of two types of one kind without inner types. */
function both(type: ModelType, by: ModelType): ModelType | undefined {
  const kind = narrowestScalar([type.kind, by.kind]) ?? type.kind
  const narrower = { ...type, kind } as ModelType
  return by.constraints ? constrain(narrower, by.constraints) : narrower
}

function fitsLiteral({ value }: OfKind<'literal'>, options: readonly ModelType[]): boolean {
  if (typeof value === 'boolean') return true
  const bases = options.filter(({ kind }) => baseKind(kind) === typeof value)
  const fits = ({ kind, constraints = {} }: ModelType) =>
    (!isTaggedScalar(kind) || taggedScalars[kind].accepts(value)) && literalMeets(value, constraints)
  return bases.length === 0 || bases.some(fits)
}

function haveSameStructure(one: ModelType, other: ModelType): boolean {
  return structureOf(one) === structureOf(other)
}
