import type { WSContext, WSMessageReceive } from 'hono/ws'
import { checkMessageSize, sizeOf } from '../call/body-limit.js'
import type { CallContext } from '../call/context.js'
import { isPromise } from '../call/maybe-async.js'
import { handleText } from '../call/reply.js'
import { type CallConnection, createScope, type Origin } from '../call/scope.js'
import type { CallParams, CallSettings, RpcContext } from '../call/types.js'
import { RpcInvalidRequest } from '../error.js'
import { decodeText } from '../http/charset.js'
import { jsonScalars } from '../jsonrpc/scalars.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import { CallSlots } from './call-slots.js'
import type { ConnectionLimits } from './limits.js'
import { Outbox } from './outbox.js'
import { Subscription, withUnsubscribe } from './subscription.js'

/** Added to the length of each queued message, so that empty messages count as well. */
const MESSAGE_OVERHEAD = 256

/** "Policy violation" (RFC 6455 section 7.4.1). */
const POLICY_VIOLATION = 1008

/**
 * One connection. Its messages wait in a queue while `limits.calls` calls are running, or while the client does not read what was
 * sent.
 */
export class Connection {
  readonly #settings: () => CallSettings
  readonly #origin: Origin
  readonly #limits: ConnectionLimits
  readonly #closing: AbortController
  readonly #slots: CallSlots
  readonly #outbox: Outbox
  readonly #subscriptions = new Map<unknown, Subscription>()
  #socket: WSContext | undefined
  #queue: (string | Uint8Array)[] = []
  #queued = 0
  #isHandling = false

  /**
   * @param settings returns those of the server, which change when something is registered
   * @param closing aborted when the connection is closed
   */
  constructor(settings: () => CallSettings, origin: Origin, limits: ConnectionLimits, closing: AbortController) {
    this.#settings = settings
    this.#origin = origin
    this.#limits = limits
    this.#closing = closing
    const handleNext = () => this.#handleQueue()
    this.#slots = new CallSlots(limits.calls, handleNext)
    this.#outbox = new Outbox(limits.outbox, handleNext)
  }

  /** Sets the socket to which messages are sent. */
  attach(ws: WSContext): void {
    if (this.#socket) return
    this.#socket = ws
    this.#outbox.attach(ws)
  }

  /** Handles a message, now or later in the queue. A message of bytes is text in UTF-8. */
  receive(data: WSMessageReceive): void {
    if (data instanceof Blob) void data.arrayBuffer().then((bytes) => this.#enqueue(new Uint8Array(bytes)))
    else this.#enqueue(typeof data === 'string' ? data : new Uint8Array(data))
  }

  readonly #notify = (method: string, params: CallParams = []): Promise<void> => {
    if (typeof method !== 'string') throw new TypeError(`notify: the method is ${typeof method}, expected a string`)
    const written = serializeUnknown(params, jsonScalars, 'params')
    if (typeof written !== 'object' || written === null) {
      throw new TypeError('notify: params are not a list or an object')
    }
    return this.#send(JSON.stringify({ jsonrpc: '2.0', method, params: written }))
  }

  /** Ends running calls, because the connection is closed. */
  end(): void {
    if (this.#closing.signal.aborted) return
    const reason = new DOMException('The connection is closed', 'AbortError')
    this.#queue = []
    this.#slots.end()
    for (const subscription of [...this.#subscriptions.values()]) subscription.end()
    this.#closing.abort(reason)
    this.#outbox.end(reason)
  }

  #enqueue(data: string | Uint8Array): void {
    if (this.#closing.signal.aborted) return
    this.#queue.push(data)
    this.#queued += sizeInQueue(data)
    this.#handleQueue()
    if (this.#queued > this.#limits.queue && this.#queue.length > 0) this.#close('too many messages wait')
  }

  #handleQueue(): void {
    // A call that ends synchronously would handle the next message in a nested call.
    if (this.#isHandling) return
    this.#isHandling = true
    while (this.#queue.length > 0 && this.#slots.isFree && this.#outbox.isEmpty) {
      const data = this.#queue.shift() as string | Uint8Array
      this.#queued -= sizeInQueue(data)
      void this.#handle(data)
    }
    this.#isHandling = false
  }

  async #handle(data: string | Uint8Array): Promise<void> {
    const settings = withUnsubscribe(this.#settings())
    const started: Subscription[] = []
    const { bodyBounds } = settings
    const bodyBytes = typeof data === 'string' ? sizeOf(data, bodyBounds) : data.byteLength
    const options = { transport: 'websocket', bodyBytes, connection: this.#connectionFor(started) }
    const codec = settings.codecFor('json-rpc')
    const scope = createScope(settings, isPromise(codec) ? await codec : codec, this.#origin, options)
    const reply = await handleText(() => {
      checkMessageSize(bodyBytes, bodyBounds)
      return typeof data === 'string' ? data : decodeText(data, undefined, { xml: false })
    }, scope)
    if (reply !== undefined) this.#send(reply)
    // Items are sent after the ids of their subscriptions.
    for (const subscription of started) void subscription.start()
  }

  /** The connection's functions for the calls of one message. */
  #connectionFor(started: Subscription[]): CallConnection {
    return {
      notify: this.#notify,
      run: (call) => this.#slots.run(call),
      subscribe: (items, context) => {
        const subscription = this.#subscribe(items, context)
        started.push(subscription)
        return subscription
      },
      unsubscribe: (id) => {
        const subscription = this.#subscriptions.get(id)
        subscription?.end()
        return subscription !== undefined
      },
    }
  }

  #subscribe(items: AsyncIterable<unknown>, context: RpcContext): Subscription {
    const { subscriptions: most } = this.#limits
    if (this.#subscriptions.size >= most) {
      throw new RpcInvalidRequest(`Invalid Request: more than ${most} subscriptions of this connection`)
    }
    const subscription: Subscription = new Subscription(
      items,
      context as CallContext,
      (text) => this.#send(text),
      () => this.#subscriptions.delete(subscription.id),
    )
    this.#subscriptions.set(subscription.id, subscription)
    if (this.#closing.signal.aborted) subscription.end()
    return subscription
  }

  /** Sends a text. The returned promise may be ignored. */
  #send(text: string): Promise<void> {
    const { signal } = this.#closing
    const sent = signal.aborted ? Promise.reject(signal.reason) : this.#outbox.send(text)
    sent.catch(() => {})
    if (this.#outbox.isFull) this.#close('the client reads too slowly')
    return sent
  }

  #close(reason: string): void {
    this.#socket?.close(POLICY_VIOLATION, reason)
    this.end()
  }
}

function sizeInQueue(data: string | Uint8Array): number {
  return data.length + MESSAGE_OVERHEAD
}
