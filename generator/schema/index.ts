import { leastArguments } from '../model/arity.js'
import type { Model, ParamModel, ProcedureModel } from '../model/model.js'
import { dialect, type JsonSchema } from './json-schema.js'
import { createTypeSchemas, orNull, type TypeSchemas } from './types.js'

export type { JsonSchema } from './json-schema.js'

/** What one procedure takes and answers; each schema stands for itself. */
export interface ProcedureSchemas {
  /** By name, an object, or by position, an array. */
  readonly params: JsonSchema
  readonly result: JsonSchema
}

/**
 * The whole model as one JSON Schema 2020-12 of what JSON carries. In `$defs` every procedure has its `<name>.params` and
 * `<name>.result`, and every named type a definition: `Order`, and `Order.input` where callers may send more than they get.
 */
export function jsonSchema(model: Model): JsonSchema {
  const schemas = schemasOf(model)
  const procedures = model.procedures.filter(({ registered }) => !registered)
  const entries = procedures.flatMap((procedure): [string, JsonSchema][] => [
    [`${procedure.name}.params`, paramsSchema(procedure, schemas)],
    [`${procedure.name}.result`, resultSchema(procedure, schemas)],
  ])
  return { $schema: dialect, $defs: { ...Object.fromEntries(entries), ...schemas.defs } }
}

/** The schemas of one procedure; its `$defs` hold the named types that it needs. */
export function procedureSchemas(procedure: ProcedureModel, model: Model): ProcedureSchemas {
  const alone = (write: (procedure: ProcedureModel, schemas: TypeSchemas) => JsonSchema): JsonSchema => {
    const schemas = schemasOf(model)
    const schema = write(procedure, schemas)
    const hasDefs = Object.keys(schemas.defs).length > 0
    return { $schema: dialect, ...schema, ...(hasDefs ? { $defs: schemas.defs } : {}) }
  }
  return { params: alone(paramsSchema), result: alone(resultSchema) }
}

function schemasOf({ types }: Model): TypeSchemas {
  return createTypeSchemas(new Map(types.map((type) => [type.name, type])))
}

function paramsSchema(
  { params, overloads, description, deprecated }: ProcedureModel,
  schemas: TypeSchemas,
): JsonSchema {
  const lists = overloads ? overloads.map((overload) => overload.params) : [params]
  return {
    ...(description === '' ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    anyOf: [...lists.map((each) => byPosition(each, schemas)), byName(params, schemas)],
  }
}

function byPosition(params: readonly ParamModel[], schemas: TypeSchemas): JsonSchema {
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
function byName(params: readonly ParamModel[], schemas: TypeSchemas): JsonSchema {
  const required = params.filter(({ optional, rest }) => !optional && !rest).map(({ name }) => name)
  const properties = params.map((param): [string, JsonSchema] => {
    const schema = paramSchema(param, schemas)
    return [param.name, param.rest ? { type: 'array', items: schema } : schema]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

function paramSchema({ type, optional, doc }: ParamModel, { schemaOf }: TypeSchemas): JsonSchema {
  const schema = schemaOf(type, 'input')
  return { ...(doc === undefined ? {} : { description: doc }), ...(optional ? orNull(schema) : schema) }
}

function resultSchema({ returns }: ProcedureModel, { schemaOf }: TypeSchemas): JsonSchema {
  const { doc, type } = returns
  return { ...(doc === undefined ? {} : { description: doc }), ...schemaOf(type, 'output') }
}
