import { validate } from './bind.js'
import type { CallContext } from './context.js'
import type { Awaitable } from './maybe-async.js'
import { runMiddleware } from './middleware.js'
import type { ItemReceiver } from './scope.js'
import { subscribe } from './subscribe.js'
import type { Call, InnerMiddleware, Procedure } from './types.js'

/** Calls a procedure with valid arguments. */
type Invoke = (procedure: Procedure, args: readonly unknown[], context: CallContext) => Awaitable<unknown>

/** Validates the parameters and calls `invoke`, inside of the middleware that runs after authorisation and after validation. */
export function callInner(
  procedure: Procedure,
  inner: InnerMiddleware,
  call: Call,
  context: CallContext,
  invoke: Invoke,
): Awaitable<unknown> {
  if (inner.auth.length === 0) return validateAndInvoke(procedure, inner, call, context, invoke)
  return runMiddleware(inner.auth, context, () => validateAndInvoke(procedure, inner, call, context, invoke))
}

function validateAndInvoke(
  procedure: Procedure,
  { validation }: InnerMiddleware,
  call: Call,
  context: CallContext,
  invoke: Invoke,
): Awaitable<unknown> {
  const args = validate(procedure, call, context.scope)
  if (validation.length === 0) return invokeInTime(procedure, args, context, invoke)
  return runMiddleware(validation, context, () => invokeInTime(procedure, args, context, invoke))
}

/** Middleware may have waited, for a connection to its database for instance. */
function invokeInTime(
  procedure: Procedure,
  args: readonly unknown[],
  context: CallContext,
  invoke: Invoke,
): Awaitable<unknown> {
  context.throwIfTimedOut()
  return invoke(procedure, args, context)
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
