import type { ts } from 'ts-morph'
import type { OpenProject } from '../project/project.js'
import { commentBefore } from './comments.js'

const nothing = { description: '' }

/** What the docs of a type or a member say: the prose of its first declaration that has any, as part of a model. */
export function docOf(
  declarations: readonly ts.Declaration[],
  { program }: Pick<OpenProject, 'program'>,
): { readonly doc?: string } {
  for (const declaration of declarations) {
    const source = declaration.getSourceFile()
    // What the language says of its own types says nothing of an API.
    if (program.isSourceFileDefaultLibrary(source)) return {}
    const { description } = commentBefore(declaration, () => true)?.doc ?? nothing
    if (description !== '') return { doc: description }
  }
  return {}
}
