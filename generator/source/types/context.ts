import { ts } from 'ts-morph'
import { isOwn } from '../project/sources.js'
import type { ResolveKind } from '../resolver.js'

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
