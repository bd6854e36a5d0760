import { type AnySchema, type ForeignSchema, opaqueOf, textOf } from './foreign.js'
import { matches, numberLimits, stringLimits, takesNumber, takesString } from './limits.js'
import type { ArrayBranch, Branch, Member, ObjectBranch, Type } from './type.js'

/** Gives the type of a part of a schema. */
export type TypeOf = (schema: AnySchema) => Type

const kinds = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

/** What a schema itself says of values; references and combinations of schemas are not looked at. */
export function ownBranches(schema: ForeignSchema, typeOf: TypeOf): Branch[] {
  const { type } = schema
  const opaque = opaqueOf(schema)
  const named = type === undefined ? undefined : typeof type === 'string' ? [type] : type
  const values = 'const' in schema ? [schema.const] : schema.enum
  if (!named && !values && !limits(schema)) return [limited({ kind: 'any' }, opaque)]
  // Whoever writes a list of values has looked at the format.
  const { format: _format, contentEncoding: _encoding, ...rest } = schema
  const plain = (named ?? kinds).flatMap((each) => branchesOf(each, values ? rest : schema, typeOf))
  const chosen = values ? values.map(constantOf).filter((value) => plain.some((each) => holds(each, value))) : plain
  return chosen.map((branch) => limited(branch, opaque))
}

function limited(branch: Branch, opaque: readonly string[]): Branch {
  return opaque.length === 0 ? branch : { ...branch, opaque }
}

const limiting: readonly (keyof ForeignSchema)[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'prefixItems',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'patternProperties',
  'additionalProperties',
]

function limits(schema: ForeignSchema): boolean {
  return limiting.some((word) => schema[word] !== undefined)
}

function branchesOf(type: string, schema: ForeignSchema, typeOf: TypeOf): Branch[] {
  switch (type) {
    case 'null':
      return [{ kind: 'null' }]
    case 'boolean':
      return [true, false].map((value) => ({ kind: 'literal', value }))
    case 'integer':
    case 'number':
      return [{ kind: 'number', ...numberLimits(schema, type === 'integer') }]
    case 'string':
      return [{ kind: 'string', ...stringLimits(schema) }]
    case 'array':
      return [arrayBranch(schema, typeOf)]
    case 'object':
      return [objectBranch(schema, typeOf)]
    default:
      return []
  }
}

function arrayBranch(schema: ForeignSchema, typeOf: TypeOf): ArrayBranch {
  const { items, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema
  const older = Array.isArray(items) ? (items as readonly AnySchema[]) : undefined
  const prefix = (schema.prefixItems ?? older ?? []).map(typeOf)
  const behind = older ? schema.additionalItems : (items as AnySchema | undefined)
  const rest = behind === false || maxItems <= prefix.length ? undefined : typeOf(behind ?? true)
  return {
    kind: 'array',
    prefix: prefix.slice(0, Math.min(prefix.length, maxItems)),
    rest,
    least: minItems,
    most: rest ? maxItems : Math.min(prefix.length, maxItems),
    unique: uniqueItems,
  }
}

function objectBranch(schema: ForeignSchema, typeOf: TypeOf): ObjectBranch {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
  /** A required name without a schema is one of those that a pattern or the other members have. */
  const undeclared = (name: string): AnySchema =>
    Object.entries(patternProperties).find(([pattern]) => matches(pattern, name))?.[1] ?? additionalProperties ?? true
  const bare = required.filter((name) => !Object.hasOwn(properties, name))
  const members = [...Object.entries(properties), ...bare.map((name) => [name, undeclared(name)] as const)]
  const others = additionalProperties === undefined ? 'dropped' : additionalProperties
  return {
    kind: 'object',
    members: new Map(
      members.map(([name, each]): [string, Member] => [
        name,
        { type: typeOf(each), required: required.includes(name) },
      ]),
    ),
    patterns: new Map(Object.entries(patternProperties).map(([pattern, each]) => [pattern, typeOf(each)])),
    others: others === 'dropped' ? others : others === false ? 'refused' : typeOf(others),
  }
}

function constantOf(value: unknown): Branch {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'object' || value === undefined) return { kind: 'constant', text: textOf(value) }
  return { kind: 'literal', value: value as string | number | boolean }
}

/** Whether a branch takes a constant; a list or an object of the same kind is taken to. */
export function holds(branch: Branch, constant: Branch): boolean {
  if (branch.kind === 'any') return true
  if (constant.kind === 'null' || branch.kind === 'null') return constant.kind === branch.kind
  if (constant.kind === 'constant') return branch.kind === (constant.text.startsWith('[') ? 'array' : 'object')
  if (constant.kind !== 'literal') return false
  const { value } = constant
  if (branch.kind === 'literal') return branch.value === value
  if (branch.kind === 'number') return typeof value === 'number' && takesNumber(branch, value)
  return branch.kind === 'string' && typeof value === 'string' && takesString(branch, value)
}
