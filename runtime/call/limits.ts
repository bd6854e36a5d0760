import { MAX_DEPTH } from '../values/serialize-unknown.js'

/** What a server accepts, and how much it returns. */
export interface Limits {
  /** Bytes of a request body, after decompression; beyond it 413. A procedure's `@maxBody` replaces it. Default 4 MiB. */
  readonly bodyBytes: number
  /** Entries of a batch or a multicall; beyond it -32600. Default 1000. */
  readonly batch: number
  /** Nested arrays and objects, at most 300; beyond it -32600. Default 256. */
  readonly depth: number
  /**
   * Bytes of the results and errors in a response, the entries of a batch or a multicall together, at most 2^28. The entry that
   * would exceed it, and each later one, gets the error -32097 "Response too large" of its own, which is not counted; a later
   * call that has not begun is not run. Default 8 MiB: twice `bodyBytes`, and many such responses at once fit into the heap of a
   * small server.
   */
  readonly responseBytes: number
  /**
   * Milliseconds that one call may take, its predicates included, less than 2^31; beyond it -32096 "Timed out". A procedure's
   * `@timeout` replaces it. Default: no limit, no timer.
   */
  readonly timeoutMs?: number
}

const defaults: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  batch: 1000,
  depth: 256,
  responseBytes: 8 * 1024 * 1024,
}

/** The largest values that work, and why. */
const largest: Readonly<Partial<Record<string, readonly [value: number, reason: string]>>> = {
  responseBytes: [2 ** 28, 'a larger response may not fit into a string'],
  depth: [MAX_DEPTH, 'deeper values exceed the call stack'],
  timeoutMs: [2 ** 31 - 1, 'no timer is longer; leave it out for no limit'],
}

/**
 * Fills in the defaults.
 *
 * @throws RangeError that names a limit which is unknown, not a positive number, or larger than what works
 */
export function completeLimits(limits: Partial<Limits> = {}): Limits {
  const given: [string, unknown][] = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    const known = Object.hasOwn(defaults, name) || name === 'timeoutMs'
    if (!known) throw new RangeError(`limits.${name}: unknown limit`)
    checkLimit(name, value, 'limits.')
  }
  return { ...defaults, ...Object.fromEntries(given) }
}

/**
 * Checks the value of a limit.
 *
 * @param owner where the limit is specified, the beginning of the message: `limits.`
 * @throws RangeError if it is not a positive number, or larger than what works
 */
export function checkLimit(name: string, value: unknown, owner: string): void {
  if (typeof value !== 'number' || !(value > 0)) {
    throw new RangeError(
      `${owner}${name}: expected a positive number, got ${typeof value === 'string' ? JSON.stringify(value) : value}`,
    )
  }
  const [most, reason] = largest[name] ?? [Number.POSITIVE_INFINITY]
  if (value > most) throw new RangeError(`${owner}${name}: expected at most ${most}, got ${value}: ${reason}`)
}
