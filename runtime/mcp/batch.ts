import { type Awaitable, maybeAll, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { ResponseBudget, stepLimitOf } from '../call/scope.js'
import { RpcResponseTooLarge } from '../error.js'
import type { Settings } from '../options.js'
import {
  type Batch,
  type Decoded,
  type Exchange,
  errorTextOf,
  invalidRequest,
  McpError,
  responseTextOf,
  versionOf,
} from './protocol.js'

/** A message, or each one of a batch, without what is its own. */
export type BatchExchange = Omit<Exchange, 'message' | 'era'>

export function createBatch({ limits }: Settings, bodyBytes: number): Batch {
  return { steps: stepLimitOf(bodyBytes), budget: new ResponseBudget(limits.responseBytes) }
}

/** Returns the response to a message; undefined for a notification. Never throws or rejects. */
type RespondToOne = (message: Decoded, exchange: BatchExchange) => Awaitable<string | undefined>

/** Returns the list of the responses to a batch; undefined if it has no request. */
export function respondToBatch(
  messages: readonly Decoded[],
  exchange: BatchExchange & { readonly batch: Batch },
  respond: RespondToOne,
): Awaitable<string | undefined> {
  const { service, origin, batch } = exchange
  const { budget } = batch
  const tooLarge = ({ id }: Decoded, text?: string) => errorTextOf(new RpcResponseTooLarge(text), id, service, origin)
  const texts = maybeAll(messages, service.settings.concurrency, (sent) => {
    const message = checkBatched(sent)
    if (budget.isExceeded && message.id !== undefined) return tooLarge(message, 'Response too large: not called')
    return maybeThen(respond(message, exchange), (text) =>
      text === undefined || budget.take(text) ? text : tooLarge(message),
    )
  })
  return maybeThen(texts, (all) => {
    const sent = all.filter((text) => text !== undefined)
    return sent.length === 0 ? undefined : `[${sent.join(',')}]`
  })
}

function checkBatched(message: Decoded): Decoded {
  if (message instanceof McpError || message.id === undefined) return message
  if (message.method === 'initialize') return invalidRequest('initialize in a batch', message.id)
  return versionOf(message) === undefined ? message : invalidRequest('a version without batches in _meta', message.id)
}

/** Responds to a message of a batch that cannot be cancelled by another one. */
export function respondToBatched(message: Decoded, exchange: BatchExchange): Awaitable<string | undefined> {
  const { id } = message
  return maybeCatch<string | undefined>(
    () => {
      if (message instanceof McpError) throw message
      return id === undefined ? id : responseTextOf({ ...exchange, message: { ...message, id }, era: 'legacy' })
    },
    (error) => errorTextOf(error, id, exchange.service, exchange.origin),
  )
}
