// The tables of a comparison: the branches of a union, so that a value is compared with all of them at once. They have, for each member and
// element, its types in all branches. A set of branches is a number with a bit for each. Tables are made when a value needs them.
//
//   { a: int } | { a: int, b?: string }  →  a: int in both branches, required; b: string in the second one
import { memoize } from '../cache.js'
import { matchesKeys, membersByName } from '../inner-types.js'
import { isStruct, memberOf } from '../predicates.js'
import type { Keys, LazyType, TupleType, WireType } from '../types.js'
import type { Wire } from '../wire.js'
import {
  areUnchanged,
  type Form,
  keepsScalar,
  leavesOf,
  mayHaveForm,
  mayMatchTuple,
  positionsOf,
  type RequiredMember,
  requiredMembers,
  typesInside,
} from './branches.js'
import { convertedTypes, type Group, Groups, lowest, maskOf } from './groups.js'

/** Of a 32-bit number, engines keep 31 bits without an object. */
const MAX_TYPES = 30

/** The candidates for inner values of one form, and for each group those that are its type. */
export interface Row {
  readonly candidates: readonly Candidates[]
  /** True if the candidates are the types of the groups, in their order, and no further ones. */
  readonly isExact: boolean
  /** By candidates and by group. */
  readonly masks: readonly (readonly number[])[]
  /** True if the candidates of each group are in the order of its types. */
  readonly isInOrder: boolean
  /** By branches, the types by which they convert a value. */
  readonly known: Map<number, readonly Matching[]>
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
  /** True if scalars of all its types are what every protocol converts them to. */
  readonly keepsScalars: boolean
  readonly #family: Family
  readonly #rows: { [Name in Form]?: Row } = {}

  constructor(family: Family, groups: readonly Group[], declared = 0, positions: readonly number[] = []) {
    this.#family = family
    this.groups = groups
    this.branches = groups.reduce((all, each) => all | each.branches, 0)
    this.declared = declared
    this.positions = positions
    this.converting = groups.reduce((all, each) => all | each.converting, 0)
    this.types = convertedTypes(groups, this.converting)
    this.keepsScalars = groups.every(({ type }) => leavesOf(type).every(keepsScalar))
  }

  /** Returns the candidates for values of a form. */
  row(form: Form): Row {
    const known = this.#rows[form]
    if (known) return known
    const groups = this.groups.map(({ type }) => new Set(leavesOf(type)))
    const masksFor = ({ types }: Candidates) => groups.map((leaves) => maskOf(types, (each) => leaves.has(each)))
    const exact = this.#family.candidates([...new Set(groups.flatMap((each) => [...each]))], form)
    const candidates =
      exact ?? this.#family.universe.tables(form).filter((each) => masksFor(each).some((mask) => mask !== 0))
    const row = {
      candidates,
      isExact: exact !== undefined,
      masks: candidates.map(masksFor),
      isInOrder: candidates.length === 1 && groups.every((leaves) => inOrder([...leaves], candidates).length < 2),
      known: new Map(),
    }
    this.#rows[form] = row
    return row
  }

  /**
   * Returns the types by which some branches convert values of a form if there is one set of candidates, and the types are there in the order of
   * the first branches that have them; otherwise undefined.
   */
  inOneSet({ masks: [mask], isInOrder }: Row, branches: number): number | undefined {
    if (!mask || !isInOrder) return undefined
    let bits = 0
    let last = 0
    for (let i = 0; i < mask.length; i += 1) {
      const having = (this.groups[i]?.converting ?? 0) & branches
      if (having === 0) continue
      const first = having & -having
      const added = (mask[i] as number) & ~bits
      if (first < last || (added !== 0 && (added & -added) < bits)) return undefined
      last = first
      bits |= added
    }
    return bits
  }

  /** Returns the types by which some branches convert values of a form, in the order of the first branches that have them. */
  matching(form: Form, branches: number = this.converting): readonly Matching[] {
    const { candidates, known } = this.row(form)
    const before = known.get(branches)
    if (before) return before
    const made = inOrder(convertedTypes(this.groups, branches), candidates)
    if (known.size === MAX_KNOWN) known.clear()
    known.set(branches, made)
    return made
  }
}

let nextId = 0

/** Up to 30 types, each of which a value may have. */
export class Candidates {
  readonly id: number = nextId++
  readonly types: readonly WireType[]
  /** True if there are candidates with further types. */
  readonly isPart: boolean
  /** Where the tables of inner values are counted. */
  readonly family: Family
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
  /** Members that no branch declares, by the patterns that their names match. */
  readonly #others = new Map<string, Inner>()

  constructor(types: readonly WireType[], isPart: boolean, family: Family) {
    const ofKind = (...kinds: readonly WireType['kind'][]) => maskOf(types, ({ kind }) => kinds.includes(kind))
    this.types = types
    this.isPart = isPart
    this.family = family
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
    const inner = new Inner(this.family, made.all)
    this.#elements[at] = inner
    return inner
  }

  /** Returns the types of a member; undefined if no branch has it. */
  member(name: string): Inner | undefined {
    const known = this.#members.get(name)
    if (known) return known
    if (this.names.has(name)) {
      const declared = this.#makeMember(name)
      this.#members.set(name, declared)
      return declared
    }
    if (!this.#isOpen) return undefined
    let key = ''
    for (const each of this.#patterns) key += matchesKeys(each, name) ? '1' : '0'
    const other = this.#others.get(key) ?? this.#makeMember(name)
    if (this.#others.size < MAX_PATTERNS) this.#others.set(key, other)
    return other
  }

  #makeMember(name: string): Inner {
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
    return new Inner(this.family, made.all, declared, positions)
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
    const { single, any, arrays, tuples, sets, structs, maps } = this
    if (!isStruct(value)) {
      if (value instanceof Set) return left & (single | any | (wire.decodes ? 0 : sets))
      left &= ~(arrays | tuples | sets | structs)
      return value instanceof Map && !wire.decodes ? left : left & ~maps
    }
    left &= ~(arrays | tuples | sets)
    if (!wire.decodes) left &= ~maps
    for (const { name, isInherited, strict, literal, byLiteral } of this.required) {
      if ((left & (strict | literal)) === 0) continue
      const inner = isInherited ? memberOf(value, name) : value[name]
      if (inner === undefined) left &= ~strict
      else if ((left & literal) !== 0) left &= ~literal | (byLiteral.get(inner) ?? 0)
    }
    return left
  }
}

/** Candidates by the ids of their types, kept as long as the first of these types. */
const poolOf = /* @__PURE__ */ memoize((_first: WireType) => new Map<string, readonly Candidates[]>())

/**
 * Values choose which types are compared with them: of types that contain each other in many ways there are up to 2^types sets. After so
 * many sets of a family, all further values are compared with all its types.
 */
const MAX_SETS = 64

/** Names choose which of several patterns they match. */
const MAX_PATTERNS = 1000

/** The sets of types that are found again by the types of a member. */
const MAX_KNOWN = 1000

/** The types of a value and of all values inside of it. */
export class Family {
  readonly #roots: readonly WireType[]
  #universe: Universe | undefined
  #sets: number

  /** `universe` is that of values which are compared with all types. */
  constructor(roots: readonly WireType[], universe?: Universe) {
    this.#roots = roots
    this.#universe = universe
    this.#sets = universe ? MAX_SETS : 0
  }

  /** All types of the family as tables. */
  get universe(): Universe {
    this.#universe ??= universeOf(this.#roots)
    return this.#universe
  }

  /** Returns types that are no named types or unions as candidates for values of a form, undefined for one set too many. */
  candidates(leaves: readonly WireType[], form: Form): readonly Candidates[] | undefined {
    const types = leaves.filter((type) => mayHaveForm(type, form))
    const [first] = types
    if (!first) return []
    // There are as many of these as types.
    const isSet = types.length > 1
    if (isSet && this.#sets === MAX_SETS) return undefined
    const key = types.map(typeId).join()
    const pool = poolOf(first)
    const known = pool.get(key)
    if (known) return known
    if (isSet) this.#sets += 1
    const made = inParts(types).map((part) => new Candidates(part, types.length > MAX_TYPES, this))
    pool.set(key, made)
    return made
  }

  /** Returns the branches of some types for values of a form, in their order. */
  matching(types: readonly WireType[], form: Form): readonly Matching[] {
    return inOrder(types, this.candidates([...new Set(types.flatMap(leavesOf))], form) ?? this.universe.tables(form))
  }
}

/** All types of one or several families: candidates for each inner value. */
class Universe {
  readonly types: ReadonlySet<WireType>
  readonly #tables: { [Name in Form]?: readonly Candidates[] } = {}
  readonly #family: Family = new Family([], this)

  constructor(types: ReadonlySet<WireType>) {
    this.types = types
  }

  /** Returns the candidates for values of a form; none for scalars, which are compared type by type. */
  tables(form: Form): readonly Candidates[] {
    const known = this.#tables[form]
    if (known) return known
    const types = form === 'list' || form === 'struct' || form === 'other' ? [...this.types] : []
    const having = types.filter((type) => mayHaveForm(type, form))
    // What is converted to decide is so only where it is asked for.
    const parts = inParts(having.filter((type) => !isConverted(type)))
    const alone = having.filter(isConverted).map((type) => [type])
    const made = [
      ...parts.map((part) => new Candidates(part, parts.length > 1, this.#family)),
      ...alone.map((type) => new Candidates(type, false, this.#family)),
    ]
    this.#tables[form] = made
    return made
  }
}

/** Returns where each type is in some candidates. */
const matchingByType = /* @__PURE__ */ memoize(
  (all: readonly Candidates[]): ReadonlyMap<WireType, Matching> =>
    new Map(
      all.flatMap((candidates, at) =>
        candidates.types.map((type, i): [WireType, Matching] => [type, { candidates, bits: 1 << i, at }]),
      ),
    ),
)

/** Returns the branches of some types in their order: the same candidates may be there several times. */
function inOrder(types: readonly WireType[], among: readonly Candidates[]): readonly Matching[] {
  const positions = matchingByType(among)
  const all: { readonly candidates: Candidates; readonly at: number; bits: number }[] = []
  const found = new Map<Candidates, number>()
  let last: (typeof all)[number] | undefined
  for (const type of types) {
    for (const leaf of leavesOf(type)) {
      const position = positions.get(leaf)
      if (!position) continue
      const { candidates, bits: bit, at } = position
      const before = found.get(candidates) ?? 0
      if ((before & bit) !== 0) continue
      found.set(candidates, before | bit)
      if (last?.candidates === candidates && last.bits < bit) last.bits |= bit
      else {
        last = { candidates, bits: bit, at }
        all.push(last)
      }
    }
  }
  return all
}

const universes = /* @__PURE__ */ new WeakMap<WireType, Universe>()

/** Returns the types with all types inside of them. Types that are inside of others, whose universe is made, have the same. */
function universeOf(roots: readonly WireType[]): Universe {
  const all = new Set(roots.flatMap(leavesOf))
  const [first] = all
  const known = first && universes.get(first)
  if (known && [...all].every((type) => known.types.has(type))) return known
  // It grows while it is iterated.
  for (const type of all) for (const inner of typesInside(type)) for (const leaf of leavesOf(inner)) all.add(leaf)
  const made = new Universe(all)
  for (const type of all) universes.set(type, made)
  return made
}

/** True if a type is compared by converting values. */
function isConverted({ kind, constraints }: WireType): boolean {
  return kind === 'custom' || constraints !== undefined
}

function inParts(types: readonly WireType[]): readonly (readonly WireType[])[] {
  return Array.from({ length: Math.ceil(types.length / MAX_TYPES) }, (_part, i) =>
    types.slice(i * MAX_TYPES, (i + 1) * MAX_TYPES),
  )
}

let lastTypeId = 0

const typeId = /* @__PURE__ */ memoize((_type: WireType): number => {
  lastTypeId += 1
  return lastTypeId
})

/** Returns a type, or several ones, as those of an inner value. */
export const innerOf = /* @__PURE__ */ memoize((types: WireType | readonly WireType[]): Inner => {
  const made = new Groups()
  const all: readonly WireType[] = Array.isArray(types) ? types : [types as WireType]
  for (const type of all) made.add(type, 1)
  return new Inner(new Family(all), made.all)
})

/** Some types of a value: those of some candidates that have a bit. */
export interface Matching {
  readonly candidates: Candidates
  readonly bits: number
  /** Which of the candidates for the value they are. */
  readonly at: number
}

/** Returns the types that have a bit. */
export function typesOf({ candidates, bits }: Pick<Matching, 'candidates' | 'bits'>): readonly WireType[] {
  return candidates.types.filter((_type, i) => (bits & (1 << i)) !== 0)
}
