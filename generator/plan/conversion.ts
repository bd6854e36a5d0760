import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'
import { type Direction, someSays, type Trait } from './traits.js'

export type { Direction } from './traits.js'

/** Whether a type needs converting at all: it has another form on the wire, or members that go or are left out. */
export function needsConvert(type: ModelType, direction: Direction, planner: Planner): boolean {
  return says(type, `needs ${direction}`, planner)
}

/** Whether the conversion asks the protocol. */
export function takesWire(type: ModelType, direction: Direction, planner: Planner): boolean {
  return says(type, `asks the wire to ${direction}`, planner)
}

/** Whether both directions are one: nothing changes but that members and elements go. */
export function isOneWay(type: ModelType, planner: Planner): boolean {
  return !says(type, 'goes two ways', planner)
}

function says(type: ModelType, question: Trait, planner: Planner): boolean {
  return someSays(type, question, (name) => planner.says(question, name))
}

/** Whether null is one of a type's values. */
export function isNullable(type: ModelType, planner: Planner): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => isNullable(branch, planner))
  if (type.kind === 'ref') return isNullable(planner.typeOf(type.name).type, planner)
  return type.kind === 'null' || type.kind === 'any'
}
