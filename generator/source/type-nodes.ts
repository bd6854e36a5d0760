import { ts } from 'ts-morph'
import { unaliased } from './declarations.js'

/** A declaration that a type is written with, and its name. */
export interface NamedNode {
  readonly node: ts.Declaration
  readonly symbol: ts.Symbol
}

/**
 * The names that a type is written with, one alias after the other. The checker forgets them where an alias only names
 * another type: `type Age = Int` is Int to it.
 */
export function namedBy(node: ts.TypeNode, checker: ts.TypeChecker): NamedNode[] {
  if (ts.isParenthesizedTypeNode(node)) return namedBy(node.type, checker)
  const symbol = referenced(node, checker)
  if (!symbol) return []
  const found = (symbol.declarations ?? []).map((each) => ({ node: each, symbol }))
  const alias = plainAlias(symbol)
  return alias ? [...found, ...namedBy(alias.type, checker)] : found
}

function referenced(node: ts.TypeNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (!ts.isTypeReferenceNode(node)) return undefined
  const symbol = checker.getSymbolAtLocation(node.typeName)
  return symbol && unaliased(symbol, checker)
}

/** An alias without type parameters. */
function plainAlias({ declarations }: ts.Symbol): ts.TypeAliasDeclaration | undefined {
  const alias = declarations?.find(ts.isTypeAliasDeclaration)
  return alias && !alias.typeParameters ? alias : undefined
}

/** The type that aliases, brackets and `readonly` stand around. */
function bare(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return bare(node.type, checker)
  const symbol = referenced(node, checker)
  const alias = symbol && plainAlias(symbol)
  return alias ? bare(alias.type, checker) : node
}

/** Which type argument is that of the values inside, by the names of the platform. */
const containers: Readonly<Record<string, number>> = {
  Array: 0,
  ReadonlyArray: 0,
  Set: 0,
  ReadonlySet: 0,
  Promise: 0,
  Map: 1,
  ReadonlyMap: 1,
  Record: 1,
}

/** How the type of what lies in a container is written; undefined where the text does not say. */
export function containedNode(node: ts.TypeNode | undefined, checker: ts.TypeChecker): ts.TypeNode | undefined {
  if (!node) return undefined
  const inner = bare(node, checker)
  if (ts.isArrayTypeNode(inner)) return inner.elementType
  if (ts.isTypeLiteralNode(inner)) return inner.members.find(ts.isIndexSignatureDeclaration)?.type
  const at = ts.isTypeReferenceNode(inner) ? containers[inner.typeName.getText()] : undefined
  return at === undefined ? undefined : (inner as ts.TypeReferenceNode).typeArguments?.[at]
}

/** How the type of an element of a tuple is written. */
export function elementNode(
  node: ts.TypeNode | undefined,
  index: number,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const tuple = node && bare(node, checker)
  const element = tuple && ts.isTupleTypeNode(tuple) ? tuple.elements[index] : undefined
  if (!element) return undefined
  const isRest = ts.isRestTypeNode(element) || (ts.isNamedTupleMember(element) && element.dotDotDotToken)
  const type =
    ts.isNamedTupleMember(element) || ts.isRestTypeNode(element) || ts.isOptionalTypeNode(element)
      ? element.type
      : element
  return isRest ? containedNode(type, checker) : type
}

/** How a branch of a union is written: the one part of the text that has this type. */
export function branchNode(
  node: ts.TypeNode | undefined,
  branch: ts.Type,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  if (!node) return undefined
  const written = branchesOf(node, checker).filter((each) => checker.getTypeFromTypeNode(each) === branch)
  return written.length > 0 ? (written.find((each) => ts.isTypeReferenceNode(each)) ?? written[0]) : undefined
}

function branchesOf(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode[] {
  const own = ts.isParenthesizedTypeNode(node) ? node.type : node
  if (ts.isUnionTypeNode(own)) return own.types.flatMap((each) => branchesOf(each, checker))
  const inner = bare(own, checker)
  return inner !== own && ts.isUnionTypeNode(inner) ? branchesOf(inner, checker) : [own]
}

/** The type arguments of a generic type of the user's own: inside it the checker has only their types. */
export function lostArguments(node: ts.TypeNode, checker: ts.TypeChecker): readonly ts.TypeNode[] {
  if (!ts.isTypeReferenceNode(node) || !node.typeArguments) return []
  return containedNode(node, checker) ? [] : node.typeArguments
}
