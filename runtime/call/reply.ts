import { RpcResponseTooLarge } from '../error.js'
import { isObject } from '../values/predicates.js'
import { CallContext } from './context.js'
import { dispatch, fail } from './dispatch.js'
import { invalidValueError } from './invalid-params.js'
import { type Awaitable, isPromise, maybeAll, maybeThen } from './maybe-async.js'
import { ResponseBudget } from './request-limits.js'
import type { RequestScope } from './scope.js'
import { countWork, turnOfResult } from './turns.js'
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

/** Like `isPromise`, which sees objects of so many shapes that a small call would cost 4 % more. */
export function isPending(reply: Awaitable<Reply>): reply is PromiseLike<Reply> {
  return 'then' in reply
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
  return maybeThen(fail(error, new CallContext(scope)), (failure) =>
    encodeSingle({ text: scope.codec.encodeError(undefined, failure.error), failure }, scope),
  )
}

/** Runs every entry of a message. Entries count towards `limits.responseBytes` in the order in which they end. */
export function replyTo(message: Message, scope: CodedScope): Awaitable<Reply> {
  const budget = new ResponseBudget(scope.settings.limits.responseBytes)
  // Without the list of `replyToEntries` a call costs 8 % less, text to text.
  if (message.kind === 'single') {
    const reply = replyToEntry(message.entries[0], scope, budget)
    return isPending(reply) ? reply.then((settled) => encodeSingle(settled, scope)) : encodeSingle(reply, scope)
  }
  if (message.kind === 'batch') return replyToEntries(message, scope, budget)
  const context = new CallContext(scope, message.call)
  return maybeThen(dispatch(message.call, context), (outcome) => {
    if (outcome.ok) return replyToEntries(message, scope, budget)
    const reply = encode(message.call, outcome, context, budget)
    return maybeThen(reply, (settled) => encodeSingle(settled, scope))
  })
}

/** Most codecs return the text itself. */
function encodeSingle(reply: Reply, { codec }: CodedScope): Reply {
  const text = codec.encodeMessage('single', reply.text === undefined ? [] : [reply.text])
  return text === reply.text ? reply : { ...reply, text }
}

/** The requests that are batches or multicalls: a member of each scope would cost calls alone 2 %. */
const batches = new WeakSet<RequestScope>()

/** True if a request is a batch or a multicall. */
export function isBatch(scope: RequestScope): boolean {
  return batches.has(scope)
}

/** By what the host has passed with a request, the responses to entries of its batch, until it is complete. */
const keptResponses = new WeakMap<object, { characters: number }>()

/** Returns the characters of the responses that a request has, because its batch is not complete. */
export function keptCharacters(env: object): number {
  return keptResponses.get(env)?.characters ?? 0
}

function replyToEntries(message: Message, scope: CodedScope, budget: ResponseBudget): Awaitable<Reply> {
  batches.add(scope)
  const { connection, origin } = scope
  connection?.expect(message.entries)
  const kept = { characters: 0 }
  if (isObject(origin.env)) keptResponses.set(origin.env, kept)
  const textOf = ({ text }: Reply) => {
    connection?.keep(text)
    kept.characters += text?.length ?? 0
    return text
  }
  const replies = maybeAll(message.entries, scope.concurrency, (entry) => {
    const reply = replyToEntry(entry, scope, budget)
    connection?.begun(entry, reply)
    return isPending(reply) ? reply.then(textOf) : textOf(reply)
  })
  return maybeThen(replies, (texts) => {
    kept.characters = 0
    const sent = texts.filter((text) => text !== undefined)
    return { text: scope.codec.encodeMessage(message.kind, sent, (message as { readonly call?: Call }).call) }
  })
}

function replyToEntry(entry: Entry, scope: CodedScope, budget: ResponseBudget): Awaitable<Reply> {
  if ('error' in entry) {
    const context = new CallContext(scope)
    return maybeThen(fail(errorOf(entry, scope), context), (failure) => encode(entry, failure, context, budget))
  }
  const context = new CallContext(scope, entry)
  // A notification has no result that could be too large.
  if (budget.isExceeded && entry.wantsReply) {
    return encodeTooLarge(entry, context, 'Response too large: not called')
  }
  const { connection } = scope
  const outcome = connection ? connection.run(context, () => dispatch(entry, context)) : dispatch(entry, context)
  return isPromise(outcome)
    ? outcome.then((settled) => encodeInTurn(entry, settled, context, budget))
    : encode(entry, outcome, context, budget)
}

function errorOf({ error }: InvalidEntry, { settings }: CodedScope): Error {
  return 'path' in error ? invalidValueError(error, settings.errorDetails) : error
}

/** Encodes the outcome of an asynchronous call, in a later turn if others have used up this one. */
function encodeInTurn(entry: Entry, outcome: Outcome, context: CallContext, budget: ResponseBudget): Awaitable<Reply> {
  const encodeAndCount = () => {
    const reply = encode(entry, outcome, context, budget)
    if (!isPending(reply)) countWork(reply.text?.length ?? 0)
    return reply
  }
  const turn = turnOfResult()
  return turn ? turn.then(encodeAndCount) : encodeAndCount()
}

/** Encodes an outcome. A value that the protocol cannot represent fails its own call, and no other. */
function encode(entry: Entry, outcome: Outcome, context: CallContext, budget: ResponseBudget): Awaitable<Reply> {
  const failure = outcome.ok ? undefined : outcome
  if ((entry as Call).wantsReply === false) return { text: undefined, failure }
  const { codec } = context.scope as CodedScope
  let text: string
  try {
    text = outcome.ok
      ? codec.encodeResult(entry as Call, outcome.type, outcome.value)
      : codec.encodeError(entry, outcome.error)
  } catch (error) {
    if (failure) throw error
    return maybeThen(fail(error, context), (failed) => encode(entry, failed, context, budget))
  }
  return budget.take(text) ? { text, failure } : encodeTooLarge(entry, context)
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
