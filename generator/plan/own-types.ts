import type { TypeDeclaration } from '../../templates/file.js'
import type { NamedType } from '../model/model.js'
import { type Form, indexText, textOf } from './kinds.js'

/** A named type in a form that the file declares: an interface, or an alias if it is not an object. */
export function ownType(
  name: string,
  { type, doc = '' }: Pick<NamedType, 'type' | 'doc'>,
  form: Form,
  isPublic: boolean,
): TypeDeclaration {
  const head = { name, exported: isPublic, doc: isPublic ? doc : '' }
  if (type.kind !== 'struct') return { ...head, type: textOf(type, form) }
  const members = type.members.map((each) => ({
    name: each.name,
    type: textOf(each.type, form),
    doc: isPublic ? (each.doc ?? '') : '',
    ...(each.optional ? { optional: true } : {}),
  }))
  return { ...head, members: [...members, ...indexText(type, form).map((each) => ({ ...each, doc: '' }))] }
}
