// The comparison: which types a value has, all branches of a union at once, without converting it and without an exception. It goes through a value
// once, and remembers for each list and object which types match it, so that `convert.ts` does not compare again. Explanations and the search for
// unknown keys, which ask about many types that a value does not have, use it too.
//
//   matcher.matches({ kind: 'array', element: { kind: 'int' } }, [1, 'x'])  →  false
import { PairCache } from '../cache.js'
import { ValueKeys } from '../constraints.js'
import { attempt, definitionOf, INVALID } from '../definition.js'
import { flattenUnion, SHORT } from '../inner-types.js'
import { isObject, isPlain, memberOf, type Struct } from '../predicates.js'
import { membersOfJson } from '../serialize-unknown.js'
import { isMapKey } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Definition, StepLimit, TypeMatcher, Value, Wire } from '../wire.js'
import { formOf, keepsElements, literalPosition, manyBranchesOf } from './branches.js'
import { type Candidates, type Inner, innerOf, type Row } from './candidates.js'
import { addMatches, bitsIn, Comparison, type Found, foundIn, type Matches, type Part } from './found.js'
import { isOmittedIn, lowest } from './groups.js'
import { matchesScalar, meetsAll } from './scalar.js'

/** An object is remembered if it contains so many others that are not: to compare it again takes longer than to find it. */
const MIN_WORK = 4

/** How many steps it is to compare a list or an object with a table, which has up to 30 types, and with one of several tables. */
const COMPARISON = 8
const COMPARISON_OF_PART = 24

/** How many steps it is to convert a list or an object to decide, besides what is inside of it. */
const CONVERSION = 48

/** How many steps it is to find the types of an inner value in several tables, or in another order than that of a table. */
const SEARCH = 64

/**
 * What a matcher is for: `test` one comparison; `convert` a value, for which it keeps what it finds inside of the value; `search` for the reasons of
 * a mismatch, or for unknown keys: it is called for many types of the same objects, and remembers them.
 */
type Purpose = 'test' | 'convert' | 'search'

/** Decides whether values on one wire are of a type. */
export class Matcher implements TypeMatcher {
  readonly #plain: Wire
  readonly #steps: StepLimit | undefined
  readonly #keepsParts: boolean
  /** True if an object is compared with the same candidates once. */
  #remembers: boolean
  #inside: Wire | undefined
  #matches: Map<Candidates, Map<object, Found>> | undefined
  #patterns: PairCache<WireType, boolean> | undefined
  /** What objects were converted to, by a definition or by a list of types; made when one is converted to decide. */
  results: PairCache<Definition | string, unknown> | undefined
  /** How many objects it has compared since it remembered one that contains them. */
  #work = 0

  /** @param steps what limits its work; default: what limits that of the wire */
  constructor(wire: Wire, purpose: Purpose, steps: StepLimit | undefined = wire.steps) {
    this.#plain = wire
    this.#steps = steps
    this.#remembers = purpose === 'search'
    this.#keepsParts = purpose === 'convert'
  }

  /** The wire whose unions ask this matcher. */
  get wire(): Wire {
    this.#inside ??= this.#plain.with({ matcher: this, keys: new ValueKeys(this.#steps), steps: this.#steps })
    return this.#inside
  }

  /** The wire for definitions of lists and objects. */
  get innerWire(): Wire {
    return this.#remembers ? this.wire : this.#plain
  }

  /** Counts steps towards the limit of the request. */
  take(steps: number): void {
    this.#steps?.take(steps)
  }

  /** Remembers comparisons from now on: objects are compared again. */
  remember(): void {
    this.#remembers = true
  }

  /** True if the value is of the type. */
  matches(type: WireType, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#matchesAlone(type, value)
    const { candidates, masks } = innerOf(type).row(formOf(value))
    return candidates.some((each, k) => (bitsIn(this.compare(each, value)) & (masks[k]?.[0] ?? 0)) !== 0)
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
        // Patterns may take long, and URLs.
        if (!this.#remembers || (type.kind !== 'url' && type.constraints?.pattern === undefined))
          return matchesScalar(type, value, this.#plain)
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
    if (!this.#remembers && !candidates.isPart) {
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

  /**
   * Adds the types that an inner value matches, of those that it has in some branches. `part` is what was found for it, if it has been compared.
   */
  addInner(
    first: Matches | undefined,
    inner: Inner,
    branches: number,
    value: object,
    part: Part | undefined,
  ): Matches | undefined {
    const form = formOf(value)
    const row = inner.row(form)
    const bits = inner.inOneSet(row, branches)
    const [only] = row.candidates
    if (bits !== undefined && only) {
      return addMatches(first, only, bits, part === undefined ? this.compare(only, value, bits) : foundIn(part, 0))
    }
    this.take(SEARCH)
    let all = first
    for (const { candidates, bits, at } of inner.matching(form, branches)) {
      const found = part === undefined ? this.compare(candidates, value, bits) : foundIn(part, at)
      all = addMatches(all, candidates, bits, found)
    }
    return all
  }

  /** Compares a list or an object with those of some candidates that it matches on its surface. */
  compareLikely(candidates: Candidates, value: object, likely: number): Found {
    this.take(candidates.isPart ? COMPARISON_OF_PART : COMPARISON)
    this.#work += 1
    if (likely === 0) return 0
    const found = isList(value)
      ? this.#compareItems(candidates, value, likely)
      : this.#compareMembers(candidates, value, likely)
    this.#compareWhole(candidates, value, found)
    return found.parts === undefined || found.bits === 0 ? found.bits : found
  }

  /** Compares a value with the candidates that do not consist of members or elements, and with constraints. */
  #compareWhole(candidates: Candidates, value: object, found: Comparison): void {
    const { single, composed, constrained, types } = candidates
    if ((found.bits & single) !== 0) {
      // Its branches are compared with the same value once more.
      if ((found.bits & composed) !== 0) this.remember()
      found.bits &= ~single | this.#matchEach(candidates, value, found.bits & single)
    }
    for (let rest = found.bits & constrained; rest !== 0; rest &= rest - 1) {
      if (!this.#meets(types[lowest(rest)] as WireType, value)) found.bits &= ~(rest & -rest)
    }
  }

  /** Returns those of some candidates that match, each compared by itself. */
  #matchEach({ types }: Candidates, value: unknown, among: number): number {
    let left = among
    for (let rest = among; rest !== 0; rest &= rest - 1) {
      if (!this.#matchesAlone(types[lowest(rest)] as WireType, value)) left &= ~(rest & -rest)
    }
    return left
  }

  #compareItems(candidates: Candidates, value: readonly unknown[] | ReadonlySet<unknown>, likely: number): Comparison {
    const lists = candidates.arrays | candidates.tuples | candidates.sets
    const items = Array.isArray(value) ? value : [...value]
    const found = new Comparison(likely, this.#keepsParts ? items.length : 0)
    let inner = candidates.element(0)
    for (let i = 0; i < items.length && (found.bits & lists) !== 0; i += 1) {
      if (candidates.tuples !== 0) inner = candidates.element(i)
      this.#compareInner(inner, items[i], lists, found, i)
    }
    return found
  }

  #compareMembers(candidates: Candidates, value: object, likely: number): Comparison {
    const { structs, maps, indexed } = candidates
    let left = likely
    if ((left & maps) !== 0) left = this.#keepKeys(candidates, value, left)
    if ((left & (structs | maps)) === 0) return new Comparison(left, 0)
    if (value instanceof Map) return this.#compareEntries(candidates, value, left)
    const struct = value as Struct
    const sent = (left & indexed) !== 0 && !this.#plain.decodes ? membersOfJson(struct) : struct
    if (!sent) left &= ~indexed
    return isPlain(struct) && (sent ?? struct) === struct
      ? this.#compareOwn(candidates, struct, left)
      : this.#compareInherited(candidates, struct, sent ?? {}, left)
  }

  #compareEntries(candidates: Candidates, value: ReadonlyMap<unknown, unknown>, likely: number): Comparison {
    this.remember()
    const found = new Comparison(likely, 0)
    for (const [key, each] of value) {
      const inner = candidates.member(String(key))
      if (inner) this.#compareInner(inner, each, candidates.maps, found)
    }
    return found
  }

  /** Compares the members of an object that inherits none. */
  #compareOwn(candidates: Candidates, struct: Struct, likely: number): Comparison {
    const having = candidates.structs | candidates.maps
    const names = Object.keys(struct)
    const found = new Comparison(likely, this.#keepsParts ? names.length : 0)
    for (let i = 0; i < names.length && (found.bits & having) !== 0; i += 1) {
      const name = names[i] as string
      const inner = candidates.member(name)
      if (inner) this.#compareInner(inner, struct[name], having, found, i)
    }
    for (const { name, lenient } of candidates.required) {
      if ((found.bits & lenient) === 0 || Object.hasOwn(struct, name)) continue
      this.#compareInner(candidates.member(name) as Inner, undefined, lenient, found)
    }
    return found
  }

  /** Compares the members of an instance of a class, and of an object with `toJSON()`: `sent` is what index signatures send. */
  #compareInherited(candidates: Candidates, struct: Struct, sent: Struct, likely: number): Comparison {
    this.remember()
    const found = new Comparison(likely, 0)
    for (const name of candidates.names) {
      const inner = candidates.member(name) as Inner
      this.#compareInner(inner, memberOf(struct, name), inner.declared, found)
    }
    for (const name of Object.keys(sent)) {
      const inner = candidates.member(name)
      if (inner) this.#compareInner(inner, sent[name], candidates.indexed & ~inner.declared, found)
    }
    return found
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

  /** Removes the branches of `among` in which an inner value does not match, and keeps what was found for it at an index. */
  #compareInner(inner: Inner, value: unknown, among: number, found: Comparison, index = 0): void {
    const asked = found.bits & inner.branches
    const rejectable = asked & among
    if (rejectable === 0) return
    if (typeof value !== 'object' || value === null) {
      found.bits &= ~this.#rejectScalar(inner, value, rejectable)
      return
    }
    const row = inner.row(formOf(value))
    const { candidates } = row
    const part =
      candidates.length === 1
        ? this.compare(candidates[0] as Candidates, value, typesInBranches(inner, row, asked))
        : candidates.map((each) => this.compare(each, value))
    found.keep(index, part)
    found.bits &= ~(rejectable & rejectedIn(inner, row, part))
  }

  /** Returns the branches of `among` in which a value that is not an object does not match. */
  #rejectScalar(inner: Inner, value: unknown, among: number): number {
    const { groups } = inner
    let mask: readonly number[] | undefined
    let matching = 0
    if (groups.length > 1) {
      const { candidates, masks, isExact } = inner.row(formOf(value))
      const [only, more] = candidates
      // A type of very many literals knows them by their values.
      if (isExact && !more) {
        mask = masks[0] ?? []
        matching = only ? this.#matchEach(only, value, only.all) : 0
      }
    }
    let rejected = 0
    for (let i = 0; i < groups.length; i += 1) {
      const group = groups[i]
      if (!group || (among & group.branches) === 0 || isOmittedIn(group, value, this.#plain)) continue
      const isMatch = mask ? (matching & (mask[i] ?? 0)) !== 0 : this.#matchesAlone(group.type, value)
      if (!isMatch) rejected |= among & group.branches
    }
    return rejected
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
    if (isObject(value)) {
      this.take(CONVERSION)
      this.remember()
      this.results ??= new PairCache()
      this.#work += MIN_WORK
    }
    return attempt(definitionOf(type), value, this.wire) !== INVALID
  }

  convertOnce<T>(type: Definition<T>, value: Value): T {
    if (!this.results) return type(value, this.wire)
    const result = this.results.get(type, value, () => attempt(type, value, this.wire))
    if (result === INVALID) throw INVALID
    return result as T
  }
}

/** Returns the matcher of the union in which a wire is. */
export function matcherOf({ matcher }: Wire): Matcher | undefined {
  return matcher instanceof Matcher ? matcher : undefined
}

function isList(value: object): value is readonly unknown[] | ReadonlySet<unknown> {
  return Array.isArray(value) || value instanceof Set
}

/** Returns the types that an inner value has in some branches, of the only candidates for it. */
function typesInBranches({ groups }: Inner, { masks: [mask = []] }: Row, branches: number): number {
  let bits = 0
  for (let i = 0; i < groups.length; i += 1) {
    if (((groups[i]?.branches ?? 0) & branches) !== 0) bits |= mask[i] ?? 0
  }
  return bits
}

/** Returns the branches that have a type for an inner value which it does not match. */
function rejectedIn({ groups }: Inner, { masks }: Row, part: Part): number {
  let rejected = 0
  for (let i = 0; i < groups.length; i += 1) {
    const isMatch = Array.isArray(part)
      ? part.some((found, k) => (bitsIn(found) & (masks[k]?.[i] ?? 0)) !== 0)
      : (bitsIn(part as Found) & (masks[0]?.[i] ?? 0)) !== 0
    if (!isMatch) rejected |= groups[i]?.branches ?? 0
  }
  return rejected
}
