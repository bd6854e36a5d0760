import { RpcResponseTooLarge } from '../error.js'
import { CallContext } from './context.js'
import { dispatch, fail } from './dispatch.js'
import { invalidValueError } from './invalid-params.js'
import { type Awaitable, isPromise, maybeAll, maybeCatch, maybeThen } from './maybe-async.js'
import { ResponseBudget } from './response-budget.js'
import type { RequestScope } from './scope.js'
import type { Call, Codec, Entry, InvalidEntry, Message, Outcome } from './types.js'

/** The scope of a request in a protocol. */
export type CodedScope = RequestScope<Codec>

/**
 * Returns the response to the text of a message; undefined if there is nothing to send.
 *
 * @param readText what it throws is the error of the message, if `isForCaller` does not return true for it
 * @throws errors for which `isForCaller` returns true
 */
export function handleText(
  readText: () => string,
  scope: CodedScope,
  isForCaller: (error: unknown) => boolean = () => false,
): Awaitable<string | undefined> {
  return maybeCatch(
    () => maybeThen(scope.codec.decode(readText(), scope.settings.limits), (message) => replyTo(message, scope)),
    (error) => {
      if (isForCaller(error)) throw error
      return rejectMessage(error, scope)
    },
  )
}

/** Returns the response to a body that cannot be read, for `error`. */
export function rejectMessage(error: unknown, scope: CodedScope): Awaitable<string | undefined> {
  const { codec } = scope
  const reply = encodeFailure(undefined, error, new CallContext(scope), codec)
  return maybeThen(reply, (text) => codec.encodeMessage('single', [text]))
}

/**
 * Runs every entry of a message and returns the response; undefined if there is nothing to send. Entries count towards
 * `limits.responseBytes` in the order in which they end.
 */
export function replyTo(message: Message, scope: CodedScope): Awaitable<string | undefined> {
  const budget = new ResponseBudget(scope.settings.limits.responseBytes)
  // Without the list of `replyToEntries` a call costs 8 % less, text to text.
  if (message.kind === 'single') {
    const reply = replyToEntry(message.entries[0], scope, budget)
    return isPromise(reply) ? reply.then((text) => encodeSingle(text, scope)) : encodeSingle(reply, scope)
  }
  if (message.kind === 'batch') return replyToEntries(message, scope, budget)
  const context = new CallContext(scope, message.call)
  return maybeThen(dispatch(message.call, context), (outcome) => {
    if (outcome.ok) return replyToEntries(message, scope, budget)
    const reply = encode(message.call, outcome, context, budget)
    return maybeThen(reply, (text) => encodeSingle(text, scope))
  })
}

function encodeSingle(reply: string | undefined, { codec }: CodedScope): string | undefined {
  return codec.encodeMessage('single', reply === undefined ? [] : [reply])
}

/** The requests that are batches or multicalls: a member of each scope would cost calls alone 2 %. */
const batches = new WeakSet<RequestScope>()

/** True if a request is a batch or a multicall. */
export function isBatch(scope: RequestScope): boolean {
  return batches.has(scope)
}

function replyToEntries(message: Message, scope: CodedScope, budget: ResponseBudget): Awaitable<string | undefined> {
  batches.add(scope)
  scope.connection?.expect(message.entries)
  const replies = maybeAll(message.entries, scope.concurrency, (entry) => replyToEntry(entry, scope, budget))
  return maybeThen(replies, (texts) => {
    // An entry fails alone.
    scope.rejection = undefined
    return scope.codec.encodeMessage(message.kind, texts.filter(isSent), 'call' in message ? message.call : undefined)
  })
}

function isSent(text: string | undefined): text is string {
  return text !== undefined
}

function replyToEntry(entry: Entry, scope: CodedScope, budget: ResponseBudget): Awaitable<string | undefined> {
  if ('error' in entry) {
    const context = new CallContext(scope)
    const reply = encodeFailure(entry, errorOf(entry, scope), context, scope.codec)
    return maybeThen(reply, (text) => bounded(text, entry, context, budget))
  }
  const context = new CallContext(scope, entry)
  // A notification has no result that could be too large.
  if (budget.isExceeded && entry.wantsReply) {
    return encodeTooLarge(entry, context, 'Response too large: not called')
  }
  const { connection } = scope
  const outcome = connection ? connection.run(context, () => dispatch(entry, context)) : dispatch(entry, context)
  return isPromise(outcome)
    ? outcome.then((settled) => encode(entry, settled, context, budget))
    : encode(entry, outcome, context, budget)
}

function errorOf({ error }: InvalidEntry, { settings }: CodedScope): Error {
  return 'path' in error ? invalidValueError(error, settings.errorDetails) : error
}

/** Encodes an outcome. A value that the protocol cannot represent fails its own call, and no other. */
function encode(
  call: Call,
  outcome: Outcome,
  context: CallContext,
  budget: ResponseBudget,
): Awaitable<string | undefined> {
  if (!call.wantsReply) return undefined
  const { codec } = context.scope as CodedScope
  if (!outcome.ok) return bounded(codec.encodeError(call, outcome.error), call, context, budget)
  let text: string
  try {
    text = codec.encodeResult(call, outcome.type, outcome.value)
  } catch (error) {
    return maybeThen(encodeFailure(call, error, context, codec), (failure) => bounded(failure, call, context, budget))
  }
  return bounded(text, call, context, budget)
}

/** Returns the text, or an error in its place where it exceeds the response. */
function bounded(text: string, entry: Entry, context: CallContext, budget: ResponseBudget): Awaitable<string> {
  return budget.take(text) ? text : encodeTooLarge(entry, context)
}

/** `onError` gets the error, and cannot replace it: this one is known to be small. */
function encodeTooLarge(entry: Entry, context: CallContext, message?: string): Awaitable<string> {
  const { codec } = context.scope as CodedScope
  const error = new RpcResponseTooLarge(message)
  return maybeThen(fail(error, context), () => codec.encodeError(entry, { code: error.code, message: error.message }))
}

function encodeFailure(
  entry: Entry | undefined,
  error: unknown,
  context: CallContext,
  codec: Codec,
): Awaitable<string> {
  return maybeThen(fail(error, context), (failure) => codec.encodeError(entry, failure.error))
}
