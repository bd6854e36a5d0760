/**
 * Procedures as Standard Schema and Standard JSON Schema objects (standardschema.dev), for libraries that accept these.
 *
 * @module
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { describeProcedures } from './call/describe.js'
import { bind, paramsByName, paramsInErrors } from './call/params.js'
import type { Procedure, TypedProcedure } from './call/types.js'
import type { DescribedProcedure } from './description/description.js'
import { draft07 } from './description/draft-07.js'
import {
  byNameSchema,
  byPositionSchema,
  dialect,
  type JsonSchema,
  schemaOfResult,
  TypeSchemas,
} from './description/json-schema.js'
import { isInvalidParams } from './error.js'
import { jsonWires } from './jsonrpc/scalars.js'
import { attempt, INVALID } from './values/definition.js'
import { describeValue } from './values/describe.js'
import { explain, explainCall } from './values/explain.js'
import type { IssueRule, ValidationIssue } from './values/issue.js'

/** An object that is both a Standard Schema v1 and a Standard JSON Schema v1. */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>
}

/** The arguments of a function. */
type Arguments<Fn> = Fn extends (...args: infer Args) => unknown ? Args : readonly unknown[]
/** The awaited result of a function. */
type Result<Fn> = Fn extends (...args: never) => infer Result ? Awaited<Result> : unknown
/** The arguments by name. TypeScript does not know which argument belongs to which name. */
type ByName<Fn, Params> = { readonly [Name in keyof Params]: Arguments<Fn>[number] }

/**
 * Returns the schema of a procedure's parameters by name: it validates a JSON object and returns it as TypeScript values, without
 * unknown keys.
 *
 * @example
 * const schema = paramsSchema(procedures['user.create'])
 * @throws Error from the methods of `jsonSchema`, for a target other than draft-2020-12 and draft-07
 */
export function paramsSchema<Fn, JsonFn, Params, Output = ByName<Fn, Params>>(
  procedure: TypedProcedure<Fn, JsonFn, Params>,
): Schema<Params, Output> {
  const validate = (value: unknown): StandardSchemaV1.Result<Output> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return failure([wrongType('object', value)])
    const args = readArguments(procedure, value as Record<string, unknown>)
    return args.issues ? args : { value: named(procedure, value, args.value) as Output }
  }
  return schemaWith(validate, procedure, byNameSchema)
}

/**
 * Returns the schema of a procedure's parameters by position: it validates a list and returns the arguments of the function.
 *
 * @throws Error from the methods of `jsonSchema`, for a target other than draft-2020-12 and draft-07
 */
export function argumentsSchema<Fn, JsonFn, Params>(
  procedure: TypedProcedure<Fn, JsonFn, Params>,
): Schema<Arguments<JsonFn>, Arguments<Fn>> {
  const validate = (value: unknown): StandardSchemaV1.Result<Arguments<Fn>> =>
    Array.isArray(value)
      ? (readArguments(procedure, value) as unknown as StandardSchemaV1.Result<Arguments<Fn>>)
      : failure([wrongType('array', value)])
  return schemaWith(validate, procedure, byPositionSchema)
}

/**
 * Returns the schema of a procedure's result: it validates the awaited result of the function and returns it as JSON, without
 * unknown keys.
 *
 * @throws Error from the methods of `jsonSchema`, for a target other than draft-2020-12 and draft-07
 */
export function resultSchema<Fn, JsonFn, Params>(
  procedure: TypedProcedure<Fn, JsonFn, Params>,
): Schema<Result<Fn>, Result<JsonFn>> {
  const validate = (value: unknown): StandardSchemaV1.Result<Result<JsonFn>> => {
    const result = attempt((each, wire) => procedure.write(each, wire), value, jsonWires.encode)
    if (result !== INVALID) return { value: result as Result<JsonFn> }
    return failure(explain(procedure.returns.type, value, []).map(issueOf))
  }
  return schemaWith(validate, procedure, schemaOfResult)
}

type Write = (procedure: DescribedProcedure, schemas: TypeSchemas) => JsonSchema

function schemaWith<Input, Output>(
  validate: (value: unknown) => StandardSchemaV1.Result<Output>,
  procedure: Procedure,
  write: Write,
): Schema<Input, Output> {
  const jsonSchema = ({ target }: StandardJSONSchemaV1.Options) => jsonSchemaOf(procedure, write, target)
  return {
    '~standard': { version: 1, vendor: 'rpc-gen', validate, jsonSchema: { input: jsonSchema, output: jsonSchema } },
  }
}

/** @throws Error for a dialect other than 2020-12 and draft-07 */
function jsonSchemaOf(procedure: Procedure, write: Write, target: string): Record<string, unknown> {
  const { procedures, types } = describeProcedures([procedure])
  const schemas = new TypeSchemas(types)
  const schema = procedures.map((each) => write(each, schemas))[0] ?? {}
  const hasDefs = Object.keys(schemas.defs).length > 0
  const whole = { $schema: dialect, ...schema, ...(hasDefs && { $defs: schemas.defs }) }
  if (target === 'draft-2020-12') return whole
  if (target === 'draft-07') return draft07(whole)
  throw new Error(`JSON Schema is written as draft-2020-12 or draft-07, not as ${target}`)
}

/** Binds, decodes and validates parameters, as a call over JSON-RPC does. */
function readArguments(
  procedure: Procedure,
  params: readonly unknown[] | Readonly<Record<string, unknown>>,
): StandardSchemaV1.Result<readonly unknown[]> {
  try {
    const bound = bind(procedure, params)
    const value = attempt((args, wire) => procedure.read(args, wire), bound, jsonWires.decode)
    if (value !== INVALID) return { value }
    return failure(explainCall(paramsInErrors(procedure, params), bound, jsonWires.decode).map(issueOf))
  } catch (error) {
    if (!isInvalidParams(error)) throw error
    return failure(error.data.map(issueOf))
  }
}

/** Returns arguments under the names that they were sent with: each overload may have names of its own. */
function named(procedure: Procedure, sent: object, args: readonly unknown[]): unknown {
  if (procedure.paramsObject) return args[0]
  const params = paramsByName(procedure, sent)
  const entries = params.map(({ name, rest }, i) => [name, rest ? args.slice(i) : args[i]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function failure(issues: readonly StandardSchemaV1.Issue[]): StandardSchemaV1.FailureResult {
  return { issues: issues.length > 0 ? issues : [{ message: 'does not match' }] }
}

/** An issue of Standard Schema, with the code and the limit of an issue of this package. */
type CodedIssue = StandardSchemaV1.Issue & IssueRule

function wrongType(expected: string, value: unknown): CodedIssue {
  return { message: `expected ${expected}, received ${describeValue(value)}`, code: 'type', limit: expected }
}

function issueOf({ expected, received, ...issue }: ValidationIssue): CodedIssue {
  return { message: `expected ${expected}, received ${received}`, ...issue }
}
