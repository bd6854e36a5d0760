import { ts } from 'ts-morph'
import { symbolLinks, type TupleLabel } from '../program/checker.js'
import type { Mistake } from '../program/problems.js'
import type { CommentReader } from './comment-reader.js'
import { withConstraints } from './type-tags.js'

/** The declarations whose tags apply to a member. */
export interface MemberTags {
  readonly declarations: readonly ts.Declaration[]
  /** True if the type of the member is not the declared one: the tags are not meant for it. */
  readonly isChanged: boolean
}

/**
 * Returns the declarations of a member: several for an intersection, and for an interface that is declared twice. A mapped type changes a
 * member unless it keeps the type, apart from null and undefined; a union does if its branches have several declarations.
 */
export function taggedDeclarations(property: ts.Symbol, checker: ts.TypeChecker): MemberTags {
  const { mappedType, syntheticOrigin, containingType, target, tupleLabelDeclaration: label } = symbolLinks(property)
  if (mappedType?.declaration && !usesKey(mappedType.declaration)) return { declarations: [], isChanged: false }
  const origin = syntheticOrigin ?? (containingType ? undefined : target)
  if (origin) {
    const { declarations, isChanged } = taggedDeclarations(origin, checker)
    const [type, declared] = [property, origin].map((each) => checker.getTypeOfSymbol(each))
    const isKept = !mappedType || (type && declared && acceptSameValues(type, declared, checker))
    return { declarations, isChanged: isChanged || !isKept }
  }
  if (!containingType) return { declarations: label ? [label] : (property.declarations ?? []), isChanged: false }
  const members = containingType.types.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? [])
  const parts = members.map((each) => taggedDeclarations(each, checker))
  const declarations = [...new Set(parts.flatMap((each) => each.declarations))]
  const isOfBranches = containingType.isUnion() && declarations.length > 1
  return { declarations, isChanged: isOfBranches || parts.some((each) => each.isChanged) }
}

/** True for the type that the label of a tuple's element declares. */
export function isDeclaredAt(label: TupleLabel, type: ts.Type, checker: ts.TypeChecker): boolean {
  const written = checker.getTypeAtLocation(label)
  return acceptSameValues((label.dotDotDotToken && written.getNumberIndexType()) ?? written, type, checker)
}

/** True if two types accept the same values, apart from null and undefined. */
function acceptSameValues(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [left, right] = [checker.getNonNullableType(one), checker.getNonNullableType(other)]
  return left === right || (checker.isTypeAssignableTo(left, right) && checker.isTypeAssignableTo(right, left))
}

/** True if the members of a mapped type depend on the key: `{ [K in keyof T]?: string }` gives each one a new type. */
export function usesKey({ type, typeParameter: { name } }: ts.MappedTypeNode): boolean {
  return type !== undefined && contains(type, (node) => ts.isIdentifier(node) && node.text === name.text)
}

/** True if a test is true for a node, or for one in it. */
export function contains(node: ts.Node, isFound: (node: ts.Node) => boolean): boolean {
  return isFound(node) || (ts.forEachChild(node, (each) => contains(each, isFound)) ?? false)
}

/** Returns the error for a member whose type is not the declared one, with the line to write where it is declared. */
export function changedMember(declaration: ts.Node, reader: CommentReader): Mistake {
  const message = `the type of ${memberText(declaration)} is not the declared one, and does not have the constraint tags of its comment`
  return { message, hint: asType(declaration, reader) }
}

/** The same for a type that takes members out of another one: the declaration is one with tags. */
export function takenMember(declaration: ts.Node, reader: CommentReader): Mistake {
  const message = `this type takes members out of their declaration, and drops constraint tags, such as those of ${memberText(declaration)}`
  return { message, hint: asType(declaration, reader) }
}

function memberText(declaration: ts.Node): string {
  const { name } = declaration as Partial<ts.PropertySignature>
  return name?.getText() ?? 'a list'
}

function asType(declaration: ts.Node, { tagsOf }: CommentReader): string {
  const { name, type, questionToken } = declaration as Partial<ts.PropertySignature>
  const { found = [] } = tagsOf(declaration) ?? {}
  return name && type
    ? `write the constraints into its type: ${name.getText()}${questionToken ? '?' : ''}: ${withConstraints(type, found)}`
    : 'write the constraints into its type, as in number & Minimum<0>'
}
