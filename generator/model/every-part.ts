import { partsOf } from '../../runtime/schema/described-types.js'
import type { NamedType, TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from './model.js'

/** A type and all that it is made of, those without a declaration of their own among them. */
export function everyPart(type: ModelType, types: TypesByName, seen = new Set<string>()): ModelType[] {
  const inside = type.kind === 'ref' ? behindRef(type.name, types, seen) : partsOf(type)
  return [type, ...inside.flatMap((each) => everyPart(each, types, seen))]
}

function behindRef(name: string, types: TypesByName, seen: Set<string>): ModelType[] {
  const named: (NamedType & { readonly declared?: unknown }) | undefined = types.get(name)
  if (!named || named.declared || seen.has(name)) return []
  seen.add(name)
  return [named.type]
}
