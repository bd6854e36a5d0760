import { partsOf } from '../../runtime/schema/parts.js'
import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'

/** Which way a value goes: from the wire, or to it. */
export type Direction = 'revive' | 'lower'

/** Kinds that the protocols write in forms of their own: their conversion asks the wire. */
const byWire: Readonly<Record<Direction, ReadonlySet<string>>> = {
  revive: new Set(['date', 'bytes', 'bigint']),
  lower: new Set(['date', 'bytes', 'bigint', 'any']),
}

/** Kinds that no protocol has: it carries them as something else. */
const bySelf = new Set(['undefined', 'void', 'set', 'map', 'url'])

/** Whether a type needs converting at all: it has another form on the wire, or members that go or are left out. */
export function needsConvert(type: ModelType, direction: Direction, planner: Planner): boolean {
  return some(type, planner, (each) => byWire[direction].has(each.kind) || bySelf.has(each.kind) || losesParts(each))
}

/** Whether the conversion asks the protocol. */
export function takesWire(type: ModelType, direction: Direction, planner: Planner): boolean {
  return some(type, planner, (each) => byWire[direction].has(each.kind))
}

/** Whether both directions are one: nothing changes but that members and elements go. */
export function isOneWay(type: ModelType, planner: Planner): boolean {
  return !some(
    type,
    planner,
    (each) => byWire.lower.has(each.kind) || bySelf.has(each.kind) || hasOptionalElements(each),
  )
}

function losesParts(type: ModelType): boolean {
  if (type.kind === 'struct')
    return !type.rest || type.keys !== undefined || type.members.some(({ optional }) => optional)
  return hasOptionalElements(type)
}

function hasOptionalElements(type: ModelType): boolean {
  return type.kind === 'tuple' && type.required < type.elements.length
}

/** Whether some part of a type passes `found`; recursion ends where a name comes again. */
function some(
  type: ModelType,
  planner: Planner,
  found: (type: ModelType) => boolean,
  seen = new Set<string>(),
): boolean {
  if (found(type)) return true
  if (type.kind !== 'ref') return partsOf(type).some((part) => some(part, planner, found, seen))
  if (seen.has(type.name)) return false
  seen.add(type.name)
  return some(planner.typeOf(type.name).type, planner, found, seen)
}

/** Whether null is one of a type's values. */
export function isNullable(type: ModelType, planner: Planner): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => isNullable(branch, planner))
  if (type.kind === 'ref') return isNullable(planner.typeOf(type.name).type, planner)
  return type.kind === 'null' || type.kind === 'any'
}
