import { ts } from 'ts-morph'
import { isErrorType, isList, symbolLinks } from '../program/checker.js'
import type { Mistake } from '../program/problems.js'
import { usesKey } from './member-tags.js'
import { isTypeTag, tagsIn, typeTagsOf } from './type-tags.js'

/** Returns why TypeScript drops the constraint types in a written type; undefined if it does not. */
export function droppedIn(node: ts.Node, checker: ts.TypeChecker): Mistake | undefined {
  if (ts.isIntersectionTypeNode(node)) return droppedInAny(node, checker)
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken) ? node.type : undefined
  if (!rest || !isConstrained(checker.getTypeFromTypeNode(rest), checker)) return undefined
  return { message: 'the rest of a tuple does not have the constraints of the list', hint: 'constrain its elements' }
}

/**
 * Returns why a mapped type drops the constraint types of a member's list: as by `T extends (infer U)[] ? U[] : T`, it makes a new list.
 */
export function droppedInList(property: ts.Symbol, checker: ts.TypeChecker): Mistake | undefined {
  const { mappedType, syntheticOrigin: origin } = symbolLinks(property)
  if (!mappedType?.declaration || !origin || !usesKey(mappedType.declaration)) return undefined
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(property))
  if (!isList(type, checker)) return undefined
  const declared = checker.getNonNullableType(checker.getTypeOfSymbol(origin))
  if (type === declared) return droppedInList(origin, checker)
  // A list of such lists keeps them.
  const isElement = checker.getTypeArguments(type as ts.TypeReference).includes(declared)
  if (isElement || !isConstrained(declared, checker)) return undefined
  const message = `a mapped type makes a new list for ${property.name}, without the constraints of the list`
  const hint = 'return lists unchanged, before anything else: T extends readonly unknown[] ? T : …'
  return { message, hint }
}

/** True if a type has constraint types. */
export function isConstrained(type: ts.Type, checker: ts.TypeChecker): boolean {
  return typeTagsOf(type, checker).found.length > 0
}

/** Returns why `any & Minimum<1>` is not checked; undefined for any other intersection. */
function droppedInAny(node: ts.IntersectionTypeNode, checker: ts.TypeChecker): Mistake | undefined {
  if (!(checker.getTypeFromTypeNode(node).flags & ts.TypeFlags.Any)) return undefined
  const types = node.types.map((each) => checker.getTypeFromTypeNode(each))
  const hasTags = types.some((type) =>
    type.isIntersection() ? tagsIn(type, checker).length > 0 : checker.getPropertiesOfType(type).some(isTypeTag),
  )
  // A name that is not found is reported as such.
  if (!hasTags || types.some(isErrorType)) return undefined
  const message = 'TypeScript reduces this intersection to any, without the constraints'
  return { message, hint: 'name the type of the values instead of any, as in number & Minimum<1>' }
}
