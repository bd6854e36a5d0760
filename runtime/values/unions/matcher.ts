import { type Constraints, type Test, testOf, ValueKeys } from '../constraints.js'
import { attempt, definitionOf, INVALID } from '../definition.js'
import { flattenUnion, literalPosition, manyBranchesOf, regExp, SHORT } from '../inner-types.js'
import { PairCache } from '../pair-cache.js'
import { isBytes, isDate, isInt, isNumber, isPlain, memberOf, type Struct } from '../predicates.js'
import { membersOfJson } from '../serialize-unknown.js'
import { isMapKey, mayKeepList } from '../struct-types.js'
import type { WireType } from '../types.js'
import { isSendableUrl, parseUrl } from '../url.js'
import type { Type, TypeMatcher, Value, Wire } from '../wire.js'
import { formOf, keepsElements } from './branches.js'
import { type Candidates, type Group, type Inner, innerOf, isOmittedIn, lowest } from './candidates.js'

// Decides which types a value has, without converting it and without an exception: a union with several branches that may match, an
// explanation and the search for unknown keys ask about many types that do not.
//
//     matcher.matches({ kind: 'array', element: { kind: 'int' } }, [1, 'x']) → false

type Composite = Extract<WireType, { kind: 'array' | 'set' | 'tuple' | 'struct' | 'map' }>

/** An object is remembered if it contains so many others that are not: to compare it again takes longer than to find it. */
const MIN_WORK = 4

/** How many steps it is to compare a list or an object with a table, which has up to 30 types. */
export const COMPARISON = 4

/** How many steps it is to convert a list or an object to decide, besides what is inside of it. */
const CONVERSION = 32

/**
 * Decides whether values on one wire are of a type. With `remembers` it compares each object with the same candidates once: a type that
 * contains itself in several branches asks about the same object once for each of them, at every level.
 */
export class Matcher implements TypeMatcher {
  /** The wire whose unions ask this matcher. */
  readonly wire: Wire
  readonly #remembers: boolean
  readonly #matches = new Map<Candidates, Map<object, number>>()
  readonly #patterns = new PairCache<WireType, boolean>()
  readonly #results = new PairCache<Type | string, unknown>()
  /** Set if it has found a list that JSON.stringify would call a method of. */
  foundMethods = false
  /** True once it has converted an object to decide. */
  converts = false
  /** How many objects it has compared since it remembered one that contains them. */
  #work = 0

  constructor(wire: Wire, remembers: boolean) {
    this.wire = wire.with({ matcher: this, keys: remembers ? new ValueKeys(wire.steps) : undefined })
    this.#remembers = remembers
  }

  /** True if the value is of the type. */
  matches(type: WireType, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#matchesAlone(type, value)
    const { candidates, masks } = innerOf(type).row(formOf(value))
    const [own = []] = masks
    return candidates.some((each, k) => (this.match(each, value) & (own[k] as number)) !== 0)
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
        return this.#matchesAny(flattenUnion([type]), value) && this.#meets(type, value)
      case 'custom':
        return this.#isConverted(type, value)
      default:
        // Patterns may take long.
        if (!this.#remembers || type.constraints?.pattern === undefined) return matchesScalar(type, value, this.wire)
        return this.#patterns.get(type, value, () => matchesScalar(type, value, this.wire))
    }
  }

  #matchesAny(branches: readonly WireType[], value: unknown): boolean {
    if (branches.length <= SHORT) {
      for (const branch of branches) if (this.matches(branch, value)) return true
      return false
    }
    const many = manyBranchesOf(branches)
    if (literalPosition(many, value, this.wire) !== undefined) return true
    this.wire.steps?.take(many.others.length)
    for (const i of many.others) if (this.matches(branches[i] as WireType, value)) return true
    return false
  }

  /** Returns the candidates that a value matches; `likely` are those that it matches on its surface. */
  match(candidates: Candidates, value: unknown, likely?: number): number {
    if (typeof value !== 'object' || value === null) return this.#matchAlone(candidates, value, candidates.all)
    if (!this.#remembers) return this.#compare(candidates, value, likely)
    let known = this.#matches.get(candidates)
    if (!known) {
      known = new Map<object, number>()
      this.#matches.set(candidates, known)
    }
    const before = known.get(value)
    if (before !== undefined) return before
    const work = this.#work
    const matching = this.#compare(candidates, value, likely)
    if (this.#work - work < MIN_WORK && !candidates.isPart) return matching
    known.set(value, matching)
    this.#work = work + 1
    return matching
  }

  /** Returns those of some candidates that match, each compared by itself. */
  #matchAlone({ types }: Candidates, value: unknown, among: number): number {
    let left = among
    for (let rest = among; rest !== 0; rest &= rest - 1) {
      const i = lowest(rest)
      if (!this.#matchesAlone(types[i] as WireType, value)) left &= ~(1 << i)
    }
    return left
  }

  #compare(candidates: Candidates, value: object, likely = candidates.onSurface(value, this.wire)): number {
    const { single, constrained, types } = candidates
    this.wire.steps?.take(COMPARISON)
    this.#work += 1
    let left = likely
    left = isList(value) ? this.#matchItems(candidates, value, left) : this.#matchMembers(candidates, value, left)
    if ((left & single) !== 0) left &= ~single | this.#matchAlone(candidates, value, left & single)
    for (let rest = left & constrained; rest !== 0; rest &= rest - 1) {
      const i = lowest(rest)
      if (!this.#meets(types[i] as WireType, value)) left &= ~(1 << i)
    }
    return left
  }

  #matchItems(candidates: Candidates, value: readonly unknown[] | ReadonlySet<unknown>, among: number): number {
    const { arrays, tuples, sets } = candidates
    const lists = arrays | tuples | sets
    const isUniform = tuples === 0
    let inner = candidates.element(0)
    let left = among
    if (Array.isArray(value)) {
      if (!mayKeepList(value, this.wire)) this.foundMethods = true
      for (let i = 0; i < value.length; i += 1) {
        if ((left & lists) === 0) return left
        if (!isUniform) inner = candidates.element(i)
        left = this.keep(inner, value[i], left, lists)
      }
    } else {
      for (const item of value) left = this.keep(inner, item, left, lists)
    }
    return left
  }

  #matchMembers(candidates: Candidates, value: object, among: number): number {
    const { structs, maps, indexed, types, names, required } = candidates
    let left = among
    if ((left & (structs | maps)) === 0) return left
    if ((left & maps) !== 0) {
      // Of a map, JavaScript may have keys of any type.
      const keys = value instanceof Map ? [...value.keys()] : Object.keys(value)
      types.forEach((type, i) => {
        if (type.kind === 'map' && !keys.every((key) => isMapKey(key, type.keys, this.wire))) left &= ~(1 << i)
      })
    }
    if (value instanceof Map) {
      for (const [key, each] of value) {
        const inner = candidates.member(String(key))
        if (inner) left = this.keep(inner, each, left, maps)
      }
      return left
    }
    const struct = value as Struct
    const sent = (left & indexed) !== 0 && !this.wire.decodes ? membersOfJson(struct) : struct
    if (!sent) left &= ~indexed
    const isUsual = isPlain(struct) && (sent ?? struct) === struct
    for (const name of isUsual ? Object.keys(struct) : names) {
      if ((left & (structs | maps)) === 0) return left
      const inner = candidates.member(name)
      if (!inner) continue
      const there = isUsual ? struct[name] : memberOf(struct, name)
      left = this.keep(inner, there, left, isUsual ? structs | maps : inner.declared)
    }
    for (const { name, lenient } of required) {
      if ((left & lenient) === 0 || !isUsual || Object.hasOwn(struct, name)) continue
      left = this.keep(candidates.member(name) as Inner, undefined, left, lenient)
    }
    if (isUsual || !sent) return left
    for (const name of Object.keys(sent)) {
      const inner = candidates.member(name)
      if (inner) left = this.keep(inner, sent[name], left, indexed & ~inner.declared)
    }
    return left
  }

  /** Returns the branches without those of `among` in which an inner value does not match. */
  keep(inner: Inner, value: unknown, left: number, among: number): number {
    const { groups, branches } = inner
    const asked = left & among
    if ((asked & branches) === 0) return left
    const [first] = groups
    const isScalar = typeof value !== 'object' || value === null
    if (first && groups.length === 1 && isScalar) {
      return isOmittedIn(first, value, this.wire) || this.#matchesAlone(first.type, value)
        ? left
        : left & ~(asked & branches)
    }
    const { candidates, masks, isExact } = inner.row(formOf(value))
    const [only, more] = candidates
    // A type of very many literals knows them by their values.
    if ((more || !isExact) && isScalar) return this.#keepScalar(inner, value, left, asked)
    const matching =
      candidates.length === 1 && only ? this.match(only, value) : candidates.map((each) => this.match(each, value))
    let kept = left
    for (let i = 0; i < groups.length; i += 1) {
      const group = groups[i] as Group
      const rejected = asked & group.branches
      if (rejected === 0 || isOmittedIn(group, value, this.wire)) continue
      const mask = masks[i] as readonly number[]
      const isMatch =
        typeof matching === 'number'
          ? (matching & (mask[0] as number)) !== 0
          : mask.some((each, k) => (each & (matching[k] as number)) !== 0)
      if (!isMatch) kept &= ~rejected
    }
    return kept
  }

  #keepScalar({ groups }: Inner, value: unknown, left: number, asked: number): number {
    let kept = left
    for (const group of groups) {
      const rejected = asked & group.branches
      if (rejected === 0 || isOmittedIn(group, value, this.wire)) continue
      if (!this.#matchesAlone(group.type, value)) kept &= ~rejected
    }
    return kept
  }

  /** True if a value of a type, which may have inner values, meets the constraints. */
  #meets(type: WireType, value: unknown): boolean {
    if (!type.constraints) return true
    return this.meetsAsSent(type, value) ?? this.#isConverted(type, value)
  }

  /** True if a value of a type meets its constraints; undefined if it has to be converted to decide. */
  meetsAsSent(type: WireType, value: unknown): boolean | undefined {
    const isDecided = Array.isArray(value) && type.kind !== 'set' && this.#isDecided(type, value)
    return isDecided ? test(type.constraints ?? {}, value, this.wire.keys) : undefined
  }

  /** True if a list meets constraints as what it is converted to does: this has the same length, and perhaps the same equal elements. */
  #isDecided(type: WireType, { length }: readonly unknown[]): boolean {
    return !type.constraints?.uniqueItems || length < 2 || this.wire.encodes || keepsElements(type)
  }

  #isConverted(type: WireType, value: unknown): boolean {
    if (typeof value === 'object') {
      this.wire.steps?.take(CONVERSION)
      this.converts = true
      this.#work += MIN_WORK
    }
    return attempt(definitionOf(type), value, this.wire) !== INVALID
  }

  convertOnce<T>(type: Type<T>, value: Value): T {
    if (!this.#remembers || !this.converts) return type(value, this.wire)
    const result = this.#results.get(type, value, () => attempt(type, value, this.wire)) as T | typeof INVALID
    if (result === INVALID) throw INVALID
    return result
  }

  /** Returns what `convert` makes of an object as the types of a key; once if the matcher remembers. */
  convertOnceAs<T>(key: string, value: Value, convert: () => T): T {
    return this.#remembers ? (this.#results.get(key, value, convert) as T) : convert()
  }
}

/** Returns the matcher of the union in which a wire is. */
export function matcherOf({ matcher }: Wire): Matcher | undefined {
  return matcher instanceof Matcher ? matcher : undefined
}

function isList(value: object): value is readonly unknown[] | ReadonlySet<unknown> {
  return Array.isArray(value) || value instanceof Set
}

type Scalar = Exclude<WireType, Composite | { kind: 'ref' | 'union' | 'custom' }>

function matchesScalar(type: Scalar, value: unknown, wire: Wire): boolean {
  const read = readScalar(type, value, wire)
  return read !== INVALID && (type.constraints === undefined || test(type.constraints, wire.encodes ? value : read))
}

/** Returns the TypeScript value of a scalar without constraints, or INVALID if the value is not of the type. */
function readScalar(type: Scalar, value: unknown, wire: Wire): unknown {
  switch (type.kind) {
    case 'any':
      return value
    case 'int':
      return isInt(value) ? value : INVALID
    case 'double':
    case 'number':
      return isNumber(value) ? value : INVALID
    case 'string':
    case 'boolean':
      return typeof value === type.kind ? value : INVALID
    case 'null':
      return value === null ? value : INVALID
    case 'undefined':
    case 'void':
      return value === undefined || (value === null && wire.decodes) ? value : INVALID
    case 'literal':
      return value === type.value ? value : INVALID
    case 'template':
      return typeof value === 'string' && regExp(type.pattern).test(value) ? value : INVALID
    case 'date': {
      const date = wire.decodes ? wire.scalars.readDate(value) : value
      return isDate(date) ? date : INVALID
    }
    case 'bigint': {
      const integer = wire.decodes ? wire.scalars.readBigint(value) : value
      return typeof integer === 'bigint' && (type.value === undefined || type.value === `${integer}`)
        ? integer
        : INVALID
    }
    case 'bytes': {
      const bytes = wire.decodes ? wire.scalars.readBytes(value, type.as) : value
      return isBytes(bytes, type.as) ? bytes : INVALID
    }
    case 'url':
      if (!wire.decodes) return isSendableUrl(value) ? value : INVALID
      // Its limits of length, which are tested first, count what is sent.
      if (typeof value !== 'string' || (type.constraints && !test(type.constraints, value))) return INVALID
      return parseUrl(value) ?? INVALID
  }
}

const tests = /* @__PURE__ */ new WeakMap<Constraints, Test>()

function test(constraints: Constraints, value: unknown, keys?: ValueKeys): boolean {
  let made = tests.get(constraints)
  if (!made) {
    made = testOf(constraints)
    tests.set(constraints, made)
  }
  return made(value, keys)
}
