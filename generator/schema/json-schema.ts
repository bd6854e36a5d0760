/** A JSON Schema 2020-12, as far as types of ours need it. */
export interface JsonSchema {
  readonly $schema?: string
  readonly $comment?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'
  readonly const?: string | number | boolean
  readonly enum?: readonly (string | number | boolean)[]
  readonly anyOf?: readonly JsonSchema[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly prefixItems?: readonly JsonSchema[]
  readonly items?: JsonSchema | false
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | false
}

/** What a schema of ours says it is. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** What callers may send, or what they get: a client may send null for what it leaves out, and an integer for a bigint. */
export type Side = 'input' | 'output'
