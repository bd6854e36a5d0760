// Which constraints a type can have, what they mean together, which literals meet them, and how they are added to types:
//
//   int and minimum 1  →  { kind: 'int', constraints: { minimum: 1 } };  minimum 3 and maximum 1  →  RPC125: no value fulfils …
import { flatten, innerTypesOf, structureOf } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { type Constraints, constraintForms, meets } from '../../runtime/values/constraints.js'
import type { DiagnosticCode } from '../diagnostics/diagnostic.js'
import { isPlaceholder, type Kind, type ModelType, type OfKind } from './model.js'
import { type SlowPart, slowPartOf } from './slow-pattern.js'
import { baseKind, isTaggedScalar, narrowestScalar, taggedScalars } from './tagged-scalars.js'

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
function canHave(type: ModelType, name: ConstraintName, types: TypesByName): boolean {
  const { kind } = type
  if (kind !== 'ref') return forms[kind] === constraintForms[name][0] && !excluded[kind]?.includes(name)
  const named = types.get(type.name)
  return named !== undefined && canHave(named.type, name, types)
}

/** True if a constraint applies to a literal. */
function isApplicable(name: ConstraintName, value: string | number): boolean {
  return constraintForms[name][0] === (typeof value === 'string' ? 'text' : 'number')
}

/** Returns a type with further constraints, all of which apply. Undefined if they cannot be combined, as two patterns. */
function constrain(type: ModelType, more: Constraints): ModelType | undefined {
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
function contradiction(type: ModelType): readonly ConstraintName[] | undefined {
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
function literalMeets(value: string | number, constraints: Constraints): boolean {
  const { pattern, ...others } = constraints
  const isSlow = pattern !== undefined && `${value}`.length > 20 && slowPartOf(pattern) !== undefined
  return meets(value, isSlow ? others : constraints)
}

/** Returns the texts and numbers that a type lists as literals, including those of named types. */
function literalsIn(type: ModelType, types: TypesByName): (string | number)[] {
  return flatten(type, types).flatMap((each) =>
    each.kind === 'literal' && typeof each.value !== 'boolean' ? [each.value] : [],
  )
}

/** A constraint where it is written. */
export interface PlacedConstraint extends Constraint {
  /** `@minimum 1` in a comment, `Minimum<1>` in a type; without a value the name alone. */
  show(name: ConstraintName, value?: number): string
  report(code: DiagnosticCode, message: string, hint?: string): void
}

/** Adds constraints to types. Those of types that are being resolved are added once `settle` is called. */
export class ConstraintAdder {
  /** The named types so far. */
  readonly #types: TypesByName
  /** Where the pattern of constraints is written. */
  readonly #patterns = new Map<Constraints, PlacedConstraint>()
  readonly #waiting: (() => void)[] = []

  constructor(types: TypesByName) {
    this.#types = types
  }

  /** Returns a type with a constraint, on each branch of a union that can have it. Reports one that cannot be added. */
  readonly add = (type: ModelType, constraint: PlacedConstraint): ModelType => {
    if (!this.#isOpen(type)) return this.#addNow(type, constraint)
    const later = { ...type }
    this.#waiting.push(() => replace(later, this.#addNow(type, constraint)))
    return later
  }

  settle(): void {
    for (const complete of this.#waiting.splice(0)) complete()
  }

  /** Reports the patterns in the named types and in further ones that backtrack without a bound, and have no MaxLength beside them. */
  checkPatterns(further: readonly ModelType[]): void {
    if (this.#patterns.size === 0) return
    // The constraints of a named type itself are examined where it is used.
    const inNamed = [...this.#types.values()].flatMap(({ type }) => innerTypesOf(type))
    for (const type of [...inNamed, ...further]) this.#checkPatternsIn(type)
  }

  /** True for a reference to a type that is being resolved: what it can have is not known. */
  #isOpen(type: ModelType): boolean {
    if (type.kind === 'union') return type.branches.some((each) => this.#isOpen(each))
    const named = namedType(type, this.#types)
    return named !== undefined && (isPlaceholder(named) || this.#isOpen(named))
  }

  #addNow(type: ModelType, constraint: PlacedConstraint): ModelType {
    // It has an error already.
    if (isPlaceholder(type) || this.#isOpen(type)) return type
    const union = unionIn(type, this.#types)
    const branches = union?.branches ?? [type]
    this.#checkApplies(type, branches, constraint)
    const limited = branches.map((each) => this.#limit(each, constraint))
    if (limited.every((each, i) => each === branches[i])) return type
    return union ? { ...union, branches: limited } : (limited[0] ?? type)
  }

  /** Reports a constraint that applies to no branch, and literals that do not meet it. One that meets it is unchanged: `'a' & MaxLength<3>`. */
  #checkApplies(type: ModelType, branches: readonly ModelType[], constraint: PlacedConstraint): void {
    const { name, value, show, report } = constraint
    const literals = literalsIn(type, this.#types).filter((each) => isApplicable(name, each))
    for (const each of literals) {
      if (literalMeets(each, { [name]: value })) continue
      const message = `${JSON.stringify(each)} does not fulfil ${show(name)} ${value}`
      report('RPC125', message, 'remove the value, or the constraint')
    }
    if (literals.length > 0 || branches.some((each) => canHave(each, name, this.#types))) return
    const isEncoded = flatten(type, this.#types).some(({ kind }) => kind === 'custom')
    const hint = isEncoded ? 'declare it on the wire type of the codec' : hints[constraintForms[name][0]]
    report('RPC126', `${show(name)} does not apply to the type`, hint)
  }

  #limit(branch: ModelType, constraint: PlacedConstraint): ModelType {
    const { name, value, show, report } = constraint
    if (!canHave(branch, name, this.#types)) return branch
    const both = constrain(branch, { [name]: value })
    if (!both) {
      report('RPC125', `the type has another ${show(name)} already: two of them cannot be combined`)
      return branch
    }
    const against = contradiction(both)?.map((each) => show(each, Number(both.constraints?.[each])))
    if (against) report('RPC125', `no value fulfils ${against.join(' and ')}`)
    const ofPattern = name === 'pattern' ? constraint : branch.constraints && this.#patterns.get(branch.constraints)
    if (both.constraints && ofPattern) this.#patterns.set(both.constraints, ofPattern)
    return both
  }

  /** The constraints of a use of a type and of the named types that it refers to apply together. */
  #checkPatternsIn(type: ModelType): void {
    const all = constraintsOf(type, this.#types)
    if (all.every(({ maxLength }) => maxLength === undefined)) {
      for (const each of all) {
        const placed = this.#patterns.get(each)
        if (placed && each.pattern !== undefined) reportSlow(each.pattern, placed)
      }
    }
    for (const inner of innerTypesOf(type)) this.#checkPatternsIn(inner)
  }
}

const hints = { number: 'it is for numbers', text: 'it is for strings', list: 'it is for lists' } as const

/** Makes one model equal to another one: it is part of the models of other types already. */
function replace(model: ModelType, by: ModelType): void {
  for (const name of Object.keys(model)) Reflect.deleteProperty(model, name)
  Object.assign(model, by)
}

function namedType(type: ModelType, types: TypesByName): ModelType | undefined {
  return type.kind === 'ref' ? types.get(type.name)?.type : undefined
}

/** Returns a union, also one with a name: its other uses do not have the constraint. */
function unionIn(type: ModelType, types: TypesByName): OfKind<'union'> | undefined {
  if (type.kind === 'union') return type
  const named = namedType(type, types)
  return named && unionIn(named, types)
}

function constraintsOf(type: ModelType, types: TypesByName): Constraints[] {
  const named = namedType(type, types)
  return [...(type.constraints ? [type.constraints] : []), ...(named ? constraintsOf(named, types) : [])]
}

const ways: Readonly<Record<SlowPart['time'], string>> = {
  exponential: 'takes exponential time: it can match one text in many ways',
  quadratic: 'takes quadratic time: both parts match the same characters',
  unknown: 'is too large to tell whether it takes exponential time',
}

function reportSlow(pattern: string, { show, report }: PlacedConstraint): void {
  const slow = slowPartOf(pattern)
  if (!slow) return
  const hint = `rewrite it, or add ${show('maxLength', 20)}`
  report('RPC128', `${show('pattern')}: ${slow.text} ${ways[slow.time]}`, hint)
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
  const alike = options.filter(({ kind }) => baseKind(kind) === baseKind(type.kind))
  // TypeScript has checked types of different kinds, such as a template and a string, and types without Int and constraints.
  if (!alike.some((each) => isNarrower(each, types))) return type
  const found = innerTypesOf(type).length > 0 ? [] : alike.map((each) => intersectedKind(type, each))
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
function intersectedKind(type: ModelType, by: ModelType): ModelType | undefined {
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
