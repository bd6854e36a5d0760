import { ts } from 'ts-morph'

/** Where a member is declared; one that is renamed on the way (`as`) has its origin only there. */
export function declarationsOf(property: ts.Symbol): readonly ts.Declaration[] {
  const { links } = property as ts.Symbol & { readonly links?: { readonly syntheticOrigin?: ts.Symbol } }
  return property.declarations ?? links?.syntheticOrigin?.declarations ?? []
}

/** The one that says the type of a member: of an accessor's two, what is read. */
export function declarationOf(property: ts.Symbol): ts.Declaration | undefined {
  const all = declarationsOf(property)
  return all.find(ts.isGetAccessor) ?? all[0]
}

/** Whether a declaration says this type, null and undefined aside: a mapped type keeps it and may make another of it. */
export function isDeclaredAs(declaration: ts.Node, type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getNonNullableType(checker.getTypeAtLocation(declaration)) === checker.getNonNullableType(type)
}
