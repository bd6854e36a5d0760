import type { ts } from 'ts-morph'
import { isTypeTag } from '../constraints/constraint-types.js'
import { type Place, placeOf } from '../program/problems.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/** Resolves a type that has a codec in the configuration. Its constraints are those of the wire type. */
export const resolveCustom: ResolveKind = (type, place, resolver) => {
  const { codecs, project, checker } = resolver
  const found = codecs.find(type)
  if (found) {
    const { name, source, wire, node, schema } = found
    const codec = { module: project.moduleOf(source), name: found.export }
    return {
      define: ({ depth }) => ({
        kind: 'custom',
        name,
        wire: resolver.resolve(wire, { ...placeOf(node, name, `${name} (sent)`), depth: depth + 1 }),
        ...(schema && { schema }),
        codec,
      }),
    }
  }
  // A problem of its codec is reported instead of each use.
  if (codecs.isFailed(type)) return { kind: 'any' }
  const part = type.isIntersection() ? type.types.find((each) => codecs.find(each)) : undefined
  if (!part || !type.isIntersection()) return undefined
  const others = type.types.filter((each) => each !== part)
  // Constraints are reported together with those of other types.
  if (others.flatMap((each) => checker.getPropertiesOfType(each)).every(isTypeTag)) return resolver.resolve(part, place)
  const name = codecs.find(part)?.name
  const hint = 'name the intersection, and make a codec of that name'
  return resolver.reject(place, 'RPC121', `${name} has a codec, and is intersected with another type`, hint)
}

/** Rejects keys of an object or a Map that have a codec: names are sent without conversion. */
export function rejectCustomKey(key: ts.Type, place: Place, { codecs, reject }: Resolver): void {
  const found = (key.isUnion() ? key.types : [key]).map(codecs.find).find(Boolean)
  if (!found) return
  const hint = 'key it by string, or declare a list of pairs: [key, value][]'
  reject(place, 'RPC121', `keys are sent as they are: the codec of ${found.name} is not used`, hint)
}
