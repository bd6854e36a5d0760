// Runs one call, from the name of its procedure to its outcome, and makes the errors on this way the error of the call:
//
//   { name: 'add', params: [1, 2] }  →  resolve → authorize → validate → call → serialize  →  3
//   { name: 'nope', params: [] }     →  resolve  →  fail  →  -32601
import {
  AuthenticationError,
  ErrorCode,
  ForbiddenError,
  isRpcError,
  RpcError,
  RpcMethodNotFound,
  RpcTimeout,
  withoutStack,
} from '../error.js'
import { attempt, INVALID } from '../values/definition.js'
import {
  boundMessage,
  describeIssue,
  describeReceived,
  type ErrorDetails,
  formatPath,
  quoteName,
} from '../values/describe.js'
import { explain } from '../values/explain.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import { localScalars, type WireScalars } from '../values/wire.js'
import { authorize } from './auth.js'
import { validate } from './bind.js'
import { BodyTooLarge, checkBody } from './body-limits.js'
import type { CallContext } from './context.js'
import { callInner, subscribeInner } from './inner.js'
import { type Awaitable, isPending, isPromise, maybeCatch, maybeThen } from './maybe-async.js'
import { runMiddleware } from './middleware.js'
import type { RequestScope } from './scope.js'
import { receiverFor, subscribe } from './subscribe.js'
import { countWork, turnOfResult } from './turns.js'
import type { Auth, Call, Failure, Middleware, Outcome, Procedure, WireError } from './types.js'

/**
 * Runs one call: resolve → authorize → validate → call → serialize, with the middleware around them, and returns what `conclude` makes of its
 * outcome. Never throws: the errors of predicates, middleware and the procedure end here, as an outcome. Synchronous
 * if the procedure, its predicates and its middleware are. What `maybeThen` and `maybeCatch` do is written out here and where the
 * reply is made: without their closures a call costs 4 to 6 % less, text to text.
 */
export function dispatch<T>(
  call: Call,
  context: CallContext,
  conclude: (outcome: Outcome, context: CallContext) => Awaitable<T>,
): Awaitable<T> {
  const { settings } = context.scope
  const procedure = settings.table.get(call.method)
  context.procedure = procedure
  const middleware = procedure ? procedure.middleware : settings.middleware
  const isInside = middleware !== undefined && middleware.length > 0
  const isOfMiddleware = isInside || procedure?.inner !== undefined
  let outcome: Awaitable<Outcome>
  try {
    if (!procedure && !isInside && settings.server.auth === undefined) {
      // To throw the error would take as long as the rest.
      return concluded(fail(methodNotFound(call), context), context, conclude)
    }
    const result = isInside ? runInside(middleware, call, context) : callInTime(call, context)
    if (isPromise(result)) {
      // The `then` of another library may return anything.
      return Promise.resolve(result).then(
        (value) =>
          maybeThen(turnOfResult(value), () => concluded(end(value, context, isOfMiddleware), context, conclude)),
        (error) => concluded(fail(error, context), context, conclude),
      )
    }
    outcome = end(result, context, isOfMiddleware)
  } catch (error) {
    outcome = fail(error, context)
  }
  return concluded(outcome, context, conclude)
}

function concluded<T>(
  outcome: Awaitable<Outcome>,
  context: CallContext,
  conclude: (outcome: Outcome, context: CallContext) => Awaitable<T>,
): Awaitable<T> {
  return isPending(outcome) ? outcome.then((settled) => conclude(settled, context)) : conclude(outcome, context)
}

/** Ends a call with the result of its procedure, or of the middleware around it, which may have changed it. */
function end(result: unknown, context: CallContext, isOfMiddleware: boolean): Awaitable<Outcome> {
  try {
    const isPlain = !isOfMiddleware && !context.procedure?.subscription
    const outcome = isPlain ? serializeResult(result, context) : serialize(result, context, 'middleware')
    context.end()
    return outcome
  } catch (error) {
    return fail(error, context)
  }
}

function runInside(middleware: readonly Middleware[], call: Call, context: CallContext): Awaitable<unknown> {
  return runMiddleware(middleware, context, () => checkedForMiddleware(callInTime(call, context), context))
}

function callInTime(call: Call, context: CallContext): Awaitable<unknown> {
  const { procedure, scope } = context
  const timeoutMs = procedure?.timeoutMs ?? scope.settings.limits.timeoutMs
  if (!timeoutMs || procedure?.noLimits) return authorizeAndCall(call, context)
  return within(timeoutMs, context, async () => authorizeAndCall(call, context))
}

/** The server's auth applies to unknown names too, so that callers without authorisation cannot find out which names exist. */
function authorizeAndCall(call: Call, context: CallContext): Awaitable<unknown> {
  const { auth } = context.procedure ?? context.server
  const authorized = auth === undefined ? undefined : checkAuth(auth, context)
  if (!authorized) return validateAndCall(call, context)
  return Promise.resolve(authorized).then(() => {
    const turn = turnOfResult()
    countWork(context.scope.bodyBytes)
    return maybeThen(turn, () => validateAndCall(call, context))
  })
}

function validateAndCall(call: Call, context: CallContext): unknown {
  const { procedure, scope } = context
  if (!procedure || !isCallable(procedure, scope)) {
    throw methodNotFound(call)
  }
  // The caller may have cancelled the call before it began, or it timed out while a predicate was running.
  context.throwIfTimedOut()
  if (scope.bodyBytes > scope.settings.bodyBounds.smallest) checkBody(procedure, scope)
  const { inner } = procedure
  if (procedure.subscription) {
    // Middleware does not run for a transport that cannot send the items.
    return maybeThen(receiverFor(procedure, context), (receiver) =>
      inner
        ? subscribeInner(procedure, inner, call, context, receiver)
        : subscribe(procedure, validate(procedure, call, scope), context, receiver),
    )
  }
  if (inner) return callInner(procedure, inner, call, context, invokeForMiddleware)
  return procedure.invoke(validate(procedure, call, scope), context)
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

/** Rejects after the time limit, and aborts the signal of the call; what the work returns later is ignored. */
function within<T>(timeoutMs: number, context: CallContext, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new RpcTimeout()
      reject(error)
      context.timeOut(error)
    }, timeoutMs)
    const done = () => clearTimeout(timer)
    work().finally(done).then(resolve, reject)
  })
}

/** Calls a procedure for middleware that runs inside of the time limit: it does not commit what has failed for the client. */
function invokeForMiddleware(procedure: Procedure, args: readonly unknown[], context: CallContext): Awaitable<unknown> {
  const result = procedure.invoke(args, context)
  if (!isPromise(result)) {
    context.throwIfTimedOut()
    return checkedForMiddleware(result, context)
  }
  return result.then((value) => {
    context.throwIfTimedOut()
    return checkedForMiddleware(value, context, true)
  })
}

/**
 * Returns the result of a call, or a promise of it: middleware gets one that the client would not get as an error. It is not serialised again if the
 * middleware returns it and cannot have changed it.
 */
function checkedForMiddleware(result: unknown, context: CallContext, isLate = false): Awaitable<unknown> {
  if (isPromise(result)) return result.then((value) => checkedForMiddleware(value, context, true))
  const outcome = serialize(result, context)
  // Of an object, as long as the middleware is synchronous and returns the promise of next(), as `runMiddleware` reports.
  if (isLate && typeof result === 'object' && result !== null) return result
  context.checkedResult = result
  context.checkedOutcome = outcome
  return result
}

/** Ends a call with its result; that of a subscription is its id, and not of the declared type. */
function serialize(result: unknown, context: CallContext, source?: string): Outcome {
  const { procedure, subscription, checkedOutcome } = context
  if (checkedOutcome !== undefined && result === context.checkedResult) return checkedOutcome
  if (!procedure?.subscription) return serializeResult(result, context, source)
  if (result === subscription?.id) return { ok: true, type: procedure.returns.type, value: result }
  throw new TypeError(`${source} of ${procedure.name} changed the id of a subscription`)
}

/** Checks a result against the declared type and encodes it to values of the protocol; `source` names the function that returned it. */
export function serializeResult(result: unknown, context: CallContext, source?: string): Outcome {
  const { procedure, scope } = context
  if (!procedure) {
    throw new TypeError(
      `middleware returned a result for ${quoteName(context.method)}, which does not exist: throw the error of next(), or register it`,
    )
  }
  const { resultWire, settings } = scope
  const { type } = procedure.returns
  // `attempt`, written out: a closure for each call costs 3 %.
  try {
    return { ok: true, type, value: procedure.write(result, resultWire) }
  } catch (error) {
    if (error !== INVALID) throw error
  }
  const [issue] = explain(type, result, ['result'], settings.errorDetails)
  const reason = issue ? describeIssue(issue, formatPath(issue.path)) : 'it does not match'
  const returned = `${source ? `${source} of ` : ''}${procedure.name} returned a value that does not match its declared type`
  throw new TypeError(boundMessage(`${returned}: ${reason}`))
}

function scalarsOf({ codec }: RequestScope): WireScalars {
  return codec?.wires.encode.scalars ?? localScalars
}

/**
 * Ends a call that failed. The only place that decides which error details reach the client. Never throws, and what it returns never
 * rejects, whatever was thrown: a proxy, an error with members that throw, a promise.
 */
export function fail(error: unknown, context: CallContext): Awaitable<Failure> {
  context.subscription?.end()
  context.end()
  const reported = report(error, context)
  return isPending(reported)
    ? reported.then(({ shown }) => failureOf(shown, context))
    : failureOf(reported.shown, context)
}

const internalError: WireError = { code: ErrorCode.INTERNAL_ERROR, message: 'Internal error' }

/** What cannot be read of an error is reported, and not sent. */
function failureOf(cause: unknown, context: CallContext): Awaitable<Failure> {
  const { auth } = context.procedure ?? context.server
  let error = internalError
  let bodyLimit: number | undefined
  try {
    if (isRpcError(cause)) {
      error = { code: integerCode(cause.code), message: String(cause.message) }
      const { data } = cause
      if (data !== undefined) error = { ...error, data: encodeData(error.code, data, context) }
      if (cause instanceof BodyTooLarge) bodyLimit = cause.limit
    }
  } catch (unreadable) {
    const failure: Failure = { ok: false, cause, error, auth }
    return maybeThen(report(unreadable, context), () => failure)
  }
  return { ok: false, cause, error, bodyLimit, auth }
}

/** Encodes the data of a declared error as its class declares it; any other data by its JavaScript type. */
function encodeData(code: number, data: unknown, { procedure, scope }: CallContext): unknown {
  const wire = scope.codec?.wires.encode
  for (const { code: own, data: type } of procedure?.throws ?? []) {
    const encoded = wire && type && own === code ? attempt(type, data, wire) : INVALID
    if (encoded !== INVALID) return encoded
  }
  return serializeUnknown(data, scalarsOf(scope), 'data')
}

/** "code … MUST be an integer" (JSON-RPC 2.0 section 5.1): another one becomes that of an internal error. */
function integerCode(code: unknown): number {
  return Number.isInteger(code) ? (code as number) : ErrorCode.INTERNAL_ERROR
}

/** The error of which the client gets what may be sent. Not the error alone, which may be a promise. */
interface Reported {
  readonly shown: unknown
}

/**
 * Passes an error to `onError`, waits for its result, and returns the RpcError to send instead, or the error itself. That a
 * client disconnected or cancelled the call is not an error. Never throws, and what it returns never rejects.
 */
function report(error: unknown, context: CallContext): Awaitable<Reported> {
  if (!isRpcError(error)) {
    if (context.isCancellation(error)) {
      return { shown: new RpcError(ErrorCode.REQUEST_CANCELLED, 'Request cancelled') }
    }
    if (context.isDisconnect(error)) return { shown: error }
  }
  const { onError, errorDetails } = context.scope.settings
  return maybeCatch<Reported>(
    () =>
      maybeThen(onError(asError(error, errorDetails), context), (instead) => ({
        shown: isRpcError(instead) ? instead : error,
      })),
    (failure) => {
      ignoreRejection(failure)
      printFailure(failure)
      return { shown: error }
    },
  )
}

/** Without a listener, a promise that was thrown and rejects would end the process. */
function ignoreRejection(thrown: unknown): void {
  try {
    if (thrown instanceof Promise) thrown.catch(() => {})
  } catch {}
}

/** Printing reads members, too, and the console may be the user's. */
function printFailure(failure: unknown): void {
  for (const shown of [failure, 'with an error that cannot be printed']) {
    try {
      console.error('onError failed:', shown)
      return
    } catch {}
  }
}

/** Returns what was thrown as an Error that loggers can serialise. */
function asError(thrown: unknown, details: ErrorDetails): Error {
  try {
    const isRejection = thrown instanceof AuthenticationError || thrown instanceof ForbiddenError
    ignoreRejection(isRejection ? thrown.cause : thrown)
    if (thrown instanceof Error || isRpcError(thrown)) return thrown
    // An Error of another realm, or a DOMException where that does not extend Error.
    if (/Error|DOMException/.test(Object.prototype.toString.call(thrown))) return thrown as Error
    return notAnError(describeReceived(thrown, details), thrown)
  } catch {
    return notAnError('an object that cannot be read', thrown)
  }
}

function notAnError(description: string, cause: unknown): Error {
  return new Error(`not an Error was thrown: ${description}`, { cause })
}
