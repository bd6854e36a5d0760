// The types that are compared: what values are in JSON. Kinds that are the same there have one form (a `Set<T>` is a list), and a type is
// compared branch by branch:
//
//     Int | null  →  [{ kind: 'number', word: 'Int', limits: [['minimum', -2147483648], …], … }, { kind: 'null', … }]

import { constraintForms } from '../../runtime/values/constraints.js'
import { hasWithin, type Limits, stepsWithin, withLimits } from './limits.js'
import { type Alternative, alternativesOf } from './patterns.js'
import type { Steps } from './steps.js'

/** One alternative of a type. */
export class Branch {
  /**
   * Branches of two kinds have no value in common, except for those of `any` and `opaque`: a schema with keywords that a description does not
   * have, and constants that are lists or objects.
   */
  readonly kind: 'any' | 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object' | 'opaque'
  /** The type in messages: `Int`, `Date`. */
  readonly word: string
  /** The element in XML-RPC; `number` is `int` or `double`. */
  readonly element: string
  /** The only value of a constant. */
  readonly value?: string | number | boolean | null
  /** A schema with keywords that a description does not have. Its references are `members`. */
  readonly text?: string
  /** True for such a schema if it may accept what one of its references rejects, as `not` does and `allOf` does not: they have to stay the same. */
  readonly isExact?: boolean
  /** With those of the kind, such as the bounds of an `Int`. */
  readonly limits: Limits = []
  /** The limits that messages name. */
  readonly constraints: Limits = []
  /** The name of the type of a list or an object. */
  readonly id?: string
  /** The members of an object by name, the first elements of a list by index. */
  readonly members: ReadonlyMap<string, Member> = new Map()
  /** The members whose names match a pattern, by the pattern. */
  readonly patterns: ReadonlyMap<string, PatternMember> = new Map()
  /** The type of the others. Undefined: senders do not send them, receivers ignore them. `never`: they are rejected. */
  readonly others?: Type | undefined
  /** The steps to read all of it: a branch that is made from another one, or a pair of branches, costs as much. */
  readonly size: number
  #single: Type | undefined
  #keys: readonly unknown[] | undefined
  #tags: readonly string[] | undefined

  constructor(of: Pick<Branch, 'kind'> & Partial<Branch>) {
    this.kind = of.kind
    this.word = of.kind
    this.element = of.kind
    Object.assign(this, of)
    this.size = sizeOf(this)
  }

  /** The type with this branch alone. */
  get single(): Type {
    this.#single ??= new Type([this])
    return this.#single
  }

  /** The keys by which the branches that may accept this one are found. */
  get keys(): readonly unknown[] {
    this.#keys ??= isConstant(this) ? [this.value, any] : [...this.tags, looksOf(this), any]
    return this.#keys
  }

  /** The members that have one value, and distinguish an object from others, in one order: a lock has another one than the sources. */
  get tags(): readonly string[] {
    this.#tags ??= tagsOf(this).toSorted()
    return this.#tags
  }
}

/** What a union has for itself: the `A` in `A | string`. It is not compared. */
export const itself = new Branch({ kind: 'opaque', text: 'itself', word: 'a union that contains itself' })

export interface Member {
  readonly type: Type
  readonly optional: boolean
}

interface PatternMember {
  readonly names: Alternative
  readonly type: Type
}

/** A type: its branches. They are made when they are first needed, since a type can contain itself. */
export class Type {
  /** The branches, if they are those of a schema itself, which need not be made. */
  readonly known: readonly Branch[] | undefined
  /** Its words by depth, as `describeType` finds them: a type that contains itself in several ways is described once at each depth. */
  readonly words: (readonly string[])[] = []
  readonly #make: () => readonly Branch[]
  #branches: readonly Branch[] | undefined
  #index: ReadonlyMap<unknown, readonly Branch[]> | undefined
  #withoutNull: Type | undefined
  #kinds: ReadonlySet<Branch['kind']> | undefined

  /** `of`: branches that are not the same, or how they are made. */
  constructor(of: readonly Branch[] | (() => readonly Branch[])) {
    this.known = typeof of === 'function' ? undefined : of
    this.#branches = this.known
    this.#make = typeof of === 'function' ? of : () => of
  }

  /** The same objects each time; every constant once. Throws TooManySteps if these are more than may be made. */
  get branches(): readonly Branch[] {
    if (this.#branches) return this.#branches
    // A type is needed while it is expanded if a union contains itself: types that were made then would lack its branches.
    this.#branches = [itself]
    let made: readonly Branch[] | undefined
    try {
      made = this.#make()
    } finally {
      this.#branches = made
    }
    return made
  }

  /** The same object each time, as `withoutNull`. */
  get kinds(): ReadonlySet<Branch['kind']> {
    this.#kinds ??= new Set(this.branches.map(({ kind }) => kind))
    return this.#kinds
  }

  /**
   * A value that may be left out accepts null too, which is already reported if it had to be sent before, or has to be now. The same object
   * each time: many params may have one large type.
   */
  get withoutNull(): Type {
    this.#withoutNull ??= new Type(() => this.branches.filter(({ kind }) => kind !== 'null'))
    return this.#withoutNull
  }

  /**
   * Returns the branches that may accept a branch: of constants and of those with tags the ones with the same, then those that look the
   * same, and only some of the others, so that work does not grow with the square of the branches.
   */
  candidatesFor(branch: Branch, steps: Steps): readonly Branch[] {
    if (this.branches.length < FEW) return this.branches
    if (!this.#index) steps.take(this.branches.length)
    this.#index ??= indexOf(this.branches)
    const index = this.#index
    steps.take(branch.keys.length >> 2)
    return branch.keys.flatMap((key) => index.get(key) ?? [])
  }
}

/** The branches of a union that are tried one by one, without an index and with it. */
const FEW = 8
const MAX_CANDIDATES = 32

function indexOf(branches: readonly Branch[]): ReadonlyMap<unknown, readonly Branch[]> {
  const index = new Map<unknown, readonly Branch[]>()
  for (const branch of branches) {
    const { keys } = branch
    // A constant has its own key, and an object that of its first tag.
    for (const each of isConstant(branch) || keys.length > 2 ? keys.slice(0, 1) : keys) {
      const same = index.get(each) ?? []
      if (same.length < MAX_CANDIDATES) index.set(each, [...same, branch])
    }
  }
  return index
}

/** The key of all branches that have no value. */
const any = Symbol()

/** What shows of a branch without its types. */
function looksOf({ kind, word, text, limits, members }: Branch): string {
  return JSON.stringify([kind, word, text, limits, [...members.keys()].sort()])
}

function sizeOf({ members, patterns, limits, text = '', value }: Branch): number {
  const names = [...members.keys(), ...patterns.keys(), ...limits.map(([, limit]) => `${limit}`)]
  return names.reduce((sum, name) => sum + 1 + (name.length >> 6), 1 + ((text.length + `${value}`.length) >> 8))
}

/** Of a name and of a constant in a tag: what has the same beginning is compared. */
const TAG_LENGTH = 64

function tagsOf({ members }: Branch): readonly string[] {
  return [...members].flatMap(([name, { type, optional }]) => {
    const [only, more] = type.branches
    const isTag = only && !more && !optional && isConstant(only)
    return isTag ? [JSON.stringify([name, only.kind, `${only.value}`].map((each) => each.slice(0, TAG_LENGTH)))] : []
  })
}

export function isConstant(branch: Branch): boolean {
  return branch.value !== undefined
}

/** Returns the type with a new branch. */
export function formOf(kind: Branch['kind'], more: Partial<Branch> = {}): Type {
  return new Branch({ kind, ...more }).single
}

/** Many unions may have one large type: each takes steps for its branches before it is made. */
export function unionOf(types: readonly Type[], steps: Steps): Type {
  const [only] = types
  if (only && types.length === 1) return only
  const isSmall = types.reduce((sum, { known }) => sum + (known?.length ?? FEW), 0) < FEW
  if (isSmall) return constantsOf(types)
  return new Type(() => {
    steps.take(types.length >> 2)
    steps.take(types.reduce((sum, { branches }) => sum + branches.length, 0) >> 1)
    return distinct(types.flatMap(({ branches }) => branches))
  })
}

/** The union of types that are known, such as constants. */
export function constantsOf(types: readonly Type[]): Type {
  return new Type(distinct(types.flatMap(({ known = [] }) => known)))
}

function distinct(branches: readonly Branch[]): readonly Branch[] {
  const found = new Map<unknown, Branch>()
  for (const each of branches) found.set(isConstant(each) ? each.value : each, each)
  return [...found.values()]
}

/** The type of no value. */
export const never = new Type([])
export const nullType = formOf('null', { value: null })

export function nullable(type: Type, steps: Steps): Type {
  return unionOf([type, nullType], steps)
}

/** A reference to a named type, which is read when it is first compared. */
export function reference(id: string, read: () => Type, steps: Steps): Type {
  return new Type(() => {
    const { branches } = read()
    steps.take(branches.length >> 2)
    const [only] = branches
    const isNamed = only && branches.length === 1 && (only.kind === 'list' || only.kind === 'object')
    if (!isNamed) return branches
    steps.take(only.size >> 2)
    return [new Branch({ ...only, id })]
  })
}

/** A number is an `int` or a `double` in XML-RPC, as a param either of them. */
export function literal(value: string | number | boolean, isParam: boolean, element: string = typeof value): Type {
  if (typeof value === 'string') return formOf('text', { word: `'${value}'`, element, value })
  if (typeof value === 'boolean') return formOf('boolean', { word: `${value}`, value })
  const ofResult = (value | 0) === value ? 'int' : 'double'
  return formOf('number', { word: `${value}`, element: isParam ? element : ofResult, value })
}

/** A list of any length has no elements before the rest. */
export function list(prefix: readonly Type[], required: number, rest: Type | undefined): Type {
  const most: Limits = rest ? [] : [['maxItems', prefix.length]]
  const members = new Map(prefix.map((type, i) => [`${i}`, { type, optional: i >= required }]))
  return formOf('list', { members, others: rest, limits: [['minItems', required], ...most] })
}

/** `indexes` are the types of further members by the pattern of their names, or of all others. Patterns of names are optional members. */
export function object(
  declared: readonly (readonly [name: string, Member])[],
  indexes: readonly (readonly [pattern: string | undefined, Type])[],
): Type {
  const members = new Map(declared)
  const patterns = new Map<string, PatternMember>()
  for (const [pattern, type] of indexes) {
    for (const names of pattern === undefined ? [] : alternativesOf(pattern)) {
      if (names.rest !== 'nothing') patterns.set(names.pattern, { names, type })
      else if (!members.has(names.text)) members.set(names.text, { type, optional: true })
    }
  }
  return formOf('object', { members, patterns, others: indexes.find(([pattern]) => pattern === undefined)?.[1] })
}

/** Limits of limits multiply: types with more branches, or branches with more limits, are compared as a whole. */
const MAX_LIMITED = 32

/** Applies constraints to the branches that can have them; a constant that does not meet them is left out. */
export function limited(type: Type, limits: Limits, steps: Steps): Type {
  if (limits.length === 0) return type
  const isMany = (values: readonly unknown[]) => values.length > MAX_LIMITED
  const limit = (all: readonly Branch[]) => {
    const branches = isMany(all) ? [] : distinct(all.flatMap((each) => limitedBranch(each, limits, steps)))
    const isWhole = isMany(all) || branches.some((each) => isMany(each.limits))
    return isWhole ? opaqueLimits(limits, [type]).branches : branches
  }
  return new Type(type.known && type.known.length < FEW ? limit(type.known) : () => limit(type.branches))
}

function opaqueLimits(limits: Limits, references: readonly Type[], value?: Branch['value']): Type {
  const keywords = limits.map(([name]) => name)
  return opaque(JSON.stringify([value, limits]), keywords, references)
}

function limitedBranch(branch: Branch, limits: Limits, steps: Steps): readonly Branch[] {
  const { kind, word, value, constraints } = branch
  // A bigint is text with the limits of a number.
  const forms = [kind, word === 'bigint' ? 'number' : kind]
  const isAny = kind === 'any' || kind === 'opaque'
  const own = limits.filter(([name]) => isAny || forms.includes(constraintForms[name][0]))
  if (own.length === 0) return [branch]
  steps.take(branch.size + stepsWithin(branch.limits, own) + stepsWithin(own, branch.limits))
  if (value === undefined)
    return [
      new Branch({ ...branch, limits: withLimits(branch.limits, own), constraints: withLimits(constraints, own) }),
    ]
  if (!own.some(([name]) => name === 'pattern' || name === 'format')) return hasWithin(value, own) ? [branch] : []
  steps.take(16 + (`${value}`.length >> 4))
  return opaqueLimits(own, [], value).branches
}

export function opaque(
  text: string,
  keywords: readonly string[],
  references: readonly Type[] = [],
  isExact = true,
): Type {
  const names = [...new Set(keywords)].map((each) => `"${each}"`).join(' and ')
  const members = new Map(references.map((type, i) => [`${i}`, { type, optional: false }]))
  return formOf('opaque', { text, word: `schema with ${names}`, members, isExact })
}
