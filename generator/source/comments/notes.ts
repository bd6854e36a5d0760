import type { ts } from 'ts-morph'
import type { ValueNotes } from '../../../runtime/values/types.js'
import { type DocComment, readMeta } from '../../doc-comments/index.js'
import type { OpenProject } from '../program/project.js'
import { ownComment } from './comments.js'
import { literalIn, noValue } from './examples.js'
import { withInheritedDocs } from './inherited.js'

type Project = Pick<OpenProject, 'program' | 'checker'>

/** Returns the docs of a type, a member or a parameter: those of its first declaration that has any. */
export function notesOf(declarations: readonly ts.Node[], project: Project): ValueNotes {
  for (const declaration of declarations) {
    // The docs of the language's own types do not describe an API.
    if (project.program.isSourceFileDefaultLibrary(declaration.getSourceFile())) return {}
    const own = ownComment(declaration)?.doc
    const doc = own && withInheritedDocs(own, declaration, project)
    const deprecated = doc?.tags.filter(({ name }) => name === 'deprecated') ?? []
    const notes = doc && {
      ...(doc.description !== '' && { doc: doc.description }),
      ...readMeta({ tags: deprecated }).meta,
      ...defaultIn(doc),
    }
    if (notes && Object.keys(notes).length > 0) return notes
  }
  return {}
}

/** Returns the value of `@default` of JSDoc, `@defaultValue` of TSDoc: a literal, or else the text. */
function defaultIn({ tags }: DocComment): Pick<ValueNotes, 'default'> {
  const text = tags.find(({ name }) => /^default(?:value)?$/i.test(name))?.text ?? ''
  return text === '' ? {} : { default: defaultValueOf(text) }
}

/** Returns the value of a text: a literal, or else the text itself. */
export function defaultValueOf(text: string): unknown {
  const plain = text.replace(/^`([^`]*)`$/, '$1')
  const value = literalIn(plain)
  return value === noValue ? plain : value
}
