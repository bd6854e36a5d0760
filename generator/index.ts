/**
 * The build as a function: sources in, text out. Nothing is written and the process is left alone.
 *
 * @module
 */
import { renderModule } from '../templates/module.js'
import { type Diagnostic, sortDiagnostics } from './diagnostic.js'
import type { Model } from './model/model.js'
import { completeOptions, type GenerateOptions } from './options.js'
import { planModule } from './plan/module.js'
import { jsonSchema } from './schema/index.js'
import { analyse } from './source/analyse.js'
import { findFiles } from './source/files.js'
import { collectProblems } from './source/problems.js'
import { openProject } from './source/project.js'
import { createSpecifier } from './source/specifier.js'

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
  const complete = completeOptions(options)
  const problems = collectProblems(complete.cwd)
  const found = await findFiles(complete)
  const { files } = found
  for (const diagnostic of found.diagnostics) problems.add(diagnostic)
  const project = openProject(found, complete, problems)
  const model = analyse(project, complete, problems)
  const diagnostics = sortDiagnostics(problems.list)
  if (diagnostics.length > 0) return { files: [], model, diagnostics, sources: files.length }
  const text = renderModule(planModule(model, createSpecifier(project, complete)))
  const outputs = [{ path: complete.out, text }]
  if (complete.jsonSchema !== undefined) {
    outputs.push({ path: complete.jsonSchema, text: `${JSON.stringify(jsonSchema(model), null, 2)}\n` })
  }
  return { files: outputs, model, diagnostics: [], sources: files.length }
}
