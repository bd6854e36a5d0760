import {
  dialect,
  type JsonSchema,
  schemaOfParams,
  schemaOfResult,
  TypeSchemas,
} from '../../runtime/description/json-schema.js'
import { type Model, type ProcedureModel, servedModel } from '../model/model.js'

export type { JsonSchema } from '../../runtime/description/json-schema.js'

/** The schemas of one procedure's params and result; each is complete. */
export interface ProcedureSchemas {
  /** An object for params by name, an array for params by position. */
  readonly params: JsonSchema
  readonly result: JsonSchema
}

/**
 * The whole model as one JSON Schema 2020-12 of its JSON form. `$defs` contains `<name>.params` and
 * `<name>.result` of every procedure, `<name>.item` of a subscription, and every named type: `Order`, and `Order.input` if callers may send more than they receive.
 */
export function jsonSchema(model: Model): JsonSchema {
  const schemas = new TypeSchemas(model.types)
  const entries = servedModel(model).procedures.flatMap((procedure): [string, JsonSchema][] => [
    [`${procedure.name}.params`, schemaOfParams(procedure, schemas)],
    [`${procedure.name}.${procedure.subscription ? 'item' : 'result'}`, schemaOfResult(procedure, schemas)],
  ])
  return { $schema: dialect, $defs: { ...Object.fromEntries(entries), ...schemas.defs } }
}

/** The schemas of one procedure; `$defs` contains the named types that it needs. */
export function procedureSchemas(procedure: ProcedureModel, model: Model): ProcedureSchemas {
  const alone = (write: (procedure: ProcedureModel, schemas: TypeSchemas) => JsonSchema): JsonSchema => {
    const schemas = new TypeSchemas(model.types)
    const schema = write(procedure, schemas)
    const hasDefs = Object.keys(schemas.defs).length > 0
    return { $schema: dialect, ...schema, ...(hasDefs ? { $defs: schemas.defs } : {}) }
  }
  return { params: alone(schemaOfParams), result: alone(schemaOfResult) }
}
