// MCP over standard input and output: each line is a message. Calls run concurrently, and `notifications/cancelled` ends one of them.
import { type Awaitable, isPromise, maybeCatch, maybeThen } from '../call/maybe-async.js'
import type { ResponseBudget } from '../call/response-budget.js'
import { LazyOrigin, type Origin } from '../call/scope.js'
import { Semaphore } from '../call/semaphore.js'
import { Turns } from '../call/turns.js'
import type { LocalContext } from '../call/types.js'
import { serverBusy } from '../error.js'
import { GrowingBytes } from '../http/read-stream.js'
import { decodeText } from '../platform/charset.js'
import {
  type DecodedMessage,
  decodeMessages,
  findId,
  invalidRequest,
  McpError,
  type McpMessage,
  tokenText,
  versionFor,
} from './messages.js'
import type { Streams } from './options.js'
import { createBatch, errorTextOf, respondToBatch, respondToMessage } from './protocol.js'
import type { MessageContext, Service } from './response.js'
import { withSignal } from './tool-call.js'

/** Calls of tools that run at once, those of batches included, as over WebSocket; others wait. */
const MAX_CALLS = 100

/**
 * The bytes of lines that have no response yet, with `LINE_OVERHEAD` for each; beyond them calls of tools are rejected. What a line is decoded to
 * may take sixteen times its memory.
 */
const MAX_OPEN = 16 * 1024 * 1024
const tooManyOpen = `${MAX_OPEN} bytes of messages have no response yet`

/** What a call that waits takes beside its line. */
const LINE_OVERHEAD = 8192

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
 * The requests of one stream. Calls of tools that wait for others do not stop it, so that the client can cancel them. Nothing is read while the
 * client does not read what was written.
 */
class StdioConnection {
  readonly #sink: Sink
  readonly #service: () => Service
  readonly #context: LocalContext
  /** The requests that have no response yet, by the JSON text of their ids. */
  readonly #running = new Map<string, AbortController>()
  readonly #calls = new Semaphore(MAX_CALLS)
  /** Of the batches that wait for others to be complete, the first one checks whether they are. */
  readonly #batches = new Semaphore(1)
  /** The lines that have no response yet. */
  readonly #pending = new Set<PromiseLike<void>>()
  /** Their bytes, with `LINE_OVERHEAD` for each. */
  #openBytes = 0
  /** The budgets of the batches among them. */
  readonly #budgets = new Set<ResponseBudget>()
  /** Called when a line has its response. */
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
      await turns.next()
      await this.#sink.room(limits.responseBytes)
      const response = maybeThen(this.#respondToLine(line), (text) => {
        if (text !== undefined) this.#sink.write(`${text}\n`)
      })
      if (isPromise(response)) this.#waitFor(response, line.byteLength + LINE_OVERHEAD)
    }
    await Promise.all(this.#pending)
  }

  #waitFor(response: PromiseLike<void>, bytes: number): void {
    const done = response.then(() => {
      this.#pending.delete(done)
      this.#openBytes -= bytes
      this.#resume()
    })
    this.#pending.add(done)
    this.#openBytes += bytes
  }

  /** The characters of the responses in batches that are not complete. */
  get #keptCharacters(): number {
    let kept = 0
    for (const { characters } of this.#budgets) kept += characters
    return kept
  }

  /** Waits until the batches that are not complete have at most so many characters of responses. */
  #roomFor(most: number): Awaitable<void> {
    if (this.#keptCharacters <= most) return undefined
    const response = new Promise<void>((resolve) => {
      this.#resume = resolve
    })
    return response.then(() => this.#roomFor(most))
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  #respondToLine(bytes: Uint8Array): Awaitable<string | undefined> {
    const service = this.#service()
    const origin = new LazyOrigin(this.#context)
    return maybeCatch<string | undefined>(
      () => {
        const { settings } = service
        const bodyBytes = bytes.byteLength
        const line = decodeLine(bytes, service)
        if (line.trim() === '') return undefined
        const notify = (text: string) => {
          this.#sink.write(`${text}\n`)
          return this.#sink.room(settings.limits.responseBytes)
        }
        const context = { service, origin, bodyBytes, notify }
        const message = decodeMessages(line, settings, this.#version)
        const respond = (each: DecodedMessage, shared: MessageContext) => this.#respondToOne(each, shared)
        if (!Array.isArray(message)) return respond(message, context)
        const respondToAll = () => {
          const batch = createBatch(settings, bodyBytes)
          this.#budgets.add(batch.budget)
          return maybeThen(respondToBatch(message, { ...context, batch }, respond), (text) => {
            this.#budgets.delete(batch.budget)
            return text
          })
        }
        // One that is rejected anyway does not wait.
        if (!message.some(isToolRequest) || this.#openBytes > MAX_OPEN) return respondToAll()
        return maybeThen(
          this.#batches.run(() => this.#roomFor(settings.limits.responseBytes)),
          respondToAll,
        )
      },
      (error) => errorTextOf(error, undefined, { service, origin }),
    )
  }

  #respondToOne(message: DecodedMessage, context: MessageContext): Awaitable<string | undefined> {
    if (message instanceof McpError) return respondToMessage(message, context)
    const { id, method } = message
    if (id === undefined) return this.#cancel(message)
    if (method === 'initialize') this.#version = versionFor(message)
    const isTool = isToolRequest(message)
    if (isTool && this.#openBytes > MAX_OPEN) return errorTextOf(serverBusy(tooManyOpen), id, context)
    const controller = new AbortController()
    const { signal } = controller
    this.#running.set(id, controller)
    const respond = () => {
      if (signal.aborted || this.#sink.hasFailed) return undefined
      const response = respondToMessage(message, { ...context, origin: cancellable(this.#context, signal) })
      return maybeThen(response, (text) => (signal.aborted ? undefined : text))
    }
    return maybeThen(isTool ? this.#calls.run(respond) : respond(), (text) => {
      // A client may have sent another request with the same id.
      if (this.#running.get(id) === controller) this.#running.delete(id)
      return text
    })
  }

  /** A client cancels a request by its id; other notifications are ignored. */
  #cancel({ method, params }: McpMessage): undefined {
    if (method === 'notifications/cancelled') this.#running.get(tokenText(params['requestId']) ?? '')?.abort()
  }
}

/** An output, and its first error: that of `write`, or the `error` event of a stream. */
class Sink {
  /** Rejects with it. */
  readonly failed: Promise<never>
  hasFailed = false
  readonly #output: Streams['output']
  #drained: Promise<void> | undefined
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
    // A stream that buffers less than its own limit reports no drain.
    if ((output.writableLength ?? 0) <= most || output.writableNeedDrain === false) return undefined
    // One for all that wait: each call of a tool may.
    this.#drained ??= new Promise((resolve) => {
      output.once?.('drain', () => {
        this.#drained = undefined
        resolve()
      })
    })
    return this.#drained
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
  readonly writableNeedDrain?: boolean
  once(event: 'drain', listener: () => void): unknown
}

function isReaderGone(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET'
}

/** Splits chunks into lines. Of a line with more than `limit` bytes, further chunks are dropped: it is rejected anyway. */
async function* linesOf(input: Streams['input'], limit: number): AsyncGenerator<Uint8Array> {
  let rest = new GrowingBytes(Number.POSITIVE_INFINITY)
  const add = (bytes: Uint8Array) => rest.read().byteLength > limit || rest.add(bytes)
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    let start = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      add(bytes.subarray(start, end))
      yield rest.read()
      rest = new GrowingBytes(Number.POSITIVE_INFINITY)
      start = end + 1
    }
    add(bytes.subarray(start))
  }
  yield rest.read()
}

const LF = 0x0a
const encoder = /* @__PURE__ */ new TextEncoder()

/** True for what may take long: calls of tools, and their list. */
function isToolRequest(message: DecodedMessage): boolean {
  return !(message instanceof McpError) && message.id !== undefined && message.method.startsWith('tools/')
}

/** @throws McpError for a line that is too large, RpcParseError for one that is not UTF-8 */
function decodeLine(bytes: Uint8Array, { settings: { bodyBounds } }: Service): string {
  if (bytes.byteLength <= bodyBounds.largest) return decodeText(bytes, 'utf-8')
  throw invalidRequest(`larger than ${bodyBounds.largest} bytes`, findId(new TextDecoder().decode(bytes)))
}

/** The origin of a request that a notification can cancel. */
function cancellable({ request, ...context }: LocalContext, signal: AbortSignal): Origin {
  const { url = 'http://localhost/', headers = {} } = request ?? {}
  return new LazyOrigin(context, () => withSignal(new Request(url, { headers, signal }), signal))
}
