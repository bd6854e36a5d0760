// The constraint types of other validators, which would not be checked: of
//
//   text: string & is.MinLength<3>, count: is.int8
//
// both are errors with the constraint type to write instead. A brand, such as { readonly __brand: 'Sku' }, is none.
import { ts } from 'ts-morph'
import { isConstraintName } from '../../doc-comments/index.js'
import { placeholderType } from '../../model/model.js'
import { isTypeTag } from '../constraints/constraint-types.js'
import { primitiveFlags, referenced } from '../program/checker.js'
import type { Mistake } from '../program/problems.js'
import type { ResolveKind } from './resolver-interface.js'

/** Rejects an intersection with a part that is neither a brand nor a constraint type of this package or typia. */
export const rejectForeignRules: ResolveKind = (type, place, { checker, reject }) => {
  if (!type.isIntersection()) return undefined
  const values = type.types.filter(({ flags }) => flags & primitiveFlags)
  // A member with a name is a member of a struct; no string or number has one.
  const isPhantom = (property: ts.Symbol) => values.length > 0 || property.escapedName.toString().startsWith('__@')
  // A member of the values themselves is narrowed, which is reported elsewhere.
  const isOwn = ({ name }: ts.Symbol) =>
    values.some((each) => checker.getPropertyOfType(checker.getApparentType(each), name) !== undefined)
  const isForeign = (each: ts.Symbol) =>
    !isTypeTag(each) && isPhantom(each) && !isOwn(each) && isRule(each, values, checker)
  const parts = type.types.filter(({ flags }) => flags & ts.TypeFlags.Object)
  const found = parts.filter((part) => checker.getPropertiesOfType(part).some(isForeign))
  for (const part of found) reject(place, 'RPC125', `${checker.typeToString(part)} is not checked: ${why}`, hint)
  return found.length > 0 ? placeholderType : undefined
}

/**
 * The same for a written type: the rules of a type compiler are `unknown` to TypeScript, and its integers are numbers. `declarations` are
 * those of the name in a type reference.
 */
export function foreignRuleIn(
  node: ts.Node,
  declarations: readonly ts.Declaration[] | undefined,
  checker: ts.TypeChecker,
): Mistake | undefined {
  if (ts.isIntersectionTypeNode(node)) {
    const found = node.types.find((each) => writtenAlias(each, checker)?.type.kind === ts.SyntaxKind.UnknownKeyword)
    return found && { message: `${found.getText()} is not checked: to TypeScript it is unknown`, hint }
  }
  const alias = declarations?.find(ts.isTypeAliasDeclaration)
  if (alias?.type.kind !== ts.SyntaxKind.NumberKeyword || !/^u?int|^float/.test(alias.name.text)) return undefined
  // What the compiler of Deepkit declares for each type.
  if (!alias.getSourceFile().text.includes(`__Ω${alias.name.text}`)) return undefined
  return { message: `${alias.name.text} is not checked: to TypeScript it is number`, hint }
}

/** Returns the last one of the aliases that a written type refers to, which may refer to each other. */
function writtenAlias(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeAliasDeclaration | undefined {
  const found = new Set<ts.TypeAliasDeclaration>()
  for (let alias = aliasOf(node, checker); alias && !found.has(alias); alias = aliasOf(alias.type, checker))
    found.add(alias)
  return [...found].at(-1)
}

function aliasOf(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeAliasDeclaration | undefined {
  if (!ts.isTypeReferenceNode(node)) return undefined
  return referenced(node, checker)?.declarations?.find(ts.isTypeAliasDeclaration)
}

const why = 'it is not a constraint type of rpc-gen or typia, and has more than the name of a brand'
const hint = 'write the constraint types of rpc-gen: number & Minimum<0>; or check the value in the procedure'

/** True for a member with the name of a constraint, or with more than the name of a brand. */
function isRule(property: ts.Symbol, values: readonly ts.Type[], checker: ts.TypeChecker): boolean {
  const [declaration] = property.declarations ?? []
  const name = declaration && ts.getNameOfDeclaration(declaration)?.getText()
  const isNamed = name !== undefined && isConstraintName(name.replace(/^\W*_*|(?:Tag|Symbol|Key)?_*\W*$/g, ''))
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(property))
  return isNamed || isUnderNever(declaration, checker) || hasArguments(type, values, checker)
}

/** `never & ['validator', 'minLength', [3]]`, which is never to the checker. */
function isUnderNever(declaration: ts.Declaration | undefined, checker: ts.TypeChecker): boolean {
  const type = declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined
  if (!type || !ts.isIntersectionTypeNode(type)) return false
  const isNever = type.types.some(({ kind }) => kind === ts.SyntaxKind.NeverKeyword)
  return isNever && type.types.some((each) => checker.isTupleType(checker.getTypeFromTypeNode(each)))
}

/**
 * True for a number, a text that is not a name, and a type that contains them. A brand has its name, `true`, a symbol, a tuple of the base
 * type and the name, or an object with the name as a key.
 */
function hasArguments(type: ts.Type, values: readonly ts.Type[], checker: ts.TypeChecker, depth = 0): boolean {
  const inside = (each: ts.Type) => depth < 3 && hasArguments(each, values, checker, depth + 1)
  if (type.flags & ts.TypeFlags.EnumLiteral) return false
  if (type.isUnion()) return type.types.some(inside)
  if (type.isStringLiteral()) return !brandName.test(type.value)
  if (type.flags & (ts.TypeFlags.NumberLiteral | ts.TypeFlags.BigIntLiteral)) return true
  if (checker.isTupleType(type)) {
    const elements = checker.getTypeArguments(type as ts.TypeReference)
    return !elements.some((each) => values.some((value) => checker.isTypeAssignableTo(value, each)))
  }
  // An instance of a class, a list or a function does not restrict a value.
  const plain = ts.ObjectFlags.Anonymous | ts.ObjectFlags.Mapped
  const isPlain = type.isIntersection() || Boolean((type as ts.ObjectType).objectFlags & plain)
  if (!isPlain || type.getCallSignatures().length > 0) return false
  const members = checker.getPropertiesOfType(type).map((each) => [each.name, checker.getTypeOfSymbol(each)] as const)
  const texts = members.filter(([key, each]) => each.isStringLiteral() && each.value !== key)
  return texts.length > 1 || members.some(([, each]) => inside(each))
}

const brandName = /^[\p{L}\p{N}_$@#.:/ -]*(?:<[\p{L}\p{N}_., ]+>)?$/u
