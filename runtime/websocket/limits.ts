import type { Limits } from '../call/limits.js'
import { completeOptions, type OptionTable, positive } from '../call/options.js'

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
   * Characters of responses and notifications that wait for the client to read, beside those that the host has buffered; beyond it the
   * connection is closed with 1008. A text counts as 512 more. Default: `responseBytes` of the server and 4 Mi, so one response always fits.
   */
  readonly outbox: number
  /** Subscriptions at once; a further one is rejected with -32600. Default 100. */
  readonly subscriptions: number
}

/** What may wait to be sent beside one response. */
const OUTBOX_SLACK = 4 * 1024 * 1024

/** @param server the limits of the server */
function tableFor({ responseBytes }: Pick<Limits, 'responseBytes'>): OptionTable<ConnectionLimits> {
  return {
    calls: positive(100),
    queue: positive(8 * 1024 * 1024),
    outbox: positive(responseBytes + OUTBOX_SLACK),
    subscriptions: positive(100),
  }
}

/**
 * Fills in the defaults.
 *
 * @param server the limits of the server
 * @throws TypeError for a limit that does not exist, RangeError for one that is not a positive number
 */
export function completeConnectionLimits(limits: Partial<ConnectionLimits>, server: Limits): ConnectionLimits {
  return completeOptions(limits, 'webSocket: limits', tableFor(server))
}
