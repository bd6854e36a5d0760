/**
 * The build as a function: sources in, text out. Nothing is written and the process is left alone.
 *
 * @module
 */
import { build } from './build.js'
import type { Diagnostic } from './diagnostic.js'
import { createDisk } from './disk.js'
import type { Model } from './model/model.js'
import { completeOptions, type GenerateOptions } from './options.js'

export { type Diagnostic, type DiagnosticCode, diagnosticCodes, formatDiagnostic, type Position } from './diagnostic.js'
export type { AuthModel, Model, ModelType, NamedType, ParamModel, ProcedureModel, ReturnsModel } from './model/model.js'
export { type GenerateOptions, type ImportExt, UsageError } from './options.js'
export { type JsonSchema, jsonSchema, type ProcedureSchemas, procedureSchemas } from './schema/index.js'

/** A file to write. */
export interface GeneratedFile {
  /** Absolute, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** What a run found and made. */
export interface Generated {
  /** Empty when there is any diagnostic: all or nothing. */
  readonly files: readonly GeneratedFile[]
  /** Not to be used when there is any diagnostic. */
  readonly model: Model
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
  /** How many sources were looked at. */
  readonly sources: number
}

/** Reads the sources and makes the module. Throws UsageError for paths that do not exist. */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { files, model, diagnostics, sources } = await build(completeOptions(options), { disk: createDisk() })
  return { files, model, diagnostics, sources }
}
