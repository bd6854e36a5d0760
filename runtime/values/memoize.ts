import type { Wire } from '../call/wire.js'
import { PairCache } from './pair-cache.js'

type Step = (value: unknown, wire: Wire) => unknown

const results = new PairCache<Step, unknown>()
let depth = 0

/**
 * Returns a validator or a conversion of a recursive type that handles each object once, however many branches of a union lead
 * to it. Results are kept until the outermost call returns: all steps are synchronous, and values may change between calls.
 *
 * @example const isFilter = memoize((v: unknown): v is Filter => …)
 */
export function memoize<S extends Step>(step: S): S {
  const memoized = (value: unknown, wire: Wire) => {
    depth += 1
    try {
      return results.get(step, value, () => step(value, wire))
    } finally {
      depth -= 1
      if (depth === 0) results.clear()
    }
  }
  return memoized as S
}
