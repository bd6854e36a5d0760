/**
 * Traces and measures calls with OpenTelemetry.
 *
 * @module
 */
import {
  type Attributes,
  context as active,
  type Context,
  type Histogram,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { Middleware, RpcContext } from './call/types.js'
import { ErrorCode, isRpcError } from './error.js'
import { checkNames, type OptionNames } from './option-table.js'

/** Options of `openTelemetry`; everything has a default. */
export interface OpenTelemetryOptions {
  /** Makes the spans. Default: the global one of `@opentelemetry/api`. */
  readonly tracerProvider?: TracerProvider
  /** Records the durations. Default: the global one of `@opentelemetry/api`. */
  readonly meterProvider?: MeterProvider
}

const optionNames: OptionNames<OpenTelemetryOptions> = { tracerProvider: true, meterProvider: true }

const scope = 'rpc-gen'

/** Seconds, as the RPC conventions advise. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/**
 * Returns middleware that makes a span for each call and records its duration in the histogram `rpc.server.call.duration`, in
 * seconds, by the semantic conventions for RPC (https://opentelemetry.io/docs/specs/semconv/rpc/). The span is active while
 * the call runs. Use it first, so that it surrounds the other middleware.
 *
 * The span of an HTTP request is the parent if there is one; otherwise the `traceparent` of the request is. An error sets
 * `rpc.status_code` and `error.type` to its code; an exception that is not an RpcError is recorded in the span.
 *
 * @example
 * server.use(openTelemetry())
 * @throws TypeError for an option that does not exist
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Middleware {
  checkNames(options, 'openTelemetry', optionNames)
  const tracer = (options.tracerProvider ?? trace).getTracer(scope)
  const duration = (options.meterProvider ?? metrics).getMeter(scope).createHistogram('rpc.server.call.duration', {
    description: 'Duration of incoming remote procedure calls.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries },
  })
  return (call, next) => {
    const shared = attributesOf(call)
    const name = call.procedure ? call.method : String(shared['rpc.system.name'])
    const kind = call.transport === 'local' ? SpanKind.INTERNAL : SpanKind.SERVER
    const attributes = { ...shared, ...spanAttributesOf(call) }
    const parent = parentOf(call)
    const start = performance.now()
    return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
      const failed: Attributes = {}
      try {
        return await next()
      } catch (error) {
        Object.assign(failed, recordError(span, error))
        throw error
      } finally {
        record(duration, start, { ...shared, ...failed }, span, parent)
      }
    })
  }
}

function record(duration: Histogram, start: number, attributes: Attributes, span: Span, parent: Context): void {
  duration.record((performance.now() - start) / 1000, attributes, trace.setSpan(parent, span))
  span.end()
}

/** Attributes of few values, for spans and measurements: a client cannot add a time series with a name that does not exist. */
function attributesOf({ protocol, procedure, method }: RpcContext): Attributes {
  return {
    'rpc.system.name': protocol?.replace('-', '') ?? scope,
    'rpc.method': procedure ? method : '_OTHER',
  }
}

/** Longer names and ids are cut: both come from the client. */
const MAX_LENGTH = 256

/** What the context of a call has beside what is public: the older version of its message, if `compatibility` accepted one. */
interface WithMessage {
  readonly call?: { readonly version?: string; readonly inMulticall?: boolean }
}

function spanAttributesOf(context: RpcContext): Attributes {
  const { protocol, procedure, method, id } = context
  const { version = '2.0', inMulticall } = (context as WithMessage).call ?? {}
  return {
    ...(procedure ? {} : { 'rpc.method_original': method.slice(0, MAX_LENGTH) }),
    // An entry of a multicall is not a message of JSON-RPC.
    ...(protocol === 'json-rpc' && !inMulticall ? { 'jsonrpc.protocol.version': version } : {}),
    ...(id === undefined || id === null ? {} : { 'jsonrpc.request.id': String(id).slice(0, MAX_LENGTH) }),
  }
}

const headers: TextMapGetter<Headers> = {
  get: (carrier, key) => carrier.get(key) ?? undefined,
  keys: (carrier) => [...carrier.keys()],
}

/** The transports whose requests have the headers of their client; those of MCP have the trace context of `_meta` too. */
const overHttp: ReadonlySet<string> = new Set(['http', 'mcp'])

function parentOf(call: RpcContext): Context {
  const current = active.active()
  if (!overHttp.has(call.transport) || trace.getSpan(current)) return current
  return propagation.extract(current, call.request.headers, headers)
}

/** Returns the attributes of a failed call. The client gets the code of an RpcError, and that of an internal error otherwise. */
function recordError(span: Span, error: unknown): Attributes {
  const isOwn = isRpcError(error)
  const code = String(isOwn ? error.code : ErrorCode.INTERNAL_ERROR)
  const attributes = { 'rpc.status_code': code, 'error.type': code }
  span.setAttributes(attributes)
  span.setStatus({ code: SpanStatusCode.ERROR, message: isOwn ? String(error.message) : 'Internal error' })
  if (!isOwn) span.recordException(error instanceof Error ? error : String(error))
  return attributes
}
