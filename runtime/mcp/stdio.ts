// MCP over standard input and output: each line is a message. Calls run concurrently, and `notifications/cancelled` ends one of them.
import { bytesOf } from '../call/body-limits.js'
import { type Awaitable, isPromise, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { LazyOrigin, type Origin, type ResponseBudget } from '../call/scope.js'
import { Semaphore } from '../call/semaphore.js'
import { Turns } from '../call/turns.js'
import type { LocalContext } from '../call/types.js'
import { type BatchExchange, createBatch, respondToBatch } from './batch.js'
import { findId } from './find-id.js'
import type { Streams } from './options.js'
import {
  type Decoded,
  decodeMessages,
  eraOf,
  errorTextOf,
  invalidRequest,
  McpError,
  type McpMessage,
  responseTextOf,
  type Service,
  versionFor,
} from './protocol.js'

/** Calls of tools that run at once, those of batches included, as over WebSocket; also lines that have no response yet. */
const MAX_CALLS = 100

/**
 * Responds to the messages of a stream until it ends and all calls have ended, or until the reader of the responses has gone; calls run
 * concurrently.
 *
 * @throws the error of the output, if it is not that its reader has gone
 */
export async function respondToLines(
  { input, output }: Streams,
  service: () => Service,
  context: LocalContext,
): Promise<void> {
  const sink = new Sink(output)
  const connection = new StdioConnection(sink, service, context)
  const isDone = connection.respondTo(input)
  await Promise.race([isDone, sink.failed]).catch((error: unknown) => {
    if (!sink.hasFailed) throw error
    connection.cancelAll()
    // A standard input that is still open would keep the process alive.
    ;(input as { destroy?(): void }).destroy?.()
    isDone.catch(() => {})
    if (!isReaderGone(error)) throw error
  })
}

/**
 * The requests of one stream. Nothing is read while a call waits for others to end, or while the client does not read what was written, to which
 * the responses in batches that are not complete count.
 */
class StdioConnection {
  readonly #sink: Sink
  readonly #service: () => Service
  readonly #context: LocalContext
  /** The requests that run, by the JSON text of their ids. */
  readonly #running = new Map<string, AbortController>()
  readonly #semaphore = new Semaphore(MAX_CALLS, () => this.#resume())
  /** The lines that have no response yet. */
  readonly #pending = new Set<PromiseLike<void>>()
  /** Those of the batches among them. */
  readonly #budgets = new Set<ResponseBudget>()
  #resume: () => void = () => {}
  /** That of `initialize`. */
  #version: string | undefined

  constructor(sink: Sink, service: () => Service, context: LocalContext) {
    this.#sink = sink
    this.#service = service
    this.#context = context
  }

  /** Resolves when the input has ended, and all calls. */
  async respondTo(input: Streams['input']): Promise<void> {
    const turns = new Turns()
    const { bodyBounds, limits } = this.#service().settings
    for await (const line of linesOf(input, bodyBounds.largest)) {
      if (this.#sink.hasFailed) return
      if (line.trim() === '') continue
      await turns.next()
      while (this.#mustWait(limits.responseBytes)) await new Promise<void>(this.#waitForEnd)
      await this.#sink.room(limits.responseBytes)
      const response = maybeThen(this.#respondToLine(line), (text) => {
        if (text !== undefined) this.#sink.write(`${text}\n`)
      })
      if (!isPromise(response)) continue
      const done = response.then(() => {
        this.#pending.delete(done)
        this.#resume()
      })
      this.#pending.add(done)
    }
    await Promise.all(this.#pending)
  }

  #mustWait(most: number): boolean {
    let kept = 0
    for (const { characters } of this.#budgets) kept += characters
    return this.#semaphore.hasWaiting || this.#pending.size > MAX_CALLS || kept > most
  }

  /** Calls `resume` when a call or a line has ended. */
  readonly #waitForEnd = (resume: () => void): void => {
    this.#resume = resume
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  #respondToLine(line: string): Awaitable<string | undefined> {
    const service = this.#service()
    const origin = new LazyOrigin(this.#context)
    const notify = (text: string) => this.#sink.write(`${text}\n`)
    return maybeCatch<string | undefined>(
      () => {
        const { settings } = service
        const bodyBytes = checkSize(line, service)
        const exchange = { service, origin, bodyBytes, notify }
        const message = decodeMessages(line, settings, this.#version)
        if (!Array.isArray(message)) return this.#respondToOne(message, exchange)
        const batch = createBatch(settings, bodyBytes)
        this.#budgets.add(batch.budget)
        const respond = (each: Decoded, shared: BatchExchange) => this.#respondToOne(each, shared)
        return maybeThen(respondToBatch(message, { ...exchange, batch }, respond), (text) => {
          this.#budgets.delete(batch.budget)
          return text
        })
      },
      (error) => errorTextOf(error, undefined, service, origin),
    )
  }

  #respondToOne(message: Decoded, exchange: BatchExchange): Awaitable<string | undefined> {
    const { id } = message
    if (message instanceof McpError) return errorTextOf(message, id, exchange.service, exchange.origin)
    if (id === undefined) return this.#cancel(message)
    if (message.method === 'initialize') this.#version = versionFor(message)
    const controller = new AbortController()
    const { signal } = controller
    this.#running.set(id, controller)
    const origin = cancellable(this.#context, signal)
    const respond = () =>
      maybeCatch<string | undefined>(
        () => {
          if (signal.aborted || this.#sink.hasFailed) return undefined
          const exchangeOfOne = { ...exchange, origin, message: { ...message, id }, era: eraOf(message) }
          return maybeThen(responseTextOf(exchangeOfOne), (text) => (signal.aborted ? undefined : text))
        },
        (error) => errorTextOf(error, id, exchange.service, origin),
      )
    const response = message.method.startsWith('tools/') ? this.#semaphore.run(respond) : respond()
    return maybeThen(response, (text) => {
      this.#running.delete(id)
      return text
    })
  }

  /** A client cancels a request by its id; other notifications are ignored. */
  #cancel({ method, params }: McpMessage): undefined {
    if (method === 'notifications/cancelled') this.#running.get(JSON.stringify(params['requestId']) ?? '')?.abort()
  }
}

/** An output, and its first error: that of `write`, or the `error` event of a stream. */
class Sink {
  /** Rejects with it. */
  readonly failed: Promise<never>
  hasFailed = false
  readonly #output: Streams['output']
  #fail: (error: unknown) => void = () => {}

  constructor(output: Streams['output']) {
    this.#output = output
    this.failed = new Promise((_, reject) => {
      this.#fail = (error) => {
        this.hasFailed = true
        reject(error)
      }
    })
    this.failed.catch(() => {})
    output.on?.('error', this.#fail)
  }

  /** Returns a promise that resolves when the client has read what was written, if that is more than `most`; undefined if it is not. */
  room(most: number): Promise<void> | undefined {
    const output = this.#output as Partial<NodeOutput>
    if ((output.writableLength ?? 0) <= most) return undefined
    return new Promise((resolve) => void output.once?.('drain', resolve))
  }

  write(text: string): void {
    if (this.hasFailed) return
    try {
      this.#output.write(text)
    } catch (error) {
      this.#fail(error)
    }
  }
}

/** What is used of a stream of Node besides. */
interface NodeOutput {
  readonly writableLength?: number
  once(event: 'drain', listener: () => void): unknown
}

function isReaderGone(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET'
}

/** Splits chunks into lines. Of a line with more than `limit` characters, further chunks are dropped: it is rejected anyway. */
async function* linesOf(input: Streams['input'], limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const [more = '', ...lines] = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split(
      '\n',
    )
    // Not copied before it is read: a long line comes in thousands of chunks.
    if (rest.length <= limit) rest += more
    for (const line of lines) {
      yield rest
      rest = line
    }
  }
  yield rest
}

function checkSize(line: string, { settings: { bodyBounds } }: Service): number {
  const bytes = bytesOf(line, bodyBounds)
  if (bytes <= bodyBounds.largest) return bytes
  throw invalidRequest(`larger than ${bodyBounds.largest} bytes`, findId(line))
}

/** The origin of a request that a notification can cancel. */
function cancellable(context: LocalContext, signal: AbortSignal): Origin {
  const { request } = context
  return new LazyOrigin({
    ...context,
    request: new Request(request?.url ?? 'http://localhost/', { headers: request?.headers ?? {}, signal }),
  })
}
