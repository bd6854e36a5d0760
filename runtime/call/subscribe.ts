import { RpcInvalidRequest, RpcMethodNotFound } from '../error.js'
import type { CallContext } from './context.js'
import { type Awaitable, maybeThen } from './maybe-async.js'
import type { ItemReceiver } from './scope.js'
import type { CallSubscription, Procedure } from './types.js'

/** The server has as many streams as it may. */
export class TooManyStreams extends RpcInvalidRequest {
  constructor(most: number) {
    super(`Invalid Request: more than ${most} streams at once`)
  }
}

/**
 * Calls a procedure that is a subscription, and returns the id of the subscription.
 *
 * @param endedOf returns what the subscription ends with: its items, or the middleware around them
 */
export function subscribe(
  procedure: Procedure,
  args: readonly unknown[],
  context: CallContext,
  receiver: ItemReceiver,
  endedOf: (subscription: CallSubscription) => Promise<unknown> = ({ items }) => items,
): Awaitable<string> {
  return maybeThen(procedure.invoke(args, context), (items) => {
    if (!isAsyncIterable(items))
      throw new TypeError(`${procedure.name} is a subscription and returned no AsyncIterable`)
    context.throwIfTimedOut()
    const subscription = receiver.subscribe(items, context)
    context.subscription = subscription
    subscription.follow(endedOf(subscription))
    return subscription.id
  })
}

/**
 * Returns what sends the items of a subscription to the caller.
 *
 * @throws RpcMethodNotFound over a transport that cannot send them
 * @throws RpcInvalidRequest for a notification, which has no response for the id
 */
export function receiverFor({ name }: Procedure, context: CallContext): Awaitable<ItemReceiver> {
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
