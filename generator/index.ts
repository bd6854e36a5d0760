/**
 * The build as a function from sources to texts. It writes no files and does not change the process.
 *
 * @module
 */
import { build } from './build/build.js'
import type { Generated } from './build/generated.js'
import { createDisk } from './disk/disk.js'
import { buildOptionsOf, checkTarget, completeOptions, type GenerateOptions } from './options/options.js'

export type { Generated, GeneratedFile } from './build/generated.js'
export { type JsonSchema, jsonSchema, type ProcedureSchemas, procedureSchemas } from './build/json-schema.js'
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  formatDiagnostic,
  type Position,
  UsageError,
} from './diagnostics/diagnostic.js'
export type {
  AuthArgument,
  AuthModel,
  Model,
  ModelType,
  NamedType,
  ParamModel,
  PredicateModel,
  ProcedureModel,
  ReturnsModel,
} from './model/model.js'
export type { GenerateOptions, ImportExt } from './options/options.js'

/**
 * Reads the sources and returns the texts of all outputs, or the diagnostics.
 *
 * @example
 * const { files, diagnostics } = await generate({ paths: ['src/procedures'] })
 * @throws UsageError for an option with an invalid value, and for a path that does not exist
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const disk = createDisk()
  return build(completeOptions(buildOptionsOf(checkTarget(options, 'generate()', { cwd: 'text' })), disk), disk)
}
