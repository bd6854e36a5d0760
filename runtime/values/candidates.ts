import { membersInOrder } from './definition.js'
import { isStruct, memberOf } from './predicates.js'
import type { Keys, LazyType, StructType, TupleType, WireType } from './types.js'
import { flattenSent, flattenUnion, hasNull, matchesKeys, membersByName } from './unions.js'
import type { Wire } from './wire.js'

// The branches of a union as tables, so that a value is compared with all of them at once: which of them have a member, and which types it
// has in them. A set of branches is a number with a bit for each. The tables are made when a value needs them.
//
//     { a: int } | { a: int, b?: string }    →    a: int in both branches, required; b: string in the second one

/** The JavaScript type of a value; `other` is null, undefined, a bigint, and an object of a class that is a scalar on the wire. */
export type Form = 'string' | 'number' | 'boolean' | 'list' | 'struct' | 'other'

/** Returns the form of a value. */
export function formOf(value: unknown): Form {
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

/** True if a type may have values of a form. */
export function mayHaveForm(type: WireType, form: Form): boolean {
  return flattenUnion([type]).some((each) => {
    const only = each.kind === 'literal' ? (typeof each.value as Form) : formOfKind[each.kind]
    return only === undefined || only === form
  })
}

/** Of a 32-bit number, engines keep 31 bits without an object. */
const MAX_TYPES = 30

/** A type of an inner value, and the branches in which it has this type. */
export interface Group {
  readonly type: WireType
  /** True if the value may be omitted. */
  readonly optional: boolean
  readonly branches: number
  /** The branches that convert the value by this type: of several index signatures that match a name the last one does. */
  readonly converting: number
}

/** The candidates for inner values of one form, and for each group those that are its type. */
export interface Row {
  readonly candidates: readonly Candidates[]
  /** By group and by candidates. */
  readonly masks: readonly (readonly number[])[]
  /** The candidates with all types by which a value is converted. */
  readonly all: readonly Matching[]
}

/** A member or an element: its types in all branches. */
export class Inner {
  readonly groups: readonly Group[]
  /** The branches that have a type for it. */
  readonly branches: number
  /** The branches that declare it by name. */
  readonly declared: number
  /** The branches that convert it. */
  readonly converting: number
  /** The types by which it is converted if all branches match, in the order of the first branches that have them. */
  readonly types: readonly WireType[]
  /** By branch, where in the order of its members the branch has it. */
  readonly positions: readonly number[]
  readonly #rows: { [Name in Form]?: Row } = {}

  constructor(groups: readonly Group[], declared = 0, positions: readonly number[] = []) {
    this.groups = groups
    this.branches = groups.reduce((all, each) => all | each.branches, 0)
    this.declared = declared
    this.positions = positions
    this.converting = groups.reduce((all, each) => all | each.converting, 0)
    this.types = convertedTypes(groups, this.converting)
  }

  /** Returns the candidates for values of a form. */
  row(form: Form): Row {
    const known = this.#rows[form]
    if (known) return known
    const candidates = candidatesOf(
      this.groups.map(({ type }) => type),
      form,
    )
    const masks = this.groups.map(({ type }) => {
      const leaves = leavesOf(type)
      return candidates.map(({ types }) => maskOf(types, (each) => leaves.includes(each)))
    })
    const all = matchingIn(this, { candidates, masks }, this.converting)
    const row = { candidates, masks, all }
    this.#rows[form] = row
    return row
  }
}

/** Returns the types by which some branches convert a value, in the order of the first branches that have them. */
export function convertedTypes(groups: readonly Group[], among: number): readonly WireType[] {
  const having = groups.filter(({ converting }) => (converting & among) !== 0)
  if (having.length > 1) having.sort((a, b) => lowest(a.converting & among) - lowest(b.converting & among))
  return [...new Set(having.map(({ type }) => type))]
}

/** True if a value means that an inner value of a group is omitted. */
export function isOmittedIn(group: Group, value: unknown, { decodes }: Wire): boolean {
  if (!group.optional) return false
  return value === undefined || (value === null && decodes && !hasNull(group.type))
}

function maskOf(types: readonly WireType[], isWanted: (type: WireType) => boolean): number {
  return types.reduce((mask, type, i) => (isWanted(type) ? mask | (1 << i) : mask), 0)
}

/** A member that some branches require. */
interface RequiredMember {
  readonly name: string
  readonly isInherited: boolean
  /** The branches that accept the member only if it is there. */
  readonly strict: number
  /** The branches that require it, and accept undefined. */
  readonly lenient: number
  /** The branches in which it is a literal, and those by the value. */
  readonly literal: number
  readonly byLiteral: ReadonlyMap<unknown, number>
}

let count = 0

/** Up to 30 types, each of which a value may have. */
export class Candidates {
  readonly id: number = count++
  readonly types: readonly WireType[]
  /** True if a union has further types. */
  readonly isPart: boolean
  /** True if the tables of inner values are kept. */
  readonly #isKept: boolean
  readonly all: number
  readonly arrays: number
  readonly tuples: number
  readonly sets: number
  readonly structs: number
  readonly maps: number
  readonly any: number
  /** Unions and references with constraints of their own. */
  readonly composed: number
  readonly custom: number
  /** What is compared type by type: scalars, custom ones, and unions with constraints. */
  readonly single: number
  readonly constrained: number
  /** Structs with index signatures. */
  readonly indexed: number
  readonly required: readonly RequiredMember[]
  /** The names of all declared members. */
  readonly names: ReadonlySet<string>
  #isUnchanged: boolean | undefined
  readonly #tupleLength: number
  readonly #patterns: readonly Keys[]
  readonly #isOpen: boolean
  readonly #elements: Inner[] = []
  readonly #members = new Map<string, Inner>()

  constructor(types: readonly WireType[], isPart: boolean, isKept: boolean) {
    const ofKind = (...kinds: readonly WireType['kind'][]) => maskOf(types, ({ kind }) => kinds.includes(kind))
    this.types = types
    this.isPart = isPart
    this.#isKept = isKept
    this.all = maskOf(types, () => true)
    this.arrays = ofKind('array')
    this.tuples = ofKind('tuple')
    this.sets = ofKind('set')
    this.structs = ofKind('struct')
    this.maps = ofKind('map')
    this.any = ofKind('any')
    this.composed = ofKind('ref', 'union')
    this.custom = ofKind('custom')
    this.single = this.all & ~(this.arrays | this.tuples | this.sets | this.structs | this.maps | this.any)
    this.constrained = maskOf(types, ({ constraints }) => constraints !== undefined) & ~this.single
    const structs = types.filter((type) => type.kind === 'struct')
    const indexes = structs.flatMap((type) => type.indexes ?? [])
    this.indexed = maskOf(types, (type) => type.kind === 'struct' && type.indexes !== undefined)
    this.names = new Set(structs.flatMap(({ members }) => members.map(({ name }) => name)))
    this.required = requiredMembers(types)
    this.#tupleLength = Math.max(0, ...types.map((type) => (type.kind === 'tuple' ? type.elements.length : 0)))
    this.#patterns = indexes.flatMap(({ keys }) => keys ?? [])
    this.#isOpen = (this.indexed | this.maps | this.any) !== 0
  }

  /** True if values of these types are lists and scalars that every protocol decodes and encodes to themselves. */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= areUnchanged(this.types)
    return this.#isUnchanged
  }

  /** Returns the types of an element. */
  element(index: number): Inner {
    const at = Math.min(index, this.#tupleLength)
    const known = this.#elements[at]
    if (known) return known
    const made = new Groups()
    this.types.forEach((type, i) => {
      if (type.kind === 'array' || type.kind === 'set') made.add(type.element, 1 << i)
      if (type.kind === 'any') made.add(type, 1 << i)
      if (type.kind !== 'tuple') return
      const element = type.elements[at] ?? type.rest
      if (element) made.add(element, 1 << i, at >= type.required && at < type.elements.length)
    })
    const inner = new Inner(made.all)
    if (this.#isKept) this.#elements[at] = inner
    return inner
  }

  /** Returns the types of a member; undefined if no branch has it. */
  member(name: string): Inner | undefined {
    if (!this.#isOpen && !this.names.has(name)) return undefined
    const key = this.names.has(name) ? `.${name}` : this.#patterns.map((each) => +matchesKeys(each, name)).join('')
    const known = this.#members.get(key)
    if (known) return known
    const made = new Groups()
    let declared = 0
    const positions = this.types.map((type, i) => {
      if (type.kind === 'map') made.add(type.value, 1 << i)
      if (type.kind === 'any') made.add(type, 1 << i)
      if (type.kind !== 'struct') return 0
      const member = membersByName(type).get(name)
      if (member) {
        declared |= 1 << i
        made.add(member.type, 1 << i, member.optional)
        return positionsOf(type).get(name) as number
      }
      const matching = (type.indexes ?? []).filter(({ keys }) => matchesKeys(keys, name))
      for (const each of matching) made.add(each.type, 1 << i, false, each === matching.at(-1))
      return type.members.length + (type.indexes?.findIndex(({ keys }) => matchesKeys(keys, name)) ?? 0)
    })
    const inner = new Inner(made.all, declared, positions)
    if (this.#isKept && this.#members.size < MAX_KEPT) this.#members.set(key, inner)
    return inner
  }

  /** Returns those of some candidates that an object may match, by what is on its surface: lengths, required members, literals. */
  onSurface(value: object, wire: Wire, among: number = this.all): number {
    let left = among
    if (Array.isArray(value)) {
      for (let rest = left & this.tuples; rest !== 0; rest &= rest - 1) {
        const i = lowest(rest)
        if (!mayMatchTuple(this.types[i] as TupleType<LazyType>, value)) left &= ~(1 << i)
      }
      return left & ~(this.structs | this.maps | (wire.decodes ? 0 : this.sets))
    }
    if (value instanceof Set) return left & ~(this.all & ~(this.single | this.any | (wire.decodes ? 0 : this.sets)))
    left &= ~(this.arrays | this.tuples | this.sets)
    if (value instanceof Map) return left & ~(this.structs | (wire.decodes ? this.maps : 0))
    if (!isStruct(value)) return left & ~(this.structs | this.maps)
    if (!wire.decodes) left &= ~this.maps
    for (const { name, isInherited, strict, literal, byLiteral } of this.required) {
      if ((left & (strict | literal)) === 0) continue
      const there = isInherited ? memberOf(value, name) : value[name]
      if (there === undefined) left &= ~strict
      else if ((left & literal) !== 0) left &= ~literal | (byLiteral.get(there) ?? 0)
    }
    return left
  }
}

const unchangedKinds: ReadonlySet<WireType['kind']> = new Set([
  'int',
  'double',
  'number',
  'string',
  'boolean',
  'null',
  'literal',
  'template',
])

function areUnchanged(types: readonly WireType[]): boolean {
  const all = new Set(types)
  // It grows while it is iterated.
  for (const type of all) {
    if (unchangedKinds.has(type.kind)) continue
    // Equal elements are found by converting them.
    if (type.constraints && (type.kind !== 'array' || type.constraints.uniqueItems)) return false
    if (type.kind === 'ref') all.add(type.type())
    else if (type.kind === 'union') for (const branch of type.branches) all.add(branch)
    else if (type.kind === 'array') all.add(type.element)
    else return false
  }
  return true
}

/** Collects the types of an inner value, each once. */
class Groups {
  readonly all: { type: WireType; optional: boolean; branches: number; converting: number }[] = []

  add(type: WireType, branch: number, optional = false, isConverting = true): void {
    let group = this.all.find((each) => each.type === type && each.optional === optional)
    if (!group) {
      group = { type, optional, branches: 0, converting: 0 }
      this.all.push(group)
    }
    group.branches |= branch
    if (isConverting) group.converting |= branch
  }
}

function mayMatchTuple({ elements, required, rest }: TupleType<LazyType>, value: readonly unknown[]): boolean {
  if (value.length < required || (!rest && value.length > elements.length)) return false
  for (let i = 0; i < required; i += 1) {
    const element = elements[i] as WireType
    if (element.kind === 'literal' && value[i] !== element.value) return false
  }
  return true
}

function requiredMembers(types: readonly WireType[]): readonly RequiredMember[] {
  const all = new Map<string, { strict: number; lenient: number; literal: number; byLiteral: Map<unknown, number> }>()
  types.forEach((type, i) => {
    if (type.kind !== 'struct') return
    for (const { name, type: there, optional } of type.members) {
      if (optional) continue
      const row = all.get(name) ?? { strict: 0, lenient: 0, literal: 0, byLiteral: new Map() }
      all.set(name, row)
      row[flattenSent([there]).some(isUndefinedType) ? 'lenient' : 'strict'] |= 1 << i
      if (there.kind !== 'literal') continue
      row.literal |= 1 << i
      row.byLiteral.set(there.value, (row.byLiteral.get(there.value) ?? 0) | (1 << i))
    }
  })
  return [...all].map(([name, row]) => ({ name, isInherited: name in Object.prototype, ...row }))
}

function isUndefinedType({ kind }: WireType): boolean {
  return kind === 'any' || kind === 'undefined' || kind === 'void'
}

/** A cache: types never change. */
const positionsOfStructs = /* @__PURE__ */ new WeakMap<StructType<LazyType>, ReadonlyMap<string, number>>()

/** Returns where the function of a struct sets its members. */
function positionsOf(type: StructType<LazyType>): ReadonlyMap<string, number> {
  const known = positionsOfStructs.get(type)
  if (known) return known
  const made = new Map(membersInOrder(type).map(({ name }, i) => [name, i]))
  positionsOfStructs.set(type, made)
  return made
}

const leaves = /* @__PURE__ */ new WeakMap<WireType, readonly WireType[]>()

/** Returns the branches of a type, those of named types and unions instead of these, unless they have constraints of their own. */
function leavesOf(type: WireType): readonly WireType[] {
  if (type.constraints || (type.kind !== 'ref' && type.kind !== 'union')) return [type]
  const known = leaves.get(type)
  if (known) return known
  const made = type.kind === 'ref' ? leavesOf(type.type()) : [...new Set(type.branches.flatMap(leavesOf))]
  leaves.set(type, made)
  return made
}

const ids = /* @__PURE__ */ new WeakMap<WireType, number>()
const pool = /* @__PURE__ */ new Map<string, Candidates>()

/** Values choose which tables are made: of types that contain each other in many ways there may be very many. */
const MAX_KEPT = 10_000

/** Returns the candidates for values of a form: the branches of some types, in their order. Equal ones are one object. */
export function candidatesOf(types: readonly WireType[], form: Form): readonly Candidates[] {
  const all = [...new Set(types.flatMap(leavesOf))].filter((type) => mayHaveForm(type, form))
  const parts: Candidates[] = []
  for (let i = 0; i < all.length; i += MAX_TYPES) {
    parts.push(candidatesFrom(all.slice(i, i + MAX_TYPES), all.length > MAX_TYPES))
  }
  return parts
}

function candidatesFrom(types: readonly WireType[], isPart: boolean): Candidates {
  const key = `${isPart}${types.map(idOf).join()}`
  const known = pool.get(key)
  if (known) return known
  const isKept = pool.size < MAX_KEPT
  const made = new Candidates(types, isPart, isKept)
  if (isKept) pool.set(key, made)
  return made
}

let lastId = 0

function idOf(type: WireType): number {
  const known = ids.get(type)
  if (known !== undefined) return known
  lastId += 1
  ids.set(type, lastId)
  return lastId
}

/** A cache: types never change. */
const innersOfTypes = /* @__PURE__ */ new WeakMap<WireType | readonly WireType[], Inner>()

/** Returns a type, or several ones, as those of an inner value. */
export function innerOf(types: WireType | readonly WireType[]): Inner {
  const known = innersOfTypes.get(types)
  if (known) return known
  const made = new Groups()
  for (const type of Array.isArray(types) ? types : [types as WireType]) made.add(type, 1)
  const inner = new Inner(made.all)
  innersOfTypes.set(types, inner)
  return inner
}

/** Some types of a value: those of some candidates that have a bit. */
export interface Matching {
  readonly candidates: Candidates
  readonly types: number
}

/** Returns candidates with all their types. */
export function withAll(candidates: Candidates): Matching {
  return { candidates, types: candidates.all }
}

/** Returns the types that have a bit. */
export function typesOf({ candidates, types }: Matching): readonly WireType[] {
  return candidates.types.filter((_type, i) => (types & (1 << i)) !== 0)
}

/** Returns the number of the lowest bit. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

/** The types of an inner value: those that it has in some branches. */
export interface InnerMatching {
  readonly inner: Inner
  readonly types: number
}

/** Returns the candidates with the types by which some branches convert an inner value. */
export function matchingIn(
  { groups }: Inner,
  { candidates, masks }: Pick<Row, 'candidates' | 'masks'>,
  branches: number,
): readonly Matching[] {
  return candidates.map((each, k): Matching => {
    let types = 0
    for (let i = 0; i < groups.length; i += 1) {
      if (((groups[i] as Group).converting & branches) !== 0) types |= masks[i]?.[k] ?? 0
    }
    return { candidates: each, types }
  })
}
