// What one run of a target has: Run (options, disk, problems), then FoundProject (with sources and tsconfig), then OpenProject (with the
// compiler's program).
import type { ts } from 'ts-morph'
import type { Disk } from '../../disk/disk.js'
import type { Part } from '../../model/part.js'
import type { Options } from '../../options/options.js'
import type { Problems } from './problems.js'

/** One run of one target: its options, the file system, and the problems that it has found so far. */
export interface Run {
  readonly options: Options
  readonly disk: Disk
  readonly problems: Problems
}

/** The sources of a run. */
export interface FoundFiles {
  /** The names of all sources under the paths, sorted; some need no analysis. */
  readonly files: ReadonlySet<string>
  /** The file names of the modules that the legacy entry points serve. */
  readonly methodsModules: ReadonlySet<string>
  /** Returns the sources whose tags may apply to a file, the outer ones first: the `index.ts` of its folder and of those above. */
  indexesAbove(file: string): readonly string[]
}

/** The parsed tsconfig of a project. */
export interface ProjectConfig {
  readonly compilerOptions: ts.CompilerOptions
  readonly rootNames: readonly string[]
  /** The path of the tsconfig; undefined if there is none. */
  readonly path: string | undefined
  /** Folders or tsconfigs of referenced projects. */
  readonly references: readonly ts.ProjectReference[]
}

/** A run with its sources and their tsconfig, before the compiler is started. */
export interface FoundProject extends Run, FoundFiles {
  readonly config: ProjectConfig
}

/** A run with the user's program, which is read once and never changed. */
export interface OpenProject extends FoundProject {
  /** The parts of the sources that have not changed, which are not analysed again. */
  readonly valid: ReadonlyMap<string, Part>
  readonly program: ts.Program
  /** The names of all files of the program. */
  readonly programFiles: readonly string[]
  readonly checker: ts.TypeChecker
  /** The sources to analyse, in the order of their names: without syntax errors, and not the output of the project's own build. */
  readonly sources: readonly ts.SourceFile[]
  /** Replaces the generated file, whatever is on disk: the analysis sees an empty module. */
  readonly generated: ts.SourceFile | undefined
  /** Returns the path of a module in the model: relative to the folder of the generated file, or to node_modules. */
  moduleOf(source: ts.SourceFile): string
  /** Returns the file that a specifier refers to in a file, which is the generated one by default. */
  resolveModule(specifier: string, from?: string): string | undefined
  /** Returns the files that a file imports, directly or indirectly, and itself. */
  closureOf(file: string): readonly string[]
  /** The files whose declarations are visible in every other file. */
  readonly globals: readonly string[]
}
