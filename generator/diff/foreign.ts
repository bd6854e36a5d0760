import type { Draft07Schema } from '../../runtime/schema/draft-07.js'

/** A schema as any tool and any draft may write it; `true` takes everything, `false` nothing. */
export type AnySchema = ForeignSchema | boolean

/** The words of JSON Schema that mean something here; there may be others. */
export interface ForeignSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly minimum?: number
  readonly maximum?: number
  /** A limit; in draft 4 whether the limit beside it is left out. */
  readonly exclusiveMinimum?: number | boolean
  readonly exclusiveMaximum?: number | boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly AnySchema[]
  /** A list of schemas before 2020-12. */
  readonly items?: AnySchema | readonly AnySchema[]
  readonly additionalItems?: AnySchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: AnySchema
}

/** What limits values in a way that is compared as text. */
const opaqueWords = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** The words of a schema that limit values and are not understood, each as text. */
export function opaqueOf(schema: ForeignSchema): string[] {
  const words = schema as Readonly<Record<string, unknown>>
  return opaqueWords.filter((word) => words[word] !== undefined).map((word) => `${word} ${textOf(words[word])}`)
}

/** JSON with members in order, so that equal values have equal texts. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members
    .map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`)
    .sort()
    .join()}}`
}

/** A schema of ours is one of any tool's. */
export function foreign(schema: Draft07Schema): AnySchema {
  return schema as AnySchema
}
