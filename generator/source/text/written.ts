import { ts } from 'ts-morph'

/** How a declaration writes the type of its values. */
export function typeNodeOf(node: ts.Node): ts.TypeNode | undefined {
  const typed =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isGetAccessor(node)
  return typed ? (node.type ?? (isJavaScript(node) ? ts.getJSDocType(node) : undefined)) : undefined
}

/** How the result of a function is written. */
export function writtenResult(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isFunctionLike(declaration)) return undefined
  return declaration.type ?? (isJavaScript(declaration) ? ts.getJSDocReturnType(declaration) : undefined)
}

/** JavaScript says its types in comments. */
function isJavaScript({ flags }: ts.Node): boolean {
  return Boolean(flags & ts.NodeFlags.JavaScriptFile)
}
