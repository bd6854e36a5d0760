import { leastArguments } from './arity.js'
import type { DescribedParam, DescribedProcedure } from './description.js'
import type { JsonSchema } from './json-schema.js'
import { parameterLists } from './overloads.js'
import { describedAs, orNull, type TypeSchemas } from './types.js'

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
  return { ...describedAs(returns.doc), ...schemaOf(returns.type, 'output') }
}

/** What one parameter takes; for a rest parameter, one of its arguments. */
export function paramSchema({ type, optional, doc }: DescribedParam, { schemaOf }: TypeSchemas): JsonSchema {
  const schema = schemaOf(type, 'input')
  return { ...describedAs(doc), ...(optional ? orNull(schema) : schema) }
}

function byPosition(params: readonly DescribedParam[], schemas: TypeSchemas): JsonSchema {
  const rest = params.find((param) => param.rest)
  const single = params.filter((param) => !param.rest)
  return {
    type: 'array',
    ...(single.length > 0 ? { prefixItems: single.map((param) => paramSchema(param, schemas)) } : {}),
    minItems: leastArguments(params),
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
  return { ...describedAs(param.doc), type: 'array', items: schemas.schemaOf(param.type, 'input') }
}
