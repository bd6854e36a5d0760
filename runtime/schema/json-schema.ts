import type { MemberOf } from '../values/types.js'
import type { Constraints } from './constraints.js'
import { isCounted, partsOf } from './described-types.js'
import type {
  DescribedParam,
  DescribedProcedure,
  DescribedType,
  NamedType,
  NameRef,
  TypesByName,
} from './description.js'
import { minArguments, parameterLists } from './description.js'

/** A JSON Schema 2020-12, as far as types of ours need it; constraints have its words already. */
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
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly JsonSchema[]
  readonly items?: JsonSchema | false
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | false
}

/** What a schema of ours says it is. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** What callers may send, or what they get: a client may send null for what it leaves out, and an integer for a bigint. */
export type Direction = 'input' | 'output'

/** Writes types as JSON carries them, and gathers the definitions that they refer to. */
export interface TypeSchemas {
  schemaOf(type: DescribedType, side: Direction): JsonSchema
  /** Whether a parameter or a member has to be sent: JSON has no undefined, which a type may have. */
  isNeeded(member: Pick<MemberOf<NameRef>, 'type' | 'optional'>): boolean
  /** By name, in the order of first use; grows with every call. */
  readonly defs: Readonly<Record<string, JsonSchema>>
}

type Of<Kind extends DescribedType['kind']> = Extract<DescribedType, { kind: Kind }>

/** `refs` is where the definitions will stand in the document. */
export function createTypeSchemas(types: readonly NamedType[], refs = '#/$defs/'): TypeSchemas {
  const writing: Writing = { types: new Map(types.map((type) => [type.name, type])), refs, defs: {} }
  return {
    schemaOf: (type, side) => schemaOf(type, side, writing),
    isNeeded: (member) => isRequired(member, 'input', writing.types),
    defs: writing.defs,
  }
}

/** What is shared while schemas are written. */
interface Writing {
  readonly types: TypesByName
  readonly refs: string
  readonly defs: Record<string, JsonSchema>
}

function schemaOf(type: DescribedType, side: Direction, writing: Writing): JsonSchema {
  const plain = ofKind(type, side, writing)
  if (!type.constraints) return plain
  const { minimum = -Infinity, maximum = Infinity } = plain
  const { constraints } = type
  return {
    ...plain,
    ...constraints,
    ...(constraints.minimum === undefined ? {} : { minimum: Math.max(minimum, constraints.minimum) }),
    ...(constraints.maximum === undefined ? {} : { maximum: Math.min(maximum, constraints.maximum) }),
  }
}

function ofKind(type: DescribedType, side: Direction, writing: Writing): JsonSchema {
  switch (type.kind) {
    case 'ref':
      return refTo(define(type.name, side, writing), writing)
    case 'literal':
      return { const: type.value }
    case 'bigint':
      return bigintSchema(type.value, side)
    case 'date':
      return side === 'output' ? outputDate : inputDateRef(writing)
    case 'template':
      return { type: 'string', pattern: type.pattern }
    case 'array':
      return { type: 'array', items: schemaOf(type.element, side, writing) }
    case 'set':
      return { type: 'array', items: schemaOf(type.element, side, writing), ...countedOf(type, side) }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.value, side, writing) }
    case 'tuple':
      return tupleSchema(type, side, writing)
    case 'struct':
      return structSchema(type, side, writing)
    case 'union':
      return unionSchema(type, side, writing)
    default:
      return scalarSchemas[type.kind] ?? {}
  }
}

/** Whose elements are counted must not have equal ones: a Set would hold them once. */
function countedOf(type: Of<'set'>, side: Direction): Pick<JsonSchema, 'uniqueItems'> {
  return side === 'input' && isCounted(type) ? { uniqueItems: true } : {}
}

/** Its pattern is long: it is written once, under a name that no type can have. */
function inputDateRef(writing: Writing): JsonSchema {
  writing.defs['date-time'] = inputDate
  return refTo('date-time', writing)
}

function refTo(name: string, { refs }: Writing): JsonSchema {
  return { $ref: `${refs}${name}` }
}

function define(name: string, side: Direction, writing: Writing): string {
  const { types, defs } = writing
  const named = types.get(name)
  const key = side === 'input' && named && isAsymmetric(named.type, types) ? `${name}.input` : name
  if (named && !Object.hasOwn(defs, key)) {
    // Known from here on, so that a type which contains itself ends.
    defs[key] = {}
    defs[key] = { ...titleOf(named), ...descriptionOf(named.doc), ...schemaOf(named.type, side, writing) }
  }
  return key
}

function tupleSchema({ elements, required, rest }: Of<'tuple'>, side: Direction, writing: Writing): JsonSchema {
  const schemas = elements.map((each) => schemaOf(each, side, writing))
  const prefixItems = schemas.map((schema, i) => (i < required ? schema : orNull(schema)))
  return {
    type: 'array',
    ...(prefixItems.length > 0 ? { prefixItems } : {}),
    minItems: required,
    items: rest ? schemaOf(rest, side, writing) : false,
  }
}

function structSchema({ members, rest, keys }: Of<'struct'>, side: Direction, writing: Writing): JsonSchema {
  const required = inKeyOrder(members.filter((each) => isRequired(each, side, writing.types)).map(({ name }) => name))
  const all = members.map((each): [string, JsonSchema] => [each.name, memberSchema(each, side, writing)])
  const properties = all.filter(([name]) => name !== '__proto__')
  const others = rest && schemaOf(rest, side, writing)
  const patterns = [
    // Validators are wary of this name: ajv skips it among the properties.
    ...all.filter(([name]) => name === '__proto__').map(([name, schema]) => [`^${name}$`, schema]),
    ...(others && keys ? [[otherNames(keys.pattern, members), others]] : []),
  ]
  return {
    type: 'object',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
    ...(others && !keys ? { additionalProperties: others } : {}),
  }
}

/** As `properties` has them: a generated module keeps members in an object, where names that are integers come first. */
function inKeyOrder(names: readonly string[]): string[] {
  return Object.keys(Object.fromEntries(names.map((name) => [name, true])))
}

/** A declared member may have a name that the index signature is for: what is said of it there is said already. */
function otherNames(pattern: string, members: readonly MemberOf<NameRef>[]): string {
  const known = members.filter(({ name }) => new RegExp(pattern, 'u').test(name))
  return known.length === 0
    ? pattern
    : `^(?!(?:${known.map(({ name }) => quotePattern(name)).join('|')})$)(?:${pattern})`
}

function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function memberSchema({ type, optional, doc }: MemberOf<NameRef>, side: Direction, writing: Writing): JsonSchema {
  const schema = schemaOf(type, side, writing)
  return { ...descriptionOf(doc), ...(optional && side === 'input' ? orNull(schema) : schema) }
}

function titleOf({ name, anonymous }: NamedType): Pick<JsonSchema, 'title'> {
  return anonymous ? {} : { title: name }
}

/** The docs of what a schema is of, where there are any. */
export function descriptionOf(doc: string | undefined): Pick<JsonSchema, 'description'> {
  return doc === undefined ? {} : { description: doc }
}

function unionSchema({ branches }: Of<'union'>, side: Direction, writing: Writing): JsonSchema {
  const values = branches.flatMap((each) => (each.kind === 'literal' ? [each.value] : []))
  if (values.length === branches.length) return { enum: values }
  const all = branches.map((each) => schemaOf(each, side, writing))
  const different = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
  const [only] = different
  return only && different.length === 1 ? only : { anyOf: different }
}

/** A schema that null passes too. */
export function orNull(schema: JsonSchema): JsonSchema {
  const branches = Object.keys(schema).length === 1 && schema.anyOf ? schema.anyOf : [schema]
  const passes = branches.some((each) => each.type === 'null' || Object.keys(each).length === 0)
  return passes ? schema : { anyOf: [...branches, nullSchema] }
}

/** What a procedure takes: by name, an object, or by position, an array. */
export function paramsSchema(procedure: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  const { description, deprecated } = procedure
  const lists = parameterLists(procedure)
  return {
    ...(description === '' ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    anyOf: [...lists.map((each) => byPosition(each, schemas)), ...lists.map((each) => byName(each, schemas))],
  }
}

/** What a procedure takes by name. */
export function byNameSchema({ params, overloads }: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  if (!overloads) return byName(params, schemas)
  return { anyOf: overloads.map((overload) => byName(overload.params, schemas)) }
}

/** What a procedure takes by position. */
export function byPositionSchema({ params, overloads }: DescribedProcedure, schemas: TypeSchemas): JsonSchema {
  if (!overloads) return byPosition(params, schemas)
  return { anyOf: overloads.map((overload) => byPosition(overload.params, schemas)) }
}

/** What a procedure answers. */
export function resultSchema({ returns }: Pick<DescribedProcedure, 'returns'>, { schemaOf }: TypeSchemas): JsonSchema {
  return { ...descriptionOf(returns.doc), ...schemaOf(returns.type, 'output') }
}

/** What one parameter takes; for a rest parameter, one of its arguments. */
export function paramSchema({ type, optional, doc }: DescribedParam, { schemaOf }: TypeSchemas): JsonSchema {
  const schema = schemaOf(type, 'input')
  return { ...descriptionOf(doc), ...(optional ? orNull(schema) : schema) }
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

/** An unknown name is refused, so that a misspelt one is not taken for left out. */
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

/** What a parameter takes by its name: a rest parameter all of its arguments in a list. */
export function namedParamSchema(param: DescribedParam, schemas: TypeSchemas): JsonSchema {
  if (!param.rest) return paramSchema(param, schemas)
  return { ...descriptionOf(param.doc), type: 'array', items: schemas.schemaOf(param.type, 'input') }
}

/** A member whose type has undefined may be absent: JSON has no undefined. */
export function isRequired(
  { type, optional }: Pick<MemberOf<NameRef>, 'type' | 'optional'>,
  side: Direction,
  types: TypesByName,
): boolean {
  return !optional && !(side === 'input' && hasUndefined(type, types))
}

function hasUndefined(type: DescribedType, types: TypesByName): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => hasUndefined(branch, types))
  const named = type.kind === 'ref' ? types.get(type.name) : undefined
  return named ? hasUndefined(named.type, types) : type.kind === 'undefined' || type.kind === 'any'
}

/** Whether what may be sent of a type is more than what is answered of it. */
export function isAsymmetric(type: DescribedType, types: TypesByName, seen = new Set<string>()): boolean {
  const inner = (each: DescribedType) => isAsymmetric(each, types, seen)
  switch (type.kind) {
    case 'ref': {
      const named = seen.has(type.name) ? undefined : types.get(type.name)
      seen.add(type.name)
      return named !== undefined && inner(named.type)
    }
    case 'bigint':
    case 'date':
      return true
    case 'set':
      return isCounted(type) || inner(type.element)
    case 'struct':
      return type.members.some((each) => each.optional || hasUndefined(each.type, types)) || partsOf(type).some(inner)
    default:
      return partsOf(type).some(inner)
  }
}

export const nullSchema: JsonSchema = { type: 'null' }

/** RFC 4648 section 4, with white space anywhere; contentEncoding alone is a remark that nobody need check. */
const base64 =
  '^\\s*(?:(?:[A-Za-z0-9+/]\\s*){4})*(?:(?:[A-Za-z0-9+/]\\s*){2}(?:=\\s*){2}|(?:[A-Za-z0-9+/]\\s*){3}=\\s*)?$'

/** Kinds that are the same on both sides. */
export const scalarSchemas: Partial<Record<DescribedType['kind'], JsonSchema>> = {
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  double: { type: 'number' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  url: { type: 'string', format: 'uri' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: base64 },
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
/** Midnight may be the end of a day: a fraction of it is nothing, to the millisecond. */
const endOfDay = '24:00(?::00(?:[.,](?:0{1,2}|0{3}\\d{0,15}))?)?'
const time = `(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,18})?)?|${endOfDay})`
const zone = '(?:[Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)'

/**
 * What callers may send for a Date: RFC 3339 and the forms of ISO 8601 beside it that are read, in which seconds and zone
 * may be missing. The format date-time knows none of these. At the two ends of the years 0001 to 9999 a zone may make it
 * another year, which the pattern does not see.
 */
export const dateText = `^${date}(?:[Tt ]${time}${zone}?)?$`

/** RFC 3339 goes out, and more than that comes in. */
export const outputDate: JsonSchema = { type: 'string', format: 'date-time' }
export const inputDate: JsonSchema = {
  type: 'string',
  pattern: dateText,
  $comment: 'RFC 3339; UTC where it has no zone',
}

/** A bigint goes out as decimal text, and comes in as text or as an integer of any size. */
export function bigintSchema(value: string | undefined, side: Direction): JsonSchema {
  if (value !== undefined) {
    const number = Number(value)
    return side === 'input' && Number.isSafeInteger(number) ? { enum: [value, number] } : { const: value }
  }
  const text: JsonSchema = { type: 'string', pattern: '^-?\\d+$' }
  return side === 'input' ? { anyOf: [text, { type: 'integer' }] } : text
}
