// What `generate` returns. The declarations of the package contain each file that its entry points import, so this one imports plain data only.
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Model } from '../model/model.js'

/** A file to write. */
export interface GeneratedFile {
  /** Absolute, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** The result of a run. */
export interface Generated {
  /** Empty if there is any diagnostic: a run writes all outputs or none. */
  readonly files: readonly GeneratedFile[]
  /** Must not be used if there is any diagnostic. */
  readonly model: Model
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
  /** The number of sources. */
  readonly sources: number
}
