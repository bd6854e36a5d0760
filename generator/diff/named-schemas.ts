// The schemas that the values of an object have to meet, by their names: a pattern can match a name that is declared too.
//
//     { properties: { a: S }, patternProperties: { '^a$|^b$': T } }  →  a: S and T, b: T
import { alternativesOf, keysOf } from './patterns.js'
import type { Steps } from './steps.js'

/** The schemas of one object: `properties`, and `patternProperties`. */
interface Declared {
  readonly properties: ReadonlyMap<string, unknown>
  readonly required: ReadonlySet<string>
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[]
}

export interface NamedSchemas {
  /** All schemas of each name that is declared, required or matched by a pattern such as `^a$`. */
  readonly names: ReadonlyMap<string, readonly unknown[]>
  /** Without the names that they exclude, if these are declared. */
  readonly patterns: readonly (readonly [pattern: string, schema: unknown])[]
}

/** Names and patterns multiply: an object is compared as text if it has more pairs of them than are left for its document. */
export const MAX_PAIRS = 2 ** 16

/**
 * Returns the schemas of an object; undefined if it has more than the `pairs` that are left. A pattern counts for the names that it certainly matches.
 * With `isOwn` it counts for none that is declared: so it is in the descriptions that rpc-gen writes as documents.
 */
export function namedSchemasOf(
  { properties, required, patterns }: Declared,
  isOwn: boolean,
  pairs: Steps,
): NamedSchemas | undefined {
  const divided = patterns.map(([pattern, schema]) => [pattern, alternativesOf(pattern), schema] as const)
  // rpc-gen describes `__proto__` by a pattern only.
  const single = new Set(
    divided.flatMap(([, all]) => all.flatMap(({ text, rest }) => (rest === 'nothing' ? [text] : []))),
  )
  const read = divided.map(([pattern, all, schema]) => {
    const keys = keysOf(pattern, (name) => properties.has(name) || single.has(name))
    return { ...keys, schema, alternatives: keys.pattern === pattern ? all : alternativesOf(keys.pattern) }
  })
  const names = new Map<string, unknown[]>([...properties].map(([name, schema]) => [name, [schema]]))
  for (const name of required) if (!names.has(name)) names.set(name, [])
  const add = (name: string, schema: unknown) => {
    const all = names.get(name) ?? []
    if (all.length === 0 || !isOwn) all.push(schema)
    names.set(name, all)
  }
  const open: (readonly [text: string, schema: unknown, excluded: ReadonlySet<string>])[] = []
  for (const { alternatives, schema, excluded } of read)
    for (const { text, rest } of alternatives) {
      if (rest === 'nothing' && !excluded.has(text)) add(text, schema)
      if (rest === 'anything') open.push([text, schema, excluded])
    }
  const count = isOwn ? 0 : open.length * names.size
  if (count > pairs.left) return undefined
  pairs.take(count)
  for (const name of isOwn ? [] : names.keys())
    for (const [text, schema, excluded] of open) if (name.startsWith(text) && !excluded.has(name)) add(name, schema)
  return { names, patterns: read.map(({ pattern, schema }) => [pattern, schema]) }
}
