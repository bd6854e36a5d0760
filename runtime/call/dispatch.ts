// Runs one call, from the name of its procedure to its outcome; errors on this way end in failure.ts:
//
//   { method: 'add', params: [1, 2] }  →  resolve → authorize → validate → call → serialize  →  3
//   { method: 'nope', params: [] }     →  resolve  →  fail  →  -32601
import { RpcMethodNotFound, RpcTimeout, withoutStack } from '../error.js'
import { INVALID } from '../values/definition.js'
import { describeIssue, formatPath, quoteName, truncateMessage } from '../values/describe.js'
import { explain } from '../values/explain.js'
import { prefixPath, SerializationError } from '../values/serialize-unknown.js'
import { authorize } from './auth.js'
import { checkBody } from './body-limits.js'
import type { CallContext } from './context.js'
import { concludeFailed } from './failure.js'
import { type Awaitable, isPromise, maybeThen } from './maybe-async.js'
import { callInner, runMiddleware } from './middleware.js'
import { validate } from './params.js'
import type { RequestScope } from './scope.js'
import { startSubscription } from './subscribe.js'
import { countWork, turnOfResult } from './turns.js'
import type { Auth, Call, CompletedCall, Middleware, Outcome, Procedure } from './types.js'

/** Makes of the outcome of a call what the caller of `dispatch` returns, such as the text of the response. */
type Conclude<T> = (outcome: Outcome, context: CallContext) => Awaitable<T>

/**
 * Runs one call: resolve → authorize → validate → call → serialize, with the middleware around them, and returns what `conclude` makes of its
 * outcome. Throws only what `conclude` throws: the errors of predicates, middleware and the procedure end here, as an outcome. Synchronous
 * if the procedure, its predicates and its middleware are.
 */
export function dispatch<T>(context: CallContext<Call>, conclude: Conclude<T>): Awaitable<T> {
  const { call, scope } = context
  const { settings } = scope
  const procedure = settings.table.get(call.method)
  context.procedure = procedure
  const middleware = procedure ? procedure.middleware : settings.middleware
  const hasOuter = middleware !== undefined && middleware.length > 0
  if (!procedure && !hasOuter && settings.server.auth === undefined) {
    // To throw the error would take as long as the rest.
    return concludeFailed(methodNotFound(call), context, conclude)
  }
  let result: Awaitable<unknown>
  try {
    result = hasOuter ? runOuter(middleware, context) : callInTime(context)
    if (isPromise(result)) return concludeLater(result, context, conclude)
  } catch (error) {
    return concludeFailed(error, context, conclude)
  }
  return concludeReturned(result, context, conclude)
}

function concludeLater<T>(result: PromiseLike<unknown>, context: CallContext, conclude: Conclude<T>): Awaitable<T> {
  // The `then` of another library may return anything.
  return Promise.resolve(result).then(
    (value) => maybeThen(turnOfResult(value), () => concludeReturned(value, context, conclude)),
    (error) => concludeFailed(error, context, conclude),
  )
}

/** Concludes a call with the result of its procedure, or of the middleware around it, which may have changed it. */
function concludeReturned<T>(result: unknown, context: CallContext, conclude: Conclude<T>): Awaitable<T> {
  const { procedure } = context
  let outcome: Outcome
  try {
    const isPlain = procedure && !procedure.middleware && !procedure.inner && !procedure.subscription
    outcome = isPlain ? serializeResult(result, context) : outcomeOf(result, context, 'middleware')
    context.end()
  } catch (error) {
    return concludeFailed(error, context, conclude)
  }
  return conclude(outcome, context)
}

function runOuter(middleware: readonly Middleware[], context: CallContext<Call>): Awaitable<unknown> {
  return runMiddleware(middleware, context, () => resultForMiddleware(callInTime(context), context))
}

/** Runs the rest of a call, within its time limit if it has one. */
function callInTime(context: CallContext<Call>): Awaitable<unknown> {
  const { procedure, scope } = context
  const timeoutMs = procedure?.timeoutMs ?? scope.settings.limits.timeoutMs
  if (!timeoutMs || procedure?.noLimits) return authorizeAndCall(context)
  return rejectAfter(timeoutMs, context)
}

/** Authorises a call, then runs the rest. The server's auth applies to unknown names too: other callers do not find out which names exist. */
function authorizeAndCall(context: CallContext<Call>): Awaitable<unknown> {
  const { auth } = context.procedure ?? context.server
  const authorized = auth === undefined ? undefined : checkAuth(auth, context)
  return authorized ? callAuthorized(authorized, context) : validateAndCall(context)
}

function callAuthorized(authorized: PromiseLike<void>, context: CallContext<Call>): Promise<unknown> {
  return Promise.resolve(authorized).then(() => {
    const turn = turnOfResult()
    countWork(context.scope.bodyBytes)
    return maybeThen(turn, () => validateAndCall(context))
  })
}

function validateAndCall(context: CallContext<Call>): unknown {
  const { procedure, scope } = context
  if (!procedure || !isCallable(procedure, scope)) throw methodNotFound(context.call)
  // The caller may have cancelled the call before it began, or it timed out while a predicate was running.
  context.throwIfAborted()
  if (scope.bodyBytes > scope.settings.bodyBounds.smallest) checkBody(procedure, scope)
  if (procedure.subscription) return startSubscription(procedure, context)
  if (procedure.inner) return callInner(procedure, procedure.inner, context, invokeForMiddleware)
  return procedure.invoke(validate(procedure, context), context)
}

function methodNotFound({ method }: Call): RpcMethodNotFound {
  return withoutStack(() => new RpcMethodNotFound(undefined, { cause: `no method ${quoteName(method)}` }))
}

/** Calls the predicates, if this request needs their authorisation. */
export function checkAuth(auth: Auth | undefined, context: CallContext): Awaitable<void> {
  if (auth !== undefined && context.scope.requireAuth) return authorize(auth, context)
}

/** True if the protocol of a request may call the procedure. */
export function isCallable({ protocols }: Procedure, { codec }: RequestScope): boolean {
  return !codec || !protocols || protocols.includes(codec.protocol)
}

/** Rejects after the time limit, and aborts the signal of the call; what the call returns later is ignored. */
function rejectAfter(timeoutMs: number, context: CallContext<Call>): Promise<unknown> {
  const work = async () => authorizeAndCall(context)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new RpcTimeout()
      reject(error)
      context.abort(error)
    }, timeoutMs)
    const done = () => clearTimeout(timer)
    work().finally(done).then(resolve, reject)
  })
}

/** Calls a procedure for middleware that runs inside of the time limit: it does not commit what has failed for the client. */
function invokeForMiddleware(procedure: Procedure, args: readonly unknown[], context: CallContext): Awaitable<unknown> {
  const result = procedure.invoke(args, context)
  if (!isPromise(result)) {
    context.throwIfAborted()
    return resultForMiddleware(result, context)
  }
  return result.then((value) => {
    context.throwIfAborted()
    return resultForMiddleware(value, context, true)
  })
}

/**
 * Returns the result of a call, or a promise of it: middleware gets one that the client would not get as an error. It is not serialised again if the
 * middleware returns it and cannot have changed it.
 */
function resultForMiddleware(result: unknown, context: CallContext, isLate = false): Awaitable<unknown> {
  if (isPromise(result)) return result.then((value) => resultForMiddleware(value, context, true))
  const outcome = outcomeOf(result, context)
  // Of an object, as long as the middleware is synchronous and returns the promise of next(), as `runMiddleware` reports.
  if (isLate && typeof result === 'object' && result !== null) return result
  context.serialized = { result, outcome }
  return result
}

/** Returns the outcome of a call with this result; that of a subscription is its id, and not of the declared type. */
function outcomeOf(result: unknown, context: CallContext, source?: string): Outcome {
  const { procedure, subscription, serialized } = context
  if (serialized && result === serialized.result) return serialized.outcome
  if (!procedure?.subscription) return serializeResult(result, context, source)
  if (result === subscription?.id) return { ok: true, procedure, value: result, subscription }
  throw new TypeError(`${sourceOf(procedure, source)} changed the id of a subscription`)
}

/** Checks a result against the declared type and encodes it to values of the protocol; `source` names the function that returned it. */
export function serializeResult(result: unknown, context: CallContext, source?: string): CompletedCall {
  const { procedure, scope } = context
  if (!procedure) {
    throw new TypeError(
      `middleware returned a result for ${quoteName(context.method)}, which does not exist: throw the error of next(), or register it`,
    )
  }
  const { resultWire, settings } = scope
  // `attempt`, written out: a closure for each call costs 3 %.
  try {
    return { ok: true, procedure, value: procedure.write(result, resultWire) }
  } catch (error) {
    const located = error instanceof SerializationError ? prefixPath('result', error) : error
    if (error !== INVALID) throw locateInResult(located, procedure, source)
  }
  const [issue] = explain(procedure.returns.type, result, ['result'], settings.errorDetails)
  const reason = issue ? describeIssue(issue, formatPath(issue.path)) : 'it does not match'
  const returned = `${sourceOf(procedure, source)} returned a value that does not match its declared type`
  throw new TypeError(truncateMessage(`${returned}: ${reason}`))
}

/** Returns an error of serialising a result, whose path begins with `result`, with its procedure: `listOrders: result.lines[0]: a function cannot be serialised`. */
export function locateInResult(error: unknown, procedure: Procedure, source?: string): unknown {
  if (!(error instanceof SerializationError)) return error
  const { path, reason, cause } = error
  return new SerializationError(`${sourceOf(procedure, source)}: ${path}`, reason, { cause })
}

/** Returns what returned a result: the procedure, or a function around it. */
function sourceOf({ name }: Procedure, source: string | undefined): string {
  return source ? `${source} of ${name}` : name
}
