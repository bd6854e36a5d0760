import { RpcInvalidRequest } from '../error.js'
import type { StepLimit } from '../values/wire.js'

/** Comparisons of the lists and objects of one request with branches of unions, and conversions to decide: at most some seconds of work. */
const MAX_STEPS = 50_000_000

/** Smaller requests cannot reach the limit in a relevant time. Bytes. */
const SMALL_BODY = 65_536

/**
 * Returns what limits the work for the unions of a request, or undefined for a small one. The work is linear in the size of the request; the
 * limit is for types with very many branches.
 */
export function stepLimitOf(bodyBytes: number): StepLimit | undefined {
  if (bodyBytes <= SMALL_BODY) return undefined
  let left = MAX_STEPS
  return {
    take(count) {
      left -= count
      if (left < 0)
        throw new RpcInvalidRequest(undefined, { data: `more than ${MAX_STEPS} comparisons with branches of unions` })
    },
  }
}
