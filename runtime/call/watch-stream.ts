import { RpcTimeout } from '../error.js'
import { onAbort } from '../platform/on-abort.js'
import { repeat } from '../platform/timers.js'
import type { CallContext } from './context.js'
import { createScope, withRequest } from './scope.js'
import { TooManyStreams } from './subscribe.js'
import type { Subscription } from './subscription.js'
import type { CallServer } from './types.js'

/** How many streams each server has open. */
const openStreams = new WeakMap<CallServer, number>()

/**
 * Counts a stream of a server, and returns a function that gives it back.
 *
 * @throws TooManyStreams if the server has as many as it may
 */
export function countStream(server: CallServer, most: number): () => void {
  const count = openStreams.get(server) ?? 0
  if (count >= most) throw new TooManyStreams(most)
  openStreams.set(server, count + 1)
  return () => openStreams.set(server, (openStreams.get(server) ?? 1) - 1)
}

/** The options of streams that say when one ends. */
interface StreamTimes {
  readonly reauthorizeMs: number
  readonly durationMs: number
}

/**
 * Ends a subscription when its caller is not authorised any more, its time is over, or the client has gone. Returns functions that stop
 * that.
 *
 * @param onGone called when the host reports by the signal of the request that the client has gone
 */
export function watchStream(
  subscription: Subscription,
  context: CallContext,
  { reauthorizeMs, durationMs }: StreamTimes,
  onGone: () => void,
): (() => void)[] {
  const { signal } = context.request
  // Hosts report that a client has gone by the stream, by the signal, or by both.
  if (signal.aborted) {
    onGone()
    return []
  }
  const stops = [onAbort(signal, onGone)]
  if (reauthorizeMs > 0) stops.push(repeat(reauthorizeMs, () => void reauthorizeStream(subscription, context)))
  if (durationMs > 0) stops.push(repeat(durationMs, () => void subscription.reject(new RpcTimeout())))
  return stops
}

async function reauthorizeStream(subscription: Subscription, { scope }: CallContext): Promise<void> {
  const { url, method, headers, signal } = scope.origin.request
  // Another Request object, for which `oncePerRequest` calls its predicate again.
  const origin = withRequest(scope.origin, () => new Request(url, { method, headers, signal }))
  await subscription.reauthorize(createScope(scope.settings, scope.codec, origin, { transport: scope.transport }))
}
