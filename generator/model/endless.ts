import { referencedNames } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import type { ModelType } from './model.js'

/** Returns the names of the types that contain themselves without an end, such as `interface A { a: A }`: they have no finite value. */
export function findEndless(types: TypesByName): string[] {
  const finite = finiteNames(types)
  // Types that only lead to such a type are not reported.
  return [...types.keys()].filter((name) => !finite.has(name) && containsItself(name, types))
}

/** Returns the types with a finite value. Repeats until no further type is found whose required inner types all have one. */
function finiteNames(types: TypesByName): ReadonlySet<string> {
  const finite = new Set<string>()
  // Most types follow those that contain them.
  const all = [...types].reverse()
  for (let before = -1; before < finite.size; ) {
    before = finite.size
    for (const [name, { type }] of all) if (hasFiniteValue(type, finite)) finite.add(name)
  }
  return finite
}

/** Not recursive: a large model has more types in a row than the stack has room for. */
function containsItself(name: string, types: TypesByName): boolean {
  const innerOf = (each: string) => {
    const type = types.get(each)?.type
    return type ? referencedNames(type) : []
  }
  const found = new Set(innerOf(name))
  for (const each of found) for (const inner of innerOf(each)) found.add(inner)
  return found.has(name)
}

/** True if a type has a finite value: every inner type that each of its values contains has one. */
function hasFiniteValue(type: ModelType, finite: ReadonlySet<string>): boolean {
  switch (type.kind) {
    case 'ref':
      return finite.has(type.name)
    case 'array':
    case 'set':
      return !type.constraints?.minItems || hasFiniteValue(type.element, finite)
    case 'tuple': {
      const length = Math.max(type.required, type.constraints?.minItems ?? 0)
      const elements = [...type.elements, ...(type.rest && length > type.elements.length ? [type.rest] : [])]
      return elements.slice(0, length).every((each) => hasFiniteValue(each, finite))
    }
    case 'custom':
      return hasFiniteValue(type.wire, finite)
    case 'struct':
      return type.members.every((each) => each.optional || hasFiniteValue(each.type, finite))
    case 'union':
      return type.branches.some((each) => hasFiniteValue(each, finite))
    default:
      return true
  }
}
