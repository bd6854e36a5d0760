// Types as JSON Schema 2020-12: `{ id: Int }` becomes `{ type: 'object', properties: { id: … }, required: ['id'] }`. Arguments and results have
// schemas of their own where callers may send more than they get, as for a bigint.
import { memoize } from '../values/cache.js'
import { type Constraints, mergeConstraints } from '../values/constraints.js'
import type { MemberOf, Notes, ScalarKind, ValueNotes } from '../values/types.js'
import { hasSizeLimit, innerTypesOf } from './described-types.js'
import {
  type DescribedParam,
  type DescribedProcedure,
  type DescribedType,
  docText,
  minArguments,
  type NamedType,
  type NameRef,
  parameterLists,
  type TypesByName,
} from './description.js'

/** The subset of JSON Schema 2020-12 that wire types need. */
export interface JsonSchema extends Omit<Constraints, 'format'> {
  readonly $schema?: string
  readonly $comment?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number | boolean)[]
  readonly anyOf?: readonly JsonSchema[]
  readonly title?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly default?: unknown
  /** The names of the values of an enum, in the order of `enum`. */
  readonly 'x-enum-varnames'?: readonly string[]
  /** The docs of these values; empty for one without docs. */
  readonly 'x-enum-descriptions'?: readonly string[]
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly JsonSchema[]
  readonly items?: JsonSchema | false
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | false
}

/** The `$schema` of all schemas. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Arguments or results. Only arguments may be null for an omitted member, or an integer for a bigint. */
export type SchemaDirection = 'input' | 'output'

type Of<Kind extends DescribedType['kind']> = Extract<DescribedType, { kind: Kind }>

/** Writes the schemas of types, and collects the definitions that they refer to. */
export class TypeSchemas {
  /** Definitions by name, in the order of first use. `schemaOf` adds to them. */
  readonly defs: Record<string, JsonSchema> = Object.create(null)
  readonly #types: TypesByName
  readonly #refs: string
  /** Write the definitions that are still empty. */
  readonly #pending: (() => void)[] = []

  /** @param refs the JSON pointer of the definitions in the document */
  constructor(types: readonly NamedType[], refs = '#/$defs/') {
    this.#types = namedTypes(types)
    this.#refs = refs
  }

  schemaOf(type: DescribedType, direction: SchemaDirection): JsonSchema {
    const schema = this.#schemaOf(type, direction)
    // Without recursion: a row of types may be long. The list grows while it is iterated.
    for (const define of this.#pending) define()
    this.#pending.length = 0
    return schema
  }

  /** True if callers must send a parameter or a member; not if its type includes undefined, which JSON does not have. */
  isNeeded(member: Pick<MemberOf<NameRef>, 'type' | 'optional'>): boolean {
    return isRequired(member, 'input', this.#types)
  }

  #schemaOf(type: DescribedType, direction: SchemaDirection): JsonSchema {
    const plain = this.#ofKind(type, direction)
    return type.constraints ? (mergeConstraints(plain as Constraints, type.constraints) as JsonSchema) : plain
  }

  #ofKind(type: DescribedType, direction: SchemaDirection): JsonSchema {
    switch (type.kind) {
      case 'ref':
        return this.#refTo(this.#define(type.name, direction))
      case 'literal':
        return { const: type.value }
      case 'bigint':
        return bigintSchema(type.value, direction)
      case 'date':
        if (direction === 'output') return outputDate
        this.defs[inputDateName] = inputDate
        return this.#refTo(inputDateName)
      case 'template':
        return { type: 'string', pattern: type.pattern }
      case 'array':
        return { type: 'array', items: this.#schemaOf(type.element, direction) }
      case 'set':
        return { type: 'array', items: this.#schemaOf(type.element, direction), ...uniqueItemsOf(type, direction) }
      case 'map':
        return this.#map(type, direction)
      case 'tuple':
        return this.#tuple(type, direction)
      case 'struct':
        return this.#struct(type, direction)
      case 'union':
        return this.#union(type, direction)
      case 'custom':
        return { ...this.#schemaOf(type.wire, direction), ...type.schema }
      default:
        return scalarSchemas[type.kind]
    }
  }

  #refTo(name: string): JsonSchema {
    return { $ref: `${this.#refs}${name}` }
  }

  #define(name: string, direction: SchemaDirection): string {
    const { defs } = this
    const named = this.#types.get(name)
    const key = direction === 'input' && asymmetricNames(this.#types).has(name) ? `${name}.input` : name
    if (named && !Object.hasOwn(defs, key)) {
      defs[key] = {}
      this.#pending.push(() => {
        const schema = this.#schemaOf(named.type, direction)
        defs[key] = { ...titleOf(name, named), ...keywordsOf(named), ...schema, ...namesOf(schema, named) }
      })
    }
    return key
  }

  #tuple({ elements, required, rest }: Of<'tuple'>, direction: SchemaDirection): JsonSchema {
    const schemas = elements.map((each) => this.#schemaOf(each, direction))
    const prefixItems = schemas.map((schema, i) => (i < required ? schema : nullable(schema)))
    return {
      type: 'array',
      ...(prefixItems.length > 0 ? { prefixItems } : {}),
      minItems: required,
      items: rest ? this.#schemaOf(rest, direction) : false,
    }
  }

  #struct({ members, indexes = [] }: Of<'struct'>, direction: SchemaDirection): JsonSchema {
    const needed = members.filter((each) => isRequired(each, direction, this.#types))
    const required = inKeyOrder(needed.map(({ name }) => name))
    const all = members.map((each): [string, JsonSchema] => [each.name, this.#member(each, direction)])
    const properties = all.filter(([name]) => name !== '__proto__')
    const others = indexes.map(({ type, keys }) => ({ schema: this.#schemaOf(type, direction), keys }))
    const further = others.find(({ keys }) => !keys)
    const patterns = [
      // ajv ignores this name in `properties`.
      ...all.filter(([name]) => name === '__proto__').map(([name, schema]) => [`^${name}$`, schema]),
      ...others.flatMap(({ schema, keys }) => (keys ? [[this.#unknownKeys(keys.pattern, members), schema]] : [])),
    ]
    return {
      type: 'object',
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
      ...(further ? { additionalProperties: further.schema } : {}),
    }
  }

  #member(member: MemberOf<NameRef>, direction: SchemaDirection): JsonSchema {
    const schema = this.#schemaOf(member.type, direction)
    return { ...keywordsOf(member), ...(member.optional && direction === 'input' ? nullable(schema) : schema) }
  }

  /** Excludes declared members from `patternProperties`; `properties` describes them. */
  #unknownKeys(pattern: string, members: readonly MemberOf<NameRef>[]): string {
    const known = members.filter(({ name }) => new RegExp(pattern, 'u').test(name))
    return known.length === 0
      ? pattern
      : `^(?!(?:${known.map(({ name }) => quotePattern(name)).join('|')})$)(?:${pattern})`
  }

  #map({ value, keys }: Of<'map'>, direction: SchemaDirection): JsonSchema {
    const schema = this.#schemaOf(value, direction)
    if (!keys) return { type: 'object', additionalProperties: schema }
    return { type: 'object', patternProperties: { [keys.pattern]: schema }, additionalProperties: false }
  }

  #union({ branches }: Of<'union'>, direction: SchemaDirection): JsonSchema {
    const values = branches.flatMap((each) => (each.kind === 'literal' ? [each.value] : []))
    if (values.length === branches.length) return { enum: values }
    const different = distinct(branches.map((each) => this.#schemaOf(each, direction)))
    const [only] = different
    return only && different.length === 1 ? only : { anyOf: different }
  }
}

/** The name of the definition of dates in arguments, which no type can have: it has a long pattern. */
export const inputDateName = 'date-time'

/** Rejects equal elements if a Set has size limits, since it contains them once. */
function uniqueItemsOf(type: Of<'set'>, direction: SchemaDirection): Pick<JsonSchema, 'uniqueItems'> {
  return direction === 'input' && hasSizeLimit(type) ? { uniqueItems: true } : {}
}

/** Returns names in the order of object keys, integers first, as in `properties`. */
function inKeyOrder(names: readonly string[]): string[] {
  return Object.keys(Object.fromEntries(names.map((name) => [name, true])))
}

function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function titleOf(name: string, { anonymous }: Pick<NamedType, 'anonymous'>): Pick<JsonSchema, 'title'> {
  return anonymous ? {} : { title: name }
}

/** The keywords of docs. */
type DocKeywords = Pick<JsonSchema, 'description' | 'deprecated' | 'default'>

/** Returns the keywords of docs. */
function keywordsOf(notes: Notes & ValueNotes): DocKeywords {
  const { deprecated, default: value } = notes
  const description = docText(notes)
  return {
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    ...(value !== undefined && { default: value }),
  }
}

/** Returns the names and docs of the values of an enum. */
function namesOf(
  { const: value, enum: values = value === undefined ? [] : [value] }: JsonSchema,
  { constants = [] }: Pick<NamedType, 'constants'>,
): Pick<JsonSchema, 'x-enum-varnames' | 'x-enum-descriptions'> {
  // Of two names of a value, the first is its name.
  const byValue = new Map(constants.toReversed().map((each) => [each.value as unknown, each]))
  const named = values.flatMap((each) => byValue.get(each) ?? [])
  if (named.length === 0 || named.length < values.length) return {}
  const descriptions = named.map((each) => docText(each) ?? '')
  return {
    'x-enum-varnames': named.map(({ name }) => name),
    ...(descriptions.some(Boolean) && { 'x-enum-descriptions': descriptions }),
  }
}

/** Returns plain data without repetitions. */
export function distinct<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((each) => [JSON.stringify(each), each])).values()]
}

/** Returns a schema that accepts null too. */
function nullable(schema: JsonSchema): JsonSchema {
  const branches = Object.keys(schema).length === 1 && schema.anyOf ? schema.anyOf : [schema]
  const passes = branches.some((each) => each.type === 'null' || Object.keys(each).length === 0)
  return passes ? schema : { anyOf: [...branches, nullSchema] }
}

/** Returns the schema of a procedure's parameters: an array by position, or an object by name. */
export function schemaOfParams(procedure: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  const { description, deprecated } = procedure
  const lists = parameterLists(procedure)
  return {
    ...(description === '' ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    anyOf: [...lists.map((each) => byPosition(each, schemas)), ...byNameSchemas(procedure, schemas)],
  }
}

/** Returns the schema of parameters by name. */
export function byNameSchema(procedure: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  const [only = {}, ...more] = byNameSchemas(procedure, schemas)
  return more.length === 0 && !procedure.overloads ? only : { anyOf: [only, ...more] }
}

function byNameSchemas(procedure: DescribedProcedure, schemas: TypeSchemas): readonly JsonSchema[] {
  const [object] = procedure.params
  if (!procedure.paramsObject || !object) return parameterLists(procedure).map((each) => byName(each, schemas))
  return [{ type: 'object', ...keywordsOf(object), ...schemas.schemaOf(object.type, 'input') }]
}

/** Returns the schema of parameters by position. */
export function byPositionSchema({ params, overloads }: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  if (!overloads) return byPosition(params, schemas)
  return { anyOf: overloads.map((overload) => byPosition(overload.params, schemas)) }
}

/** Returns the schema of a procedure's result. */
export function schemaOfResult({ returns }: Pick<DescribedProcedure, 'returns'>, schemas: TypeSchemas): JsonSchema {
  return { ...keywordsOf({ doc: returns.doc } as Notes), ...schemas.schemaOf(returns.type, 'output') }
}

/** Returns the schema of one parameter; of a rest parameter, that of one argument. */
function paramSchema(param: DescribedParam, schemas: TypeSchemas): JsonSchema {
  const schema = schemas.schemaOf(param.type, 'input')
  return { ...keywordsOf(param), ...(param.optional ? nullable(schema) : schema) }
}

function byPosition(params: readonly DescribedParam[], schemas: TypeSchemas): JsonSchema {
  const rest = params.find((param) => param.rest)
  const single = params.filter((param) => !param.rest)
  return {
    type: 'array',
    ...(single.length > 0 ? { prefixItems: single.map((param) => paramSchema(param, schemas)) } : {}),
    minItems: minArguments(params),
    items: rest ? paramSchema(rest, schemas) : false,
  }
}

/** Rejects unknown names, as calls do. */
function byName(params: readonly DescribedParam[], schemas: TypeSchemas): JsonSchema {
  const required = params.filter((param) => !param.rest && schemas.isNeeded(param)).map(({ name }) => name)
  const properties = params.map((param): [string, JsonSchema] => [param.name, namedParamSchema(param, schemas)])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** Returns the schema of a parameter by name; of a rest parameter, that of the list of all arguments. */
export function namedParamSchema(param: DescribedParam, schemas: TypeSchemas): JsonSchema {
  if (!param.rest) return paramSchema(param, schemas)
  return { ...keywordsOf(param), type: 'array', items: schemas.schemaOf(param.type, 'input') }
}

/** False for a member whose type includes undefined: JSON does not have it. */
export function isRequired(
  { type, optional }: Pick<MemberOf<NameRef>, 'type' | 'optional'>,
  direction: SchemaDirection,
  types: TypesByName,
): boolean {
  return !optional && !(direction === 'input' && hasUndefined(type, types))
}

function hasUndefined(type: DescribedType, types: TypesByName): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => hasUndefined(branch, types))
  return type.kind === 'ref' ? namesWithUndefined(types).has(type.name) : isUndefined(type)
}

function isUndefined({ kind }: DescribedType): boolean {
  return kind === 'undefined' || kind === 'void' || kind === 'any'
}

/** The names of the types that include undefined. */
const namesWithUndefined = /* @__PURE__ */ memoize((types: TypesByName) => {
  return namesOfTypes(types, isUndefined, (type) => (type.kind === 'union' ? type.branches : []))
})

/** The names of the types whose input schemas accept more than their output schemas, such as an integer for a bigint. */
const asymmetricNames = /* @__PURE__ */ memoize((types: TypesByName) => {
  return namesOfTypes(types, (type) => acceptsMore(type, types), innerTypesOf)
})

/** The same Map for the same types: what is found in them is kept by it. */
const namedTypes = /* @__PURE__ */ memoize((types: readonly NamedType[]): TypesByName => {
  return new Map(types.map((type) => [type.name, type]))
})

/** Returns the names of the types that are, or consist of, what is wanted. Each is visited once: many references may lead to one type. */
function namesOfTypes(
  types: TypesByName,
  isWanted: (type: DescribedType) => boolean,
  innerOf: (type: DescribedType) => readonly DescribedType[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const users = new Map<string, string[]>()
  for (const [name, { type }] of types) {
    const all = new Set([type])
    // It grows while it is iterated, as `found`.
    for (const each of all) {
      if (isWanted(each)) found.add(name)
      for (const inner of innerOf(each)) all.add(inner)
      if (each.kind !== 'ref') continue
      const known = users.get(each.name) ?? []
      known.push(name)
      users.set(each.name, known)
    }
  }
  for (const name of found) for (const user of users.get(name) ?? []) found.add(user)
  return found
}

/** Its inner types are not examined. */
function acceptsMore(type: DescribedType, types: TypesByName): boolean {
  if (type.kind === 'struct') return type.members.some((each) => each.optional || hasUndefined(each.type, types))
  return type.kind === 'bigint' || type.kind === 'date' || (type.kind === 'set' && hasSizeLimit(type))
}

const nullSchema: JsonSchema = { type: 'null' }

/** RFC 4648 section 4, with white space anywhere. Validators need not check contentEncoding. */
export const base64Pattern =
  '^\\s*(?:(?:[A-Za-z0-9+/]\\s*){4})*(?:(?:[A-Za-z0-9+/]\\s*){2}(?:=\\s*){2}|(?:[A-Za-z0-9+/]\\s*){3}=\\s*)?$'

/** Kinds with the same schema in both directions. */
const scalarSchemas: Readonly<Record<Exclude<ScalarKind, 'date'> | 'bytes', JsonSchema>> = {
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  double: { type: 'number' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  url: { type: 'string', format: 'uri' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: base64Pattern },
  null: nullSchema,
  undefined: nullSchema,
  void: nullSchema,
  any: {},
}

const day = '(?:0[1-9]|1\\d|2[0-8])'
const month = '(?:0[1-9]|1[0-2])'
const days = `(?:${month}-${day}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const date = `(?!0000)(?:\\d{4}-${days}|${leapYear}-02-29)`
/** 24:00 is the end of a day, with a fraction below one millisecond. */
const endOfDay = '24:00(?::00(?:[.,](?:0{1,2}|0{3}\\d{0,15}))?)?'
const time = `(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,18})?)?|${endOfDay})`
const zone = '(?:[Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)'

/**
 * The dates that callers may send: RFC 3339, and forms of ISO 8601 without seconds or zone, which the format date-time excludes.
 * A zone may move a date out of the years 0001 to 9999, which the pattern does not detect.
 */
const dateText = `^${date}(?:[Tt ]${time}${zone}?)?$`

/** Results are RFC 3339; arguments may have further forms. */
const outputDate: JsonSchema = { type: 'string', format: 'date-time' }
const inputDate: JsonSchema = {
  type: 'string',
  pattern: dateText,
  $comment: 'RFC 3339; UTC where it has no zone',
}

/** A bigint is decimal text in results; arguments may be text or an integer of any size. */
function bigintSchema(value: string | undefined, direction: SchemaDirection): JsonSchema {
  if (value !== undefined) {
    const number = Number(value)
    return direction === 'input' && Number.isSafeInteger(number) ? { enum: [value, number] } : { const: value }
  }
  const text: JsonSchema = { type: 'string', pattern: '^-?\\d+$' }
  return direction === 'input' ? { anyOf: [text, { type: 'integer' }] } : text
}
