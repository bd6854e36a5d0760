import type { ts } from 'ts-morph'
import type { Part } from '../../model/part.js'
import type { Config } from './tsconfig.js'

/** The user's program, read once and never changed. */
export interface OpenProject {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly config: Config
  /** The sources to analyse, in the order of their names. */
  readonly sources: readonly ts.SourceFile[]
  /** The names of all sources under the paths, those included that need no analysis. */
  readonly files: ReadonlySet<string>
  /** What the other sources give, known from an earlier run. */
  readonly known: ReadonlyMap<string, Part>
  /** The file names of the modules that the legacy entry points serve. */
  readonly methodsModules: ReadonlySet<string>
  /** What stands for the generated file: to the analysis it is an empty module, whatever lies on disk. */
  readonly generated: ts.SourceFile | undefined
  /** The files whose declarations every other one sees. */
  readonly globals: readonly string[]
}
