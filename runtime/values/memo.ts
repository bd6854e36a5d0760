import { attempt, INVALID } from './definition.js'
import { PairCache } from './memoize.js'
import type { Type, Value, Wire } from './wire.js'

/**
 * Returns a wire that validates each pair of a type and an object, or text, once. A recursive type asks the same question about the
 * same object once for every branch that contains it; without the memo the work doubles at each level of nesting.
 */
export function memoized(wire: Wire): Wire {
  const results = new PairCache<Type, unknown>()
  const visit = (type: Type, value: Value) => {
    const result = results.get(type, value, () => attempt(type, value, memo))
    if (result === INVALID) throw INVALID
    return result
  }
  const memo = wire.with({ visit })
  return memo
}
