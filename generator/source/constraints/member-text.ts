import { ts } from 'ts-morph'
import type { Place, PlaceText } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { saidOfMember } from '../text/answered.js'
import { listedNode } from '../text/listed.js'
import { isDeclaredAs, isTyped, sayingOf, typingOf } from '../text/properties.js'
import { typeNodeOf } from '../text/written.js'

/**
 * What the text says of a member; a mapped type keeps the declaration and may make another type of it. `own` is the member's
 * declaration, where it says just this type; `whole` is what it is a member of.
 */
export function textOfMember(
  property: ts.Symbol,
  type: ts.Type,
  own: ts.Node | undefined,
  whole: Place,
  project: OpenProject,
): PlaceText {
  const { checker } = project
  const saying = sayingOf(property, checker)
  const declaration = typingOf(saying)
  if (!declaration) return { typeNode: listedNode(property, whole.typeNode, project) }
  if (!isTyped(declaration)) return saidOfMember(property, type, checker) ?? {}
  const declared = saying.filter(isTyped)
  const values = declared.filter((each) => !ts.isSetAccessor(each))
  const several = values.length > 1
  const loose = (several || !own) && !values.every((each) => isDeclaredAs(each, type, checker))
  return { declared, typeNode: typeNodeOf(declaration), loose }
}
