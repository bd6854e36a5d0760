import { RpcResponseTooLarge } from '../error.js'
import { CallContext } from './context.js'
import { dispatch } from './dispatch.js'
import { fail } from './failure.js'
import { invalidValueError } from './invalid-params.js'
import { type Awaitable, isPending, isPromise, maybeAll, maybeThen } from './maybe-async.js'
import { type CallConnection, isWithin, type RequestScope, ResponseBudget } from './scope.js'
import { countWork } from './turns.js'
import type { Call, Codec, Entry, Failure, InvalidEntry, Message, Outcome } from './types.js'

/** The scope of a request in a protocol. */
export type CodedScope = RequestScope<Codec>

/** The response to a message, and how the message failed, for entry points that report it in a way of their own. */
export interface Reply {
  /** Undefined if there is nothing to send, as for a notification. */
  readonly text: string | undefined
  /** Why the message cannot be read, or its only call failed. Entries of a batch or a multicall fail alone. */
  readonly failure?: Failure | undefined
}

/**
 * Returns the response to the text of a message. Never throws: what `readText` or the codec throws ends here, as the error of the
 * message.
 */
export function handleText(readText: () => string, scope: CodedScope): Awaitable<Reply> {
  const reject = (error: unknown) => rejectMessage(error, scope)
  try {
    const message = scope.codec.decode(readText(), scope.settings.limits)
    const reply = isPromise(message)
      ? Promise.resolve(message).then((decoded) => replyTo(decoded, scope))
      : replyTo(message, scope)
    return isPending(reply) ? reply.then(undefined, reject) : reply
  } catch (error) {
    return reject(error)
  }
}

/** Returns the response to a message that cannot be read, for `error`. */
export function rejectMessage(error: unknown, scope: CodedScope): Awaitable<Reply> {
  return maybeThen(fail(error, new CallContext(scope)), (failure) => ({
    text: scope.codec.encodeError(undefined, failure.error),
    failure,
  }))
}

/** Runs every entry of a message. */
export function replyTo(message: Message, scope: CodedScope): Awaitable<Reply> {
  // Without the list of `replyToEntries` a call costs 8 % less, text to text.
  if (message.kind === 'single') return replyToEntry(message.entries[0], scope)
  if (message.kind === 'batch') return replyToEntries(message.entries, scope)
  const { call, entries } = message
  return dispatch(call, new CallContext(scope, call), (outcome, context) =>
    outcome.ok ? replyToEntries(entries, scope, call) : encode(outcome, context),
  )
}

/**
 * Runs the entries of a batch, or those of a multicall, whose call is `multicall`. They count towards `limits.responseBytes` in the order in which
 * they end.
 */
function replyToEntries(entries: readonly Entry[], scope: CodedScope, multicall?: Call): Awaitable<Reply> {
  const { codec, connection, settings } = scope
  scope.budget = new ResponseBudget(settings.limits.responseBytes)
  const step = connection
    ? (entry: Entry) => replyOverConnection(entry, scope, connection)
    : (entry: Entry) => replyToEntry(entry, scope)
  connection?.expect(entries)
  return maybeThen(maybeAll(entries, scope.concurrency, step), (replies) => {
    scope.budget = undefined
    const sent: string[] = []
    for (const { text } of replies) if (text !== undefined) sent.push(text)
    return { text: codec.encodeMessage(sent, multicall) }
  })
}

function replyOverConnection(entry: Entry, scope: CodedScope, connection: CallConnection): Awaitable<Reply> {
  const reply = replyToEntry(entry, scope)
  connection.begun(entry, reply)
  return maybeThen(reply, (settled) => {
    connection.keep(settled.text)
    return settled
  })
}

function replyToEntry(entry: Entry, scope: CodedScope): Awaitable<Reply> {
  if ('error' in entry) {
    const context = new CallContext(scope)
    return maybeThen(fail(errorOf(entry, scope), context), (failure) => encode(failure, context, entry))
  }
  const context = new CallContext(scope, entry)
  const { budget, connection } = scope
  // A notification has no result that could be too large.
  if (budget?.isExceeded && entry.wantsReply) {
    return encodeTooLarge(entry, context, 'Response too large: not called')
  }
  return connection ? connection.run(context, () => dispatch(entry, context, encode)) : dispatch(entry, context, encode)
}

function errorOf({ error }: InvalidEntry, { settings }: CodedScope): Error {
  return 'path' in error ? invalidValueError(error, settings.errorDetails) : error
}

/** Encodes an outcome. A value that the protocol cannot represent fails its own call, and no other. */
function encode(outcome: Outcome, context: CallContext, entry = context.call as Entry): Awaitable<Reply> {
  const failure = outcome.ok ? undefined : outcome
  if ((entry as Call).wantsReply === false) return { text: undefined, failure }
  const { codec, budget, settings } = context.scope as CodedScope
  let text: string
  try {
    text = outcome.ok
      ? codec.encodeResult(entry as Call, outcome.type, outcome.value)
      : codec.encodeError(entry, outcome.error)
  } catch (error) {
    if (failure) throw error
    return maybeThen(fail(error, context), (failed) => encode(failed, context, entry))
  }
  countWork(text.length)
  const fits = budget ? budget.take(text) : isWithin(text, settings.limits.responseBytes)
  if (!fits) return encodeTooLarge(entry, context)
  // Entries of a batch or a multicall fail alone.
  return { text, failure: budget ? undefined : failure }
}

/** `onError` gets the error, and cannot replace it: this one is known to be small. */
function encodeTooLarge(entry: Entry, context: CallContext, message?: string): Awaitable<Reply> {
  const { codec } = context.scope as CodedScope
  const cause = new RpcResponseTooLarge(message)
  const error = { code: cause.code, message: cause.message }
  return maybeThen(fail(cause, context), () => ({
    text: codec.encodeError(entry, error),
    failure: { ok: false, cause, error },
  }))
}
