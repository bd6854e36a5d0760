import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isAnything, lacksType, saysNothing, typeNodeOf } from '../annotations.js'
import type { Place } from '../problems.js'
import { isOwn } from '../project/sources.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { isErrorType, referenced } from '../symbols.js'

/**
 * A type that is not resolved looks like `any` to the checker: a missing import, an uninstalled package. Taken for
 * `any`, it would give a validator that accepts everything.
 */
export const refuseUnresolved: ResolveKind = (type, place, resolver) => {
  if (!isErrorType(type)) return undefined
  const name = type.aliasSymbol?.name
  if (name === 'Buffer') {
    return resolver.refuse(
      place,
      'RPC108',
      'the type Buffer is not resolved: @types/node declares it',
      'install @types/node, and name "node" in the "types" of the tsconfig',
    )
  }
  const written = ts.isTypeNode(place.node) ? place.node : typeNodeOf(place.node)
  const alias = written && referenced(written, resolver.checker)
  if (!alias?.declarations?.some(ts.isTypeAliasDeclaration))
    return resolver.refuse(place, 'RPC120', ...unresolved(name))
  return resolver.refuse(
    place,
    'RPC120',
    `the type ${alias.name} leads to itself alone, or to no type`,
    'write what it is',
  )
}

/** What is said of a type that is not resolved, and what to do. */
export function unresolved(name: string | undefined): readonly [message: string, hint: string] {
  const message = name === undefined ? 'the type is not resolved' : `the type ${name} is not resolved`
  return [message, 'is its import right, and is its package (or @types package) installed?']
}

/** The same of a module that is imported when the program runs. */
export function unresolvedModule(name: string): readonly [message: string, hint: string] {
  return [`the module ${name} is not found, or has no types`, 'is its package (or @types package) installed?']
}

const untravelling: readonly [flags: ts.TypeFlags, words: string, hint: string][] = [
  [ts.TypeFlags.Never, 'never has no values', 'leave it out, or give it the type that its values have'],
  [ts.TypeFlags.ESSymbolLike, 'a symbol cannot travel', 'leave it out, or take a string'],
  [ts.TypeFlags.TypeParameter, 'a type parameter says nothing about the wire', 'write the type that it stands for'],
  [ts.TypeFlags.NonPrimitive, 'object does not say which members it has', 'declare the members, or unknown'],
]

/** What is said of a function, and what to do. */
export const aFunction = ['a function cannot travel', 'leave it out: Pick or Omit make such a type'] as const

/** What no protocol can carry. */
export const refuseUntravelling: ResolveKind = (type, place, resolver) => {
  const found = untravelling.find(([flags]) => type.flags & flags)
  if (found) return resolver.refuse(place, 'RPC121', found[1], found[2])
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
    return resolver.refuse(place, 'RPC121', ...aFunction)
  }
  return undefined
}

/** More than any list that people keep by hand; a template literal type multiplies into such a number in no time. */
const mostBranches = 2000

/** Refuses a union, or an enum, whose validator would be longer than the program that it is for. */
export function refuseTooLong(count: number, place: Place, { refuse }: Resolver): ModelType | undefined {
  if (count <= mostBranches) return undefined
  const hint = 'declare string, and look it up in a list of your own'
  return refuse(place, 'RPC124', `the union has ${count} members: ${mostBranches} are the most`, hint)
}

/** The same of a struct, whose keys may come of such a literal. */
export function refuseTooWide(count: number, place: Place, { refuse }: Resolver): ModelType | undefined {
  if (count <= mostBranches) return undefined
  const hint = 'declare Record<string, …>, and look the keys up in a list of your own'
  return refuse(place, 'RPC124', `the struct has ${count} members: ${mostBranches} are the most`, hint)
}

/** RpcContext, by its name and its package: also what is made of it, which has its members. */
export const refuseContext: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLike) || !hasMembersOfContext(type)) return undefined
  const message = 'RpcContext can only be a parameter by itself'
  return resolver.refuse(place, 'RPC121', message, 'declare it as one: (…, context: RpcContext)')
}

const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** Whether a type is the RpcContext of this package. */
export function isContextType(type: ts.Type): boolean {
  const symbol = type.getSymbol()
  return symbol?.name === 'RpcContext' && isOwn(symbol)
}

function hasMembersOfContext(type: ts.Type): boolean {
  if (isContextType(type)) return true
  const member = type.getProperty('honoContext')
  const [declaration] = member?.declarations ?? []
  const owner = declaration?.parent
  return member !== undefined && owner !== undefined && ts.isInterfaceDeclaration(owner) && isOwn(member)
}

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
