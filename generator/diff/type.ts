import type { NumberLimits, StringLimits } from './limits.js'

/**
 * What a schema takes: a value that one of its branches takes. Types that take the same values have the same `group`, in
 * both documents, once `groupTypes` has seen them.
 */
export interface Type {
  readonly id: number
  branches(): readonly Branch[]
  group: number
}

export type Kind = Branch['kind']

/** One kind of value. `opaque`: words of JSON Schema that are compared as text; all of them limit the branch. */
export type Branch = (
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** A list or an object of one value: only as other tools write it. */
  | { readonly kind: 'constant'; readonly text: string }
  | ({ readonly kind: 'number' } & NumberLimits)
  | ({ readonly kind: 'string' } & StringLimits)
  | ArrayBranch
  | ObjectBranch
) & {
  readonly opaque?: readonly string[]
  /** What the source calls it, where it has a name; no part of the comparison. */
  readonly name?: string
}

/** `prefix`, then any number of `rest`; without a rest there is nothing behind the prefix. */
export interface ArrayBranch {
  readonly kind: 'array'
  readonly prefix: readonly Type[]
  readonly rest: Type | undefined
  readonly least: number
  readonly most: number
  readonly unique: boolean
}

/** Members by name, those whose names match a pattern, and the others. */
export interface ObjectBranch {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Member>
  readonly patterns: ReadonlyMap<string, Type>
  /** `dropped`: nobody sends them, and whoever gets them ignores them. */
  readonly others: Type | 'dropped' | 'refused'
}

export interface Member {
  readonly type: Type
  readonly required: boolean
}

/** The parts of a branch that are types themselves. */
export function partsOf(branch: Branch): Type[] {
  if (branch.kind === 'array') return [...branch.prefix, ...(branch.rest ? [branch.rest] : [])]
  if (branch.kind !== 'object') return []
  const others = typeof branch.others === 'string' ? [] : [branch.others]
  return [...Array.from(branch.members.values(), ({ type }) => type), ...branch.patterns.values(), ...others]
}

/** The type of one element; undefined where there is none. */
export function elementAt({ prefix, rest }: ArrayBranch, index: number): Type | undefined {
  return prefix[index] ?? rest
}

/** Entries in the order of their names. */
export function byName<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}
