// A message to the text of its response. Each entry of a batch or a multicall runs as a call of its own, and fails alone:
//
//   [{ method: 'add', … }, { method: 'nope', … }]  →  [{"result":3,"id":1},{"error":{"code":-32601, …},"id":2}]
//
// handleText → codec.decode → replyTo → run → dispatch (dispatch.ts) → encodeReply → codec.encodeResult
import { RpcResponseTooLarge } from '../error.js'
import { decodeText } from '../platform/charset.js'
import { checkMessageSize } from './body-limits.js'
import { CallContext } from './context.js'
import { dispatch, locateInResult } from './dispatch.js'
import { concludeFailed } from './failure.js'
import { type Awaitable, isPending, maybeAll, maybeThen } from './maybe-async.js'
import { invalidValueError } from './params.js'
import { isWithin, ResponseBudget } from './response-budget.js'
import type { CallConnection, RequestScope } from './scope.js'
import { countWork } from './turns.js'
import type {
  Call,
  CallSubscription,
  Codec,
  Entry,
  FailedCall,
  InvalidEntry,
  Message,
  Multicall,
  Outcome,
} from './types.js'

/** The scope of a request in a protocol. */
type CodedScope = RequestScope<Codec>

/** The response to a message, and how the message failed, for entry points that report it in a way of their own. */
export interface Reply {
  /** Undefined if there is nothing to send, as for a notification. */
  readonly text: string | undefined
  /** Why the message cannot be read, or its only call failed. Entries of a batch or a multicall fail alone. */
  readonly failure?: FailedCall | undefined
  /** What the only call has started; its items may be the response instead of the text. */
  readonly subscription?: CallSubscription | undefined
}

/**
 * Returns the response to the text of a message. Never throws: what `readText` or the codec throws ends here, as the error of the
 * message.
 */
export function handleText(readText: () => string, scope: CodedScope): Awaitable<Reply> {
  try {
    const message = scope.codec.decode(readText(), scope.settings.limits)
    const reply = isPending(message) ? replyToLoaded(message, scope) : replyTo(message, scope)
    return isPending(reply) ? orReject(reply, scope) : reply
  } catch (error) {
    return rejectMessage(error, scope)
  }
}

/**
 * Returns the response to a message of a transport that has no charsets: a text, or bytes in UTF-8. Never throws. Its size is `bodyBytes` of the
 * scope.
 */
export function handleMessage(message: string | Uint8Array, scope: CodedScope): Awaitable<Reply> {
  return handleText(() => {
    checkMessageSize(scope.bodyBytes, scope.settings.bodyBounds)
    return typeof message === 'string' ? message : decodeText(message, undefined)
  }, scope)
}

function replyToLoaded(message: PromiseLike<Message>, scope: CodedScope): PromiseLike<Reply> {
  return message.then((decoded) => replyTo(decoded, scope))
}

function orReject(reply: PromiseLike<Reply>, scope: CodedScope): PromiseLike<Reply> {
  return reply.then(undefined, (error: unknown) => rejectMessage(error, scope))
}

/** Returns the response to a message that cannot be read, for `error`. */
export function rejectMessage(error: unknown, scope: CodedScope): Awaitable<Reply> {
  return concludeFailed(error, new CallContext(scope), (failure) => ({
    text: scope.codec.encodeError(undefined, failure.error),
    failure,
  }))
}

/** Runs every entry of a message. */
export function replyTo(message: Message, scope: CodedScope): Awaitable<Reply> {
  // Without the list of `replyToEntries` a call costs 8 % less, text to text.
  if (message.kind === 'single') return run(message.entries[0], scope, encodeReply)
  return message.kind === 'batch' ? replyToEntries(message.entries, scope) : replyToMulticall(message, scope)
}

function replyToMulticall({ call, entries }: Multicall, scope: CodedScope): Awaitable<Reply> {
  return dispatch(new CallContext(scope, call), (outcome, context) =>
    outcome.ok ? replyToEntries(entries, scope, call) : encodeReply(outcome, context),
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
    ? (entry: Entry) => runEntryOver(entry, scope, connection)
    : (entry: Entry) => runEntry(entry, scope)
  connection?.expect(entries)
  return maybeThen(maybeAll(entries, settings.concurrency, step), (texts) => {
    scope.budget = undefined
    return { text: codec.encodeMessage(texts.filter(isSent), multicall) }
  })
}

function isSent(text: string | undefined): text is string {
  return text !== undefined
}

function runEntryOver(entry: Entry, scope: CodedScope, connection: CallConnection): Awaitable<string | undefined> {
  const response = runEntry(entry, scope)
  connection.begun(entry, response)
  return maybeThen(response, (text) => {
    connection.keep(text)
    return text
  })
}

/** Returns the response to an entry of a batch or a multicall. */
function runEntry(entry: Entry, scope: CodedScope): Awaitable<string | undefined> {
  // A notification has no result that could be too large.
  if (scope.budget?.isExceeded && !('error' in entry) && entry.wantsReply) {
    return encodeTooLarge(entry, new CallContext(scope, entry), textOf, 'Response too large: not called')
  }
  return run(entry, scope, encodeEntry)
}

/** Runs an entry, and returns what `conclude` makes of its outcome. */
function run<T>(entry: Entry, scope: CodedScope, conclude: ConcludeEntry<T>): Awaitable<T> {
  if ('error' in entry) return rejectEntry(entry, scope, conclude)
  const context = new CallContext(scope, entry)
  const { connection } = scope
  return connection ? dispatchOver(connection, context, conclude) : dispatch(context, conclude)
}

type ConcludeEntry<T> = (outcome: Outcome, context: CallContext, entry?: Entry) => Awaitable<T>

function dispatchOver<T>(
  connection: CallConnection,
  context: CallContext<Call>,
  conclude: ConcludeEntry<T>,
): Awaitable<T> {
  return connection.run(context, () => dispatch(context, conclude))
}

function rejectEntry<T>(entry: InvalidEntry, scope: CodedScope, conclude: ConcludeEntry<T>): Awaitable<T> {
  const { error } = entry
  const { errorDetails } = scope.settings
  const thrown = 'path' in error ? invalidValueError(error, errorDetails) : error
  return concludeFailed(thrown, new CallContext(scope), (failure, context) => conclude(failure, context, entry))
}

/** Makes what the caller of an entry gets of its text, which is undefined for a notification. */
type MakeResponse<T> = (text: string | undefined, outcome: Outcome) => T

function replyOf(text: string | undefined, outcome: Outcome): Reply {
  return outcome.ok ? { text, failure: undefined, subscription: outcome.subscription } : { text, failure: outcome }
}

/** Of an entry of a batch or a multicall the text alone, since entries fail alone: with a reply for each, a batch takes 4 % more. */
function textOf(text: string | undefined): string | undefined {
  return text
}

/** Encodes the outcome of a single call. */
function encodeReply(outcome: Outcome, context: CallContext, entry?: Entry): Awaitable<Reply> {
  return encode(outcome, context, replyOf, entry)
}

/** Encodes the outcome of an entry of a batch or a multicall. */
function encodeEntry(outcome: Outcome, context: CallContext, entry?: Entry): Awaitable<string | undefined> {
  return encode(outcome, context, textOf, entry)
}

/** Encodes an outcome. A value that the protocol cannot represent fails its own call, and no other. */
function encode<T>(
  outcome: Outcome,
  context: CallContext,
  make: MakeResponse<T>,
  entry = context.call as Entry,
): Awaitable<T> {
  if ((entry as Call).wantsReply === false) return make(undefined, outcome)
  const { codec, budget, settings } = context.scope as CodedScope
  let text: string
  try {
    text = outcome.ok
      ? codec.encodeResult(entry as Call, outcome.value, outcome.procedure)
      : codec.encodeError(entry, outcome.error)
  } catch (error) {
    if (!outcome.ok) throw error
    const located = locateInResult(error, outcome.procedure)
    return concludeFailed(located, context, (failure) => encode(failure, context, make, entry))
  }
  countWork(text.length)
  const fits = budget ? budget.take(text) : isWithin(text, settings.limits.responseBytes)
  return fits ? make(text, outcome) : encodeTooLarge(entry, context, make)
}

/** `onError` gets the error, and cannot replace it: this one is known to be small. */
function encodeTooLarge<T>(entry: Entry, context: CallContext, make: MakeResponse<T>, message?: string): Awaitable<T> {
  const { codec } = context.scope as CodedScope
  const cause = new RpcResponseTooLarge(message)
  const error = { code: cause.code, message: cause.message }
  return concludeFailed(cause, context, (failure) =>
    make(codec.encodeError(entry, error), { ...failure, cause, error }),
  )
}
