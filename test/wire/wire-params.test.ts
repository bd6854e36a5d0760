import { Hono } from 'hono'
import { Protocol, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { createClient as createAny, xmlRpc } from 'rpc-gen/client'
import { paramsSchema } from 'rpc-gen/standard-schema'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../fixtures/generate/wire-params/expected.client.js'
import { type JsonParams, type JsonProcedures, procedures } from '../../fixtures/generate/wire-params/expected.gen.js'
import { mcp } from '../../runtime/mcp/index.js'

const since = '1970-01-01T00:00:07.000Z'
const init = { processId: 1, folders: ['a'], since }
const begun = { server: 'for 1 since 7000', folders: 1 }

const serverOf = (options: RpcServerOptions = {}) => new RpcServer({ procedures, ...options })

/** The result or the error of one call over JSON-RPC. */
async function callMethod(method: string, params?: unknown, server: RpcServer = serverOf()): Promise<unknown> {
  const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }), id: 1 }
  const { result, error } = JSON.parse(`${await server.handle(JSON.stringify(message))}`)
  return error ?? result
}

const invalid = (path: readonly (string | number)[], expected: string, received: string) => ({
  code: -32602,
  data: [{ path, expected, received }],
})

describe('@params object', () => {
  test('the params object is the argument; so is the only element of a list', async () => {
    expect(await callMethod('initialize', init)).toEqual(begun)
    expect(await callMethod('initialize', [init])).toEqual(begun)
    expect(await callMethod('textDocument/didOpen', { uri: 'a.ts', version: 2 })).toBe('a.ts 2')
    expect(await callMethod('$/log.all', { a: '1', params: '2' })).toEqual(['a=1', 'params=2'])
    expect(await callMethod('count', { a: 1, b: 2 })).toBe(2)
    expect(await callMethod('area', { kind: 'square', side: 3 })).toBe(9)
  })

  test('without params an optional argument is omitted, and another is missing', async () => {
    for (const params of [undefined, []]) {
      expect(await callMethod('area', params)).toBe(0)
      expect(await callMethod('initialize', params)).toMatchObject({ code: -32602 })
    }
  })

  test('it is validated as its type, member by member', async () => {
    expect(await callMethod('initialize', { ...init, processId: 'x' })).toMatchObject(
      invalid(['params', 'processId'], 'int | null', 'string of length 1'),
    )
    expect(await callMethod('initialize', { params: init })).toMatchObject({ code: -32602 })
    expect(await callMethod('initialize', [init, init])).toMatchObject(invalid([], 'at most 1 parameter', '2'))
    const tooLarge = '{"jsonrpc":"2.0","method":"area","params":{"kind":"circle","radius":1e999},"id":1}'
    expect(JSON.parse(`${await serverOf().handle(tooLarge)}`).error).toMatchObject({ code: -32602 })
  })

  test('unknown keys are those of an object: stripped, or rejected by unknownKeys', async () => {
    const more = { ...init, more: 1 }
    expect(await callMethod('initialize', more)).toEqual(begun)
    expect(await callMethod('initialize', more, serverOf({ unknownKeys: 'strip' }))).toEqual(begun)
    expect(await callMethod('initialize', more, serverOf({ unknownKeys: 'reject' }))).toMatchObject(
      invalid(['params', 'more'], 'no such key', 'an unknown key'),
    )
    expect(await callMethod('$/log.all', { any: 'key' }, serverOf({ unknownKeys: 'reject' }))).toEqual(['any=key'])
  })

  test('over XML-RPC it is the only struct', async () => {
    const member = (name: string, value: string) => `<member><name>${name}</name><value>${value}</value></member>`
    const struct = `<struct>${member('uri', 'a.ts')}${member('version', '<int>3</int>')}</struct>`
    const call = `<methodCall><methodName>textDocument/didOpen</methodName><params><param><value>${struct}</value></param></params></methodCall>`
    expect(await serverOf().handle(call, { protocol: Protocol.XML_RPC })).toContain('<string>a.ts 3</string>')
  })

  test('server.call accepts it by position and unchanged', async () => {
    const server = new RpcServer<Called, JsonParams>({ procedures })
    const value = { processId: 1, since: new Date(7000) }
    expect(await server.call('initialize', [value])).toEqual({ ...begun, folders: 0 })
    expect(await server.call('initialize', value)).toEqual({ ...begun, folders: 0 })
    expect(await server.call('area', { kind: 'circle', radius: 2 })).toBe(2)
    expect(await server.call('$/cancelRequest', { id: 'x' })).toBeGreaterThan(0)
    // @ts-expect-error a member has another type
    await expect(server.call('initialize', { processId: 'x', since: new Date(7000) })).rejects.toThrow(
      'params.processId',
    )
  })

  test('its schema is that of the type: MCP, Standard Schema, JSON Schema', async () => {
    const app = new Hono().route('/mcp', mcp(serverOf(), { tools: 'all' }))
    const callTool = async (method: string, params?: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) })
      const headers = { 'Content-Type': 'application/json' }
      return (await (await app.request('/mcp', { method: 'POST', headers, body })).json()).result
    }
    const { tools } = await callTool('tools/list')
    expect(tools.find(({ name }: { name: string }) => name === 'initialize').inputSchema).toMatchObject({
      type: 'object',
      description: 'What the client can do',
      properties: { processId: {}, since: { type: 'string', format: 'date-time' } },
    })
    expect(await callTool('tools/call', { name: 'initialize', arguments: init })).toMatchObject({
      structuredContent: begun,
    })
    const schema = paramsSchema(procedures.initialize)
    expect(schema['~standard'].validate(init)).toEqual({ value: { ...init, since: new Date(since) } })
    expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
      type: 'object',
      $ref: '#/$defs/InitializeParams.input',
    })
  })
})

type Called = import('../../fixtures/generate/wire-params/expected.gen.js').Procedures

describe('@wireName', () => {
  test('calls by name and errors have the wire name', async () => {
    expect(await callMethod('run', { function: 'f', arguments: ['x', 'y'] })).toBe('f(x,y)')
    expect(await callMethod('run', ['f', 'x'])).toBe('f(x)')
    expect(await callMethod('run', { fn: 'f' })).toMatchObject(
      invalid(['fn'], 'one of function, arguments', 'an unknown name'),
    )
    expect(await callMethod('run', { function: 'f', arguments: [1] })).toMatchObject({
      data: [{ path: ['arguments', 0] }],
    })
    expect(await callMethod('swapped', { a: 'text', b: 1 })).toBe('1 text')
    expect(await callMethod('overloaded', { x: 'ab', times: 2 })).toBe('abab')
    expect(await callMethod('system.methodHelp', ['run'])).toBe(
      'Calls a function.\n\n:param function: The function\n:param arguments: What is passed to it',
    )
  })

  test('unknown names are rejected, or stripped by unknownKeys', async () => {
    const params = { function: 'f', more: 1 }
    expect(await callMethod('run', params)).toMatchObject(
      invalid(['more'], 'one of function, arguments', 'an unknown name'),
    )
    expect(await callMethod('run', params, serverOf({ unknownKeys: 'reject' }))).toMatchObject({ code: -32602 })
    expect(await callMethod('run', params, serverOf({ unknownKeys: 'strip' }))).toBe('f()')
  })
})

describe('the clients', () => {
  const sent: unknown[] = []
  const app = new Hono().route('/rpc', serverOf().router())
  const fetch = async (url: string, request: RequestInit) => {
    sent.push(/^\{/.test(`${request.body}`) ? JSON.parse(`${request.body}`).params : `${request.body}`)
    return app.request(url, request)
  }
  const client = createClient('http://localhost/rpc', { fetch })
  const value = { processId: 1, since: new Date(7000) }

  test('the generated one sends the object as params, by every way to call', async () => {
    sent.length = 0
    const results = [
      await client.initialize(value),
      await client.$named.initialize(value),
      await client.$with({}).initialize(value),
      ...(await client.$batch([client.$request.initialize(value)])),
    ]
    expect(results).toEqual(results.map(() => ({ ...begun, folders: 0 })))
    expect(sent.slice(0, 3)).toEqual([1, 2, 3].map(() => ({ processId: 1, since })))
    expect(await client.count(new Map([['a', 1]]))).toBe(1)
    expect(await client.area()).toBe(0)
    expect(await client.run('f', 'x')).toBe('f(x)')
    expect(await client.$named.run({ function: 'f', arguments: ['x'] })).toBe('f(x)')
  })

  test('names with a slash are called by their string', async () => {
    expect(await client['textDocument/didOpen']({ uri: 'a.ts' })).toBe('a.ts 0')
    expect(await client['$/cancelRequest']({ id: 1 })).toBeGreaterThan(0)
    expect(await client['$/log'].all({ a: 'b' })).toEqual(['a=b'])
    await client.$notify['$/cancelRequest']({ id: 2 })
    const any = createAny<JsonProcedures, JsonParams>('http://localhost/rpc', { fetch })
    expect(await any['$/cancelRequest']({ id: 1 })).toBeGreaterThan(0)
    expect(await any['$/log'].all({ a: 'b' })).toEqual(['a=b'])
    expect(await any.$named['textDocument/didOpen']({ uri: 'b.ts' })).toBe('b.ts 0')
    expect(await any.initialize({ processId: null, since })).toEqual({ server: 'for null since 7000', folders: 0 })
    expect((client as object as { readonly $unknown: unknown }).$unknown).toBeUndefined()
  })

  test('XML-RPC sends a struct', async () => {
    const xml = createClient('http://localhost/rpc', { fetch, transport: xmlRpc() })
    expect(await xml.initialize(value)).toEqual({ ...begun, folders: 0 })
    expect(await xml.area()).toBe(0)
    expect(sent.at(-1)).toContain('<params></params>')
  })
})

describe('registerProcedure', () => {
  test("params: 'object' gives an unchecked function the whole object", async () => {
    const server = new RpcServer()
    server.registerProcedure((...params: unknown[]) => params, {
      name: '$/setTrace',
      unchecked: true,
      params: 'object',
    })
    expect(await callMethod('$/setTrace', { value: 'off' }, server)).toEqual([{ value: 'off' }])
    expect(await callMethod('$/setTrace', [{ value: 'off' }], server)).toEqual([{ value: 'off' }])
    expect(await callMethod('$/setTrace', undefined, server)).toEqual([])
    expect(await callMethod('$/setTrace', [1, 2], server)).toMatchObject({ code: -32602 })
  })

  test("parameter names of the server's own procedures cannot be changed", () => {
    for (const name of ['rpc.x', 'system.x']) {
      const server = new RpcServer()
      server.registerProcedure(() => 1, { name, unchecked: true })
      expect(() => server.view).toThrow(/names that begin with (?:rpc|system)\. are reserved/)
    }
  })
})
