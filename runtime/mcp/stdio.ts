import { CallContext } from '../call/context.js'
import { fail } from '../call/dispatch.js'
import { createScope, LazyOrigin, type Origin } from '../call/scope.js'
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

/** Responds to the messages of a stream until it ends and all calls have ended; calls run concurrently. */
export async function respondToLines(
  { input, output }: Streams,
  service: () => Service,
  context: LocalContext,
): Promise<void> {
  // A reader that has gone away has closed the input, too, which ends the loop. Without a listener the error would end the process.
  output.on?.('error', () => {})
  /** The requests that run, by the JSON text of their ids. */
  const running = new Map<string, AbortController>()
  const pending = new Set<Promise<void>>()
  for await (const line of linesOf(input, service().settings.bodyBounds.largest)) {
    if (line.trim() === '') continue
    const done = respondToLine(line, service(), context, running).then((text) => {
      if (text !== undefined) output.write(`${text}\n`)
      pending.delete(done)
    })
    pending.add(done)
  }
  await Promise.all(pending)
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
