import { mapParts, partsOf } from '../../runtime/schema/described-types.js'
import type { ModelType } from './model.js'
import type { Part, PartType } from './part.js'

/** A type of a part under the name that it has in the model. */
export interface Placed {
  readonly part: Part
  readonly type: PartType
  readonly name: string
}

/** What is known of the names of parts while the model is made. */
export interface Placing {
  /** The types of a part by the part's names for them. */
  typesOf(part: Part): ReadonlyMap<string, PartType>
  /** The names in the model, by the part's. */
  namesOf(part: Part): ReadonlyMap<string, string>
  placed(name: string): Placed | undefined
}

interface Comparison extends Placing {
  readonly part: Part
  /** The names of the part, and what they are in the model if the types are the same. */
  readonly pairs: Map<string, string>
}

/**
 * Whether a part's type is one of the model: then the names of it and of all that it contains, and what they are in the
 * model. Types that contain themselves are compared on the assumption that they are the same.
 */
export function sameType(
  type: PartType,
  part: Part,
  other: Placed,
  placing: Placing,
): ReadonlyMap<string, string> | undefined {
  const pairs = new Map([[type.name, other.name]])
  const comparison = { ...placing, part, pairs }
  return isSame(type.type, other.type.type, other.part, comparison) ? pairs : undefined
}

/** `from` is the part that the other type's names are of. */
function isSame(one: ModelType, other: ModelType, from: Part, comparison: Comparison): boolean {
  if (one.kind === 'ref' && other.kind === 'ref') {
    if (JSON.stringify(one.constraints) !== JSON.stringify(other.constraints)) return false
    const name = comparison.namesOf(from).get(other.name)
    return name !== undefined && isSameName(one.name, name, comparison)
  }
  const [ones, others] = [partsOf(one), partsOf(other)]
  if (ones.length !== others.length || shellOf(one) !== shellOf(other)) return false
  return ones.every((each, i) => isSame(each, others[i] as ModelType, from, comparison))
}

function isSameName(one: string, name: string, comparison: Comparison): boolean {
  const { part, pairs, namesOf, typesOf, placed } = comparison
  const assumed = namesOf(part).get(one) ?? pairs.get(one)
  if (assumed !== undefined) return assumed === name
  const [type, other] = [typesOf(part).get(one), placed(name)]
  if (!type || !other || headOf(type) !== headOf(other.type)) return false
  pairs.set(one, name)
  return isSame(type.type, other.type.type, other.part, comparison)
}

/** What two types must have in common to be one; undefined where the source has no name. */
export function headOf({ base, origin, declared, anonymous }: PartType): string | undefined {
  return anonymous ? undefined : JSON.stringify([base, origin, declared])
}

/** Everything about a type but the types that it is made of. */
function shellOf(type: ModelType): string {
  const shell = mapParts(type, () => ({ kind: 'any' }))
  return JSON.stringify(shell)
}
