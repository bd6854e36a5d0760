// One WebSocket connection: the queue of its messages, its running calls, subscriptions and what waits to be sent. With `limits.calls` 100 the
// 101st call waits, and the messages after it.
import type { WSContext, WSMessageReceive } from 'hono/ws'
import { bytesOf } from '../call/body-limits.js'
import type { CallContext } from '../call/context.js'
import { isPromise, maybeThen } from '../call/maybe-async.js'
import { Queue } from '../call/queue.js'
import { handleMessage } from '../call/reply.js'
import { type CallConnection, createScope, LazyOrigin, type Origin } from '../call/scope.js'
import { Semaphore } from '../call/semaphore.js'
import { Subscription } from '../call/subscription.js'
import { Turns } from '../call/turns.js'
import type { CallParams, CallSettings, LocalContext, RpcContext } from '../call/types.js'
import { CANCEL, notificationOf } from '../description/system-names.js'
import { RpcInvalidRequest } from '../error.js'
import { encodeValue } from '../jsonrpc/codec.js'
import { jsonScalars } from '../jsonrpc/scalars.js'
import { repeat } from '../platform/timers.js'
import { serializeUnknown } from '../values/serialize-unknown.js'
import { type RunningBatch, RunningCalls, textOfId } from './calls.js'
import { isUrgent, withConnectionProcedures } from './connection-procedures.js'
import { type ConnectionLimits, MAX_HEARTBEAT } from './options.js'
import { Outbox } from './outbox.js'
import { disconnect, pauseReading } from './socket.js'

/** Added to the length of each queued message, so that empty messages count as well. */
const MESSAGE_OVERHEAD = 256

/** Messages of one read follow each other within microseconds. */
const SAME_READ_MS = 0.1

/** "Policy violation" (RFC 6455 section 7.4.1). */
const POLICY_VIOLATION = 1008

/** "Internal error". */
const INTERNAL_ERROR = 1011

/** Options of the entry point that connections use, with their defaults. */
interface ConnectionSettings {
  readonly limits: Required<ConnectionLimits>
  readonly reauthorizeMs: number
  /** Texts that are not calls, with the reply to each. */
  readonly heartbeatTexts: ReadonlyMap<string, string | null>
}

/** A message that is handled. */
interface HandledMessage {
  /** True if it does not wait for calls. */
  readonly isUrgent: boolean
  readonly started: Subscription[]
  batch: RunningBatch | undefined
  /** The characters of the responses to entries of its batch, which is not complete. */
  keptCharacters: number
}

/**
 * One connection. Its messages wait in a queue while `limits.calls` calls are running, while a batch waits for its turn, or while the client does not
 * read what was sent, to which the responses in batches that are not complete count.
 */
export class Connection {
  readonly #settings: () => CallSettings
  readonly #upgrade: UpgradeRequest
  readonly #limits: Required<ConnectionLimits>
  readonly #reauthorizeMs: number
  readonly #heartbeatTexts: ConnectionSettings['heartbeatTexts']
  readonly #closing: AbortController
  readonly #semaphore: Semaphore
  readonly #outbox: Outbox
  readonly #running = new RunningCalls()
  readonly #subscriptions = new Map<unknown, Subscription>()
  readonly #urgentTurns = new Turns()
  #urgentTurn: Promise<void> | undefined
  /** The batch that waits for its next turn. */
  #beginningMessage: HandledMessage | undefined
  #keptCharacters = 0
  #stopReauthorizing: (() => void) | undefined
  #socket: WSContext | undefined
  #queue = new Queue<string | Uint8Array>()
  #queued = 0
  #isHandling = false
  #handledAt = Number.NEGATIVE_INFINITY

  /**
   * @param settings returns those of the server, which change when something is registered
   * @param closing aborted when the connection is closed
   */
  constructor(
    settings: () => CallSettings,
    upgrade: UpgradeRequest,
    { limits, reauthorizeMs, heartbeatTexts }: ConnectionSettings,
    closing: AbortController,
  ) {
    this.#settings = settings
    this.#upgrade = upgrade
    this.#limits = limits
    this.#reauthorizeMs = reauthorizeMs
    this.#heartbeatTexts = heartbeatTexts
    this.#closing = closing
    const handleNext = () => this.#handleQueue()
    this.#semaphore = new Semaphore(limits.calls, handleNext)
    this.#outbox = new Outbox(limits.outbox, handleNext, () => this.#close('the client reads too slowly'))
  }

  /** Sets the socket to which messages are sent. */
  attach(ws: WSContext): void {
    if (this.#socket || this.#closing.signal.aborted) return
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
    if (this.#closing.signal.aborted) return this.#outbox.sendPaced('')
    const written = serializeUnknown(params, jsonScalars, 'params')
    if (typeof written !== 'object' || written === null) {
      throw new TypeError('notify: params are not a list or an object')
    }
    return this.#outbox.sendPaced(JSON.stringify({ jsonrpc: '2.0', method, params: written }))
  }

  /** Ends running calls, because the connection is closed. */
  end(): void {
    if (this.#closing.signal.aborted) return
    const reason = new DOMException('The connection is closed', 'AbortError')
    this.#queue = new Queue()
    this.#semaphore.end()
    for (const subscription of [...this.#subscriptions.values()]) subscription.end()
    this.#outbox.end(reason)
    this.#closing.abort(reason)
    this.#socket = undefined
  }

  #enqueue(data: string | Uint8Array): void {
    if (this.#closing.signal.aborted || this.#isHeartbeat(data)) return
    const mustWait = this.#isHandling || this.#queue.length > 0 || !this.#hasRoom
    const settings = mustWait && this.#currentSettings()
    if (settings === undefined) return
    if (settings && isUrgent(data, settings)) this.#handleUrgent(data)
    else this.#enqueueLast(data)
  }

  /** Does not wait; after ten milliseconds of such messages, nothing is read until other work has had its turn. */
  #handleUrgent(data: string | Uint8Array): void {
    this.#handle(data, true)
    const turn = this.#urgentTurns.next()
    if (!turn || turn === this.#urgentTurn) return
    this.#urgentTurn = turn
    const resumeReading = pauseReading(this.#socket?.raw)
    void turn.then(() => resumeReading?.())
  }

  #enqueueLast(data: string | Uint8Array): void {
    this.#queue.push(data)
    this.#queued += sizeInQueue(data)
    this.#handleQueue()
    if (this.#queued > this.#limits.queue && this.#queue.length > 0) this.#close('too many messages wait')
  }

  /** Replies to the text of a heartbeat. */
  #isHeartbeat(data: string | Uint8Array): boolean {
    if (this.#heartbeatTexts.size === 0 || data.length > MAX_HEARTBEAT) return false
    const reply = this.#heartbeatTexts.get(typeof data === 'string' ? data : new TextDecoder().decode(data))
    if (typeof reply === 'string') void this.#outbox.send(reply)
    return reply !== undefined
  }

  /** Undefined if what was registered since the upgrade has an error, as a name twice: the connection is closed. No host waits here to be told. */
  #currentSettings(): CallSettings | undefined {
    try {
      return withConnectionProcedures(this.#settings())
    } catch (error) {
      console.error(error)
      this.#close('the registrations of the server have an error', INTERNAL_ERROR)
      return undefined
    }
  }

  get #hasRoom(): boolean {
    return (
      this.#semaphore.isFree &&
      this.#outbox.isEmpty &&
      !this.#beginningMessage &&
      this.#keptCharacters <= this.#limits.outbox
    )
  }

  /** One read of a socket may have hundreds of messages, each of which is enqueued alone: all but the first one look at the clock. */
  #handleQueue(turns: Turns = new Turns(performance.now() - this.#handledAt < SAME_READ_MS ? 1 : 2)): void {
    // A call that ends synchronously would handle the next message in a nested call.
    if (this.#isHandling) return
    this.#isHandling = true
    while (this.#queue.length > 0 && this.#hasRoom) {
      const turn = turns.next()
      if (turn) {
        this.#continueIn(turn, turns)
        return
      }
      const data = this.#queue.shift() as string | Uint8Array
      this.#queued -= sizeInQueue(data)
      this.#handle(data)
    }
    this.#handledAt = performance.now()
    this.#isHandling = false
  }

  /** Nothing is read meanwhile, so that a client that sends quickly does not exceed `limits.queue`. */
  #continueIn(turn: Promise<void>, turns: Turns): void {
    const resumeReading = pauseReading(this.#socket?.raw)
    void turn.then(() => {
      this.#isHandling = false
      this.#handleQueue(turns)
      resumeReading?.()
    })
  }

  /** Synchronous if the calls are: the response of one message is on its way before the next message is handled. */
  #handle(data: string | Uint8Array, isUrgent = false): void {
    const settings = this.#currentSettings()
    if (!settings) return
    const message: HandledMessage = { isUrgent, started: [], batch: undefined, keptCharacters: 0 }
    const bodyBytes = bytesOf(data, settings.bodyBounds)
    const options = { transport: 'websocket', bodyBytes, connection: this.#connectionFor(message, settings) }
    const reply = maybeThen(settings.codecFor('json-rpc'), (codec) =>
      handleMessage(data, createScope(settings, codec, this.#upgrade.origin, options)),
    )
    void maybeThen(reply, ({ text }) => {
      this.#running.end(message.batch)
      this.#keptCharacters -= message.keptCharacters
      if (text !== undefined) void this.#outbox.send(text)
      if (message.batch) this.#handleQueue()
      // Items are sent after the ids of their subscriptions.
      for (const subscription of message.started) subscription.start()
    })
  }

  /** The connection's functions for the calls of one message. */
  #connectionFor(message: HandledMessage, { concurrency }: CallSettings): CallConnection {
    return {
      notify: this.#notify,
      expect: (entries) => {
        message.batch = this.#running.begin(entries)
        this.#beginningMessage = message
      },
      begun: (entry, response) => {
        // Where the concurrency is limited, the next entry may wait for the end of a call instead of its turn.
        const { entries } = message.batch as RunningBatch
        const mayWait = isPromise(response) && concurrency < entries.length
        if (this.#beginningMessage !== message || !(mayWait || entry === entries.at(-1))) return
        this.#beginningMessage = undefined
        this.#handleQueue()
      },
      keep: (text = '') => {
        message.keptCharacters += text.length
        this.#keptCharacters += text.length
      },
      run: (context, call) => {
        if (this.#closing.signal.aborted) context.cancel()
        return message.isUrgent ? call() : this.#running.run(context, message.batch, () => this.#semaphore.run(call))
      },
      cancel: (id) => this.#cancel(id, message),
      subscribe: (items, context) => {
        const subscription = this.#subscribe(items, context)
        message.started.push(subscription)
        return subscription
      },
      unsubscribe: (id) => {
        const subscription = this.#subscriptions.get(id)
        subscription?.end()
        return subscription !== undefined
      },
    }
  }

  /** A cancellation that does not wait cancels calls that wait, too: a notification is put behind them, which limits how many there are. */
  #cancel(id: string | number | bigint, { isUrgent }: HandledMessage): void {
    const isFound = this.#running.cancel(id)
    if (!isUrgent) {
      this.#running.stopCancelling(id)
    } else if (!isFound && this.#queue.length > 0) {
      this.#running.cancelLater(id)
      // Not the message itself, which may have an id, and so a response.
      this.#enqueueLast(`{"jsonrpc":"2.0","method":"${CANCEL}","params":{"id":${textOfId(id)}}}`)
    }
  }

  #subscribe(items: AsyncIterator<unknown>, context: RpcContext): Subscription {
    const { subscriptions: most } = this.#limits
    if (this.#subscriptions.size >= most) {
      throw new RpcInvalidRequest(`Invalid Request: more than ${most} subscriptions of this connection`)
    }
    const id = crypto.randomUUID()
    const { method } = context
    const name = notificationOf(method)
    const notify = (how: string) =>
      this.#outbox.sendPaced(
        `{"jsonrpc":"2.0","method":${JSON.stringify(name)},"params":{"subscription":"${id}",${how}}}`,
      )
    const subscription = new Subscription(id, items, context as CallContext, {
      send: (item) => notify(`"result":${encodeValue(item)}`),
      // Clients of Ethereum read a result in every notification.
      end: (error) => {
        if (name === method) void notify(error ? `"error":${JSON.stringify(error)}` : '"done":true')
      },
      onEnd: () => this.#forget(id),
    })
    this.#subscriptions.set(subscription.id, subscription)
    if (this.#reauthorizeMs > 0) {
      this.#stopReauthorizing ??= repeat(this.#reauthorizeMs, () => void this.#reauthorize())
    }
    if (this.#closing.signal.aborted) subscription.end()
    return subscription
  }

  #forget(id: string): void {
    this.#subscriptions.delete(id)
    if (this.#subscriptions.size > 0) return
    this.#stopReauthorizing?.()
    this.#stopReauthorizing = undefined
  }

  /** Calls the predicates of all subscriptions in one scope: one that sees the request alone is called once. */
  async #reauthorize(): Promise<void> {
    const settings = this.#currentSettings()
    if (!settings) return
    const codec = await settings.codecFor('json-rpc')
    const scope = createScope(settings, codec, this.#upgrade.renew(), { transport: 'websocket' })
    for (const subscription of [...this.#subscriptions.values()]) void subscription.reauthorize(scope)
  }

  #close(reason: string, code = POLICY_VIOLATION): void {
    const socket = this.#socket
    this.end()
    if (socket) disconnect(socket, code, reason)
  }
}

function sizeInQueue(data: string | Uint8Array): number {
  return data.length + MESSAGE_OVERHEAD
}

/** The request that opened a connection, as its calls get it. */
export class UpgradeRequest {
  readonly #context: LocalContext & { readonly request: Request }
  readonly #renewMs: number
  #origin: Origin
  #made = performance.now()

  /** @param renewMs after how many milliseconds calls get another Request object; 0 for never */
  constructor(context: LocalContext & { readonly request: Request }, renewMs: number) {
    this.#context = context
    this.#renewMs = renewMs
    this.#origin = new LazyOrigin(context)
  }

  /** The origin of a call that begins now. */
  get origin(): Origin {
    return this.#renewMs > 0 && performance.now() - this.#made >= this.#renewMs ? this.renew() : this.#origin
  }

  /** Makes another Request object, for which `oncePerRequest` calls its predicate again. */
  renew(): Origin {
    const { url, headers, signal } = this.#context.request
    this.#made = performance.now()
    this.#origin = new LazyOrigin({ ...this.#context, request: new Request(url, { headers, signal }) })
    return this.#origin
  }
}
