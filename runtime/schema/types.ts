import type { MemberOf } from '../values/wire-type.js'
import type { DescribedType, NamedType, NameRef, TypesByName } from './description.js'
import type { JsonSchema, Side } from './json-schema.js'
import { isCounted } from './parts.js'
import { bigintSchema, nothing, scalars, sentDate, writtenDate } from './scalars.js'
import { differs, isRequired } from './sides.js'

/** Writes types as JSON carries them, and gathers the definitions that they refer to. */
export interface TypeSchemas {
  schemaOf(type: DescribedType, side: Side): JsonSchema
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

function schemaOf(type: DescribedType, side: Side, writing: Writing): JsonSchema {
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

function ofKind(type: DescribedType, side: Side, writing: Writing): JsonSchema {
  switch (type.kind) {
    case 'ref':
      return refTo(define(type.name, side, writing), writing)
    case 'literal':
      return { const: type.value }
    case 'bigint':
      return bigintSchema(type.value, side)
    case 'date':
      return side === 'output' ? writtenDate : sentDateRef(writing)
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
      return scalars[type.kind] ?? {}
  }
}

/** Whose elements are counted must not have equal ones: a Set would hold them once. */
function countedOf(type: Of<'set'>, side: Side): Pick<JsonSchema, 'uniqueItems'> {
  return side === 'input' && isCounted(type) ? { uniqueItems: true } : {}
}

/** Its pattern is long: it is written once, under a name that no type can have. */
function sentDateRef(writing: Writing): JsonSchema {
  writing.defs['date-time'] = sentDate
  return refTo('date-time', writing)
}

function refTo(name: string, { refs }: Writing): JsonSchema {
  return { $ref: `${refs}${name}` }
}

function define(name: string, side: Side, writing: Writing): string {
  const { types, defs } = writing
  const named = types.get(name)
  const key = side === 'input' && named && differs(named.type, types) ? `${name}.input` : name
  if (named && !Object.hasOwn(defs, key)) {
    // Known from here on, so that a type which contains itself ends.
    defs[key] = {}
    defs[key] = { ...titleOf(named), ...describedAs(named.doc), ...schemaOf(named.type, side, writing) }
  }
  return key
}

function tupleSchema({ elements, required, rest }: Of<'tuple'>, side: Side, writing: Writing): JsonSchema {
  const schemas = elements.map((each) => schemaOf(each, side, writing))
  const prefixItems = schemas.map((schema, i) => (i < required ? schema : orNull(schema)))
  return {
    type: 'array',
    ...(prefixItems.length > 0 ? { prefixItems } : {}),
    minItems: required,
    items: rest ? schemaOf(rest, side, writing) : false,
  }
}

function structSchema({ members, rest, keys }: Of<'struct'>, side: Side, writing: Writing): JsonSchema {
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

function memberSchema({ type, optional, doc }: MemberOf<NameRef>, side: Side, writing: Writing): JsonSchema {
  const schema = schemaOf(type, side, writing)
  return { ...describedAs(doc), ...(optional && side === 'input' ? orNull(schema) : schema) }
}

function titleOf({ name, anonymous }: NamedType): Pick<JsonSchema, 'title'> {
  return anonymous ? {} : { title: name }
}

/** The docs of what a schema is of, where there are any. */
export function describedAs(doc: string | undefined): Pick<JsonSchema, 'description'> {
  return doc === undefined ? {} : { description: doc }
}

function unionSchema({ branches }: Of<'union'>, side: Side, writing: Writing): JsonSchema {
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
  return passes ? schema : { anyOf: [...branches, nothing] }
}
