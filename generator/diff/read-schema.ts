// Reads a JSON Schema of any draft: the inverse of runtime/description/json-schema.ts. A schema with keywords that a description does not have is
// compared as text (`opaque`):
//
//     { "type": "integer", "minimum": 1, "maximum": 2147483647 }  →  { kind: 'number', word: 'Int', limits: [['minimum', 1]], … }
import { isJsonObject, type JsonObject } from '../../runtime/description/described-types.js'
import { base64Pattern, inputDateName } from '../../runtime/description/json-schema.js'
import { type Constraints, constraintForms } from '../../runtime/values/constraints.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { areDisjoint } from './disjoint.js'
import { limitsOf } from './limits.js'
import { alternativesOf, keysOf } from './patterns.js'
import type { References } from './references.js'
import { bigintText, int32, scalarsFor } from './scalars.js'
import { Steps } from './steps.js'
import { constantsOf, limited, list, literal, never, object, opaque, reference, Type, unionOf } from './type.js'

/** Keywords that do not limit values, as those that begin with `x-`. */
const annotations = new Set(
  `$comment $id $schema $defs $anchor id definitions description summary title deprecated default examples example readOnly writeOnly
  contentMediaType externalDocs discriminator`.split(/\s+/),
)

/** Keywords whose value is a schema or a list of schemas, and those that have schemas by name. */
const withSchemas = new Set(
  `allOf anyOf oneOf not if then else items prefixItems additionalItems additionalProperties contains propertyNames unevaluatedItems
  unevaluatedProperties`.split(/\s+/),
)
const withNames = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Returns the keywords of a schema that limit values. */
function wordsOf(schema: JsonObject): string[] {
  const isLimit = (word: string) => schema[word] !== undefined && !annotations.has(word) && !word.startsWith('x-')
  return Object.keys(schema).filter(isLimit)
}

/** Returns JSON with members in order, so that equal values have equal texts. */
function canonical(value: unknown): string {
  const inOrder = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
  return JSON.stringify(value, (_, each) => {
    return isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(inOrder)) : each
  })
}

/** The words for `type`. Documents that are written by hand have others, such as `int` and `any`: what these accept is not known. */
const typeWords = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'] as const

type TypeWord = (typeof typeWords)[number]

function isTypeWord(word: unknown): word is TypeWord {
  return typeWords.includes(word as TypeWord)
}

/** Returns the words for `type` that a value meets. */
function typesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object') return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
  return [value === null ? 'null' : Array.isArray(value) ? 'array' : 'object']
}

/** Keywords of lists and objects. */
const structural = 'items prefixItems additionalItems properties required patternProperties additionalProperties'.split(
  ' ',
)

/** A type, and the keywords that it comes from; the others limit it. */
type ReadType = readonly [type: Type, ...used: string[]]

/** Names and patterns multiply: an object is compared as text if it has more pairs of them than are left for its document. */
const MAX_PAIRS = 2 ** 16

/** So do the schemas of an `allOf`, which many may refer to: those of a document that have more members have to stay the same. */
const MAX_COMMON = 2 ** 18

type PatternSchema = readonly [pattern: string, schema: unknown]

/**
 * Adds to the schemas of names those of the patterns that certainly match them: `{ a: S }` and `^a$|^b$: T` are `{ a: S and T, b: T }`. Returns the
 * patterns without the names that they exclude; undefined if there are more pairs than are left.
 */
function matchNames(
  names: Map<string, unknown[]>,
  patterns: readonly PatternSchema[],
  pairs: Steps,
): readonly PatternSchema[] | undefined {
  const add = (name: string, schema: unknown) => {
    const schemas = names.get(name)
    if (schemas) schemas.push(schema)
    else names.set(name, [schema])
  }
  const open: (readonly [text: string, excluded: ReadonlySet<string>, schema: unknown])[] = []
  // Those that exclude names last: the name may be that of a pattern, as `^__proto__$` is in documents of rpc-gen.
  const sorted = [true, false].flatMap((isFirst) => patterns.filter(([each]) => isFirst === !each.startsWith('^(?!')))
  const read = sorted.map(([whole, schema]): PatternSchema => {
    const { pattern, excluded } = keysOf(whole, (name) => names.has(name))
    for (const { text, rest } of alternativesOf(pattern)) {
      if (rest === 'nothing' && !excluded.has(text)) add(text, schema)
      if (rest === 'anything') open.push([text, excluded, schema])
    }
    return [pattern, schema]
  })
  if (open.length * names.size > pairs.left) return undefined
  pairs.take(open.length * names.size)
  for (const name of names.keys())
    for (const [text, excluded, schema] of open) if (name.startsWith(text) && !excluded.has(name)) add(name, schema)
  return read
}

/** Reads the schemas of what callers send (`isParam`) or receive. */
export class SchemaReader {
  readonly #references: References
  readonly #isParam: boolean
  readonly #scalars: ReturnType<typeof scalarsFor>
  readonly #byTarget = new Map<unknown, Type>()
  readonly #bySchema = new Map<unknown, Type>()
  readonly #steps: Steps
  readonly #pairs = new Steps(MAX_PAIRS)
  readonly #members = new Steps(MAX_COMMON)

  constructor(references: References, isParam: boolean, ofNumber: 'number' | 'double', steps: Steps) {
    this.#references = references
    this.#isParam = isParam
    this.#scalars = scalarsFor(isParam, steps, ofNumber)
    this.#steps = steps
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

  /** A schema whose keywords are compared as text, and the schemas in it by themselves. */
  #asText(schema: JsonObject, keywords: readonly string[]): Type {
    const types: Type[] = []
    const partOf = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(partOf)
      return typeof value === 'boolean' || isJsonObject(value) ? types.push(this.type(value)) : value
    }
    const textOf = (word: string): unknown => {
      const value = schema[word]
      if (word === '$ref') return types.push(this.#reference(schema))
      if (withSchemas.has(word)) return partOf(value)
      if (!withNames.has(word) || !isJsonObject(value)) return value
      const names = Object.keys(value).sort()
      return names.map((name) => [name, partOf(value[name])])
    }
    const own = wordsOf(schema).sort()
    const common = this.#common(schema)
    // Of `allOf` and `anyOf` a value has to meet all, or one; other keywords may accept what a schema in them rejects.
    const isExact = !common || !keywords.every((word) => /^(?:all|any)Of$/.test(word))
    return opaque(canonical([own.map((word) => [word, textOf(word)]), common]), keywords, types, isExact)
  }

  /**
   * What schemas in a schema have together: the members that several declare, where a further one limits the others, and which of them limit
   * undeclared members. Undefined if there are too many.
   */
  #common(schema: JsonObject): readonly string[] | undefined {
    const [names, twice] = [new Set<string>(), new Set<string>()]
    const parts = new Set<unknown>([schema])
    let count = 0
    // It grows while it is iterated.
    for (const each of parts) {
      const part = isJsonObject(each) ? each : {}
      const { properties, allOf, anyOf } = part
      const own = isJsonObject(properties) ? Object.keys(properties) : []
      if (1 + own.length > this.#members.left) return undefined
      this.#members.take(1 + own.length)
      for (const name of own) if (names.size === names.add(name).size) twice.add(`.${name}`)
      count += 1
      for (const word of ['additionalProperties', 'patternProperties']) if (word in part) twice.add(`${count} ${word}`)
      for (const inner of [allOf, anyOf].flat()) parts.add(this.#references.follow(inner).value)
    }
    return [...twice].sort()
  }

  #read(schema: JsonObject): ReadType {
    const { allOf, anyOf, oneOf, type } = schema
    const union = anyOf ?? oneOf
    if (schema['$ref'] !== undefined) return [this.#reference(schema), '$ref']
    const words = type === undefined ? [] : [type].flat()
    if (!words.every(isTypeWord)) return [this.#asText(schema, ['type']), ...wordsOf(schema)]
    // How rpc-gen writes a reference with constraints.
    if (Array.isArray(allOf) && allOf.length === 1) return [this.type(allOf[0]), 'allOf']
    if ('const' in schema) return [this.#constants([schema['const']], words), 'const', 'type']
    // A list of values takes precedence over the format.
    if (Array.isArray(schema['enum']))
      return [this.#constants(schema['enum'], words), 'enum', 'type', 'format', 'contentEncoding']
    if (Array.isArray(union) && type === undefined)
      return anyOf ? [this.#union(union.map((each) => this.type(each))), 'anyOf'] : [this.#oneOf(union), 'oneOf']
    // Without a type, keywords limit the values that can have them.
    const isLimited = wordsOf(schema).some((word) => word in constraintForms || structural.includes(word))
    const any = isLimited ? typeWords.filter((word) => word !== 'integer') : []
    const types = [...new Set(type === undefined ? any : words)]
    if (types.length === 0) return [this.#scalars.any, 'type']
    const all = types.map((each) => this.#typed(each, schema))
    return [this.#union(all.map(([each]) => each)), 'type', ...structural, ...all.flatMap(([, ...used]) => used)]
  }

  /** What is of two schemas is rejected, so those that may overlap are not a union: each has to stay the same. */
  #oneOf(schemas: readonly unknown[]): Type {
    const types = schemas.map((each) => this.type(each))
    if (types.length === 1) return this.#union(types)
    return new Type(() => {
      const known = schemas.map((each) => this.type(this.#references.follow(each).value).known)
      const isUnion = areDisjoint(known, this.#steps)
      return (isUnion ? this.#union(types) : opaque(`one of ${types.length}`, ['oneOf'], types)).branches
    })
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
    // Constants refer to nothing.
    const isEnum = isJsonObject(value) && ('const' in value || Array.isArray(value['enum'])) && !('$ref' in value)
    const type = isEnum ? this.type(value) : reference(ref, () => this.type(value), this.#steps)
    this.#byTarget.set(value, type)
    return type
  }

  /** Returns the type of the constants that are of one of the types, or of all if there are no types. */
  #constants(values: readonly unknown[], types: readonly string[]): Type {
    const all =
      types.length === 0 ? values : values.filter((each) => typesOf(each).some((word) => types.includes(word)))
    return constantsOf(all.map((each) => this.#constant(each)))
  }

  #constant(value: unknown): Type {
    if (value === null) return this.#scalars.null
    if (typeof value !== 'object') return literal(value as string | number | boolean, this.#isParam)
    return opaque(canonical(value), ['const'])
  }

  #typed(type: TypeWord, schema: JsonObject): ReadType {
    switch (type) {
      case 'null':
      case 'boolean':
        return [this.#scalars[type]]
      case 'number':
        return [this.#scalars.number, 'format']
      case 'integer':
        return this.#integer(schema)
      case 'string':
        return this.#string(schema)
      case 'array':
        return [this.#list(schema)]
      case 'object':
        return [this.#object(schema)]
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

  /** A member has to meet its own schema, and those of the patterns that certainly match its name. */
  #object(schema: JsonObject): Type {
    const { additionalProperties: others } = schema
    const required = new Set(this.#listIn(schema, 'required').map(String))
    const names = new Map<string, unknown[]>()
    for (const [name, each] of this.#membersIn(schema, 'properties')) names.set(name, [each])
    for (const name of required) if (!names.has(name)) names.set(name, [])
    const patterns = matchNames(names, this.#membersIn(schema, 'patternProperties'), this.#pairs)
    if (!patterns) return this.#asText(schema, ['patternProperties'])
    const members = Array.from(names, ([name, schemas]) => {
      const type = this.#allOf(schemas.length > 0 ? schemas : [others ?? true])
      return [name, { type, optional: !required.has(name) }] as const
    })
    const indexes = patterns.map(([pattern, each]) => [pattern, this.type(each)] as const)
    return object(members, others === undefined ? indexes : [...indexes, [undefined, this.type(others)]])
  }

  /** Schemas that are not the same are not intersected: a value has to be equal in all of them. */
  #allOf(schemas: readonly unknown[]): Type {
    const types = new Set(schemas.map((each) => this.type(each)))
    if (types.size > 1) types.delete(this.#scalars.any)
    const [only = never] = types
    return types.size > 1 ? opaque(`${types.size} schemas`, ['patternProperties'], [...types]) : only
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
