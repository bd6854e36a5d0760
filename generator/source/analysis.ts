import type { ts } from 'ts-morph'
import type { Options } from '../options.js'
import type { ModuleTags } from './comments/module-tags.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import type { Scalars } from './resolver.js'

export interface Analysis {
  readonly project: OpenProject
  readonly options: Options
  readonly problems: Problems
  /** How the generated file names a module. */
  readonly moduleOf: (source: ts.SourceFile) => string
  readonly scalars: Scalars
  readonly tagsOf: (source: ts.SourceFile) => ModuleTags
}
