import { ts } from 'ts-morph'
import { unaliased } from '../declarations.js'
import { answersOf } from './answers.js'
import { typeNodeOf, writtenResult } from './written.js'

/** What an inferred result follows from. */
export interface Grounds {
  /** The types that are written on the way: of results and variables, and as arguments. */
  readonly nodes: readonly ts.TypeNode[]
  /** Whether a function or a constant on the way follows from itself: to the checker that one is `any`. */
  readonly isCircular: boolean
}

export function groundsOf(declaration: ts.Node, checker: ts.TypeChecker): Grounds {
  const nodes: ts.TypeNode[] = []
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
      return
    }
    open.add(declared)
    for (const value of valuesOf(declared)) visit(value)
    open.delete(declared)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) {
      nodes.push(node)
      return
    }
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    const declared = symbol && unaliased(symbol, checker).valueDeclaration
    if (declared) follow(declared)
    ts.forEachChild(node, visit)
  }
  follow(declaration)
  return { nodes, isCircular }
}

/** The expressions that give a declaration its type where none is written. */
function valuesOf(node: ts.Node): readonly ts.Expression[] {
  const { body } = node as { readonly body?: ts.ConciseBody }
  if (ts.isFunctionLike(node)) return body ? answersOf(body) : []
  const hasValue = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)
  return hasValue && node.initializer ? [node.initializer] : []
}
