import { ts } from 'ts-morph'
import { type DeclaredNode, overloadsOf, unaliased } from './declarations.js'

/** Returns the function expression that a constant is initialised with. */
export function ownFunction(node: ts.Node): ts.SignatureDeclaration | undefined {
  const value = valueIn(node)
  return value && isFunction(value) ? value : undefined
}

/** Removes casts and parentheses around the expression of a constant or a default export. */
function valueIn(node: ts.Node): ts.Expression | undefined {
  const value = ts.isVariableDeclaration(node)
    ? node.initializer
    : ts.isExportAssignment(node)
      ? node.expression
      : undefined
  return value && bareExpression(value)
}

function bareExpression(node: ts.Expression): ts.Expression {
  const isTyped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node)
  return isTyped || ts.isParenthesizedExpression(node) ? bareExpression(node.expression) : node
}

function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}

/**
 * Returns the nodes in which constraint tags of a procedure may be written: its declarations, the parameters of its
 * implementation, and those of the functions that it consists of. The parameters in its type may be declared elsewhere.
 */
export function placesOf(node: DeclaredNode, checker: ts.TypeChecker): readonly ts.Node[] {
  const declarations = [node, ...overloadsOf(node)]
  const parameters = declarations.flatMap((each) => (ts.isFunctionLike(each) ? each.parameters : []))
  const value = valueIn(node)
  return [...new Set<ts.Node>([...declarations, ...parameters, ...(value ? parametersIn(value, checker) : [])])]
}

/** The parameters of functions that an expression contains or names, not of those inside them. */
function parametersIn(value: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  if (isFunction(value)) return value.parameters
  if (ts.isIdentifier(value)) return parametersOf(checker.getSymbolAtLocation(value), checker)
  const found: ts.Node[] = []
  ts.forEachChild(value, (child) => {
    if (ts.isExpression(child)) found.push(...parametersIn(child, checker))
  })
  return found
}

function parametersOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): readonly ts.Node[] {
  const declarations = symbol ? (unaliased(symbol, checker).declarations ?? []) : []
  return declarations
    .flatMap((each) => (ts.isFunctionDeclaration(each) ? each : (ownFunction(each) ?? [])))
    .flatMap(({ parameters }) => [...parameters])
}
