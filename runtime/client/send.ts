import type { Flight } from './flight.js'
import { type Calling, open, type Pending, type Written } from './pending.js'
import { post } from './post.js'
import type { Settings } from './settings.js'
import type { RpcRequest } from './types.js'

/** State that all views of a client share. */
export interface Shared {
  /** The id of the last call. */
  id: number
  /** Calls that wait for the end of the tick, with automatic batching. */
  readonly waiting: Map<Settings, Set<Pending>>
}

/** One way to call, of several that a client may have. */
export interface View extends Calling {
  readonly shared: Shared
}

/** Makes a call: at once, or with the others of its tick. */
export async function send(request: RpcRequest, view: View): Promise<unknown> {
  const pending = open(write(request, view), view)
  const { settings, shared } = view
  if (settings.maxSize >= 1) wait(pending, settings, shared)
  else transmit([pending], false, settings)
  return pending.promise
}

/** Makes calls in one request. When one of them cannot be written, none is sent, and all reject with the reason. */
export function sendBatch(requests: readonly RpcRequest[], view: View): readonly Promise<unknown>[] {
  try {
    const calls = requests.map((request) => write(request, view)).map((written) => open(written, view))
    if (calls[0]) transmit(calls, true, view.settings)
    return calls.map((each) => each.promise)
  } catch (error) {
    return requests.map(() => Promise.reject(error))
  }
}

function write({ method, params, notify }: RpcRequest, { settings, signals, shared }: View): Written {
  const { codec, transport } = settings
  for (const signal of signals) signal.throwIfAborted()
  const encoded = codec ? codec.encode(method, params, transport.native) : params
  const call = { id: notify ? undefined : ++shared.id, method, params: encoded }
  return { call, text: transport.write(call) }
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
