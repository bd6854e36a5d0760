import { Hono } from 'hono'
import {
  type Middleware,
  Protocol,
  RpcError,
  RpcMethodNotFound,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
} from 'rpc-gen'
import { describe, expect, test, vi } from 'vitest'
import { procedures } from '../../fixtures/server/procedures.gen.js'
import { call, postJson } from '../support/json-rpc.js'
import { promisesOf } from '../support/promises.js'

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

function namespace(members: Functions): RpcNamespace {
  const made = new RpcNamespace()
  for (const [name, fn] of Object.entries(members)) made.registerProcedure(fn, { name, unchecked: true })
  return made
}

const add = (a: number, b: number) => a + b
const silent = () => undefined
const code = (error: unknown) => (error instanceof RpcError ? error.code : String(error))

/** Returns a middleware that logs when it begins and how its call ends. */
function logging(log: string[], label = ''): Middleware {
  const write = (...words: readonly unknown[]) => log.push([label, ...words].join(' ').trim())
  return async (context, next) => {
    write(context.method)
    try {
      const result = await next()
      write(context.method, '=', JSON.stringify(result))
      return result
    } catch (error) {
      write(context.method, 'failed', code(error))
      throw error
    }
  }
}

function serverWith(middleware: Middleware, options: RpcServerOptions = {}): RpcServer {
  const server: RpcServer = new RpcServer({ onError: silent, ...options })
  return server.registerNamespace(namespace({ add })).use(middleware)
}

async function post(server: RpcServer, message: unknown): Promise<unknown> {
  const response = await server.handle(JSON.stringify(message))
  return response === undefined ? undefined : JSON.parse(response)
}

const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id })
const failure = (code: number, message: string, id: unknown = 1) => ({ jsonrpc: '2.0', error: { code, message }, id })

describe('order', () => {
  test('outermost first, namespaces inside of their server, whatever the order of registration', async () => {
    const log: string[] = []
    const inner = namespace({ add }).use(logging(log, 'inner'))
    const outer = new RpcNamespace().use(logging(log, 'outer')).registerNamespace(inner, 'inner')
    const server = new RpcServer().use(logging(log, 'first')).registerNamespace(outer, 'outer')
    server.use(logging(log, 'second'))
    expect(await post(server, call('outer.inner.add', [1, 2]))).toEqual(result(3))
    expect(log.map((line) => line.split(' ')[0])).toEqual([
      ...['first', 'second', 'outer', 'inner'],
      ...['inner', 'outer', 'second', 'first'],
    ])
    expect(log.at(-1)).toBe('first outer.inner.add = 3')
  })

  test('of a namespace runs for its calls only; that of the server runs for unknown names', async () => {
    const [server, math]: [string[], string[]] = [[], []]
    const app = new RpcServer({ onError: silent })
      .registerNamespace(namespace({ add }).use(logging(math)), 'math')
      .registerNamespace(namespace({ add }), 'other')
      .use(logging(server))
    for (const name of ['math.add', 'other.add', 'math.unknown']) await post(app, call(name, [1, 2]))
    expect(math).toEqual(['math.add', 'math.add = 3'])
    expect(server.slice(-2)).toEqual(['math.unknown', 'math.unknown failed -32601'])
  })

  test('middleware that is added while the server is in use runs from the next request on', async () => {
    const log: string[] = []
    const inner = namespace({ add })
    const server = new RpcServer().registerNamespace(inner)
    await post(server, call('add', [1, 2]))
    inner.use(logging(log, 'inner'))
    server.use(logging(log, 'server'))
    await post(server, call('add', [1, 2]))
    expect(log).toEqual(['server add', 'inner add', 'inner add = 3', 'server add = 3'])
  })
})

describe('every call', () => {
  test('of a batch, notifications included', async () => {
    const log: string[] = []
    const server = serverWith(logging(log))
    const batch = [call('add', [1, 2]), { jsonrpc: '2.0', method: 'add', params: [3, 4] }, call('nope', [], 2), 1]
    expect(await post(server, batch)).toEqual([
      result(3),
      failure(-32601, 'Method not found', 2),
      { jsonrpc: '2.0', error: expect.objectContaining({ code: -32600 }), id: null },
    ])
    expect(log.sort()).toEqual(['add', 'add', 'add = 3', 'add = 7', 'nope', 'nope failed -32601'])
  })

  test('of a multicall: that of system.multicall first, then its entries', async () => {
    const log: string[] = []
    const server = serverWith(logging(log))
    const entry = (method: string) =>
      `<value><struct><member><name>methodName</name><value>${method}</value></member><member><name>params</name><value><array>` +
      '<data><value><int>1</int></value><value><int>2</int></value></data></array></value></member></struct></value>'
    const text =
      '<methodCall><methodName>system.multicall</methodName><params><param><value><array><data>' +
      `${entry('add')}${entry('nope')}</data></array></value></param></params></methodCall>`
    const response = await server.handle(text, { protocol: Protocol.XML_RPC })
    expect(response).toContain('<value><array><data><value><int>3</int></value></data></array></value>')
    expect(response).toContain('<int>-32601</int>')
    expect(log.slice(0, 2)).toEqual(['system.multicall', 'system.multicall ='])
    expect(log.slice(2).sort()).toEqual(['add', 'add = 3', 'nope', 'nope failed -32601'])
  })

  test('of a system procedure, and of server.call', async () => {
    const log: string[] = []
    const server = serverWith(logging(log))
    expect(await server.call('add', [1, 2])).toBe(3)
    await server.call('system.methodHelp', ['add'])
    await expect(server.call('nope')).rejects.toThrow(RpcMethodNotFound)
    expect(log).toEqual(['add', 'add = 3', 'system.methodHelp', 'system.methodHelp = ""', 'nope', 'nope failed -32601'])
  })

  test('over HTTP', async () => {
    const log: string[] = []
    const app = new Hono().all('/rpc', serverWith(logging(log)).view)
    await app.request('/rpc', postJson(call('add', [1, 2])))
    expect(log).toEqual(['add', 'add = 3'])
  })

  test('knows the method, the id, the raw params and the procedure', async () => {
    const seen: unknown[] = []
    const server = serverWith((context, next) => {
      seen.push([context.method, context.id, context.params, context.procedure?.name, context.protocol])
      return next()
    })
    await post(server, call('add', [1, 2], 'a'))
    await post(server, call('nope', { a: 1 }, null))
    await post(server, { jsonrpc: '2.0', method: 'add' })
    await server.handle('{"jsonrpc":"2.0","method":"add","params":[1e999],"id":1.50}')
    await server.handle('<methodCall><methodName>add</methodName></methodCall>', { protocol: 'xml-rpc' })
    expect(seen).toEqual([
      ['add', 'a', [1, 2], 'add', 'json-rpc'],
      ['nope', null, { a: 1 }, undefined, 'json-rpc'],
      ['add', undefined, [], 'add', 'json-rpc'],
      ['add', 1.5, undefined, 'add', 'json-rpc'],
      ['add', undefined, [], 'add', 'xml-rpc'],
    ])
  })
})

describe('every outcome', () => {
  const crash = () => {
    throw new Error('secret')
  }
  const rejectCall = () => {
    throw new RpcError(7, 'no')
  }
  const never = () => new Promise(() => undefined)
  const members = {
    add,
    crash,
    refuse: rejectCall,
    never,
    symbol: () => Symbol('x'),
    later: async (value: unknown) => value,
  }

  test.each([
    ['add', 3],
    ['later', 1],
    ['nope', -32601],
    ['crash', 'Error: secret'],
    ['refuse', 7],
    ['never', -32096],
    ['symbol', expect.stringMatching(/^(?:Type|Serialization)Error/)],
  ])('%s', async (method, expected) => {
    let seen: unknown
    const server = new RpcServer({ onError: silent, limits: { timeoutMs: 20 } }).registerNamespace(namespace(members))
    server.use(async (_context, next) => {
      try {
        seen = await next()
        return seen
      } catch (error) {
        seen = code(error)
        throw error
      }
    })
    await post(server, call(method, [1, 2]))
    expect(seen).toEqual(expected)
  })

  test('a rejected caller, and invalid params', async () => {
    const log: string[] = []
    const closed = serverWith(logging(log), { auth: () => false })
    await post(closed, call('add', [1, 2]))
    const server: RpcServer = new RpcServer({ procedures, onError: silent }).use(logging(log))
    await post(server, call('quick', [1]))
    expect(log.filter((line) => line.includes('failed'))).toEqual(['add failed -32098', 'quick failed -32602'])
  })

  test('a result that does not match the declared type', async () => {
    const log: string[] = []
    const server: RpcServer = new RpcServer({ procedures, onError: silent }).use(logging(log))
    await post(server, call('broken'))
    expect(log[1]).toMatch(/^broken failed TypeError: broken returned a value that does not match its declared type/)
  })
})

describe('a middleware', () => {
  test('may return another result, with or without calling the procedure', async () => {
    const called = vi.fn(() => 1)
    const server = new RpcServer().registerNamespace(namespace({ called })).use(() => 'cached')
    expect(await post(server, call('called'))).toEqual(result('cached'))
    expect(called).not.toHaveBeenCalled()
  })

  test('may change the result in place', async () => {
    const server = serverWith(async (_context, next) => Object.assign((await next()) as object, { b: 2 }))
    server.registerNamespace(namespace({ object: () => ({ a: 1 }) }))
    expect(await post(server, call('object'))).toEqual(result({ a: 1, b: 2 }))
  })

  test('whose result does not match the declared type fails the call', async () => {
    const errors: Error[] = []
    const onError = (error: Error) => void errors.push(error)
    const server: RpcServer = new RpcServer({ procedures, onError }).use(async (_context, next) => void (await next()))
    expect(await post(server, call('quick', ['a']))).toEqual(failure(-32603, 'Internal error'))
    expect(errors.map(String)).toEqual([
      'TypeError: middleware of quick returned a value that does not match its declared type: result: expected string, received nothing',
    ])
  })

  test.each([
    ['an RpcError', new RpcError(429, 'Too many calls'), failure(429, 'Too many calls')],
    ['another error', new Error('secret'), failure(-32603, 'Internal error')],
  ])('may throw %s, which onError gets', async (_name, error, response) => {
    const onError = vi.fn()
    const server = serverWith(
      () => {
        throw error
      },
      { onError },
    )
    expect(await post(server, call('add', [1, 2]))).toEqual(response)
    expect(onError).toHaveBeenCalledExactlyOnceWith(error, expect.objectContaining({ method: 'add' }))
  })

  test('may replace an error, which is not passed to onError', async () => {
    const onError = vi.fn()
    const server = serverWith((_context, next) => next().catch(() => 0), { onError })
    server.registerNamespace(namespace({ crash: () => Promise.reject(new Error('secret')) }))
    expect(await post(server, call('crash'))).toEqual(result(0))
    expect(onError).not.toHaveBeenCalled()
  })

  test('cannot give an unknown name a result', async () => {
    const errors: Error[] = []
    const server = serverWith(() => 'result', { onError: (error) => void errors.push(error) })
    expect(await post(server, call('nope'))).toEqual(failure(-32603, 'Internal error'))
    expect(errors[0]?.message).toContain('middleware returned a result for "nope", which does not exist')
  })

  test('may call next() once', async () => {
    const called = vi.fn(() => 1)
    const errors: Error[] = []
    const server = new RpcServer({ onError: (error) => void errors.push(error) })
      .registerNamespace(namespace({ called }))
      .use(async (_context, next) => {
        await next()
        return next()
      })
    expect(await post(server, call('called'))).toEqual(failure(-32603, 'Internal error'))
    expect(called).toHaveBeenCalledOnce()
    expect(errors[0]?.message).toBe('middleware of called: next() was called twice; a call runs once')
  })

  test('that does not await next() does not end the process when the call fails', async () => {
    const server = serverWith((_context, next) => {
      void next()
      return 'early'
    })
    server.registerNamespace(namespace({ crash: () => Promise.reject(new Error('secret')) }))
    expect(await post(server, call('crash'))).toEqual(result('early'))
  })
})

describe('invalid use', () => {
  test.each([
    [
      undefined,
      'expected a function, got undefined. A middleware that is undefined here is not exported, or its module is part',
    ],
    [null, 'expected a function, got null'],
    [{}, 'expected a function, got an object'],
  ])('use(%j)', (value, message) => {
    expect(() => new RpcServer().use(value as never)).toThrow(`RpcServer.use: ${message}`)
    expect(() => new RpcNamespace().use(value as never)).toThrow(`RpcNamespace.use: ${message}`)
  })
})

test('middleware that returns next() unchanged makes one promise for a synchronous call', async () => {
  const entries = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', method: 'add', params: [id, 1], id }))
  const server = new RpcServer().use((_context, next) => next())
  server.registerNamespace(namespace({ add }))
  const text = await server.handle(JSON.stringify(entries))
  expect(JSON.parse(text ?? '')).toEqual(entries.map(({ id }) => ({ jsonrpc: '2.0', result: id + 1, id })))
  expect(await promisesOf(() => server.handle(JSON.stringify(entries)))).toBeLessThan(1.5 * entries.length)
})

test.each<[string, Middleware, number]>([
  ['returns next() unchanged: once', (_context, next) => next(), 1],
  [
    'awaits next(), and so may change the result: once before and once after',
    async (_context, next) => await next(),
    2,
  ],
])('how often the result is serialised for middleware that %s', async (_name, middleware, times) => {
  const toJSON = vi.fn(() => ({ a: 1 }))
  const server = new RpcServer().use(middleware).registerNamespace(namespace({ object: () => ({ toJSON }) }))
  expect(await post(server, call('object'))).toEqual(result({ a: 1 }))
  expect(toJSON).toHaveBeenCalledTimes(times)
})
