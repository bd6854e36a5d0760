import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import type { RpcServerOptions } from 'rpc-gen'
import { mcp, serveStdio } from 'rpc-gen/mcp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Event, Events } from '../streams/serving.js'
import { compileFixture, createServer, type Fixture } from './fixture.js'

const source = `import { type Int, RpcError, type RpcContext, withEventId } from 'rpc-gen'
import type { TextContent } from 'rpc-gen/mcp'

interface Row {
  readonly line: Int
}

export const ended: string[] = []

/**
 * Imports rows.
 *
 * @yields Each row
 * @rpc
 * @mcp
 */
export async function* load(rows: Int): AsyncGenerator<Row> {
  for (let line = 1; line <= rows; line += 1) yield withEventId(line, { line })
  if (rows === 3) throw new RpcError(7, 'row 3 is wrong', { data: { line: 3 } })
}

/**
 * @rpc
 * @mcp
 */
export async function* say(): AsyncGenerator<TextContent> {
  yield { type: 'text', text: 'a' }
  yield { type: 'text', text: 'b' }
}

/**
 * @rpc
 * @mcp
 */
export async function* texts(size: Int): AsyncGenerator<string> {
  yield 'x'.repeat(size)
  yield 'y'
}

/**
 * @rpc
 * @mcp
 * @timeout 30ms
 */
export async function* wait({ signal }: RpcContext): AsyncGenerator<Int> {
  yield 1
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** @rpc */
export async function* watch(): AsyncGenerator<Int> {
  yield 1
}
`

let fixture: Fixture

beforeAll(async () => {
  fixture = await compileFixture(source)
})

const serve = (options: RpcServerOptions = {}) =>
  new Hono().route('/mcp', mcp(createServer(fixture, { onError: () => undefined, ...options })))

interface Meta {
  readonly progressToken?: unknown
}

const message = (name: string, args: object, meta: Meta = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: meta },
})

/** Calls a tool as clients do, which accept both. */
async function call(
  name: string,
  args: object,
  meta: Meta = {},
  options: RpcServerOptions = {},
  accept = 'application/json, text/event-stream',
) {
  const headers = { 'Content-Type': 'application/json', Accept: accept }
  return serve(options).request('/mcp', { method: 'POST', headers, body: JSON.stringify(message(name, args, meta)) })
}

const progress = (progressToken: unknown, at: number, text: string) => ({
  data: { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: at, message: text } },
})

const rows = { content: [{ type: 'text', text: '[{"line":1},{"line":2}]' }] }

describe('over HTTP', () => {
  test('without a token: the list of the items', async () => {
    const response = await call('load', { rows: 2 })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: rows })
  })

  test.each(['a "b"', 7])('with the token %j: progress, then the list', async (token) => {
    const events = new Events(await call('load', { rows: 2 }, { progressToken: token }))
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await events.rest()).toEqual([
      progress(token, 1, '{"line":1}'),
      progress(token, 2, '{"line":2}'),
      { data: { jsonrpc: '2.0', id: 1, result: rows } },
    ])
  })

  test('a client that accepts JSON alone', async () => {
    const response = await call('load', { rows: 2 }, { progressToken: 1 }, {}, 'application/json')
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: rows })
  })

  test('content blocks, and nothing', async () => {
    const events = await new Events(await call('say', {}, { progressToken: 1 })).rest()
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    expect(events).toEqual([
      progress(1, 1, 'a'),
      progress(1, 2, 'b'),
      { data: { jsonrpc: '2.0', id: 1, result: { content } } },
    ])
    expect(await (await call('load', { rows: 0 })).json()).toMatchObject({ result: { content: [{ text: '[]' }] } })
  })

  test('errors of the procedure, and before it', async () => {
    const failed = { content: [{ type: 'text', text: 'row 3 is wrong\n{"line":3}' }], isError: true }
    expect(await (await call('load', { rows: 3 })).json()).toEqual({ jsonrpc: '2.0', id: 1, result: failed })
    const events = await new Events(await call('load', { rows: 3 }, { progressToken: 1 })).rest()
    expect(events).toHaveLength(4)
    expect(events.at(-1)).toEqual({ data: { jsonrpc: '2.0', id: 1, result: failed } })
    for (const token of [undefined, 1]) {
      const response = await call('load', { rows: 'x' }, token === undefined ? {} : { progressToken: token })
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toMatchObject({ result: { isError: true } })
    }
  })

  test('limits: responseBytes for all items, events, time, streams', async () => {
    for (const meta of [{}, { progressToken: 1 }]) {
      const textOf = async (name: string, args: object, options: RpcServerOptions) =>
        (await call(name, args, meta, options)).text()
      expect(await textOf('texts', { size: 300 }, { limits: { responseBytes: 300 } })).toContain('Response too large')
      expect(await textOf('load', { rows: 9 }, { streams: { events: 2 } })).toContain('more than 2 items')
      expect(await textOf('wait', {}, {})).toContain('Timed out')
    }
  })

  test('a long text is cut in the message, and not in the result', async () => {
    const [first, , last] = await new Events(await call('texts', { size: 2000 }, { progressToken: 1 })).rest()
    const { params } = (first as Event).data as { params: { message: string } }
    expect(params.message.length).toBeLessThanOrEqual(1001)
    expect(JSON.stringify(last?.data)).toContain('x'.repeat(2000))
  })

  test('the definition: a list of items; without @mcp no tool', async () => {
    const list = async (version: string) => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const isModern = version === '2026-07-28'
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: isModern ? { _meta: meta } : {},
      })
      const own = isModern ? { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' } : {}
      const headers = { 'Content-Type': 'application/json', ...own }
      const app = new Hono().route('/mcp', mcp(createServer(fixture), { tools: 'all' }))
      const response = await app.request('/mcp', { method: 'POST', headers, body })
      const { result } = (await response.json()) as { result: { tools: { name: string; outputSchema?: object }[] } }
      return result.tools
    }
    const modern = await list('2026-07-28')
    expect(modern.map(({ name }) => name)).toEqual(['load', 'say', 'texts', 'wait'])
    expect(modern[0]?.outputSchema).toMatchObject({ type: 'array', items: { $ref: '#/$defs/Row' } })
    expect((await list('2025-11-25')).every(({ outputSchema }) => outputSchema === undefined)).toBe(true)
  })
})

test('over stdio: lines of progress, then the response', async () => {
  const lines: string[] = []
  const input = (async function* () {
    yield `${JSON.stringify(message('load', { rows: 2 }, { progressToken: 'a' }))}\n`
    yield `${JSON.stringify(message('load', { rows: 2 }, {}, 2))}\n`
  })()
  await serveStdio(createServer(fixture), { input, output: { write: (text) => lines.push(text) } })
  const received = lines.map((line) => ({ data: JSON.parse(line) }))
  expect(received).toHaveLength(4)
  expect(received).toContainEqual(progress('a', 1, '{"line":1}'))
  expect(received).toContainEqual(progress('a', 2, '{"line":2}'))
  expect(received).toContainEqual({ data: { jsonrpc: '2.0', id: 1, result: rows } })
  expect(received).toContainEqual({ data: { jsonrpc: '2.0', id: 2, result: rows } })
})

test('over stdio: progress waits for a client that does not read', async () => {
  const limit = 500_000
  const server = createServer(fixture, { limits: { responseBytes: limit } })
  const output = new PassThrough()
  const [calls, count] = [3, 10_000]
  const input = (async function* () {
    for (let id = 1; id <= calls; id += 1)
      yield `${JSON.stringify(message('load', { rows: count }, { progressToken: id }, id))}\n`
  })()
  const served = serveStdio(server, { input, output })
  const isFull = () => output.writableLength > limit
  await expect.poll(isFull).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(output.writableLength).toBeLessThan(1.1 * limit)
  const received = text(output)
  await served
  output.end()
  expect((await received).split('\n')).toHaveLength(calls * (count + 1) + 1)
})

test('over stdio: a request that is cancelled ends, without a response', async () => {
  const lines: string[] = []
  let begun = () => {}
  const first = new Promise<void>((resolve) => {
    begun = resolve
  })
  const input = (async function* () {
    yield `${JSON.stringify(message('wait', {}, { progressToken: 'a' }))}\n`
    await first
    yield '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
  })()
  const write = (text: string) => {
    lines.push(text)
    begun()
  }
  await serveStdio(createServer(fixture), { input, output: { write } })
  expect(lines).toHaveLength(1)
})

test('over stdio: a limit below what a stream buffers anyway', { timeout: 10_000 }, async () => {
  const server = createServer(fixture, { limits: { responseBytes: 1000 } })
  const written: string[] = []
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(`${chunk}`)
      setTimeout(done, 20)
    },
  })
  const input = (async function* () {
    for (let id = 1; id <= 10; id += 1)
      yield `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'texts', arguments: { size: 900 } } })}\n`
  })()
  await serveStdio(server, { input, output })
  output.end()
  await once(output, 'finish')
  expect(written).toHaveLength(10)
})
