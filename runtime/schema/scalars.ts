import { dateText } from './date-text.js'
import type { DescribedType } from './description.js'
import type { JsonSchema, Side } from './json-schema.js'

export const nothing: JsonSchema = { type: 'null' }

/** RFC 4648 section 4, with white space anywhere; contentEncoding alone is a remark that nobody need check. */
const base64 =
  '^\\s*(?:(?:[A-Za-z0-9+/]\\s*){4})*(?:(?:[A-Za-z0-9+/]\\s*){2}(?:=\\s*){2}|(?:[A-Za-z0-9+/]\\s*){3}=\\s*)?$'

/** Kinds that are the same on both sides. */
export const scalars: Partial<Record<DescribedType['kind'], JsonSchema>> = {
  int: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  double: { type: 'number' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  url: { type: 'string', format: 'uri' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: base64 },
  null: nothing,
  undefined: nothing,
  void: nothing,
  any: {},
}

/** RFC 3339 goes out, and more than that comes in. */
export const writtenDate: JsonSchema = { type: 'string', format: 'date-time' }
export const sentDate: JsonSchema = {
  type: 'string',
  pattern: dateText,
  $comment: 'RFC 3339; UTC where it has no zone',
}

/** A bigint goes out as decimal text, and comes in as text or as an integer of any size. */
export function bigintSchema(value: string | undefined, side: Side): JsonSchema {
  if (value !== undefined) {
    const number = Number(value)
    return side === 'input' && Number.isSafeInteger(number) ? { enum: [value, number] } : { const: value }
  }
  const text: JsonSchema = { type: 'string', pattern: '^-?\\d+$' }
  return side === 'input' ? { anyOf: [text, { type: 'integer' }] } : text
}
