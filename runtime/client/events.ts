// A subscription over fetch: a POST whose response consists of server-sent events, read no faster than the loop asks for items. If the
// connection is lost, the call is sent again with the id of the last event.
import type { ClientState, Fetched, Flight, parts } from './call.js'
import type { RpcTransportError, TransportResponse } from './errors.js'
import type { JsonMessage } from './json.js'
import type { RpcRequest } from './members.js'
import type { RpcCall } from './options.js'
import type { SubscribeOptions } from './subscriptions.js'

const eventsType = 'text/event-stream'

/** What this module uses of the client, which imports it. */
type ClientParts = typeof parts

/** What converts the items, and the data of an error. */
type Decoders = Required<Pick<SubscribeOptions, 'decode' | 'decodeError'>>

/** The fields of one event that are used (WHATWG HTML section 9.2.6). */
interface ServerSentEvent {
  /** The lines of its data; undefined if it has none, and is no event. */
  readonly data: string | undefined
  /** The id; undefined if it has none. An empty one resets that of earlier events. */
  readonly id: string | undefined
  /** The milliseconds after which the server wants to be connected to again; undefined if it does not specify it. */
  readonly retryMs: number | undefined
}

/** The most characters of an id: it is sent as a header. A longer one is ignored. */
const MAX_ID = 1024

/** Parses a stream of events, however it is cut into pieces. Its TextDecoder has removed a byte order mark. */
class EventParser {
  /** The pieces of the line that is not complete. */
  #pieces: string[] = []
  /** How many of them consist of smaller ones. */
  #joined = 0
  #length = 0
  /** True if the text began after a carriage return, which a line feed may still belong to. */
  #skipsLineFeed = false
  #data: string[] = []
  #characters = 0
  #id: string | undefined
  #retryMs: number | undefined

  /** The characters of the event that is not complete. */
  get pending(): number {
    return this.#length + this.#characters
  }

  /** Yields the events that are complete with a further piece of text: not all of them at once, of which a piece has as many as characters. */
  *push(piece: string): Generator<ServerSentEvent, void> {
    let text = piece
    if (this.#skipsLineFeed && text !== '') {
      this.#skipsLineFeed = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    let start = 0
    for (const { 0: lineEnds, index } of text.matchAll(/[\r\n]+/g)) {
      const line = this.#pieces.join('') + text.slice(start, index)
      start = index + lineEnds.length
      this.#pieces = []
      this.#joined = this.#length = 0
      if (line !== '') this.#readLine(line)
      const isBlankNext = lineEnds.length > 1 && lineEnds !== '\r\n'
      if (this.#hasFields && (line === '' || isBlankNext)) yield this.#dispatch()
    }
    if (start < text.length) this.#keep(text.slice(start))
    if (text.endsWith('\r')) this.#skipsLineFeed = true
  }

  /** True if a blank line ends an event. */
  get #hasFields(): boolean {
    return this.#data.length > 0 || this.#id !== undefined || this.#retryMs !== undefined
  }

  /** A text made of others keeps each of them, and one of a single character takes forty bytes as an object. */
  #keep(piece: string): void {
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length - this.#joined > 4096) this.#pieces.push(this.#pieces.splice(this.#joined++).join(''))
  }

  #dispatch(): ServerSentEvent {
    const event = {
      data: this.#data.length > 0 ? this.#data.join('\n') : undefined,
      id: this.#id,
      retryMs: this.#retryMs,
    }
    this.#data = []
    this.#characters = 0
    this.#id = this.#retryMs = undefined
    return event
  }

  #readLine(line: string): void {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?]
    if (field === 'data') {
      this.#data.push(value)
      // A line takes memory without a value, too.
      this.#characters += line.length + 1
    } else if (field === 'id') {
      if (!value.includes('\0') && value.length <= MAX_ID) this.#id = value
    } else if (field === 'retry' && /^\d{1,9}$/.test(value)) {
      this.#retryMs = Number(value)
    }
  }
}

/** The items of a subscription. `return`, as at the end of `for await`, ends the request. */
export class Events implements AsyncIterator<unknown> {
  readonly #call: RpcCall
  readonly #body: string
  readonly #state: ClientState
  readonly #decoders: Decoders
  readonly #parts: ClientParts
  readonly #items: AsyncGenerator<unknown, void>
  /** The request or the wait that is running. */
  readonly #flight: Flight = {}
  readonly #removeListeners: readonly (() => void)[]
  #request = new AbortController()
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #isReturned = false
  /** Why a signal has ended it. */
  #aborted: { readonly reason: unknown } | undefined
  #lastEventId: string | undefined
  #retryMs: number | undefined
  /** The delay that the last response requires, also one whose body is an error of the protocol. */
  #retryAfterMs = 0

  constructor(request: RpcRequest, state: ClientState, decoders: Decoders, parts: ClientParts) {
    // It is a call of its own.
    const settings = { ...state.settings, isSubscription: () => false }
    const { call, text } = parts.write(request, { ...state, settings })
    this.#call = call
    this.#body = parts.json.join([text], false)
    this.#parts = parts
    this.#state = state
    this.#decoders = decoders
    this.#items = this.#read()
    this.#removeListeners = state.signals.map((signal) => parts.onAbort(signal, (reason) => this.#abort(reason)))
    for (const signal of state.signals) if (signal.aborted) this.#abort(signal.reason)
  }

  next(): Promise<IteratorResult<unknown, void>> {
    return this.#items.next()
  }

  return(): Promise<IteratorResult<unknown, void>> {
    this.#isReturned = true
    this.#stop(undefined)
    return this.#items.return()
  }

  #abort(reason: unknown): void {
    this.#aborted ??= { reason }
    this.#stop(reason)
  }

  /** Ends the request, also where a `fetch` of the caller ignores its signal. */
  #stop(reason: unknown): void {
    for (const remove of this.#removeListeners) remove()
    this.#flight.stop?.(reason)
    this.#disconnect(reason)
  }

  #disconnect(reason?: unknown): void {
    this.#request.abort(reason)
    this.#reader?.cancel().catch(() => {})
    this.#reader = undefined
  }

  /** Connects until the last event has arrived, or it must not connect again. */
  async *#read(): AsyncGenerator<unknown, void> {
    let hasBegun = false
    let failures = 0
    try {
      for (;;) {
        try {
          for await (const message of this.#messages()) {
            this.#throwIfAborted()
            hasBegun = true
            if (message === undefined) continue
            failures = 0
            const { method, params } = message.value as JsonMessage
            if (typeof method !== 'string') return this.#end(message)
            yield this.#decoders.decode((params as JsonMessage | null | undefined)?.result)
          }
        } catch (error) {
          this.#disconnect()
          if (this.#isReturned || this.#aborted) throw error
          await this.#waitFor(error, hasBegun, failures)
          failures += 1
        }
      }
    } catch (error) {
      if (this.#isReturned) return
      this.#throwIfAborted()
      throw error
    } finally {
      this.#stop(undefined)
    }
  }

  #throwIfAborted(): void {
    if (this.#aborted) throw this.#aborted.reason
  }

  /** Handles the response to the call. @throws RpcError if it is an error */
  #end({ value, response }: Received): void {
    const [outcome] = this.#parts.readParsed(value, response, [this.#call], false, this.#state.settings)
    if (!(outcome instanceof Error)) return
    this.#decoders.decodeError(outcome)
    throw outcome
  }

  /** Waits before the call is sent again. @throws the error if it is not */
  async #waitFor(error: unknown, hasBegun: boolean, failures: number): Promise<void> {
    const { resubscribe, retries } = this.#state.settings
    const { delayOf, isRetryable, withTimeout } = this.#parts
    const isLost = isRetryable((error ?? {}) as Partial<RpcTransportError>)
    // Without ids items are missed.
    const mayResume = resubscribe || this.#lastEventId !== undefined
    if (!hasBegun || !isLost || !mayResume || (!resubscribe && failures >= retries.attempts)) throw error
    const baseMs = this.#retryMs ?? retries.baseMs
    const ownMs = delayOf(failures, { baseMs, maxMs: Math.max(retries.maxMs, baseMs) })
    await withTimeout<void>(this.#flight, Math.max(ownMs, this.#retryAfterMs), (resolve) => resolve())
  }

  /** The messages of one response; undefined once it has begun. @throws RpcTransportError if it is not complete */
  async *#messages(): AsyncGenerator<Received | undefined, void> {
    this.#throwIfAborted()
    const fetched = await this.#connect()
    yield undefined
    const { RpcTransportError } = this.#parts
    const parser = new EventParser()
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for (;;) {
      const bytes = await this.#chunk(fetched)
      if (!bytes) throw new RpcTransportError('the stream ended before its last event', fetched.head)
      for (const event of parser.push(this.#decode(bytes, decoder, fetched))) {
        const received = this.#receive(event, fetched)
        if (received) yield received
      }
      this.#checkSize(parser.pending, fetched)
    }
  }

  /** Sends the call. @throws RpcError, RpcTransportError if the response is not a stream */
  async #connect(): Promise<Fetched> {
    const { settings } = this.#state
    const { fetchResponse, readResponse, json, unexpected } = this.#parts
    this.#request = new AbortController()
    this.#retryAfterMs = 0
    const { signal } = this.#request
    const id = this.#lastEventId
    const headers = {
      Accept: `${eventsType}, application/json`,
      ...(id !== undefined && { 'Last-Event-ID': inHeader(id) }),
    }
    const fetched = await this.#within(() => fetchResponse(this.#body, settings, signal, headers))
    const { response, head } = fetched
    this.#retryAfterMs = head.retryAfterMs ?? 0
    if (head.ok && head.contentType?.split(';')[0]?.trim().toLowerCase() === eventsType && response.body) {
      this.#reader = response.body.getReader()
      return fetched
    }
    const whole = await this.#within(() => readResponse(fetched, settings))
    const [outcome] = await json.read(whole, [this.#call], false, settings)
    if (!(outcome instanceof Error)) throw unexpected(whole, 'the response is not a stream of events')
    this.#decoders.decodeError(outcome)
    throw outcome
  }

  async #chunk({ head }: Fetched): Promise<Uint8Array | undefined> {
    const reader = this.#reader
    if (!reader) return undefined
    const { value } = await this.#within(() => reader.read().catch(this.#parts.noResponse(head)))
    return value
  }

  /** Runs a part of the request: `timeoutMs` limits how long nothing arrives. */
  #within<T>(work: () => Promise<T>): Promise<T> {
    const { url, timeoutMs } = this.#state.settings
    const onTimeout = () => {
      const error = new DOMException(`${url}: nothing has arrived within ${timeoutMs} ms`, 'TimeoutError')
      this.#flight.stop?.(error)
      this.#disconnect(error)
    }
    return this.#parts.withTimeout(this.#flight, timeoutMs || Infinity, onTimeout, work)
  }

  #decode(bytes: Uint8Array, decoder: TextDecoder, { head }: Fetched): string {
    try {
      return decoder.decode(bytes, { stream: true })
    } catch (cause) {
      throw new this.#parts.RpcTransportError('the stream is not UTF-8', { ...head, text: '', cause })
    }
  }

  #checkSize(characters: number, { head }: Fetched): void {
    const { maxResponseBytes } = this.#state.settings
    if (characters <= maxResponseBytes) return
    const reason = `an event of more than maxResponseBytes (${maxResponseBytes})`
    throw new this.#parts.RpcTransportError(reason, { ...head, text: '' })
  }

  #receive({ data, id, retryMs }: ServerSentEvent, fetched: Fetched): Received | undefined {
    if (retryMs !== undefined) this.#retryMs = retryMs
    if (id !== undefined) this.#lastEventId = id || undefined
    if (data === undefined) return undefined
    this.#checkSize(data.length, fetched)
    const { head } = fetched
    const { parseJson, unexpected } = this.#parts
    const response = { ...head, bytes: new Uint8Array(), text: data }
    try {
      return { value: parseJson(data) ?? {}, response }
    } catch (cause) {
      throw unexpected(response, 'an event is not JSON', { cause })
    }
  }
}

/** A message, and what errors report of it. */
interface Received {
  readonly value: unknown
  readonly response: TransportResponse
}

/** A header is Latin-1: an id is sent as the bytes of its UTF-8, as browsers do. */
function inHeader(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id))
}
