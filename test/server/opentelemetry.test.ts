import { type Attributes, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { RpcError, RpcServer } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { openTelemetry } from 'rpc-gen/opentelemetry'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, postJson } from '../support/json-rpc.js'

const spans = new InMemorySpanExporter()
const measurements = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: measurements, exportIntervalMillis: 3_600_000 })
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
const meterProvider = new MeterProvider({ readers: [reader] })

const server = new RpcServer({ onError: () => {} }).use(openTelemetry({ tracerProvider, meterProvider }))
const functions = {
  add: (a: number, b: number) => a + b,
  inside: () => trace.getActiveSpan()?.spanContext().spanId,
  cancel() {
    throw new RpcError(4444, 'No such order')
  },
  crash() {
    throw new TypeError('a secret of the server')
  },
}
for (const [name, fn] of Object.entries(functions)) server.registerProcedure(fn, { name, unchecked: true })

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})

afterAll(async () => {
  context.disable()
  propagation.disable()
  await meterProvider.shutdown()
})

beforeEach(async () => {
  await reader.forceFlush()
  spans.reset()
  measurements.reset()
})

async function post(body: unknown, headers: Record<string, string> = {}): Promise<string> {
  return (await server.fetch(new Request('http://localhost/rpc', postJson(body, headers)))).text()
}

const attributesBySpan = (): Attributes[] =>
  spans.getFinishedSpans().map(({ name, attributes }) => ({ name, ...attributes }))

describe('spans', () => {
  test('of a call: its name, kind and attributes', async () => {
    expect(JSON.parse(await post(call('add', [1, 2], 'a')))).toMatchObject({ result: 3 })
    const [span] = spans.getFinishedSpans()
    expect(span).toMatchObject({ name: 'add', kind: SpanKind.SERVER, status: { code: SpanStatusCode.UNSET } })
    expect(span?.attributes).toEqual({
      'rpc.system.name': 'jsonrpc',
      'rpc.method': 'add',
      'jsonrpc.protocol.version': '2.0',
      'jsonrpc.request.id': 'a',
    })
  })

  test('of an older version of JSON-RPC: that version', async () => {
    const compatibility = { jsonRpc1: true, lenientVersion: true, jsonMulticall: true }
    const lenient = new RpcServer({ compatibility }).use(openTelemetry({ tracerProvider, meterProvider }))
    lenient.registerProcedure(functions.add, { name: 'add', unchecked: true })
    const add = { method: 'add', params: [1, 2], id: 1 }
    for (const envelope of [{ jsonrpc: '2.0' }, { jsonrpc: '1.0' }, { version: '1.1' }, {}]) {
      await lenient.handle(JSON.stringify({ ...envelope, ...add }))
    }
    await lenient.handle(JSON.stringify(call('system.multicall', [[{ methodName: 'add', params: [1, 2] }]])))
    const versions = attributesBySpan().map((each) => [each['rpc.method'], each['jsonrpc.protocol.version']])
    expect(versions).toEqual([
      ['add', '2.0'],
      ['add', '1.0'],
      ['add', '1.1'],
      ['add', '1.0'],
      ['system.multicall', '2.0'],
      ['add', undefined],
    ])
  })

  test('of XML-RPC', async () => {
    const xml =
      '<methodCall><methodName>add</methodName><params><param><value><int>1</int></value></param><param><value><int>2</int></value></param></params></methodCall>'
    await server.handle(xml, { protocol: 'xml-rpc' })
    expect(attributesBySpan()).toEqual([{ name: 'add', 'rpc.system.name': 'xmlrpc', 'rpc.method': 'add' }])
  })

  test('of a call from the same process', async () => {
    await server.call('add', [1, 2])
    expect(spans.getFinishedSpans()[0]?.kind).toBe(SpanKind.INTERNAL)
    expect(attributesBySpan()).toEqual([{ name: 'add', 'rpc.system.name': 'rpc-gen', 'rpc.method': 'add' }])
  })

  test('of a notification and of the id null: no id', async () => {
    await post([{ jsonrpc: '2.0', method: 'add' }, call('add', [], null)])
    expect(attributesBySpan().map((each) => 'jsonrpc.request.id' in each)).toEqual([false, false])
  })

  test('of an unknown method: its name is not in the name of the span', async () => {
    await post(call('nobody.knows'.repeat(100)))
    const [span] = attributesBySpan()
    expect(span).toMatchObject({ name: 'jsonrpc', 'rpc.method': '_OTHER', 'rpc.status_code': '-32601' })
    expect(String(span?.['rpc.method_original'])).toHaveLength(256)
  })

  test('of an RpcError: its code; no exception is recorded', async () => {
    await post(call('cancel'))
    const [span] = spans.getFinishedSpans()
    expect(span?.attributes).toMatchObject({ 'rpc.status_code': '4444', 'error.type': '4444' })
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'No such order' })
    expect(span?.events).toEqual([])
  })

  test('of an exception: the code of an internal error, and the exception', async () => {
    await post(call('crash'))
    const [span] = spans.getFinishedSpans()
    expect(span?.attributes).toMatchObject({ 'rpc.status_code': '-32603', 'error.type': '-32603' })
    expect(span?.events).toMatchObject([{ name: 'exception', attributes: { 'exception.type': 'TypeError' } }])
  })

  test('of invalid params and of a wrong result', async () => {
    const typed = new RpcServer({ onError: () => {} }).use(openTelemetry({ tracerProvider, meterProvider }))
    await typed.handle(JSON.stringify(call('system.methodHelp', [1])))
    expect(spans.getFinishedSpans()[0]?.attributes['rpc.status_code']).toBe('-32602')
  })

  test('are active while the call runs', async () => {
    const { result } = JSON.parse(await post(call('inside')))
    expect(result).toBe(spans.getFinishedSpans()[0]?.spanContext().spanId)
  })

  test('of a batch: one each, below the span that is active', async () => {
    const tracer = tracerProvider.getTracer('http')
    const parent = tracer.startSpan('POST /rpc')
    await context.with(trace.setSpan(context.active(), parent), () => post([call('add', [1, 2]), call('crash')]))
    const made = spans.getFinishedSpans()
    expect(made.map(({ name }) => name).sort()).toEqual(['add', 'crash'])
    const above = made.map(({ parentSpanContext }) => parentSpanContext?.spanId)
    expect(above).toEqual([parent.spanContext().spanId, parent.spanContext().spanId])
  })

  test('without one: below the traceparent of the request', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await post(call('add'), { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    const [span] = spans.getFinishedSpans()
    expect(span?.spanContext().traceId).toBe(traceId)
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  })

  test('of a tool of MCP: below the traceparent of its _meta', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const params = { name: 'add', arguments: { args: [1, 2] }, _meta: { traceparent } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    await mcp(server, { tools: 'all' }).request('/', init)
    expect(spans.getFinishedSpans()).toMatchObject([
      { name: 'add', kind: SpanKind.SERVER, parentSpanContext: { spanId: 'b7ad6b7169203331' } },
    ])
  })
})

test('the histogram of durations: seconds, by method and status', async () => {
  await post([call('add', [1, 2]), call('add', [3, 4]), call('cancel'), call('no'), call('such')])
  await reader.forceFlush()
  const histograms = measurements
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics))
  expect(histograms.map(({ descriptor }) => [descriptor.name, descriptor.unit])).toEqual([
    ['rpc.server.call.duration', 's'],
  ])
  const { dataPoints } = histograms[0] as HistogramMetricData
  const points = dataPoints.map(({ attributes, value }) => [attributes, value.count])
  expect(points).toEqual([
    [{ 'rpc.system.name': 'jsonrpc', 'rpc.method': 'add' }, 2],
    [{ 'rpc.system.name': 'jsonrpc', 'rpc.method': 'cancel', 'rpc.status_code': '4444', 'error.type': '4444' }, 1],
    [{ 'rpc.system.name': 'jsonrpc', 'rpc.method': '_OTHER', 'rpc.status_code': '-32601', 'error.type': '-32601' }, 2],
  ])
  for (const { value } of dataPoints) {
    expect(value.buckets.boundaries.at(-1)).toBe(10)
    expect(value.max).toBeLessThan(10)
  }
})

test('without an SDK nothing is recorded, and calls succeed', async () => {
  const plain = new RpcServer({ onError: () => {} }).use(openTelemetry())
  plain.registerProcedure(functions.add, { name: 'add', unchecked: true })
  expect(await plain.handle(JSON.stringify(call('add', [1, 2])))).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
})
