import { attempt, definitionOf, INVALID } from '../definition.js'
import { isPlain, type Struct, setMember } from '../predicates.js'
import { isOmitted, mayKeepList } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Value, Wire } from '../wire.js'
import { formOf } from './branches.js'
import { type Candidates, convertedTypes, type Group, type Inner, isOmittedIn, lowest, type Row } from './candidates.js'
import { COMPARISON, type Matcher } from './matcher.js'

// Converts a value while it is compared with the branches of its union, so that each object is visited once and nothing is remembered: lists and
// plain objects whose branches are lists, tuples and structs. An inner value is converted by all types that it matches. Where it turns out later that
// some of them are types only of branches which the outer value does not match, the whole is undecided, and converted by what remembers comparisons.

/** Returned for values and branches of another kind. */
export const UNDECIDED: unique symbol = Symbol('rpc-gen.undecided')

/** Returns the matcher for what is not converted in one pass: it remembers what it has compared. */
type RememberingMatcher = () => Matcher

/** One value at the outside, with the values in it. */
export class OnePass {
  readonly #matcher: Matcher
  readonly #wire: Wire
  readonly #remembering: RememberingMatcher | undefined
  /** True once a member was found that no matching branch has. */
  foundUnknownKeys = false
  /** The types that the value converted last matches; 0 if it matches none. */
  #types = 0

  /**
   * @param matcher compares scalars
   * @param remembering without it, whatever needs it is undecided
   */
  constructor(matcher: Matcher, remembering?: RememberingMatcher) {
    this.#matcher = matcher
    this.#wire = matcher.wire
    this.#remembering = remembering
  }

  /** True if the value that was converted last matches a type. */
  get matches(): boolean {
    return this.#types !== 0
  }

  /** Converts a list or an object by all candidates that it matches. `likely` are those that it matches on its surface. */
  convert(candidates: Candidates, value: Value, likely: number): unknown {
    const { structs, arrays, tuples, any, isPart } = candidates
    if (isPart) return UNDECIDED
    const others = likely & ~(structs | arrays | tuples)
    if (others !== 0) {
      if (others === likely && (likely & (likely - 1)) === 0) return this.#convertAlone(candidates, value, likely)
      // It becomes what its `toJSON()` returns.
      if ((others & ~any) !== 0 || (!this.#wire.decodes && value.toJSON !== undefined)) return UNDECIDED
    }
    this.#types = 0
    if (likely === 0) return undefined
    this.#wire.steps?.take(COMPARISON)
    return Array.isArray(value)
      ? this.#convertList(candidates, value, likely)
      : this.#convertStruct(candidates, value, likely)
  }

  /** Converts a value of one type. */
  #convertAlone({ types, any }: Candidates, value: Value, type: number): unknown {
    const wire = type === any ? this.#wire : this.#remembering?.().wire
    if (!wire) return UNDECIDED
    const converted = attempt(definitionOf(types[lowest(type)] as WireType), value, wire)
    this.#types = converted === INVALID ? 0 : type
    return converted
  }

  #convertList(candidates: Candidates, value: readonly unknown[], likely: number): unknown {
    const { tuples, types } = candidates
    const parts = new Parts(value.length)
    let inner = candidates.element(0)
    let left = likely
    for (let i = 0; i < value.length && left !== 0; i += 1) {
      if (tuples !== 0) inner = candidates.element(i)
      left = this.#keep(inner, value[i], left, i, parts)
    }
    for (let rest = left & candidates.constrained; rest !== 0; rest &= rest - 1) {
      const isMet = this.#remembering?.().meetsAsSent(types[lowest(rest)] as WireType, value)
      if (isMet === undefined) return UNDECIDED
      if (!isMet) left &= ~(rest & -rest)
    }
    if (parts.isUndecided) return UNDECIDED
    this.#types = left
    if (left === 0) return undefined
    const main = types[lowest(left)] as WireType
    let copy: unknown[] | undefined = mayKeepList(value, this.#wire) ? undefined : new Array(value.length)
    for (let i = 0; i < value.length; i += 1) {
      const item = value[i]
      if (tuples !== 0) inner = candidates.element(i)
      const converted =
        (item ?? null) === null && isOmittedElement(main, i, item, this.#wire)
          ? this.#wire.encodes
            ? null
            : undefined
          : this.#finish(inner, presentIn(inner, left, item, this.#wire), item, i, parts)
      if (copy === undefined && converted !== item) copy = value.slice()
      if (copy !== undefined) copy[i] = converted
    }
    if (parts.isUndecided) return UNDECIDED
    this.#types = left
    return copy ?? value
  }

  #convertStruct(candidates: Candidates, value: Struct, likely: number): unknown {
    const { decodes } = this.#wire
    if (!isPlain(value) || (!decodes && value['toJSON'] !== undefined)) return UNDECIDED
    const names = Object.keys(value)
    const parts = new Parts(names.length)
    let left = likely
    for (let i = 0; i < names.length && left !== 0; i += 1) {
      const name = names[i] as string
      const inner = candidates.member(name)
      if (value[name] === undefined) return UNDECIDED
      if (inner) left = this.#keep(inner, value[name], left, i, parts)
    }
    for (const { name, lenient } of candidates.required) {
      if ((left & lenient) !== 0 && !Object.hasOwn(value, name)) return UNDECIDED
    }
    if (parts.isUndecided) return UNDECIDED
    this.#types = left
    return left === 0 ? undefined : this.#merge(candidates, left, value, names, parts)
  }

  /** Sets the members in the order in which the first type, the second one, and so on, would. */
  #merge(candidates: Candidates, left: number, value: Struct, names: readonly string[], parts: Parts): unknown {
    const positions: number[] = []
    const kept: number[] = []
    let isInOrder = true
    const converted = names.map((name, i) => {
      const inner = candidates.member(name)
      const present = inner ? presentIn(inner, left, value[name], this.#wire) : 0
      if (!inner || (inner.branches & left) === 0) this.foundUnknownKeys = true
      if (!inner || present === 0) return undefined
      const branch = lowest(present)
      const position = branch * 2 ** 20 + (inner.positions[branch] as number)
      if (position < (positions.at(-1) ?? 0)) isInOrder = false
      positions.push(position)
      kept.push(i)
      return this.#finish(inner, present, value[name], i, parts)
    })
    if (parts.isUndecided) return UNDECIDED
    this.#types = left
    if (!isInOrder) {
      const order = kept.map((_i, k) => k).sort((a, b) => (positions[a] as number) - (positions[b] as number))
      return structOf(
        order.map((k) => kept[k] as number),
        names,
        converted,
      )
    }
    const isUnchanged =
      this.#wire.decodes &&
      kept.length === names.length &&
      converted.every((each, i) => each === value[names[i] as string]) &&
      Object.getPrototypeOf(value) === Object.prototype
    return isUnchanged ? value : structOf(kept, names, converted)
  }

  /** Returns the branches without those in which an inner value does not match. Converts it if it is a list or an object. */
  #keep(inner: Inner, value: unknown, left: number, index: number, parts: Parts): number {
    const among = left & inner.branches
    if (among === 0) return left
    if (typeof value !== 'object' || value === null) return this.#matcher.keep(inner, value, left, left)
    const form = formOf(value)
    if (form === 'other') return this.#matcher.keep(inner, value, left, left)
    const row = inner.row(form)
    const [candidates, more] = row.candidates
    if (!row.isExact || more) {
      parts.isUndecided = true
      return 0
    }
    const asked = typesOf(row, inner.groups, (group) => (group.branches & left) !== 0)
    const converted = candidates && this.convert(candidates, value, candidates.onSurface(value, this.#wire, asked))
    if (converted === UNDECIDED) {
      parts.isUndecided = true
      return 0
    }
    const types = candidates ? this.#types : 0
    parts.set(index, converted, types)
    let kept = left
    for (let i = 0; i < inner.groups.length; i += 1) {
      const branches = among & (inner.groups[i]?.branches ?? 0)
      if (branches !== 0 && (types & (row.masks[i]?.[0] ?? 0)) === 0) kept &= ~branches
    }
    return kept
  }

  /** Returns what an inner value becomes by its types in some branches. */
  #finish(inner: Inner, branches: number, value: Value, index: number, parts: Parts): unknown {
    const { groups } = inner
    const isAll = branches === inner.converting
    const matching = parts.typesOf(index)
    if (matching !== 0) {
      const isOf = (group: Group) => (group.converting & branches) !== 0
      const isUndecided = !isAll && (matching & ~typesOf(inner.row(formOf(value)), groups, isOf)) !== 0
      if (isUndecided) parts.isUndecided = true
      return parts.converted[index]
    }
    const types = isAll ? inner.types : convertedTypes(groups, branches)
    // An object that is a scalar, such as a Date.
    if (types.length > 1 && typeof value === 'object' && value !== null) parts.isUndecided = true
    return parts.isUndecided ? undefined : definitionOf(types[0] as WireType)(value, this.#wire)
  }
}

/** The inner values of one value that are lists and objects, as they are converted by all types that they match. */
class Parts {
  readonly #length: number
  converted: unknown[] = []
  #types: number[] = []
  /** True once an inner value is undecided. */
  isUndecided = false

  constructor(length: number) {
    this.#length = length
  }

  set(index: number, converted: unknown, types: number): void {
    if (this.converted.length === 0) {
      this.converted = new Array(this.#length)
      this.#types = new Array(this.#length).fill(0)
    }
    this.converted[index] = converted
    this.#types[index] = types
  }

  /** Returns the types that an inner value matches; 0 if it was not converted. */
  typesOf(index: number): number {
    return this.#types[index] ?? 0
  }
}

/** Returns those of the candidates of a row that are types of some groups. */
function typesOf({ masks }: Row, groups: readonly Group[], isWanted: (group: Group) => boolean): number {
  let types = 0
  for (let i = 0; i < groups.length; i += 1) if (isWanted(groups[i] as Group)) types |= masks[i]?.[0] ?? 0
  return types
}

function structOf(order: readonly number[], names: readonly string[], values: readonly unknown[]): Struct {
  const struct: Struct = {}
  for (const i of order) setMember(struct, names[i] as string, values[i])
  return struct
}

/** Returns the branches that convert an inner value, because it is not omitted in them. */
export function presentIn(inner: Inner, among: number, value: unknown, wire: Wire): number {
  const converting = inner.converting & among
  if ((value ?? null) !== null || converting === 0) return converting
  let present = 0
  for (const group of inner.groups) {
    if ((group.converting & among) !== 0 && !isOmittedIn(group, value, wire)) present |= group.converting & among
  }
  return present
}

/** True if an element of a tuple is omitted. */
export function isOmittedElement(type: WireType, index: number, item: Value, wire: Wire): boolean {
  const element = type.kind === 'tuple' && index >= type.required ? type.elements[index] : undefined
  return element !== undefined && isOmitted(element, item, wire)
}
