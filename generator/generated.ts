import type { Diagnostic } from './diagnostic.js'
import type { Model } from './model/model.js'

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
