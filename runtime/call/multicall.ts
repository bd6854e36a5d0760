import { isRpcError, RpcInternalError, RpcInvalidRequest } from '../error.js'
import type { ErrorDetails } from '../values/describe.js'
import { isStruct } from '../values/predicates.js'
import { BoundedText } from './codec.js'
import { type Awaitable, maybeThen } from './maybe-async.js'
import { replyTo } from './reply.js'
import type { RequestScope } from './scope.js'
import type { Call, Codec, InvalidEntry } from './types.js'
import { UnreadableParam } from './unreadable.js'

export const multicallName = 'system.multicall'

/** Runs the entries of a multicall as those of a batch are run: one bad entry is one fault (Eric Kidd's text). */
export function multicall(entries: readonly unknown[], scope: RequestScope): Awaitable<BoundedText> {
  const { batch } = scope.settings.limits
  if (entries.length > batch) throw new RpcInvalidRequest(`Invalid Request: a multicall of more than ${batch} entries`)
  if (!isCoded(scope)) throw new RpcInternalError(`${multicallName} needs a protocol`)
  const { errorDetails } = scope.settings
  const message = { entries: entries.map((entry) => decodeEntry(entry, errorDetails)), batch: true }
  return maybeThen(replyTo(message, scope), (text = '') => new BoundedText(text))
}

function isCoded(scope: RequestScope): scope is RequestScope<Codec> {
  return scope.codec !== undefined
}

function decodeEntry(entry: unknown, details: ErrorDetails): Call | InvalidEntry {
  // A reader puts the error of a value that it could not read in the value's place.
  if (entry instanceof UnreadableParam) return { error: entry.named(details) }
  if (isRpcError(entry)) return { error: entry }
  if (!isStruct(entry)) return invalidEntry('an entry is a struct')
  const { methodName: method, params } = entry
  if (typeof method !== 'string') return invalidEntry('methodName: expected string')
  if (!Array.isArray(params)) return invalidEntry('params: expected array')
  if (method === multicallName) return invalidEntry('a multicall in a multicall')
  return { method, params, wantsReply: true }
}

function invalidEntry(reason: string): InvalidEntry {
  return { error: new RpcInvalidRequest(`Invalid Request: ${reason}`) }
}
