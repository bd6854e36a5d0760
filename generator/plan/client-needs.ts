import type { ClientScalar } from '../../runtime/client/table.js'
import { partsOf } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ScalarKind } from '../../runtime/values/types.js'
import type { ModelType } from '../model/model.js'

/** Kinds that JSON has as they are. */
type Plain = 'int' | 'double' | 'number' | 'string' | 'boolean' | 'null' | 'any'

/** What the table of a client calls the other kinds without parts. */
const converted: Readonly<Record<Exclude<ScalarKind, Plain> | 'bytes' | 'bigint', ClientScalar>> = {
  bigint: 'bigint',
  bytes: 'bytes',
  date: 'date',
  undefined: 'undefined',
  url: 'url',
  void: 'undefined',
}

/** Found from the leaves up, so that types which contain themselves end. */
export function namesThatNeed(types: TypesByName): ReadonlySet<string> {
  const needs = new Set<string>()
  for (let before = -1; before < needs.size; ) {
    before = needs.size
    for (const { name, type } of types.values()) if (isConverted(type, needs)) needs.add(name)
  }
  return needs
}

export function isConverted(type: ModelType, needs: ReadonlySet<string>): boolean {
  if (type.kind === 'ref') return needs.has(type.name)
  if (type.kind === 'set' || type.kind === 'map' || Object.hasOwn(converted, type.kind)) return true
  return hasHoles(type) || partsOf(type).some((part) => isConverted(part, needs))
}

/** JSON has null for an element that is not there; what a name stands for is not looked at, and may have null itself. */
export function hasHoles(type: ModelType): boolean {
  return type.kind === 'tuple' && type.elements.slice(type.required).some((each) => !mayBeNull(each))
}

function mayBeNull(type: ModelType): boolean {
  if (type.kind === 'union') return type.branches.some(mayBeNull)
  return ['ref', 'any', 'null', 'undefined', 'void'].includes(type.kind)
}
