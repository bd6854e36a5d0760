import type { ts } from 'ts-morph'
import type { OpenProject } from './project.js'

/** Whether a source has a syntax error: what the checker makes of the rest of it is a guess. */
export function isBroken(source: ts.SourceFile, { program }: Pick<OpenProject, 'program'>): boolean {
  return !source.isDeclarationFile && program.getSyntacticDiagnostics(source).length > 0
}

/** The project with the sources that could be read. */
export function withoutBroken(project: OpenProject): OpenProject {
  const sources = project.sources.filter((source) => !isBroken(source, project))
  return sources.length === project.sources.length ? project : { ...project, sources }
}
