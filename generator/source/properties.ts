import { ts } from 'ts-morph'

/** What the checker knows of a symbol that it made, and does not declare. */
interface Made {
  readonly links?: {
    readonly syntheticOrigin?: ts.Symbol
    readonly target?: ts.Symbol
    readonly containingType?: ts.UnionOrIntersectionType
  }
}

/** Where a member is declared; one that is renamed on the way (`as`) has its origin only there. */
export function declarationsOf(property: ts.Symbol): readonly ts.Declaration[] {
  const { links } = property as ts.Symbol & Made
  return property.declarations ?? links?.syntheticOrigin?.declarations ?? []
}

/** The one that says the type of a member: of an accessor's two, what is read. */
export function declarationOf(property: ts.Symbol): ts.Declaration | undefined {
  const all = declarationsOf(property)
  return all.find(ts.isGetAccessor) ?? all[0]
}

/**
 * Those whose comments are about the values of a member: all of an intersection's and of an interface that is declared twice;
 * the comment of an accessor may stand before either of the two. What is picked of a union meets one of them.
 */
export function sayingOf(property: ts.Symbol): readonly ts.Declaration[] {
  const one = declarationOf(property)
  return isOfUnion(property) && one ? [one] : declarationsOf(property)
}

/** Whether a member is that of several branches, through whatever mapped it. */
export function isOfUnion(property: ts.Symbol): boolean {
  const { links } = property as ts.Symbol & Made
  const origin = links?.syntheticOrigin ?? links?.target
  return links?.containingType?.isUnion() || (origin !== undefined && isOfUnion(origin))
}

/** What says the type of a member: a parameter of a constructor may be one, and an accessor is read as one. */
export function isTyped(node: ts.Node): boolean {
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node) || ts.isAccessor(node)
}

/** Whether a declaration says this type, null and undefined aside: a mapped type keeps it and may make another of it. */
export function isDeclaredAs(declaration: ts.Node, type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getNonNullableType(checker.getTypeAtLocation(declaration)) === checker.getNonNullableType(type)
}

/** How a declaration writes the type of its values. */
export function typeNodeOf(node: ts.Node): ts.TypeNode | undefined {
  const typed =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isGetAccessor(node)
  return typed ? (node.type ?? saidInComment(node)) : undefined
}

/** JavaScript says its types in comments. */
function saidInComment(node: ts.Node): ts.TypeNode | undefined {
  return node.flags & ts.NodeFlags.JavaScriptFile ? ts.getJSDocType(node) : undefined
}
