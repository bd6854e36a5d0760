import { type Constraints, meets } from '../../runtime/schema/constraints.js'

/** The constraint that a literal does not meet; a format is not looked at. */
export function unmetBy(value: number | string, constraints: Constraints): keyof Constraints | undefined {
  const names = Object.keys(constraints) as (keyof Constraints)[]
  return names.find((name) => name !== 'format' && !meets(value, { [name]: constraints[name] }))
}
