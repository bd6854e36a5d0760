import type { ts } from 'ts-morph'
import type { Place } from '../problems.js'
import type { ResolveKind } from '../resolver.js'

/** `T[]` and `readonly T[]`; written once where it has a name, since it may contain itself. */
export const resolveArray: ResolveKind = (type, place, resolver) => {
  const { checker } = resolver
  if (!checker.isArrayType(type)) return undefined
  const [element] = checker.getTypeArguments(type as ts.TypeReference)
  if (!element) return undefined
  const readonly = type.getSymbol()?.name === 'ReadonlyArray'
  const build = (at: Place) => ({
    kind: 'array' as const,
    element: resolver.resolvePart(element, at, '[]'),
    ...(readonly ? { readonly } : {}),
  })
  return type.aliasSymbol ? resolver.named(type, place, build) : build(place)
}
