import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { isPlatform, isPlatformClass } from './builtin.js'

/** An interface or a class of the user's that extends one of the platform: a list is one still, and no other can travel. */
export const resolveExtended: ResolveKind = (type, place, resolver) => {
  const base = platformBaseOf(type, resolver)
  if (!base) return undefined
  return resolver.checker.isArrayType(base)
    ? resolveList(type, base, place, resolver)
    : refuseBase(base, place, resolver)
}

/** `interface Json extends Array<Value> {}`, as types are written that contain themselves. */
function resolveList(type: ts.Type, base: ts.Type, place: Place, resolver: Resolver): ModelType {
  const element = resolver.checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  const isMore = resolver.checker.getPropertiesOfType(type).length > resolver.checker.getPropertiesOfType(base).length
  if (!element || isMore || type.isClass()) return refuseBase(base, place, resolver)
  const readonly = base.symbol.name === 'ReadonlyArray' ? { readonly: true } : {}
  return resolver.named(type, place, (at) => ({
    kind: 'array',
    element: resolver.resolvePart(element, at, '[]'),
    ...readonly,
  }))
}

function refuseBase({ symbol: { name } }: ts.Type, place: Place, { refuse }: Resolver): ModelType {
  const what =
    name === 'Error' ? 'what extends Error cannot travel: its stack would' : `what extends ${name} cannot travel`
  const hint =
    name === 'Error' ? 'declare an interface of its data, or throw an RpcError' : `write ${name} itself, or a struct`
  return refuse(place, 'RPC121', what, hint)
}

/** The class of the platform that a type extends, at whatever distance. */
function platformBaseOf(type: ts.Type, resolver: Resolver): ts.Type | undefined {
  const { target = type } = type as ts.TypeReference
  if (!target.isClassOrInterface() || isPlatform(target.symbol, resolver)) return undefined
  for (const base of resolver.checker.getBaseTypes(target as ts.InterfaceType)) {
    const found = isPlatformClass(base, resolver) ? base : platformBaseOf(base, resolver)
    if (found) return found
  }
  return undefined
}
