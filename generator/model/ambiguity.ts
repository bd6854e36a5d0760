import type { TypesByName } from '../../runtime/schema/description.js'
import { key } from '../../templates/text.js'
import type { ModelType } from './model.js'

/** Two branches of a union that JSON cannot tell apart. */
export interface Ambiguity {
  readonly one: string
  readonly other: string
}

/** What a value of a kind is in JSON. A literal is known to the letter and stands beside its base. */
const formOf: Partial<Record<ModelType['kind'], string>> = {
  int: 'number',
  double: 'number',
  number: 'number',
  bigint: 'integer or string',
  string: 'string',
  template: 'string',
  date: 'string',
  url: 'string',
  bytes: 'string',
  array: 'array',
  set: 'array',
  tuple: 'array',
  struct: 'object',
  map: 'object',
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
  const flat = branches.flatMap((branch) => flatten(branch, types))
  // Two literals never clash, and there may be thousands of them.
  const others = flat.filter(({ kind }) => kind !== 'literal')
  for (const one of flat) {
    for (const other of one.kind === 'literal' ? others : others.slice(others.indexOf(one) + 1)) {
      const found = clash(one, other, types, 0)
      if (found) return found
    }
  }
  return undefined
}

function wordFor(type: ModelType): string {
  return type.kind === 'literal' ? JSON.stringify(type.value) : (words[type.kind] ?? type.kind)
}

function flatten(type: ModelType, types: TypesByName): ModelType[] {
  if (type.kind === 'union') return type.branches.flatMap((branch) => flatten(branch, types))
  if (type.kind !== 'ref') return [type]
  const named = types.get(type.name)
  return named ? flatten(named.type, types) : []
}

/** How deep two branches are compared; recursive types look alike all the way down. */
const deepest = 4

function clash(one: ModelType, other: ModelType, types: TypesByName, depth: number): Ambiguity | undefined {
  const both = { one: wordFor(one), other: wordFor(other) }
  if (one.kind === 'literal' || other.kind === 'literal') return clashLiteral(one, other) ? both : undefined
  if (depth > deepest || !shareForm(one, other)) return undefined
  if (one.kind !== other.kind) return needsTelling(one) || needsTelling(other) ? both : undefined
  if (one.kind === 'array' && other.kind === 'array') {
    return inside(clashAny(one.element, other.element, types, depth), (word) => `${word}[]`)
  }
  if (one.kind === 'struct' && other.kind === 'struct') return clashStructs(one, other, types, depth)
  return one.kind === 'bytes' && other.kind === 'bytes' && one.as !== other.as
    ? { one: one.as, other: other.as }
    : undefined
}

/** What clashes in parts of two types, told with what the parts lie in. */
function inside(found: Ambiguity | undefined, around: (word: string) => string): Ambiguity | undefined {
  return found && { one: around(found.one), other: around(found.other) }
}

/** A literal is known to the letter, unless its text reads as a date, as bytes or as an integer. */
function clashLiteral(one: ModelType, other: ModelType): boolean {
  if (one.kind !== 'literal') return other.kind === 'literal' && clashLiteral(other, one)
  const reads = readsAs[other.kind]
  return reads !== undefined && typeof one.value !== 'boolean' && reads.test(String(one.value))
}

const readsAs: Partial<Record<ModelType['kind'], RegExp>> = {
  date: /^\d{4}-/,
  url: /^[a-z][a-z0-9+.-]*:/i,
  bytes: /^[\w\s+/=-]*$/,
  bigint: /^-?\d+$/,
}

function shareForm(one: ModelType, other: ModelType): boolean {
  const [a, b] = [formOf[one.kind], formOf[other.kind]]
  if (a === undefined || b === undefined) return false
  return a === b || (a.includes('string') && b.includes('string')) || (isNumeric(a) && isNumeric(b))
}

function isNumeric(form: string): boolean {
  return form === 'number' || form.startsWith('integer')
}

/** Kinds that are something else in TypeScript than in JSON. */
function needsTelling({ kind }: ModelType): boolean {
  return kind === 'date' || kind === 'url' || kind === 'bytes' || kind === 'bigint' || kind === 'set' || kind === 'map'
}

function clashAny(one: ModelType, other: ModelType, types: TypesByName, depth: number): Ambiguity | undefined {
  const others = flatten(other, types)
  for (const a of flatten(one, types)) {
    for (const b of others) {
      const found = clash(a, b, types, depth + 1)
      if (found) return found
    }
  }
  return undefined
}

type Struct = Extract<ModelType, { kind: 'struct' }>

/** Structs clash when a member does, unless another member that both must have tells them apart. */
function clashStructs(one: Struct, other: Struct, types: TypesByName, depth: number): Ambiguity | undefined {
  const shared = one.members.flatMap((a) => {
    const b = other.members.find(({ name }) => name === a.name)
    return b ? [{ a, b }] : []
  })
  if (shared.some(({ a, b }) => !a.optional && !b.optional && areDisjoint(a.type, b.type, types))) return undefined
  for (const { a, b } of shared) {
    const found = clashAny(a.type, b.type, types, depth)
    if (found) return inside(found, (word) => `{ ${key(a.name)}: ${word} }`)
  }
  return undefined
}

function areDisjoint(one: ModelType, other: ModelType, types: TypesByName): boolean {
  return flatten(one, types).every((a) => flatten(other, types).every((b) => cannotMeet(a, b)))
}

function cannotMeet(a: ModelType, b: ModelType): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (a.kind === 'literal' && b.kind === 'literal') return a.value !== b.value
  const [one, other] = [a, b].map((type) =>
    type.kind === 'literal' ? typeof type.value : (formOf[type.kind] ?? type.kind),
  )
  return one !== other && !shareForm(a, b)
}
