// The response to a call that returns an AsyncIterable: server-sent events (WHATWG HTML section 9.2), each a message of JSON-RPC. An item
// is a notification, with the id of the request as that of the subscription; the last event is the response to the request:
//
//     id: 42
//     data: {"jsonrpc":"2.0","method":"ticks","params":{"subscription":1,"result":{"price":2300}}}
//
//     data: {"jsonrpc":"2.0","result":null,"id":1}
import type { CallContext } from '../call/context.js'
import type { ItemReceiver } from '../call/scope.js'
import { type ItemSink, Subscription } from '../call/subscription.js'
import { Turns } from '../call/turns.js'
import type { RpcContext, WireError } from '../call/types.js'
import { countStream, watchStream } from '../call/watch-stream.js'
import { notificationOf } from '../description/system-names.js'
import { RpcInvalidRequest, RpcMethodNotFound, RpcResponseTooLarge } from '../error.js'
import { encodeError, encodeValue } from '../jsonrpc/codec.js'
import type { Settings, StreamOptions } from '../options.js'
import { repeat } from '../platform/timers.js'
import { acceptsEvents, eventsType } from './headers.js'
import type { HttpResponse, RequestHead } from './message.js'

/** Not to be stored, not to be compressed as a whole, and not to be buffered by nginx. */
const headers = {
  'Content-Type': eventsType,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** How many heartbeats a client may not read. */
const MAX_UNREAD_HEARTBEATS = 20

const encoder = /* @__PURE__ */ new TextEncoder()

/** A comment, which clients ignore. */
const heartbeat = encoder.encode(':\n\n')

/** The messages of a stream, in the form of a protocol. */
export interface StreamForm {
  /** True if its events have the ids that the procedure gives: a client can resume it. */
  readonly hasIds: boolean
  /** Returns the message with an item. */
  item(value: unknown): string
  /** Returns the last message, with an error if there is one. */
  end(error?: WireError): string
}

/** A subscription of JSON-RPC. */
function jsonRpcForm({ call, method }: CallContext): StreamForm {
  // The JSON text of the id of the request.
  const id = call?.id ?? 'null'
  const name = JSON.stringify(notificationOf(method))
  return {
    hasIds: true,
    item: (value) =>
      `{"jsonrpc":"2.0","method":${name},"params":{"subscription":${id},"result":${encodeValue(value)}}}`,
    end: (error) => `{"jsonrpc":"2.0",${error ? `"error":${encodeError(error)}` : '"result":null'},"id":${id}}`,
  }
}

/**
 * Returns the stream of a call, if its request accepts one.
 *
 * @throws RpcError with what to send instead
 */
export function openEvents(opened: RpcContext, request: RequestHead, settings: Settings): EventStream {
  const context = opened as CallContext
  const { scope, method } = context
  const what = `${method} is a subscription`
  const orSocket = 'or call it over WebSocket'
  if (scope.codec?.protocol !== 'json-rpc') {
    throw new RpcMethodNotFound(`Method not found: ${what}: send JSON-RPC with Accept: ${eventsType}, ${orSocket}`)
  }
  if (scope.budget) {
    throw new RpcInvalidRequest(`Invalid Request: ${what}: send it alone, not in a batch, ${orSocket}`)
  }
  if (!acceptsEvents(request.header('accept'))) {
    throw new RpcMethodNotFound(`Method not found: ${what}: send Accept: ${eventsType}, ${orSocket}`)
  }
  return new EventStream(context, settings, jsonRpcForm(context))
}

/** Returns the response that is the stream of a call. */
export function eventsResponse(stream: ReadableStream<Uint8Array>): HttpResponse {
  return { status: 200, headers, text: null, stream }
}

/** The response to one call, whose items are requested as the client reads them. */
export class EventStream implements ItemReceiver, ItemSink {
  readonly #context: CallContext
  readonly #settings: Settings
  readonly #form: StreamForm
  readonly #options: Required<StreamOptions>
  /** An item may be large: the second one looks at the clock. */
  readonly #turns = new Turns(2)
  /** What stops the timers, and gives the stream back to the limit. */
  readonly #stops: (() => void)[] = []
  stream!: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  /** True while the client waits for the next item. */
  #isWanted = false
  #onWanted = () => {}
  #isEnded = false
  #isClosed = false
  #events = 0
  #bytes = 0
  #unread = 0

  constructor(context: CallContext, settings: Settings, form: StreamForm) {
    this.#context = context
    this.#settings = settings
    this.#form = form
    this.#options = settings.streams
  }

  subscribe(items: AsyncIterator<unknown>): Subscription {
    this.#stops.push(countStream(this.#settings.server, this.#options.concurrency))
    const subscription = new Subscription(this.#context.call?.id ?? '', items, this.#context, this)
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          // Hosts and proxies send the head of a response with the first bytes of its body.
          controller.enqueue(heartbeat)
        },
        pull: () => {
          this.#unread = 0
          this.#isWanted = true
          subscription.start()
          this.#onWanted()
        },
        cancel: () => this.#disconnect(subscription),
      },
      { highWaterMark: 0 },
    )
    const { heartbeatMs } = this.#options
    if (heartbeatMs > 0) this.#stops.push(repeat(heartbeatMs, () => this.#beat(subscription)))
    this.#stops.push(...watchStream(subscription, this.#context, this.#options, () => this.#disconnect(subscription)))
    return subscription
  }

  send(item: unknown, eventId?: string): Promise<void> {
    const { events, bytes } = this.#options
    const { responseBytes } = this.#settings.limits
    this.#events += 1
    if (this.#events > events) throw new RpcResponseTooLarge(`Response too large: more than ${events} items`)
    const chunk = eventOf(this.#form.item(item), this.#form.hasIds ? eventId : undefined)
    if (chunk.length > responseBytes) throw new RpcResponseTooLarge('Response too large: an item')
    this.#bytes += chunk.length
    if (this.#bytes > bytes) throw new RpcResponseTooLarge(`Response too large: more than ${bytes} bytes`)
    this.#isWanted = false
    this.#controller.enqueue(chunk)
    return this.#wanted()
  }

  /** Resolves when the client reads on, and other work has had its turn. */
  async #wanted(): Promise<void> {
    await this.#turns.next()
    if (this.#isWanted || this.#isEnded) return
    await new Promise<void>((resolve) => {
      this.#onWanted = resolve
    })
  }

  end(error?: WireError): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#controller.enqueue(eventOf(this.#form.end(error)))
    this.#controller.close()
  }

  onEnd(): void {
    this.#isEnded = true
    for (const stop of this.#stops) stop()
    this.#onWanted()
  }

  #disconnect(subscription: Subscription): void {
    this.#isClosed = true
    subscription.end()
  }

  /** Sends a comment, if the client has read everything before. */
  #beat(subscription: Subscription): void {
    const isRead = this.#isWanted && (this.#controller.desiredSize ?? 0) >= 0
    if (isRead) {
      this.#controller.enqueue(heartbeat)
      return
    }
    this.#unread += 1
    if (this.#unread < MAX_UNREAD_HEARTBEATS) return
    this.#disconnect(subscription)
    this.#controller.error(new DOMException('The client does not read', 'AbortError'))
  }
}

/** A line break in JSON is white space, and ends a line of an event. */
function eventOf(message: string, id?: string): Uint8Array {
  const data = /[\r\n]/.test(message) ? message.replace(/[\r\n]+/g, ' ') : message
  return encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`)
}

/** What is used of a response of node:http, or of the compatibility API of node:http2. */
interface NodeStreamResponse {
  readonly destroyed: boolean
  write(bytes: Uint8Array): boolean
  end(): unknown
  on(event: 'drain' | 'close', listener: () => void): unknown
  /** Of the compression middleware of Express. */
  flush?(): void
}

/**
 * Writes a stream to a response of Node, no faster than the client reads, until one of them ends.
 *
 * @param timeoutMs how long the client may read nothing of what it was sent; 0 for no limit
 * @param destroy ends the connection of a client that does not read
 */
export async function writeStream(
  stream: ReadableStream<Uint8Array>,
  outgoing: NodeStreamResponse,
  timeoutMs: number,
  destroy: () => void,
): Promise<void> {
  const reader = stream.getReader()
  let resume = () => {}
  const close = () => {
    reader.cancel().catch(() => {})
    resume()
  }
  if (outgoing.destroyed) return close()
  outgoing.on('close', close)
  outgoing.on('drain', () => resume())
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const mustWait = !outgoing.write(next.value)
      outgoing.flush?.()
      if (!mustWait || outgoing.destroyed) continue
      const timer = timeoutMs > 0 ? setTimeout(destroy, timeoutMs) : undefined
      await new Promise<void>((resolve) => {
        resume = resolve
      })
      clearTimeout(timer)
    }
    if (!outgoing.destroyed) outgoing.end()
  } catch {
    destroy()
  }
}
