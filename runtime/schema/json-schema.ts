import type { Constraints } from './constraints.js'

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
export type Side = 'input' | 'output'
