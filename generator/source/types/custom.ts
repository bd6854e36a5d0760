import type { ResolveKind } from '../resolver.js'

/** A type that the configuration has a codec of. A constraint or a brand that is put to it would be dropped. */
export const resolveCustom: ResolveKind = (type, place, resolver) => {
  const { scalars, moduleOf } = resolver
  const found = scalars.get(type)
  if (found) {
    const { name, source, wire, node, schema } = found
    return resolver.named(type, place, ({ depth }) => ({
      kind: 'custom',
      name,
      wire: resolver.resolve(wire, { node, path: `${name}, as it is sent`, depth: depth + 1 }),
      ...(schema && { schema }),
      codec: { module: moduleOf(source), name: found.export },
    }))
  }
  const part = type.isIntersection() ? type.types.find((each) => scalars.has(each)) : undefined
  if (!part) return undefined
  const { name } = scalars.get(part) ?? { name: '' }
  const hint = `put it to the wire type of its codec: defineScalar<${name}, string & Pattern<'…'>>`
  return resolver.refuse(place, 'RPC126', `${name} has a codec, and cannot be intersected with another type`, hint)
}
