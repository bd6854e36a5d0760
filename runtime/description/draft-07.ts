import type { JsonSchema } from './json-schema.js'

const dialect = 'http://json-schema.org/draft-07/schema#'

/** The subset of JSON Schema draft-07 that wire types need. */
export interface Draft07Schema
  extends Omit<
    JsonSchema,
    '$defs' | 'prefixItems' | 'items' | 'anyOf' | 'properties' | 'patternProperties' | 'additionalProperties'
  > {
  readonly definitions?: Readonly<Record<string, Draft07Schema>>
  /** The elements of a tuple in order, or the type of every element. */
  readonly items?: Draft07Schema | readonly Draft07Schema[]
  readonly additionalItems?: Draft07Schema | false
  readonly anyOf?: readonly Draft07Schema[]
  readonly allOf?: readonly Draft07Schema[]
  readonly properties?: Readonly<Record<string, Draft07Schema>>
  readonly patternProperties?: Readonly<Record<string, Draft07Schema>>
  readonly additionalProperties?: Draft07Schema | false
}

/** Converts a whole schema to draft-07, with `$schema`. */
export function draft07(schema: JsonSchema): Record<string, unknown> {
  return { ...toDraft07(schema), $schema: dialect }
}

/** Converts a schema to draft-07, which has other keywords for tuples and definitions and ignores siblings of `$ref`. */
export function toDraft07(schema: JsonSchema): Draft07Schema {
  const { $ref, $defs, prefixItems, items, anyOf, properties, patternProperties, additionalProperties, ...plain } =
    schema
  const rest = {
    ...plain,
    ...itemsOf(prefixItems, items),
    ...(anyOf && { anyOf: anyOf.map(toDraft07) }),
    ...(properties && { properties: allToDraft07(properties) }),
    ...(patternProperties && { patternProperties: allToDraft07(patternProperties) }),
    ...(additionalProperties !== undefined && { additionalProperties: orFalse(additionalProperties) }),
    ...($defs && { definitions: allToDraft07($defs) }),
  }
  if ($ref === undefined) return rest
  const ref = { $ref: $ref.replace('#/$defs/', '#/definitions/') }
  return Object.keys(rest).length === 0 ? ref : { ...rest, allOf: [ref] }
}

/** Converts `prefixItems` to a list of `items`, and `items` to `additionalItems`. */
function itemsOf(
  prefix: JsonSchema['prefixItems'],
  items: JsonSchema['items'],
): Pick<Draft07Schema, 'items' | 'additionalItems' | 'maxItems'> {
  const others = items === undefined ? undefined : orFalse(items)
  if (prefix) return { items: prefix.map(toDraft07), ...(others === undefined ? {} : { additionalItems: others }) }
  if (others === false) return { maxItems: 0 }
  return others === undefined ? {} : { items: others }
}

function orFalse(schema: JsonSchema | false): Draft07Schema | false {
  return schema === false ? false : toDraft07(schema)
}

/** Converts each schema of an object. */
export function allToDraft07(schemas: Readonly<Record<string, JsonSchema>>): Record<string, Draft07Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toDraft07(schema)]))
}
