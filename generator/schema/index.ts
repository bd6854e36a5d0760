import {
  createTypeSchemas,
  dialect,
  type JsonSchema,
  paramsSchema,
  resultSchema,
  type TypeSchemas,
} from '../../runtime/schema/json-schema.js'
import type { Model, ProcedureModel } from '../model/model.js'

export type { JsonSchema } from '../../runtime/schema/json-schema.js'

/** What one procedure takes and answers; each schema stands for itself. */
export interface ProcedureSchemas {
  /** By name, an object, or by position, an array. */
  readonly params: JsonSchema
  readonly result: JsonSchema
}

/**
 * The whole model as one JSON Schema 2020-12 of what JSON carries. In `$defs` every procedure has its `<name>.params` and
 * `<name>.result`, a subscription `<name>.item`, and every named type a definition: `Order`, and `Order.input` where callers may send more than they get.
 */
export function jsonSchema(model: Model): JsonSchema {
  const schemas = createTypeSchemas(model.types)
  const procedures = model.procedures.filter(({ registered }) => !registered)
  const entries = procedures.flatMap((procedure): [string, JsonSchema][] => [
    [`${procedure.name}.params`, paramsSchema(procedure, schemas)],
    [`${procedure.name}.${procedure.subscription ? 'item' : 'result'}`, resultSchema(procedure, schemas)],
  ])
  return { $schema: dialect, $defs: { ...Object.fromEntries(entries), ...schemas.defs } }
}

/** The schemas of one procedure; its `$defs` hold the named types that it needs. */
export function procedureSchemas(procedure: ProcedureModel, model: Model): ProcedureSchemas {
  const alone = (write: (procedure: ProcedureModel, schemas: TypeSchemas) => JsonSchema): JsonSchema => {
    const schemas = createTypeSchemas(model.types)
    const schema = write(procedure, schemas)
    const hasDefs = Object.keys(schemas.defs).length > 0
    return { $schema: dialect, ...schema, ...(hasDefs ? { $defs: schemas.defs } : {}) }
  }
  return { params: alone(paramsSchema), result: alone(resultSchema) }
}
