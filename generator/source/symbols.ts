import { ts } from 'ts-morph'
import { unaliased } from './declarations.js'

/** What the checker knows of a symbol that it made and does not declare. */
interface SymbolLinks {
  readonly syntheticOrigin?: ts.Symbol
  readonly target?: ts.Symbol
  readonly containingType?: ts.UnionOrIntersectionType
  readonly mappedType?: ts.Type & { readonly declaration?: ts.MappedTypeNode }
}

export function symbolLinks(symbol: ts.Symbol): SymbolLinks {
  return (symbol as ts.Symbol & { readonly links?: SymbolLinks }).links ?? {}
}

/** Returns the declarations of a member. One that a mapped type renames with `as` has them on its origin. */
export function declarationsOf(property: ts.Symbol): readonly ts.Declaration[] {
  return property.declarations ?? symbolLinks(property).syntheticOrigin?.declarations ?? []
}

/** Returns what a written type refers to by a name. */
export function referenced(node: ts.TypeNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isImportTypeNode(node) ? node.qualifier : ts.isTypeReferenceNode(node) ? node.typeName : undefined
  const symbol = name && checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker)
}

/** Returns what names an element of a tuple: a member of its text, or a parameter of a function. */
export function labelAt(tuple: ts.Type, index: number): ts.NamedTupleMember | ts.ParameterDeclaration | undefined {
  return ((tuple as ts.TypeReference).target as ts.TupleType).labeledElementDeclarations?.[index]
}

/** Whether a type is what the checker has for one that is not resolved, or that is made of itself alone: it looks like `any`. */
export function isErrorType(type: ts.Type): boolean {
  const { intrinsicName } = type as ts.Type & { intrinsicName?: string }
  return Boolean(type.flags & ts.TypeFlags.Any) && intrinsicName === 'error'
}
