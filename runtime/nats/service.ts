// Messages of a NATS subject as calls: each is decoded and handled, and its response sent to its reply subject, with error headers where the
// call failed. The statistics of the service count them.
import { CallContext } from '../call/context.js'
import { fail } from '../call/failure.js'
import { type Awaitable, isPromise, maybeThen } from '../call/maybe-async.js'
import { Queue } from '../call/queue.js'
import { handleMessage, type Reply, rejectMessage } from '../call/reply.js'
import { createScope, LazyOrigin, type RequestScope } from '../call/scope.js'
import { countLongWork, turnOfResult } from '../call/turns.js'
import type { CallSettings, Codec, WireError } from '../call/types.js'
import { RpcResponseTooLarge, serverBusy } from '../error.js'
import type { EndpointStats } from './discovery.js'
import type { NatsConnection, NatsHeaders, NatsMessage } from './options.js'
import { UnflushedBytes } from './unflushed.js'

/** The default limit of a NATS server. */
const DEFAULT_MAX_PAYLOAD = 1024 * 1024

const encoder = /* @__PURE__ */ new TextEncoder()

/** The bytes of messages that may wait: as many as a NATS server keeps by default for a client that does not read. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** Added to the bytes of each waiting message: what it takes beside them. */
const MESSAGE_OVERHEAD = 512

/** A message, and when it arrived, by `performance.now()`. */
interface Received {
  readonly message: NatsMessage
  readonly start: number
}

/** The response to a message; its size includes the headers. */
interface NatsResponse {
  readonly bytes: Uint8Array
  readonly error: WireError | undefined
  readonly headers: ErrorHeaders | undefined
  readonly size: number
}

/**
 * Handles the messages of a subscription, and counts them. Messages wait in a queue for their turn, and while the NATS server does not read the
 * responses.
 */
export class MessageHandler {
  readonly stats: EndpointStats = { requests: 0, errors: 0, lastError: '', milliseconds: 0 }
  readonly #connection: NatsConnection
  readonly #settings: () => CallSettings
  readonly #maxMessages: number
  readonly #codec: Codec
  readonly #unflushed: UnflushedBytes
  readonly #running = new Set<PromiseLike<void>>()
  readonly #queue = new Queue<Received>()
  #waitingBytes = 0
  /** Ends when what the queue waits for has, and messages of it have been handled. */
  #waiting: Promise<void> | undefined

  /** @param settings returns those of the server, which change when something is registered */
  constructor(connection: NatsConnection, settings: () => CallSettings, maxMessages: number, codec: Codec) {
    this.#connection = connection
    this.#settings = settings
    this.#maxMessages = maxMessages
    this.#codec = codec
    this.#unflushed = new UnflushedBytes(connection)
  }

  /** Handles a message, now or later in the queue, and sends the response. Never throws. */
  handle(message: NatsMessage): void {
    const start = performance.now()
    const wait = this.#waiting ? undefined : this.#nextTurn()
    if (wait) this.#continueAfter(wait)
    if (!this.#waiting) this.#handleNow(message, start)
    else if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#enqueue({ message, start })
    else this.#reject(message, start, `${MAX_WAITING_BYTES} bytes of messages are waiting`)
  }

  /** Passes to `onError` that the NATS server does not permit the subscription after a reconnect: no message arrives any more. */
  reportEnd(subject: string, cause: Error): void {
    const error = new Error(`serveNats: the subscription to ${subject} has ended: ${cause.message}`, { cause })
    void fail(
      error,
      new CallContext(createScope(this.#settings(), this.#codec, new LazyOrigin({}), { transport: 'nats' })),
    )
  }

  /** Resolves when all messages have been handled. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0 || this.#waiting) await Promise.all([...this.#running, this.#waiting])
  }

  /** What the next message waits for, if anything. */
  #nextTurn(): Promise<void> | undefined {
    return this.#unflushed.whenFree ?? turnOfResult()
  }

  #continueAfter(wait: Promise<void>): void {
    this.#waiting = wait.then(() => {
      this.#waiting = undefined
      this.#handleQueue()
    })
  }

  #enqueue(received: Received): void {
    this.#queue.push(received)
    this.#waitingBytes += sizeInQueue(received.message)
  }

  #handleQueue(): void {
    while (this.#queue.length > 0) {
      const wait = this.#nextTurn()
      if (wait) {
        this.#continueAfter(wait)
        return
      }
      const { message, start } = this.#queue.shift() as Received
      this.#waitingBytes -= sizeInQueue(message)
      this.#handleNow(message, start)
    }
  }

  #handleNow(message: NatsMessage, start: number): void {
    if (this.#running.size >= this.#maxMessages) {
      this.#reject(message, start, `it is handling ${this.#maxMessages} messages`)
      return
    }
    const scope = this.#scopeOf(message)
    this.#reply(message, start, scope, handleMessage(message.data, scope))
  }

  #reject(message: NatsMessage, start: number, reason: string): void {
    const scope = this.#scopeOf(message)
    this.#reply(message, start, scope, rejectMessage(serverBusy(reason), scope))
  }

  #reply(message: NatsMessage, start: number, scope: RequestScope<Codec>, reply: Awaitable<Reply>): void {
    const done = maybeThen(reply, (whole) => {
      const response = this.#responseOf(whole)
      if (response.size <= this.#maxPayload) return this.#respond(message, start, scope, response)
      // The errors of a batch do not count towards `responseBytes`, nor do the headers of an error.
      return maybeThen(rejectMessage(new RpcResponseTooLarge(), scope), (tooLarge) =>
        this.#respond(message, start, scope, this.#responseOf(tooLarge)),
      )
    })
    if (!isPromise(done)) return
    this.#running.add(done)
    void done.then(() => this.#running.delete(done))
  }

  #scopeOf(message: NatsMessage): RequestScope<Codec> {
    const settings = this.#settings()
    const { limits } = settings
    const responseBytes = Math.min(limits.responseBytes, this.#maxPayload)
    const ownSettings = { ...settings, limits: { ...limits, responseBytes } }
    const origin = new LazyOrigin({ env: { message } }, () => requestOf(message))
    const bodyBytes = message.data.byteLength
    return createScope(ownSettings, this.#codec, origin, { transport: 'nats', bodyBytes })
  }

  get #maxPayload(): number {
    return this.#connection.info?.max_payload ?? DEFAULT_MAX_PAYLOAD
  }

  /** A message that has no response, as a notification, is acknowledged by an empty one. */
  #responseOf({ text, failure }: Reply): NatsResponse {
    // A notification has no response, and so none that is an error.
    const error = text === undefined ? undefined : failure?.error
    const headers = error && this.#connection.info?.headers !== false ? new ErrorHeaders(error) : undefined
    const bytes = encoder.encode(text)
    return { bytes, error, headers, size: bytes.byteLength + (headers?.encode().byteLength ?? 0) }
  }

  /** Counts a message, and sends its response. */
  #respond(message: NatsMessage, start: number, scope: RequestScope<Codec>, response: NatsResponse): Awaitable<void> {
    const { bytes, error, headers, size } = response
    this.#count(error, start)
    try {
      // `respond` does not report it.
      if (this.#connection.isClosed()) throw new Error('the NATS connection is closed: the response is not sent')
      const isSent = headers ? message.respond(bytes, { headers }) : message.respond(bytes)
      if (isSent) this.#unflushed.add(size)
    } catch (failure) {
      return maybeThen(fail(failure, new CallContext(scope)), () => undefined)
    }
  }

  #count(error: WireError | undefined, start: number): void {
    const { stats } = this
    const milliseconds = performance.now() - start
    if (milliseconds >= 1) countLongWork()
    stats.requests += 1
    stats.milliseconds += milliseconds
    if (!error) return
    stats.errors += 1
    stats.lastError = `${error.code} ${error.message}`
  }
}

function sizeInQueue({ data }: NatsMessage): number {
  return data.byteLength + MESSAGE_OVERHEAD
}

function requestOf({ headers }: NatsMessage): Request {
  return new Request('http://localhost/', { headers: headersOf(headers) })
}

/** Returns the headers that HTTP has as well; the others are in the message alone. */
function headersOf(source: NatsHeaders | undefined): Headers {
  const headers = new Headers()
  for (const name of source?.keys() ?? []) {
    for (const value of source?.values(name) ?? []) {
      try {
        headers.append(name, value)
      } catch {
        // A name or a value that HTTP does not allow.
      }
    }
  }
  return headers
}

/** How much of a message is in the header; the whole message is in the response. */
const MAX_DESCRIPTION = 200

/**
 * The headers by which clients of NATS services recognise an error (NATS ADR-32). `encode` is what `@nats-io/nats-core` calls to send
 * them, so that the package need not be imported.
 */
class ErrorHeaders implements NatsHeaders {
  readonly #values: ReadonlyMap<string, string>

  constructor({ code, message }: WireError) {
    // A header is one line.
    const description = message
      .slice(0, MAX_DESCRIPTION)
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
    this.#values = new Map([
      ['Nats-Service-Error', description || 'error'],
      ['Nats-Service-Error-Code', `${code}`],
    ])
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  values(name: string): string[] {
    const value = this.#values.get(name)
    return value === undefined ? [] : [value]
  }

  /** Returns the block of headers as it is sent. */
  encode(): Uint8Array {
    const lines = Array.from(this.#values, ([name, value]) => `${name}: ${value}\r\n`)
    return encoder.encode(`NATS/1.0\r\n${lines.join('')}\r\n`)
  }
}
