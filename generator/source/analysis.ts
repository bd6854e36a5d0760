import type { ts } from 'ts-morph'
import type { Options } from '../options.js'
import type { ModuleTags } from './comments/module-tags.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'

export interface Analysis {
  readonly project: OpenProject
  readonly options: Options
  readonly problems: Problems
  /** How the generated file names a module. */
  readonly moduleOf: (source: ts.SourceFile) => string
  readonly tagsOf: (source: ts.SourceFile) => ModuleTags
}
