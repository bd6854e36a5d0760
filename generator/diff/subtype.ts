// The relation of types: one is a subtype of another if the other accepts each of its values. Params are contravariant (a new type
// has to be a supertype), results covariant (a new type has to be a subtype):
//
//     Int <: number      'a' <: 'a' | 'b'      { a: Int, b: Int } <: { a: number }
import type { Direction } from '../../runtime/description/json-schema.js'
import { createAssumptions } from './assumptions.js'
import { areTextsApart, matchesAllOf } from './pattern.js'
import {
  acceptsNumber,
  acceptsText,
  type Branch,
  type BranchOf,
  bigintText,
  branchesOf,
  constantKey,
  elementAt,
  furtherMembers,
  type List,
  listOf,
  type Members,
  membersOf,
  memberTypes,
  type NumberRange,
  numberRange,
  shapeOf,
  type TextLimits,
  type Type,
  textLimits,
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

/** The relation while types are compared: the types inside of others may be assumed to be subtypes. */
interface Context {
  readonly direction: Direction
  readonly strictness: Strictness
  isSubtype(sub: Type, sup: Type): boolean
}

/**
 * Makes the relation of types that callers send (`input`) or receive (`output`). `true` is always right; `false` may be wrong for unions
 * that divide the same values in another way. Unknown keys are ignored: senders do not send them, and receivers ignore them.
 */
export function createSubtyping(direction: Direction, strictness: Strictness): Subtyping {
  const areSubtypes = (sub: readonly Branch[], sup: readonly Branch[]): boolean =>
    sub.every((one, i) => isIn(one, sup, i) || partsOf(one, direction)?.every((part) => isIn(part, sup, i)) === true)

  // Versions of a union mostly have the same order.
  const isIn = (one: Branch, sup: readonly Branch[], index: number): boolean => {
    const test = (other: Branch) => isBranchSubtype(one, other)
    return (sup[index] && test(sup[index])) || candidatesFor(one, sup).some(test)
  }

  const isBranchSubtype = (sub: Branch, sup: Branch): boolean => {
    if (sub === sup || sup.kind === 'any') return true
    if (sub.kind === 'opaque' && sup.kind !== 'opaque') return isBranchSubtype(sub.type as Branch, sup)
    if (strictness !== 'json' && !agreeInXml(sub, sup, direction)) return false
    return accepts(sub, sup, context)
  }

  const { isSubtype, settled } = createAssumptions((sub, sup) => areSubtypes(branchesOf(sub), branchesOf(sup)))
  const context: Context = { direction, strictness, isSubtype }
  return {
    isSubtype: (sub, sup) => settled(() => isSubtype(sub, sup)),
    areSubtypes: (sub, sup) => settled(() => areSubtypes(sub, sup)),
  }
}

/** True if every value of `sub` is one of `sup`; `sub` is neither `any` nor opaque, unless `sup` is. */
type Rule<Kind extends Branch['kind']> = (sub: Branch, sup: BranchOf<Kind>, context: Context) => boolean

const isNull = (sub: Branch) => shapeOf(sub) === 'null'

/** The values that each kind accepts. */
const rules: { readonly [Kind in Branch['kind']]: Rule<Kind> } = {
  any: () => true,
  null: isNull,
  undefined: isNull,
  void: isNull,
  boolean: (sub) => shapeOf(sub) === 'boolean',
  literal: (sub, sup) => sub.kind === 'literal' && sub.value === sup.value,
  int: acceptsNumbers,
  double: acceptsNumbers,
  number: acceptsNumbers,
  string: acceptsTexts,
  template: acceptsTexts,
  date: acceptsTexts,
  url: acceptsTexts,
  bytes: acceptsTexts,
  bigint: acceptsBigints,
  array: acceptsLists,
  set: acceptsLists,
  tuple: acceptsLists,
  struct: acceptsObjects,
  map: acceptsObjects,
  opaque: (sub, sup, context) =>
    sub.kind === 'opaque' &&
    sup.keywords.every((each) => sub.keywords.includes(each)) &&
    context.isSubtype(sub.type, sup.type),
}

/** True if the values of a branch are those of another one, as far as their kinds decide. */
export function accepts(sub: Branch, sup: Branch, context: Context): boolean {
  return (rules[sup.kind] as Rule<Branch['kind']>)(sub, sup, context)
}

/** Returns branches that together have the values of one: `true` and `false`, or one for each value of a member that has few. */
function partsOf(branch: Branch, direction: Direction): readonly Branch[] | undefined {
  if (branch.kind === 'boolean') return [true, false].map((value) => ({ kind: 'literal', value }))
  if (branch.kind === 'bigint' && direction === 'input') {
    const { constraints = {}, value } = branch
    // A param accepts decimal text, and integers.
    if (value === undefined)
      return [
        { kind: 'string', constraints: { pattern: bigintText } },
        { kind: 'number', constraints: { ...constraints, multipleOf: 1 } },
      ]
    return Number.isSafeInteger(Number(value))
      ? [
          { kind: 'literal', value },
          { kind: 'literal', value: Number(value) },
        ]
      : [{ kind: 'literal', value }]
  }
  if (branch.kind !== 'struct') return undefined
  for (const { name, type, optional } of branch.members) {
    const values = branchesOf(type)
    if (optional || values.length < 2 || values.length > 64 || !values.every(isConstant)) continue
    return values.map((value) => ({
      ...branch,
      members: branch.members.map((each) => (each.name === name ? { ...each, type: value } : each)),
    }))
  }
  return undefined
}

export function isConstant(branch: Branch): boolean {
  return constantKey(branch) !== undefined
}

const indexes = new WeakMap<readonly Branch[], ReadonlyMap<string | undefined, Branch[]>>()

/** Returns the branches of a union that may accept a branch: of constants the equal ones. */
export function candidatesFor(branch: Branch, union: readonly Branch[]): readonly Branch[] {
  if (union.length < 8) return union
  const index = indexes.get(union) ?? indexOf(union)
  indexes.set(union, index)
  const key = constantKey(branch)
  const [same = [], others = []] = [key === undefined ? [] : index.get(key), index.get(undefined)]
  return [...same, ...others]
}

function indexOf(union: readonly Branch[]): ReadonlyMap<string | undefined, Branch[]> {
  const index = new Map<string | undefined, Branch[]>()
  for (const branch of union) {
    const key = constantKey(branch)
    const same = index.get(key)
    if (same) same.push(branch)
    else index.set(key, [branch])
  }
  return index
}

function acceptsNumbers(sub: Branch, sup: Branch): boolean {
  if (sub.kind === 'literal') return typeof sub.value === 'number' && acceptsNumber(numberRange(sup), sub.value)
  return shapeOf(sub) === 'number' && isInRange(numberRange(sub), numberRange(sup))
}

function isInRange(sub: NumberRange, sup: NumberRange): boolean {
  if (sup.isInteger && !sub.isInteger) return false
  if (sub.least < sup.least || (sub.least === sup.least && sup.above && !sub.above)) return false
  if (sub.most > sup.most || (sub.most === sup.most && sup.below && !sub.below)) return false
  // Fractions are rounded, so that they are a multiple of themselves only.
  const isMultiple = (step = 0, other = 0) =>
    Number.isSafeInteger(step) && Number.isSafeInteger(other) && step % other === 0
  return sup.step === undefined || sub.step === sup.step || (sub.step !== undefined && isMultiple(sub.step, sup.step))
}

function acceptsTexts(sub: Branch, sup: Branch, { direction }: Context): boolean {
  const limits = textLimits(sup, direction)
  if (sub.kind === 'literal') return typeof sub.value === 'string' && acceptsText(limits, sub.value)
  // An integer is a bigint too, if callers send it.
  if (shapeOf(sub) !== 'text' || (sub.kind === 'bigint' && direction === 'input')) return false
  return isWithinLimits(textLimits(sub, direction), limits)
}

/** JSON has a bigint as decimal text; callers may also send an integer. */
function acceptsBigints(sub: Branch, sup: BranchOf<'bigint'>, context: Context): boolean {
  if (sub.kind !== 'bigint') {
    const parts = partsOf(sup, context.direction)
    return parts ? parts.some((part) => accepts(sub, part, context)) : acceptsTexts(sub, sup, context)
  }
  if (sup.value !== undefined) return sub.value === sup.value
  const range = numberRange(sup)
  return sub.value === undefined ? isInRange(numberRange(sub), range) : acceptsNumber(range, Number(sub.value))
}

function isWithinLimits(sub: TextLimits, sup: TextLimits): boolean {
  if (sub.least < sup.least || sub.most > sup.most) return false
  const isMatched = (pattern: string) => sub.patterns.some((each) => matchesAllOf(pattern, each))
  return sup.patterns.every(isMatched) && sup.formats.every((each) => sub.formats.includes(each))
}

function acceptsLists(sub: Branch, sup: BranchOf<'array' | 'set' | 'tuple'>, { isSubtype }: Context): boolean {
  if (sub.kind !== 'array' && sub.kind !== 'set' && sub.kind !== 'tuple') return false
  const [own, others] = [listOf(sub), listOf(sup)]
  if (!areLengthsWithin(own, others)) return false
  const places = Math.min(own.most, Math.max(own.prefix.length, others.prefix.length) + 1)
  return Array.from({ length: places }).every((_, i) => {
    const [element, other] = [elementAt(own, i), elementAt(others, i)]
    return !element || (other !== undefined && isSubtype(element, other))
  })
}

export function areLengthsWithin(sub: List, sup: List): boolean {
  return sub.least >= sup.least && sub.most <= sup.most && (sub.isUnique || !sup.isUnique || sub.most <= 1)
}

function acceptsObjects(sub: Branch, sup: BranchOf<'struct' | 'map'>, context: Context): boolean {
  if (sub.kind !== 'struct' && sub.kind !== 'map') return false
  const [own, others] = [membersOf(sub), membersOf(sup)]
  if (context.strictness === 'contract' && !declareTheSame(own, others)) return false
  const isRequired = ({ declared }: Members, name: string) => declared.has(name) && !declared.get(name)?.optional
  if (![...others.declared.keys()].every((name) => !isRequired(others, name) || isRequired(own, name))) return false
  const isAccepted = (name: string) => {
    const types = memberTypes(own, name)
    const accepted = memberTypes(others, name, others.others)
    return types.length === 0 || accepted.every((each) => types.some((type) => context.isSubtype(type, each)))
  }
  if (![...own.declared.keys(), ...others.declared.keys()].every(isAccepted)) return false
  // Names that match a pattern of both are compared with that pattern.
  const added = [...others.patterns].filter(([pattern]) => !own.patterns.has(pattern))
  const areAccepted = (pattern: string, type: Type, accepted = others.others) =>
    (!accepted || context.isSubtype(type, accepted)) &&
    added.every(([each, other]) => areTextsApart(pattern, each) || context.isSubtype(type, other))
  return (
    [...own.patterns].every(([pattern, type]) => areAccepted(pattern, type, others.patterns.get(pattern))) &&
    (!own.others || areAccepted('', own.others))
  )
}

/** In JSON an object without an optional member is a subtype of one with it. */
function declareTheSame(a: Members, b: Members): boolean {
  return (
    [...a.declared].every(
      ([name, { optional }]) => b.declared.has(name) && !optional === !b.declared.get(name)?.optional,
    ) &&
    [...a.patterns.keys()].every((pattern) => b.patterns.has(pattern)) &&
    (furtherMembers(a) === undefined) === (furtherMembers(b) === undefined)
  )
}

/**
 * True if the values of a branch have the elements in XML-RPC that the other one has. A param `double` accepts an `<int>`, and a bigint
 * also text; a receiver relies on the element.
 */
function agreeInXml(sub: Branch, sup: Branch, direction: Direction): boolean {
  const [own, others] = [elementsOf(sub, direction), elementsOf(sup, direction)]
  return own.every((each) => others.includes(each))
}

const numbers = ['int', 'double']

function elementsOf(branch: Branch, direction: Direction): readonly string[] {
  switch (branch.kind) {
    case 'literal':
      if (typeof branch.value !== 'number') return [typeof branch.value]
      return direction === 'input' ? numbers : [(branch.value | 0) === branch.value ? 'int' : 'double']
    case 'int':
    case 'double':
      return direction === 'input' ? numbers : [branch.kind]
    case 'number':
      return numbers
    case 'bigint':
      return direction === 'input' ? [...numbers, 'string'] : ['i8']
    case 'date':
      return ['dateTime.iso8601']
    case 'bytes':
      return ['base64']
    case 'opaque':
      return elementsOf(branch.type as Branch, direction)
    default:
      return [shapeOf(branch) === 'text' ? 'string' : shapeOf(branch)]
  }
}
