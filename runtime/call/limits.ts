import { count, interval, type OptionTable } from '../option-table.js'
import { MAX_DEPTH } from '../values/serialize-unknown.js'

/** What a server accepts, and how much it returns; everything has a default. */
export interface Limits {
  /** Bytes of a request body, after decompression; beyond it 413. A procedure's `@maxBody` replaces it. Default 4 MiB. */
  readonly bodyBytes?: number
  /** Entries of a batch or a multicall; beyond it -32600. Default 1000. */
  readonly batch?: number
  /** Nested arrays and objects, at most 300; beyond it -32600. Default 256. */
  readonly depth?: number
  /**
   * Bytes of the results and errors in a response, the entries of a batch or a multicall together, at most 2^28. The entry that
   * would exceed it, and each later one, gets the error -32097 "Response too large" of its own, which is not counted; a later
   * call that has not begun is not run. Default 8 MiB: twice `bodyBytes`, and many such responses at once fit into the heap of a
   * small server.
   */
  readonly responseBytes?: number
  /**
   * Milliseconds that one call may take, its predicates included, less than 2^31; beyond it -32096 "Timed out". A procedure's
   * `@timeout` replaces it. 0 for no limit. Default 0.
   */
  readonly timeoutMs?: number
}

/** The limits with their defaults. */
export type CompleteLimits = Required<Limits>

/** A row for each limit. */
export const limitTable: OptionTable<Limits, CompleteLimits> = {
  bodyBytes: count(4 * 1024 * 1024),
  batch: count(1000),
  depth: count(256, MAX_DEPTH, 'deeper values exceed the call stack'),
  responseBytes: count(8 * 1024 * 1024, 2 ** 28, 'a larger response may not fit into a string'),
  timeoutMs: interval(0),
}
