// The types that are compared: those of a description, with references that lead to their types. A type is compared branch by branch:
//
//     type Id = Int | null      { kind: 'ref', name: 'Id', type: () => union }  →  [{ kind: 'int' }, { kind: 'null' }]

import type { Direction } from '../../runtime/description/json-schema.js'
import { type Constraints, mergeConstraints } from '../../runtime/values/constraints.js'
import type { Constrained, WireTypeOf } from '../../runtime/values/types.js'
import { matches } from '../model/match-pattern.js'
import { keysMatching, MAX_PATTERNS } from './pattern.js'

export type Type = WireTypeOf<Reference | Opaque>

/** A reference to a named type. */
export interface Reference extends Constrained {
  readonly kind: 'ref'
  readonly name: string
  readonly type: () => Type
}

/** Makes a reference to a type that is read when it is first compared. */
export function referenceTo(name: string, read: () => Type): Reference {
  let type: Type | undefined
  return {
    kind: 'ref',
    name,
    type() {
      type ??= read()
      return type
    },
  }
}

/** A type that keywords of JSON Schema limit which a description does not have: they are compared as text. */
export interface Opaque extends Constrained {
  readonly kind: 'opaque'
  readonly type: Type
  readonly keywords: readonly string[]
}

/** One alternative of a type. A list or an object has the name of its type as `id`. */
export type Branch = Exclude<Type, { readonly kind: 'ref' | 'union' | 'custom' }>
export type BranchOf<Kind extends Branch['kind']> = Extract<Branch, { readonly kind: Kind }>

/** The type of no value. */
export const neverType: Type = { kind: 'union', branches: [] }

export function unionOf(branches: readonly Type[]): Type {
  const [only] = branches
  return only && branches.length === 1 ? only : { kind: 'union', branches }
}

/** Memoises a function of an object, so that its parts are the same objects whenever it is compared. */
function memoised<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}

const branchesByType = new WeakMap<Type, readonly Branch[]>()

/** Returns the alternatives of a type, with the constraints of the type that contains them. */
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
  switch (type.kind) {
    case 'ref':
      return limited(named(type.type(), type.name), type.constraints)
    case 'custom': {
      const { description: _description, contentEncoding: _encoding, ...schema } = type.schema ?? {}
      return limited(limited(branchesOf(type.wire), schema as Constraints), type.constraints)
    }
    case 'union':
      return limited(distinct(type.branches.flatMap(branchesOf)), type.constraints)
    case 'opaque': {
      const { keywords } = type
      return branchesOf(type.type).map((each): Branch => {
        if (each.kind !== 'opaque') return { kind: 'opaque', type: each, keywords }
        return { ...each, keywords: [...new Set([...each.keywords, ...keywords])].sort() }
      })
    }
    default:
      return [type]
  }
}

const namedByType = new WeakMap<Type, readonly Branch[]>()

/** Returns the branches of a named type. They are the same objects wherever it is used, so that a union has each of them once. */
function named(type: Type, id: string): readonly Branch[] {
  const branches = branchesOf(type)
  if (branches.length !== 1) return branches
  const known = namedByType.get(type) ?? branches.map((each) => ({ ...each, id }))
  namedByType.set(type, known)
  return known
}

/** Returns branches without repeated ones: constants, and those of one type that is named twice. */
function distinct(branches: readonly Branch[]): readonly Branch[] {
  const seen = new Set<string | Branch>()
  return branches.filter((each) => {
    const key = constantKey(each) ?? each
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

const constraintsOfShape = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  text: ['minLength', 'maxLength', 'pattern', 'format'],
  list: ['minItems', 'maxItems', 'uniqueItems'],
} as const satisfies Readonly<Record<string, readonly (keyof Constraints)[]>>

/** Applies the constraints of a type to each of its branches that can have them; a constant that does not meet them is left out. */
function limited(branches: readonly Branch[], constraints: Constraints = {}): readonly Branch[] {
  if (Object.keys(constraints).length === 0) return branches
  return branches.flatMap((branch): readonly Branch[] => {
    if (branch.kind === 'any') {
      const keywords = Object.entries(constraints).map(([name, limit]) => `${name} ${limit}`)
      return [{ kind: 'opaque', type: branch, keywords: keywords.sort() }]
    }
    if (branch.kind === 'literal') return meets(branch.value, constraints) ? [branch] : []
    if (branch.kind === 'opaque')
      return limited([branch.type as Branch], constraints).map((type) => ({ ...branch, type }))
    const shape = shapeOf(branch)
    const names: readonly string[] = shape in constraintsOfShape ? constraintsOfShape[shape as 'number'] : []
    const own = Object.fromEntries(Object.entries(constraints).filter(([name]) => names.includes(name)))
    return [names.length === 0 ? branch : { ...branch, constraints: mergeConstraints(branch.constraints, own) }]
  })
}

function meets(value: string | number | boolean, constraints: Constraints): boolean {
  if (typeof value === 'string') return acceptsText(textLimits({ kind: 'string', constraints }, 'output'), value)
  return typeof value === 'boolean' || acceptsNumber(numberRange({ kind: 'number', constraints }), value)
}

/** What the values of a branch are in JSON. Branches of two shapes have no value in common, but those of `any`. */
export type Shape = 'any' | 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object'

const shapes: Readonly<Record<Exclude<Branch['kind'], 'literal' | 'opaque'>, Shape>> = {
  any: 'any',
  null: 'null',
  undefined: 'null',
  void: 'null',
  boolean: 'boolean',
  int: 'number',
  double: 'number',
  number: 'number',
  string: 'text',
  template: 'text',
  date: 'text',
  url: 'text',
  bytes: 'text',
  bigint: 'text',
  array: 'list',
  set: 'list',
  tuple: 'list',
  struct: 'object',
  map: 'object',
}

/** A bigint of a param may also be a number: see `partsOf` in subtype.ts. */
export function shapeOf(branch: Branch): Shape {
  if (branch.kind === 'opaque') return shapeOf(branch.type as Branch)
  if (branch.kind !== 'literal') return shapes[branch.kind]
  return typeof branch.value === 'string' ? 'text' : (typeof branch.value as 'number' | 'boolean')
}

/** Equal constants have the same key; undefined for a branch that is not one. */
export function constantKey(branch: Branch): string | undefined {
  if (branch.kind === 'literal') return `${typeof branch.value} ${branch.value}`
  if (branch.kind === 'opaque' && branch.keywords.some((each) => each.startsWith('const ')))
    return branch.keywords.join()
  return shapeOf(branch) === 'null' ? 'null' : undefined
}

/** A set of numbers. */
export interface NumberRange {
  readonly isInteger: boolean
  readonly least: number
  readonly most: number
  /** True if the bound itself is excluded; never for integers. */
  readonly above: boolean
  readonly below: boolean
  readonly step: number | undefined
}

/** The bounds of an `Int`. */
export const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

export function numberRange({ kind, constraints = {} }: Pick<Branch, 'kind' | 'constraints'>): NumberRange {
  const { minimum = -Infinity, maximum = Infinity } = mergeConstraints(kind === 'int' ? int32 : {}, constraints)
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = constraints
  const isInteger = kind === 'int' || Number.isInteger(multipleOf)
  const [least, most] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)]
  const [above, below] = [
    exclusiveMinimum >= minimum && least > -Infinity,
    exclusiveMaximum <= maximum && most < Infinity,
  ]
  const step = multipleOf === 1 ? undefined : multipleOf
  if (!isInteger) return { isInteger, least, most, above, below, step }
  // `> 0` and `>= 1` are the same.
  const [from, to] = [above ? Math.floor(least) + 1 : Math.ceil(least), below ? Math.ceil(most) - 1 : Math.floor(most)]
  return { isInteger, least: from, most: to, above: false, below: false, step }
}

export function acceptsNumber({ isInteger, least, most, above, below, step = 0 }: NumberRange, value: number): boolean {
  if (isInteger && !Number.isInteger(value)) return false
  if (above ? value <= least : value < least) return false
  if (below ? value >= most : value > most) return false
  return step === 0 || Number.isInteger(value / step)
}

/** A set of strings. Lengths are in characters; a string has to match each pattern. */
export interface TextLimits {
  readonly least: number
  readonly most: number
  readonly patterns: readonly string[]
  /** Formats, and the texts of a `Date` and of bytes, which are compared by name. */
  readonly formats: readonly string[]
}

export function textLimits(branch: Branch, direction: Direction): TextLimits {
  const { minLength = 0, maxLength = Infinity, pattern, format } = branch.constraints ?? {}
  const patterns = [pattern, patternOf(branch)].filter((each) => each !== undefined)
  const formats = [format, formatOf(branch, direction)].filter((each) => each !== undefined)
  return { least: minLength, most: maxLength, patterns, formats }
}

/** The text of a bigint in JSON. */
export const bigintText = '^-?\\d+$'

function patternOf(branch: Branch): string | undefined {
  if (branch.kind === 'template') return branch.pattern
  if (branch.kind !== 'bigint') return undefined
  return branch.value === undefined ? bigintText : `^${branch.value}$`
}

/** A result is the date-time of RFC 3339, a param may have further forms. */
function formatOf({ kind }: Branch, direction: Direction): string | undefined {
  if (kind === 'date') return direction === 'output' ? 'date-time' : 'Date'
  return kind === 'url' ? 'uri' : kind === 'bytes' ? 'base64' : undefined
}

/** Formats are not tested: a branch with a format accepts no constant. */
export function acceptsText({ least, most, patterns, formats }: TextLimits, value: string): boolean {
  const length = [...value].length
  return formats.length === 0 && length >= least && length <= most && patterns.every((each) => matches(each, value))
}

/** A list: `prefix`, then any number of `rest`; without a rest it ends after the prefix. */
export interface List {
  readonly prefix: readonly Type[]
  readonly rest: Type | undefined
  readonly least: number
  readonly most: number
  readonly isUnique: boolean
}

export const listOf = memoised((branch: BranchOf<'array' | 'set' | 'tuple'>): List => {
  const { minItems = 0, maxItems = Infinity, uniqueItems: isUnique = false } = branch.constraints ?? {}
  if (branch.kind !== 'tuple') return { prefix: [], rest: branch.element, least: minItems, most: maxItems, isUnique }
  const { elements, required, rest } = branch
  const most = rest && maxItems > elements.length ? maxItems : Math.min(elements.length, maxItems)
  return {
    prefix: elements.slice(0, most),
    rest: most > elements.length ? rest : undefined,
    least: Math.max(minItems, required),
    most,
    isUnique,
  }
})

/** Returns the type of one element; undefined if a list has no such element. */
export function elementAt({ prefix, rest }: List, index: number): Type | undefined {
  return prefix[index] ?? rest
}

export function nullable(type: Type): Type {
  return { kind: 'union', branches: [type, { kind: 'null' }] }
}

/** Members by name, members whose names match a pattern, and the others. */
export interface Members {
  readonly declared: ReadonlyMap<string, Member>
  readonly patterns: ReadonlyMap<string, Type>
  /** Undefined: senders do not send them, and receivers ignore them. `neverType`: they are rejected. */
  readonly others: Type | undefined
}

export interface Member {
  readonly type: Type
  readonly optional?: boolean
}

export const membersOf = memoised((branch: BranchOf<'struct' | 'map'>): Members => {
  const [members, indexes] =
    branch.kind === 'struct'
      ? [branch.members, branch.indexes ?? []]
      : [[], [{ type: branch.value, keys: branch.keys }]]
  const declared = new Map(members.map((each): [string, Member] => [each.name, each]))
  const patterns = new Map<string, Type>()
  let others: Type | undefined = branch.kind === 'map' && branch.keys ? neverType : undefined
  for (const { keys, type } of indexes) {
    if (!keys) others = type
    const { names, rest } = keys ? keysMatching(keys.pattern) : { names: [], rest: [] }
    // The keys of a `Map<'a' | 'b', T>` are optional members.
    for (const name of names) if (!declared.has(name)) declared.set(name, { type, optional: true })
    for (const pattern of rest) patterns.set(pattern, type)
  }
  return { declared, patterns, others }
})

/** Returns the type of the members without declared names; undefined if there are none. */
export function furtherMembers({ others }: Members): Type | undefined {
  return others === neverType ? undefined : others
}

/** Returns the types that a member has to have: its own, those of the patterns that match its name, or that of the others. */
export function memberTypes(members: Members, name: string, others = furtherMembers(members)): readonly Type[] {
  const own = members.declared.get(name)
  if (own) return [own.type]
  const patterns = [...members.patterns].slice(0, MAX_PATTERNS)
  const matching = patterns.flatMap(([pattern, type]) => (matches(pattern, name) ? [type] : []))
  return matching.length > 0 || !others ? matching : [others]
}
