import type { MemberOf } from '../values/wire-type.js'
import type { DescribedType, NameRef, TypesByName } from './description.js'
import type { Side } from './json-schema.js'
import { isCounted, partsOf } from './parts.js'

/** A member whose type has undefined may be absent: JSON has no undefined. */
export function isRequired(
  { type, optional }: Pick<MemberOf<NameRef>, 'type' | 'optional'>,
  side: Side,
  types: TypesByName,
): boolean {
  return !optional && !(side === 'input' && hasUndefined(type, types))
}

function hasUndefined(type: DescribedType, types: TypesByName): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => hasUndefined(branch, types))
  const named = type.kind === 'ref' ? types.get(type.name) : undefined
  return named ? hasUndefined(named.type, types) : type.kind === 'undefined' || type.kind === 'any'
}

/** Whether what may be sent of a type is more than what is answered of it. */
export function differs(type: DescribedType, types: TypesByName, seen = new Set<string>()): boolean {
  const inner = (each: DescribedType) => differs(each, types, seen)
  switch (type.kind) {
    case 'ref': {
      const named = seen.has(type.name) ? undefined : types.get(type.name)
      seen.add(type.name)
      return named !== undefined && inner(named.type)
    }
    case 'bigint':
    case 'date':
      return true
    case 'set':
      return isCounted(type) || inner(type.element)
    case 'struct':
      return type.members.some((each) => each.optional || hasUndefined(each.type, types)) || partsOf(type).some(inner)
    default:
      return partsOf(type).some(inner)
  }
}
