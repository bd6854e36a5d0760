import { checkLimit } from '../call/limits.js'

/** The limits of one connection. */
export interface ConnectionLimits {
  /** Calls that run at once, entries of batches included; further ones wait. Default 100. */
  readonly calls: number
  /**
   * Characters of messages that wait for calls to end, or for the client to read; beyond it the connection is closed with 1008.
   * A message counts as 256 more. Default 8 Mi.
   */
  readonly queue: number
  /**
   * Characters of responses and notifications that wait for the client to read; beyond it the connection is closed with 1008.
   * Default 64 Mi: twice `responseBytes`.
   */
  readonly outbox: number
  /** Subscriptions at once; a further one is rejected with -32600. Default 100. */
  readonly subscriptions: number
}

const defaults: ConnectionLimits = { calls: 100, queue: 8 * 1024 * 1024, outbox: 64 * 1024 * 1024, subscriptions: 100 }

/**
 * Fills in the defaults.
 *
 * @throws RangeError that names a limit which is unknown, or not a positive number
 */
export function completeConnectionLimits(limits: Partial<ConnectionLimits> = {}): ConnectionLimits {
  const given: [string, unknown][] = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    if (!Object.hasOwn(defaults, name)) throw new RangeError(`webSocket: limits.${name}: unknown limit`)
    checkLimit(name, value, 'webSocket: limits.')
  }
  return { ...defaults, ...Object.fromEntries(given) }
}
