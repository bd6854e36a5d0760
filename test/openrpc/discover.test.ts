import { Hono } from 'hono'
import { extractBearerToken, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/api-docs/expected.gen.js'
import type { OpenRpc } from '../../runtime/description/openrpc.js'
import { settingsOf } from '../../runtime/server/server.js'
import { compileModule } from '../support/compile-module.js'
import { call as message, postJson, type RpcResponse, responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const info = { title: 'Orders', version: '2.0.0' }

function appOf(options: RpcServerOptions = {}) {
  const server = new RpcServer({ procedures, info, onError: () => {}, ...options })
  return { server, app: new Hono().route('/rpc', server.router()) }
}

async function call(app: Hono, method: string, headers: Record<string, string> = {}) {
  return (await (await app.request('/rpc', postJson(message(method), headers))).json()) as RpcResponse
}

async function callXml(app: Hono, method: string): Promise<string> {
  const response = await app.request('/rpc', {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: `<methodCall><methodName>${method}</methodName></methodCall>`,
  })
  return response.text()
}

describe('rpc.discover', () => {
  test('returns the document over JSON-RPC, and is not listed', async () => {
    const { app } = appOf()
    const { result } = await call(app, 'rpc.discover')
    expect(result).toMatchObject({
      openrpc: '1.4.1',
      info,
      methods: [{ name: 'order.create' }, { name: 'order.count' }],
    })
    expect((await call(app, 'system.listMethods')).result).toEqual([
      'order.create',
      'order.count',
      'system.listMethods',
      'system.methodHelp',
      'system.methodSignature',
    ])
  })

  test('is called once in a message, and so is each description', async () => {
    const { app } = appOf()
    const batch = async (...calls: readonly (readonly [method: string, ...params: string[]])[]) => {
      const body = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', method, params, id }))
      const responses = (await (await app.request('/rpc', postJson(body))).json()) as RpcResponse[]
      return responses.map(({ error }) => error?.code)
    }
    const of = ['order.create', 'order.count'] as const
    const once = [
      ['rpc.discover'],
      ['system.listMethods'],
      ...of.map((name) => ['system.methodHelp', name] as const),
      ...of.map((name) => ['system.methodSignature', name] as const),
    ] as const
    expect(await batch(...once, ...once)).toEqual([...once.map(() => undefined), ...once.map(() => -32600)])
    // Another message.
    expect(await batch(...once)).toEqual(once.map(() => undefined))
  })

  test('descriptions are sent once in a multicall, too', async () => {
    const { app } = appOf()
    const entry = (method: string, params: string) =>
      `<value><struct><member><name>methodName</name><value>${method}</value></member><member><name>params</name><value><array><data>${params}</data></array></value></member></struct></value>`
    const calls = [
      entry('system.listMethods', ''),
      entry('system.methodHelp', '<value>order.create</value>'),
      entry('system.methodSignature', '<value>order.create</value>'),
    ]
    const body = `<methodCall><methodName>system.multicall</methodName><params><param><value><array><data>${[...calls, ...calls].join('')}</data></array></value></param></params></methodCall>`
    const text = await (
      await app.request('/rpc', { method: 'POST', headers: { 'content-type': 'text/xml' }, body })
    ).text()
    expect(text.match(/<int>-32600<\/int>/g)).toHaveLength(3)
  })

  test('is unknown over XML-RPC, and without the system procedures', async () => {
    expect(await callXml(appOf().app, 'rpc.discover')).toContain('<int>-32601</int>')
    const { app } = appOf({ registerSystemProcedures: false })
    expect((await call(app, 'rpc.discover')).error?.code).toBe(-32601)
    expect((await app.request('/rpc/openrpc.json')).status).toBe(404)
  })

  test('the auth of the server applies to it', async () => {
    const { app } = appOf({ auth: (request) => extractBearerToken(request) === 'secret' })
    expect((await call(app, 'rpc.discover')).error?.code).toBe(-32098)
    expect((await call(app, 'rpc.discover', { authorization: 'Bearer secret' })).result).toMatchObject({ info })
  })

  test('includes what was registered since the last request', async () => {
    const { app, server } = appOf()
    await call(app, 'rpc.discover')
    server.registerProcedure((a: number) => a, { name: 'same', unchecked: true })
    const { methods } = (await call(app, 'rpc.discover')).result as OpenRpc
    expect(methods.map(({ name }) => name)).toEqual(['order.create', 'order.count', 'same'])
  })
})

describe('GET openrpc.json', () => {
  test('is the document of rpc.discover, with an entity tag', async () => {
    const { app } = appOf()
    const response = await app.request('/rpc/openrpc.json')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual((await call(app, 'rpc.discover')).result)
    const etag = response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await app.request('/rpc/openrpc.json', { headers: { 'if-none-match': sent } })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await app.request('/rpc/openrpc.json', { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  })

  test('HEAD has the headers, POST is not served there', async () => {
    const { app } = appOf()
    const head = await app.request('/rpc/openrpc.json', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')?.length]).toEqual([200, '', 34])
    expect((await app.request('/rpc/openrpc.json', { method: 'POST' })).status).toBe(405)
  })

  test('the auth of the server applies to it', async () => {
    const { app } = appOf({ auth: (request) => extractBearerToken(request) === 'secret' })
    const rejected = await app.request('/rpc/openrpc.json')
    expect([rejected.status, await rejected.text()]).toEqual([403, 'Authentication failed.'])
    const headers = { authorization: 'Bearer secret' }
    expect((await app.request('/rpc/openrpc.json', { headers })).status).toBe(200)
  })

  test('server.openrpc serves it for a view', async () => {
    const { server } = appOf({ info: { ...info, servers: [{ url: 'https://example.org/rpc' }] } })
    const app = new Hono().all('/api', server.view).get('/api.json', server.openrpc)
    const document = (await (await app.request('/api.json')).json()) as OpenRpc
    expect(document.servers).toEqual([{ url: 'https://example.org/rpc' }])
    expect(document.info).toEqual(info)
  })
})

describe('the page', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test('is served if it is enabled, and only to browsers', async () => {
    const { app } = appOf({ docs: true })
    const page = await app.request('/rpc', { headers: html })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<title>Orders</title>')
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      expect((await app.request('/rpc', { headers })).status).toBe(405)
    }
    for (const method of ['PUT', 'DELETE'])
      expect((await app.request('/rpc', { method, headers: html })).status).toBe(405)
    expect((await appOf().app.request('/rpc', { headers: html })).status).toBe(405)
  })

  test('links to the OpenRPC document if it is served', async () => {
    const { app } = appOf({ docs: true })
    const document = await app.request('/rpc?asset=openrpc.json')
    expect(await document.json()).toMatchObject({ openrpc: '1.4.1', info })
  })

  test('takes precedence over redirectGetRequestsTo, which handles other requests', async () => {
    const { app } = appOf({ docs: true, redirectGetRequestsTo: '/elsewhere' })
    expect((await app.request('/rpc', { headers: html })).status).toBe(200)
    expect((await app.request('/rpc')).status).toBe(301)
  })

  test('the auth of the server applies to it and its assets', async () => {
    const auth = (request: Request) => extractBearerToken(request) === 'secret'
    const { app } = appOf({ docs: true, auth })
    for (const path of ['/rpc', '/rpc?asset=openrpc.json', '/rpc?asset=script']) {
      expect([path, (await app.request(path, { headers: html })).status]).toEqual([path, 403])
    }
    const known = { ...html, authorization: 'Bearer secret' }
    expect((await app.request('/rpc', { headers: known })).status).toBe(200)
  })

  test('can be mounted on a separate route, and calls the endpoint from there', async () => {
    const { server } = appOf()
    const app = new Hono().route('/docs', server.docs({ endpoint: '/rpc' })).all('/rpc', server.view)
    const page = await app.request('/docs')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('http://localhost/rpc')])
    expect((await app.request('/rpc', { headers: html })).status).toBe(405)
  })

  test('has the auth of the route', () => {
    const hint = 'introspection: { auth } of RpcServer specifies who may see the page'
    expect(() => appOf({ docs: { auth: () => true } as never })).toThrow(
      `RpcServer: docs is an object, expected true or false; ${hint}`,
    )
    const place = { endpoint: '/rpc', auth: () => true }
    expect(() => appOf().server.docs(place)).toThrow(`RpcServer.docs: unknown option "auth"; ${hint}`)
  })
})

describe('introspection: { auth } applies to every description of the server, and to nothing else', () => {
  const known = { authorization: 'Bearer secret' }
  const isKnown = (request: Request) => extractBearerToken(request) === 'secret'
  const html = { accept: 'text/html' }

  /** The server's own procedures; a multicall describes nothing. */
  const described = [...settingsOf(appOf().server).table.values()].filter(
    ({ builtIn, name }) => builtIn && name !== 'system.multicall',
  )
  const paths = ['/rpc', '/rpc/openrpc.json', '/rpc?asset=openrpc.json', '/docs', '/docs?asset=openrpc.json']
  const ways = [...described.map(({ name }) => name), ...paths]

  /** Requests the description in every way: true if it was returned, false if the caller was rejected. */
  async function shown(app: Hono, headers: Record<string, string>): Promise<Record<string, boolean>> {
    const found: Record<string, boolean> = {}
    for (const { name: method, params: declared } of described) {
      const params = declared.map(() => 'order.count')
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
      const { error } = await (await app.request('/rpc', init)).json()
      found[method] = error === undefined
      expect(error?.code).toBe(error && -32098)
    }
    for (const path of paths) {
      const { status } = await app.request(path, { headers: { ...html, ...headers } })
      found[path] = status === 200
      expect([200, 403]).toContain(status)
    }
    return found
  }

  const all = (seen: boolean) => Object.fromEntries(ways.map((way) => [way, seen]))

  test('these are the descriptions', () => {
    expect(ways).toEqual(expect.arrayContaining(['system.listMethods', 'rpc.discover', '/docs']))
  })

  test.each<[string, RpcServerOptions, boolean, boolean, number | undefined]>([
    ['without any auth', {}, true, true, undefined],
    ['default: the auth of the server', { auth: isKnown }, false, true, -32098],
    ['a separate auth', { introspection: { auth: isKnown } }, false, true, undefined],
    ['a separate list', { introspection: { auth: [isKnown] } }, false, true, undefined],
    ['nobody', { introspection: { auth: [] } }, false, false, undefined],
    ['public before a server with auth', { auth: isKnown, introspection: { auth: 'public' } }, true, true, -32098],
    ['its own before a server with auth', { auth: [], introspection: { auth: isKnown } }, false, true, -32098],
  ])('%s', async (_what, options, anonymous, authorised, code) => {
    const { app, server } = appOf({ docs: true, ...options })
    app.route('/docs', server.docs({ endpoint: '/rpc' }))
    expect(await shown(app, {})).toEqual(all(anonymous))
    expect(await shown(app, known)).toEqual(all(authorised))
    expect((await call(app, 'order.count')).error?.code).toBe(code)
  })

  test('a multicall has the auth of the server', async () => {
    const body =
      '<methodCall><methodName>system.multicall</methodName><params><param><value><array><data/></array></value></param></params></methodCall>'
    const init = { method: 'POST', headers: { 'content-type': 'text/xml' }, body }
    const open = appOf({ introspection: { auth: [] } })
    expect(await (await open.app.request('/rpc', init)).text()).toContain('<array><data></data></array>')
    const closed = appOf({ auth: [], introspection: { auth: 'public' } })
    expect(await (await closed.app.request('/rpc', init)).text()).toContain('<int>-32098</int>')
  })

  test.each<[string, unknown, string]>([
    ['undefined', undefined, 'RpcServer: introspection is undefined, expected an object. Options that are undefined'],
    ['without auth', {}, 'RpcServer: introspection: auth is undefined, expected a predicate'],
    ['a predicate', () => true, 'RpcServer: introspection is a function, expected an object'],
    [
      'with another option',
      { auth: 'public', title: 'x' },
      'RpcServer: introspection: unknown option "title"; the options are auth',
    ],
    [
      'with an undefined auth',
      { auth: undefined },
      'RpcServer: introspection: auth is undefined, expected a predicate',
    ],
    [
      'with false',
      { auth: false },
      "RpcServer: introspection: auth is false, expected a predicate, a list of predicates, { all } or 'public': write",
    ],
  ])('throws when the server is created: %s', (_what, introspection, message) => {
    expect(() => appOf({ introspection: introspection as never })).toThrow(message)
  })
})

test('a thousand types that refer to each other are described and checked', async () => {
  const count = 1000
  const types = Array.from({ length: count }, (_, i) => {
    const [next, far] = [(i + 1) % count, (i * 7 + 3) % count]
    return `export interface E${i} { id: number; next?: E${next}; far?: E${far}[] }`
  })
  const source = `${types.join('\n')}\n/** @rpc */\nexport function find(one: E0): E0 {\n  return one\n}\n`
  const router = new RpcServer({ procedures: await compileModule(temporaryFolder('rows'), 'rows.ts', source) }).router()
  const { result } = await responseTo(router, 'rpc.discover', [])
  expect(Object.keys((result as OpenRpc).components?.schemas ?? {})).toHaveLength(2 * count)
  const { error } = await responseTo(router, 'find', [{ id: 1, next: { id: 'one' } }])
  expect(error?.message).toBe('Invalid params: one.next.id: expected number, received string of length 3')
})
