import { maybeAll } from '../call/maybe-async.js'
import { ResponseBudget, stepLimitOf } from '../call/scope.js'
import { RpcResponseTooLarge } from '../error.js'
import {
  type Decoded,
  type Exchange,
  errorTextOf,
  invalidRequest,
  McpError,
  responseTextOf,
  versionOf,
} from './protocol.js'

/** What the messages of a batch share. */
export type BatchExchange = Omit<Exchange, 'message' | 'era'>

/** Returns the response to a message; undefined for a notification. Never rejects. */
type RespondToOne = (message: Decoded, exchange: BatchExchange) => Promise<string | undefined>

/** Returns the list of the responses to a batch; undefined if it has no request. */
export async function respondToBatch(
  messages: readonly Decoded[],
  exchange: BatchExchange,
  respond: RespondToOne,
): Promise<string | undefined> {
  const { service, origin, bodyBytes } = exchange
  const { limits, concurrency } = service.settings
  const budget = new ResponseBudget(limits.responseBytes)
  const shared = { ...exchange, steps: stepLimitOf(bodyBytes) }
  const tooLarge = ({ id }: Decoded, text?: string) => errorTextOf(new RpcResponseTooLarge(text), id, service, origin)
  const texts = await maybeAll(messages.map(checkBatched), concurrency, async (message) => {
    if (budget.isExceeded && message.id !== undefined) return tooLarge(message, 'Response too large: not called')
    const text = await respond(message, shared)
    return text === undefined || budget.take(text) ? text : tooLarge(message)
  })
  const sent = texts.filter((text) => text !== undefined)
  return sent.length === 0 ? undefined : `[${sent.join(',')}]`
}

function checkBatched(message: Decoded): Decoded {
  if (message instanceof McpError || message.id === undefined) return message
  if (message.method === 'initialize') return invalidRequest('initialize in a batch', message.id)
  return versionOf(message) === undefined ? message : invalidRequest('a version without batches in _meta', message.id)
}

/** Responds to a message of a batch that cannot be cancelled by another one. */
export async function respondToBatched(message: Decoded, exchange: BatchExchange): Promise<string | undefined> {
  const { id } = message
  try {
    if (message instanceof McpError) throw message
    if (id === undefined) return undefined
    return await responseTextOf({ ...exchange, message: { ...message, id }, era: 'legacy' })
  } catch (error) {
    return errorTextOf(error, id, exchange.service, exchange.origin)
  }
}
