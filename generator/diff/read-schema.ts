// Reads a JSON Schema of any draft: the inverse of runtime/description/json-schema.ts. A schema with keywords that a description does not have is
// compared as text (`opaque`), and has to stay the same with all that it refers to:
//
//     { "type": "integer", "minimum": 1, "maximum": 2147483647 }  →  { kind: 'number', word: 'Int', limits: [['minimum', 1]], … }
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import { base64Pattern, inputDateName } from '../../runtime/description/json-schema.js'
import { type Constraints, constraintForms } from '../../runtime/values/constraints.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { limitsOf } from './limits.js'
import { areMatched, keysOf } from './patterns.js'
import type { References } from './references.js'
import { bigintText, int32, scalarsFor } from './scalars.js'
import type { Steps } from './steps.js'
import {
  areApart,
  limited,
  list,
  literal,
  type Member,
  never,
  object,
  opaque,
  reference,
  Type,
  unionOf,
} from './type.js'

/** Keywords that do not limit values, as those that begin with `x-`. */
const annotations = new Set(
  `$comment $id $schema $defs $anchor id definitions description summary title deprecated default examples example readOnly writeOnly
  contentMediaType externalDocs discriminator`.split(/\s+/),
)

/** Keywords whose value is a schema or a list of schemas, and those with schemas by name. */
const withSchemas = new Set(
  `allOf anyOf oneOf not if then else items prefixItems additionalItems additionalProperties contains propertyNames unevaluatedItems
  unevaluatedProperties`.split(/\s+/),
)
const withNamedSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Returns the keywords of a schema that limit values. */
function wordsOf(schema: JsonObject): readonly string[] {
  const isLimit = (word: string) => schema[word] !== undefined && !annotations.has(word) && !word.startsWith('x-')
  return Object.keys(schema).filter(isLimit)
}

/** Returns JSON with members in order: equal values have equal texts. */
function canonical(value: unknown): string {
  const inOrder = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
  return JSON.stringify(value, (_, each) => {
    return isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(inOrder)) : each
  })
}

/** Returns the words for `type` that a value meets. */
function typesOf(value: unknown): readonly string[] {
  if (Number.isInteger(value)) return ['integer', 'number']
  return [value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value]
}

/** Keywords of objects, and of lists. */
const ofObjects = ['properties', 'required', 'patternProperties', 'additionalProperties']
const structural = [...ofObjects, 'items', 'prefixItems', 'additionalItems']

/** A type, and the keywords that it comes from; the others limit it. */
type ReadType = readonly [type: Type, ...used: string[]]

/** Reads the schemas of what callers send (`isParam`) or receive. */
export class SchemaReader {
  readonly #references: References
  readonly #isParam: boolean
  readonly #scalars: ReturnType<typeof scalarsFor>
  readonly #number: Type
  readonly #byTarget = new Map<unknown, Type>()
  readonly #bySchema = new Map<unknown, Type>()
  readonly #steps: Steps

  constructor(references: References, isParam: boolean, number: 'number' | 'double', steps: Steps) {
    this.#references = references
    this.#isParam = isParam
    this.#scalars = scalarsFor(isParam, steps)
    this.#steps = steps
    this.#number = this.#scalars[number]
  }

  type(schema: unknown): Type {
    if (typeof schema === 'boolean') return schema ? this.#scalars.any : never
    if (!isJsonObject(schema)) throw new UsageError(`${this.#references.file} has a schema that is not an object`)
    const type = this.#bySchema.get(schema) ?? this.#typeOf(schema)
    this.#bySchema.set(schema, type)
    return type
  }

  #typeOf(schema: JsonObject): Type {
    const [type, ...used] = this.#read(schema)
    const others = wordsOf(schema).filter((word) => !used.includes(word))
    const isConstraint = (word: string) => typeof schema[word] === constraintForms[word as keyof Constraints]?.[1]
    const keywords = others.filter((word) => !isConstraint(word)).sort()
    if (keywords.length > 0) return this.#asText(schema, keywords)
    return limited(type, limitsOf(Object.fromEntries(others.map((word) => [word, schema[word]]))), this.#steps)
  }

  /** A schema whose keywords are compared as text, and the schemas in it as types. */
  #asText(schema: JsonObject, keywords: readonly string[]): Type {
    const types: Type[] = []
    const textOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(textOf)
      return typeof value === 'boolean' || isJsonObject(value) ? types.push(this.type(value)) : value
    }
    const partOf = (word: string): unknown => {
      const value = schema[word]
      if (word === '$ref') return types.push(this.#reference(schema))
      if (withSchemas.has(word)) return textOf(value)
      if (!withNamedSchemas.has(word) || !isJsonObject(value)) return value
      return Object.keys(value)
        .sort()
        .map((name) => [name, textOf(value[name])])
    }
    const own = [...wordsOf(schema)].sort().map((word) => [word, partOf(word)])
    return opaque(canonical([types.length, own]), keywords, types)
  }

  #read(schema: JsonObject): ReadType {
    const { allOf, anyOf, oneOf, type } = schema
    const union = anyOf ?? oneOf
    if (schema['$ref'] !== undefined) return [this.#reference(schema), '$ref']
    // How rpc-gen writes a reference with constraints.
    if (Array.isArray(allOf) && allOf.length === 1) return [this.type(allOf[0]), 'allOf']
    if ('const' in schema) return [this.#constants([schema['const']], type), 'const', 'type']
    // A list of values takes precedence over the format.
    if (Array.isArray(schema['enum']))
      return [this.#constants(schema['enum'], type), 'enum', 'type', 'format', 'contentEncoding']
    if (Array.isArray(union) && type === undefined)
      return anyOf ? [this.#union(union.map((each) => this.type(each))), 'anyOf'] : [this.#oneOf(union), 'oneOf']
    // Without a type, keywords limit the values that can have them.
    const isLimited = wordsOf(schema).some((word) => word in constraintForms || structural.includes(word))
    const any = isLimited ? ['null', 'boolean', 'number', 'string', 'array', 'object'] : []
    const types = [...new Set<unknown>(type === undefined ? any : [type].flat())]
    if (types.length === 0) return [this.#scalars.any, 'type']
    const all = types.map((each) => this.#typed(each, schema))
    return [this.#union(all.map(([each]) => each)), 'type', ...structural, ...all.flatMap(([, ...used]) => used)]
  }

  /** What is of two schemas is rejected, so those that may overlap are not a union: each has to stay the same, in its place. */
  #oneOf(schemas: readonly unknown[]): Type {
    const types = schemas.map((each) => this.type(each))
    const union = this.#union(types)
    return new Type(() =>
      types.length < 2 || areApart(types, this.#steps)
        ? union.branches
        : opaque(`one of ${types.length}`, ['oneOf'], types).branches,
    )
  }

  #union(types: readonly Type[]): Type {
    return unionOf(types, this.#steps)
  }

  /** The name of the definition is that of the last reference. */
  #reference(schema: JsonObject): Type {
    const { value, ref } = this.#references.follow(schema)
    if (ref.endsWith(`/${inputDateName}`)) return this.#scalars.date
    const known = this.#byTarget.get(value)
    if (known) return known
    const type = reference(ref, () => this.type(value))
    this.#byTarget.set(value, type)
    return type
  }

  /** Returns the type of the constants that are of a type. */
  #constants(values: readonly unknown[], type: unknown): Type {
    const types = new Set<unknown>([type ?? []].flat())
    const all = types.size === 0 ? values : values.filter((each) => typesOf(each).some((word) => types.has(word)))
    return this.#union(all.map((each) => this.#constant(each)))
  }

  #constant(value: unknown): Type {
    if (value === null) return this.#scalars.null
    if (typeof value !== 'object') return literal(value as string | number | boolean, this.#isParam)
    return opaque(canonical(value), ['const'])
  }

  #typed(type: unknown, schema: JsonObject): ReadType {
    switch (type) {
      case 'null':
      case 'boolean':
        return [this.#scalars[type]]
      case 'number':
        return [this.#number, 'format']
      case 'integer':
        return this.#integer(schema)
      case 'string':
        return this.#string(schema)
      case 'array':
        return [this.#list(schema)]
      case 'object':
        return [this.#object(schema)]
      default:
        return [never]
    }
  }

  /** An `Int` has the bounds of one, or the format of another tool. */
  #integer({ minimum, maximum, multipleOf, format }: JsonObject): ReadType {
    const isBounded = Number(minimum ?? -Infinity) >= int32.minimum && Number(maximum ?? Infinity) <= int32.maximum
    const used = ['format', ...(Number.isInteger(1 / Number(multipleOf)) ? ['multipleOf'] : [])]
    if (!isBounded && format !== 'int32') return [this.#scalars.integer, ...used]
    const isImplied = (word: keyof typeof int32) => isBounded && { minimum, maximum }[word] === int32[word]
    return [this.#scalars.int, ...used, ...(['minimum', 'maximum'] as const).filter(isImplied)]
  }

  /** In a result a `Date` is a date-time, and a bigint its decimal text. The pattern that documents of rpc-gen have for bytes repeats their encoding. */
  #string({ pattern, format, contentEncoding }: JsonObject): ReadType {
    if (contentEncoding === 'base64')
      return [this.#scalars.bytes, 'contentEncoding', ...(pattern === base64Pattern ? ['pattern'] : [])]
    if (!this.#isParam && format === 'date-time') return [this.#scalars.date, 'format']
    return !this.#isParam && pattern === bigintText ? [this.#scalars.bigint, 'pattern'] : [this.#scalars.string]
  }

  /** Before 2020-12 a tuple is a list of `items`. */
  #list({ items, prefixItems, additionalItems, maxItems }: JsonObject): Type {
    const isTuple = Array.isArray(items)
    const prefix = this.#listIn({ prefixItems: prefixItems ?? (isTuple ? items : []) }, 'prefixItems')
    const rest = isTuple ? additionalItems : items
    const elements = prefix.map((each) => this.type(each))
    return list(elements, 0, rest === false || maxItems === 0 ? undefined : this.type(rest ?? true))
  }

  /** An object without any keyword for its members has any; else those that are not declared are not sent. */
  #object(schema: JsonObject): Type {
    const isFree = ofObjects.every((word) => schema[word] === undefined)
    const { additionalProperties = isFree ? true : undefined } = schema
    const required = new Set(this.#listIn(schema, 'required').map(String))
    const members = new Map<string, Member>()
    const add = (name: string, each: unknown) => {
      members.set(name, { type: this.type(each), optional: !required.has(name) })
    }
    for (const [name, each] of this.#membersIn(schema, 'properties')) add(name, each)
    const patterns = this.#membersIn(schema, 'patternProperties').map(([pattern, each]) => ({
      ...keysOf(pattern),
      each,
    }))
    // rpc-gen describes `__proto__` by a pattern only.
    const known = new Set([...members.keys(), ...patterns.flatMap(({ names }) => [...names])])
    for (const { names, excluded, each } of patterns) {
      if (![...excluded].every((name) => known.has(name))) return this.#asText(schema, ['patternProperties'])
      for (const name of [...names].filter((name) => !excluded.has(name))) {
        if (members.has(name)) return this.#asText(schema, ['patternProperties'])
        add(name, each)
      }
    }
    for (const name of required) if (!members.has(name)) add(name, additionalProperties ?? true)
    // A declared member whose name a pattern matches too has to meet both schemas.
    if (areMatched(patterns, members.keys())) return this.#asText(schema, ['patternProperties'])
    const indexes = patterns.map(({ pattern, each }) => [pattern, this.type(each)] as const)
    const others = additionalProperties === undefined ? [] : [[undefined, this.type(additionalProperties)] as const]
    return object([...members], [...indexes, ...others])
  }

  #listIn(schema: JsonObject, word: string): readonly unknown[] {
    const value = schema[word] ?? []
    if (!Array.isArray(value))
      throw new UsageError(`${this.#references.file} has a schema whose "${word}" is not a list`)
    return value
  }

  #membersIn(schema: JsonObject, word: string): [string, unknown][] {
    const value = schema[word] ?? {}
    if (!isJsonObject(value))
      throw new UsageError(`${this.#references.file} has a schema whose "${word}" is not an object`)
    return Object.entries(value)
  }
}
