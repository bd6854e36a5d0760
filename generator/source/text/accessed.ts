import { ts } from 'ts-morph'

/** The members that an indexed access is about. */
export function accessed({ objectType, indexType }: ts.IndexedAccessTypeNode, checker: ts.TypeChecker): ts.Symbol[] {
  const key = checker.getTypeFromTypeNode(indexType)
  const index = (isListedKey(key) && checker.getBaseConstraintOfType(key)) || key
  const object = checker.getTypeFromTypeNode(objectType)
  const names = index.isUnion() ? index.types : [index]
  return names.flatMap((each) => {
    if (!each.isStringLiteral() && !each.isNumberLiteral()) return []
    const label = checker.isTupleType(object) ? labelAt(object, Number(each.value)) : undefined
    const { symbol } = (label ?? {}) as { readonly symbol?: ts.Symbol }
    return symbol ?? object.getProperty(String(each.value)) ?? []
  })
}

/** The K of `[K in 'a' | 'b']`, which is each of them; over the keys of a type the members are places of their own. */
function isListedKey({ symbol }: ts.Type): boolean {
  const declaration = symbol?.declarations?.find(ts.isTypeParameterDeclaration)
  const keys = declaration && ts.isMappedTypeNode(declaration.parent) && declaration.constraint
  return Boolean(keys && !ts.isTypeOperatorNode(keys))
}

/** What names an element of a tuple: a member of its text, or a parameter of a function. */
export function labelAt(tuple: ts.Type, index: number): ts.NamedTupleMember | ts.ParameterDeclaration | undefined {
  return ((tuple as ts.TypeReference).target as ts.TupleType).labeledElementDeclarations?.[index]
}
