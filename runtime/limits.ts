/** What a server puts up with; all are checked before a procedure runs. */
export interface Limits {
  /** Bytes of a request body; beyond it 413 and nothing is parsed. Default 4 MiB. */
  readonly bodyBytes: number
  /** Entries of a batch or a multicall; beyond it -32600. Default 1000. */
  readonly batch: number
  /** Nested arrays and objects; beyond it -32600. Default 256. */
  readonly depth: number
  /**
   * Bytes of an XML-RPC request that is written in an odd way (attributes, namespaces), which takes a reader that is many
   * times slower; beyond it -32600. Default 256 KiB.
   */
  readonly xmlSlowBytes: number
  /** Milliseconds that one call may take; beyond it -32603 "Timed out". Default: no limit, and no timer is made. */
  readonly timeoutMs?: number
}

const defaults: Limits = { bodyBytes: 4 * 1024 * 1024, batch: 1000, depth: 256, xmlSlowBytes: 256 * 1024 }

/** Fills in the defaults; throws a RangeError that names a limit which is no positive number. */
export function completeLimits(limits: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    const known = name in defaults || name === 'timeoutMs'
    if (!known) throw new RangeError(`limits.${name}: there is no such limit`)
    if (value !== undefined && !(value > 0)) throw new RangeError(`limits.${name}: ${value} is not a positive number`)
  }
  return { ...defaults, ...limits }
}
