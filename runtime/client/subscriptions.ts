// Subscriptions over WebSocket: a call results in an id, and notifications with that id have the items, which wait until `for await` asks for
// them. After a lost connection a subscription is made again if the caller wants that.
import { unsubscribeOf } from '../description/system-names.js'
import { onAbort } from '../platform/on-abort.js'
import type { RpcParams } from '../values/types.js'
import { type RpcTransportError, receivedError } from './errors.js'
import type { RpcRequest } from './members.js'

/** How a subscription is kept; everything has a default. */
export interface SubscribeOptions {
  /**
   * Whether it is made again when the connection was lost and is open again; items in between are missed. Default false: the
   * iterator then throws the RpcTransportError.
   */
  readonly resubscribe?: boolean
  /** Converts each item; an error that it throws ends the subscription. Default: items are as decoded from JSON. */
  readonly decode?: (item: unknown) => unknown
  /** Converts the data of the error by which the procedure ends it, in place. Default: it is as decoded from JSON. */
  readonly decodeError?: (error: Error) => void
  /** Signals that end the subscription: the iterator throws the reason. Default: none. */
  readonly signals?: readonly AbortSignal[]
}

/** The members of a client that subscriptions use. */
export interface SubscribingClient {
  /** Calls a procedure by its name. */
  $call(method: string, params?: RpcParams): Promise<unknown>
}

/** Items that may wait to be read, and their characters together: the default of the largest message. */
const MAX_WAITING = 10_000
const MAX_CHARACTERS = 64 * 1024 * 1024

/** The params of a notification that belongs to a subscription. */
interface Notified {
  readonly subscription: unknown
  readonly result?: unknown
  readonly done?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }
}

interface EarlyNotification {
  readonly method: string
  readonly params: unknown
  readonly size: number
}

/** The subscriptions of one transport. */
export class Subscriptions {
  /** The procedures that were called to subscribe. */
  readonly methods = new Set<string>()
  readonly #all = new Set<Subscription>()
  readonly #byId = new Map<unknown, Subscription>()
  /** Notifications that arrived before the id of their subscription was known. */
  #early: EarlyNotification[] = []
  #earlyCharacters = 0
  readonly #onOther: (method: string, params: unknown) => void

  /** @param onOther called for a notification that belongs to no subscription */
  constructor(onOther: (method: string, params: unknown) => void = () => {}) {
    this.#onOther = onOther
  }

  subscribe(client: SubscribingClient, request: RpcRequest, options: SubscribeOptions): Subscription {
    const subscription: Subscription = new Subscription(client, request, options, {
      onId: (id) => {
        this.#byId.set(id, subscription)
        this.#replay()
      },
      onEnd: (id) => {
        // A server may have given two of them one id.
        if (this.#byId.get(id) === subscription) this.#byId.delete(id)
        this.#all.delete(subscription)
        this.#replay()
      },
    })
    this.#all.add(subscription)
    this.methods.add(request.method)
    subscription.start()
    return subscription
  }

  /** True if more notifications wait for the id of their subscription than any server has reason to send. */
  get hasTooMany(): boolean {
    return this.#early.length > MAX_WAITING || this.#earlyCharacters > MAX_CHARACTERS
  }

  /**
   * Handles a notification.
   *
   * @param size its characters
   */
  receive(method: string, params: unknown, size: number): void {
    const isNotified = typeof params === 'object' && params !== null && 'subscription' in params
    const found = isNotified ? this.#byId.get(params.subscription) : undefined
    if (found) {
      found.receive(params as Notified, size)
    } else if (isNotified && this.#byId.size < this.#all.size) {
      this.#early.push({ method, params, size })
      this.#earlyCharacters += size
    } else {
      this.#onOther(method, params)
    }
  }

  /** The connection is lost; `willReconnect` if the transport opens another by itself. */
  lose(error: RpcTransportError, willReconnect: boolean): void {
    this.#takeEarly()
    this.#byId.clear()
    for (const each of [...this.#all]) each.lose(error, willReconnect)
  }

  /** The connection is open again. */
  reopen(): void {
    for (const each of this.#all) each.start()
  }

  #replay(): void {
    for (const { method, params, size } of this.#takeEarly()) this.receive(method, params, size)
  }

  #takeEarly(): EarlyNotification[] {
    const early = this.#early
    this.#early = []
    this.#earlyCharacters = 0
    return early
  }
}

interface SubscriptionEvents {
  /** The subscription has begun, and its items have this id. */
  onId(id: unknown): void
  /** It has ended; `id` is undefined if it had not begun. */
  onEnd(id: unknown): void
}

/** The items of a subscription. `return`, as at the end of `for await`, unsubscribes. */
class Subscription implements AsyncIterableIterator<unknown> {
  /** Undefined while it has not begun, and when it has ended. */
  #id: unknown
  readonly #client: SubscribingClient
  readonly #request: RpcRequest
  readonly #options: SubscribeOptions
  readonly #events: SubscriptionEvents
  readonly #items: { readonly value: unknown; readonly size: number }[] = []
  #characters = 0
  readonly #iterator: AsyncGenerator<unknown, void> = this.#read()
  /** Continues the iterator, if it waits. */
  #wake = () => {}
  #state: 'lost' | 'starting' | 'running' | 'ended' = 'lost'
  #error: unknown
  #attempt = 0
  readonly #removeListeners: readonly (() => void)[]

  constructor(client: SubscribingClient, request: RpcRequest, options: SubscribeOptions, events: SubscriptionEvents) {
    this.#client = client
    this.#request = request
    this.#options = options
    this.#events = events
    this.#removeListeners = (options.signals ?? []).map((signal) =>
      onAbort(signal, (reason) => {
        this.#items.length = 0
        this.#abort(reason)
      }),
    )
  }

  start(): void {
    if (this.#state !== 'lost') return
    const aborted = this.#options.signals?.find((signal) => signal.aborted)
    if (aborted) {
      this.#abort(aborted.reason)
      return
    }
    this.#state = 'starting'
    this.#attempt += 1
    const attempt = this.#attempt
    this.#client.$call(this.#request.method, this.#request.params).then(
      (id) => {
        // The client has sent the request again: this subscription belongs to none.
        if (attempt === this.#attempt) this.#run(id)
        else this.#unsubscribe(id)
      },
      (error) => {
        // A lost connection is reported by `lose`.
        if (attempt === this.#attempt && this.#state === 'starting') this.#end(error)
      },
    )
  }

  receive({ result, done, error }: Notified, size: number): void {
    if (error) this.#fail(receivedError(error.code, error.message, error.data, {}))
    else if (done) this.#end()
    else this.#decode(result, size)
  }

  lose(error: RpcTransportError, willReconnect: boolean): void {
    this.#id = undefined
    if (this.#state === 'ended') return
    this.#state = 'lost'
    if (!willReconnect || !this.#options.resubscribe) this.#end(error)
  }

  next(): Promise<IteratorResult<unknown>> {
    return this.#iterator.next()
  }

  return(): Promise<IteratorResult<unknown>> {
    this.#items.length = 0
    this.#unsubscribe(this.#id)
    this.#end()
    return this.#iterator.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async *#read(): AsyncGenerator<unknown, void> {
    for (;;) {
      for (let item = this.#items.shift(); item; item = this.#items.shift()) {
        this.#characters -= item.size
        yield item.value
      }
      if (this.#state === 'ended') break
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (this.#error !== undefined) throw this.#error
  }

  #run(id: unknown): void {
    if (this.#state === 'starting') {
      this.#state = 'running'
      this.#id = id
      this.#events.onId(id)
    } else {
      this.#unsubscribe(id)
    }
  }

  #fail(error: Error): void {
    this.#options.decodeError?.(error)
    this.#end(error)
  }

  #abort(error: unknown): void {
    this.#unsubscribe(this.#id)
    this.#end(error)
  }

  #decode(item: unknown, size: number): void {
    const { decode } = this.#options
    try {
      this.#add(decode ? decode(item) : item, size)
    } catch (error) {
      this.#abort(error)
    }
  }

  #add(value: unknown, size: number): void {
    this.#characters += size
    const count = this.#items.push({ value, size })
    this.#wake()
    // The iterator may be waiting for the first one.
    if (count === 1 || (count <= MAX_WAITING && this.#characters <= MAX_CHARACTERS)) return
    const most = count > MAX_WAITING ? `${MAX_WAITING} items` : `items of ${MAX_CHARACTERS} characters`
    this.#abort(new RangeError(`${this.#request.method}: more than ${most} wait for the iterator`))
  }

  #end(error?: unknown): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    for (const remove of this.#removeListeners) remove()
    this.#events.onEnd(this.#id)
    this.#id = undefined
    this.#error = error
    this.#wake()
  }

  /** By the name that Ethereum's and jsonrpsee's servers have for it, or ours. */
  #unsubscribe(id: unknown): void {
    if (id === undefined) return
    // A connection that is lost has ended it as well.
    this.#client.$call(unsubscribeOf(this.#request.method), [id]).catch(() => {})
  }
}
