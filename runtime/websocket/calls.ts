// The calls of a connection: which of them a notification cancels.
import { type Awaitable, isPromise } from '../call/maybe-async.js'
import type { CancellableCall } from '../call/scope.js'
import type { Entry } from '../call/types.js'

/** The entries of one batch, until its response is sent. */
export interface RunningBatch {
  readonly entries: readonly Entry[]
  /** The ids of its entries, once one is looked for. */
  ids?: ReadonlySet<string>
  readonly cancelled: Set<string>
}

/** The calls of a connection that have not ended, by their ids. */
export class RunningCalls {
  readonly #byId = new Map<string, Set<CancellableCall>>()
  readonly #batches = new Set<RunningBatch>()
  /** The ids of cancellations that wait in the queue of messages, and so of calls that may wait before them. */
  readonly #cancelledLater = new Set<string>()

  begin(entries: readonly Entry[]): RunningBatch {
    const batch = { entries, cancelled: new Set<string>() }
    this.#batches.add(batch)
    return batch
  }

  end(batch: RunningBatch | undefined): void {
    if (batch) this.#batches.delete(batch)
  }

  /** Runs a call, which can be cancelled while it has not ended. */
  run<T>(context: CancellableCall, batch: RunningBatch | undefined, call: () => Awaitable<T>): Awaitable<T> {
    const id = context.call?.id
    if (id === undefined) return call()
    const mayBeCancelled = this.#cancelledLater.size > 0 || (batch !== undefined && batch.cancelled.size > 0)
    if (mayBeCancelled && (this.#cancelledLater.has(keyOf(id)) || batch?.cancelled.has(keyOf(id)))) context.cancel()
    const result = call()
    return isPromise(result) ? this.#until(result, context, keyOf(id)) : result
  }

  /** Cancels the calls of an id. Returns false if none of them has begun. */
  cancel(id: string | number | bigint): boolean {
    const key = textOfId(id)
    const running = this.#byId.get(key)
    for (const context of running ?? []) context.cancel()
    let isFound = running !== undefined
    for (const batch of this.#batches) {
      batch.ids ??= new Set(batch.entries.flatMap(({ id: own }) => (own === undefined ? [] : [keyOf(own)])))
      if (!batch.ids.has(key)) continue
      batch.cancelled.add(key)
      isFound = true
    }
    return isFound
  }

  /** Calls of this id that begin from now on are cancelled, until `stopCancelling`. */
  cancelLater(id: string | number | bigint): void {
    this.#cancelledLater.add(textOfId(id))
  }

  stopCancelling(id: string | number | bigint): void {
    this.#cancelledLater.delete(textOfId(id))
  }

  #until<T>(result: PromiseLike<T>, context: CancellableCall, key: string): PromiseLike<T> {
    const running = this.#byId.get(key) ?? new Set()
    this.#byId.set(key, running.add(context))
    return result.then((value) => {
      running.delete(context)
      if (running.size === 0 && this.#byId.get(key) === running) this.#byId.delete(key)
      return value
    })
  }
}

/** Returns an id in JSON, the key of its calls. */
export function textOfId(id: string | number | bigint): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id)
}

/** Returns the same text for all spellings of a number: an id is the JSON text of the request. */
function keyOf(id: string): string {
  return id.startsWith('"') || /^-?\d+$/.test(id) ? id : String(Number(id))
}
