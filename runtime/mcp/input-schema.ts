// JSON Schemas of the arguments of tools, in the subset of 2020-12 that the APIs of language models accept. They reject a whole request for one
// tool with another schema, so that it has neither tuples, patterns for names, nor values without a type: of `[string, int]` the items are
// `{ anyOf: [{ type: 'string' }, { type: 'integer' }] }`, with the order in the description.
import { referencedNames } from '../description/described-types.js'
import type { TypesByName } from '../description/description.js'
import { distinct, inputDateName, type JsonSchema } from '../description/json-schema.js'
import { type Constraints, mergeConstraints } from '../values/constraints.js'

/** The schema of the arguments of a tool, as it is in OpenRPC documents. */
interface FullSchema {
  readonly schema: JsonSchema
  readonly defs: Readonly<Record<string, JsonSchema>>
  readonly types: TypesByName
}

/** What a server does with arguments, and with members of objects, that no type has. */
interface UnknownNames {
  readonly args: 'strip' | 'reject'
  readonly keys: 'strip' | 'reject'
}

/** The most schemas, and the deepest nesting, of a schema whose types are inlined: types that contain others twice double the size. */
const MAX_SCHEMAS = 10_000
const MAX_DEPTH = 100
/** The most named types that may be inlined. */
const MAX_TYPES = 1000

/**
 * Returns the schema of the arguments: an object with its `properties`, in which only types that contain themselves are references. If
 * it would be larger than 10,000 schemas, all named types are.
 */
export function inputSchemaOf(full: FullSchema, unknownNames: UnknownNames): JsonSchema {
  const inlined = new SchemaConverter(
    full,
    unknownNames,
    full.types.size > MAX_TYPES ? full.types : recursiveTypes(full),
  )
  const schema = inlined.convertRoot(full.schema)
  return inlined.isTooLarge ? new SchemaConverter(full, unknownNames, full.types).convertRoot(full.schema) : schema
}

type NameSet = Pick<ReadonlySet<string>, 'has' | 'size'>

class SchemaConverter {
  isTooLarge = false
  readonly #full: FullSchema
  readonly #unknownNames: UnknownNames
  /** The types that are references. */
  readonly #kept: NameSet
  readonly #defs: Record<string, JsonSchema> = Object.create(null)
  readonly #pending: (() => void)[] = []
  #left = MAX_SCHEMAS
  #depth = 0

  constructor(full: FullSchema, unknownNames: UnknownNames, kept: NameSet) {
    this.#full = full
    this.#unknownNames = unknownNames
    this.#kept = kept
  }

  convertRoot(schema: JsonSchema): JsonSchema {
    const root = this.#convertObject(withRemarks(this.#rootOf(schema)), this.#unknownNames.args)
    const { type: _, properties = {}, ...rest } = root
    // Without recursion: a row of types may be long. The list grows while it is iterated.
    for (const define of this.#pending) define()
    const $defs = Object.keys(this.#defs).length > 0 ? { $defs: this.#defs } : {}
    return { type: 'object', properties, ...rest, ...$defs }
  }

  /** Returns the schema of an object, with the members of all branches of a union: few APIs accept `anyOf` there. The call decides. */
  #rootOf(schema: JsonSchema): JsonSchema {
    const { $ref, ...own } = schema
    if ($ref !== undefined) return this.#rootOf(intersect(this.#target($ref), own))
    const { anyOf, ...rest } = schema
    return anyOf ? { ...rest, ...mergeObjects(anyOf.map((each) => this.#rootOf(each))) } : schema
  }

  #target($ref: string): JsonSchema {
    return this.#full.defs[$ref.slice('#/$defs/'.length)] ?? {}
  }

  #convert(schema: JsonSchema): JsonSchema {
    if (this.#isOver()) return {}
    this.#depth += 1
    const converted = this.#convertAny(schema)
    this.#depth -= 1
    return converted
  }

  #isOver(): boolean {
    this.#left -= 1
    // A type without named ones is as deep as it is written.
    if (this.#left < 0 || this.#depth > MAX_DEPTH) this.isTooLarge = true
    return this.isTooLarge && this.#kept.size < this.#full.types.size
  }

  #convertAny(schema: JsonSchema): JsonSchema {
    if (hasRemarks(schema)) return this.#convertAny(withRemarks(schema))
    const { $ref, $comment: _, pattern, const: value, enum: values, anyOf, ...plain } = schema
    if ($ref !== undefined) return this.#convertRef($ref, schema)
    const own = { ...plain, ...plainPatternOf(pattern) }
    const listed = value === undefined ? values : [value]
    if (listed) return { ...own, ...enumOf(listed) }
    if (anyOf) return { ...unionOf(anyOf.map((each) => this.#convert(each))), ...own }
    if (schema.type === 'array') return this.#convertArray(own)
    if (schema.type === 'object') return this.#convertObject(own, this.#unknownNames.keys)
    return schema.type ? own : { ...own, ...anySchema }
  }

  #convertRef($ref: string, schema: JsonSchema): JsonSchema {
    const { $ref: _, pattern, ...own } = schema
    const key = $ref.slice('#/$defs/'.length)
    if (key === inputDateName) return { type: 'string', format: 'date-time', ...own }
    const name = typeNameOf(key)
    if (!this.#kept.has(name)) return this.#convert(intersect(this.#target($ref), schema))
    if (!Object.hasOwn(this.#defs, name)) {
      this.#defs[name] = {}
      this.#pending.push(() => {
        this.#depth = 0
        this.#defs[name] = this.#convert(this.#target($ref))
      })
    }
    return { ...own, ...plainPatternOf(pattern), $ref: `#/$defs/${name}` }
  }

  /** The elements of a tuple are a union, of as many elements: few APIs know `prefixItems`. */
  #convertArray({ prefixItems, items = {}, ...plain }: JsonSchema): JsonSchema {
    if (!prefixItems) return { ...plain, items: this.#convert(items || {}), ...(items ? {} : { maxItems: 0 }) }
    const elements = prefixItems.map((each) => this.#convert(each))
    const rest = items ? [this.#convert(items)] : []
    const { maxItems = Infinity, description } = plain
    const order = `In this order: ${[...elements.map(wordsOf), ...rest.map((each) => `any number of ${wordsOf(each)}`)].join(', ')}`
    const union = unionOf([...elements, ...rest])
    return {
      ...plain,
      ...(union.anyOf ? { description: description === undefined ? order : `${description}\n${order}` } : {}),
      items: union,
      ...(items ? {} : { maxItems: Math.min(maxItems, prefixItems.length) }),
    }
  }

  /** Names that match a pattern have the type of all further names: few APIs know `patternProperties`. */
  #convertObject(schema: JsonSchema, unknownNames: 'strip' | 'reject'): JsonSchema {
    const { properties, patternProperties = {}, additionalProperties, ...plain } = schema
    const members = Object.entries(properties ?? {})
    const others: JsonSchema[] = additionalProperties ? [additionalProperties] : []
    for (const [pattern, each] of Object.entries(patternProperties)) {
      if (pattern === '^__proto__$') members.push(['__proto__', each])
      else if (!additionalProperties) others.push(each)
    }
    const further = others.length > 0 ? unionOf(others.map((each) => this.#convert(each))) : undefined
    const converted = members.map(([name, each]): [string, JsonSchema] => [name, this.#convert(each)])
    return {
      ...plain,
      ...(converted.length > 0 ? { properties: Object.fromEntries(converted) } : {}),
      ...(further
        ? { additionalProperties: further }
        : unknownNames === 'reject'
          ? { additionalProperties: false }
          : {}),
    }
  }
}

/** Keywords that few APIs know: a description has them in words. */
const remarks = ['default', 'x-enum-varnames', 'x-enum-descriptions'] as const

function hasRemarks(schema: JsonSchema): boolean {
  return remarks.some((name) => schema[name] !== undefined)
}

function withRemarks(schema: JsonSchema): JsonSchema {
  const { default: value, 'x-enum-varnames': names, 'x-enum-descriptions': docs = [], ...plain } = schema
  const values = plain.enum ?? [plain.const]
  const named = names?.map((name, i) => {
    const doc = docs[i] ?? ''
    const isSame = values[i] === name
    return isSame && doc === ''
      ? []
      : [`${JSON.stringify(values[i])}: ${[...(isSame ? [] : [name]), doc].filter(Boolean).join(' - ')}`]
  })
  const words = [
    plain.description,
    ...(named?.flat() ?? []),
    value === undefined ? undefined : `Default: ${JSON.stringify(value)}`,
  ].filter((each) => each !== undefined)
  return { ...plain, ...(words.length > 0 && { description: words.join('\n') }) }
}

/** Returns the types that contain themselves. */
function recursiveTypes({ types }: FullSchema): NameSet {
  const inner = new Map(Array.from(types, ([name, { type }]) => [name, referencedNames(type)]))
  const isRecursive = (name: string) => {
    const reached = new Set(inner.get(name))
    // It grows while it is iterated.
    for (const each of reached) {
      if (each === name) return true
      for (const next of inner.get(each) ?? []) reached.add(next)
    }
    return false
  }
  return new Set([...types.keys()].filter(isRecursive))
}

/** The name of a type in `$defs`, which may be that of its form in arguments: `Order.input`. */
function typeNameOf(key: string): string {
  return key.replace(/\.input$/, '')
}

/** Returns a schema with the keywords of its use; of two bounds the stricter one applies. */
function intersect(target: JsonSchema, { $ref: _, ...use }: JsonSchema): JsonSchema {
  return mergeConstraints(target as Constraints, use as Constraints) as JsonSchema
}

/** Returns the schema of objects that are one of several: a member is required if all branches require it. */
function mergeObjects(branches: readonly JsonSchema[]): JsonSchema {
  const names = new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)))
  const merged = Array.from(names, (name): [string, JsonSchema] => {
    const own = branches.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name] ?? {}] : [],
    )
    return [name, mergeMembers(own)]
  })
  const required = [...names].filter((name) => branches.every((each) => each.required?.includes(name)))
  const others = branches.flatMap(({ additionalProperties }) => additionalProperties || [])
  return {
    type: 'object',
    properties: Object.fromEntries(merged),
    ...(required.length > 0 ? { required } : {}),
    patternProperties: Object.assign({}, ...branches.map((each) => each.patternProperties)),
    ...(others.length > 0 ? { additionalProperties: { anyOf: others } } : {}),
  }
}

/** Returns the schema of a member of several branches; tags of a union are one list of values. */
function mergeMembers(schemas: readonly JsonSchema[]): JsonSchema {
  const values = schemas.flatMap((each) => (each.const === undefined ? (each.enum ?? []) : [each.const]))
  const isTag = schemas.every((each) => each.const !== undefined || each.enum)
  return isTag ? { enum: [...new Set(values)] } : { anyOf: schemas }
}

/** The elements of a list in a list are not lists: `items` needs a type, and few APIs accept a schema that refers to itself. */
const anySchema: JsonSchema = anyOfEach(anyOfEach(anyOfEach()))

/** Returns the schema of any value, in one branch for each type: few APIs accept a list of types, or an array without `items`. */
function anyOfEach(items?: JsonSchema): JsonSchema {
  const types = (['string', 'number', 'boolean', 'object', 'null'] as const).map((type) => ({ type }))
  return { anyOf: items ? [...types, { type: 'array', items }] : types }
}

type Value = string | number | boolean

/**
 * Returns the schema of values, with one type in each branch. Few APIs accept an `enum` of others than texts: numbers are ranges, of which one
 * for integers in a row.
 */
function enumOf(values: readonly Value[]): JsonSchema {
  const texts = values.filter((each) => typeof each === 'string')
  const flags = new Set(values.filter((each) => typeof each === 'boolean'))
  const numbers = values.filter((each) => typeof each === 'number').sort((a, b) => a - b)
  const ranges: Range[] = []
  for (const each of numbers) {
    const last = ranges.at(-1)
    if (last && Number.isInteger(each) && each === last.maximum + 1) last.maximum = each
    else ranges.push({ type: Number.isInteger(each) ? 'integer' : 'number', minimum: each, maximum: each })
  }
  const [flag] = flags
  return unionOf([
    ...(texts.length > 0 ? [{ type: 'string', enum: texts } as const] : []),
    ...ranges,
    ...(flags.size > 0 ? [{ type: 'boolean', ...(flags.size === 1 && { const: flag as boolean }) } as const] : []),
  ])
}

interface Range {
  readonly type: 'integer' | 'number'
  readonly minimum: number
  maximum: number
}

/** Returns the schema of a union, without equal branches. */
function unionOf(schemas: readonly JsonSchema[]): JsonSchema {
  const flat = schemas.flatMap((each) => (each.anyOf && Object.keys(each).length === 1 ? each.anyOf : [each]))
  const different = distinct(flat)
  const [only = anySchema] = different
  return different.length < 2 ? only : { anyOf: different }
}

function plainPatternOf(pattern: string | undefined): { readonly pattern?: string } {
  const plain = pattern === undefined ? undefined : plainPattern(pattern)
  return plain === undefined ? {} : { pattern: plain }
}

/** Returns a schema in words, for the elements of a tuple. */
function wordsOf(schema: JsonSchema): string {
  const { title, type = '', anyOf, const: value, enum: values = [], minimum, maximum, $ref } = schema
  if (value !== undefined || values.length > 0)
    return (value === undefined ? values : [value]).map((each) => JSON.stringify(each)).join(' or ')
  const isRange = minimum !== undefined && maximum !== undefined && minimum > -(2 ** 31)
  if (isRange) return minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`
  if (anyOf) return anyOf.map(wordsOf).join(' or ')
  return title ?? $ref?.replace('#/$defs/', '') ?? type
}

/** A token of a regular expression: an escape, the beginning of a group, or a character. */
const token = /\\.|\(\?(?:<?[=!]|<[^>\]]*>|:|[a-z-]+:)|./gsu

/** What shorthand classes are in a class. */
const shorthands: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' }

/**
 * Returns a pattern that matches the same texts, without what the APIs of language models reject: look-around, and shorthand classes
 * such as `\d`, which becomes `[0-9]`. Undefined if there is none, and for a pattern that matches every text.
 *
 * @example plainPattern('^\\d+-[\\s\\S]*$') === '^[0-9]+-'
 */
function plainPattern(source: string): string | undefined {
  let isInClass = false
  let plain = ''
  for (const [text] of source.replace(/(?<!\\)\[\\s\\S\]\*\$$/, '').matchAll(token)) {
    const written = text.length > 1 ? plainToken(text, isInClass) : text
    if (written === undefined) return undefined
    if (text === '[' || text === ']') isInClass = text === '['
    plain += written
  }
  return plain === '' || plain === '^' ? undefined : plain
}

function plainToken(text: string, isInClass: boolean): string | undefined {
  // A class contains these characters.
  if (isInClass && text.startsWith('(')) return text
  if (text.startsWith('(')) return text === '(?:' || /^\(\?<[^=!]/.test(text) ? '(?:' : undefined
  const letter = text.slice(1)
  const shorthand = shorthands[letter.toLowerCase()]
  if (shorthand === undefined) return /[a-zA-Z1-9]/.test(letter) && !/[fnrtuvx]/.test(letter) ? undefined : text
  if (isInClass) return letter === letter.toLowerCase() ? shorthand : undefined
  return letter === letter.toLowerCase() ? `[${shorthand}]` : `[^${shorthand}]`
}
