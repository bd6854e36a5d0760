import { join } from 'node:path'
import { Hono } from 'hono'
import {
  isRpcError,
  type Middleware,
  type ProcedureInfo,
  Protocol,
  type RpcContext,
  RpcNamespace,
  RpcServer,
} from 'rpc-gen'
import { type McpOptions, mcp } from 'rpc-gen/mcp'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileFixture, createServer, type Fixture, info } from './fixture.js'

let fixture: Fixture
let app: Hono

beforeAll(async () => {
  fixture = await compileFixture()
  app = mounted(createServer(fixture))
})

function mounted(server: RpcServer, options?: McpOptions): Hono {
  return new Hono().route('/mcp', mcp(server, options))
}

const json = { 'Content-Type': 'application/json' }

interface RpcResponse {
  readonly status: number
  readonly headers: Headers
  /** The parsed body, or its text. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its result
  readonly body: any
}

/** Sends a body, as JSON unless it is a text. */
async function post(to: Hono, body: unknown, headers: Record<string, string> = {}): Promise<RpcResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await to.request('/mcp', { method: 'POST', headers: { ...json, ...headers }, body: text })
  const received = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(received) : received }
}

const latest = '2026-07-28'
const key = (name: string) => `io.modelcontextprotocol/${name}`
const envelope = { [key('protocolVersion')]: latest, [key('clientCapabilities')]: {} }

const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) })

/** Sends a request as 2025-11-25 has it. */
const legacy = (method: string, params?: object, to = app, headers = {}) => post(to, request(method, params), headers)

/** Sends a request as 2026-07-28 has it. */
function modern(method: string, params: Record<string, unknown> = {}, to = app, headers = {}): Promise<RpcResponse> {
  const name = typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {}
  const standard = { 'MCP-Protocol-Version': latest, 'Mcp-Method': method, ...name }
  const meta = { ...envelope, ...(params['_meta'] as object | undefined) }
  return post(to, request(method, { ...params, _meta: meta }), { ...standard, ...headers })
}

const call = (name: string, args?: object) => ({ name, ...(args && { arguments: args }) })
const text = (value: string) => [{ type: 'text', text: value }]
const ours = { resultType: 'complete', _meta: { [key('serverInfo')]: { name: info.title, version: info.version } } }

describe('2025-11-25', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['2030-01-01', '2025-11-25'],
    [latest, '2025-11-25'],
  ])('initialize with %s is version %s', async (protocolVersion, negotiated) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    expect((await legacy('initialize', params)).body.result).toEqual({
      protocolVersion: negotiated,
      capabilities: { tools: {} },
      instructions: info.description,
      serverInfo: { name: info.title, version: info.version },
    })
  })

  test('ping', async () => {
    expect((await legacy('ping')).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('a notification: 202 without a body', async () => {
    const { status, body } = await post(app, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, body]).toEqual([202, ''])
  })

  test.each(['server/discover', 'resources/list', 'toString', '__proto__'])('%s: no such method', async (method) => {
    const { status, body } = await legacy(method)
    expect(status).toBe(200)
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: `Method not found: ${method}` } })
  })

  test('a version that does not exist: 400', async () => {
    const { status, body } = await legacy('ping', {}, app, { 'MCP-Protocol-Version': '1900-01-01' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: -32022,
      data: { requested: '1900-01-01', supported: expect.arrayContaining([latest, '2025-11-25']) },
    })
  })

  test('the same with a notification', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const statusWith = async (version: string) =>
      (await post(app, notification, { 'MCP-Protocol-Version': version })).status
    expect(await Promise.all(['2025-06-18', latest, '1900-01-01'].map(statusWith))).toEqual([202, 202, 400])
  })

  test('an output schema for objects only', async () => {
    const { tools } = (await legacy('tools/list')).body.result
    const typed = tools.filter((tool: object) => 'outputSchema' in tool)
    expect(typed.map(({ name }: { name: string }) => name)).toEqual(['order_place'])
    expect(typed[0].outputSchema.type).toBe('object')
  })
})

describe('2026-07-28', () => {
  test('server/discover', async () => {
    expect((await modern('server/discover')).body.result).toEqual({
      ...ours,
      supportedVersions: [latest, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {} },
      instructions: info.description,
      ttlMs: 300_000,
      cacheScope: 'public',
    })
  })

  test.each(['initialize', 'ping', 'logging/setLevel', 'toString'])('%s: no such method, 404', async (method) => {
    const { status, body } = await modern(method)
    expect(status).toBe(404)
    expect(body.error.code).toBe(-32601)
  })

  test('an output schema for every result but none', async () => {
    const { tools, ttlMs, cacheScope } = (await modern('tools/list')).body.result
    const schemas = Object.fromEntries(
      tools.map(({ name, outputSchema }: { name: string; outputSchema?: object }) => [name, outputSchema]),
    )
    expect(schemas['math_add']).toMatchObject({ type: 'integer', description: 'Sum of a and b' })
    expect(schemas['order_place']).toMatchObject({ type: 'object', $ref: '#/$defs/Order' })
    expect(schemas['order_remove']).toBe(undefined)
    expect(schemas['test_image_content']).toBe(undefined)
    expect([ttlMs, cacheScope]).toEqual([300_000, 'public'])
  })

  test.each([
    ['no version', { [key('clientCapabilities')]: {} }, {}, -32602],
    ['no capabilities', { [key('protocolVersion')]: latest }, {}, -32602],
    [
      'another version',
      { ...envelope, [key('protocolVersion')]: '2027-01-01' },
      { 'MCP-Protocol-Version': '2027-01-01' },
      -32022,
    ],
    ['a version unlike the header', { ...envelope, [key('protocolVersion')]: '2025-11-25' }, {}, -32020],
    ['another method in the header', envelope, { 'Mcp-Method': 'tools/list' }, -32020],
    ['another name in the header', envelope, { 'Mcp-Name': 'wait' }, -32020],
    ['a name in the header that is not base64', envelope, { 'Mcp-Name': '=?base64?%?=' }, -32020],
  ])('%s: 400', async (_, _meta, headers, code) => {
    const standard = { 'MCP-Protocol-Version': latest, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'math_add' }
    const params = { ...call('math_add', { a: 1, b: 2 }), _meta }
    const { status, body } = await post(app, request('tools/call', params), { ...standard, ...headers })
    expect([status, body.error.code, body.id]).toEqual([400, code, 1])
  })

  test.each(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])('no header %s: 400', async (missing) => {
    const all = { 'MCP-Protocol-Version': latest, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'math_add' }
    const headers = Object.fromEntries(Object.entries(all).filter(([name]) => name !== missing))
    const params = { ...call('math_add', { a: 1, b: 2 }), _meta: envelope }
    const { status, body } = await post(app, request('tools/call', params), headers)
    expect([status, body.error.code]).toEqual([400, -32020])
  })

  test('a name in the header as base64', async () => {
    const headers = { 'Mcp-Name': `=?base64?${btoa('math_add')}?=` }
    expect((await modern('tools/call', call('math_add', { a: 1, b: 2 }), app, headers)).body.result).toMatchObject({
      structuredContent: 3,
    })
  })
})

describe('a tool', () => {
  const toolNamed = async (name: string, to = app) =>
    (await modern('tools/list', {}, to)).body.result.tools.find((tool: { name: string }) => tool.name === name)

  test('has its name, title, description, schemas and annotations from the docs and types', async () => {
    expect(await toolNamed('math_add')).toEqual({
      name: 'math_add',
      title: 'Adds two numbers',
      description: 'Adds two numbers.',
      inputSchema: {
        type: 'object',
        properties: {
          a: { type: 'integer', description: 'First number', minimum: -2147483648, maximum: 2147483647 },
          b: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
        },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, idempotentHint: true },
      outputSchema: { type: 'integer', description: 'Sum of a and b', minimum: -2147483648, maximum: 2147483647 },
    })
    expect(await toolNamed('order_place')).toMatchObject({
      title: 'Place an order',
      description: 'Places an order. It is sent the next day.',
      annotations: { destructiveHint: false },
    })
    expect(await toolNamed('order_remove')).toMatchObject({ annotations: { destructiveHint: true } })
  })

  test('requires @mcp', async () => {
    const names = Object.values(fixture.procedures).map(({ name }) => name)
    expect(names).toContain('internal')
    expect(await toolNamed('internal')).toBe(undefined)
    expect((await modern('tools/call', call('internal'))).body.error).toEqual({
      code: -32602,
      message: 'Unknown tool: internal',
    })
  })

  test.each<[string, NonNullable<McpOptions['tools']>, string[]]>([
    ['all', 'all', ['internal', 'math_add']],
    ['those of a function', ({ readonly }: ProcedureInfo) => readonly === true, ['math_add']],
    ['none', () => false, []],
  ])('option tools: %s', async (_, tools, expected) => {
    const to = mounted(createServer(fixture), { tools })
    const names: string[] = (await modern('tools/list', {}, to)).body.result.tools.map(
      ({ name }: { name: string }) => name,
    )
    expect(names.filter((name) => /internal|math_add/.test(name)).sort()).toEqual(expected)
    expect(names.filter((name) => /^(system|rpc)/.test(name))).toEqual([])
  })

  const numbered = (...names: string[]) => {
    const server = new RpcServer()
    for (const name of names) server.registerProcedure(() => name, { name, unchecked: true })
    return server
  }

  test('has a name without dots, which several clients reject', async () => {
    const to = mounted(numbered('a.b.c', 'größe'), { tools: 'all' })
    const { tools } = (await modern('tools/list', {}, to)).body.result
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['a_b_c', 'gr__e'])
    expect((await modern('tools/call', call('a_b_c'), to)).body.result).toMatchObject({ content: text('a.b.c') })
  })

  test.each([
    [['a.b', 'a_b'], 'mcp: a.b and a_b are both the tool a_b: rename one, or leave one out by `tools`'],
    [['x'.repeat(65)], 'of a tool is longer than 64 characters: write @mcpName and a name of at most 64 letters'],
  ])('invalid names throw when the handler is created: %j', (names, message) => {
    expect(() => mcp(numbered(...names), { tools: 'all' })).toThrow(message)
  })

  test('has the name of @mcpName', async () => {
    const own = await compileFixture(`/**
 * @rpc warehouse.inventory.adjustments.scheduled.createRecurringAdjustmentForLocation
 * @mcp Adjust
 * @mcpName adjust-stock_2
 */
export function adjust(): string { return 'adjusted' }
`)
    const to = mounted(createServer(own))
    expect(await toolNamed('adjust-stock_2', to)).toMatchObject({ title: 'Adjust' })
    const called = await modern('tools/call', call('adjust-stock_2'), to)
    expect(called.body.result).toMatchObject({ content: text('adjusted') })
  })

  test('is not a subscription', async () => {
    const server = new RpcServer()
    async function* ticks() {
      yield 1
    }
    server.registerProcedure(ticks, { unchecked: true, subscription: true })
    expect((await modern('tools/list', {}, mounted(server, { tools: 'all' }))).body.result.tools).toEqual([])
  })

  test('that is registered later is served', async () => {
    const server = new RpcServer()
    const to = mounted(server, { tools: 'all' })
    expect((await modern('tools/list', {}, to)).body.result.tools).toEqual([])
    server.registerProcedure(() => 1, { name: 'late', unchecked: true })
    expect(await toolNamed('late', to)).toMatchObject({ name: 'late' })
  })
})

describe('a result', () => {
  const eras = [
    ['2025-11-25', legacy, {}],
    ['2026-07-28', modern, ours],
  ] as const

  describe.each(eras)('of %s', (version, send, common) => {
    const resultOf = async (name: string, args?: object) => (await send('tools/call', call(name, args))).body.result

    test('an object: text and structured content', async () => {
      const lines = [{ sku: 'x', quantity: 1 }]
      const order = { id: 'o1', placed: '1970-01-01T00:00:00.000Z', lines }
      const result = await resultOf('order_place', { lines })
      expect(result).toEqual({ ...common, content: text(JSON.stringify(order)), structuredContent: order })
    })

    test('another value: text, and structured content from 2026-07-28', async () => {
      const structured = version === latest
      expect(await resultOf('math_add', { a: 1, b: 2 })).toEqual({
        ...common,
        content: text('3'),
        ...(structured && { structuredContent: 3 }),
      })
      const said = 'This is a simple text response for testing.'
      expect(await resultOf('test_simple_text')).toEqual({
        ...common,
        content: text(said),
        ...(structured && { structuredContent: said }),
      })
    })

    test('nothing: no content', async () => {
      expect(await resultOf('order_remove', { id: '1' })).toEqual({ ...common, content: [] })
    })

    test('content blocks, unchanged', async () => {
      expect(await resultOf('test_image_content')).toEqual({
        ...common,
        content: [{ type: 'image', data: expect.stringMatching(/^iVBORw0KGgo/), mimeType: 'image/png' }],
      })
      const { content } = await resultOf('test_multiple_content_types')
      expect(content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image', 'resource'])
    })

    test('an error of the procedure: isError with its message and data', async () => {
      expect(await resultOf('order_remove', { id: '' })).toEqual({
        ...common,
        content: text('No such order\n{"id":""}'),
        isError: true,
      })
    })

    test.each([
      ['a missing argument', { a: 1 }, 'Invalid params: b: expected int, received nothing'],
      ['a wrong type', { a: 1, b: 'secret' }, 'Invalid params: b: expected int, received string of length 6'],
      ['an unknown name', { a: 1, b: 2, c: 3 }, 'Invalid params: c: expected one of a, b, received an unknown name'],
      ['no arguments', undefined, 'Invalid params: a: expected int, received nothing (and 1 more)'],
    ])('%s: isError', async (_, args, message) => {
      const { content, isError } = await resultOf('math_add', args)
      expect(isError).toBe(true)
      expect(content[0].text.split('\n')[0]).toBe(message)
    })
  })

  test('a number too large for a double is named by its parameter', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math_add","arguments":{"a":1,"b":1e999}}}'
    expect((await post(app, body)).body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Invalid params: b: expected finite number') }],
    })
  })

  test('the details of an exception are not sent to the client, but passed to onError', async () => {
    const errors: unknown[] = []
    const server = new RpcServer({ onError: (error) => void errors.push(error) })
    const thrown = new TypeError('a secret of the server')
    server.registerProcedure(
      () => {
        throw thrown
      },
      { name: 'crash', unchecked: true },
    )
    const { body } = await modern('tools/call', call('crash'), mounted(server, { tools: 'all' }))
    expect(body.result).toMatchObject({ content: text('Internal error'), isError: true })
    expect(errors).toEqual([thrown])
  })

  test('that is larger than limits.responseBytes: isError', async () => {
    const server = new RpcServer({ limits: { responseBytes: 1000 }, onError: () => {} })
    server.registerProcedure(() => 'x'.repeat(1000), { name: 'large', unchecked: true })
    const { body } = await modern('tools/call', call('large'), mounted(server, { tools: 'all' }))
    expect(body.result).toMatchObject({ content: text('Response too large'), isError: true })
  })
})

describe('a type as content', () => {
  const types: [type: string, value: string, isContent: boolean][] = [
    ["{ type: 'text'; text: string }", "{ type: 'text', text: 'a' }", true],
    ["{ type: 'audio' | 'image'; data: string; mimeType: string }", "{ type: 'image', data: '', mimeType: '' }", false],
    ["({ type: 'audio'; data: string; mimeType: 'audio/wav' } | { type: 'text'; text: string })[]", '[]', true],
    [
      "{ type: 'resource_link'; uri: URL; name: string; title?: string }",
      "{ type: 'resource_link', uri: new URL('a:b'), name: '' }",
      true,
    ],
    ["{ type: 'text'; text: string; author: string }", "{ type: 'text', text: '', author: '' }", false],
    ["{ type: 'text'; text: Int }", "{ type: 'text', text: 1 }", false],
    ["{ type: 'text'; text?: string }", "{ type: 'text' }", false],
    ["{ type?: 'text'; text: string }", "{ text: '' }", false],
    ["{ type: 'constructor' }", "{ type: 'constructor' }", false],
    ['string[]', '[]', false],
  ]
  let tools: object[] = []

  beforeAll(async () => {
    const declared = types.map(([type, value], i) => {
      return `/**\n * @rpc\n * @mcp\n */\nexport function tool${i}(): ${type} {\n  return ${value}\n}\n`
    })
    const own = await compileFixture(`import type { Int } from 'rpc-gen'\n${declared.join('\n')}`)
    tools = (await modern('tools/list', {}, mounted(createServer(own)))).body.result.tools
  })

  test.each(types.map(([type, , isContent], i) => ({ type, isContent, i })))(
    '$type: $isContent',
    ({ isContent, i }) => {
      expect(tools).toHaveLength(types.length)
      expect('outputSchema' in (tools[i] ?? {})).toBe(!isContent)
    },
  )
})

describe('a call passes through the pipeline', () => {
  const isStaff = (request: Request) => request.headers.get('Authorization') === 'Bearer sesame' && 'somebody'
  const sesame = { Authorization: 'Bearer sesame' }

  /** A server with two protected procedures, one of them by its namespace. */
  function guarded(more: object = {}): RpcServer {
    const inner = new RpcNamespace({ auth: isStaff })
    inner.registerProcedure((context: RpcContext) => `${context.authResult} ${context.transport}`, {
      name: 'whoAmI',
      unchecked: true,
      contextTarget: 0,
    })
    return new RpcServer({ ...more, onError: () => {} }).registerNamespace(inner, 'inner')
  }

  test.each([
    ['2025-11-25', legacy],
    ['2026-07-28', modern],
  ] as const)('auth, in %s', async (_, send) => {
    const to = mounted(guarded(), { tools: 'all' })
    expect((await send('tools/call', call('inner_whoAmI'), to)).body.result).toMatchObject({
      content: text('Authentication failed'),
      isError: true,
    })
    expect((await send('tools/call', call('inner_whoAmI'), to, sesame)).body.result).toMatchObject({
      content: text('somebody mcp'),
    })
  })

  test('callers that may not read the descriptions get 401 for the list, and others a private list', async () => {
    const to = mounted(guarded({ auth: isStaff }), { tools: 'all' })
    const rejected = await modern('tools/list', {}, to)
    expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(rejected.body).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'Authentication failed' } })
    expect((await modern('tools/list', {}, to, sesame)).body.result).toMatchObject({
      cacheScope: 'private',
      tools: [{ name: 'inner_whoAmI' }],
    })
  })

  test('rejected callers cannot find out which tools exist', async () => {
    const to = mounted(guarded({ auth: isStaff }), { tools: 'all' })
    const [known, unknown] = [
      await modern('tools/call', call('inner_whoAmI'), to),
      await modern('tools/call', call('nope'), to),
    ]
    expect(known.body).toEqual(unknown.body)
    expect((await modern('tools/call', call('nope'), to, sesame)).body.error.message).toBe('Unknown tool: nope')
  })

  test('middleware sees the procedure, the arguments and the outcome', async () => {
    const seen: unknown[] = []
    const middleware: Middleware = async (context, next) => {
      const { method, id, params, transport, protocol } = context
      const result = next()
      const outcome = await result.catch((error: unknown) => isRpcError(error) && error.code)
      seen.push({ method, id, params, transport, protocol, outcome })
      return result
    }
    const to = mounted(createServer(fixture).use(middleware))
    await modern('tools/call', call('math_add', { a: 1, b: 2 }), to)
    await modern('tools/call', call('nope', { a: 1 }), to)
    const common = { id: 1, transport: 'mcp', protocol: 'json-rpc' }
    expect(seen).toEqual([
      { ...common, method: 'math.add', params: { a: 1, b: 2 }, outcome: 3 },
      { ...common, method: 'nope', params: { a: 1 }, outcome: -32601 },
    ])
  })

  test('the context of Hono, and the trace context of _meta as headers', async () => {
    const server = new RpcServer()
    const context = ({ request, honoContext }: RpcContext) =>
      [request.headers.get('traceparent'), request.headers.get('X-Test'), honoContext?.get('tenant')].join()
    server.registerProcedure(context, { name: 'context', unchecked: true, contextTarget: 0 })
    const to = new Hono()
    to.use(async (c, next) => {
      c.set('tenant' as never, 'acme' as never)
      await next()
    })
    to.route('/mcp', mcp(server, { tools: 'all' }))
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'
    const params = { ...call('context'), _meta: { traceparent } }
    expect((await modern('tools/call', params, to, { 'X-Test': 'x' })).body.result.structuredContent).toBe(
      `${traceparent},x,acme`,
    )
  })

  test('a time limit: isError', async () => {
    const to = mounted(createServer(fixture, { limits: { timeoutMs: 10 } }))
    expect((await modern('tools/call', call('wait', { ms: 5000 }), to)).body.result).toMatchObject({
      content: text('Timed out'),
      isError: true,
    })
  })

  test('a client that disconnects aborts the signal of the call', async () => {
    const server = new RpcServer({ onError: () => {} })
    const controller = new AbortController()
    const reasons: string[] = []
    const waits = ({ signal }: RpcContext) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason.name)
          reject(signal.reason)
        })
        controller.abort()
      })
    server.registerProcedure(waits, { name: 'waits', unchecked: true, contextTarget: 0 })
    const init = {
      method: 'POST',
      headers: json,
      body: JSON.stringify(request('tools/call', call('waits'))),
      signal: controller.signal,
    }
    await mounted(server, { tools: 'all' }).request('/mcp', init)
    expect(reasons).toEqual(['AbortError'])
  })
})

describe('a message that is not valid', () => {
  test.each([
    ['not JSON', '{', 400, -32700],
    ['an empty batch', '[]', 400, -32600],
    ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32600],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":1,"method":1}', 400, -32600],
    ['a list as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', 200, -32602],
    ['a name that is not a string', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}', 200, -32602],
    [
      'a list as arguments',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":[]}}',
      200,
      -32602,
    ],
    [
      'nesting',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`,
      400,
      -32600,
    ],
  ])('%s', async (_, body, status, code) => {
    const received = await post(app, body)
    expect([received.status, received.body.error.code]).toEqual([status, code])
    // "id" may be left out, and must not be null.
    expect(received.body.id).not.toBe(null)
  })

  test.each([
    ['null as params', '{"jsonrpc":"2.0","id":"a7","method":"tools/list","params":null}', 400],
    ['no version of JSON-RPC', '{"id":"a7","method":"ping"}', 400],
    ['a list as params', '{"jsonrpc":"2.0","id":"a7","method":"ping","params":[1]}', 200],
    ['nesting', `{"jsonrpc":"2.0","id":"a7","method":"ping","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`, 400],
  ])('%s: the error has the id', async (_, body, status) => {
    const received = await post(app, body)
    expect([received.status, received.body.id]).toEqual([status, 'a7'])
  })

  test.each(['1', '-7', '9007199254740993', '"a\\u00e9"'])('the id %s is returned', async (id) => {
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: json,
      body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
    })
    expect(await response.text()).toBe(`{"jsonrpc":"2.0","id":${id.replace('\\u00e9', 'é')},"result":{}}`)
  })

  test('arguments may be nested as deep as the params of a call', async () => {
    const server = new RpcServer({ limits: { depth: 5 } })
    server.registerProcedure((value: unknown) => JSON.stringify(value), { name: 'echo', unchecked: true })
    const to = mounted(server, { tools: 'all' })
    // The list of the arguments is a level itself.
    const nested = (levels: number) => ({ args: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) })
    expect((await legacy('tools/call', call('echo', nested(5)), to)).body.result).toMatchObject({
      content: text('[[[[]]]]'),
    })
    expect((await legacy('tools/call', call('echo', nested(6)), to)).body.error.code).toBe(-32600)
  })
})

describe('a batch', () => {
  const batch = [request('ping'), { ...request('tools/list'), id: 2 }, { jsonrpc: '2.0', method: 'notifications/x' }]

  test.each([{}, { 'MCP-Protocol-Version': '2025-03-26' }])('%j: a list of responses', async (headers) => {
    const { status, body } = await post(app, batch, headers)
    expect(status).toBe(200)
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: { tools: expect.any(Array) } },
    ])
  })

  test('of notifications: 202', async () => {
    const { status, body } = await post(app, [{ jsonrpc: '2.0', method: 'notifications/initialized' }])
    expect([status, body]).toEqual([202, ''])
  })

  test.each(['2025-11-25', '2025-06-18', '2024-11-05', latest])('in %s: 400', async (version) => {
    const { status, body } = await post(app, batch, { 'MCP-Protocol-Version': version })
    expect([status, body.error.code]).toEqual([400, -32600])
  })

  test('an entry fails alone', async () => {
    const entries = [
      request('tools/call', call('math_add', { a: 1 })),
      { ...request('nope'), id: 'b' },
      { ...request('initialize', { protocolVersion: '2025-03-26' }), id: 'c' },
      { ...request('ping', { _meta: envelope }), id: 'd' },
      { id: 'e', method: 'ping' },
      { jsonrpc: '2.0', id: 'f', result: {} },
      1,
      { ...request('tools/call', call('math_add', { a: 1, b: 2 })), id: 'g' },
    ]
    const { status, body } = await post(app, entries)
    expect(status).toBe(200)
    const outcomes = body.map(({ id, error, result }: Record<string, { code: number; isError?: boolean }>) => [
      id,
      error?.code ?? result?.isError ?? false,
    ])
    expect(outcomes).toEqual([
      [1, true],
      ['b', -32601],
      ['c', -32600],
      ['d', -32600],
      ['e', -32600],
      [undefined, -32600],
      [undefined, -32600],
      ['g', false],
    ])
  })

  test('within the limits of a batch and of a response', async () => {
    const errors: unknown[] = []
    const limits = { batch: 3, responseBytes: 200, bodyBytes: 2000 }
    const server = new RpcServer({ limits, onError: (error) => errors.push(error), concurrency: 1 })
    const called: number[] = []
    server.registerProcedure(
      (n: number) => {
        called.push(n)
        return 'x'.repeat(60)
      },
      { name: 'long', unchecked: true },
    )
    server.registerProcedure(() => 'small', { name: 'small', unchecked: true, bodyBytes: 10 })
    const to = mounted(server, { tools: 'all' })
    const entry = (id: number) => ({ ...request('tools/call', call('long', { args: [id] })), id })
    expect((await post(to, [1, 2, 3, 4].map(entry))).body.error.code).toBe(-32600)
    const { body } = await post(to, [1, 2, 3].map(entry))
    expect(body.map(({ id, error }: { id: number; error?: { code: number } }) => [id, error?.code])).toEqual([
      [1, undefined],
      [2, -32097],
      [3, -32097],
    ])
    expect(called).toEqual([1, 2])
    expect(errors).toHaveLength(3)
    const small = await post(to, [request('ping'), { ...request('tools/call', call('small')), id: 2 }])
    expect(small.body).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } },
    ])
  })
})

test.each(['math_add', 'order_remove', 'test_simple_text'])(
  'null as the arguments of %s: as if they were missing',
  async (name) => {
    const [none, without] = [{ name, arguments: null }, { name }]
    expect((await legacy('tools/call', none)).body).toEqual((await legacy('tools/call', without)).body)
    expect((await modern('tools/call', none)).body).toEqual((await modern('tools/call', without)).body)
  },
)

test.each([
  [undefined, true],
  ['strip', false],
  ['reject', true],
] as const)('extra arguments with unknownKeys %s: as the schema has it', async (unknownKeys, isRejected) => {
  const to = mounted(createServer(fixture, unknownKeys === undefined ? {} : { unknownKeys }))
  const { body } = await legacy('tools/call', call('math_add', { a: 1, b: 2, toolCallId: 'x' }), to)
  expect(body.result.isError ?? false).toBe(isRejected)
  const { tools } = (await legacy('tools/list', undefined, to)).body.result
  const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'math_add')
  expect(inputSchema.additionalProperties).toBe(isRejected ? false : undefined)
})

describe('HTTP', () => {
  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('%s: 405', async (method) => {
    const response = await app.request('/mcp', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/xml', ''])(
    'Content-Type %j: 415',
    async (type) => {
      const { status } = await legacy('ping', {}, app, { 'Content-Type': type })
      expect(status).toBe(415)
    },
  )

  test('a body larger than the limit: 413', async () => {
    const to = mounted(createServer(fixture, { limits: { bodyBytes: 200 } }))
    expect((await legacy('tools/call', call('math_add', { a: 'x'.repeat(200) }), to)).status).toBe(413)
  })

  test('a body larger than what the procedure accepts: 413', async () => {
    const server = new RpcServer({ onError: () => {} })
    server.registerProcedure((value: string) => value.length, { name: 'small', unchecked: true, bodyBytes: 300 })
    const to = mounted(server, { tools: 'all' })
    expect((await legacy('tools/call', call('small', { args: ['x'] }), to)).body.result).toMatchObject({
      content: text('1'),
    })
    expect((await legacy('tools/call', call('small', { args: ['x'.repeat(400)] }), to)).status).toBe(413)
  })

  test('a compressed body', async () => {
    const stream = new Blob([JSON.stringify(request('ping'))]).stream().pipeThrough(new CompressionStream('gzip'))
    const body = await new Response(stream).arrayBuffer()
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: { ...json, 'Content-Encoding': 'gzip' },
      body,
    })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('fetch on any path, as hosts without Hono call it', async () => {
    const { fetch } = mcp(createServer(fixture))
    const init = { method: 'POST', headers: json, body: JSON.stringify(request('ping')) }
    for (const path of ['/', '/mcp', '/a/b']) {
      expect((await fetch(new Request(`http://localhost${path}`, init))).status).toBe(200)
    }
  })
})

describe('hosts and origins', () => {
  const ping = (options: McpOptions, url: string, headers: Record<string, string>) => {
    const init = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(request('ping')) }
    return mcp(createServer(fixture), options).request(url, init)
  }

  test.each<[McpOptions, Record<string, string>, number]>([
    [{}, { Host: 'localhost' }, 200],
    [{}, { Host: 'localhost:8080' }, 200],
    [{}, { Host: '127.0.0.1:8080' }, 200],
    [{}, { Host: '[::1]:8080' }, 200],
    [{}, { Host: 'LOCALHOST' }, 200],
    [{}, { Host: 'evil.example' }, 403],
    [{}, { Host: 'localhost.evil.example' }, 403],
    [{}, { Host: 'localhost@evil.example' }, 403],
    [{}, { Host: 'a b' }, 403],
    [{}, { Host: '' }, 403],
    [{}, { Host: 'localhost:80' }, 200],
    [{}, { Host: '[::1]' }, 200],
    [{}, { Host: 'evil.com:80@localhost' }, 403],
    [{}, { Host: 'localhost/evil' }, 403],
    [{}, { Host: 'localhost\\evil' }, 403],
    [{}, { Host: 'localhost?' }, 403],
    [{}, { Host: 'http://localhost' }, 403],
    [{}, { Host: '/localhost' }, 403],
    [{}, { Host: '127.1' }, 403],
    [{}, { Host: 'localhost', Origin: 'http://localhost:3000' }, 200],
    [{}, { Host: 'localhost', Origin: 'http://evil.example' }, 403],
    [{}, { Host: 'localhost', Origin: 'null' }, 403],
    [{}, { Host: 'localhost', Origin: 'https://[::1]:8443' }, 200],
    [{}, { Host: 'localhost', Origin: '' }, 403],
    [{}, { Host: 'localhost', Origin: 'localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'javascript://localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'ftp://localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'file://localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'blob:http://localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'http://localhost\\.evil.com' }, 403],
    [{}, { Host: 'localhost', Origin: 'http:\\\\localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'http:localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'http://evil.com@localhost' }, 403],
    [{}, { Host: 'localhost', Origin: 'http://localhost/' }, 403],
    [{ allowedOrigins: ['app://localhost'] }, { Host: 'localhost', Origin: 'app://localhost' }, 200],
    [{}, { Host: 'evil.example', Origin: 'http://evil.example' }, 403],
    [{ allowedHosts: ['api.example.com'] }, { Host: 'api.example.com' }, 200],
    [{ allowedHosts: ['api.example.com'] }, { Host: 'api.example.com:8443', Origin: 'https://api.example.com' }, 200],
    [{ allowedHosts: ['api.example.com'] }, { Host: 'localhost' }, 200],
    [{ allowedHosts: ['api.example.com:8443'] }, { Host: 'api.example.com:8443' }, 200],
    [{ allowedHosts: ['api.example.com:8443'] }, { Host: 'api.example.com:8444' }, 403],
    [
      { allowedHosts: ['api.example.com:443'] },
      { Host: 'api.example.com:443', Origin: 'https://api.example.com' },
      200,
    ],
    [{ allowedHosts: ['api.example.com:80'] }, { Host: 'api.example.com:80' }, 200],
    [{ allowedHosts: ['api.example.com:443'] }, { Host: 'api.example.com:8443' }, 403],
    [{ allowedHosts: 'any' }, { Host: 'evil.example' }, 200],
    [{ allowedHosts: 'any' }, { Host: 'evil.example', Origin: 'http://evil.example' }, 403],
    [{ allowedOrigins: ['https://app.example.com'] }, { Host: 'localhost', Origin: 'https://app.example.com' }, 200],
    [{ allowedOrigins: ['https://app.example.com'] }, { Host: 'localhost', Origin: 'http://app.example.com' }, 403],
    [{ allowedOrigins: 'any' }, { Host: 'localhost', Origin: 'null' }, 200],
  ])('%j %j: %d', async (options, headers, status) => {
    expect((await ping(options, 'http://localhost/', headers)).status).toBe(status)
  })

  test('without a header the URL has the host', async () => {
    expect((await ping({}, 'http://evil.example/', {})).status).toBe(403)
  })

  test('the response has a hint', async () => {
    const response = await ping({}, 'http://localhost/', { Host: 'api.example.com' })
    expect(await response.text()).toBe(
      'The host api.example.com is not allowed: list it in the option allowedHosts of mcp().',
    )
  })
})

test.each<[object, string]>([
  [{ tools: 'some' }, 'mcp: tools is "some", expected \'all\' or a function'],
  [{ allowedHosts: 'localhost' }, 'mcp: allowedHosts is "localhost", expected a list of hosts or \'any\''],
  [{ allowedOrigins: [1] }, "mcp: allowedOrigins is an array, expected a list of origins or 'any'"],
])('options %j', (options, message) => {
  expect(() => mcp(new RpcServer(), options)).toThrow(new TypeError(message))
})

test('@mcp of a procedure that is not registered for JSON-RPC', async () => {
  const own = await compileFixture('/**\n * @rpc\n * @mcp\n */\nexport function old(): string {\n  return ""\n}\n')
  const { old } = await import(join(own.folder, 'procedures.ts'))
  const server = new RpcServer()
  server.registerProcedure(old, { protocol: Protocol.XML_RPC })
  expect(() => mcp(server)).toThrow('mcp: old has @mcp and excludes JSON by its protocols: remove one of them')
  expect(() => mcp(server, { tools: 'all' })).not.toThrow()
})

test('an overloaded function: the parameters of all overloads', async () => {
  const own = await compileFixture(`/**
 * Finds something.
 *
 * @rpc
 * @mcp
 */
export function find(name: string): string
export function find(name: string, year: number): string
export function find(name: string, year?: number): string {
  return name + (year ?? '')
}
`)
  const to = mounted(createServer(own))
  const [tool] = (await modern('tools/list', {}, to)).body.result.tools
  expect(tool.inputSchema).toMatchObject({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
  })
  expect(Object.keys(tool.inputSchema.properties)).toEqual(['name', 'year'])
  expect((await modern('tools/call', call('find', { name: 'a', year: 1 }), to)).body.result.structuredContent).toBe(
    'a1',
  )
})

test('with @params object, issues have the paths of what the model sent', async () => {
  const { procedures } = await compileFixture(`import type { Int } from 'rpc-gen'
export interface Order { sku: string; lines: { params: Int }[]; 'a b'?: Int }
/** @rpc
 * @mcp
 * @params object */
export function place(order: Order): void {}
/** @rpc
 * @mcp */
export function other(params: Order): void {}
`)
  const to = mounted(new RpcServer({ procedures }))
  const textOf = async (name: string, args: object) => (await legacy('tools/call', call(name, args), to)).body.result
  const issue = (path: unknown[]) => expect.objectContaining({ path })
  const pathsOf = ({ content }: { content: { text: string }[] }) => {
    const [message, data] = (content[0]?.text ?? '').split('\n')
    return [message, JSON.parse(data ?? '[]')]
  }
  expect(pathsOf(await textOf('place', { sku: 1, lines: [{ params: 'x' }] }))).toEqual([
    'Invalid params: sku: expected string, received int (and 1 more)',
    [issue(['sku']), issue(['lines', 0, 'params'])],
  ])
  expect(pathsOf(await textOf('place', { sku: 'a', lines: [], 'a b': 'x' }))).toEqual([
    expect.stringMatching(/^Invalid params: \["a b"\]: /),
    [issue(['a b'])],
  ])
  expect(pathsOf(await textOf('other', { params: { sku: 1, lines: [] } }))).toEqual([
    'Invalid params: params.sku: expected string, received int',
    [issue(['params', 'sku'])],
  ])
})

test.each(['', 'bm8', 7])('the list of tools has one page: the cursor %j is -32602', async (cursor) => {
  for (const list of [modern, legacy]) {
    const { error } = (await list('tools/list', { cursor })).body
    expect(error).toMatchObject({
      code: -32602,
      message: 'Invalid params: cursor: the list has one page, without a cursor',
    })
    expect((await list('tools/list', { cursor: null })).body.result.tools.length).toBeGreaterThan(0)
  }
})
