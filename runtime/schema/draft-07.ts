import type { JsonSchema } from './json-schema.js'

const dialect = 'http://json-schema.org/draft-07/schema#'

/** A schema of ours in the words of draft-07, which has other ones for tuples and definitions. */
export function draft07(schema: JsonSchema): Record<string, unknown> {
  return { ...rewrite(schema), $schema: dialect }
}

function rewrite(schema: JsonSchema): Record<string, unknown> {
  const { $ref, $defs, prefixItems, items, anyOf, properties, patternProperties, additionalProperties, ...plain } =
    schema
  const rest = {
    ...plain,
    ...itemsOf(prefixItems, items),
    ...(anyOf && { anyOf: anyOf.map(rewrite) }),
    ...(properties && { properties: rewriteAll(properties) }),
    ...(patternProperties && { patternProperties: rewriteAll(patternProperties) }),
    ...(additionalProperties !== undefined && { additionalProperties: orFalse(additionalProperties) }),
    ...($defs && { definitions: rewriteAll($defs) }),
  }
  if ($ref === undefined) return rest
  const ref = { $ref: $ref.replace('#/$defs/', '#/definitions/') }
  // Nothing beside a $ref counts there.
  return Object.keys(rest).length === 0 ? ref : { ...rest, allOf: [ref] }
}

/** A tuple's elements are a list of `items`, and what follows them are `additionalItems`. */
function itemsOf(prefix: JsonSchema['prefixItems'], items: JsonSchema['items']): Record<string, unknown> {
  const others = items === undefined ? undefined : orFalse(items)
  if (!prefix) return others === undefined ? {} : others === false ? { maxItems: 0 } : { items: others }
  return { items: prefix.map(rewrite), ...(others === undefined ? {} : { additionalItems: others }) }
}

function orFalse(schema: JsonSchema | false): Record<string, unknown> | false {
  return schema === false ? false : rewrite(schema)
}

function rewriteAll(schemas: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, rewrite(schema)]))
}
