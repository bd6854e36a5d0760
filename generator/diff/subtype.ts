// The relation of types: one is a subtype of another if the other accepts each of its values. Params are contravariant (a new type
// has to be a supertype), results covariant (a new type has to be a subtype):
//
//     Int <: number      'a' <: 'a' | 'b'      { a: Int, b: Int } <: { a: number }
import { createAssumptions } from './assumptions.js'
import { hasWithin, isWithin, leastItems, mostItems } from './limits.js'
import {
  allLimits,
  type Branch,
  type BranchOf,
  branchesOf,
  constantKey,
  isConstant,
  kindOf,
  type List,
  literal,
  type Part,
  partsOf,
  type Scalar,
  type Type,
} from './type.js'

/**
 * What of two types has to agree. `json`: their values in JSON. `xml`: also the elements of these values in XML-RPC. `contract`: also which
 * members are declared, which receivers in JSON do not notice.
 */
export type Strictness = 'json' | 'xml' | 'contract'

/** Decides which types are subtypes of others. */
export interface Subtyping {
  isSubtype(sub: Type, sup: Type): boolean
  areSubtypes(sub: readonly Branch[], sup: readonly Branch[]): boolean
}

/** True if the values of a branch are those of `sup`, apart from their elements and members. */
const rules: { readonly [Kind in Branch['kind']]: (sub: Branch, sup: BranchOf<Kind>) => boolean } = {
  any: (sub, sup) => isWithin(allLimits(sub), sup.limits),
  null: (sub) => sub.kind === 'null',
  boolean: (sub) => kindOf(sub) === 'boolean',
  literal: (sub, sup) => sub.kind === 'literal' && sub.value === sup.value,
  number: acceptsScalar,
  text: acceptsScalar,
  list: (sub, sup) => sub.kind === 'list' && isWithin(allLimits(sub), allLimits(sup)),
  object: (sub) => sub.kind === 'object',
  opaque: (sub, sup) => sub.kind === 'opaque' && sub.text === sup.text,
}

function acceptsScalar(sub: Branch, sup: Scalar): boolean {
  if (kindOf(sub) !== sup.kind) return false
  return sub.kind === 'literal' ? hasWithin(sub.value, allLimits(sup)) : isWithin(allLimits(sub), allLimits(sup))
}

/** True if one branch accepts another, apart from its elements and members. */
export function accepts(sub: Branch, sup: Branch): boolean {
  return (rules[sup.kind] as (sub: Branch, sup: Branch) => boolean)(sub, sup)
}

/**
 * Makes the relation. `true` is always right; `false` may be wrong for unions that divide the same values in another way. Unknown keys
 * are ignored: senders do not send them, and receivers ignore them.
 */
export function createSubtyping(strictness: Strictness): Subtyping {
  const areSubtypes = (sub: readonly Branch[], sup: readonly Branch[]): boolean =>
    sub.every((one, i) => isIn(one, sup, i) || divided(one)?.every((part) => isIn(part, sup, i)) === true)

  // Versions of a union mostly have the same order.
  const isIn = (one: Branch, sup: readonly Branch[], index: number): boolean => {
    const test = (other: Branch) => isBranchSubtype(one, other)
    return (sup[index] && test(sup[index])) || candidatesFor(one, sup).some(test)
  }

  const isBranchSubtype = (sub: Branch, sup: Branch): boolean => {
    if (sub === sup) return true
    if (strictness !== 'json' && sup.kind !== 'any' && !agreeInXml(sub, sup)) return false
    return accepts(sub, sup) && partsOf(sub, sup).every(isPartSubtype)
  }

  const isPartSubtype = ({ one, other }: Part): boolean => {
    if (strictness === 'contract' && isAbsent(one) !== isAbsent(other)) return false
    if (!one || !other) return !other || other.optional
    if (strictness === 'contract' && one.optional !== other.optional) return false
    return (other.optional || !one.optional) && isSubtype(one.type, other.type)
  }

  const { isSubtype, settled } = createAssumptions((sub, sup) => areSubtypes(branchesOf(sub), branchesOf(sup)))
  return {
    isSubtype: (sub, sup) => settled(() => isSubtype(sub, sup)),
    areSubtypes: (sub, sup) => settled(() => areSubtypes(sub, sup)),
  }
}

/** True for a part that is not there, or that is rejected. */
export function isAbsent(part: Part['one']): boolean {
  return !part || branchesOf(part.type).length === 0
}

/** True if the values of a branch have the elements in XML-RPC that the other one has: a receiver relies on them. */
function agreeInXml(sub: Branch, sup: Branch): boolean {
  const [own, other] = [sub, sup].map((each) => ('element' in each ? each.element : each.kind))
  return own === other || (other === 'number' && (own === 'int' || own === 'double'))
}

/** More parts than these are not made: values and elements multiply. */
const MAX_PARTS = 512
const MAX_ELEMENTS = 16

/**
 * Divides a branch into others that together have its values, for several branches may accept them: `true` and `false`, the values of a
 * member that has few, the lengths of a list and the branches of its elements.
 */
function divided(branch: Branch): readonly Branch[] | undefined {
  if (branch.kind === 'boolean') return [literal(true, true), literal(false, true)]
  if (branch.kind === 'list') return branch.prefix.length <= MAX_ELEMENTS ? dividedList(branch) : undefined
  if (branch.kind !== 'object') return undefined
  for (const [name, { type, optional }] of branch.members) {
    const values = branchesOf(type)
    if (optional || values.length < 2 || values.length > 64 || !values.every(isConstant)) continue
    return values.map((value) => ({ ...branch, members: new Map(branch.members).set(name, { type: value, optional }) }))
  }
  return undefined
}

function dividedList(of: List): readonly List[] | undefined {
  const { prefix } = of
  if (prefix.length === 0) return undefined
  const limits = allLimits(of)
  const required = Math.min(leastItems(limits), prefix.length)
  const lengths = Array.from({ length: prefix.length - required }, (_, i) => required + i)
  return [
    ...lengths.flatMap((length) => {
      return combined(prefix.slice(0, length)).map(
        (each): List => ({ ...of, prefix: each, limits: [...limits, ['maxItems', length]] }),
      )
    }),
    ...combined(prefix).map(
      (each): List => ({ ...of, prefix: each, limits: [...limits, ['minItems', prefix.length]] }),
    ),
  ]
}

/** Returns the combinations of the branches of elements. */
function combined(types: readonly Type[]): readonly (readonly Type[])[] {
  const branches = types.map(branchesOf)
  if (branches.reduce((count, each) => count * each.length, 1) > MAX_PARTS) return [types]
  return branches.reduce<readonly Type[][]>(
    (all, next) => all.flatMap((each) => next.map((type) => [...each, type])),
    [[]],
  )
}

const indexes = new WeakMap<readonly Branch[], ReadonlyMap<string | undefined, readonly Branch[]>>()

/** Returns the branches of a union that may accept a branch: of constants the equal ones. */
export function candidatesFor(branch: Branch, union: readonly Branch[]): readonly Branch[] {
  if (union.length < 8) return union
  const index = indexes.get(union) ?? indexOf(union)
  indexes.set(union, index)
  const key = constantKey(branch)
  const [same = [], others = []] = [key === undefined ? [] : index.get(key), index.get(undefined)]
  return [...same, ...others]
}

function indexOf(union: readonly Branch[]): ReadonlyMap<string | undefined, readonly Branch[]> {
  const index = new Map<string | undefined, Branch[]>()
  for (const branch of union) {
    const key = constantKey(branch)
    const same = index.get(key)
    if (same) same.push(branch)
    else index.set(key, [branch])
  }
  return index
}

/** True if no value is of both types, by the kinds of their values, constants and the constants in them. `false` may be wrong. */
export function areApart(a: Type, b: Type, depth = 0): boolean {
  if (depth > 4) return false
  return branchesOf(a).every((one) =>
    candidatesFor(one, branchesOf(b)).every((other) => areBranchesApart(one, other, depth)),
  )
}

function areBranchesApart(a: Branch, b: Branch, depth: number): boolean {
  if (isConstant(a) && isConstant(b)) return constantKey(a) !== constantKey(b)
  if ([a, b].some(({ kind }) => kind === 'any' || kind === 'opaque')) return false
  if (kindOf(a) !== kindOf(b)) return true
  const [one, other] = [allLimits(a), allLimits(b)]
  if (mostItems(one) < leastItems(other) || mostItems(other) < leastItems(one)) return true
  const parts = partsOf(a, b)
  const isRequired = (part: Part) => part.one?.optional === false && part.other?.optional === false
  const common =
    a.kind === 'list' ? parts.slice(0, Math.max(leastItems(one), leastItems(other))) : parts.filter(isRequired)
  return common.some(({ one, other }) => one && other && areApart(one.type, other.type, depth + 1))
}
