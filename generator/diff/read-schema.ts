// Reads the schemas of a document, of any draft of JSON Schema, as the types of a description: the inverse of
// runtime/description/json-schema.ts. Keywords that a description does not have are kept as text (`Opaque`):
//
//     { "type": "integer", "minimum": 1, "maximum": 2147483647 }  →  { kind: 'int', constraints: { minimum: 1 } }
import { createHash } from 'node:crypto'
import { type Direction, inputDateName } from '../../runtime/description/json-schema.js'
import { type Constraints, mergeConstraints } from '../../runtime/values/constraints.js'
import { matches } from '../model/match-pattern.js'
import { UsageError } from '../options.js'
import { MAX_PATTERNS } from './pattern.js'
import { type Fields, isRecord, isSchema, resolveReferences } from './references.js'
import { bigintText, int32, neverType, type Reference, referenceTo, type Type, unionOf } from './type.js'

/** Keywords that do not limit values. */
const annotations = new Set(
  `$comment $id $schema $defs $anchor id definitions description summary title deprecated default examples example readOnly writeOnly
  contentMediaType externalDocs`.split(/\s+/),
)

function isAnnotation(word: string): boolean {
  return annotations.has(word) || word.startsWith('x-')
}

/** Keywords that a description has as constraints, and the type of their values. */
const constraintTypes: Readonly<Record<keyof Constraints, 'number' | 'string' | 'boolean'>> = {
  ...{ minimum: 'number', maximum: 'number', exclusiveMinimum: 'number', exclusiveMaximum: 'number' },
  ...{ multipleOf: 'number', minLength: 'number', maxLength: 'number', pattern: 'string', format: 'string' },
  ...{ minItems: 'number', maxItems: 'number', uniqueItems: 'boolean' },
}

/** Keywords of lists and objects. */
const structural =
  'items prefixItems additionalItems properties required patternProperties additionalProperties contentEncoding'.split(
    ' ',
  )

/** A type, and the keywords that it comes from; the others limit it. */
interface ReadType {
  readonly type: Type
  readonly used: readonly string[]
}

/** Reads the schemas of what callers send or receive. */
export class SchemaReader {
  readonly #root: Fields
  readonly #file: string
  readonly #direction: Direction
  /** The kind of a number: a result of rpc-gen may be a `Double`, which its documents do not distinguish; that is the one that breaks. */
  readonly #number: 'number' | 'double'
  readonly #references = new Map<unknown, Reference>()
  #followed = 0
  #hashOfRoot: string | undefined

  constructor(root: Fields, file: string, direction: Direction, number: 'number' | 'double') {
    this.#root = root
    this.#file = file
    this.#direction = direction
    this.#number = number
  }

  type(schema: unknown): Type {
    if (typeof schema === 'boolean') return schema ? { kind: 'any' } : neverType
    if (!isRecord(schema)) throw new UsageError(`${this.#file} has a schema that is not an object`)
    const { type, used } = this.#read(schema)
    const others = Object.entries(schema).filter(
      ([word, value]) => value !== undefined && !isAnnotation(word) && !used.includes(word),
    )
    const isConstraint = ([word, value]: readonly [string, unknown]) =>
      typeof value === constraintTypes[word as keyof Constraints]
    const constraints = others.filter(isConstraint)
    const own = mergeConstraints(type.constraints, Object.fromEntries(constraints))
    const base: Type = type.kind === 'any' ? { kind: 'union', branches: [type] } : type
    const limited = constraints.length > 0 ? { ...base, constraints: own } : type
    const keywords = others.filter((each) => !isConstraint(each)).map(([word, value]) => `${word} ${this.#text(value)}`)
    return keywords.length > 0
      ? { kind: 'opaque', type: limited as Type, keywords: keywords.sort() }
      : (limited as Type)
  }

  #read(schema: Fields): ReadType {
    const { allOf, anyOf, oneOf } = schema
    const union = anyOf ?? oneOf
    if (schema['$ref'] !== undefined) return { type: this.#reference(schema), used: ['$ref'] }
    // How rpc-gen writes a reference with constraints.
    if (Array.isArray(allOf) && allOf.length === 1) return { type: this.type(allOf[0]), used: ['allOf'] }
    if ('const' in schema) return { type: constantOf(schema['const']), used: ['const', 'type'] }
    // A list of values takes precedence over the format.
    if (Array.isArray(schema['enum']))
      return { type: unionOf(schema['enum'].map(constantOf)), used: ['enum', 'type', 'format', 'contentEncoding'] }
    if (Array.isArray(union) && schema['type'] === undefined)
      return { type: this.#union(union), used: [anyOf ? 'anyOf' : 'oneOf'] }
    return this.#typed(schema)
  }

  /** The name of the definition is that of the last reference. */
  #reference(schema: Fields): Type {
    const { value, ref = '' } = resolveReferences(schema, this.#root, this.#file, isPlainReference)
    if (ref.endsWith(`/${inputDateName}`)) return { kind: 'date' }
    if (!isSchema(value)) throw new UsageError(`${this.#file} refers to ${ref}, which is not a schema`)
    const known = this.#references.get(value)
    if (known) return known
    const reference = referenceTo(ref, () => this.type(value))
    this.#references.set(value, reference)
    return reference
  }

  /** A bigint that callers send is decimal text or an integer. */
  #union(schemas: readonly unknown[]): Type {
    const texts = schemas.map(textOf)
    const isBigint = this.#direction === 'input' && bigintParts.every((part) => texts.includes(part))
    const others = isBigint ? schemas.filter((_, i) => !bigintParts.includes(texts[i] ?? '')) : schemas
    return unionOf([...(isBigint ? [{ kind: 'bigint' } as const] : []), ...others.map((each) => this.type(each))])
  }

  /** The kinds of `type`; without it all those that keywords limit. */
  #typed(schema: Fields): ReadType {
    const isLimited = Object.keys(schema).some((word) => word in constraintTypes || structural.includes(word))
    const any = isLimited ? ['null', 'boolean', 'number', 'string', 'array', 'object'] : []
    const types: readonly unknown[] = schema['type'] === undefined ? any : [schema['type']].flat()
    const all = types.map((each) => this.#kind(each, schema))
    const type: Type = types.length > 0 ? unionOf(all.map((each) => each.type)) : { kind: 'any' }
    return { type, used: ['type', ...structural, ...all.flatMap(({ used }) => used)] }
  }

  #kind(type: unknown, schema: Fields): ReadType {
    switch (type) {
      case 'null':
      case 'boolean':
        return { type: { kind: type }, used: [] }
      case 'number':
        return { type: { kind: this.#number }, used: ['format'] }
      case 'integer':
        return integerOf(schema)
      case 'string':
        return stringOf(schema, this.#direction)
      case 'array':
        return { type: this.#list(schema), used: [] }
      case 'object':
        return { type: this.#struct(schema), used: [] }
      default:
        return { type: neverType, used: [] }
    }
  }

  /** Before 2020-12 a tuple is a list of `items`. */
  #list({ items, prefixItems, additionalItems, minItems, maxItems }: Fields): Type {
    const isTuple = Array.isArray(items)
    const prefix = (prefixItems ?? (isTuple ? items : [])) as readonly unknown[]
    const rest = isTuple ? additionalItems : items
    const isClosed = rest === false || maxItems === 0
    if (prefix.length === 0 && !isClosed) return { kind: 'array', element: this.type(rest ?? true) }
    const required = typeof minItems === 'number' ? minItems : 0
    const elements = prefix.map((each) => this.type(each))
    return { kind: 'tuple', elements, required, ...(isClosed ? {} : { rest: this.type(rest ?? true) }) }
  }

  #struct({ properties = {}, required = [], patternProperties = {}, additionalProperties: others }: Fields): Type {
    const needed = new Set(required as readonly string[])
    const declared = new Map(Object.entries(properties as Fields))
    const patterns = Object.entries(patternProperties as Fields)
    // A member whose name matches a pattern has to be of that type too; rpc-gen describes `__proto__` by a pattern only.
    const memberType = (name: string): Type => {
      const matching = patterns.slice(0, MAX_PATTERNS).filter(([pattern]) => matches(pattern, name))
      const [own = matching.shift()?.[1] ?? others ?? true] = [declared.get(name)]
      const further = matching.filter(([, schema]) => textOf(schema) !== textOf(own))
      const keywords = further.map(([pattern, schema]) => `patternProperties ${pattern} ${this.#text(schema)}`)
      return keywords.length > 0 ? { kind: 'opaque', type: this.type(own), keywords } : this.type(own)
    }
    const members = [...new Set([...declared.keys(), ...needed])].map((name) => ({
      name,
      type: memberType(name),
      optional: !needed.has(name),
    }))
    const indexes = patterns.map(([pattern, each]) => ({
      type: this.type(each),
      keys: { text: '', pattern: withoutDeclared(pattern) },
    }))
    const further = others === undefined ? [] : [{ type: this.type(others) }]
    return { kind: 'struct', members, indexes: [...further, ...indexes] }
  }

  /** JSON with the schemas that it refers to, for one of these may change; if they are many, with a hash of the document. */
  #text(value: unknown): string {
    const texts = new Map<unknown, string>([[value, textOf(value)]])
    // It grows while it is iterated.
    for (const [schema, text] of texts) {
      this.#followed += text.length
      if (this.#followed > MAX_FOLLOWED) return `${textOf(value)} ${this.#hash()}`
      for (const reference of referencesIn(schema)) {
        const { value: target, ref = '' } = resolveReferences(reference, this.#root, this.#file, isPlainReference)
        if (!texts.has(target)) texts.set(target, `${ref} ${textOf(target)}`)
      }
    }
    return [...texts.values()].join()
  }

  #hash(): string {
    this.#hashOfRoot ??= createHash('sha256').update(textOf(this.#root)).digest('hex')
    return this.#hashOfRoot
  }
}

/** The characters of schemas that keywords refer to, in all keywords together: each may refer to all schemas. */
const MAX_FOLLOWED = 1_000_000

/** Returns the references in a schema, without those in what it refers to. */
function referencesIn(schema: unknown): readonly Fields[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = isRecord(schema) && typeof schema['$ref'] === 'string' ? [schema] : []
  return [...own, ...Object.values(schema).flatMap(referencesIn)]
}

function constantOf(value: unknown): Type {
  if (value === null) return { kind: 'null' }
  if (typeof value !== 'object') return { kind: 'literal', value: value as string | number | boolean }
  return { kind: 'opaque', type: { kind: 'any' }, keywords: [`const ${textOf(value)}`] }
}

/** An `Int` has the bounds of one, or the format of another tool. Any other integer is a multiple of 1. */
function integerOf({ minimum, maximum, multipleOf, format }: Fields): ReadType {
  const isBounded = Number(minimum ?? -Infinity) >= int32.minimum && Number(maximum ?? Infinity) <= int32.maximum
  const implied = [
    ...(minimum === int32.minimum ? ['minimum'] : []),
    ...(maximum === int32.maximum ? ['maximum'] : []),
    ...(multipleOf === 1 || !Number.isInteger(multipleOf) ? ['multipleOf'] : []),
  ]
  const used = ['format', ...(isBounded ? implied : implied.slice(-1))]
  if (isBounded || format === 'int32') return { type: { kind: 'int' }, used }
  return { type: { kind: 'number', constraints: { multipleOf: 1 } }, used }
}

/** In a result a `Date` is a date-time, and a bigint its decimal text. The pattern of bytes repeats their encoding. */
function stringOf({ pattern, format, contentEncoding: encoding }: Fields, direction: Direction): ReadType {
  if (encoding === 'base64') return { type: { kind: 'bytes', as: 'Uint8Array' }, used: ['pattern'] }
  if (direction === 'output' && format === 'date-time') return { type: { kind: 'date' }, used: ['format'] }
  if (direction === 'output' && pattern === bigintText) return { type: { kind: 'bigint' }, used: ['pattern'] }
  const type: Type = { kind: 'string' }
  if (encoding === undefined) return { type, used: [] }
  return { type: { kind: 'opaque', type, keywords: [`contentEncoding ${textOf(encoding)}`] }, used: [] }
}

const bigintParts = [{ type: 'string', pattern: bigintText }, { type: 'integer' }].map(textOf)

/** A pattern describes names that are not declared; rpc-gen excludes the declared ones: `^(?!(?:a|b)$)(?:…)`. */
function withoutDeclared(pattern: string): string {
  const [start, middle] = ['^(?!(?:', ')$)(?:']
  const at = pattern.lastIndexOf(middle)
  if (!pattern.startsWith(start) || at < start.length || !pattern.endsWith(')')) return pattern
  return pattern.slice(at + middle.length, -1)
}

function isPlainReference(schema: Fields): boolean {
  return Object.keys(schema).every((word) => word === '$ref' || isAnnotation(word))
}

/** JSON with members in order, so that equal values have equal texts. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)
  return `{${members.sort().join()}}`
}
