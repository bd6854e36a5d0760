import type { ts } from 'ts-morph'
import type { Disk } from '../../disk/disk.js'
import type { Part } from '../../model/part.js'
import type { Options } from '../../options/options.js'
import type { Problems } from './problems.js'
import type { Config } from './tsconfig.js'

/** One run: its options, the file system, and the problems that it has found so far. */
export interface Run {
  readonly options: Options
  readonly disk: Disk
  readonly problems: Problems
}

/** A run with the user's program, which is read once and never changed. */
export interface OpenProject extends Run {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  /** The written types that were checked: one that several sources use is reported with the first of them. */
  readonly checkedTypes: Set<ts.Node>
  readonly config: Config
  /** The sources to analyse, in the order of their names. */
  readonly sources: readonly ts.SourceFile[]
  /** The names of all sources under the paths, including those that need no analysis. */
  readonly files: ReadonlySet<string>
  /** The cached parts of the other sources. */
  readonly known: ReadonlyMap<string, Part>
  /** The file names of the modules that the legacy entry points serve. */
  readonly methodsModules: ReadonlySet<string>
  /** Replaces the generated file, whatever is on disk: the analysis sees an empty module. */
  readonly generated: ts.SourceFile | undefined
  /** Returns the file that a specifier refers to in a file, which is the generated one by default. */
  resolve(specifier: string, from?: string): string | undefined
  /** The files whose declarations are visible in every other file. */
  readonly globals: readonly string[]
}
