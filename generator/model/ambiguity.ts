import type { TypesByName } from '../../runtime/schema/description.js'
import { key } from '../../templates/layout.js'
import { areDisjoint, differByText, flatten, hasTextForm, shareForm } from './forms.js'
import type { ModelType } from './model.js'

/** Two branches of a union that JSON cannot tell apart. */
export interface Ambiguity {
  readonly one: string
  readonly other: string
  /** The member that would tell them apart, were it of literals and not of template literals. */
  readonly tag?: string
}

/** How people call a kind in TypeScript. */
const words: Partial<Record<ModelType['kind'], string>> = {
  date: 'Date',
  url: 'URL',
  bytes: 'Uint8Array',
  set: 'Set',
  map: 'Map',
  struct: 'object',
}

/**
 * Finds two branches that share a JSON form and are turned into different TypeScript values: `Date | string`,
 * `bigint | number`, `Set<T> | T[]`. Which of the two was meant nobody could tell.
 */
export function findAmbiguity(branches: readonly ModelType[], types: TypesByName): Ambiguity | undefined {
  const search: Search = { types, compared: new Map() }
  const flat = branches.flatMap((branch) => flatten(branch, types))
  // Two literals never clash, and there may be thousands of them.
  const others = flat.filter(({ kind }) => kind !== 'literal')
  for (const one of flat) {
    for (const other of one.kind === 'literal' ? others : others.slice(others.indexOf(one) + 1)) {
      const found = clash(one, other, search, 0)
      if (found) return found
    }
  }
  return undefined
}

function wordFor(type: ModelType): string {
  return type.kind === 'literal' ? JSON.stringify(type.value) : (words[type.kind] ?? type.kind)
}

/** How deep two branches are compared; recursive types look alike all the way down. */
const deepest = 4

interface Search {
  readonly types: TypesByName
  /** The least depth at which two types were compared: nothing was found then, nor is it deeper down. */
  readonly compared: Map<ModelType, Map<ModelType, number>>
}

function isCompared(one: ModelType, other: ModelType, { compared }: Search, depth: number): boolean {
  const depths = compared.get(one) ?? new Map<ModelType, number>()
  compared.set(one, depths)
  if ((depths.get(other) ?? Number.POSITIVE_INFINITY) <= depth) return true
  depths.set(other, depth)
  return false
}

function clash(one: ModelType, other: ModelType, search: Search, depth: number): Ambiguity | undefined {
  const both = { one: wordFor(one), other: wordFor(other) }
  if (differByText(one, other)) return undefined
  if (one.kind === 'literal' || other.kind === 'literal')
    return hasTextForm(one) || hasTextForm(other) ? both : undefined
  if (depth > deepest || !shareForm(one, other)) return undefined
  if (one === other || isCompared(one, other, search, depth)) return undefined
  if (isList(one) && isList(other)) return clashLists(one, other, search, depth)
  if (one.kind !== other.kind) return needsTelling(one) || needsTelling(other) ? both : undefined
  if (one.kind === 'struct' && other.kind === 'struct') return clashStructs(one, other, search, depth)
  return one.kind === 'bytes' && other.kind === 'bytes' && one.as !== other.as
    ? { one: one.as, other: other.as }
    : undefined
}

/** What clashes in parts of two types, told with what the parts lie in. */
function inside(found: Ambiguity, around: (word: string) => string): Ambiguity {
  return { ...found, one: around(found.one), other: around(found.other) }
}

/** Kinds that are something else in TypeScript than in JSON. */
function needsTelling({ kind }: ModelType): boolean {
  return kind === 'date' || kind === 'url' || kind === 'bytes' || kind === 'bigint' || kind === 'set' || kind === 'map'
}

function clashAny(one: ModelType, other: ModelType, search: Search, depth: number): Ambiguity | undefined {
  const others = flatten(other, search.types)
  for (const a of flatten(one, search.types)) {
    for (const b of others) {
      const found = clash(a, b, search, depth + 1)
      if (found) return found
    }
  }
  return undefined
}

type List = Extract<ModelType, { kind: 'array' | 'tuple' }>

function isList(type: ModelType): type is List {
  return type.kind === 'array' || type.kind === 'tuple'
}

/**
 * Lists clash when elements do that may stand in one place, unless another place tells them apart: one that both must have, or
 * one before, since who has a later element has the earlier ones.
 */
function clashLists(one: List, other: List, search: Search, depth: number): Ambiguity | undefined {
  const count = Math.max(...[one, other].map((each) => (each.kind === 'tuple' ? each.elements.length : 0))) + 1
  const pairs = Array.from({ length: count }, (_, i) => ({ i, a: elementOf(one, i), b: elementOf(other, i) }))
  const mustHave = Math.min(...[one, other].map((each) => (each.kind === 'tuple' ? each.required : 0)))
  const tellsAt = pairs.findIndex(
    ({ i, a, b }) => a && b && ![one, other].some((each) => mayBeHole(each, i)) && areDisjoint(a, b, search.types),
  )
  if (tellsAt !== -1 && tellsAt < mustHave) return undefined
  for (const { i, a, b } of tellsAt === -1 ? pairs : pairs.slice(0, tellsAt)) {
    const found = a && b && clashAny(a, b, search, depth)
    if (found) return { one: around(one, i, found.one), other: around(other, i, found.other) }
  }
  return undefined
}

function elementOf(list: List, at: number): ModelType | undefined {
  return list.kind === 'array' ? list.element : (list.elements[at] ?? list.rest)
}

/** Null stands for an optional element that is not there. */
function mayBeHole(list: List, at: number): boolean {
  return list.kind === 'tuple' && at >= list.required && at < list.elements.length
}

/** A list with what clashes at a place of it. */
function around(list: List, at: number, word: string): string {
  if (list.kind === 'array') return `${word}[]`
  const before = list.elements.slice(0, at).map(() => '…')
  const here = at < list.elements.length ? word : `...${word}[]`
  return `[${[...before, here, ...(at + 1 < list.elements.length ? ['…'] : [])].join(', ')}]`
}

type Struct = Extract<ModelType, { kind: 'struct' }>

/** Structs clash when a member does, unless another member that both must have tells them apart. */
function clashStructs(one: Struct, other: Struct, search: Search, depth: number): Ambiguity | undefined {
  const shared = one.members.flatMap((a) => {
    const b = other.members.find(({ name }) => name === a.name)
    return b ? [{ a, b }] : []
  })
  if (shared.some(({ a, b }) => !a.optional && !b.optional && areDisjoint(a.type, b.type, search.types)))
    return undefined
  const near = shared.find(({ a, b }) => !a.optional && !b.optional && isOfTemplates([a.type, b.type], search.types))
  const tag = near ? { tag: near.a.name } : {}
  for (const { a, b } of shared) {
    const found = clashAny(a.type, b.type, search, depth)
    if (found) return { ...tag, ...inside(found, (word) => `{ ${key(a.name)}: ${word} }`) }
  }
  return undefined
}

/** Whether every value is known by its text, and not each to the letter. */
function isOfTemplates(members: readonly ModelType[], types: TypesByName): boolean {
  const kinds = members.flatMap((each) => flatten(each, types)).map(({ kind }) => kind)
  return kinds.includes('template') && kinds.every((kind) => kind === 'template' || kind === 'literal')
}
