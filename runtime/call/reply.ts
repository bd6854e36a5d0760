import { RpcResponseTooLarge } from '../error.js'
import type { Call, Message, Misshapen, Outcome } from './call.js'
import { type Awaitable, chain, each, isPromise } from './chain.js'
import { BoundedText, type Codec } from './codec.js'
import { CallContext } from './context.js'
import { dispatch, fail } from './dispatch.js'
import type { Exchange } from './exchange.js'
import { ResponseBudget } from './response-budget.js'

/** An exchange whose answers are text. */
export type CodedExchange = Exchange & { readonly codec: Codec }

/**
 * Runs every entry of a message and puts the answers together; undefined when there is nothing to send. Entries count towards
 * `limits.responseBytes` in the order in which they end.
 */
export function replyTo(message: Message, exchange: CodedExchange): Awaitable<string | undefined> {
  const budget = new ResponseBudget(exchange.settings.limits.responseBytes)
  const replies = each(message.entries, exchange.sequential, (entry) => replyToEntry(entry, exchange, budget))
  return chain(replies, (texts) => exchange.codec.encodeMessage(message, texts.filter(isSent)))
}

function isSent(text: string | undefined): text is string {
  return text !== undefined
}

/** The answer to a body that could not be read. */
export function refuseMessage(error: unknown, exchange: CodedExchange): Awaitable<string | undefined> {
  const { codec } = exchange
  const reply = encodeFailure(undefined, error, new CallContext(exchange), codec)
  return chain(reply, (text) => codec.encodeMessage({ batch: false }, [text]))
}

function replyToEntry(
  entry: Call | Misshapen,
  exchange: CodedExchange,
  budget: ResponseBudget,
): Awaitable<string | undefined> {
  const context = new CallContext(exchange)
  const bounded = (text: string) => (budget.take(text) ? text : encodeTooLarge(entry, context, exchange.codec))
  if ('error' in entry) return chain(encodeFailure(entry, entry.error, context, exchange.codec), bounded)
  // A notification has no result that could be too large.
  if (budget.isExceeded && entry.wantsReply) {
    return encodeTooLarge(entry, context, exchange.codec, 'Response too large: not called')
  }
  const outcome = dispatch(entry, context)
  return isPromise(outcome)
    ? outcome.then((settled) => encodeOutcome(entry, settled, context, exchange.codec, bounded))
    : encodeOutcome(entry, outcome, context, exchange.codec, bounded)
}

/** `onError` gets the error, and cannot replace it: this one is known to be small. */
function encodeTooLarge(
  entry: Call | Misshapen,
  context: CallContext,
  codec: Codec,
  message?: string,
): Awaitable<string> {
  const error = new RpcResponseTooLarge(message)
  return chain(fail(error, context), () => codec.encodeError(entry, { code: error.code, message: error.message }))
}

/** A value that the protocol cannot hold fails its own call, and no other. */
function encodeOutcome(
  entry: Call,
  outcome: Outcome,
  context: CallContext,
  codec: Codec,
  bounded: (text: string) => Awaitable<string>,
): Awaitable<string | undefined> {
  if (!entry.wantsReply) return undefined
  if (!outcome.ok) return bounded(codec.encodeError(entry, outcome.error))
  let text: string
  try {
    text = codec.encodeResult(entry, outcome.type, outcome.value)
  } catch (error) {
    return chain(encodeFailure(entry, error, context, codec), bounded)
  }
  return outcome.value instanceof BoundedText ? text : bounded(text)
}

function encodeFailure(
  entry: Call | Misshapen | undefined,
  error: unknown,
  context: CallContext,
  codec: Codec,
): Awaitable<string> {
  return chain(fail(error, context), (failure) => codec.encodeError(entry, failure.error))
}
