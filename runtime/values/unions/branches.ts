// What is known of the branches of a union before there is a value: the forms of their values, their own branches, the members that they require.
//
//   { a: int; b?: string }  →  values of the form `struct`, with a member `a`
import { memoize } from '../cache.js'
import { membersInOrder } from '../definition.js'
import { flattenSent, flattenUnion, literalOf } from '../inner-types.js'
import { isStruct } from '../predicates.js'
import { innerTypesOf, type LazyType, type StructType, type TupleType, type WireType } from '../types.js'
import type { Wire } from '../wire.js'

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
      if (Array.isArray(value)) return 'list'
      if (isStruct(value)) return 'struct'
      return value instanceof Set ? 'list' : value instanceof Map ? 'struct' : 'other'
    default:
      return 'other'
  }
}

/** The only form that values of a kind have; `scalar` if the wire decides between those of scalars, undefined if it depends on more than the kind. */
const formOfKind: Readonly<Record<WireType['kind'], Form | 'scalar' | undefined>> = {
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
  literal: undefined,
  bigint: 'scalar',
  bytes: 'scalar',
  date: 'scalar',
  url: 'scalar',
  custom: undefined,
  any: undefined,
  union: undefined,
  ref: undefined,
}

/** True if a type may have values of a form. */
export function mayHaveForm(type: WireType, form: Form): boolean {
  return flattenUnion([type]).some((each) => {
    const only = each.kind === 'literal' ? (typeof each.value as Form) : formOfKind[each.kind]
    if (only === 'scalar') return form !== 'list' && form !== 'struct'
    return only === undefined || only === form
  })
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

const compositeKinds: ReadonlySet<WireType['kind']> = new Set(['array', 'set', 'tuple', 'struct', 'map'])

/** True if scalars of a type, which is no union, are what every protocol converts them to. */
export function keepsScalar({ kind }: WireType): boolean {
  return unchangedKinds.has(kind) || compositeKinds.has(kind)
}

/** True if elements of a list are equal if and only if those are that they are converted to. */
export const keepsElements = /* @__PURE__ */ memoize((type: WireType): boolean => areUnchanged([type], () => true))

/** Equal elements are found with keys, which are made for unions that remember. */
function isTestedAlone({ kind, constraints }: WireType): boolean {
  return constraints === undefined || (kind === 'array' && !constraints.uniqueItems)
}

/**
 * True if values of these types are converted to themselves.
 *
 * @param mayBe false for a type whose values may change, whatever is inside of it
 */
export function areUnchanged(types: readonly WireType[], mayBe = isTestedAlone): boolean {
  const all = new Set(types)
  // It grows while it is iterated.
  for (const type of all) {
    if (unchangedKinds.has(type.kind)) continue
    if (!mayBe(type)) return false
    if (type.kind === 'ref') all.add(type.type())
    else if (type.kind === 'union') for (const branch of type.branches) all.add(branch)
    else if (type.kind === 'array') all.add(type.element)
    else return false
  }
  return true
}

/** A member that some branches require. */
export interface RequiredMember {
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

/** False if a list has another length than a tuple, or another value where the tuple requires a literal. */
export function mayMatchTuple({ elements, required, rest }: TupleType<LazyType>, value: readonly unknown[]): boolean {
  if (value.length < required || (!rest && value.length > elements.length)) return false
  for (let i = 0; i < required; i += 1) {
    const element = elements[i] as WireType
    if (element.kind === 'literal' && value[i] !== element.value) return false
  }
  return true
}

/** Returns the members that some of the branches require, with the bits of these branches. */
export function requiredMembers(types: readonly WireType[]): readonly RequiredMember[] {
  const all = new Map<string, { strict: number; lenient: number; literal: number; byLiteral: Map<unknown, number> }>()
  types.forEach((type, i) => {
    if (type.kind !== 'struct') return
    for (const { name, type: inner, optional } of type.members) {
      if (optional) continue
      const row = all.get(name) ?? { strict: 0, lenient: 0, literal: 0, byLiteral: new Map() }
      all.set(name, row)
      row[flattenSent([inner]).some(isUndefinedType) ? 'lenient' : 'strict'] |= 1 << i
      if (inner.kind !== 'literal') continue
      row.literal |= 1 << i
      row.byLiteral.set(inner.value, (row.byLiteral.get(inner.value) ?? 0) | (1 << i))
    }
  })
  return [...all].map(([name, row]) => ({ name, isInherited: name in Object.prototype, ...row }))
}

function isUndefinedType({ kind }: WireType): boolean {
  return kind === 'any' || kind === 'undefined' || kind === 'void'
}

/** Returns where the function of a struct sets its members. */
export const positionsOf = /* @__PURE__ */ memoize(
  (type: StructType<LazyType>): ReadonlyMap<string, number> =>
    new Map(membersInOrder(type).map(({ name }, i) => [name, i])),
)

/** Returns the branches of a type, those of named types and unions instead of these, unless they have constraints of their own. */
export const leavesOf = /* @__PURE__ */ memoize((type: WireType): readonly WireType[] => {
  if (type.constraints || (type.kind !== 'ref' && type.kind !== 'union')) return [type]
  return type.kind === 'ref' ? leavesOf(type.type()) : [...new Set(type.branches.flatMap(leavesOf))]
})

/** Returns the types that the values inside of a type may have; of a scalar what is sent for it. */
export function typesInside(type: WireType): readonly WireType[] {
  return type.kind === 'ref' ? [type.type()] : innerTypesOf(type)
}

/** The branches of a union that has many: the literals by their values, so that they are not compared one by one, and the others. */
interface ManyBranches {
  /** The positions of the first branches with these literals. */
  readonly literals: ReadonlyMap<unknown, number>
  readonly hasBigint: boolean
  /** The positions of the branches that are no literals. */
  readonly others: readonly number[]
}

/** Returns branches by their literals. */
export const manyBranchesOf = /* @__PURE__ */ memoize((branches: readonly WireType[]): ManyBranches => {
  const literals = new Map<unknown, number>()
  const others: number[] = []
  branches.forEach((type, i) => {
    const value = literalOf(type)
    // NaN equals nothing, but a Map would find it.
    if (value === undefined || Number.isNaN(value)) others.push(i)
    else if (!literals.has(value)) literals.set(value, i)
  })
  return { literals, hasBigint: branches.some(({ kind }) => kind === 'bigint'), others }
})

/** Returns the position of the first literal that a value is, if there is one. */
export function literalPosition(
  { literals, hasBigint }: ManyBranches,
  value: unknown,
  { decodes, scalars }: Wire,
): number | undefined {
  const at = literals.get(value)
  const read = hasBigint && decodes ? scalars.readBigint(value) : undefined
  const other = typeof read === 'bigint' ? literals.get(read) : undefined
  return at === undefined || other === undefined ? (at ?? other) : Math.min(at, other)
}
