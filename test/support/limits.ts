import { type CompleteLimits, type Limits, limitTable } from '../../runtime/call/limits.js'
import { completeOptions } from '../../runtime/option-table.js'

/** Returns the limits of a server that was passed these. */
export function completeLimits(limits: Limits = {}): CompleteLimits {
  return completeOptions(limits, 'RpcServer: limits', limitTable)
}
