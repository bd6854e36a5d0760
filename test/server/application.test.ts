import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../scripts/demo/serving.mjs'
import { runRpcGen } from '../support/command.js'
import { compile } from '../support/compiler.js'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { callXml } from '../support/requests.js'

const folder = join(root, 'fixtures/application')

let server: RunningServer

beforeAll(async () => {
  requireBuild()
  expect(await runRpcGen(folder, '--check')).toEqual({ status: 0, output: '' })
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  expect(compile(folder)).toEqual([])
  server = await startServer(join(folder, 'dist/serve.js'), { cwd: root })
}, 120_000)

afterAll(() => server?.stop())

const ada = { Authorization: `Basic ${btoa('ada:lovelace')}` }
const staff = { Authorization: 'Bearer staff-token' }
const admin = { Authorization: 'Bearer admin-token' }
const rejected = { code: -32098, message: 'Authentication failed' }
const unknown = { code: -32601, message: 'Method not found' }

type Headers = Readonly<Record<string, string>>

async function post(path: string, contentType: string, body: string, headers: Headers = {}): Promise<string> {
  const init = { method: 'POST', headers: { 'Content-Type': contentType, ...headers }, body }
  const response = await fetch(new URL(path, server.url), init)
  expect(response.status).toBe(200)
  return response.text()
}

/** The result, or the error, of a call in JSON-RPC. */
async function json(path: string, method: string, params: unknown, headers?: Headers): Promise<unknown> {
  const text = await post(path, 'application/json', JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }), headers)
  const { result, error } = JSON.parse(text)
  return error ?? result
}

/** Returns the text between the tags of the result, or of the fault. */
async function xml(path: string, method: string, params: readonly string[], headers?: Headers): Promise<string> {
  const text = await post(path, 'text/xml', callXml(method, ...params), headers)
  return /<(?:param|fault)><value>(.*)<\/value><\/(?:param|fault)>/.exec(text)?.[1] ?? text
}

async function reportedErrors(): Promise<unknown> {
  return (await fetch(new URL('/reported-errors', server.url))).json()
}

describe('auth: the innermost level that has one applies', () => {
  test.each([
    [
      'the server requires customers, the namespace nothing: other callers are rejected',
      'orders.place',
      [1],
      {},
      rejected,
    ],
    ['… and a customer is not', 'orders.place', [1], ada, 'ada orders 1 of 1'],
    ['the namespace has auth false: everyone may call', 'catalog.price', [1], {}, 12],
    ['the procedure requires admin: a customer is rejected', 'orders.cancel', ['x'], ada, rejected],
    [
      '… and the admin is not, though no customer',
      'orders.cancel',
      ['x'],
      admin,
      { code: 404, message: 'no such order', data: { order: 'x' } },
    ],
    ['an empty list rejects everyone', 'orders.vault.gold', [], ada, rejected],
    ['the server covers system.*', 'system.methodHelp', ['catalog.price'], {}, rejected],
  ])('%s', async (_sentence, method, params, headers, expected) => {
    expect(await json('/shop', method, params, headers)).toEqual(expected)
  })

  test('a list: the first that is truthy authorises', async () => {
    expect(await json('/office', 'me', [], staff)).toBe('staff by http json-rpc as me')
    expect(await json('/office', 'me', [], admin)).toBe('admin for me by http json-rpc as me')
    expect(await json('/office', 'me', [])).toEqual(rejected)
  })

  test('a predicate that throws rejects the call, and its error is reported and not sent', async () => {
    await reportedErrors()
    expect(await json('/shop', 'orders.audit', [], ada)).toEqual(rejected)
    expect(await reportedErrors()).toEqual(['Authentication failed: the directory of users cannot be reached'])
  })

  test('parameters of unauthorised callers are not read', async () => {
    expect(await json('/shop', 'orders.place', ['wrong', 'and', 'too', 'many'])).toEqual(rejected)
    expect(await xml('/shop', 'orders.place', ['<int>no int</int>'])).toContain('<int>-32098</int>')
  })

  test('every entry of a batch is authorised by itself', async () => {
    const batch = ['me', 'find', 'echo'].map((method, id) => ({
      jsonrpc: '2.0',
      method,
      params: ['saw'].slice(method === 'me' ? 1 : 0),
      id,
    }))
    const responses = JSON.parse(await post('/office', 'application/json', JSON.stringify(batch), admin))
    expect(responses.map(({ result }: { result: unknown }) => result)).toEqual([
      'admin for me by http json-rpc as me',
      [{ id: 2, title: 'Saw', price: 19.5 }],
      'saw',
    ])
  })

  test('@auth in a doc comment is the level of the procedure', async () => {
    expect(await json('/generated', 'status.healthy', [])).toBe(true)
    expect(await json('/generated', 'status.since', [])).toEqual(rejected)
    expect(await json('/generated', 'status.since', [], staff)).toBe('2026-01-02T00:00:00.000Z')
  })
})

describe('registration', () => {
  test('a namespace prefixes, one without a name does not, and nested ones add up', async () => {
    expect(await json('/shop', 'system.listMethods', [], ada)).toEqual([
      'catalog.price',
      'catalog.total',
      'catalog.find',
      'orders.vault.gold',
      'orders.place',
      'orders.cancel',
      'orders.audit',
      'whoAmI',
      'system.listMethods',
      'system.methodHelp',
      'system.methodSignature',
    ])
    expect(await json('/office', 'price', [1], staff)).toBe(12)
  })

  test('one procedure on two servers, under two names', async () => {
    expect(await json('/shop', 'whoAmI', [], ada)).toBe('ada by http json-rpc as whoAmI')
    expect(await json('/office', 'whoAmI', [], staff)).toEqual(unknown)
  })

  test('a procedure of one server is unknown on another', async () => {
    expect(await json('/generated', 'find', ['a'])).toEqual(unknown)
    expect(await json('/generated', 'system.listMethods', [])).toEqual([
      'add',
      'status.healthy',
      'status.since',
      'system.listMethods',
      'system.methodHelp',
      'system.methodSignature',
    ])
  })

  test('an unchecked function has undef in its signature, accepts anything, and has no names', async () => {
    expect(await json('/office', 'system.methodSignature', ['echo'], staff)).toEqual([['undef']])
    expect(await json('/office', 'echo', ['a', 'b'], staff)).toBe('a b')
    expect(await json('/office', 'echo', { words: ['a'] }, staff)).toMatchObject({ code: -32602 })
  })

  test('a procedure of one protocol: not called, not listed, not described by the other', async () => {
    expect(await json('/shop', 'catalog.total', [1, 2])).toBe(24)
    expect(await xml('/shop', 'catalog.total', ['<int>1</int>', '<int>2</int>'])).toContain('<int>-32601</int>')
    expect(await xml('/shop', 'system.listMethods', [], ada)).not.toContain('catalog.total')
    expect(await xml('/shop', 'system.methodHelp', ['catalog.total'], ada)).toContain('<int>-32602</int>')
  })

  test('a server of one protocol rejects the other', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'text/xml', ...staff }, body: callXml('me') }
    expect((await fetch(new URL('/office', server.url), init)).status).toBe(415)
  })

  test('a server without system procedures does not know them', async () => {
    expect(await json('/status', 'system.listMethods', [])).toEqual(unknown)
    expect(await json('/status', 'status.healthy', [])).toBe(true)
  })
})

describe('legacy entry points', () => {
  test('procedures of RPC_METHODS_MODULES are in every entry point', async () => {
    for (const path of ['/legacy/rpc', '/legacy/reports']) expect(await json(path, 'add', [1, 2])).toBe(3)
  })

  test('rpcMethod: in one entry point, in several, in all; by another name; for one protocol', async () => {
    expect(await json('/legacy/reports', 'yearly', [2026])).toBe('report of 2026')
    expect(await json('/legacy/rpc', 'yearly', [2026])).toEqual(unknown)
    expect(await xml('/legacy/rpc', 'monthly', ['<int>2026</int>', '<int>5</int>'])).toBe(
      '<string>report of 2026-5</string>',
    )
    expect(await json('/legacy/rpc', 'monthly', [2026, 5])).toEqual(unknown)
    for (const path of ['/legacy/rpc', '/legacy/reports']) expect(await json(path, 'legacy.ping', [])).toBe('pong')
  })

  test('a procedure outside of RPC_METHODS_MODULES is not registered', async () => {
    expect(await json('/legacy/rpc', 'status.healthy', [])).toEqual(unknown)
  })

  test('a view of one protocol rejects the other', async () => {
    expect(await xml('/legacy/xml', 'add', ['<int>1</int>', '<int>2</int>'])).toBe('<int>3</int>')
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    expect((await fetch(new URL('/legacy/xml', server.url), init)).status).toBe(415)
  })

  test('an app without the middleware responds with -32603, and onError gets the reason', async () => {
    await reportedErrors()
    expect(await json('/unregistered', 'add', [1, 2])).toEqual({ code: -32603, message: 'Internal error' })
    expect(await reportedErrors()).toEqual([
      'RPCEntryPoint.asView serves behind the middleware of rpcApp only: app.use(rpcApp(procedures))',
    ])
  })

  test.each([
    ['a result', 'add', [1, 2], ['<int>1</int>', '<int>2</int>']],
    ['wrong parameters', 'add', ['x', 2], ['<string>x</string>', '<int>2</int>']],
    ['no such method', 'nothing', [], []],
    ['help', 'system.methodHelp', ['add'], ['add']],
    ['signature', 'system.methodSignature', ['add'], ['add']],
  ])('the same bytes as RpcServer: %s', async (_what, method, params, values) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
    expect(await post('/legacy/rpc', 'application/json', body)).toBe(await post('/generated', 'application/json', body))
    const call = callXml(method, ...values)
    expect(await post('/legacy/rpc', 'text/xml', call)).toBe(await post('/generated', 'text/xml', call))
  })
})
