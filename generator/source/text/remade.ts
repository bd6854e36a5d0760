import { ts } from 'ts-morph'
import { writtenResult } from './written.js'

/** How the result of the function is written that `ReturnType` is given. */
export function resultNode(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode | undefined {
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== 'ReturnType') return undefined
  const [given] = node.typeArguments ?? []
  const written =
    given && writtenResult(checker.getTypeFromTypeNode(given).getCallSignatures().at(-1)?.getDeclaration())
  const same = written && checker.getTypeFromTypeNode(written) === checker.getTypeFromTypeNode(node)
  return same ? written : undefined
}

type MaybeGeneric = Pick<ts.TypeAliasDeclaration, 'type'> & {
  readonly typeParameters?: readonly ts.TypeParameterDeclaration[] | undefined
}

/** The list that `{ [K in keyof T]: T[K] }` is given, where what comes out is as long and has the same elements. */
export function sameList(
  node: ts.TypeReferenceNode | ts.ImportTypeNode,
  { type, typeParameters = [] }: MaybeGeneric,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const keys = ts.isMappedTypeNode(type) && !type.nameType && type.typeParameter.constraint
  if (!keys || !ts.isTypeOperatorNode(keys) || keys.operator !== ts.SyntaxKind.KeyOfKeyword) return undefined
  const at = typeParameters.findIndex(({ name }) => name.text === keys.type.getText())
  const given = node.typeArguments?.[at]
  if (!given) return undefined
  const [before, now] = [given, node].map((each) => checker.getTypeFromTypeNode(each))
  if (!before || !now || !checker.isArrayType(before) || !checker.isArrayType(now)) return undefined
  return elementOf(before, checker) === elementOf(now, checker) ? given : undefined
}

function elementOf(list: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  return checker.getTypeArguments(list as ts.TypeReference)[0]
}

/** Whether a generic type makes another list of one that it is given: the checker keeps no name for that. */
export function isRemade(list: ts.Type, made: ts.Type, checker: ts.TypeChecker): boolean {
  const inside = everyType(made, checker)
  return isList(list, checker) && !inside.has(list) && [...inside].some((each) => isList(each, checker))
}

export function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayLikeType(type) || /^(?:Readonly)?Set$/.test(type.symbol?.name ?? '')
}

/** A type and what it is made of; a type with a name and without arguments is nobody else's, and is not looked into. */
function everyType(type: ts.Type, checker: ts.TypeChecker, seen = new Set<ts.Type>()): ReadonlySet<ts.Type> {
  if (seen.has(type)) return seen
  seen.add(type)
  for (const each of partsOf(type, checker)) everyType(each, checker, seen)
  return seen
}

function partsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.isUnionOrIntersection()) return type.types
  if (!(type.flags & ts.TypeFlags.Object)) return []
  const args = isReference(type) ? checker.getTypeArguments(type) : []
  const isNamed = type.isClassOrInterface() || (type.aliasSymbol && !type.aliasTypeArguments)
  if (isList(type, checker) || isNamed) return args
  const members = checker.getPropertiesOfType(type).map((each) => checker.getTypeOfSymbol(each))
  return [...args, ...members, ...checker.getIndexInfosOfType(type).map((each) => each.type)]
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return Boolean((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference)
}
