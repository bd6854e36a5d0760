// Which branch of a union a value in JSON has: by a discriminant, by order, or not at all, which is an error:
//
//   { kind: 'a', at: Date } | { kind: 'b' }  →  discriminant `kind`; Date | string  →  ambiguous, both are strings
import { flatten, mapInnerTypes } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { textOf } from '../../runtime/description/type-text.js'
import { memberKey } from '../text.js'
import {
  Comparison,
  createPairs,
  declaredLength,
  elementOf,
  type Fields,
  fieldOf,
  isFields,
  isListType,
  type List,
  lengthsOf,
  memberNamesOf,
  type Pairs,
  type Unions,
} from './disjoint.js'
import type { Kind, ModelType, OfKind } from './model.js'
import { hasTextForm } from './text-forms.js'

/** Two branches of a union that cannot be distinguished in JSON. */
interface Ambiguity {
  readonly one: string
  readonly other: string
}

/** What kinds are called, of which not every part is shown. Others are shown as TypeScript writes them. */
const words: Partial<Record<Kind, string>> = {
  ...{ template: 'template', array: 'array', tuple: 'tuple', set: 'Set', map: 'Map', struct: 'object' },
}

/**
 * Finds two branches that share a JSON form and are decoded to different TypeScript values: `Date | string`,
 * `bigint | number`, `Set<T> | T[]`. The server cannot know which of the two was meant. Branches that have to be tried in another
 * order than the declared one are ambiguous if they cannot be reordered. `'unknown'`: too many branches contain the union again.
 */
export function findAmbiguity(
  branches: readonly ModelType[],
  unions: Unions,
  isOrdered = false,
): Ambiguity | 'unknown' | undefined {
  const { ambiguity, moved } = decide(branches, unions)
  return ambiguity ?? (isOrdered ? moved : undefined)
}

/** How the branches of a union are distinguished. */
interface Decision {
  /**
   * The branches in the order in which they have to be tried: as declared, but an object with required members that another branch
   * lacks precedes it, because the other would accept its values too.
   */
  readonly order: readonly ModelType[]
  /** Two branches whose order was changed. */
  readonly moved?: Ambiguity | undefined
  readonly ambiguity?: Ambiguity | 'unknown' | undefined
}

type Precedence = Map<ModelType, Set<ModelType>>

/** Very many branches that contain the union again have too many pairs, or are deeper than the stack. */
function decide(branches: readonly ModelType[], unions: Unions): Decision {
  const unknown: Decision = { order: branches, ambiguity: 'unknown' }
  if (unions.isTooLarge) return unknown
  try {
    return compareBranches(branches, unions)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    unions.isTooLarge = true
    return unknown
  }
}

function compareBranches(branches: readonly ModelType[], unions: Unions): Decision {
  const { types } = unions
  const comparison = new Comparison(unions)
  const leaves = branches.flatMap((branch) => flatten(branch, types).map((type) => ({ type, branch })))
  // Two literals never clash, and there may be thousands of them.
  const others = leaves.filter(({ type }) => type.kind !== 'literal')
  // Nor do two structs with a discriminant.
  const isDecided = discriminantOf(branches, types) !== undefined
  const precedence: Precedence = new Map()
  let moved: Ambiguity | undefined
  for (const one of leaves) {
    for (const other of one.type.kind === 'literal' ? others : others.slice(others.indexOf(one) + 1)) {
      // The branches of a named union are compared where that union is checked.
      if (one.branch === other.branch) continue
      if (isDecided && one.type.kind === 'struct' && other.type.kind === 'struct') continue
      const found = clashOfBranches(one.type, other.type, comparison)
      if (!found) continue
      const relation = comparison.relate(one.type, other.type)
      if (relation === 'overlapping') return { order: branches, ambiguity: found }
      const [first, last] = relation === 'first' ? [one, other] : [other, one]
      precedence.set(last.branch, new Set([...(precedence.get(last.branch) ?? []), first.branch]))
      moved ??= found
    }
  }
  const order = precedence.size === 0 ? branches : sortedByPrecedence(branches, precedence)
  return order ? { order, moved } : { order: branches, ambiguity: moved }
}

/** Sorts branches so that each follows those that precede it; undefined for a cycle. */
function sortedByPrecedence(branches: readonly ModelType[], precedence: Precedence): readonly ModelType[] | undefined {
  const order: ModelType[] = []
  const left = [...branches]
  while (left.length > 0) {
    const at = left.findIndex((each) => !left.some((first) => precedence.get(each)?.has(first)))
    if (at < 0) return undefined
    order.push(...left.splice(at, 1))
  }
  return order
}

function wordFor(type: ModelType): string {
  if (type.kind === 'custom') return type.name
  return type.kind === 'literal' ? JSON.stringify(type.value) : (words[type.kind] ?? textOf(type))
}

interface Search {
  readonly comparison: Comparison
  /** Pairs of types that were compared without a result, or that are being compared. */
  readonly compared: Pairs<true>
  /** The compared pairs as a list. */
  readonly order: (readonly [ModelType, ModelType])[]
}

/** Searches two branches. If they do not clash, no pair inside of them does, which need not be searched for another union. */
function clashOfBranches(one: ModelType, other: ModelType, comparison: Comparison): Ambiguity | undefined {
  const search: Search = { comparison, compared: createPairs(), order: [] }
  const found = clash(one, other, search)
  if (!found) for (const [a, b] of search.order) comparison.compatible.set(a, b, true)
  return found
}

/** Marks a pair of types as compared; returns false if it already was. */
function markCompared(one: ModelType, other: ModelType, { comparison, compared, order }: Search): boolean {
  if (comparison.compatible.get(one, other) || compared.get(one, other)) return false
  comparison.take()
  compared.set(one, other, true)
  order.push([one, other])
  return true
}

/** Finds two meanings that one JSON value of both types would have. The order of the branches decides all other values. */
function clash(one: ModelType, other: ModelType, search: Search): Ambiguity | undefined {
  if (one.kind === 'any' || other.kind === 'any' || one === other) return undefined
  if (search.comparison.relate(one, other) === 'disjoint' || !markCompared(one, other, search)) return undefined
  const both = { one: wordFor(one), other: wordFor(other) }
  if (one.kind === 'custom' || other.kind === 'custom') return both
  if (one.kind === 'literal' || other.kind === 'literal')
    return hasTextForm(one) || hasTextForm(other) ? both : undefined
  if (isListType(one) && isListType(other) && (one.kind === 'set') === (other.kind === 'set'))
    return clashLists(one, other, search)
  if (one.kind !== other.kind) return differsFromJson(one) || differsFromJson(other) ? both : undefined
  if (isFields(one) && isFields(other)) return clashFields(one, other, search)
  return one.kind === 'bytes' && other.kind === 'bytes' && one.as !== other.as
    ? { one: one.as, other: other.as }
    : undefined
}

/** True for kinds whose values in TypeScript and in JSON differ in form. */
function differsFromJson(type: ModelType): boolean {
  return type.kind === 'set' || type.kind === 'map' || hasTextForm(type)
}

/** Finds clashing inner types of two types and describes them within the types that contain them. */
function clashInnerTypes(
  one: ModelType | undefined,
  other: ModelType | undefined,
  search: Search,
  around: (word: string, index: 0 | 1) => string,
): Ambiguity | undefined {
  if (!one || !other) return undefined
  const { comparison } = search
  const others = comparison.branchesOf(other)
  for (const a of comparison.branchesOf(one)) {
    for (const b of others) {
      const found = clash(a, b, search)
      if (found) return { one: around(found.one, 0), other: around(found.other, 1) }
    }
  }
  return undefined
}

/** Lists clash if elements at one index do. A list has no clash after an index that distinguishes them. */
function clashLists(one: List, other: List, search: Search): Ambiguity | undefined {
  const [, limit] = lengthsOf(one, other)
  for (let at = 0; at < Math.min(limit, declaredLength(one, other)); at += 1) {
    const [a, b] = [elementOf(one, at)?.type, elementOf(other, at)?.type]
    if (a && b && search.comparison.areDisjoint(a, b)) return undefined
    const found = clashInnerTypes(a, b, search, (word, i) => listWord(i === 0 ? one : other, at, word))
    if (found) return found
  }
  return undefined
}

/** Returns a list type with the clashing element at its index. */
function listWord(list: List, at: number, word: string): string {
  if (list.kind === 'set') return `Set<${word}>`
  if (list.kind === 'array') return `${word}[]`
  const before = list.elements.slice(0, at).map(() => '…')
  const here = at < list.elements.length ? word : `...${word}[]`
  return `[${[...before, here, ...(at + 1 < list.elements.length ? ['…'] : [])].join(', ')}]`
}

/** Objects clash if members of the same name do, or their index signatures. */
function clashFields(one: Fields, other: Fields, search: Search): Ambiguity | undefined {
  const { types } = search.comparison
  for (const name of memberNamesOf(one, other)) {
    const [a, b] = [fieldOf(one, name, types)?.type, fieldOf(other, name, types)?.type]
    const found = clashInnerTypes(a, b, search, (word) => `{ ${memberKey(name)}: ${word} }`)
    if (found) return found
  }
  for (const a of indexTypes(one)) {
    for (const b of indexTypes(other)) {
      const found = clashInnerTypes(a, b, search, (word) =>
        one.kind === 'map' ? `Map<string, ${word}>` : `{ [name: string]: ${word} }`,
      )
      if (found) return found
    }
  }
  return undefined
}

function indexTypes(type: Fields): readonly ModelType[] {
  return type.kind === 'map' ? [type.value] : (type.indexes ?? []).map((index) => index.type)
}

type Struct = OfKind<'struct'>

/** Returns the member whose literal decides the struct of a union, whatever other branches there are; undefined if there is none. */
function discriminantOf(branches: readonly ModelType[], types: TypesByName): string | undefined {
  const objects = branches.filter((branch) => mayHaveMembers(branch, types))
  const structs = objects.flatMap((branch) => structOf(branch, types) ?? [])
  if (structs.length < 2 || structs.length < objects.length) return undefined
  return structs[0]?.members.find(({ name }) => isDiscriminant(name, structs, types))?.name
}

/**
 * True if a value of a type may be an object with members. Values of other types cannot have the discriminant. In the process a value
 * of a custom scalar may be an object.
 */
function mayHaveMembers(type: ModelType, types: TypesByName): boolean {
  return flatten(type, types).some(({ kind }) => ['struct', 'map', 'any', 'custom'].includes(kind))
}

function structOf(type: ModelType, types: TypesByName): Struct | undefined {
  const [only, ...others] = flatten(type, types)
  return only?.kind === 'struct' && others.length === 0 ? only : undefined
}

function isDiscriminant(name: string, structs: readonly Struct[], types: TypesByName): boolean {
  const values = structs.map((struct) => memberLiterals(struct, name, types))
  const all = values.flat()
  return values.every((each) => each.length > 0) && new Set(all).size === all.length
}

/** Returns the literals that a struct's member may have; none if it is optional or has other values. */
function memberLiterals(struct: Struct, name: string, types: TypesByName): readonly (string | number | boolean)[] {
  const member = struct.members.find((each) => each.name === name && !each.optional)
  const branches = member ? flatten(member.type, types) : []
  return branches.every((each) => each.kind === 'literal') ? branches.map(({ value }) => value) : []
}

/** Returns the type with the discriminant of every union in it, or with its branches in the order in which they have to be tried. */
export function withDiscriminants(type: ModelType, unions: Unions): ModelType {
  const deep = mapInnerTypes(type, (each) => withDiscriminants(each, unions))
  if (type.kind !== 'union' || deep.kind !== 'union') return deep
  const discriminant = discriminantOf(type.branches, unions.types)
  if (discriminant !== undefined) return { ...deep, discriminant }
  const { order } = decide(type.branches, unions)
  if (order === type.branches) return deep
  const deepOf = new Map(type.branches.map((each, i) => [each, deep.branches[i] ?? each]))
  return { ...deep, branches: order.map((each) => deepOf.get(each) ?? each) }
}
