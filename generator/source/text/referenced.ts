import { ts } from 'ts-morph'
import { unaliased } from '../declarations.js'

/** What a written type refers to by a name. */
export function referenced(node: ts.TypeNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const name = ts.isImportTypeNode(node) ? node.qualifier : ts.isTypeReferenceNode(node) ? node.typeName : undefined
  const symbol = name && checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker)
}
