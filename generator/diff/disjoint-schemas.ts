// Whether the schemas of a `oneOf` can overlap. If no value is of two of them, it accepts what `anyOf` accepts:
//
//     [{ "type": "integer" }, { "type": "null" }]  →  true        [{ "type": "integer" }, { "type": "number" }]  →  false
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import type { References } from './references.js'
import type { Steps } from './steps.js'

/** What shows of a schema without what it refers to. */
interface Shape {
  /** The kinds of its values; integers are numbers. */
  readonly kinds: ReadonlySet<string>
  /** The text of each of its values, if these are constants. */
  readonly constants: readonly string[] | undefined
  /** The constants of the members that are required, and have constants only. */
  readonly tags: ReadonlyMap<string, readonly string[]>
}

/** Compares the schemas of one document. */
export class DisjointSchemas {
  readonly #references: References
  readonly #steps: Steps
  /** By what a reference leads to: many may lead to one schema. */
  readonly #shapes = new Map<unknown, Shape | undefined>()
  /** By schema: many members may lead to one large enum. */
  readonly #constants = new Map<unknown, readonly string[] | undefined>()

  constructor(references: References, steps: Steps) {
    this.#references = references
    this.#steps = steps
  }

  /** True if no value is of two of the schemas. `false` may be wrong. */
  areDisjoint(schemas: readonly unknown[]): boolean {
    const byKind = new Map<string, Shape[]>()
    this.#steps.take(schemas.length)
    for (const schema of schemas) {
      const shape = this.#shapeOf(schema)
      if (!shape) return false
      for (const kind of shape.kinds) {
        const same = byKind.get(kind) ?? []
        same.push(shape)
        byKind.set(kind, same)
      }
    }
    return [...byKind].every(([kind, all]) => all.length === 1 || this.#areApart(kind, all))
  }

  #areApart(kind: string, shapes: readonly Shape[]): boolean {
    if (this.#areDistinct(shapes.map(({ constants }) => constants))) return true
    // Only objects have members: null is of two schemas of `['object', 'null']`, whatever their tags.
    const names = kind === 'object' ? [...(shapes[0]?.tags.keys() ?? [])] : []
    return names.some((name) => this.#areDistinct(shapes.map(({ tags }) => tags.get(name))))
  }

  /** True if no constant is in two lists; `undefined` is not known. */
  #areDistinct(lists: readonly (readonly string[] | undefined)[]): boolean {
    const seen = new Set<string>()
    this.#steps.take(lists.length)
    return lists.every((list) => {
      if (!list) return false
      this.#steps.take(list.length)
      return list.every((each) => seen.size < seen.add(each).size)
    })
  }

  #shapeOf(schema: unknown): Shape | undefined {
    const { value } = this.#references.follow(schema)
    if (!isJsonObject(value)) return undefined
    if (!this.#shapes.has(value)) this.#shapes.set(value, this.#read(value))
    return this.#shapes.get(value)
  }

  #read(schema: JsonObject): Shape | undefined {
    const { type, properties, required } = schema
    const values = valuesOf(schema)
    const kinds = values?.map(kindOf) ?? [type ?? []].flat().map((word) => (word === 'integer' ? 'number' : `${word}`))
    if (kinds.length === 0) return undefined
    const tags = new Map<string, readonly string[]>()
    for (const name of isJsonObject(properties) && Array.isArray(required) ? required : []) {
      const member = Object.hasOwn(properties as JsonObject, name) && (properties as JsonObject)[name]
      const constants = this.#constantsOf(this.#references.follow(member).value)
      if (constants) tags.set(name, constants)
    }
    return { kinds: new Set(kinds), constants: this.#constantsOf(schema), tags }
  }

  #constantsOf(schema: unknown): readonly string[] | undefined {
    if (!this.#constants.has(schema)) this.#constants.set(schema, textsOf(valuesOf(schema)))
    return this.#constants.get(schema)
  }
}

function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(schema)) return undefined
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

/** Returns the word for `type` that a value meets; one of numbers for integers too. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Returns the text of each constant; undefined if there are lists or objects, whose members may have another order. */
function textsOf(values: readonly unknown[] | undefined): readonly string[] | undefined {
  if (!values || values.some((each) => typeof each === 'object' && each !== null)) return undefined
  return [...new Set(values.map((each) => JSON.stringify(each)))]
}
