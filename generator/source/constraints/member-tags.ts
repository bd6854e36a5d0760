// To which types the constraint tags of a member apply: to its declared type. A type operator that takes members out of their declaration
// is an error: of
//
//     interface Order { /** @minimum 1 */ quantity: number }
//     type Values<T> = T[keyof T]
//
// both Order['quantity'] and Values<Order> are number. What a generic type takes is not examined: if it contains such an operator,
// every use with a type that contains tags is one.
import { ts } from 'ts-morph'
import {
  contains,
  isNumericName,
  ownFunction,
  referenced,
  symbolLinks,
  symbolNamed,
  type TupleLabel,
  usesKey,
} from '../program/checker.js'
import type { Mistake } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isInstalled } from '../program/sources.js'
import type { TagReader } from './comment-tags.js'
import { withConstraints } from './constraint-types.js'

/** The declarations whose tags apply to a member. */
interface MemberTags {
  readonly declarations: readonly ts.Declaration[]
  /** True if the type of the member is not the declared one: the tags are not meant for it. */
  readonly isChanged: boolean
}

/**
 * Returns the declarations of a member: several for an intersection, and for an interface that is declared twice. A mapped type changes a
 * member unless it keeps the type, apart from null and undefined; a union does if its branches have several declarations.
 */
export function memberTagsOf(property: ts.Symbol, checker: ts.TypeChecker): MemberTags {
  const { mappedType, syntheticOrigin, containingType, target, tupleLabelDeclaration: label } = symbolLinks(property)
  if (mappedType?.declaration && !usesKey(mappedType.declaration)) return { declarations: [], isChanged: false }
  const origin = syntheticOrigin ?? (containingType ? undefined : target)
  if (origin) {
    const { declarations, isChanged } = memberTagsOf(origin, checker)
    const [type, declared] = [property, origin].map((each) => checker.getTypeOfSymbol(each))
    const isKept = !mappedType || (type && declared && acceptSameValues(type, declared, checker))
    return { declarations, isChanged: isChanged || !isKept }
  }
  if (!containingType) return { declarations: label ? [label] : (property.declarations ?? []), isChanged: false }
  const members = containingType.types.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? [])
  const parts = members.map((each) => memberTagsOf(each, checker))
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

const droppedMessages = {
  changed: (member: string) =>
    `the type of ${member} is not the declared one, and does not have the constraint tags of its comment`,
  taken: (member: string) =>
    `this type takes members out of their declaration, and drops constraint tags, such as those of ${member}`,
}

/** Returns the error for a type that has changed a member, or takes it out of its declaration, with the line to write there. */
export function droppedTags(way: 'changed' | 'taken', declaration: ts.Node, reader: TagReader): Mistake {
  const { name, type, questionToken } = declaration as Partial<ts.PropertySignature>
  const member = name?.getText()
  const line = type && `${member}${questionToken ? '?' : ''}: ${withConstraints(type, reader.tagsOf(declaration))}`
  const hint = `write the constraints into its type${member && line ? `: ${line}` : ', as in number & Minimum<0>'}`
  return { message: droppedMessages[way](member ?? 'a list'), hint }
}

/** Returns a function that finds a declaration with constraint tags out of which a written type takes a member. */
export function createTakenSearch(
  { checker, program }: OpenProject,
  reader: TagReader,
): (node: ts.Node) => ts.Node | undefined {
  const isOfLibrary = (node: ts.Node) => program.isSourceFileDefaultLibrary(node.getSourceFile())
  const findTagged = createSearch(reader.isTagged, (node) => [...childrenOf(node), ...declarationsOf(node, checker)])
  const findOperator = createSearch(
    (node) => isOperator(node, checker),
    // Methods are not data, and the generic types of TypeScript's library keep the members of a type, or infer it as a whole.
    (node) => (isMethod(node) || isOfLibrary(node) ? [] : [...childrenOf(node), ...genericsOf(node, checker)]),
  )
  const takes = (node: ts.Node) => findOperator([node]) !== undefined
  const find = (node: ts.Node) => {
    const taken = takenBy(node, checker).find(reader.isTagged)
    if (taken) return taken
    if (ts.isConditionalTypeNode(node)) return hasInfer(node) && takes(node) ? findTagged([node.checkType]) : undefined
    const generics = genericsOf(node, checker).filter(takes)
    const given = generics.length > 0 ? ((node as ts.TypeReferenceNode).typeArguments ?? []) : []
    const defaults = generics.flatMap(({ typeParameters }) => typeParameters?.slice(given.length) ?? [])
    return findTagged([...given, ...defaults])
  }
  return (node) => {
    const found = find(node)
    return found && !isLiteral(checker.getTypeAtLocation(node)) ? found : undefined
  }
}

/** True for literals, such as the keys of members: they have no constraints. */
function isLiteral(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(isLiteral) : Boolean(type.flags & (ts.TypeFlags.Unit | ts.TypeFlags.Never))
}

/** Returns a function that searches nodes and those that follow them, the nearest first. Nodes without a result are searched once. */
function createSearch(isFound: (node: ts.Node) => boolean, following: (node: ts.Node) => readonly ts.Node[]) {
  const without = new Set<ts.Node>()
  return (roots: readonly ts.Node[]): ts.Node | undefined => {
    const seen = new Set(roots)
    // The set grows while it is iterated.
    for (const node of seen) {
      if (isFound(node)) return node
      for (const each of following(node)) if (!without.has(each)) seen.add(each)
    }
    for (const each of seen) without.add(each)
    return undefined
  }
}

/** Returns the nodes in a node, without the statements of a function, unless its result is inferred from them. */
function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = []
  const isTyped = ts.isFunctionLike(node) && node.type !== undefined
  ts.forEachChild(node, (each) => void (isTyped && ts.isBlock(each) ? [] : children.push(each)))
  return children
}

function isMethod(node: ts.Node): boolean {
  return ts.isMethodSignature(node) || ts.isMethodDeclaration(node)
}

/** Returns the user's declarations of a name. Of a type parameter, the type argument is examined where it is written. */
function declarationsOf(node: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  const declarations = (ts.isIdentifier(node) && symbolNamed(node, checker)?.declarations) || []
  return declarations.filter((each) => !ts.isTypeParameterDeclaration(each) && !isInstalled(each.getSourceFile()))
}

type Generic = ts.Node & { readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> }

/** Returns the generic declarations that a type refers to. */
function genericsOf(node: ts.Node, checker: ts.TypeChecker): readonly Generic[] {
  const base = ts.isExpressionWithTypeArguments(node) ? symbolNamed(node.expression, checker) : undefined
  const symbol = base ?? (ts.isTypeNode(node) ? referenced(node, checker) : undefined)
  const declarations = (symbol?.declarations ?? []).map((each): Generic => ownFunction(each) ?? each)
  return declarations.filter(({ typeParameters }) => typeParameters !== undefined)
}

/** True for a type operator that takes members out of a type parameter: `T[K]`, and `infer` for a part of a type. */
function isOperator(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isIndexedAccessTypeNode(node)) return hasTypeParameter(node.objectType, checker) && !isOfMapped(node, checker)
  // `T extends infer O` only names the type.
  return ts.isConditionalTypeNode(node) && !ts.isInferTypeNode(node.extendsType) && hasInfer(node)
}

function hasInfer({ extendsType }: ts.ConditionalTypeNode): boolean {
  return contains(extendsType, ts.isInferTypeNode)
}

/** True for a type that contains a type parameter. */
function hasTypeParameter(node: ts.TypeNode, checker: ts.TypeChecker): boolean {
  const flagsOf = (each: ts.TypeNode) => checker.getTypeFromTypeNode(each).flags
  return contains(node, (each) => ts.isTypeReferenceNode(each) && Boolean(flagsOf(each) & ts.TypeFlags.TypeParameter))
}

/** True for `T[K]` in `{ [K in keyof T]: T[K] }`: the checker finds the declaration of such a member. */
function isOfMapped({ objectType, indexType }: ts.IndexedAccessTypeNode, checker: ts.TypeChecker): boolean {
  const [key] = checker.getTypeFromTypeNode(indexType).symbol?.declarations ?? []
  if (!key || !ts.isTypeParameterDeclaration(key) || !ts.isMappedTypeNode(key.parent)) return false
  const keys = key.constraint
  const isKeyOf = keys !== undefined && ts.isTypeOperatorNode(keys)
  return isKeyOf && checker.getTypeFromTypeNode(keys.type) === checker.getTypeFromTypeNode(objectType)
}

/** Returns the declarations of the members that `Order['quantity']` and `typeof order.quantity` take. */
function takenBy(node: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  if (ts.isTypeQueryNode(node) && ts.isQualifiedName(node.exprName)) {
    const member = checker.getSymbolAtLocation(node.exprName)
    return member ? memberTagsOf(member, checker).declarations : []
  }
  if (!ts.isIndexedAccessTypeNode(node) || hasTypeParameter(node.objectType, checker) || isOfMapped(node, checker))
    return []
  const object = checker.getApparentType(checker.getTypeFromTypeNode(node.objectType))
  const index = checker.getTypeFromTypeNode(node.indexType)
  const keys = checker.getBaseConstraintOfType(index) ?? index
  const isKey = ({ name }: ts.Symbol) => {
    const number = isNumericName(name) ? [checker.getNumberLiteralType(Number(name))] : []
    return [checker.getStringLiteralType(name), ...number].some((each) => checker.isTypeAssignableTo(each, keys))
  }
  // The tags of a list do not apply to its elements, as in `Order['lines'][number]`.
  const isInner = ts.isIndexedAccessTypeNode(node.parent) && node.parent.objectType === node
  const taken = checker.getPropertiesOfType(object).filter(isKey)
  const members = taken.map((each) => memberTagsOf(each, checker))
  return members.filter(({ isChanged }) => !isInner || isChanged).flatMap(({ declarations }) => declarations)
}
