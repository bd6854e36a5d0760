import { ts } from 'ts-morph'
import { unaliased } from './declarations.js'

/** Members of a symbol that the checker makes and does not declare. */
interface SymbolLinks {
  readonly syntheticOrigin?: ts.Symbol
  readonly target?: ts.Symbol
  readonly containingType?: ts.UnionOrIntersectionType
  readonly mappedType?: ts.Type & { readonly declaration?: ts.MappedTypeNode }
}

export function symbolLinks(symbol: ts.Symbol): SymbolLinks {
  return (symbol as ts.Symbol & { readonly links?: SymbolLinks }).links ?? {}
}

/** Returns the declarations of a member. If a mapped type renames it with `as`, they are those of its origin. */
export function declarationsOf(property: ts.Symbol): readonly ts.Declaration[] {
  return property.declarations ?? symbolLinks(property).syntheticOrigin?.declarations ?? []
}

/** Returns the symbol that a written type refers to by name. */
export function referenced(node: ts.TypeNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isImportTypeNode(node) ? node.qualifier : ts.isTypeReferenceNode(node) ? node.typeName : undefined
  const symbol = name && checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker)
}

/** Returns the node that names an element of a tuple: a label, or a parameter of a function. */
export function labelAt(tuple: ts.Type, index: number): ts.NamedTupleMember | ts.ParameterDeclaration | undefined {
  return ((tuple as ts.TypeReference).target as ts.TupleType).labeledElementDeclarations?.[index]
}

/** True for an array or a tuple. Reading the members of one would make the types of all its methods. */
export function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type)
}

/** True for the checker's type of something unresolved or circular, which looks like `any`. */
export function isErrorType(type: ts.Type): boolean {
  const { intrinsicName } = type as ts.Type & { intrinsicName?: string }
  return Boolean(type.flags & ts.TypeFlags.Any) && intrinsicName === 'error'
}
