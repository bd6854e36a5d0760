import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isAnything, lacksType, saysNothing } from '../annotations.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/** Refuses what the source gives no type: to the checker it is `any`, and nothing of it would be checked. */
export function refuseUntyped(what: string, place: Place, { refuse }: Pick<Resolver, 'refuse'>): ModelType {
  return refuse(place, 'RPC120', `${what} has no type`, 'give it one: unknown, where anything is welcome')
}

/** Whether a member or an index signature is declared without a type, and nothing else gives it one. */
export function isUntyped(declaration: ts.Node | undefined, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!declaration || !isAnything(type, checker)) return false
  if (ts.isIndexSignatureDeclaration(declaration)) return !declaration.type
  if (ts.isBinaryExpression(declaration)) return saysNothing(declaration.right) && !ts.getJSDocType(declaration)
  return (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) && lacksType(declaration)
}

/** `this.steps = []`, which declares a member in JavaScript, and has the type of the value alone. */
export function assignedIn({ valueDeclaration: node }: ts.Symbol): ts.BinaryExpression | undefined {
  return node && ts.isBinaryExpression(node) ? node : undefined
}
