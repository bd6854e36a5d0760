/**
 * The build as a function from sources to texts. It writes no files and does not change the process.
 *
 * @module
 */
import { build } from './build.js'
import { checkTarget } from './config/load.js'
import { createDisk } from './disk.js'
import type { Generated } from './generated.js'
import { completeOptions, type GenerateOptions } from './options.js'

export { type Diagnostic, type DiagnosticCode, diagnosticCodes, formatDiagnostic, type Position } from './diagnostic.js'
export type { Generated, GeneratedFile } from './generated.js'
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
export { type GenerateOptions, type ImportExt, UsageError } from './options.js'
export { type JsonSchema, jsonSchema, type ProcedureSchemas, procedureSchemas } from './schema/index.js'

/**
 * Reads the sources and returns the texts of all outputs, or the diagnostics.
 *
 * @example
 * const { files, diagnostics } = await generate({ paths: ['src/procedures'] })
 * @throws UsageError for an option with an invalid value, and for a path that does not exist
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const checked = checkTarget<GenerateOptions>(options, 'generate()', further)
  const complete = completeOptions({ ...checked, paths: [checked.paths ?? []].flat() })
  const { files, model, diagnostics, sources } = await build(complete, { disk: createDisk() })
  return { files, model, diagnostics, sources }
}

/** The options that a configuration does not have. */
const further = { methodsModules: 'texts', configFile: 'file', cwd: 'text' } as const
