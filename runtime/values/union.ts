import {
  convertInner,
  define,
  definitionOf,
  INVALID,
  isRecursive,
  membersInOrder,
  reaches,
  typeOf,
} from './definition.js'
import { Matcher, mayMatch } from './matcher.js'
import { isPlain, isStruct, member, memberOf, type Struct, setMember } from './predicates.js'
import { membersOfJson } from './serialize-unknown.js'
import { isOmitted, mayKeepList, structFrom } from './struct-types.js'
import type { LazyType, StructType, WireType } from './types.js'
import { elementTypes, flattenUnion, hasNull, indexByTag, matchesKeys, membersByName, memberType } from './unions.js'
import type { Type, TypeMatcher, Value, Wire } from './wire.js'

/**
 * One of several types. `tag` is the member whose literal selects a struct. Without it, all branches that accept a value contribute
 * the members that they declare.
 */
export function union(branches: readonly Type[], tag?: string): Type {
  let selection: Selection | undefined
  let isNested: boolean | undefined
  const convert = (value: Value, wire: Wire): Value => {
    selection ??= select(convert, branches, tag)
    if (tag !== undefined && isStruct(value)) {
      const branch = selection.byTag.get(tag in Object.prototype ? member(value, tag) : value[tag])
      if (branch) return convertInner(branch, value, wire)
      throw INVALID
    }
    if (value === null && selection.hasNull) return null
    const candidates = selection.byForm[formOf(value)]
    const [only] = candidates
    if (only && candidates.length === 1) return convertInner(only, value, wire)
    isNested ??= branches.some((branch) => isRecursive(branch) || reaches(branch, triesBranches))
    return convertByMatches(candidates, value, wire, isNested)
  }
  trials.set(convert, () => {
    selection ??= select(convert, branches, tag)
    const { byForm } = selection
    return byForm.list.length > 1 || (tag === undefined && byForm.struct.length > 1)
  })
  return define(
    convert,
    () => ({ kind: 'union', branches: branches.map(typeOf), ...(tag !== undefined && { discriminant: tag }) }),
    () => branches,
  )
}

/** Unions that may try several branches for an object. */
const trials = /* @__PURE__ */ new WeakMap<Type, () => boolean>()

function triesBranches(type: Type): boolean {
  return trials.get(type)?.() ?? false
}

/** The JavaScript type of a value; `other` is null, undefined, a bigint, and an object of a class that is a scalar on the wire. */
type Form = 'string' | 'number' | 'boolean' | 'list' | 'struct' | 'other'

function formOf(value: Value): Form {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value as Form
    case 'object':
      if (Array.isArray(value) || value instanceof Set) return 'list'
      return isStruct(value) || value instanceof Map ? 'struct' : 'other'
    default:
      return 'other'
  }
}

/** The only form that values of a kind have; absent for kinds whose form depends on the wire. */
const formOfKind: { readonly [Kind in WireType['kind']]?: Form } = {
  string: 'string',
  template: 'string',
  int: 'number',
  double: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  set: 'list',
  tuple: 'list',
  struct: 'struct',
  map: 'struct',
  null: 'other',
  undefined: 'other',
  void: 'other',
}

/** Which branches to try for which values. */
interface Selection {
  readonly hasNull: boolean
  readonly byTag: ReadonlyMap<unknown, Type>
  readonly byForm: Readonly<Record<Form, readonly Type[]>>
}

function select(type: Type, branches: readonly Type[], tag: string | undefined): Selection {
  const withForm = (form: Form) => branches.filter((branch) => mayHaveForm(typeOf(branch), form))
  return {
    hasNull: hasNull(typeOf(type)),
    byTag: tag === undefined ? new Map() : indexByTag(branches, tag, typeOf),
    byForm: {
      string: withForm('string'),
      number: withForm('number'),
      boolean: withForm('boolean'),
      list: withForm('list'),
      struct: withForm('struct'),
      other: withForm('other'),
    },
  }
}

function mayHaveForm(type: WireType, form: Form): boolean {
  return flattenUnion([type]).some((each) => {
    const only = each.kind === 'literal' ? (typeof each.value as Form) : formOfKind[each.kind]
    return only === undefined || only === form
  })
}

/** Converts a value by the branches that it matches. `isNested`: they are recursive, or contain further unions of several branches. */
function convertByMatches(branches: readonly Type[], value: Value, wire: Wire, isNested: boolean): unknown {
  if (typeof value === 'object') {
    const types = leavesOf(branches).filter((type) => mayMatch(type, value, wire))
    if (types.length === 1) return definitionOf(types[0] as WireType)(value, wire)
    const matcher = wire.matcher ?? (isNested ? new Matcher(wire, true) : plainMatcher(wire))
    if (!types.some(isComposed)) {
      const merged = isNested ? undefined : mergeResults(types, value, matcher)
      return merged ?? convertMatching(types, value, matcher)
    }
    const matching = types.filter((type) => !isComposed(type) || matcher.matches(type, value))
    return convertMatching(flattenUnion(matching), value, matcher)
  }
  const matcher = plainMatcher(wire)
  for (const branch of branches) if (matcher.matches(typeOf(branch), value)) return convertInner(branch, value, wire)
  throw INVALID
}

/**
 * Converts a value by the structs that it matches, and returns the members of all results; undefined for other types, and for results that
 * differ in a member. For structs that contain no further unions this takes a third of looking for the types of each member.
 */
function mergeResults(types: readonly WireType[], value: Value, matcher: TypeMatcher): Struct | undefined {
  if (!types.every((type) => type.kind === 'struct' && !type.indexes)) return undefined
  let merged: Struct | undefined
  for (const type of types) {
    if (!matcher.matches(type, value)) continue
    const result = convertBy(type, value, matcher) as Struct
    if (merged && !hasEqualMembers(merged, result)) return undefined
    merged = merged ? Object.assign(merged, result) : result
  }
  if (!merged) throw INVALID
  return merged
}

/** False also for a member that Object.assign does not copy. */
function hasEqualMembers(one: Struct, other: Struct): boolean {
  for (const name of Object.keys(other)) {
    if (Object.hasOwn(one, name) && !Object.is(one[name], other[name])) return false
  }
  return !Object.hasOwn(other, '__proto__')
}

const plainMatchers = /* @__PURE__ */ new WeakMap<Wire, Matcher>()

/** Returns the matcher of a wire that remembers nothing, for unions whose branches contain no further ones. */
function plainMatcher(wire: Wire): Matcher {
  const known = plainMatchers.get(wire)
  if (known) return known
  const made = new Matcher(wire, false)
  plainMatchers.set(wire, made)
  return made
}

const leaves = /* @__PURE__ */ new WeakMap<readonly Type[], readonly WireType[]>()

/** Returns the types of branches, those of named types and unions instead of these, unless they have constraints of their own. */
function leavesOf(branches: readonly Type[]): readonly WireType[] {
  const known = leaves.get(branches)
  if (known) return known
  const made = new Set(branches.map(typeOf).flatMap((type) => (type.constraints ? [type] : flattenUnion([type]))))
  leaves.set(branches, [...made])
  return [...made]
}

function isComposed({ kind }: WireType): boolean {
  return kind === 'ref' || kind === 'union'
}

/** Converts a value that is known to match all of several types. */
function convertAs(types: readonly WireType[], value: Value, matcher: TypeMatcher): unknown {
  if (typeof value !== 'object' || value === null) return convertBy(types[0] as WireType, value, matcher)
  return convertMatching(types.length > 1 ? flattenUnion(types) : types, value, matcher)
}

/**
 * Converts an object by the types that it matches: it has the members that any of them declares, and these are converted by all types
 * that declare them. So each part of a value is converted once. Throws INVALID if it matches none.
 */
function convertMatching(types: readonly WireType[], value: Value, matcher: TypeMatcher): unknown {
  return matcher.convertOnceAs(types, value, () => convertObject(types, value, matcher))
}

function convertObject(types: readonly WireType[], value: Value, matcher: TypeMatcher): unknown {
  if (types.length === 1) return convertBy(types[0] as WireType, value, matcher)
  const { wire } = matcher
  const matching = types.filter((type) => matcher.matches(type, value))
  const [main] = matching
  if (!main) throw INVALID
  const form = resultForm(main, value, wire)
  const merged = matching.filter((type) => resultForm(type, value, wire) === form)
  if (form === undefined || merged.length === 1) return convertBy(main, value, matcher)
  return form === 'list' ? mergeElements(merged, value, matcher) : mergeMembers(merged, value, matcher)
}

function convertBy(type: WireType, value: Value, { wire }: TypeMatcher): unknown {
  return definitionOf(type)(value, wire)
}

/** What a value becomes: a list or a struct, whose inner values can be merged, or undefined. */
function resultForm({ kind }: WireType, value: Value, { decodes, encodes }: Wire): 'list' | 'struct' | undefined {
  switch (kind) {
    case 'array':
    case 'tuple':
      return 'list'
    case 'set':
      return encodes ? 'list' : undefined
    case 'struct':
      return 'struct'
    case 'map':
      return encodes ? 'struct' : undefined
    case 'any':
      // It becomes what its `toJSON()` returns.
      if (!decodes && value.toJSON !== undefined) return undefined
      return Array.isArray(value) ? 'list' : isStruct(value) ? 'struct' : undefined
    default:
      return undefined
  }
}

function mergeElements(types: readonly WireType[], value: Iterable<Value>, matcher: TypeMatcher): readonly unknown[] {
  const { wire } = matcher
  const shared = types.every(({ kind }) => kind !== 'tuple') && elementTypes(types, 0)
  const convertElement = (item: Value, i: number) => {
    if ((item ?? null) === null && isOmittedElement(types[0] as WireType, i, item, wire)) {
      return wire.encodes ? null : undefined
    }
    return convertAs(shared || elementTypes(types, i), item, matcher)
  }
  const converted = Array.from(value, convertElement)
  if (!Array.isArray(value) || !mayKeepList(value, wire)) return converted
  return converted.every((each, i) => each === value[i]) ? value : converted
}

function isOmittedElement(type: WireType, index: number, item: Value, wire: Wire): boolean {
  const element = type.kind === 'tuple' && index >= type.required ? type.elements[index] : undefined
  return element !== undefined && isOmitted(element, item, wire)
}

/** Sets the members in the order in which the first type, the second one, and so on, would. */
function mergeMembers(types: readonly WireType[], value: Value, matcher: TypeMatcher): Struct {
  const { wire } = matcher
  const members: Struct = value instanceof Map ? structFrom(value) : value
  const others = wire.decodes ? members : (membersOfJson(members) ?? {})
  const merged: Struct = {}
  for (const [name, declared] of typesOfMembers(types, members, others, wire)) {
    const isDeclared = types.some((type) => type.kind === 'struct' && membersByName(type).has(name))
    setMember(merged, name, convertAs(declared, isDeclared ? memberOf(members, name) : others[name], matcher))
  }
  return merged
}

/** Returns the types of the members that a value has, as any of the types sees it. */
function typesOfMembers(
  types: readonly WireType[],
  value: Struct,
  others: Struct,
  wire: Wire,
): ReadonlyMap<string, WireType[]> {
  const all = new Map<string, WireType[]>()
  for (const each of types) {
    for (const name of namesOf(each, value, others)) {
      const type = typeOfMember(each, name, memberOf(value, name), others, wire)
      const known = all.get(name)
      if (!type || known?.includes(type)) continue
      if (known) known.push(type)
      else all.set(name, [type])
    }
  }
  return all
}

/** Returns the type of a member that a value has as a type sees it; undefined for one that is omitted or not declared. */
function typeOfMember(type: WireType, name: string, there: unknown, others: Struct, wire: Wire): WireType | undefined {
  const declared = type.kind === 'struct' ? membersByName(type).get(name) : undefined
  if (!declared) return Object.hasOwn(others, name) ? memberType(type, name) : undefined
  return declared.optional && isOmitted(declared.type, there, wire) ? undefined : declared.type
}

/** Returns the names of the members that a value may have as a type sees it; some of them twice. */
function namesOf(type: WireType, value: Struct, others: Struct): Iterable<string> {
  if (type.kind !== 'struct') return Object.keys(others)
  const declared = declaredNames(type, value)
  if (!type.indexes) return declared
  const names = Object.keys(others)
  return [...declared, ...type.indexes.flatMap(({ keys }) => names.filter((name) => matchesKeys(keys, name)))]
}

/** Of many optional members a value may have few: they are not looked for, unless they may be inherited. */
function declaredNames(type: StructType<LazyType>, value: Struct): Iterable<string> {
  const { positions, required } = orderOf(type)
  if (!isPlain(value)) return positions.keys()
  const present = Object.keys(value).filter((name) => positions.has(name))
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  const all = missing.length === 0 ? present : [...present, ...missing]
  return all.length < 2 ? all : all.sort((a, b) => (positions.get(a) as number) - (positions.get(b) as number))
}

/** The order in which the function of a struct sets its members. */
interface Order {
  readonly positions: ReadonlyMap<string, number>
  readonly required: readonly string[]
}

/** A cache: types never change. */
const orders = /* @__PURE__ */ new WeakMap<StructType<LazyType>, Order>()

function orderOf(type: StructType<LazyType>): Order {
  const known = orders.get(type)
  if (known) return known
  const members = membersInOrder(type)
  const order = {
    positions: new Map(members.map(({ name }, i) => [name, i])),
    required: members.filter(({ optional }) => !optional).map(({ name }) => name),
  }
  orders.set(type, order)
  return order
}
