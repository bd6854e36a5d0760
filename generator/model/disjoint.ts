// Whether any value in JSON belongs to two types. Branches of a union that are disjoint need no discriminant:
//
//   number and string  →  disjoint; { a: number } and { b: number }  →  disjoint; string[] and []  →  overlapping
import { flatten } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { jsonTypesOf, rejectsUndefined } from '../../runtime/description/json-types.js'
import type { Keys } from '../../runtime/values/types.js'
import type { ModelType, OfKind } from './model.js'
import { differByText } from './text-forms.js'

export type List = OfKind<'array' | 'set' | 'tuple'>
export type Fields = OfKind<'struct' | 'map'>

/**
 * How two types differ on the wire. `disjoint`: no value that one declares is accepted as the other. `first` and `last`: values of one
 * type may also be accepted as the other, so that the first of the two has to be tried first, or last. `overlapping`: some value may be of both.
 */
type Distinction = 'disjoint' | 'first' | 'last' | 'overlapping'

/** What all unions of a model share. */
export interface Unions {
  readonly types: TypesByName
  /** The pairs of types whose relation is decided, and those that do not clash. They never change. */
  readonly relations: Pairs<Distinction>
  readonly compatible: Pairs<true>
  /** True if a union could not be compared, which is an error: the others are not compared either. */
  isTooLarge: boolean
}

export function createUnions(types: TypesByName): Unions {
  return { types, relations: createPairs(), compatible: createPairs(), isTooLarge: false }
}

/** The most pairs of types that are compared for one union: some seconds of work. Then `take` throws. */
const MAX_PAIRS = 5_000_000

/** Compares types by the values that represent them on the wire, for one union. */
export class Comparison {
  readonly types: TypesByName
  /** The pairs of types that have no value with two meanings. */
  readonly compatible: Pairs<true>
  readonly #relations: Pairs<Distinction>
  readonly #branches = new Map<ModelType, readonly ModelType[]>()
  readonly #known = createPairs<Distinction | Open>()
  #left = MAX_PAIRS
  /** The number of pairs that are being compared. */
  #level = 0
  /** False once a relation depends on an assumption. */
  #isExact = true
  #uncommitted: (readonly [ModelType, ModelType, Distinction])[] = []

  constructor({ types, relations, compatible }: Unions) {
    this.types = types
    this.compatible = compatible
    this.#relations = relations
  }

  /** Counts a pair. @throws RangeError after too many of them */
  take(): void {
    this.#left -= 1
    if (this.#left < 0) throw new RangeError('too many pairs of types')
  }

  /** Returns the branches of a type, with unions and references resolved. */
  branchesOf(type: ModelType): readonly ModelType[] {
    const made = this.#branches.get(type) ?? flatten(type, this.types)
    this.#branches.set(type, made)
    return made
  }

  /** Returns how two branches of a union differ. */
  relate(one: ModelType, other: ModelType): Distinction {
    const known = this.#relations.get(one, other) ?? this.#known.get(one, other)
    if (typeof known === 'string') return known
    if (known) return assume(known)
    this.take()
    const open: Open = { isAssumed: false }
    this.#known.set(one, other, open)
    this.#level += 1
    const found = relationOf(one, other, this)
    this.#level -= 1
    this.#settle(one, other, found)
    if (open.isAssumed && found === 'disjoint') this.#isExact = false
    if (this.#level === 0 && this.#isExact) this.#commit()
    return found
  }

  #settle(one: ModelType, other: ModelType, found: Distinction): void {
    this.#known.set(one, other, found)
    this.#uncommitted.push([one, other, found])
  }

  /** Keeps what was found for the other unions. */
  #commit(): void {
    for (const each of this.#uncommitted) this.#relations.set(...each)
    this.#uncommitted = []
  }

  /** True if each branch of a type is disjoint from each of another one. */
  areDisjoint(one: ModelType, other: ModelType): boolean {
    const others = this.branchesOf(other)
    return this.branchesOf(one).every((a) => others.every((b) => this.relate(a, b) === 'disjoint'))
  }
}

/** A pair that is being compared. Until its relation is found, it counts as overlapping: recursive types come back to it. */
interface Open {
  isAssumed: boolean
}

function assume(open: Open): Distinction {
  open.isAssumed = true
  return 'overlapping'
}

/** What is known of ordered pairs of types. */
export interface Pairs<T> {
  get(one: ModelType, other: ModelType): T | undefined
  set(one: ModelType, other: ModelType, value: T): void
}

export function createPairs<T>(): Pairs<T> {
  const known = new Map<ModelType, Map<ModelType, T>>()
  return {
    get: (one, other) => known.get(one)?.get(other),
    set(one, other, value) {
      const values = known.get(one) ?? new Map<ModelType, T>()
      known.set(one, values.set(other, value))
    },
  }
}

function relationOf(one: ModelType, other: ModelType, comparison: Comparison): Distinction {
  if (one.kind === 'any' || other.kind === 'any' || one === other) return 'overlapping'
  if (one.kind === 'custom' || other.kind === 'custom')
    return comparison.areDisjoint(sentAs(one), sentAs(other)) ? 'disjoint' : 'overlapping'
  const [forms, others] = [jsonTypesOf(one), jsonTypesOf(other)]
  if (!forms.some((form) => others.includes(form)) || differByText(one, other)) return 'disjoint'
  if (isListType(one) && isListType(other)) return areListsDisjoint(one, other, comparison) ? 'disjoint' : 'overlapping'
  if (isFields(one) && isFields(other)) return relateFields(one, other, comparison)
  return 'overlapping'
}

/** Returns the type that is sent for a type. */
function sentAs(type: ModelType): ModelType {
  return type.kind === 'custom' ? type.wire : type
}

export function isListType(type: ModelType): type is List {
  return type.kind === 'array' || type.kind === 'set' || type.kind === 'tuple'
}

export function isFields(type: ModelType): type is Fields {
  return type.kind === 'struct' || type.kind === 'map'
}

/** An element or a member: its type, and whether every value has it. Null is one of its values if it represents an absent element. */
interface InnerType {
  readonly type: ModelType
  readonly required: boolean
}

const absentType: ModelType = { kind: 'null' }

function optionalType(type: ModelType): InnerType {
  return { type: { kind: 'union', branches: [type, absentType] }, required: false }
}

/** Returns the element at an index; undefined if the list is shorter. */
export function elementOf(list: List, at: number): InnerType | undefined {
  if (list.kind !== 'tuple') return { type: list.element, required: false }
  const { elements, required, rest } = list
  const element = elements[at]
  if (element) return at < required ? { type: element, required: true } : optionalType(element)
  return rest && { type: rest, required: false }
}

function fewest(list: List): number {
  return Math.max(list.kind === 'tuple' ? list.required : 0, list.constraints?.minItems ?? 0)
}

function most(list: List): number {
  const declared = list.kind === 'tuple' && !list.rest ? list.elements.length : Number.POSITIVE_INFINITY
  return Math.min(declared, list.kind === 'set' ? declared : (list.constraints?.maxItems ?? declared))
}

/** Returns the lengths that both lists can have. */
export function lengthsOf(one: List, other: List): readonly [fewest: number, most: number] {
  return [Math.max(fewest(one), fewest(other)), Math.min(most(one), most(other))]
}

/** True if two lists differ in length, or in an element that lists of both lengths must have. */
function areListsDisjoint(one: List, other: List, comparison: Comparison): boolean {
  const [least, limit] = lengthsOf(one, other)
  if (least > limit) return true
  return Array.from({ length: Math.min(least, declaredLength(one, other)) }).some((_, at) => {
    const [a, b] = [elementOf(one, at), elementOf(other, at)]
    return a !== undefined && b !== undefined && comparison.areDisjoint(a.type, b.type)
  })
}

/** The index from which on the element types of two lists no longer change. */
export function declaredLength(one: List, other: List): number {
  return Math.max(...[one, other].map((each) => (each.kind === 'tuple' ? each.elements.length : 0))) + 1
}

/** Returns a member by its name, declared or of an index signature; undefined if the type has no such member. */
export function fieldOf(type: Fields, name: string, types: TypesByName): InnerType | undefined {
  if (type.kind === 'map') return { type: isKey(type, name) ? type.value : rejectedType, required: false }
  const member = type.members.find((each) => each.name === name)
  if (!member) {
    const index = type.indexes?.findLast((each) => isKey(each, name))
    return index && { type: index.type, required: false }
  }
  if (member.optional) return optionalType(member.type)
  // Undefined, if it is a value of the member, is sent by leaving it out.
  return { type: member.type, required: rejectsUndefined(member.type, types) }
}

/** The type of a member that is rejected: a union without branches. */
const rejectedType: ModelType = { kind: 'union', branches: [] }

function isKey({ keys }: { readonly keys?: Keys }, name: string): boolean {
  return !keys || new RegExp(keys.pattern).test(name)
}

/** The names of the members that two objects declare. */
export function memberNamesOf(one: Fields, other: Fields): ReadonlySet<string> {
  return new Set([one, other].flatMap((each) => (each.kind === 'struct' ? each.members.map(({ name }) => name) : [])))
}

/**
 * Objects differ by a member that a value of both would have, with different types, or by required members that
 * the other one does not have.
 */
function relateFields(one: Fields, other: Fields, comparison: Comparison): Distinction {
  const { types } = comparison
  const pairs = [...memberNamesOf(one, other)].map(
    (name) => [fieldOf(one, name, types), fieldOf(other, name, types)] as const,
  )
  const shared = pairs.flatMap(([a, b]) => (a && b && (a.required || b.required) ? [[a.type, b.type] as const] : []))
  // Literals first: they decide in most unions, so that other members need not be compared.
  const isTag = ([a, b]: readonly [ModelType, ModelType]) => [a, b].every(({ kind }) => kind === 'literal')
  const isApart = ([a, b]: readonly [ModelType, ModelType]) => comparison.areDisjoint(a, b)
  if (shared.filter(isTag).some(isApart) || shared.some(isApart)) return 'disjoint'
  const hasOwn = pairs.some(([a, b]) => a?.required && !b)
  const otherHasOwn = pairs.some(([a, b]) => b?.required && !a)
  if (hasOwn && otherHasOwn) return 'disjoint'
  return hasOwn ? 'first' : otherHasOwn ? 'last' : 'overlapping'
}
