import type { Call, Message, Misshapen } from './call.js'
import { type Awaitable, attempt, chain, each } from './chain.js'
import type { Codec } from './codec.js'
import { CallContext } from './context.js'
import { dispatch, fail } from './dispatch.js'
import type { Exchange } from './exchange.js'

/** An exchange whose answers are text. */
export type CodedExchange = Exchange & { readonly codec: Codec }

/** Runs every entry of a message and puts the answers together; undefined when there is nothing to send. */
export function replyTo(message: Message, exchange: CodedExchange): Awaitable<string | undefined> {
  return chain(
    each(message.entries, exchange.sequential, (entry) => replyToEntry(entry, exchange)),
    (replies) =>
      exchange.codec.encodeMessage(
        message,
        replies.filter((reply) => reply !== undefined),
      ),
  )
}

/** The answer to a body that could not be read. */
export function refuseMessage(error: unknown, exchange: CodedExchange): string | undefined {
  const { codec } = exchange
  return codec.encodeMessage({ batch: false }, [encodeFailure(undefined, error, new CallContext(exchange), codec)])
}

function replyToEntry(entry: Call | Misshapen, exchange: CodedExchange): Awaitable<string | undefined> {
  const context = new CallContext(exchange)
  const { codec } = exchange
  if ('error' in entry) return encodeFailure(entry, entry.error, context, codec)
  return attempt(
    () =>
      chain(dispatch(entry, context), (outcome) => {
        if (!entry.wantsReply) return undefined
        if (!outcome.ok) return codec.encodeError(entry, outcome.error)
        return codec.encodeResult(entry, outcome.type, outcome.value)
      }),
    (error) => encodeFailure(entry, error, context, codec),
  )
}

function encodeFailure(
  entry: Call | Misshapen | undefined,
  error: unknown,
  context: CallContext,
  codec: Codec,
): string {
  return codec.encodeError(entry, fail(error, context).error)
}
