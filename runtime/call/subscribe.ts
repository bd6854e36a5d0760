// What starts a subscription: a call of a procedure that returns an AsyncIterable, whose items may have the ids of their events. The loop over the
// items is in subscription.ts.
import { RpcInvalidRequest, RpcMethodNotFound } from '../error.js'
import type { CallContext } from './context.js'
import { type Awaitable, maybeThen } from './maybe-async.js'
import { callInner } from './middleware.js'
import { validate } from './params.js'
import type { ItemReceiver } from './scope.js'
import type { Call, CallSubscription, InnerMiddleware, Procedure } from './types.js'

/** The server has as many streams as it may. */
export class TooManyStreams extends RpcInvalidRequest {
  constructor(most: number) {
    super(`Invalid Request: more than ${most} streams at once`)
  }
}

/**
 * Starts the subscription of a call, inside of the middleware that runs after authorisation and after validation, and returns its id.
 *
 * @throws RpcInvalidParams, RpcMethodNotFound and RpcInvalidRequest
 */
export function startSubscription(procedure: Procedure, context: CallContext<Call>): Awaitable<string> {
  const { inner } = procedure
  // Middleware does not run for a transport that cannot send the items.
  return maybeThen(receiverFor(procedure, context), (receiver) =>
    inner
      ? subscribeInner(procedure, inner, context, receiver)
      : subscribe(procedure, validate(procedure, context), context, receiver),
  )
}

/** Resolves to the id of the subscription when it has begun. The middleware is around its items: for it, `next()` resolves after the last one. */
function subscribeInner(
  procedure: Procedure,
  inner: InnerMiddleware,
  context: CallContext<Call>,
  receiver: ItemReceiver,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (async () => {
      await callInner(procedure, inner, context, async (_procedure, args) => {
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

/**
 * Calls a procedure that is a subscription, and returns the id of the subscription.
 *
 * @param endedOf returns what the subscription ends with: its items, or the middleware around them
 */
function subscribe(
  procedure: Procedure,
  args: readonly unknown[],
  context: CallContext,
  receiver: ItemReceiver,
  endedOf: (subscription: CallSubscription) => Promise<unknown> = ({ items }) => items,
): Awaitable<string> {
  return maybeThen(procedure.invoke(args, context), (items) => {
    if (!isAsyncIterable(items))
      throw new TypeError(`${procedure.name} is a subscription and returned no AsyncIterable`)
    const subscription = begin(items[Symbol.asyncIterator](), context, receiver)
    context.subscription = subscription
    subscription.follow(endedOf(subscription))
    return subscription.id
  })
}

/** Begins a subscription. If it cannot begin, the iterator is closed: the procedure may have opened a connection for it. */
function begin(items: AsyncIterator<unknown>, context: CallContext, receiver: ItemReceiver): CallSubscription {
  try {
    context.throwIfAborted()
    return receiver.subscribe(items, context)
  } catch (error) {
    const close = async () => items.return?.()
    close().catch(() => {})
    throw error
  }
}

/**
 * Returns what sends the items of a subscription to the caller.
 *
 * @throws RpcMethodNotFound over a transport that cannot send them
 * @throws RpcInvalidRequest for a notification, which has no response for the id
 */
function receiverFor({ name }: Procedure, context: CallContext): Awaitable<ItemReceiver> {
  const { connection, openStream } = context.scope
  if (!context.call?.wantsReply) throw new RpcInvalidRequest('Invalid Request: a subscription needs an id')
  const receiver = connection ?? openStream?.(context)
  if (receiver) return receiver
  throw new RpcMethodNotFound(
    `Method not found: ${name} is a subscription, call it over WebSocket, or over HTTP with Accept: text/event-stream`,
  )
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** An item of a stream with the id of its event. */
export class ItemWithId {
  readonly id: string
  readonly item: unknown

  constructor(id: string, item: unknown) {
    this.id = id
    this.item = item
  }
}

/** What a header contains unchanged: visible ASCII, and spaces between. */
const allowed = /^[!-~](?:[ -~]{0,1022}[!-~])?$/

/**
 * Gives an item of a stream an id, for `yield` alone: over HTTP the event has the id, and a client that was disconnected calls again with
 * the last one, which the procedure reads from `context.lastEventId`. Over other transports the item is sent without it.
 *
 * @param id at most 1024 characters of ASCII without control characters, not beginning or ending with a space; a number as text
 * @example
 * for await (const tick of exchange.ticksAfter(context.lastEventId)) yield withEventId(tick.sequence, tick)
 * @throws TypeError for an id that is of another type, not finite, or that a header cannot contain
 */
export function withEventId<T>(id: string | number | bigint, item: T): T {
  const isId = typeof id === 'string' || typeof id === 'bigint' || Number.isFinite(id)
  const text = isId ? `${id}` : ''
  if (!allowed.test(text)) {
    const isPrintable = typeof id === 'number' || id == null
    const received = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : isPrintable ? id : typeof id
    throw new TypeError(
      `withEventId: expected 1 to 1024 characters of ASCII, a finite number or a bigint, got ${received}`,
    )
  }
  return new ItemWithId(text, item) as T
}
