import { Hono } from 'hono'
import { bearerToken, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../fixtures/generate/api-docs/expected.gen.js'
import type { OpenRpc } from '../runtime/openrpc/openrpc.js'

const info = { title: 'Orders', version: '2.0.0' }

function appOf(options: RpcServerOptions = {}) {
  const server = new RpcServer({ procedures, info, onError: () => {}, ...options })
  return { server, app: new Hono().route('/rpc', server.router()) }
}

async function call(app: Hono, method: string, headers: Record<string, string> = {}) {
  const response = await app.request('/rpc', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  })
  return (await response.json()) as { readonly result?: unknown; readonly error?: { readonly code: number } }
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
  test('answers the document over JSON-RPC, and nobody lists it', async () => {
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

  test('is not there over XML-RPC, nor without the procedures of the server', async () => {
    expect(await callXml(appOf().app, 'rpc.discover')).toContain('<int>-32601</int>')
    const { app } = appOf({ registerSystemProcedures: false })
    expect((await call(app, 'rpc.discover')).error?.code).toBe(-32601)
    expect((await app.request('/rpc/openrpc.json')).status).toBe(404)
  })

  test('the auth of the server holds for it', async () => {
    const { app } = appOf({ auth: (request) => bearerToken(request) === 'secret' })
    expect((await call(app, 'rpc.discover')).error?.code).toBe(-32098)
    expect((await call(app, 'rpc.discover', { authorization: 'Bearer secret' })).result).toMatchObject({ info })
  })

  test('says what was registered since it was asked last', async () => {
    const { app, server } = appOf()
    await call(app, 'rpc.discover')
    server.registerProcedure((a: number) => a, { name: 'same', untyped: true })
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

  test('HEAD has the headers, POST is not answered there', async () => {
    const { app } = appOf()
    const head = await app.request('/rpc/openrpc.json', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')?.length]).toEqual([200, '', 34])
    expect((await app.request('/rpc/openrpc.json', { method: 'POST' })).status).toBe(404)
  })

  test('the auth of the server holds for it', async () => {
    const { app } = appOf({ auth: (request) => bearerToken(request) === 'secret' })
    const refused = await app.request('/rpc/openrpc.json')
    expect([refused.status, await refused.text()]).toEqual([403, 'Authentication failed.'])
    const headers = { authorization: 'Bearer secret' }
    expect((await app.request('/rpc/openrpc.json', { headers })).status).toBe(200)
  })

  test('a view that is mounted by itself has it as a handler', async () => {
    const { server } = appOf({ info: { ...info, servers: [{ url: 'https://example.org/rpc' }] } })
    const app = new Hono().all('/api', server.view).get('/api.json', server.openrpc)
    const document = (await (await app.request('/api.json')).json()) as OpenRpc
    expect(document.servers).toEqual([{ url: 'https://example.org/rpc' }])
    expect(document.info).toEqual(info)
  })

  test('what does not fit together is an internal error, and told', async () => {
    const errors: unknown[] = []
    const { app, server } = appOf({ onError: (error) => void errors.push(error) })
    server.registerProcedure(() => 1)
    const response = await app.request('/rpc/openrpc.json')
    expect([response.status, await response.text(), errors.length]).toEqual([500, 'Internal error.', 1])
  })
})

describe('the page', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test('is there where it is asked for, and by a browser only', async () => {
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

  test('links to a document that is there', async () => {
    const { app } = appOf({ docs: true })
    const document = await app.request('/rpc?asset=openrpc.json')
    expect(await document.json()).toMatchObject({ openrpc: '1.4.1', info })
  })

  test('goes before redirectGetRequestsTo, which has the rest', async () => {
    const { app } = appOf({ docs: true, redirectGetRequestsTo: '/elsewhere' })
    expect((await app.request('/rpc', { headers: html })).status).toBe(200)
    expect((await app.request('/rpc')).status).toBe(301)
  })

  test('the auth of the server holds for it and what belongs to it, unless it has its own', async () => {
    const auth = (request: Request) => bearerToken(request) === 'secret'
    const { app } = appOf({ docs: true, auth })
    for (const path of ['/rpc', '/rpc?asset=openrpc.json', '/rpc?asset=script']) {
      expect([path, (await app.request(path, { headers: html })).status]).toEqual([path, 403])
    }
    const known = { ...html, authorization: 'Bearer secret' }
    expect((await app.request('/rpc', { headers: known })).status).toBe(200)
    const open = appOf({ docs: { auth: 'public' }, auth })
    expect((await open.app.request('/rpc', { headers: html })).status).toBe(200)
    expect((await call(open.app, 'order.count')).error?.code).toBe(-32098)
  })

  test('has a route of its own, and calls the endpoint from there', async () => {
    const { server } = appOf()
    const app = new Hono().route('/docs', server.docs({ endpoint: '/rpc', auth: 'public' })).all('/rpc', server.view)
    const page = await app.request('/docs')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('http://localhost/rpc')])
    expect((await app.request('/rpc', { headers: html })).status).toBe(405)
  })

  test('a wrong auth is told when the server is made', () => {
    expect(() => appOf({ docs: { auth: 'staff' as never } })).toThrow('RpcServer, docs: auth is "staff"')
    expect(() => appOf().server.docs({ endpoint: '/rpc', auth: 1 as never })).toThrow('RpcServer.docs: auth is 1')
  })
})
