import { checkOption, missingExport, type OptionTable, oneOf, optionsIn, shortText } from '../option-table.js'
import { MAX_NAME, truncate } from '../values/describe.js'
import type { CallContext } from './context.js'
import { type Awaitable, isPromise } from './maybe-async.js'
import { validate } from './params.js'
import type { Call, InnerMiddleware, Middleware, Next, Procedure, UseOptions } from './types.js'

/**
 * Runs a call through its middleware, outermost first, and returns the result of the outermost. Synchronous if the call is, and every
 * middleware returns the promise of `next()` unchanged or a value: with a promise for each, a batch takes twice as long.
 *
 * @param middleware one, or several
 * @param call authorises the caller, validates the parameters and calls the procedure
 */
export function runMiddleware(
  middleware: readonly Middleware[],
  context: CallContext,
  call: () => Awaitable<unknown>,
  index = 0,
): Awaitable<unknown> {
  let isCalled = false
  let promise: Promise<unknown> | undefined
  let inner: Awaitable<unknown>
  const next = (state?: object) => {
    if (isCalled) {
      const method = truncate(context.method, MAX_NAME)
      throw new Error(`middleware of ${method}: next() was called twice; a call runs once`)
    }
    isCalled = true
    try {
      if (state !== undefined) addState(context, state)
      inner = index + 1 < middleware.length ? runMiddleware(middleware, context, call, index + 1) : call()
      promise = Promise.resolve(inner)
      if (!isPromise(inner)) return promise
    } catch (error) {
      inner = promise = Promise.reject(error)
    }
    // A middleware that does not await next() must not end the process with an unhandled rejection.
    promise.catch(() => {})
    return promise
  }
  const result = (middleware[index] as Middleware)(context, next as Next)
  if (promise !== undefined && result === promise) return inner
  // It may change the result in place.
  if (typeof context.serialized?.result === 'object') context.serialized = undefined
  return result
}

/** @throws TypeError if it is not an object: `next` is also passed as a callback */
function addState(context: CallContext, state: object): void {
  if (typeof state !== 'object' || state === null) {
    throw new TypeError(
      `middleware of ${truncate(context.method, MAX_NAME)}: next() was passed ${shortText(state)}, expected an object`,
    )
  }
  context.state = { ...context.state, ...state }
}

/** Calls a procedure with valid arguments. */
type Invoke = (procedure: Procedure, args: readonly unknown[], context: CallContext) => Awaitable<unknown>

/** Validates the parameters and calls `invoke`, inside of the middleware that runs after authorisation and after validation. */
export function callInner(
  procedure: Procedure,
  { auth, validation }: InnerMiddleware,
  context: CallContext<Call>,
  invoke: Invoke,
): Awaitable<unknown> {
  return runIn(auth, context, () => {
    const args = validate(procedure, context)
    return runIn(validation, context, () => {
      // Middleware may have waited, for a connection to its database for instance.
      context.throwIfAborted()
      return invoke(procedure, args, context)
    })
  })
}

/** Runs a call inside of middleware, if there is any. */
function runIn(
  middleware: readonly Middleware[],
  context: CallContext,
  call: () => Awaitable<unknown>,
): Awaitable<unknown> {
  return middleware.length === 0 ? call() : runMiddleware(middleware, context, call)
}

const useOptions: OptionTable<UseOptions> = { after: oneOf('auth', 'validation') }

/**
 * Returns what a middleware runs after, if its options specify it.
 *
 * @throws TypeError for options that are undefined, do not exist or have a wrong value; so is an `after` that is undefined
 */
export function afterIn(passed: readonly [UseOptions?], owner: string): UseOptions['after'] {
  const options = optionsIn(passed, `${owner}.use`, useOptions) ?? {}
  // What is not set would run the middleware around the auth.
  if ('after' in options && options.after === undefined) {
    throw new TypeError(`${owner}.use: after is undefined, expected ${useOptions.after.expected}`)
  }
  checkOption(options.after, `${owner}.use: after`, useOptions.after)
  return options.after
}

/**
 * Returns the middleware, if it is one.
 *
 * @throws TypeError if it is not a function
 */
export function checkMiddleware(middleware: unknown, owner: string): Middleware {
  if (typeof middleware === 'function') return middleware as Middleware
  const why = middleware === undefined ? `. A middleware that is undefined here ${missingExport}` : ''
  throw new TypeError(`${owner}.use: expected a function, got ${shortText(middleware)}${why}`)
}
