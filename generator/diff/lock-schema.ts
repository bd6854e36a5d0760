import { memberPath } from '../model/path.js'
import { createDigests } from './digest.js'
import { keyOf } from './groups.js'
import { plainSchema } from './lock-words.js'
import type { Printable } from './print.js'
import { type Branch, byName, partsOf, type Type } from './type.js'

/** Where types are used first: `createOrder(draft)`. */
export type Root = readonly [path: string, type: Type]

/** Writes grouped types as JSON Schema without names of their own. */
export interface SchemaWriter {
  schemaOf(type: Type): Printable
  /** What was referred to: what stands in several places, or contains itself, by the path of its first use. */
  schemas(): ReadonlyMap<string, Printable>
}

/** `roots` in the order of the lock: it decides which use is the first. */
export function createSchemaWriter(roots: readonly Root[]): SchemaWriter {
  const inOrder = sorter()
  const names = namesOf(roots, inOrder)
  const schemas = new Map<string, Printable>()
  const schemaOf = (type: Type): Printable => {
    const [only, ...more] = unionOf(inOrder(type), branchSchema)
    return only !== undefined && more.length === 0 ? only : new Map([['anyOf', [...(only ? [only] : []), ...more]]])
  }
  const waiting: [string, Branch][] = []
  const branchSchema = (branch: Branch): Printable => {
    const name = names.get(keyOf(branch))
    if (name === undefined) return plainSchema(branch, schemaOf)
    if (!schemas.has(name)) {
      // Known from here on, so that a type which contains itself ends.
      schemas.set(name, '')
      waiting.push([name, branch])
    }
    return new Map([['$ref', `#/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`]])
  }
  const all = () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) schemas.set(next[0], plainSchema(next[1], schemaOf))
    return schemas
  }
  return { schemaOf, schemas: all }
}

type InOrder = (type: Type) => readonly Branch[]

function sorter(): InOrder {
  const digest = createDigests()
  const known = new Map<number, readonly Branch[]>()
  return (type) => {
    const before = known.get(type.group)
    if (before) return before
    const different = [...new Map(type.branches().map((each) => [keyOf(each), each])).values()]
    const keyed = different.map((branch) => [digest(branch), branch] as const)
    const all = keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, branch]) => branch)
    known.set(type.group, all)
    return all
  }
}

/** A schema is not nested deeper than this: what lies there has a name. */
const deepest = 32

/** The names of branches that are large and used twice, by their keys. The shortest way to one is the first. */
function namesOf(roots: readonly Root[], inOrder: InOrder): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const names = new Map<string, string>()
  let level = roots
  for (let depth = 1; level.length > 0; depth += 1) {
    level = level.flatMap(([path, type]) =>
      inOrder(type)
        .filter(isLarge)
        .flatMap((branch): readonly Root[] => {
          const key = keyOf(branch)
          const before = first.get(key)
          if (before !== undefined || depth % deepest === 0) names.set(key, before ?? path)
          if (before !== undefined) return []
          first.set(key, path)
          return placesIn(branch, path)
        }),
    )
  }
  return unlike(names)
}

/** Lists of scalars are written in full; what contains itself is always large. */
function isLarge(branch: Branch): boolean {
  if (branch.kind === 'object') return true
  return partsOf(branch).some((part) =>
    part.branches().some((each) => partsOf(each).length > 0 || each.kind === 'object'),
  )
}

/** Branches of one union have one path: they are numbered. */
function unlike(names: ReadonlyMap<string, string>): Map<string, string> {
  const counts = new Map<string, number>()
  const numbered = Array.from(names, ([key, name]): [string, string] => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return [key, count === 1 ? name : `${name} ${count}`]
  })
  return new Map(numbered)
}

function placesIn(branch: Branch, path: string): Root[] {
  if (branch.kind === 'array') {
    const prefix = branch.prefix.map((part, i): Root => [`${path}[${i}]`, part])
    return [...prefix, ...(branch.rest ? [[`${path}[]`, branch.rest] as Root] : [])]
  }
  if (branch.kind !== 'object') return []
  const members = byName(branch.members).map(([name, { type }]): Root => [memberPath(path, name), type])
  const further = [...byName(branch.patterns).map(([, type]) => type), branch.others]
  const unnamed = further.flatMap((each): Root[] => (typeof each === 'string' ? [] : [[`${path}[]`, each]]))
  return [...members, ...unnamed]
}

/** Values as one list, true and false as boolean, then the other branches. */
function unionOf(branches: readonly Branch[], write: (branch: Branch) => Printable): Printable[] {
  const isBoolean = ({ kind, opaque, ...rest }: Branch) =>
    kind === 'literal' && 'value' in rest && typeof rest.value === 'boolean' && !opaque
  const boolean = branches.filter(isBoolean).length === 2
  const values = branches.flatMap((each) =>
    each.kind === 'literal' && !each.opaque && !(boolean && isBoolean(each)) ? [each.value] : [],
  )
  const others = branches.filter((each) => each.kind !== 'literal' || each.opaque)
  return [
    ...(boolean ? [new Map([['type', 'boolean']])] : []),
    ...(values.length > 0 ? [new Map([['enum', values]])] : []),
    ...others.map(write),
  ]
}
