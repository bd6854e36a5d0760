import { onAbort } from '../values/on-abort.js'
import type { Settings } from './options.js'
import { type Flight, post } from './request.js'
import type { RpcCall } from './transport.js'
import type { RpcRequest } from './types.js'

/** State that all views of a client share. */
export interface Shared {
  /** The id of the last call. */
  id: number
  /** Calls that wait for the end of the tick, with automatic batching. */
  readonly waiting: Map<Settings, Set<Pending>>
}

/** One way to call, of several that a client may have. */
export interface ClientState extends Calling {
  readonly shared: Shared
}

/** Makes a call: at once, or with the others of its tick. */
export async function send(request: RpcRequest, state: ClientState): Promise<unknown> {
  const pending = open(write(request, state), state)
  const { settings, shared } = state
  if (settings.maxSize >= 1) wait(pending, settings, shared)
  else transmit([pending], false, settings)
  return pending.promise
}

/** Makes calls in one request. When one of them cannot be written, none is sent, and all reject with the reason. */
export function sendBatch(requests: readonly RpcRequest[], state: ClientState): readonly Promise<unknown>[] {
  try {
    const calls = requests.map((request) => write(request, state)).map((written) => open(written, state))
    if (calls[0]) transmit(calls, true, state.settings)
    return calls.map((each) => each.promise)
  } catch (error) {
    return requests.map(() => Promise.reject(error))
  }
}

/**
 * Encodes a call. A subscription is called alone, unless its transport returns its id as the result of a call.
 *
 * @throws TypeError, or RpcValueError with a codec, for a value that cannot be serialised
 */
export function write({ method, params, notify }: RpcRequest, { settings, signals, shared }: ClientState): Written {
  const { codec, transport } = settings
  if ((notify || !transport.subscribe) && settings.isSubscription(method)) rejectSubscription(method)
  for (const signal of signals) signal.throwIfAborted()
  const encoded = codec?.encode(method, params, transport.native)
  const call = { id: notify ? undefined : ++shared.id, method, params: encoded ?? params }
  return { call, text: transport.write(call) }
}

/** @throws TypeError for a subscription that is not called by itself, or over a transport without subscriptions */
export function rejectSubscription(method: string): never {
  throw new TypeError(`${method} is a subscription: call it alone over fetch or webSocket()`)
}

function wait(pending: Pending, settings: Settings, { waiting }: Shared): void {
  const known = waiting.get(settings)
  const calls = known ?? new Set()
  waiting.set(settings, calls.add(pending))
  pending.onEnd = () => calls.delete(pending)
  if (known) return
  setTimeout(() => {
    waiting.delete(settings)
    const rest = [...calls]
    while (rest[0]) {
      const chunk = rest.splice(0, settings.maxSize)
      transmit(chunk, chunk.length > 1, settings)
    }
  })
}

/** Sends calls in one request, which continues as long as any of them is awaited. */
function transmit(pending: readonly Pending[], batch: boolean, settings: Settings): void {
  const flight: Flight = {}
  let waited = pending.length
  const onEnd = () => {
    if (!--waited) flight.stop?.()
  }
  for (const each of pending) each.onEnd = onEnd
  const texts = pending.map((each) => each.text)
  const calls = pending.map((each) => each.call)
  post(settings.transport.join(texts, batch), calls, batch, settings, flight).then(
    (outcomes) => pending.forEach((each, i) => void each.resolve(outcomes[i])),
    (error) => pending.forEach((each) => void each.reject(error)),
  )
}

/** How a call is made: the options, and the signals that end it. */
interface Calling {
  readonly settings: Settings
  readonly signals: readonly AbortSignal[]
}

/** A call that is written, and not yet on its way. */
export interface Written {
  readonly call: RpcCall
  readonly text: unknown
}

/** A call that has not ended. Of `resolve` and `reject` the first counts. */
export interface Pending extends Written {
  promise: Promise<unknown>
  readonly resolve: (outcome: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Called when the call has ended. */
  onEnd?: () => void
}

/** Opens a call. It ends when it is settled (resolving with an Error rejects it), or when one of the signals is aborted. */
export function open(written: Written, { settings: { codec, transport }, signals }: Calling): Pending {
  const { method, id } = written.call
  let pending = written as Pending
  const settled = new Promise<unknown>((resolve, reject) => {
    pending = { ...written, resolve, reject } as Pending
  })
  const leave = signals.map((signal) => onAbort(signal, pending.reject))
  pending.promise = settled
    .finally(() => {
      leave.forEach((end) => void end())
      transport.end?.(written.call)
      pending.onEnd?.()
    })
    .then((outcome) => {
      if (outcome instanceof Error) {
        codec?.decodeError?.(method, outcome)
        throw outcome
      }
      return codec && id ? codec.decode(method, outcome) : outcome
    })
  return pending
}
