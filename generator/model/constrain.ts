import type { Constraints } from '../../runtime/constraints.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from './model.js'

type Name = keyof Constraints

const numbers: readonly Name[] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
const strings: readonly Name[] = ['minLength', 'maxLength', 'pattern', 'format']
const items: readonly Name[] = ['minItems', 'maxItems']

/** Which constraints a kind of type can have. */
const fitting: Partial<Record<ModelType['kind'], readonly Name[]>> = {
  int: [...numbers, 'multipleOf'],
  double: [...numbers, 'multipleOf'],
  number: [...numbers, 'multipleOf'],
  bigint: numbers,
  string: strings,
  template: strings,
  array: [...items, 'uniqueItems'],
  set: items,
}

/** Whether a type, or the one that it refers to, can have a constraint. */
export function canHave(type: ModelType, name: Name, types: TypesByName): boolean {
  if (type.kind !== 'ref') return fitting[type.kind]?.includes(name) ?? false
  const named = types.get(type.name)
  return named !== undefined && canHave(named.type, name, types)
}

/** A type with further constraints: both must hold. Undefined where one cannot say that, as of two patterns. */
export function constrain(type: ModelType, more: Constraints): ModelType | undefined {
  const merged: Record<string, unknown> = { ...type.constraints }
  for (const [name, limit] of Object.entries(more)) {
    const known = merged[name]
    const both = known === undefined || known === limit ? limit : stricter(name as Name, known, limit)
    if (both === undefined) return undefined
    merged[name] = both
  }
  return { ...type, constraints: merged }
}

function stricter(name: Name, one: unknown, other: unknown): unknown {
  if (typeof one !== 'number' || typeof other !== 'number' || name === 'multipleOf') return undefined
  return /^(?:min|exclusiveMin)/.test(name) ? Math.max(one, other) : Math.min(one, other)
}

/** The pair of constraints that no value meets; undefined where there is none. */
export function contradiction(constraints: Constraints): readonly [Name, Name] | undefined {
  const pairs: readonly (readonly [Name, Name, boolean])[] = [
    ['minimum', 'maximum', false],
    ['minimum', 'exclusiveMaximum', true],
    ['exclusiveMinimum', 'maximum', true],
    ['exclusiveMinimum', 'exclusiveMaximum', true],
    ['minLength', 'maxLength', false],
    ['minItems', 'maxItems', false],
  ]
  const found = pairs.find(([least, most, exclusive]) => {
    const [low, high] = [constraints[least], constraints[most]] as const
    return typeof low === 'number' && typeof high === 'number' && (low > high || (exclusive && low === high))
  })
  return found && [found[0], found[1]]
}
