// The conversion: what a value becomes by all types that it matches, as `matcher.ts` has found them. It has the members that any of the types
// declares, and these are converted by all types that declare them, so that each part of a value is converted once.
//
//   { a: int } | { a: int; b?: Date },  { a: 1, b: '2026-01-01T00:00:00Z', c: 2 }  →  { a: 1, b: Date }
import { definitionOf, INVALID } from '../definition.js'
import { mapOf, setOf } from '../hash-loads.js'
import { flattenUnion } from '../inner-types.js'
import { isPlain, isStruct, memberOf, type Struct, setMember, structFrom } from '../predicates.js'
import { membersOfJson } from '../serialize-unknown.js'
import { isOmitted, mapKey, mayKeepList } from '../struct-types.js'
import type { WireType } from '../types.js'
import { COLLECTION_STEPS, type Value, type Wire } from '../wire.js'
import { formOf } from './branches.js'
import { type Candidates, type Inner, typesOf } from './candidates.js'
import { addMatches, Matches, partOf } from './found.js'
import { convertedTypes, isOmittedIn, lowest } from './groups.js'
import type { Matcher } from './matcher.js'

/** Converts the values of one union. */
export class Converter {
  readonly #matcher: Matcher
  readonly #wire: Wire
  /**
   * Where the first branch that has it sets the member that was converted last; negative for one that no branch has. Returned together with what the
   * member becomes, it would cost a tree of unions 6 %.
   */
  #position = -1

  constructor(matcher: Matcher, wire: Wire) {
    this.#matcher = matcher
    this.#wire = wire
  }

  /**
   * Converts a list or an object by the types that it matches.
   *
   * @param isMarked true if the protocol may need the type of what it becomes
   */
  convert(matches: Matches, value: Value, isMarked: boolean): unknown {
    const { results } = this.#matcher
    if (!results) return this.#convert(matches, value, isMarked)
    let key = `${isMarked}`
    for (let each: Matches | undefined = matches; each; each = each.next) key += ` ${each.candidates.id}:${each.bits}`
    return results.get(key, value, () => this.#convert(matches, value, isMarked))
  }

  #convert(all: Matches, value: Value, isMarked: boolean): unknown {
    const { markType } = this.#wire
    if (!isOne(all) && hasComposed(all)) return this.convert(this.#branchesOf(all, value), value, isMarked)
    const main = mainType(all)
    const form = resultForm(main, value, this.#wire)
    let matches = all
    if (!isOne(all)) {
      const isMerged = form === 'list' || form === 'struct'
      matches = isMerged ? ofForm(all, form, value, this.#wire) : onlyFirst(all)
    }
    const isSingle = isOne(matches)
    const converted = this.#convertTo(isSingle && main.kind === 'any' ? undefined : form, matches, value)
    return isMarked && isSingle && markType ? markType(converted, main, [main]) : converted
  }

  #convertTo(form: ResultForm, matches: Matches, value: Value): unknown {
    switch (form) {
      case 'list':
        return this.#convertElements(matches, value)
      case 'struct':
        return this.#convertMembers(matches, value)
      case 'Set':
        this.#wire.steps?.take(COLLECTION_STEPS)
        return setOf(this.#convertElements(matches, value), this.#wire.steps)
      case 'Map':
        this.#wire.steps?.take(COLLECTION_STEPS)
        return mapOf(this.#convertEntries(matches, value), this.#wire.steps)
      default:
        return definitionOf(mainType(matches))(value, this.#matcher.innerWire)
    }
  }

  /** Returns the branches of unions with constraints that a value matches, instead of these. */
  #branchesOf(all: Matches, value: object): Matches {
    const types: WireType[] = []
    for (let each: Matches | undefined = all; each; each = each.next) types.push(...typesOf(each))
    let first: Matches | undefined
    for (const each of all.candidates.family.matching(flattenUnion(types), formOf(value))) {
      first = addMatches(first, each.candidates, each.bits, this.#matcher.compare(each.candidates, value))
    }
    if (!first) throw INVALID
    return first
  }

  #convertElements(matches: Matches, value: Iterable<Value>): readonly unknown[] {
    const { encodes } = this.#wire
    const main = mainType(matches)
    const items: readonly Value[] = Array.isArray(value) ? value : [...value]
    let copy = items === value && mayKeepList(items, this.#wire) ? undefined : new Array<unknown>(items.length)
    for (let i = 0; i < items.length; i += 1) {
      const item = items[i]
      let converted: unknown
      if ((item ?? null) === null && isOmittedElement(main, i, item, this.#wire)) converted = encodes ? null : undefined
      else converted = this.#convertInner(matches, i, i, item, true)
      if (copy === undefined && converted !== item) copy = items.slice()
      if (copy !== undefined) copy[i] = converted
    }
    return copy ?? items
  }

  #convertEntries(matches: Matches, value: Value): [unknown, unknown][] {
    const type = mainType(matches)
    const keys = type.kind === 'map' ? type.keys : undefined
    const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
    return entries.map(([name, each], i) => [
      mapKey(name, keys, this.#wire),
      this.#convertInner(matches, String(name), value instanceof Map ? -1 : i, each, true),
    ])
  }

  /** Sets the members in the order in which the first type, the second one, and so on, would. */
  #convertMembers(matches: Matches, value: Value): Struct {
    const { decodes, encodes } = this.#wire
    const members: Struct = value instanceof Map ? structFrom(value) : value
    const sent = decodes ? members : (membersOfJson(members) ?? {})
    const isUsual = sent === value && isPlain(members)
    if (!isUsual) this.#matcher.remember()
    const own = Object.keys(sent)
    const names = withUnsent(own, matches, members, isUsual)
    const values = new Array<unknown>(names.length)
    const positions = new Array<number>(names.length)
    let isKept = isUsual && (decodes || encodes) && Object.getPrototypeOf(value) === Object.prototype
    let isInOrder = true
    let last = -1
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i] as string
      const isSent = i < own.length
      const inner = isSent && (isUsual || !isDeclared(name, matches)) ? sent[name] : memberOf(members, name)
      const converted = this.#convertInner(matches, name, isUsual ? i : -1, inner, isSent)
      const position = this.#position
      values[i] = converted
      positions[i] = position
      if (position < 0 ? isSent : !isSent || converted !== inner) isKept = false
      if (position < 0) continue
      if (position < last) isInOrder = false
      last = position
    }
    if (isKept && isInOrder) return value
    return structOf(names, values, positions, isInOrder)
  }

  /**
   * Converts the member or the element `key` by its types in the branches that have one. `index` is where what was found for it is; `isSent` is false
   * for a member that is not among those of the object.
   */
  #convertInner(matches: Matches, key: string | number, index: number, value: Value, isSent: boolean): unknown {
    return typeof value === 'object' && value !== null
      ? this.#convertComposite(matches, key, index, value, isSent)
      : this.#convertScalar(matches, key, value, isSent)
  }

  /** Converts a list or an object by all of its types together. */
  #convertComposite(matches: Matches, key: string | number, index: number, value: object, isSent: boolean): unknown {
    let position = -1
    let order = 0
    let inside: Matches | undefined
    let isMarked = true
    for (let each: Matches | undefined = matches; each; each = each.next) {
      const inner = innerAt(each.candidates, key)
      const present = inner ? inner.converting & branchesWith(inner, each, isSent) : 0
      if (inner && present !== 0) {
        if (position < 0) position = positionIn(inner, present, order)
        if (isOne(matches)) isMarked = isUnionIn(inner, present)
        inside = this.#matcher.addInner(inside, inner, present, value, partOf(each.found, index))
      }
      order += 1
    }
    if (position >= 0 && !inside) throw INVALID
    const converted = inside && this.convert(inside, value, isMarked)
    this.#position = position
    return converted
  }

  /** Converts a scalar by the first of its types. */
  #convertScalar(matches: Matches, key: string | number, value: Value, isSent: boolean): unknown {
    const wire = this.#wire
    this.#position = -1
    let order = 0
    let types: readonly WireType[] | undefined
    for (let each: Matches | undefined = matches; each; each = each.next) {
      const inner = innerAt(each.candidates, key)
      const present = inner ? presentIn(inner, branchesWith(inner, each, isSent), value, wire) : 0
      // The first type decides whether null is a value or omits the member, so that the result has its form: if each type decided for the members
      // that it declares, it could have that of none.
      if (value === null && order === 0 && inner && (inner.converting & lowestBit(each.bits) & ~present) !== 0) break
      if (inner && present !== 0) {
        if (this.#position < 0) {
          this.#position = positionIn(inner, present, order)
          if (inner.keepsScalars && !wire.markType) return value
        }
        const own = present === inner.converting ? inner.types : convertedTypes(inner.groups, present)
        types = types ? [...new Set([...types, ...own])] : own
      }
      order += 1
    }
    if (!types) return undefined
    const main = types[0] as WireType
    const converted = definitionOf(main)(value, wire)
    return isOne(matches) || !wire.markType ? converted : wire.markType(converted, main, types)
  }
}

/** Returns the types of a member or an element. */
function innerAt(candidates: Candidates, key: string | number): Inner | undefined {
  return typeof key === 'number' ? candidates.element(key) : candidates.member(key)
}

/** Returns the branches that a value matches and that may have an inner value: one that was not sent is in those that declare it. */
function branchesWith({ declared }: Inner, { bits }: Matches, isSent: boolean): number {
  return isSent ? bits : bits & declared
}

/** True if a value matches one type. */
function isOne({ bits, next }: Matches): boolean {
  return next === undefined && (bits & (bits - 1)) === 0
}

function lowestBit(bits: number): number {
  return bits & -bits
}

/** Returns the first type that a value matches. */
function mainType({ candidates, bits }: Matches): WireType {
  return candidates.types[lowest(bits)] as WireType
}

function onlyFirst({ candidates, bits, found }: Matches): Matches {
  return new Matches(candidates, lowestBit(bits), found)
}

function hasComposed(all: Matches): boolean {
  for (let each: Matches | undefined = all; each; each = each.next) {
    if ((each.bits & each.candidates.composed) !== 0) return true
  }
  return false
}

function positionIn(inner: Inner, branches: number, order: number): number {
  const branch = lowest(branches)
  return (order * 32 + branch) * 2 ** 20 + (inner.positions[branch] ?? 0)
}

/** True if the type of an inner value in a branch is a union. */
function isUnionIn({ groups }: Inner, branch: number): boolean {
  const group = groups.find(({ converting }) => (converting & branch) !== 0)
  let type = group?.type
  while (type?.kind === 'ref') type = type.type()
  return type?.kind === 'union'
}

/** What a value becomes: a list or an object, whose inner values are converted by several types; undefined for what one type makes of the whole. */
type ResultForm = 'list' | 'struct' | 'Set' | 'Map' | undefined

function resultForm({ kind }: WireType, value: Value, { decodes, encodes }: Wire): ResultForm {
  switch (kind) {
    case 'array':
    case 'tuple':
      return 'list'
    case 'set':
      return encodes ? 'list' : 'Set'
    case 'struct':
      return 'struct'
    case 'map':
      return encodes ? 'struct' : 'Map'
    case 'any':
      // It becomes what its `toJSON()` returns.
      if (!decodes && value.toJSON !== undefined) return undefined
      return Array.isArray(value) ? 'list' : isStruct(value) ? 'struct' : undefined
    default:
      return undefined
  }
}

/** Returns the matches by which a value has a form. */
function ofForm(all: Matches, form: 'list' | 'struct', value: Value, wire: Wire): Matches {
  let first: Matches | undefined
  for (let each: Matches | undefined = all; each; each = each.next) {
    const { candidates, bits, found } = each
    if (!first && !each.next && (bits & ~candidates.structs) === 0) return each
    first = addMatches(first, candidates, bits & bitsOfForm(candidates, form, value, wire), found)
  }
  return first as Matches
}

function bitsOfForm(candidates: Candidates, form: 'list' | 'struct', value: Value, wire: Wire): number {
  const { arrays, tuples, sets, structs, maps, any } = candidates
  const own = form === 'list' ? arrays | tuples | (wire.encodes ? sets : 0) : structs | (wire.encodes ? maps : 0)
  return own | (any !== 0 && resultForm({ kind: 'any' }, value, wire) === form ? any : 0)
}

/** Adds the names of members that were not sent but may be there: undefined ones, and those that an object inherits. */
function withUnsent(own: readonly string[], all: Matches, members: Struct, isUsual: boolean): readonly string[] {
  let names: Set<string> | undefined
  for (let each: Matches | undefined = all; each; each = each.next) {
    const { candidates, bits } = each
    for (const { name, lenient } of candidates.required) {
      if ((lenient & bits) !== 0 && !Object.hasOwn(members, name)) names = (names ?? new Set(own)).add(name)
    }
    if (!isUsual) for (const name of candidates.names) names = (names ?? new Set(own)).add(name)
  }
  return names ? [...names] : own
}

function isDeclared(name: string, all: Matches): boolean {
  for (let each: Matches | undefined = all; each; each = each.next) {
    if (((each.candidates.member(name)?.declared ?? 0) & each.bits) !== 0) return true
  }
  return false
}

/** Returns an object with the members that have a position. */
function structOf(
  names: readonly string[],
  values: readonly unknown[],
  positions: readonly number[],
  isInOrder: boolean,
): Struct {
  const struct: Struct = {}
  if (isInOrder) {
    for (let i = 0; i < names.length; i += 1) {
      if ((positions[i] as number) >= 0) setMember(struct, names[i] as string, values[i])
    }
    return struct
  }
  const order: number[] = []
  for (let i = 0; i < names.length; i += 1) if ((positions[i] as number) >= 0) order.push(i)
  order.sort((a, b) => (positions[a] as number) - (positions[b] as number))
  for (const i of order) setMember(struct, names[i] as string, values[i])
  return struct
}

/** Returns the branches that convert an inner value, because it is not omitted in them. */
function presentIn(inner: Inner, among: number, value: unknown, wire: Wire): number {
  const converting = inner.converting & among
  if ((value ?? null) !== null || converting === 0) return converting
  let present = 0
  for (const group of inner.groups) {
    if ((group.converting & among) !== 0 && !isOmittedIn(group, value, wire)) present |= group.converting & among
  }
  return present
}

/** True if an element of a tuple is omitted. */
function isOmittedElement(type: WireType, index: number, item: Value, wire: Wire): boolean {
  const element = type.kind === 'tuple' && index >= type.required ? type.elements[index] : undefined
  return element !== undefined && isOmitted(element, item, wire)
}
