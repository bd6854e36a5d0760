// What the type of a declaration without one depends on: types that are written elsewhere, and declarations without a type:
//
//   price = (order: Order) => total(order.lines)  →  the type of the result of `total`, or `total` itself if it has none
import { ts } from 'ts-morph'
import { lacksType, typeNodeOf, unaliased, writtenResult } from './checker.js'
import { missingModuleOf } from './missing.js'

/** What an inferred type depends on. */
export interface Dependencies {
  /** The annotations that it depends on: of results and variables, and type arguments. */
  readonly nodes: readonly ts.TypeNode[]
  /** True if it depends on a function or constant that depends on itself: the checker infers `any` for that. */
  readonly isCircular: boolean
  /** Parameters and members that it depends on and that have no type: the checker infers `any` for them too. */
  readonly untyped: readonly ts.Declaration[]
  /** The modules that do not exist or have no types: those of `import()`, and of imported names. */
  readonly missing: readonly ts.StringLiteralLike[]
}

/** Returns what the type of a declaration is inferred from: for `price = total(order)` the annotation of the result of `total`. */
export function dependenciesOf(declaration: ts.Node, checker: ts.TypeChecker): Dependencies {
  const [nodes, untyped, missing]: [ts.TypeNode[], ts.Declaration[], ts.StringLiteralLike[]] = [[], [], []]
  const seen = new Set<ts.Node>()
  const open = new Set<ts.Node>()
  let isCircular = false
  const follow = (declared: ts.Node): void => {
    isCircular ||= open.has(declared)
    if (seen.has(declared)) return
    seen.add(declared)
    const written = typeNodeOf(declared) ?? writtenResult(declared)
    if (written) {
      nodes.push(written)
      untyped.push(...untypedIn(written))
      return
    }
    if (isImplicitAny(declared, checker)) untyped.push(declared)
    open.add(declared)
    for (const value of valuesOf(declared)) visit(value)
    open.delete(declared)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) {
      nodes.push(node)
      return
    }
    const module = importedIn(node)
    const symbol = ts.isIdentifier(node) ? symbolOfName(node, checker) : undefined
    const target = symbol && unaliased(symbol, checker)
    const declared = target?.valueDeclaration
    if (declared) follow(declared)
    const isUnknown = target && checker.isUnknownSymbol(target)
    const absent = isUnknown
      ? missingModuleOf(symbol, checker)
      : module && !checker.getSymbolAtLocation(module) && module
    if (absent) missing.push(absent)
    ts.forEachChild(node, visit)
  }
  follow(declaration)
  return { nodes, isCircular, untyped, missing }
}

/** The expressions that a declaration without annotation gets its type from. */
function valuesOf(node: ts.Node): readonly ts.Expression[] {
  const { body } = node as { readonly body?: ts.ConciseBody }
  if (ts.isFunctionLike(node)) return body ? returnedExpressions(body) : []
  const root = ts.isBindingElement(node) ? ts.walkUpBindingElementsAndPatterns(node) : node
  const hasValue = ts.isVariableDeclaration(root) || ts.isPropertyDeclaration(root) || ts.isPropertyAssignment(root)
  return hasValue && root.initializer ? [root.initializer] : []
}

/** Returns the symbol of a name; in `{ id }` that of the variable, not of the member. */
function symbolOfName(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const isShort = ts.isShorthandPropertyAssignment(node.parent)
  return isShort ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node)
}

/** The module of `import('…')`. */
function importedIn(node: ts.Node): ts.StringLiteralLike | undefined {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined
  const [module] = node.arguments
  return module && ts.isStringLiteralLike(module) ? module : undefined
}

function isImplicitAny(node: ts.Node, checker: ts.TypeChecker): node is ts.Declaration {
  const may = ts.isParameter(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)
  return may && lacksType(node) && Boolean(checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any)
}

/** `{ [key: string] }` and `{ name }`. */
function untypedIn(node: ts.Node): ts.Declaration[] {
  const isOne = (ts.isIndexSignatureDeclaration(node) || ts.isPropertySignature(node)) && !node.type
  const found: ts.Declaration[] = isOne ? [node] : []
  ts.forEachChild(node, (child) => void found.push(...untypedIn(child)))
  return found
}

/** Returns the expressions that a function returns. */
function returnedExpressions(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}
