import { type Constraints, meets } from '../../runtime/schema/constraints.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from './model.js'

/** The constraint that a literal does not meet. */
export function unmetBy(value: number | string, constraints: Constraints): keyof Constraints | undefined {
  const names = Object.keys(constraints) as (keyof Constraints)[]
  return names.find((name) => !meets(value, { [name]: constraints[name] }))
}

/** The texts and the numbers that a type allows one by one, those of the types that it names among them. */
export function literalsIn(type: ModelType, types: TypesByName): (string | number)[] {
  if (type.kind === 'union') return type.branches.flatMap((each) => literalsIn(each, types))
  if (type.kind === 'literal') return typeof type.value === 'boolean' ? [] : [type.value]
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined
  return named && named.kind !== 'ref' ? literalsIn(named, types) : []
}
