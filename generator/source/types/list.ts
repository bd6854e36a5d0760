// Arrays and tuples, and intersections of several:
//
//   string[]  →  { kind: 'array', element: { kind: 'string' } }; [a: A, ...B[]]  →  { kind: 'tuple', … }
import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isList, labelAt } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { resolveOptional } from './union.js'

/** `T[]` and `readonly T[]`. Written once if it has a name, because it may contain itself. */
export const resolveArray: ResolveKind = (type, place, resolver) => {
  const { checker } = resolver
  if (!checker.isArrayType(type)) return undefined
  const [element] = checker.getTypeArguments(type as ts.TypeReference)
  if (!element) return undefined
  const readonly = type.getSymbol()?.name === 'ReadonlyArray'
  const define = (at: Place): ModelType => ({
    kind: 'array',
    element: resolver.resolveInner(element, at, '[]'),
    ...(readonly ? { readonly } : {}),
  })
  return type.aliasSymbol ? { define } : define(place)
}

/** `[a: A, b?: B, ...C[]]`. The rest has to be last, because a reader could not find the end of another one. */
export const resolveTuple: ResolveKind = (type, place, resolver) => {
  const { checker } = resolver
  if (!checker.isTupleType(type)) return undefined
  const define = (at: Place) => tupleOf(type as ts.TypeReference, at, resolver)
  return type.aliasSymbol ? { define } : define(place)
}

function tupleOf(type: ts.TypeReference, place: Place, resolver: Resolver): ModelType {
  const { elementFlags, readonly } = type.target as ts.TupleType
  const parts = resolver.checker.getTypeArguments(type).slice(0, elementFlags.length)
  const isRest = (i: number) => Boolean((elementFlags[i] ?? 0) & ts.ElementFlags.Variable)
  if (parts.some((_part, i) => isRest(i) && i < parts.length - 1)) {
    return resolver.reject(place, 'RPC121', 'a rest element is supported only at the end of a tuple', 'put it last')
  }
  const resolved = parts.map((part, i) => {
    const path = `${place.path}[${isRest(i) ? '' : i}]`
    const at = { ...place, path, depth: place.depth + 1 }
    // Undefined marks an optional element; in other elements it is a value.
    const optional = (elementFlags[i] ?? 0) & ts.ElementFlags.Optional
    const element = optional ? resolveOptional(part, at, resolver) : resolver.resolve(part, at)
    const label = labelAt(type, i)
    return label ? resolver.constrainer.withLabelTags(element, part, label, at) : element
  })
  const rest = isRest(parts.length - 1) ? resolved.at(-1) : undefined
  const labels = parts.map((_part, i) => labelText(labelAt(type, i)))
  return {
    kind: 'tuple',
    elements: rest ? resolved.slice(0, -1) : resolved,
    required: elementFlags.filter((flags) => flags & ts.ElementFlags.Required).length,
    ...(rest ? { rest } : {}),
    ...(labels.some((label) => label !== '') ? { labels } : {}),
    ...(readonly ? { readonly } : {}),
  }
}

function labelText(label: ReturnType<typeof labelAt>): string {
  return label && ts.isIdentifier(label.name) ? label.name.text : ''
}

/**
 * Returns how several lists are resolved: arrays as one of the intersection of their elements, tuples and arrays as the narrowest
 * of them, whose elements have all members. Undefined if there is none, or if one of the types is not a list.
 */
export function intersectedLists(
  type: ts.IntersectionType,
  lists: readonly ts.Type[],
  resolver: Resolver,
): ((place: Place) => ModelType) | undefined {
  const { checker } = resolver
  if (!lists.every((each) => isList(each, checker))) return undefined
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  if (element && !(element.flags & ts.TypeFlags.Never) && lists.every((each) => checker.isArrayType(each))) {
    const readonly = lists.every(({ symbol }) => symbol.name === 'ReadonlyArray')
    const model = { kind: 'array' as const, ...(readonly ? { readonly } : {}) }
    return (place) => ({ ...model, element: resolver.resolveInner(element, place, '[]') })
  }
  const narrowest = lists.find((each) => lists.every((other) => checker.isTypeAssignableTo(each, other)))
  if (!narrowest) return undefined
  if (!lists.some((each) => mayHaveOtherMembers(each, narrowest, checker)))
    return (place) => resolver.resolve(narrowest, place)
  const message = 'the elements of a tuple are intersected with those of another list, whose members would be dropped'
  return (place) => resolver.reject(place, 'RPC121', message, 'declare one list, whose elements have all members')
}

/** True if the elements of a list may have members that those of a narrower one do not have, such as optional ones. */
function mayHaveOtherMembers(list: ts.Type, narrower: ts.Type, checker: ts.TypeChecker): boolean {
  const own = new Set(checker.getTypeArguments(narrower as ts.TypeReference))
  return checker.getTypeArguments(list as ts.TypeReference).some((each) => !own.has(each) && hasMembers(each))
}

function hasMembers(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(hasMembers)
    : (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()
}
