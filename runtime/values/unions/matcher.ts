// The comparison: which types a value has, all branches of a union at once, without converting it and without an exception. It goes through a value
// once, and remembers for each list and object which types match it, so that `convert.ts` does not compare again. Explanations and the search for
// unknown keys, which ask about many types that a value does not have, use it too.
//
//   matcher.matches({ kind: 'array', element: { kind: 'int' } }, [1, 'x'])  →  false
import { ValueKeys } from '../constraints.js'
import { attempt, definitionOf, INVALID } from '../definition.js'
import { flattenUnion, literalPosition, manyBranchesOf, SHORT } from '../inner-types.js'
import { PairCache } from '../pair-cache.js'
import { isPlain, memberOf, type Struct } from '../predicates.js'
import { membersOfJson } from '../serialize-unknown.js'
import { isMapKey, mayKeepList } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Type, TypeMatcher, Value, Wire } from '../wire.js'
import { formOf, keepsElements } from './branches.js'
import { type Candidates, type Inner, innerOf } from './candidates.js'
import { isOmittedIn, lowest } from './groups.js'
import { matchesScalar, meetsAll } from './scalar.js'

/** What was found for a list or an object: the candidates that it matches and, if there are others in it, what was found for these. */
export type Found = number | FoundInside

/** What was found for a value inside of another one: by candidates, if there are several. */
export type Part = Found | readonly Found[]

class FoundInside {
  readonly types: number
  /** By element, or by the position of the name among those of the object. */
  readonly parts: readonly (Part | undefined)[]

  constructor(types: number, parts: readonly (Part | undefined)[]) {
    this.types = types
    this.parts = parts
  }
}

/** Returns the candidates that a value matches. */
export function typesIn(found: Found): number {
  return typeof found === 'number' ? found : found.types
}

/** Returns what was found for an inner value; undefined if it has to be compared. */
export function partOf(found: Found, index: number): Part | undefined {
  return typeof found === 'number' ? undefined : found.parts[index]
}

/** An object is remembered if it contains so many others that are not: to compare it again takes longer than to find it. */
const MIN_WORK = 4

/** How many steps it is to compare a list or an object with a table, which has up to 30 types, and with one of several tables. */
const COMPARISON = 4
const COMPARISON_OF_PART = 24

/** How many steps it is to convert a list or an object to decide, besides what is inside of it. */
const CONVERSION = 48

/** Decides whether values on one wire are of a type. */
export class Matcher implements TypeMatcher {
  readonly #plain: Wire
  readonly #keepsParts: boolean
  /** True if an object is compared with the same candidates once. */
  #remembers: boolean
  #inside: Wire | undefined
  #matches: Map<Candidates, Map<object, Found>> | undefined
  #patterns: PairCache<WireType, boolean> | undefined
  #results: PairCache<Type | string, unknown> | undefined
  /** True if it has found a list that JSON.stringify would call a method of. */
  foundMethods = false
  /** True once it has converted an object to decide: results are remembered from then on. */
  converts = false
  /** How many objects it has compared since it remembered one that contains them. */
  #work = 0
  /** What was found for the inner value that was compared last. */
  #part: Part | undefined
  /** What was found for the inner values of the value that was compared last. */
  #parts: readonly (Part | undefined)[] | undefined

  /**
   * @param remembers for callers that ask about many types of the same objects
   * @param keepsParts false if what was found inside of a value is not needed
   */
  constructor(wire: Wire, remembers: boolean, keepsParts = false) {
    this.#plain = wire
    this.#remembers = remembers
    this.#keepsParts = keepsParts
  }

  /** The wire whose unions ask this matcher. */
  get wire(): Wire {
    this.#inside ??= this.#plain.with({ matcher: this, keys: new ValueKeys(this.#plain.steps) })
    return this.#inside
  }

  /** The wire for definitions of lists and objects. */
  get innerWire(): Wire {
    return this.#remembers || this.converts ? this.wire : this.#plain
  }

  /** Counts steps towards the limit of the request. */
  take(steps: number): void {
    this.#plain.steps?.take(steps)
  }

  /** Remembers comparisons from now on: objects are compared again. */
  remember(): void {
    this.#remembers = true
  }

  /** True if the value is of the type. */
  matches(type: WireType, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#matchesAlone(type, value)
    const { candidates, masks } = innerOf(type).row(formOf(value))
    return candidates.some((each, k) => (typesIn(this.compare(each, value)) & (masks[k]?.[0] ?? 0)) !== 0)
  }

  /** Compares a value with a type that is not an array, a tuple, a set, a struct or a map, or that is not of the form of the value. */
  #matchesAlone(type: WireType, value: unknown): boolean {
    switch (type.kind) {
      case 'array':
      case 'set':
      case 'tuple':
      case 'struct':
      case 'map':
        return false
      case 'ref':
        return this.matches(type.type(), value) && this.#meets(type, value)
      case 'union':
        return this.firstOf(flattenUnion([type]), value) !== undefined && this.#meets(type, value)
      case 'custom':
        return this.#isConverted(type, value)
      default:
        // Patterns may take long.
        if (!this.#remembers || type.constraints?.pattern === undefined) return matchesScalar(type, value, this.#plain)
        this.#patterns ??= new PairCache()
        return this.#patterns.get(type, value, () => matchesScalar(type, value, this.#plain))
    }
  }

  /** Returns the position of the first type that a value matches; the literals of very many types are found by the value. */
  firstOf(types: readonly WireType[], value: unknown): number | undefined {
    if (types.length <= SHORT) {
      for (let i = 0; i < types.length; i += 1) if (this.matches(types[i] as WireType, value)) return i
      return undefined
    }
    const many = manyBranchesOf(types)
    const at = literalPosition(many, value, this.#plain) ?? types.length
    this.take(many.others.length)
    const other = many.others.find((i) => i > at || this.matches(types[i] as WireType, value)) ?? at
    return at === other && at === types.length ? undefined : Math.min(at, other)
  }

  /** Compares a list or an object with candidates, of which those in `among` are asked for. */
  compare(candidates: Candidates, value: object, among: number = candidates.all): Found {
    if (!this.#remembers && !this.converts && !candidates.isPart) {
      return this.compareLikely(candidates, value, candidates.onSurface(value, this.#plain, among))
    }
    this.#matches ??= new Map()
    let known = this.#matches.get(candidates)
    if (!known) {
      known = new Map()
      this.#matches.set(candidates, known)
    }
    const before = known.get(value)
    if (before !== undefined) return before
    const work = this.#work
    const found = this.compareLikely(candidates, value, candidates.onSurface(value, this.#plain))
    if (this.#work - work < MIN_WORK && !candidates.isPart) return found
    known.set(value, found)
    this.#work = work + 1
    return found
  }

  /** Compares a list or an object with those of some candidates that it matches on its surface. */
  compareLikely(candidates: Candidates, value: object, likely: number): Found {
    this.take(candidates.isPart ? COMPARISON_OF_PART : COMPARISON)
    this.#work += 1
    if (likely === 0) return 0
    let left = isList(value)
      ? this.#compareItems(candidates, value, likely)
      : this.#compareMembers(candidates, value, likely)
    const parts = this.#parts
    this.#parts = undefined
    const { single, composed, constrained, types } = candidates
    if ((left & single) !== 0) {
      // Its branches are compared with the same value once more.
      if ((left & composed) !== 0) this.#remembers = true
      left &= ~single | this.#matchAlone(candidates, value, left & single)
    }
    for (let rest = left & constrained; rest !== 0; rest &= rest - 1) {
      if (!this.#meets(types[lowest(rest)] as WireType, value)) left &= ~(rest & -rest)
    }
    return parts === undefined || left === 0 ? left : new FoundInside(left, parts)
  }

  /** Returns those of some candidates that match, each compared by itself. */
  #matchAlone({ types }: Candidates, value: unknown, among: number): number {
    let left = among
    for (let rest = among; rest !== 0; rest &= rest - 1) {
      if (!this.#matchesAlone(types[lowest(rest)] as WireType, value)) left &= ~(rest & -rest)
    }
    return left
  }

  #compareItems(candidates: Candidates, value: readonly unknown[] | ReadonlySet<unknown>, among: number): number {
    const lists = candidates.arrays | candidates.tuples | candidates.sets
    const items = Array.isArray(value) ? value : [...value]
    if (items === value && !mayKeepList(items, this.#plain)) this.foundMethods = true
    let parts: (Part | undefined)[] | undefined
    let inner = candidates.element(0)
    let left = among
    for (let i = 0; i < items.length && (left & lists) !== 0; i += 1) {
      if (candidates.tuples !== 0) inner = candidates.element(i)
      left = this.#keep(inner, items[i], left, lists)
      if (this.#part !== undefined) parts = this.#withPart(parts ?? new Array(items.length), i)
    }
    this.#parts = parts
    return left
  }

  #withPart(parts: (Part | undefined)[], index: number): (Part | undefined)[] {
    parts[index] = this.#part
    this.#part = undefined
    return parts
  }

  #compareMembers(candidates: Candidates, value: object, among: number): number {
    const { structs, maps, indexed, names, required } = candidates
    let left = among
    if ((left & maps) !== 0) left = this.#keepKeys(candidates, value, left)
    if ((left & (structs | maps)) === 0) return left
    if (value instanceof Map) {
      this.remember()
      for (const [key, each] of value) {
        const inner = candidates.member(String(key))
        if (inner) left = this.#keep(inner, each, left, maps)
      }
      this.#part = undefined
      return left
    }
    const struct = value as Struct
    const sent = (left & indexed) !== 0 && !this.#plain.decodes ? membersOfJson(struct) : struct
    if (!sent) left &= ~indexed
    if (isPlain(struct) && (sent ?? struct) === struct) {
      let parts: (Part | undefined)[] | undefined
      const all = Object.keys(struct)
      for (let i = 0; i < all.length && (left & (structs | maps)) !== 0; i += 1) {
        const name = all[i] as string
        const inner = candidates.member(name)
        if (!inner) continue
        left = this.#keep(inner, struct[name], left, structs | maps)
        if (this.#part !== undefined) parts = this.#withPart(parts ?? new Array(all.length), i)
      }
      this.#parts = parts
      for (const { name, lenient } of required) {
        if ((left & lenient) === 0 || Object.hasOwn(struct, name)) continue
        left = this.#keep(candidates.member(name) as Inner, undefined, left, lenient)
      }
      return left
    }
    this.remember()
    for (const name of names) {
      const inner = candidates.member(name) as Inner
      left = this.#keep(inner, memberOf(struct, name), left, inner.declared)
    }
    for (const name of Object.keys(sent ?? {})) {
      const inner = candidates.member(name)
      if (inner) left = this.#keep(inner, sent?.[name], left, indexed & ~inner.declared)
    }
    this.#part = undefined
    return left
  }

  /** Returns the candidates without Maps that do not have the keys of a value. In JavaScript, these may be of any type. */
  #keepKeys({ maps, types }: Candidates, value: object, among: number): number {
    const keys = value instanceof Map ? [...value.keys()] : Object.keys(value)
    let left = among
    for (let rest = among & maps; rest !== 0; rest &= rest - 1) {
      const type = types[lowest(rest)]
      if (type?.kind === 'map' && !keys.every((key) => isMapKey(key, type.keys, this.#plain))) left &= ~(rest & -rest)
    }
    return left
  }

  /** Returns the branches without those of `among` in which an inner value does not match. */
  #keep(inner: Inner, value: unknown, left: number, among: number): number {
    const { groups } = inner
    const asked = left & inner.branches
    const rejectable = asked & among
    if (rejectable === 0) return left
    if (typeof value !== 'object' || value === null) return this.#keepScalar(inner, value, left, rejectable)
    const { candidates, masks } = inner.row(formOf(value))
    const [only] = candidates
    let kept = left
    if (only && candidates.length === 1) {
      const mask = masks[0] as readonly number[]
      let types = 0
      for (let i = 0; i < groups.length; i += 1) {
        if (((groups[i]?.branches ?? 0) & asked) !== 0) types |= mask[i] as number
      }
      const found = this.compare(only, value, types)
      if (this.#keepsParts) this.#part = found
      const matching = typesIn(found)
      for (let i = 0; i < groups.length; i += 1) {
        if (((mask[i] as number) & matching) === 0) kept &= ~(rejectable & (groups[i]?.branches ?? 0))
      }
      return kept
    }
    const found = candidates.map((each) => this.compare(each, value))
    if (this.#keepsParts && found.length > 0) this.#part = found
    groups.forEach(({ branches }, i) => {
      const isMatch = found.some((each, k) => (typesIn(each) & (masks[k]?.[i] ?? 0)) !== 0)
      if (!isMatch) kept &= ~(rejectable & branches)
    })
    return kept
  }

  #keepScalar(inner: Inner, value: unknown, left: number, rejectable: number): number {
    const { groups } = inner
    let matching: number | undefined
    let mask: readonly number[] = []
    if (groups.length > 1) {
      const { candidates, masks, isExact } = inner.row(formOf(value))
      const [only, more] = candidates
      // A type of very many literals knows them by their values.
      if (isExact && !more) {
        mask = masks[0] ?? []
        matching = only ? this.#matchAlone(only, value, only.all) : 0
      }
    }
    let kept = left
    for (let i = 0; i < groups.length; i += 1) {
      const group = groups[i]
      if (!group || (rejectable & group.branches) === 0 || isOmittedIn(group, value, this.#plain)) continue
      const isMatch = matching === undefined ? this.#matchesAlone(group.type, value) : (matching & (mask[i] ?? 0)) !== 0
      if (!isMatch) kept &= ~(rejectable & group.branches)
    }
    return kept
  }

  /** True if a value of a type, which may have inner values, meets the constraints. */
  #meets(type: WireType, value: unknown): boolean {
    const { constraints } = type
    if (!constraints) return true
    if (!Array.isArray(value) || type.kind === 'set' || !this.#isDecided(type, value))
      return this.#isConverted(type, value)
    return meetsAll(value, constraints, constraints.uniqueItems ? this.wire.keys : undefined)
  }

  /** True if a list meets constraints as what it is converted to does: this has the same length, and perhaps the same equal elements. */
  #isDecided(type: WireType, { length }: readonly unknown[]): boolean {
    return !type.constraints?.uniqueItems || length < 2 || this.#plain.encodes || keepsElements(type)
  }

  #isConverted(type: WireType, value: unknown): boolean {
    if (typeof value === 'object') {
      this.take(CONVERSION)
      this.converts = true
      this.#work += MIN_WORK
    }
    return attempt(definitionOf(type), value, this.wire) !== INVALID
  }

  convertOnce<T>(type: Type<T>, value: Value): T {
    if (!this.converts) return type(value, this.wire)
    const result = this.convertOnceAs(type, value, () => attempt(type, value, this.wire))
    if (result === INVALID) throw INVALID
    return result
  }

  /** Returns what `convert` makes of an object, once for each key after an object was converted to decide. */
  convertOnceAs<T>(key: Type | string, value: Value, convert: () => T): T {
    if (!this.converts) return convert()
    this.#results ??= new PairCache()
    return this.#results.get(key, value, convert) as T
  }
}

/** Returns the matcher of the union in which a wire is. */
export function matcherOf({ matcher }: Wire): Matcher | undefined {
  return matcher instanceof Matcher ? matcher : undefined
}

function isList(value: object): value is readonly unknown[] | ReadonlySet<unknown> {
  return Array.isArray(value) || value instanceof Set
}
