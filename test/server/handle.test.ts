import { Protocol, type RpcContext, RpcNamespace, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { describe, expect, test, vi } from 'vitest'
import { procedures } from '../../fixtures/server/procedures.gen.js'

const running = { now: 0, most: 0 }
const started: unknown[] = []

async function wait(value: number): Promise<number> {
  started.push(value)
  running.now += 1
  running.most = Math.max(running.most, running.now)
  // Later entries end earlier.
  for (let turn = 0; turn < 20 - value; turn += 1) await Promise.resolve()
  running.now -= 1
  return value
}

const origin = (context: RpcContext) => [context.transport, context.request.headers.get('x-caller')]

function serverOf(options: RpcServerOptions = {}): RpcServer {
  const namespace = new RpcNamespace()
  namespace.registerProcedure(wait, { unchecked: true })
  namespace.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
  namespace.registerProcedure(origin, { unchecked: true, contextTarget: 0 })
  return new RpcServer({ onError: () => undefined, ...options }).registerNamespace(namespace)
}

const json = (method: string, params: unknown = []) => JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
const xml = (method: string, params = '') => `<methodCall><methodName>${method}</methodName>${params}</methodCall>`
const int = (value: number) => `<param><value><int>${value}</int></value></param>`

describe('handle', () => {
  test('returns the text of the response, in both protocols', async () => {
    expect(await serverOf().handle(json('add', [1, 2]))).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
    expect(await serverOf().handle(json('add', [1, 2]), undefined)).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
    const call = xml('add', `<params>${int(1)}${int(2)}</params>`)
    expect(await serverOf().handle(call, { protocol: Protocol.XML_RPC })).toContain('<value><int>3</int></value>')
  })

  test('returns undefined for a notification', async () => {
    expect(await serverOf().handle('{"jsonrpc":"2.0","method":"add","params":[1,2]}')).toBeUndefined()
  })

  test.each([
    ['{', 'json-rpc', '"code":-32700'],
    ['[]', 'json-rpc', '"code":-32600'],
    ['<a>', 'xml-rpc', '<int>-32700</int>'],
    ['<a/>', 'xml-rpc', '<int>-32600</int>'],
  ] as const)('%s is an error of %s', async (text, protocol, expected) => {
    expect(await serverOf().handle(text, { protocol })).toContain(expected)
  })

  test('calls the predicates, with the request', async () => {
    const auth = vi.fn((request: Request) => request.headers.has('x-caller'))
    const server = serverOf({ auth })
    expect(await server.handle(json('add', [1, 2]))).toContain('-32098')
    const request = new Request('http://localhost/', { headers: { 'X-Caller': 'me' } })
    const response = await server.handle(json('origin'), { request, transport: 'queue' })
    expect(response).toBe('{"jsonrpc":"2.0","result":["queue","me"],"id":1}')
    expect(await serverOf().handle(json('origin'))).toBe('{"jsonrpc":"2.0","result":["text",null],"id":1}')
  })

  test('applies the limits: a text that is too large is -32600', async () => {
    const server = serverOf({ limits: { bodyBytes: 100 } })
    expect(await server.handle(json('add', ['x'.repeat(40), '']))).toContain('"result"')
    // 80 code units, 160 bytes
    expect(await server.handle(json('add', ['é'.repeat(40), '']))).toMatch(/-32600.*larger than 100 bytes/)
    expect(await server.handle(`<!--${' '.repeat(100)}-->`, { protocol: 'xml-rpc' })).toContain('<int>-32600</int>')
  })

  test('throws for invalid arguments', async () => {
    await expect(serverOf({ protocol: 'json-rpc' }).handle('', { protocol: 'xml-rpc' })).rejects.toThrow(
      'RpcServer.handle: protocol is "xml-rpc", expected json-rpc',
    )
    await expect(serverOf().handle(undefined as never)).rejects.toThrow('RpcServer.handle: expected a string')
    await expect(serverOf().handle('', { transports: 'queue' } as never)).rejects.toThrow(
      'RpcServer.handle: unknown option "transports"; the options are env, executionContext, honoContext, protocol, ',
    )
    await expect(serverOf().handle('', null as never)).rejects.toThrow('the options are null, expected an object')
    const namespace = new RpcNamespace()
    namespace.registerProcedure(wait, { unchecked: true })
    const twice = serverOf().registerNamespace(namespace)
    await expect(twice.handle(json('add'))).rejects.toThrow('there are two procedures')
  })
})

describe('concurrency', () => {
  const values = [0, 1, 2, 3, 4, 5, 6, 7]
  const batch = `[${values.map((value) => json('wait', [value])).join(',')}]`
  const entries = values.map(
    (value) =>
      '<value><struct><member><name>methodName</name><value>wait</value></member><member><name>params</name><value><array><data>' +
      `<value><int>${value}</int></value></data></array></value></member></struct></value>`,
  )
  const multicall = xml(
    'system.multicall',
    `<params><param><value><array><data>${entries.join('')}</data></array></value></param></params>`,
  )

  async function run(server: RpcServer, entry: 'asyncView' | 'view' | 'handle' | 'multicall'): Promise<unknown[]> {
    Object.assign(running, { now: 0, most: 0 })
    started.splice(0)
    if (entry === 'multicall') {
      const text = (await server.handle(multicall, { protocol: 'xml-rpc' })) ?? ''
      return [...text.matchAll(/<int>(\d)<\/int>/g)].map(([, value]) => Number(value))
    }
    const text = entry === 'handle' ? await server.handle(batch) : await post(server, entry)
    return JSON.parse(text ?? '').map(({ result }: { result: unknown }) => result)
  }

  async function post(server: RpcServer, entry: 'asyncView' | 'view'): Promise<string> {
    const router = server.router({ sequential: entry === 'view' })
    const headers = { 'Content-Type': 'application/json' }
    return (await router.request('/', { method: 'POST', headers, body: batch })).text()
  }

  test.each([
    ['asyncView', 3, 3],
    ['handle', 3, 3],
    ['multicall', 3, 3],
    ['multicall', 1, 1],
    ['handle', 100, 8],
    ['handle', undefined, 8],
    ['asyncView', undefined, 8],
    ['view', 3, 1],
    ['view', undefined, 1],
  ] as const)('%s with %s: at most %i at once, started and returned in order', async (entry, concurrency, most) => {
    const server = serverOf(concurrency === undefined ? {} : { concurrency })
    expect(await run(server, entry)).toEqual(values)
    expect(started).toEqual(values)
    expect(running.most).toBe(most)
  })

  test.each([0, -1, 1.5, Number.NaN])('%d is not a number of calls', (concurrency) => {
    expect(() => serverOf({ concurrency })).toThrow(
      `RpcServer: concurrency is ${concurrency}, expected a positive integer`,
    )
  })

  test('a string is not a number of calls', () => {
    const concurrency = '3' as unknown as number
    expect(() => serverOf({ concurrency })).toThrow('RpcServer: concurrency is "3", expected a positive integer')
  })
})

describe('unknownKeys, for the names of parameters', () => {
  const named = { name: 'a', extra: 1 }
  const handle = (unknownKeys?: 'strip' | 'reject') =>
    new RpcServer({ procedures, onError: () => undefined, ...(unknownKeys && { unknownKeys }) }).handle(
      json('quick', named),
    )

  test('they are rejected by default, and dropped with strip', async () => {
    const rejected = expect.stringContaining('"code":-32602,"message":"Invalid params: extra: expected one of name')
    expect(await handle()).toEqual(rejected)
    expect(await handle('reject')).toEqual(rejected)
    expect(await handle('strip')).toBe('{"jsonrpc":"2.0","result":"a","id":1}')
  })

  test('another value of the option is an error', () => {
    expect(() => handle('forbid' as never)).toThrow(
      "RpcServer: unknownKeys is \"forbid\", expected 'strip' or 'reject'",
    )
  })
})

describe('a long batch of synchronous calls', () => {
  const server = new RpcServer({ onError: () => {} })
  const order: unknown[] = []
  server.registerProcedure(
    (at: number) => {
      const end = performance.now() + 2
      while (performance.now() < end);
      order.push(at)
      return at
    },
    { name: 'busy', unchecked: true },
  )
  server.registerProcedure(() => void order.push('other'), { name: 'other', unchecked: true })
  const all = Array.from({ length: 100 }, (_, at) => at)

  test.each([Number.POSITIVE_INFINITY, 1])('gives other calls their turn, in order: concurrency %s', async (most) => {
    order.length = 0
    const own = most === 1 ? new RpcServer({ concurrency: 1 }) : server
    if (own !== server)
      own.registerProcedure((at: number) => server.call('busy', [at]), { name: 'busy', unchecked: true })
    const batch = own.handle(JSON.stringify(all.map((id) => ({ jsonrpc: '2.0', method: 'busy', params: [id], id }))))
    await new Promise((resolve) => setTimeout(resolve))
    await server.handle('{"jsonrpc":"2.0","method":"other","id":1}')
    const results = JSON.parse((await batch) ?? '').map(({ result }: { result: unknown }) => result)
    expect(results).toEqual(all)
    expect(order.filter((each) => each !== 'other')).toEqual(all)
    expect(order.indexOf('other')).toBeLessThan(100)
  })

  test('a multicall, too', async () => {
    order.length = 0
    const value = (text: string) => `<value>${text}</value>`
    const member = (name: string, text: string) => `<member><name>${name}</name>${value(text)}</member>`
    const entry = (at: number) => {
      const params = member('params', `<array><data>${value(`<int>${at}</int>`)}</data></array>`)
      return value(`<struct>${member('methodName', 'busy')}${params}</struct>`)
    }
    const param = `<param>${value(`<array><data>${all.map(entry).join('')}</data></array>`)}</param>`
    const text = `<methodCall><methodName>system.multicall</methodName><params>${param}</params></methodCall>`
    const multicall = server.handle(text, { protocol: 'xml-rpc' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await server.handle('{"jsonrpc":"2.0","method":"other","id":1}')
    await multicall
    expect(order.filter((each) => each !== 'other')).toEqual(all)
    expect(order.indexOf('other')).toBeLessThan(100)
  })
})
