// Where errors end. What a predicate, middleware, a procedure, a codec or an entry point throws becomes what the client gets, once:
//
//   throw new RpcError(404, 'no such book')  →  onError  →  code 404, message, data
//   throw new Error('connect ECONNREFUSED')  →  onError  →  -32603, "Internal error"
//
// Who calls `fail`: the table in docs/internals/architecture.md, A request.
//
// All other errors are the host's: nodeHandler passes them to `next`, the Hono app to its `onError`, and the promise of server.fetch rejects.
import { ErrorCode, isRejection, isRpcError, RpcError } from '../error.js'
import { attempt, INVALID } from '../values/definition.js'
import { describeReceived } from '../values/describe.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import { localScalars } from '../values/wire.js'
import type { CallContext } from './context.js'
import { type Awaitable, isPending, maybeCatch, maybeThen } from './maybe-async.js'
import type { FailedCall, WireError } from './types.js'

/**
 * Ends a call that failed. The only place that decides which error details reach the client. Never throws, and what it returns never
 * rejects, whatever was thrown: a proxy, an error with members that throw, a promise.
 */
export function fail(error: unknown, context: CallContext): Awaitable<FailedCall> {
  context.subscription?.end()
  context.end()
  const reported = report(error, context)
  return isPending(reported)
    ? reported.then(({ shown }) => failedCall(shown, context, error))
    : failedCall(reported.shown, context, error)
}

/** Ends a call that failed, as `fail` does, and returns what `conclude` makes of it. */
export function concludeFailed<T>(
  error: unknown,
  context: CallContext,
  conclude: (failure: FailedCall, context: CallContext) => Awaitable<T>,
): Awaitable<T> {
  const failure = fail(error, context)
  return isPending(failure) ? failure.then((settled) => conclude(settled, context)) : conclude(failure, context)
}

const internalError: WireError = { code: ErrorCode.INTERNAL_ERROR, message: 'Internal error' }

/** What cannot be read of an error is reported, and not sent. */
function failedCall(cause: unknown, context: CallContext, thrown: unknown): Awaitable<FailedCall> {
  const { auth } = context.procedure ?? context.server
  let error = internalError
  try {
    if (isRpcError(cause)) {
      error = { code: integerCode(cause.code), message: String(cause.message) }
      const { data } = cause
      if (data !== undefined) error = { ...error, data: encodeData(error.code, data, context) }
    }
  } catch (unreadable) {
    const failure: FailedCall = { ok: false, thrown, cause, error, auth }
    return maybeThen(report(unreadable, context), () => failure)
  }
  return { ok: false, thrown, cause, error, auth }
}

/** Encodes the data of a declared error as its class declares it; any other data by its JavaScript type. */
function encodeData(code: number, data: unknown, { procedure, scope }: CallContext): unknown {
  const wire = scope.codec?.wires.encode
  for (const { code: own, data: type } of procedure?.throws ?? []) {
    const encoded = wire && type && own === code ? attempt(type, data, wire) : INVALID
    if (encoded !== INVALID) return encoded
  }
  return serializeUnknown(data, wire?.scalars ?? localScalars, 'data')
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
  const { onError } = context.scope.settings
  return maybeCatch<Reported>(
    () =>
      maybeThen(onError(asError(error, context), context), (instead) => ({
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
function asError(thrown: unknown, { procedure, scope }: CallContext): Error {
  const location = procedure ? `${procedure.name}: ` : ''
  try {
    ignoreRejection(isRejection(thrown) ? thrown.cause : thrown)
    if (thrown instanceof Error || isRpcError(thrown)) return thrown
    // An Error of another realm, or a DOMException where that does not extend Error.
    if (/Error|DOMException/.test(Object.prototype.toString.call(thrown))) return thrown as Error
    return notAnError(location, describeReceived(thrown, scope.settings.errorDetails), thrown)
  } catch {
    return notAnError(location, 'an object that cannot be read', thrown)
  }
}

function notAnError(location: string, description: string, cause: unknown): Error {
  return new Error(`${location}not an Error was thrown: ${description}`, { cause })
}
