import { ts } from 'ts-morph'

/** Returns the type annotation of a declaration. */
export function typeNodeOf(node: ts.Node): ts.TypeNode | undefined {
  if (ts.isJSDocPropertyTag(node)) return node.typeExpression?.type
  const typed =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isGetAccessor(node)
  // A type in a comment applies to the declaration, not to nodes inside of the comment.
  const isCommented = isJavaScript(node) && !(node.flags & ts.NodeFlags.JSDoc)
  return typed ? (node.type ?? (isCommented ? ts.getJSDocType(node) : undefined)) : undefined
}

/** Returns the annotation of a function's result. */
export function writtenResult(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isFunctionLike(declaration)) return undefined
  return declaration.type ?? (isJavaScript(declaration) ? ts.getJSDocReturnType(declaration) : undefined)
}

/** True if a parameter or a member has neither a type nor a value to infer it from. */
export function lacksType(node: ts.ParameterDeclaration | ts.PropertySignature | ts.PropertyDeclaration): boolean {
  return !typeNodeOf(node) && isUntypedValue((node as ts.ParameterDeclaration).initializer)
}

/** True if no type can be inferred from a value, such as `[]`. */
export function isUntypedValue(value: ts.Expression | undefined): boolean {
  if (!value) return true
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  return value.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(value) && value.text === 'undefined')
}

/** True if a type is `any`, or a list of it. */
export function isAnyOrAnyArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  const inside = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : type
  return Boolean(inside && inside.flags & ts.TypeFlags.Any)
}

/** JavaScript declares its types in comments. */
function isJavaScript({ flags }: ts.Node): boolean {
  return Boolean(flags & ts.NodeFlags.JavaScriptFile)
}
