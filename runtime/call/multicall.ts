import { isRpcError, RpcInternalError, RpcInvalidRequest } from '../error.js'
import type { ErrorDetails } from '../values/describe.js'
import { isStruct } from '../values/predicates.js'
import type { Call, Misshapen } from './call.js'
import { type Awaitable, chain } from './chain.js'
import { BoundedText } from './codec.js'
import type { Exchange } from './exchange.js'
import { type CodedExchange, replyTo } from './reply.js'
import { UnreadableParam } from './unreadable.js'

export const multicallName = 'system.multicall'

/** Runs the entries of a multicall as those of a batch are run: one bad entry is one fault (Eric Kidd's text). */
export function multicall(entries: readonly unknown[], exchange: Exchange): Awaitable<BoundedText> {
  const { batch } = exchange.settings.limits
  if (entries.length > batch) throw new RpcInvalidRequest(`Invalid Request: a multicall of more than ${batch} entries`)
  if (!isCoded(exchange)) throw new RpcInternalError(`${multicallName} needs a protocol`)
  const { errorDetails } = exchange.settings
  const message = { entries: entries.map((entry) => decodeEntry(entry, errorDetails)), batch: true }
  return chain(replyTo(message, exchange), (text = '') => new BoundedText(text))
}

function isCoded(exchange: Exchange): exchange is CodedExchange {
  return exchange.codec !== undefined
}

function decodeEntry(entry: unknown, details: ErrorDetails): Call | Misshapen {
  // A reader puts the error of a value that it could not read in the value's place.
  if (entry instanceof UnreadableParam) return { error: entry.named(details) }
  if (isRpcError(entry)) return { error: entry }
  if (!isStruct(entry)) return misshapen('an entry is a struct')
  const { methodName: method, params } = entry
  if (typeof method !== 'string') return misshapen('methodName: expected string')
  if (!Array.isArray(params)) return misshapen('params: expected array')
  if (method === multicallName) return misshapen('a multicall in a multicall')
  return { method, params, wantsReply: true }
}

function misshapen(reason: string): Misshapen {
  return { error: new RpcInvalidRequest(`Invalid Request: ${reason}`) }
}
