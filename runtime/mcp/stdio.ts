import { CallContext } from '../call/context.js'
import { fail } from '../call/dispatch.js'
import { createScope, LazyOrigin, type Origin } from '../call/scope.js'
import { Turns } from '../call/turns.js'
import type { LocalContext } from '../call/types.js'
import { ErrorCode } from '../error.js'
import type { Streams } from './options.js'
import {
  decodeMessage,
  encodeError,
  eraOf,
  McpError,
  type McpMessage,
  respondToMessage,
  type Service,
} from './protocol.js'

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
  /** The requests that run, by the JSON text of their ids. */
  const running = new Map<string, AbortController>()
  const sink = new Sink(output)
  const isDone = respondUntilEnd(input, sink, service, context, running)
  await Promise.race([isDone, sink.failed]).catch((error: unknown) => {
    if (!sink.hasFailed) throw error
    for (const controller of running.values())
      controller.abort()
      // A standard input that is still open would keep the process alive.
    ;(input as { destroy?(): void }).destroy?.()
    isDone.catch(() => {})
    if (!isReaderGone(error)) throw error
  })
}

async function respondUntilEnd(
  input: Streams['input'],
  sink: Sink,
  service: () => Service,
  context: LocalContext,
  running: Map<string, AbortController>,
): Promise<void> {
  const pending = new Set<Promise<void>>()
  const turns = new Turns()
  for await (const line of linesOf(input, service().settings.bodyBounds.largest)) {
    if (sink.hasFailed) return
    if (line.trim() === '') continue
    const turn = turns.next()
    if (turn) await turn
    const done = respondToLine(line, service(), context, running).then((text) => {
      if (text !== undefined) sink.write(`${text}\n`)
      pending.delete(done)
    })
    pending.add(done)
  }
  await Promise.all(pending)
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

  write(text: string): void {
    if (this.hasFailed) return
    try {
      this.#output.write(text)
    } catch (error) {
      this.#fail(error)
    }
  }
}

function isReaderGone(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET'
}

/** Splits chunks into lines. The rest of a line with more than `limit` characters is dropped. */
async function* linesOf(input: Streams['input'], limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    // One character more than the limit is enough to reject a line.
    rest = (lines.pop() ?? '').slice(0, limit + 1)
    yield* lines
  }
  yield rest
}

async function respondToLine(
  line: string,
  service: Service,
  context: LocalContext,
  running: Map<string, AbortController>,
): Promise<string | undefined> {
  const { settings } = service
  let id: string | undefined
  let origin: Origin = new LazyOrigin(context)
  try {
    const bodyBytes = checkSize(line, service)
    const message = decodeMessage(line, settings)
    id = message.id
    if (id === undefined) return cancel(message, running)
    const controller = new AbortController()
    running.set(id, controller)
    origin = cancellable(context, controller.signal)
    const exchange = { message: { ...message, id }, era: eraOf(message), service, origin, bodyBytes }
    const { text, scope } = await respondToMessage(exchange)
    if (controller.signal.aborted) return undefined
    if (scope?.rejection) throw new McpError(ErrorCode.INVALID_REQUEST, scope.rejection.message)
    return text
  } catch (error) {
    const failure = await fail(error, new CallContext(createScope(settings, undefined, origin, { transport: 'mcp' })))
    return encodeError(id, failure.error)
  } finally {
    if (id !== undefined) running.delete(id)
  }
}

const encoder = new TextEncoder()

function checkSize(line: string, { settings: { bodyBounds } }: Service): number {
  const bytes = encoder.encode(line).byteLength
  if (bytes <= bodyBounds.largest) return bytes
  throw new McpError(ErrorCode.INVALID_REQUEST, `Invalid Request: larger than ${bodyBounds.largest} bytes`)
}

/** A client cancels a request by its id; other notifications are ignored. */
function cancel({ method, params }: McpMessage, running: ReadonlyMap<string, AbortController>): undefined {
  if (method === 'notifications/cancelled') running.get(JSON.stringify(params['requestId']) ?? '')?.abort()
}

/** The origin of a request that a notification can cancel. */
function cancellable(context: LocalContext, signal: AbortSignal): Origin {
  const { request } = context
  return new LazyOrigin({
    ...context,
    request: new Request(request?.url ?? 'http://localhost/', { headers: request?.headers ?? {}, signal }),
  })
}
