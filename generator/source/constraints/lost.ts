import type { TypesByName } from '../../../runtime/schema/description.js'
import { canHave, constrain } from '../../model/constrain.js'
import type { ModelType } from '../../model/model.js'
import type { Demand } from './demands.js'

/** Whether a part has what is demanded. */
export function isKept({ constraints }: Demand, parts: readonly ModelType[]): boolean {
  const names = namesOf(constraints)
  return parts.some((part) => {
    const own = part.constraints
    if (!own || names.some((name) => own[name] === undefined)) return false
    const both = constrain(part, constraints)?.constraints
    return both === undefined || names.every((name) => both[name] === own[name])
  })
}

/** Whether no part has what is demanded, though one could. */
export function isLost(demand: Demand, parts: readonly ModelType[], types: TypesByName): boolean {
  const names = namesOf(demand.constraints)
  if (names.length === 0 || isKept(demand, parts)) return false
  return parts.some((part) => names.every((name) => canHave(part, name, types)))
}

function namesOf(constraints: Demand['constraints']): (keyof Demand['constraints'])[] {
  return Object.keys(constraints) as (keyof Demand['constraints'])[]
}
