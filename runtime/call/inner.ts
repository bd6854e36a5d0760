import { validate } from './bind.js'
import type { CallContext } from './context.js'
import type { Awaitable } from './maybe-async.js'
import { runMiddleware } from './middleware.js'
import type { ItemReceiver } from './scope.js'
import { subscribe } from './subscribe.js'
import type { Call, InnerMiddleware, Middleware, Procedure } from './types.js'

/** Calls a procedure with valid arguments. */
type Invoke = (procedure: Procedure, args: readonly unknown[], context: CallContext) => Awaitable<unknown>

/** Validates the parameters and calls `invoke`, inside of the middleware that runs after authorisation and after validation. */
export function callInner(
  procedure: Procedure,
  { auth, validation }: InnerMiddleware,
  call: Call,
  context: CallContext,
  invoke: Invoke,
): Awaitable<unknown> {
  return runIn(auth, context, () => {
    const args = validate(procedure, call, context.scope)
    return runIn(validation, context, () => {
      // Middleware may have waited, for a connection to its database for instance.
      context.throwIfTimedOut()
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

/** Resolves to the id of the subscription when it has begun. The middleware is around its items: for it, `next()` resolves after the last one. */
export function subscribeInner(
  procedure: Procedure,
  inner: InnerMiddleware,
  call: Call,
  context: CallContext,
  receiver: ItemReceiver,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (async () => {
      await callInner(procedure, inner, call, context, async (_procedure, args) => {
        await subscribe(procedure, args, context, receiver, () => Promise.resolve().then(() => ended))
        const { id, items } = context.subscription as NonNullable<typeof context.subscription>
        resolve(id)
        await items
      })
    })()
    // Without effect once the subscription has begun.
    ended.then(
      () => reject(new TypeError(`middleware of ${procedure.name} returned before the subscription began`)),
      reject,
    )
  })
}
