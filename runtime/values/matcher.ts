import { type Constraints, type Test, testOf, ValueKeys } from '../schema/constraints.js'
import { attempt, definitionOf, INVALID } from './definition.js'
import { PairCache } from './pair-cache.js'
import { isBytes, isDate, isInt, isNumber, isPlain, isStruct, memberOf, type Struct } from './predicates.js'
import { membersOfJson } from './serialize-unknown.js'
import { isMapKey, isOmitted } from './struct-types.js'
import type { LazyType, Member, StructType, TupleType, UnionType, WireType } from './types.js'
import { flattenSent, flattenUnion, matchesKeys, membersByName, regExp, structByTag } from './unions.js'
import { isSendableUrl, parseUrl } from './url.js'
import type { Type, TypeMatcher, Value, Wire } from './wire.js'

// Decides which types a value has, without converting it and without an exception: a union with several branches that may match, an
// explanation and the search for unknown keys ask about many types that do not.
//
//     matcher.matches({ kind: 'array', element: { kind: 'int' } }, [1, 'x']) → false

type Composite = Extract<WireType, { kind: 'array' | 'set' | 'tuple' | 'struct' | 'map' }>

/** Two bits for each type: not decided, matches, does not match. */
const BITS = 2
const MATCHES = 1
const DIFFERS = 2
/** Small integers have 31 bits. */
const TYPES_PER_NUMBER = 15

/**
 * Decides whether values on one wire are of a type. With `remembers` it decides each pair of a type and an object once: a type that
 * contains itself in several branches asks about the same object once for each of them, at every level.
 */
export class Matcher implements TypeMatcher {
  /** The wire whose unions ask this matcher. */
  readonly wire: Wire
  readonly #remembers: boolean
  readonly #numbers = new Map<WireType, number>()
  /** Decisions by object, for 15 types each. */
  readonly #decisions: Map<object, number>[] = []
  readonly #patterns = new PairCache<WireType, boolean>()
  readonly #results = new PairCache<Type | string, unknown>()
  /** True once it has converted an object to decide. */
  #converts = false

  constructor(wire: Wire, remembers: boolean) {
    this.wire = wire.with({ matcher: this, keys: remembers ? new ValueKeys() : undefined })
    this.#remembers = remembers
  }

  /** True if the value is of the type. */
  matches(type: WireType, value: unknown): boolean {
    switch (type.kind) {
      case 'array':
      case 'set':
      case 'tuple':
      case 'struct':
      case 'map':
        return typeof value === 'object' && value !== null && this.#matchesObject(type, value)
      case 'ref':
        return this.matches(type.type(), value) && this.#meets(type, value)
      case 'union':
        return this.#matchesUnion(type, value) && this.#meets(type, value)
      case 'custom':
        return this.#isConverted(type, value)
      default:
        // Patterns may take long.
        if (!this.#remembers || type.constraints?.pattern === undefined) return matchesScalar(type, value, this.wire)
        return this.#patterns.get(type, value, () => matchesScalar(type, value, this.wire))
    }
  }

  #matchesUnion(type: UnionType<LazyType>, value: unknown): boolean {
    if (type.discriminant !== undefined && isStruct(value)) {
      const branch = structByTag(type, type.discriminant, value)
      return branch !== undefined && this.matches(branch, value)
    }
    for (const branch of flattenUnion([type])) if (this.matches(branch, value)) return true
    return false
  }

  #matchesObject(type: Composite, value: object): boolean {
    if (!this.#remembers || !hasInnerObject(value)) return this.#decide(type, value)
    const number = this.#numberOf(type)
    const at = Math.floor(number / TYPES_PER_NUMBER)
    const shift = (number % TYPES_PER_NUMBER) * BITS
    this.#decisions[at] ??= new Map()
    const decisions = this.#decisions[at]
    const known = ((decisions.get(value) ?? 0) >> shift) & (MATCHES | DIFFERS)
    if (known !== 0) return known === MATCHES
    const isMatch = this.#decide(type, value)
    decisions.set(value, (decisions.get(value) ?? 0) | ((isMatch ? MATCHES : DIFFERS) << shift))
    return isMatch
  }

  #numberOf(type: WireType): number {
    const known = this.#numbers.get(type)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(type, number)
    return number
  }

  #decide(type: Composite, value: object): boolean {
    this.wire.steps?.take()
    return this.#hasForm(type, value) && this.#meets(type, value)
  }

  /** True if the value is of the type without its constraints. */
  #hasForm(type: Composite, value: object): boolean {
    const { decodes } = this.wire
    switch (type.kind) {
      case 'array':
        return Array.isArray(value) && this.#matchEach(type.element, value)
      case 'set':
        return (
          (decodes ? Array.isArray(value) : value instanceof Set) &&
          this.#matchEach(type.element, value as Set<unknown>)
        )
      case 'tuple':
        return Array.isArray(value) && this.#matchesTuple(type, value)
      case 'struct':
        return isStruct(value) && this.#matchesStruct(type, value)
      case 'map': {
        if (decodes ? !isStruct(value) : !(value instanceof Map)) return false
        for (const [key, each] of decodes ? Object.entries(value) : (value as Map<unknown, unknown>)) {
          if (!isMapKey(key, type.keys, this.wire) || !this.matches(type.value, each)) return false
        }
        return true
      }
    }
  }

  #matchEach(type: WireType, items: Iterable<unknown>): boolean {
    for (const item of items) if (!this.matches(type, item)) return false
    return true
  }

  #matchesTuple(type: TupleType<LazyType>, value: readonly unknown[]): boolean {
    if (!mayMatchTuple(type, value, this.wire)) return false
    for (let i = 0; i < value.length; i += 1) {
      const element = (type.elements[i] ?? type.rest) as WireType
      const isOptional = i >= type.required && i < type.elements.length
      if (isOptional && isOmitted(element, value[i], this.wire)) continue
      if (!this.matches(element, value[i])) return false
    }
    return true
  }

  #matchesStruct(type: StructType<LazyType>, value: Struct): boolean {
    if (!mayMatchStruct(type, value, this.wire)) return false
    const declared = membersByName(type)
    const indexed = type.indexes && !this.wire.decodes ? membersOfJson(value) : value
    if (!indexed) return false
    // Of many optional members a value may have few.
    const others = isPlain(value) ? requiredMembers(type) : type.members
    for (const member of others) {
      if (!Object.hasOwn(value, member.name) && !this.#matchesMember(member, memberOf(value, member.name))) return false
    }
    for (const name of Object.keys(value)) {
      const member = declared.get(name)
      if (member && !this.#matchesMember(member, value[name])) return false
    }
    for (const name of type.indexes ? Object.keys(indexed) : []) {
      if (!declared.has(name) && !this.#matchesIndexes(type, name, indexed[name])) return false
    }
    return true
  }

  #matchesMember({ type, optional }: Member, value: unknown): boolean {
    return (optional && isOmitted(type, value, this.wire)) || this.matches(type, value)
  }

  #matchesIndexes({ indexes = [] }: StructType<LazyType>, name: string, value: unknown): boolean {
    for (const { keys, type } of indexes) if (matchesKeys(keys, name) && !this.matches(type, value)) return false
    return true
  }

  /** True if a value of a type, which may have inner values, meets the constraints. */
  #meets(type: WireType, value: unknown): boolean {
    const { constraints } = type
    if (!constraints) return true
    // Converting a list does not change its length.
    if (Array.isArray(value) && type.kind !== 'set' && !constraints.uniqueItems) return test(constraints, value)
    return this.#isConverted(type, value)
  }

  #isConverted(type: WireType, value: unknown): boolean {
    if (typeof value === 'object') this.#converts = true
    return attempt(definitionOf(type), value, this.wire) !== INVALID
  }

  convertOnce<T>(type: Type<T>, value: Value): T {
    if (!this.#remembers) return type(value, this.wire)
    const result = this.#results.get(type, value, () => attempt(type, value, this.wire)) as T | typeof INVALID
    if (result === INVALID) throw INVALID
    return result
  }

  convertOnceAs<T>(types: readonly WireType[], value: Value, convert: () => T): T {
    if (!this.#remembers || !this.#converts) return convert()
    const numbers = types.map((type) => this.#numberOf(type))
    return this.#results.get(numbers.join(), value, convert) as T
  }
}

function hasInnerObject(value: object): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) if (typeof value[i] === 'object' && value[i] !== null) return true
    return false
  }
  if (!isStruct(value)) return true
  for (const name in value) if (typeof value[name] === 'object' && value[name] !== null) return true
  return false
}

/** False if a value cannot be of a type, by what is on its surface: required members, the length of a tuple, literals in either. */
export function mayMatch(type: WireType, value: unknown, wire: Wire): boolean {
  switch (type.kind) {
    case 'ref':
      return mayMatch(type.type(), value, wire)
    case 'tuple':
      return Array.isArray(value) && mayMatchTuple(type, value, wire)
    case 'struct':
      return isStruct(value) && mayMatchStruct(type, value, wire)
    default:
      return true
  }
}

function mayMatchTuple(
  { elements, required, rest }: TupleType<LazyType>,
  value: readonly unknown[],
  wire: Wire,
): boolean {
  if (value.length < required || (!rest && value.length > elements.length)) return false
  for (let i = 0; i < required; i += 1) {
    const element = elements[i] as WireType
    if (element.kind === 'literal' && !matchesScalar(element, value[i], wire)) return false
  }
  return true
}

function mayMatchStruct(type: StructType<LazyType>, value: Struct, wire: Wire): boolean {
  for (const { name, type: each, mayBeUndefined } of requiredMembers(type)) {
    const there = memberOf(value, name)
    if (there === undefined ? !mayBeUndefined : each.kind === 'literal' && !matchesScalar(each, there, wire))
      return false
  }
  return true
}

interface RequiredMember extends Member {
  readonly mayBeUndefined: boolean
}

/** A cache: types never change. */
const requiredOfStructs = /* @__PURE__ */ new WeakMap<StructType<LazyType>, readonly RequiredMember[]>()

function requiredMembers(type: StructType<LazyType>): readonly RequiredMember[] {
  const known = requiredOfStructs.get(type)
  if (known) return known
  const required = type.members
    .filter(({ optional }) => !optional)
    .map((member) => ({ ...member, mayBeUndefined: flattenSent([member.type]).some(isUndefinedType) }))
  requiredOfStructs.set(type, required)
  return required
}

function isUndefinedType({ kind }: WireType): boolean {
  return kind === 'any' || kind === 'undefined' || kind === 'void'
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

function test(constraints: Constraints, value: unknown): boolean {
  let made = tests.get(constraints)
  if (!made) {
    made = testOf(constraints)
    tests.set(constraints, made)
  }
  return made(value)
}
