// Converts a value of a union. What the build has found out decides: a tag, else a comparison with all branches, whose members are merged.
//
//   union.ts → one-pass.ts (compares and converts together) → matcher.ts (remembers comparisons: what one pass cannot decide)
//   { kind: 'circle', radius: 1 }  with the tag `kind`  →  the definition of the circle

import { convertInner, define, definitionOf, INVALID, typeOf } from '../definition.js'
import { flattenUnion, hasNull, indexByTag, literalPosition, manyBranchesOf, SHORT } from '../inner-types.js'
import { isPlain, isStruct, member, memberOf, type Struct, setMember } from '../predicates.js'
import { membersOfJson } from '../serialize-unknown.js'
import { mayKeepList, structFrom } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Type, Value, Wire } from '../wire.js'
import { type Form, formOf, mayHaveForm } from './branches.js'
import {
  type Candidates,
  convertedTypes,
  type Family,
  type Inner,
  type InnerMatching,
  innerOf,
  lowest,
  type Matching,
  typesOf,
} from './candidates.js'
import { COMPARISON, Matcher, matcherOf } from './matcher.js'
import { isOmittedElement, OnePass, presentIn, UNDECIDED } from './one-pass.js'

/**
 * One of several types. `tag` is the member whose literal selects a struct. Without it, all branches that accept a value contribute
 * the members that they declare.
 */
export function union(branches: readonly Type[], tag?: string): Type {
  let selection: Selection | undefined
  const convert = (value: Value, wire: Wire): Value => {
    selection ??= select(convert, branches, tag)
    if (tag !== undefined && isStruct(value)) {
      const branch = selection.byTag.get(tag in Object.prototype ? member(value, tag) : value[tag])
      if (branch) return convertBy(branch, value, wire, branches)
      throw INVALID
    }
    if (value === null && selection.hasNull) return null
    const candidates = selection.byForm[formOf(value)]
    const [only] = candidates
    if (only && candidates.length === 1) return convertBy(only, value, wire, branches)
    return convertByMatches(candidates, value, wire)
  }
  return define(
    convert,
    () => ({ kind: 'union', branches: branches.map(typeOf), ...(tag !== undefined && { discriminant: tag }) }),
    () => branches,
  )
}

/** Converts a value by one of the branches. */
function convertBy(branch: Type, value: Value, wire: Wire, branches: readonly Type[]): Value {
  const converted = convertInner(branch, value, wire)
  return wire.markType ? wire.markType(converted, typeOf(branch), typesOfBranches(branches)) : converted
}

/** Converts a value by one of some types. */
function convertByType(type: WireType, value: Value, wire: Wire, among?: readonly WireType[]): Value {
  return mark(definitionOf(type)(value, wire), type, wire, among)
}

/** Marks what becomes of a value with its type, if the protocol needs it. */
function mark(converted: Value, type: WireType, { markType }: Wire, among: readonly WireType[] = [type]): Value {
  return markType ? markType(converted, type, among) : converted
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

/** Converts a value by the branches that it matches. */
function convertByMatches(branches: readonly Type[], value: Value, wire: Wire): unknown {
  if (typeof value !== 'object' || value === null) {
    const branch = findScalar(branches, value, plainMatcher(wire))
    if (branch) return convertBy(branch, value, wire, branches)
    throw INVALID
  }
  const inner = innerOfBranches(branches)
  const form = formOf(value)
  const { isExact } = inner.row(form)
  const all = inner.matching(form)
  const [only] = all
  if (!only || all.length > 1 || !isExact)
    return convertMatching(all, value, matcherOf(wire) ?? new Matcher(wire, true))
  const { candidates } = only
  const likely = candidates.onSurface(value, wire)
  if (likely === 0) throw INVALID
  if ((likely & (likely - 1)) === 0) return convertByType(candidates.types[lowest(likely)] as WireType, value, wire)
  if (candidates.isUnchanged && (wire.decodes || wire.encodes)) {
    const matcher = plainMatcher(wire)
    matcher.foundMethods = false
    const types = matcher.match(candidates, value, likely)
    if (types === 0) throw INVALID
    // Elements of several types are marked one by one.
    if (!matcher.foundMethods && !(wire.markType && types & (types - 1))) {
      return mark(value, candidates.types[lowest(types)] as WireType, wire)
    }
  }
  let known = matcherOf(wire)
  const remembering = () => {
    known ??= new Matcher(wire, true)
    return known
  }
  // What one pass converts is not marked.
  if (!known && !wire.markType) {
    const pass = new OnePass(plainMatcher(wire), remembering)
    const converted = pass.convert(candidates, value, likely)
    if (converted !== UNDECIDED) {
      if (!pass.matches) throw INVALID
      return converted
    }
  }
  const matcher = remembering()
  return convertMatched(candidates, matcher.match(candidates, value, likely), value, matcher)
}

/** Returns the first branch that a scalar matches. */
function findScalar(branches: readonly Type[], value: Value, matcher: Matcher): Type | undefined {
  if (branches.length <= SHORT) {
    for (const branch of branches) if (matcher.matches(typeOf(branch), value)) return branch
    return undefined
  }
  const types = typesOfBranches(branches)
  const many = manyBranchesOf(types)
  const at = literalPosition(many, value, matcher.wire) ?? branches.length
  matcher.wire.steps?.take(many.others.length)
  const other = many.others.find((i) => i > at || matcher.matches(types[i] as WireType, value)) ?? at
  return branches[Math.min(at, other)]
}

const typesOfAll = /* @__PURE__ */ new WeakMap<readonly Type[], readonly WireType[]>()

function typesOfBranches(branches: readonly Type[]): readonly WireType[] {
  const known = typesOfAll.get(branches)
  if (known) return known
  const made = branches.map(typeOf)
  typesOfAll.set(branches, made)
  return made
}

const plainMatchers = /* @__PURE__ */ new WeakMap<Wire, Matcher>()

/** Returns the matcher of a wire that remembers nothing. */
function plainMatcher(wire: Wire): Matcher {
  const known = plainMatchers.get(wire)
  if (known) return known
  const made = new Matcher(wire, false)
  plainMatchers.set(wire, made)
  return made
}

const inners = /* @__PURE__ */ new WeakMap<readonly Type[], Inner>()

function innerOfBranches(branches: readonly Type[]): Inner {
  const known = inners.get(branches)
  if (known) return known
  const made = innerOf(typesOfBranches(branches))
  inners.set(branches, made)
  return made
}

/** How many steps it takes to find the types of an inner value in several tables, or for some of the branches that have it. */
const SEARCH = 64

/** Returns the type if it is only one. */
function onlyType(matching: readonly Matching[]): WireType | undefined {
  let found: WireType | undefined
  for (const { candidates, types } of matching) {
    if (types === 0) continue
    if (found || (types & (types - 1)) !== 0) return undefined
    found = candidates.types[lowest(types)]
  }
  return found
}

function firstType(matching: readonly Matching[]): WireType | undefined {
  for (const { candidates, types } of matching) if (types !== 0) return candidates.types[lowest(types)]
  return undefined
}

/**
 * Converts an object by those of some types that it matches: it has the members that any of them declares, and these are converted by all
 * types that declare them. So each part of a value is converted once. Throws INVALID if it matches none.
 */
function convertMatching(likely: readonly Matching[], value: Value, matcher: Matcher): unknown {
  const [only] = likely
  if (only && likely.length === 1) {
    return convertMatched(only.candidates, only.types & matcher.match(only.candidates, value), value, matcher)
  }
  matcher.wire.steps?.take(COMPARISON * likely.length)
  const matches = new Map<Candidates, number>()
  const matching = likely.map(({ candidates, types }): Matching => {
    const known = types === 0 ? 0 : (matches.get(candidates) ?? matcher.match(candidates, value))
    if (types !== 0) matches.set(candidates, known)
    return { candidates, types: types & known }
  })
  return convertOnceAs(matching, value, matcher)
}

function convertMatched(candidates: Candidates, types: number, value: Value, matcher: Matcher): unknown {
  if (types !== 0 && (types & (types - 1)) === 0) {
    return convertByType(candidates.types[lowest(types)] as WireType, value, matcher.wire)
  }
  // Structs alone are merged without looking at their kinds.
  if (types !== 0 && (types & ~candidates.structs) === 0 && !matcher.converts) {
    return mergeMembers([{ candidates, types }], value, matcher)
  }
  return convertOnceAs([{ candidates, types }], value, matcher)
}

function convertOnceAs(matching: readonly Matching[], value: Value, matcher: Matcher): unknown {
  if (!matcher.converts) return convertAs(matching, value, matcher)
  const key = matching.map(({ candidates, types }) => `${candidates.id}:${types}`).join()
  return matcher.convertOnceAs(key, value, () => convertAs(matching, value, matcher))
}

function convertAs(matching: readonly Matching[], value: Value, matcher: Matcher): unknown {
  const main = firstType(matching)
  if (!main) throw INVALID
  const { wire } = matcher
  if (onlyType(matching)) return convertByType(main, value, wire)
  if (matching.some(({ candidates, types }) => (types & candidates.composed) !== 0)) {
    const branches = flattenUnion(matching.flatMap(typesOf))
    const { family } = (matching[0] as Matching).candidates
    return convertMatching(family.matching(branches, formOf(value)), value, matcher)
  }
  const form = resultForm(main, value, wire)
  if (form === undefined) return convertByType(main, value, wire)
  let merged = matching
  if (matching.some(({ candidates, types }) => (types & ~typesOfForm(candidates, form, value, wire)) !== 0)) {
    merged = matching.map(({ candidates, types }): Matching => {
      return { candidates, types: types & typesOfForm(candidates, form, value, wire) }
    })
    if (onlyType(merged)) return convertByType(main, value, wire)
  }
  return form === 'list' ? mergeElements(merged, value, matcher) : mergeMembers(merged, value, matcher)
}

/** What a value becomes: a list or a struct, whose inner values can be merged, or undefined. */
type ResultForm = 'list' | 'struct' | undefined

function resultForm({ kind }: WireType, value: Value, { decodes, encodes }: Wire): ResultForm {
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

/** Returns the candidates by which a value has a form. */
function typesOfForm(candidates: Candidates, form: ResultForm, value: Value, wire: Wire): number {
  const { arrays, tuples, sets, structs, maps, any } = candidates
  const own = form === 'list' ? arrays | tuples | (wire.encodes ? sets : 0) : structs | (wire.encodes ? maps : 0)
  return own | (any !== 0 && resultForm({ kind: 'any' }, value, wire) === form ? any : 0)
}

function mergeElements(matching: readonly Matching[], value: Iterable<Value>, matcher: Matcher): readonly unknown[] {
  const { wire } = matcher
  const main = firstType(matching) as WireType
  const [only, more] = matching
  const convertElement = (item: Value, i: number) => {
    if ((item ?? null) === null && isOmittedElement(main, i, item, wire)) return wire.encodes ? null : undefined
    if (only && !more) return convertInnerBy(only.candidates.element(i), only.types, item, matcher)
    const inner = matching.map(({ candidates, types }): InnerMatching => ({ inner: candidates.element(i), types }))
    return convertInnerAs(inner, item, matcher)
  }
  const converted = Array.from(value, convertElement)
  if (!Array.isArray(value) || !mayKeepList(value, wire)) return converted
  return converted.every((each, i) => each === value[i]) ? value : converted
}

/** Sets the members in the order in which the first type, the second one, and so on, would. */
function mergeMembers(matching: readonly Matching[], value: Value, matcher: Matcher): Struct {
  const { wire } = matcher
  const members: Struct = value instanceof Map ? structFrom(value) : value
  const sent = wire.decodes ? members : (membersOfJson(members) ?? {})
  const [only, more] = matching
  const merged: Struct = {}
  for (const name of namesInOrder(matching, members, sent, wire)) {
    const isSent = Object.hasOwn(sent, name)
    if (only && !more) {
      const { candidates, types } = only
      const inner = candidates.member(name) as Inner
      const there = (inner.declared & types) !== 0 ? memberOf(members, name) : sent[name]
      setMember(merged, name, convertInnerBy(inner, isSent ? types : types & inner.declared, there, matcher))
    } else {
      const inner = innerMembers(matching, name, isSent)
      const there = isDeclaredIn(inner) ? memberOf(members, name) : sent[name]
      setMember(merged, name, convertInnerAs(inner, there, matcher))
    }
  }
  return merged
}

function innerMembers(matching: readonly Matching[], name: string, isSent: boolean): readonly InnerMatching[] {
  return matching.flatMap(({ candidates, types }): InnerMatching | readonly [] => {
    const inner = candidates.member(name)
    return inner ? { inner, types: isSent ? types : types & inner.declared } : []
  })
}

function isDeclaredIn(matching: readonly InnerMatching[]): boolean {
  return matching.some(({ inner, types }) => (inner.declared & types) !== 0)
}

/** Returns the names of the members that a value has as any of its types sees it. */
function namesInOrder(matching: readonly Matching[], members: Struct, sent: Struct, wire: Wire): readonly string[] {
  const found: string[] = []
  const positions: number[] = []
  let isInOrder = true
  for (const name of namesOf(matching, members, sent)) {
    const position = positionOf(matching, name, members, sent, wire)
    if (position === undefined) continue
    if (position < (positions.at(-1) ?? 0)) isInOrder = false
    found.push(name)
    positions.push(position)
  }
  if (isInOrder) return found
  const order = found.map((_name, i) => i).sort((a, b) => (positions[a] as number) - (positions[b] as number))
  return order.map((i) => found[i] as string)
}

/** Of many optional members a value may have few: they are not looked for, unless they may be inherited. */
function namesOf(matching: readonly Matching[], members: Struct, sent: Struct): Iterable<string> {
  const names = Object.keys(sent)
  const isUsual = sent === members && isPlain(members)
  let all: Set<string> | undefined
  for (const { candidates, types } of matching) {
    for (const { name, lenient } of candidates.required) {
      if ((lenient & types) !== 0 && !Object.hasOwn(members, name)) all = (all ?? new Set(names)).add(name)
    }
    if (!isUsual) for (const name of candidates.names) all = (all ?? new Set(names)).add(name)
  }
  return all ?? names
}

/** Returns where the first branch that has a member sets it; undefined for one that is omitted or not declared. */
function positionOf(
  matching: readonly Matching[],
  name: string,
  members: Struct,
  sent: Struct,
  wire: Wire,
): number | undefined {
  const isSent = Object.hasOwn(sent, name)
  for (let i = 0; i < matching.length; i += 1) {
    const { candidates, types } = matching[i] as Matching
    const inner = candidates.member(name)
    if (!inner) continue
    const { declared } = inner
    const there = (declared & types) !== 0 ? memberOf(members, name) : sent[name]
    const having = presentIn(inner, isSent ? types : types & declared, there, wire)
    if (having === 0) continue
    const branch = lowest(having)
    return (i * 32 + branch) * 2 ** 20 + (inner.positions[branch] as number)
  }
  return undefined
}

/** Converts an inner value by its types in some branches. */
function convertInnerBy(inner: Inner, among: number, value: Value, matcher: Matcher): unknown {
  const branches = presentIn(inner, among, value, matcher.wire)
  const types = branches === inner.converting ? inner.types : convertedTypes(inner.groups, branches)
  if (types.length === 1 || typeof value !== 'object' || value === null) {
    return convertByType(types[0] as WireType, value, matcher.wire, types)
  }
  const form = formOf(value)
  if (branches !== inner.converting || !inner.row(form).isExact) matcher.wire.steps?.take(SEARCH)
  return convertMatching(inner.matching(form, branches), value, matcher)
}

/** The same for a value that has the types of several candidates. */
function convertInnerAs(matching: readonly InnerMatching[], value: Value, matcher: Matcher): unknown {
  matcher.wire.steps?.take(SEARCH)
  const types = new Set<WireType>()
  let family: Family | undefined
  for (const { inner, types: branches } of matching) {
    family = inner.family
    const present = presentIn(inner, branches, value, matcher.wire)
    for (const type of convertedTypes(inner.groups, present)) types.add(type)
  }
  const [main] = types
  if (types.size === 1 || !family || typeof value !== 'object' || value === null) {
    return convertByType(main as WireType, value, matcher.wire, [...types])
  }
  return convertMatching(family.matching([...types], formOf(value)), value, matcher)
}
