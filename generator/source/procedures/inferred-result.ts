// What the inferred result of a function depends on: types that are written elsewhere, and declarations without a type:
//
//   price = (order: Order) => total(order.lines)  →  the type of the result of `total`; without one, an error there
import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { allTypesIn } from '../../model/part.js'
import { lacksType, typeNodeOf, writtenResult } from '../program/checker.js'
import { missingModule, missingModuleOf } from '../program/missing.js'
import type { Place } from '../program/problems.js'
import { unaliased } from '../program/symbols.js'
import type { Resolver } from '../types/resolver-interface.js'
import { rejectAs } from '../types/unresolved.js'

/** Reports a result that depends on itself, or on something without a type: the checker infers `any` for it, or for a part. */
export function checkInferredResult(declaration: ts.Node, type: ModelType, place: Place, resolver: Resolver): void {
  const { nodes, isCircular, untyped, missing, unknown } = dependenciesOf(declaration, resolver.checker)
  for (const each of nodes) resolver.checkWritten(each, place)
  const inferred = allTypesIn(type, resolver.table.byKey, ({ declared }) => !declared)
  if (inferred.every(({ kind }) => kind !== 'any')) return
  const reject = (node: ts.Node, message: string, hint: string) =>
    resolver.reject({ ...place, node }, 'RPC120', message, hint)
  const [module] = [...missing, ...unknown.flatMap((each) => missingModuleOf(each, resolver.checker) ?? [])]
  const [nameless] = untyped
  if (module) rejectAs(missingModule(module), place, resolver)
  else if (nameless) reject(nameless, 'the result depends on this, which has no type', `give it one, or ${remedy}`)
  else if (isCircular) reject(place.node, 'the result depends on itself and has no type', remedy)
}

const remedy = 'write the type of the result'

/** What an inferred result depends on. */
interface Dependencies {
  /** The annotations that it depends on: of results and variables, and type arguments. */
  readonly nodes: readonly ts.TypeNode[]
  /** True if it depends on a function or constant that depends on itself: the checker infers `any` for that. */
  readonly isCircular: boolean
  /** Parameters and members that it depends on and that have no type: the checker infers `any` for them too. */
  readonly untyped: readonly ts.Declaration[]
  /** The modules of `import()` that do not exist or have no types. */
  readonly missing: readonly ts.StringLiteralLike[]
  /** The imported names that it depends on and that refer to nothing. */
  readonly unknown: readonly ts.Symbol[]
}

/** Returns what an inferred result depends on: for `price = total(order)` the annotation of the result of `total`. */
function dependenciesOf(declaration: ts.Node, checker: ts.TypeChecker): Dependencies {
  const [nodes, untyped, missing]: [ts.TypeNode[], ts.Declaration[], ts.StringLiteralLike[]] = [[], [], []]
  const unknown: ts.Symbol[] = []
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
    if (module && !checker.getSymbolAtLocation(module)) missing.push(module)
    const symbol = ts.isIdentifier(node) ? symbolOfName(node, checker) : undefined
    const target = symbol && unaliased(symbol, checker)
    const declared = target?.valueDeclaration
    if (declared) follow(declared)
    else if (target && checker.isUnknownSymbol(target)) unknown.push(symbol)
    ts.forEachChild(node, visit)
  }
  follow(declaration)
  return { nodes, isCircular, untyped, missing, unknown }
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
