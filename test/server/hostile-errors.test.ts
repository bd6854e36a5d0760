import { Hono } from 'hono'
import { type AuthPredicate, type Middleware, type OnError, RpcError, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { type NatsMessage, serveNats } from 'rpc-gen/nats'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Peer, serveWebSocket } from '../websocket/serving.js'

// Values that fail while they are read. Whatever is thrown ends its own call, and no other one.

const broken = (): never => {
  throw new Error('a member that throws')
}

const traps = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect).map((name) => [name, broken]),
) as ProxyHandler<object>

/** An object with one member that throws when it is read, or called. */
function withGetter<T extends object>(object: T, name: PropertyKey): T {
  return Object.defineProperty(object, name, { get: broken, configurable: true, enumerable: true })
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** An object that looks like a promise. */
const withThen = <T extends object>(object: T, then: unknown): T =>
  Object.assign(object, Object.fromEntries([['then', then]]))

const rpcError = (data?: unknown) => new RpcError(7, 'seven', data === undefined ? {} : { data })

const members = ['message', 'name', 'code', 'data', 'cause', 'stack', 'then', 'toJSON', 'toString', Symbol.toStringTag]

/** What is thrown, by its name; made for each call. */
const hostile: Readonly<Record<string, () => unknown>> = {
  'a proxy whose traps throw': () => new Proxy({}, traps),
  'a proxy of an Error whose traps throw': () => new Proxy(new Error('x'), traps),
  'a proxy of a function': () => new Proxy(() => {}, traps),
  'a revoked proxy': () => revoked({}),
  'a revoked proxy of a list': () => revoked([]),
  'an object without a prototype': () => Object.create(null),
  'a promise that never settles': () => new Promise(() => {}),
  'a promise that rejects': () => Promise.reject(new Error('x')),
  'an Error with a then': () => withThen(new Error('x'), () => {}),
  'an Error with a then that rejects': () =>
    withThen(new Error('x'), (_: unknown, reject: (error: unknown) => void) => reject(new Error('y'))),
  'an RpcError with a then': () => withThen(rpcError(), broken),
  'an RpcError whose message is an object': () =>
    Object.assign(rpcError(), { message: { [Symbol.toPrimitive]: broken } }),
  'an RpcError whose message has no text': () => Object.assign(rpcError(), { message: Object.create(null) }),
  'an RpcError whose code is a bigint': () => Object.assign(rpcError(), { code: 7n }),
  'an RpcError whose code has a toJSON': () => Object.assign(rpcError(), { code: { toJSON: broken } }),
  'an RpcError with a proxy as data': () => rpcError(new Proxy({}, traps)),
  'an RpcError with a revoked proxy as data': () => rpcError([revoked({})]),
  'an RpcError with data that throws': () => rpcError({ a: withGetter({}, 'b') }),
  'an RpcError with circular data': () => {
    const data: unknown[] = []
    data.push(data)
    return rpcError(data)
  },
  'an RpcError whose data throws such a value': () =>
    rpcError({
      get a() {
        throw new Proxy({}, traps)
      },
    }),
  undefined: () => undefined,
  null: () => null,
  'a symbol': () => Symbol('x'),
  'a function': () => broken,
  ...Object.fromEntries(
    members.flatMap((name) => [
      [`an Error whose ${String(name)} throws`, () => withGetter(new Error('x'), name)],
      [`an RpcError whose ${String(name)} throws`, () => withGetter(rpcError({ a: 1 }), name)],
    ]),
  ),
}

const names = Object.keys(hostile)

const throwIt = (name: string): never => {
  throw hostile[name]?.()
}

/** Makes a procedure, a predicate or a middleware throw in the ways that there are. */
const ways: Readonly<Record<string, (name: string) => unknown>> = {
  throws: throwIt,
  rejects: async (name) => throwIt(name),
  'rejects later': (name) => new Promise((_, reject) => setTimeout(() => reject(hostile[name]?.()))),
}

let print: ReturnType<typeof vi.spyOn>
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)

beforeEach(() => {
  print = vi.spyOn(console, 'error').mockImplementation(() => {})
  unhandled.length = 0
  process.on('unhandledRejection', onUnhandled)
})

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', onUnhandled)
  print.mockRestore()
  expect(unhandled).toEqual([])
})

let seen: unknown[] = []

/** A server whose procedure `hurt` gets a way and a name, and whose procedure `fine` counts its calls. */
function serverOf(options: RpcServerOptions = {}) {
  seen = []
  const counted = { calls: 0 }
  const server = new RpcServer({ onError: (error) => void seen.push(error), ...options })
  server.registerProcedure((way: string, name: string) => ways[way]?.(name), { unchecked: true, name: 'hurt' })
  server.registerProcedure(() => (counted.calls += 1), { unchecked: true, name: 'fine' })
  return { server, counted }
}

const call = (id: number, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })

const value = (text: string) => `<value>${text}</value>`
const list = (...texts: string[]) => `<array><data>${texts.map(value).join('')}</data></array>`

function callXml(method: string, ...params: string[]): string {
  const all = params.map((text) => `<param>${value(text)}</param>`).join('')
  return `<methodCall><methodName>${method}</methodName><params>${all}</params></methodCall>`
}

function entryXml(method: string, ...params: string[]): string {
  const member = (name: string, text: string) => `<member><name>${name}</name>${value(text)}</member>`
  return `<struct>${member('methodName', method)}${member('params', list(...params))}</struct>`
}

const isError = { error: { code: expect.any(Number), message: expect.any(String) } }

describe.each(Object.keys(ways))('a procedure %s', (way) => {
  test('its call is an error, the others of a batch are run', async () => {
    for (const name of names) {
      const { server, counted } = serverOf()
      const send = async (message: unknown) => JSON.parse((await server.handle(JSON.stringify(message))) ?? 'null')
      expect(await send(call(1, 'hurt', [way, name])), name).toMatchObject({ id: 1, ...isError })
      const hurt = { jsonrpc: '2.0', method: 'hurt', params: [way, name] }
      const batch = [call(1, 'fine'), hurt, call(2, 'hurt', [way, name]), call(3, 'fine')]
      expect(await send(batch), name).toMatchObject([
        { id: 1, result: 1 },
        { id: 2, ...isError },
        { id: 3, result: 2 },
      ])
      expect(await send(hurt), name).toBe(null)
      expect(counted.calls).toBe(2)
      // `onError` heard of each.
      expect(seen.length).toBeGreaterThanOrEqual(4)
      expect(seen.every((error) => typeof error === 'object' && error !== null)).toBe(true)
    }
  })

  test('over XML-RPC its fault is its own', async () => {
    for (const name of names) {
      const { server, counted } = serverOf()
      const send = (text: string) => server.handle(text, { protocol: 'xml-rpc' })
      expect(await send(callXml('hurt', way, name)), name).toContain('<fault>')
      const entries = list(entryXml('fine'), entryXml('hurt', way, name), entryXml('fine'))
      const text = await send(callXml('system.multicall', entries))
      expect(text?.match(/<int>[12]<\/int><\/value><\/data>|faultCode/g)).toHaveLength(3)
      expect(counted.calls).toBe(2)
    }
  })

  test('over HTTP, with statuses of errors, MCP and server.call', async () => {
    for (const name of names) {
      const { server } = serverOf({ compatibility: { httpStatus: true } })
      const app = new Hono().route('/mcp', mcp(server, { tools: 'all' })).route('/rpc', server.router())
      const post = (path: string, message: unknown) => {
        const headers = { 'Content-Type': 'application/json', Host: 'localhost' }
        return app.request(path, { method: 'POST', headers, body: JSON.stringify(message) })
      }
      expect(await (await post('/rpc', call(1, 'hurt', [way, name]))).json()).toMatchObject({ id: 1, ...isError })
      const tool = call(1, 'tools/call', { name: 'hurt', arguments: { args: [way, name] } })
      expect(await (await post('/mcp', tool)).json()).toMatchObject({ id: 1, result: { isError: true } })
      await expect(server.call('hurt', [way, name])).rejects.toBeInstanceOf(RpcError)
    }
  })

  test('as a predicate, it rejects the call', async () => {
    for (const name of names) {
      const auth: AuthPredicate[] = [(_request) => ways[way]?.(name), (_request, _context) => ways[way]?.(name)]
      for (const predicate of auth) {
        const { server } = serverOf({ auth: predicate })
        const batch = [call(1, 'fine'), call(2, 'fine')]
        const code = name.startsWith('an RpcError') ? expect.any(Number) : -32098
        const rejected = { error: { code } }
        expect(JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')).toMatchObject([rejected, rejected])
      }
    }
  })

  test('as middleware', async () => {
    for (const name of names) {
      const { server } = serverOf()
      server.use(((context, next) => (context.id === 2 ? ways[way]?.(name) : next())) as Middleware)
      const batch = [call(1, 'fine'), call(2, 'fine'), call(3, 'fine')]
      expect(JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')).toMatchObject([
        { result: 1 },
        isError,
        { result: 2 },
      ])
    }
  })

  test('as onError', async () => {
    for (const name of names) {
      const { server } = serverOf({ onError: (() => ways[way]?.(name)) as OnError })
      print.mockImplementation(broken)
      const batch = [call(1, 'none'), call(2, 'hurt', ['throws', 'a revoked proxy']), call(3, 'fine')]
      expect(JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')).toMatchObject([
        { error: { code: -32601 } },
        { error: { code: -32603 } },
        { result: 1 },
      ])
      expect(JSON.parse((await server.handle('{')) ?? '')).toMatchObject({ id: null, error: { code: -32700 } })
    }
  })
})

// The response waits for a promise.
test('onError may return them', async () => {
  for (const name of names.filter((each) => !/then$|promise/.test(each))) {
    const { server } = serverOf({ onError: (() => hostile[name]?.()) as OnError })
    const batch = [call(1, 'none'), call(2, 'fine')]
    const responses = JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')
    expect(responses, name).toMatchObject([isError, { result: 1 }])
  }
})

test('a result with a then that returns nothing is awaited', async () => {
  const server = new RpcServer()
  server.registerProcedure(() => withThen({}, (resolve: (result: unknown) => void) => resolve(3)), {
    unchecked: true,
    name: 'three',
  })
  const batch = [call(1, 'three'), call(2, 'three')]
  expect(JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')).toMatchObject([{ result: 3 }, { result: 3 }])
})

test('what cannot be read is not sent, and the rest is', async () => {
  const { server } = serverOf()
  const errorOf = async (name: string) =>
    JSON.parse((await server.handle(JSON.stringify(call(1, 'hurt', ['throws', name])))) ?? '').error
  expect(await errorOf('an RpcError with data that throws')).toEqual({ code: 7, message: 'seven' })
  expect(await errorOf('an RpcError whose message throws')).toEqual({ code: -32603, message: 'Internal error' })
  expect(await errorOf('an RpcError whose code is a bigint')).toEqual({ code: -32603, message: 'seven' })
  expect(await errorOf('an RpcError with a then')).toEqual({ code: 7, message: 'seven' })
})

test('the default onError prints, or does without', async () => {
  print.mockImplementation(broken)
  const server = new RpcServer()
  server.registerProcedure((name: string) => throwIt(name), { unchecked: true, name: 'hurt' })
  const batch = names.map((name, id) => call(id, 'hurt', [name]))
  const responses = JSON.parse((await server.handle(JSON.stringify(batch))) ?? '')
  expect(responses).toMatchObject(names.map((_, id) => ({ id, ...isError })))
})

describe('WebSocket', () => {
  async function open(): Promise<Peer> {
    const { server } = serverOf()
    const own = { unchecked: true, subscription: true } as const
    server.registerProcedure(
      async function* (name: string) {
        yield 1
        throwIt(name)
      },
      { ...own, name: 'items' },
    )
    const iterator = (name: string) => ({
      next: () => new Promise(() => {}),
      get return() {
        return throwIt(name)
      },
    })
    server.registerProcedure((name: string) => ({ [Symbol.asyncIterator]: () => iterator(name) }), {
      ...own,
      name: 'endless',
    })
    server.registerProcedure((name: string) => ({ [Symbol.asyncIterator]: () => throwIt(name) }), {
      ...own,
      name: 'never',
    })
    server.registerProcedure(
      (name: string, { notify }: { notify?: (...args: unknown[]) => unknown }) => notify?.('x', [hostile[name]?.()]),
      {
        unchecked: true,
        name: 'tell',
        contextTarget: 1,
      },
    )
    const serving = await serveWebSocket(server)
    onTestFinished(() => serving.stop())
    return serving.connect()
  }

  test('every value: a call, a notification, a subscription, its end', async () => {
    const peer = await open()
    for (const name of names) {
      peer.call(1, 'hurt', 'rejects', name)
      expect(await peer.next()).toMatchObject({ id: 1, ...isError })
      peer.call(2, 'never', name)
      expect(await peer.next()).toMatchObject({ id: 2, ...isError })
      peer.call(3, 'items', name)
      expect(await peer.next()).toMatchObject({ id: 3, result: expect.any(String) })
      expect(await peer.next()).toMatchObject({ params: { result: 1 } })
      expect(await peer.next()).toMatchObject({ params: isError })
      peer.call(4, 'endless', name)
      const { result } = (await peer.next()) as { result: string }
      peer.call(5, 'rpc.unsubscribe', result)
      expect(await peer.next()).toMatchObject({ id: 5 })
    }
    peer.call(6, 'endless', 'a revoked proxy')
    await peer.next()
    peer.call(7, 'tell', 'a revoked proxy')
    expect(await peer.next()).toMatchObject({ id: 7, ...isError })
    peer.call(8, 'fine')
    expect(await peer.next()).toMatchObject({ id: 8, result: 1 })
    peer.close()
    await peer.closed
  })
})

test('NATS: every value, each message has a response', async () => {
  const { server } = serverOf()
  let deliver: (error: null, message: NatsMessage) => void = () => {}
  const drained = { drain: async () => {} }
  const service = await serveNats(
    server,
    {
      subscribe: (subject, { callback }) => {
        if (subject === 'tools') deliver = callback
        return drained
      },
      flush: async () => {},
      isClosed: () => false,
      closed: () => new Promise(() => {}),
    },
    { name: 'tools', version: '1.0.0' },
  )
  const send = (message: unknown) =>
    new Promise((resolve) => {
      const respond = (payload?: Uint8Array | string) => {
        resolve(JSON.parse(new TextDecoder().decode(payload as Uint8Array)))
        return true
      }
      deliver(null, { subject: 'tools', reply: 'r', data: new TextEncoder().encode(JSON.stringify(message)), respond })
    })
  for (const name of names) {
    const batch = [call(1, 'hurt', ['rejects', name]), call(2, 'fine')]
    expect(await send(batch)).toMatchObject([{ id: 1, ...isError }, { id: 2 }])
  }
  await service.stop()
})

describe('a request that cannot be made', () => {
  test.each(['throws', 'rejects'])('ends one call: %s', async (way) => {
    const { server } = serverOf({ auth: (request: Request) => request.headers.has('x') || true })
    const request = withGetter({}, 'signal') as Request
    const send = async (message: unknown) =>
      JSON.parse((await server.handle(JSON.stringify(message), { request })) ?? 'null')
    expect(await send([call(1, 'hurt', [way, 'null']), call(2, 'fine')])).toHaveLength(2)
    expect(await send(call(1, 'none'))).toMatchObject(isError)
  })

  test.each(['a\nb', '€', 'a\0', ' '.repeat(9), '\ud800', 'x'.repeat(100_000)])(
    'MCP: a trace that is not valid in a header is left out: %j',
    async (traceparent) => {
      const { server } = serverOf({ auth: (request: Request) => request.headers.get('x') !== '' })
      const context = { unchecked: true, contextTarget: 0 } as const
      server.registerProcedure(({ request }: { request: Request }) => request.headers.get('baggage') ?? '', {
        ...context,
        name: 'baggage',
      })
      const app = new Hono().route('/mcp', mcp(server, { tools: 'all' }))
      const _meta = { traceparent, tracestate: traceparent, baggage: 'a=1' }
      const message = call(1, 'tools/call', { name: 'baggage', arguments: {}, _meta })
      const headers = { 'Content-Type': 'application/json', Host: 'localhost' }
      const response = await app.request('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: 'a=1' }] },
      })
    },
  )
})
