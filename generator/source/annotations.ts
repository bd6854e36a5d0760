import { ts } from 'ts-morph'

/** How a declaration writes the type of its values. */
export function typeNodeOf(node: ts.Node): ts.TypeNode | undefined {
  if (ts.isJSDocPropertyTag(node)) return node.typeExpression?.type
  const typed =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isGetAccessor(node)
  // What a comment declares has the comment's own type around it, and not for its own.
  const isCommented = isJavaScript(node) && !(node.flags & ts.NodeFlags.JSDoc)
  return typed ? (node.type ?? (isCommented ? ts.getJSDocType(node) : undefined)) : undefined
}

/** How the result of a function is written. */
export function writtenResult(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isFunctionLike(declaration)) return undefined
  return declaration.type ?? (isJavaScript(declaration) ? ts.getJSDocReturnType(declaration) : undefined)
}

/** Returns the expressions that a function returns. */
export function returnedBy(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}

/** Whether a parameter or a member is declared without a type, and with no value that gives it one. */
export function lacksType(node: ts.ParameterDeclaration | ts.PropertySignature | ts.PropertyDeclaration): boolean {
  return !typeNodeOf(node) && saysNothing((node as ts.ParameterDeclaration).initializer)
}

/** Whether a value gives what it is assigned to no type: of what comes later it says nothing. */
export function saysNothing(value: ts.Expression | undefined): boolean {
  if (!value) return true
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  return value.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(value) && value.text === 'undefined')
}

/** Whether a type is `any`, or a list of it. */
export function isAnything(type: ts.Type, checker: ts.TypeChecker): boolean {
  const inside = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : type
  return Boolean(inside && inside.flags & ts.TypeFlags.Any)
}

/** JavaScript says its types in comments. */
function isJavaScript({ flags }: ts.Node): boolean {
  return Boolean(flags & ts.NodeFlags.JavaScriptFile)
}
