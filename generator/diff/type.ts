// The forms of types that are compared: what values are in JSON. Kinds with one form are one form (a `Set<T>` is a list), and a type is
// compared branch by branch:
//
//     type Id = Int | null      { kind: 'ref', name: 'Id', type: … }  →  [{ kind: 'number', word: 'Int', … }, { kind: 'null' }]
import type { Constraints } from '../../runtime/values/constraints.js'
import { memberPath } from '../model/path.js'
import {
  alternativesOf,
  areTextsApart,
  hasWithin,
  type Limits,
  matchesAllOf,
  mostItems,
  nameOf,
  patternOfName,
} from './limits.js'

export type Type = Branch | Union | Reference

/** A reference to a named type, which is read when it is first compared. */
export interface Reference {
  readonly kind: 'ref'
  readonly name: string
  readonly type: () => Type
}

/** Alternatives, and what each of them has to meet further. */
export interface Union {
  readonly kind: 'union'
  readonly branches: readonly Type[]
  readonly limits?: Limits
}

/** One alternative of a type. */
export type Branch = Plain | Any | Literal | Scalar | List | Obj | Opaque
export type BranchOf<Kind extends Branch['kind']> = Extract<Branch, { readonly kind: Kind }>

interface Plain {
  readonly kind: 'null' | 'boolean'
}

interface Any {
  readonly kind: 'any'
  readonly limits: Limits
}

export interface Literal {
  readonly kind: 'literal'
  readonly value: string | number | boolean
  /** As for scalars. */
  readonly element: string
}

export interface Scalar {
  readonly kind: 'number' | 'text'
  /** The type in messages: `Int`, `Date`. */
  readonly word: string
  /** The element in XML-RPC; `number` is `int` or `double`. */
  readonly element: string
  /** What the kind implies: the bounds of an `Int`. */
  readonly implied: Limits
  readonly limits: Limits
}

/** `prefix`, then any number of `rest`. */
export interface List {
  readonly kind: 'list'
  /** The name of the type. */
  readonly id?: string
  readonly prefix: readonly Type[]
  readonly rest: Type | undefined
  readonly implied: Limits
  readonly limits: Limits
}

export interface Obj {
  readonly kind: 'object'
  /** The name of the type. */
  readonly id?: string
  readonly members: ReadonlyMap<string, Member>
  /** The types of members whose names match a pattern. */
  readonly patterns: ReadonlyMap<string, Type>
  /** The type of the other members. Undefined: senders do not send them, receivers ignore them. `never`: they are rejected. */
  readonly others: Type | undefined
}

export interface Member {
  readonly type: Type
  readonly optional: boolean
}

/** What is compared as text: a constant list or object, or a schema with keywords that a description does not have. */
export interface Opaque {
  readonly kind: 'opaque'
  readonly text: string
  /** The keywords; none for a constant. */
  readonly keywords: readonly string[]
}

/** The type of no value. */
export const never: Type = { kind: 'union', branches: [] }
export const nullType: Type = { kind: 'null' }

export function unionOf(branches: readonly Type[]): Type {
  const [only] = branches
  return only && branches.length === 1 ? only : { kind: 'union', branches }
}

export function nullable(type: Type): Type {
  return { kind: 'union', branches: [type, nullType] }
}

export function limited(type: Type, limits: Limits): Type {
  return limits.length > 0 ? { kind: 'union', branches: [type], limits } : type
}

export function scalar(kind: Scalar['kind'], word: string, element: string, implied: Limits = []): Scalar {
  return { kind, word, element, implied, limits: [] }
}

export function literal(value: Literal['value'], isParam: boolean): Literal {
  const number = isParam ? 'number' : (Number(value) | 0) === value ? 'int' : 'double'
  return { kind: 'literal', value, element: typeof value === 'number' ? number : typeof value }
}

/** A list of any length has no elements before the rest. */
export function list(prefix: readonly Type[], required: number, rest: Type | undefined): List {
  const most: Limits = rest ? [] : [['maxItems', prefix.length]]
  return { kind: 'list', prefix, rest, implied: [['minItems', required], ...most], limits: [] }
}

/** `indexes` are the types of further members by the pattern of their names, or of all others. Patterns of names are optional members. */
export function object(
  declared: readonly (readonly [name: string, Member])[],
  indexes: readonly (readonly [pattern: string | undefined, Type])[],
): Obj {
  const members = new Map(declared)
  const patterns = new Map<string, Type>()
  for (const [pattern, type] of indexes) {
    for (const each of pattern === undefined ? [] : alternativesOf(pattern)) {
      const name = nameOf(each)
      if (name === undefined) patterns.set(each, type)
      else if (!members.has(name)) members.set(name, { type, optional: true })
    }
  }
  const others = indexes.find(([pattern]) => pattern === undefined)?.[1]
  return { kind: 'object', members, patterns, others }
}

const branchesByType = new WeakMap<Type, readonly Branch[]>()

/** Returns the alternatives of a type; the same objects each time. */
export function branchesOf(type: Type): readonly Branch[] {
  const known = branchesByType.get(type)
  if (known) return known
  // A type that is needed while it is expanded adds nothing to itself: `A` of `A | string` is a string.
  branchesByType.set(type, [])
  const branches = expand(type)
  branchesByType.set(type, branches)
  return branches
}

function expand(type: Type): readonly Branch[] {
  if (type.kind === 'ref') {
    const branches = branchesOf(type.type())
    return branches.length === 1 ? branches.map((each) => ({ ...each, id: type.name })) : branches
  }
  if (type.kind !== 'union') return [type]
  const { limits = [] } = type
  const branches = type.branches.flatMap(branchesOf)
  return distinct(limits.length > 0 ? branches.flatMap((each) => limitedBranch(each, limits)) : branches)
}

/** Returns branches without repeated ones: constants, and those of one type that is named twice. */
function distinct(branches: readonly Branch[]): readonly Branch[] {
  return [...new Map(branches.map((each) => [constantKey(each) ?? each, each])).values()]
}

const constraintsOf: Readonly<Partial<Record<Branch['kind'], readonly (keyof Constraints)[]>>> = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  text: ['minLength', 'maxLength', 'pattern', 'format'],
  list: ['minItems', 'maxItems', 'uniqueItems'],
}

/** Applies limits to a branch that can have them; a constant that does not meet them is left out. */
function limitedBranch(branch: Branch, limits: Limits): readonly Branch[] {
  if (branch.kind === 'any') return [{ ...branch, limits: [...branch.limits, ...limits] }]
  const kind = branch.kind === 'literal' ? kindOf(branch) : branch.kind
  const names = constraintsOf[kind] ?? []
  // A bigint is text with the limits of a number.
  const own = limits.filter(
    ([name]) => names.includes(name) || (isBigint(branch) && constraintsOf.number?.includes(name)),
  )
  if (own.length === 0) return [branch]
  if (branch.kind === 'literal') {
    if (!own.some(([name]) => name === 'pattern' || name === 'format'))
      return hasWithin(branch.value, own) ? [branch] : []
    return [{ kind: 'opaque', text: JSON.stringify([branch.value, own]), keywords: own.map(([name]) => name) }]
  }
  return [{ ...branch, limits: [...(branch as Scalar | List).limits, ...own] } as Branch]
}

function isBigint(branch: Branch): boolean {
  return branch.kind === 'text' && branch.word === 'bigint'
}

/** The kind of the values of a branch. Branches of two kinds have no value in common, but `any` and what is opaque. */
export function kindOf(branch: Branch): Branch['kind'] {
  if (branch.kind !== 'literal') return branch.kind
  return typeof branch.value === 'string' ? 'text' : (typeof branch.value as 'number' | 'boolean')
}

/** Equal constants have the same key; undefined for a branch that is not a constant. */
export function constantKey(branch: Branch): string | undefined {
  if (branch.kind === 'literal') return `${typeof branch.value} ${branch.value}`
  if (branch.kind === 'null') return 'null'
  return branch.kind === 'opaque' && branch.keywords.length === 0 ? branch.text : undefined
}

export function isConstant(branch: Branch): boolean {
  return constantKey(branch) !== undefined
}

/** Returns the limits of a branch with those of its kind. */
export function allLimits(branch: Branch): Limits {
  if (!('limits' in branch)) return []
  return 'implied' in branch ? [...branch.implied, ...branch.limits] : branch.limits
}

/** The parts that two lists or objects have at one path; undefined for a part that one of them does not have. */
export interface Part {
  /** `.id` of a member, `[0]` of an element, `[]` of the others. */
  readonly path: string
  readonly one: Member | undefined
  readonly other: Member | undefined
}

/** Pairs the parts of two branches; none for branches without parts. */
export function partsOf(one: Branch, other: Branch): readonly Part[] {
  if (one.kind === 'list' && other.kind === 'list') return elementsOf(one, other)
  return one.kind === 'object' && other.kind === 'object' ? membersOf(one, other) : []
}

/** The elements that both lists can have: at each position, then the further ones. */
function elementsOf(one: List, other: List): readonly Part[] {
  const count = Math.max(one.prefix.length, other.prefix.length)
  return Array.from({ length: count + 1 }, (_, i): Part => {
    return { path: `[${i < count ? i : ''}]`, one: optional(elementAt(one, i)), other: optional(elementAt(other, i)) }
  }).filter((part) => part.one && part.other)
}

function elementAt(of: List, index: number): Type | undefined {
  return index < mostItems(allLimits(of)) ? (of.prefix[index] ?? of.rest) : undefined
}

function membersOf(one: Obj, other: Obj): readonly Part[] {
  const names = new Set([...one.members.keys(), ...other.members.keys()])
  const patterns = new Set([...one.patterns.keys(), ...other.patterns.keys()])
  const isMany = patterns.size > MAX_PATTERNS
  const common = [...names].filter((name) => one.members.has(name) && other.members.has(name))
  const member = (of: Obj, name: string) => {
    return of.members.get(name) ?? optional(isMany ? notCompared(name) : typeOfKeys(of, patternOfName(name)))
  }
  const keys = (of: Obj, pattern: string) => {
    const own = of.patterns.get(pattern)
    if (own) return optional(own)
    const isUnknown = isMany || common.some((name) => !areTextsApart(pattern, patternOfName(name)))
    return optional(isUnknown ? notCompared(pattern) : typeOfKeys(of, pattern))
  }
  return [
    ...Array.from(
      names,
      (name): Part => ({ path: memberPath('', name), one: member(one, name), other: member(other, name) }),
    ),
    ...Array.from(patterns, (each): Part => ({ path: '[]', one: keys(one, each), other: keys(other, each) })),
    { path: '[]', one: optional(one.others), other: optional(other.others) },
  ]
}

/** Names and patterns multiply: those of an object with more patterns are not compared. */
const MAX_PATTERNS = 16

/** Returns the type of the undeclared members whose names match a pattern; undefined if these are not sent. */
function typeOfKeys(of: Obj, pattern: string): Type | undefined {
  const [first, ...more] = [...of.patterns].filter(([each]) => !areTextsApart(each, pattern))
  if (!first) return of.others
  return more.length === 0 && matchesAllOf(first[0], pattern) ? first[1] : notCompared(pattern)
}

function notCompared(keys: string): Opaque {
  return { kind: 'opaque', text: `names like ${keys} are not compared with other patterns`, keywords: [patternWord] }
}

const patternWord = 'patternProperties'

/** True for the type of members whose names may match patterns in some way. */
export function isNotCompared(type: Type): type is Opaque {
  return type.kind === 'opaque' && type.keywords.includes(patternWord)
}

function optional(type: Type | undefined): Member | undefined {
  return type && { type, optional: true }
}
