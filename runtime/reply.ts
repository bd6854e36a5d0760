import type { Call, Message, Misshapen, Outcome } from './call.js'
import { type Awaitable, chain, each, isPromise } from './chain.js'
import type { Codec } from './codec.js'
import { CallContext } from './context.js'
import { dispatch, fail } from './dispatch.js'
import type { Exchange } from './exchange.js'

/** An exchange whose answers are text. */
export type CodedExchange = Exchange & { readonly codec: Codec }

/** Runs every entry of a message and puts the answers together; undefined when there is nothing to send. */
export function replyTo(message: Message, exchange: CodedExchange): Awaitable<string | undefined> {
  const replies = each(message.entries, exchange.sequential, (entry) => replyToEntry(entry, exchange))
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

function replyToEntry(entry: Call | Misshapen, exchange: CodedExchange): Awaitable<string | undefined> {
  const context = new CallContext(exchange)
  if ('error' in entry) return encodeFailure(entry, entry.error, context, exchange.codec)
  const outcome = dispatch(entry, context)
  return isPromise(outcome)
    ? outcome.then((settled) => encodeOutcome(entry, settled, context, exchange.codec))
    : encodeOutcome(entry, outcome, context, exchange.codec)
}

/** A value that the protocol cannot hold fails its own call, and no other. */
function encodeOutcome(
  entry: Call,
  outcome: Outcome,
  context: CallContext,
  codec: Codec,
): Awaitable<string | undefined> {
  if (!entry.wantsReply) return undefined
  if (!outcome.ok) return codec.encodeError(entry, outcome.error)
  try {
    return codec.encodeResult(entry, outcome.type, outcome.value)
  } catch (error) {
    return encodeFailure(entry, error, context, codec)
  }
}

function encodeFailure(
  entry: Call | Misshapen | undefined,
  error: unknown,
  context: CallContext,
  codec: Codec,
): Awaitable<string> {
  return chain(fail(error, context), (failure) => codec.encodeError(entry, failure.error))
}
