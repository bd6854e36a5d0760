import { AsyncLocalStorage } from 'node:async_hooks'
import { Hono } from 'hono'
import { oncePerRequest, type RpcContext, RpcError, RpcServer, type RpcServerOptions, withEventId } from 'rpc-gen'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call, callOf, Events, end, itemOf } from './serving.js'

/** How each iterator ended, and the values that were requested. */
let ended: unknown[] = []
let requested = 0

beforeEach(() => {
  ended = []
  requested = 0
})

afterEach(() => {
  vi.useRealTimers()
})

async function* count(to: number): AsyncGenerator<number> {
  try {
    for (let at = 1; at <= to; at += 1) {
      requested = at
      yield at
    }
  } finally {
    ended.push('count')
  }
}

/** Continues until it is stopped. */
async function* hang(first: unknown, { signal }: RpcContext): AsyncGenerator<unknown> {
  const endedHere = ended
  try {
    yield first
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  } finally {
    endedHere.push(signal.reason?.name)
  }
}

async function* failing(what: string): AsyncGenerator<unknown> {
  yield new Date(0)
  if (what === 'error') throw new RpcError(7, 'failed', { data: 1 })
  if (what === 'internal') throw new Error('secret')
  yield () => {}
}

async function* resumed({ lastEventId }: RpcContext): AsyncGenerator<unknown> {
  for (let at = Number(lastEventId ?? 0) + 1; at <= 3; at += 1) yield withEventId(at, { at })
}

const store = new AsyncLocalStorage<string>()

async function* stored(): AsyncGenerator<unknown> {
  try {
    for (let at = 0; at < 3; at += 1) {
      await new Promise((resolve) => setTimeout(resolve))
      yield `${at} ${store.getStore()}`
    }
  } finally {
    ended.push(store.getStore())
  }
}

function serverOf(options: RpcServerOptions = {}): RpcServer {
  const server = new RpcServer({ onError: () => undefined, ...options })
  const own = { unchecked: true, subscription: true }
  server.registerProcedure(count, own)
  server.registerProcedure(count, { ...own, name: 'eth_subscribe' })
  server.registerProcedure(hang, { ...own, contextTarget: 1 })
  server.registerProcedure(failing, own)
  server.registerProcedure(resumed, { ...own, contextTarget: 0 })
  server.registerProcedure(stored, own)
  server.registerProcedure(async () => count(1), { ...own, name: 'later' })
  server.registerProcedure(() => 1, { ...own, name: 'wrong' })
  server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
  return server
}

/** The JSON of a response that is not a stream. */
async function plain({ response }: { response: Response }): Promise<unknown> {
  expect(response.headers.get('content-type')).toBe('application/json')
  return response.json()
}

async function post(server: RpcServer, init: RequestInit): Promise<Response> {
  return server.fetch(new Request('http://localhost/rpc', init))
}

describe('the form', () => {
  test('items are notifications, the last event is the response', async () => {
    const events = await call(serverOf(), 'count', [2])
    const { status, headers } = events.response
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(await events.rest()).toEqual([itemOf('count', 1), itemOf('count', 2), end])
    expect(ended).toEqual(['count'])
  })

  test('byte by byte', async () => {
    const response = await post(serverOf(), callOf('resumed', [], { 'Last-Event-ID': '2' }))
    expect(await response.text()).toBe(
      ':\n\nid: 3\ndata: {"jsonrpc":"2.0","method":"resumed","params":{"subscription":1,"result":{"at":3}}}\n\n' +
        'data: {"jsonrpc":"2.0","result":null,"id":1}\n\n',
    )
  })

  test('a promise of an AsyncIterable, and the names of Ethereum', async () => {
    expect(await (await call(serverOf(), 'later')).rest()).toEqual([itemOf('later', 1), end])
    expect(await (await call(serverOf(), 'eth_subscribe', [1])).rest()).toEqual([itemOf('eth_subscription', 1), end])
  })

  test.each(['"a b"', 'null', '1.5', '123456789012345678901234567890'])('the id %s', async (id) => {
    const init = callOf('count', [1])
    const response = await post(serverOf(), {
      ...init,
      body: `{"jsonrpc":"2.0","method":"count","params":[1],"id":${id}}`,
    })
    const text = await response.text()
    expect(text).toContain(`"subscription":${id},`)
    expect(text).toContain(`"result":null,"id":${id}}`)
  })

  test('line breaks in items are escaped', async () => {
    const events = await call(serverOf(), 'hang', ['a\nb\r\ndata: c\u2028'])
    expect(await events.next()).toEqual(itemOf('hang', 'a\nb\r\ndata: c\u2028'))
    await events.cancel()
  })

  test.each([
    ['error', { code: 7, message: 'failed', data: 1 }],
    ['internal', { code: -32603, message: 'Internal error' }],
    ['item', { code: -32603, message: 'Internal error' }],
  ])('%s: the last event is the error, and onError gets it', async (what, error) => {
    const onError = vi.fn()
    const events = await call(serverOf({ onError }), 'failing', [what])
    expect(await events.rest()).toEqual([
      itemOf('failing', '1970-01-01T00:00:00.000Z'),
      { data: { jsonrpc: '2.0', error, id: 1 } },
    ])
    expect(onError).toHaveBeenCalledTimes(1)
  })

  test.each(['text/event-stream', 'application/json, text/event-stream', 'Text/Event-Stream; charset=utf-8;q=0.5'])(
    'Accept: %s',
    async (accept) => {
      const events = await call(serverOf(), 'count', [1], { Accept: accept })
      expect(await events.rest()).toEqual([itemOf('count', 1), end])
    },
  )

  test('a call of any other procedure has its plain response', async () => {
    expect(await plain(await call(serverOf(), 'add', [1, 2]))).toEqual({ jsonrpc: '2.0', result: 3, id: 1 })
  })
})

describe('ids', () => {
  test('Last-Event-ID is context.lastEventId', async () => {
    const all = await (await call(serverOf(), 'resumed')).rest()
    expect(all.map(({ id }) => id)).toEqual(['1', '2', '3', undefined])
    const rest = await (await call(serverOf(), 'resumed', [], { 'Last-Event-ID': '1' })).rest()
    expect(rest).toEqual([
      { id: '2', ...itemOf('resumed', { at: 2 }) },
      { id: '3', ...itemOf('resumed', { at: 3 }) },
      end,
    ])
    const empty = await (await call(serverOf(), 'resumed', [], { 'Last-Event-ID': '' })).rest()
    expect(empty).toEqual(all)
  })

  test.each(['', ' a', 'a ', 'a\nb', 'a\0', 'ä', 'x'.repeat(1025), 2n ** 4000n])('%s is not an id', (id) => {
    expect(() => withEventId(id, 1)).toThrow(TypeError)
  })

  test.each([
    [Number('last'), 'NaN'],
    [1 / 0, 'Infinity'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'boolean'],
    [['1'], 'object'],
    [Object.create(null), 'object'],
    [Symbol('1'), 'symbol'],
    ['a\n', '"a\\n"'],
  ])('the error names what is not an id, %#', (id, received) => {
    const message = `withEventId: expected 1 to 1024 characters of ASCII, a finite number or a bigint, got ${received}`
    expect(() => withEventId(id as never, 1)).toThrow(new TypeError(message))
  })

  test.each(['0', 'a b', '~!', 'x'.repeat(1024), -0.5, 2n ** 70n])('%s is one', async (id) => {
    const server = new RpcServer()
    const named = async function* (): AsyncGenerator<number> {
      yield withEventId(id, 1)
    }
    server.registerProcedure(named, { name: 'named', unchecked: true, subscription: true })
    expect(await (await call(server, 'named')).next()).toEqual({ id: `${id}`, ...itemOf('named', 1) })
  })
})

describe('what is not a stream', () => {
  const hint = 'count is a subscription: send Accept: text/event-stream, or call it over WebSocket'

  test.each([
    undefined,
    '*/*',
    'application/json',
    'text/*',
    'text/event-stream;q=0',
    'application/json, text/event-stream; q=0.0',
  ])('Accept: %s', async (accept) => {
    const init = callOf('count', [1])
    const headers = { 'Content-Type': 'application/json', ...(accept && { Accept: accept }) }
    const response = await post(serverOf(), { ...init, headers })
    const error = { code: -32601, message: `Method not found: ${hint}` }
    expect(await plain({ response })).toEqual({ jsonrpc: '2.0', error, id: 1 })
    expect(requested).toBe(0)
  })

  test('a batch: the stream alone fails', async () => {
    const one = (method: string, id: number) => ({ jsonrpc: '2.0', method, params: [1, 2], id })
    const response = await post(serverOf(), {
      ...callOf('count'),
      body: JSON.stringify([one('count', 1), one('add', 2)]),
    })
    const message = 'Invalid Request: count is a subscription: send it alone, not in a batch, or call it over WebSocket'
    expect(await plain({ response })).toEqual([
      { jsonrpc: '2.0', error: { code: -32600, message }, id: 1 },
      { jsonrpc: '2.0', result: 3, id: 2 },
    ])
  })

  test('XML-RPC, alone and in a multicall', async () => {
    const headers = { 'Content-Type': 'text/xml', Accept: 'text/event-stream' }
    const params = '<params><param><value><int>1</int></value></param></params>'
    const body = `<methodCall><methodName>count</methodName>${params}</methodCall>`
    const text = await (await post(serverOf(), { method: 'POST', headers, body })).text()
    expect(text).toContain('count is a subscription: send JSON-RPC with Accept: text/event-stream')
    const entry =
      '<struct><member><name>methodName</name><value>count</value></member><member><name>params</name><value><array><data/></array></value></member></struct>'
    const multicall = `<methodCall><methodName>system.multicall</methodName><params><param><value><array><data><value>${entry}</value></data></array></value></param></params></methodCall>`
    const many = await (await post(serverOf(), { method: 'POST', headers, body: multicall })).text()
    expect(many).toContain('send JSON-RPC with Accept: text/event-stream')
    expect(many).toContain('-32601')
  })

  test('GET, as an EventSource sends it', async () => {
    const response = await post(serverOf(), { headers: { Accept: 'text/event-stream' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.text()).toContain('POST of a JSON-RPC call with Accept: text/event-stream')
  })

  test('a notification', async () => {
    const onError = vi.fn()
    const response = await post(serverOf({ onError }), {
      ...callOf('count'),
      body: '{"jsonrpc":"2.0","method":"count","params":[1]}',
    })
    expect(response.status).toBe(204)
    expect(onError.mock.calls[0]?.[0].message).toContain('a subscription needs an id')
  })

  test('transports without a stream', async () => {
    const text = '{"jsonrpc":"2.0","method":"count","params":[1],"id":1}'
    expect(await serverOf().handle(text)).toContain('or over HTTP with Accept: text/event-stream')
    await expect(serverOf().call('count', [1])).rejects.toThrow('over HTTP with Accept: text/event-stream')
  })

  test.each([
    ['unknown', [], {}, -32601],
    ['wrong', [], {}, -32603],
    ['count', [], { auth: () => false }, -32098],
  ] as const)('an error before the stream is plain: %s %j %j', async (method, params, options, code) => {
    expect(await plain(await call(serverOf(options as RpcServerOptions), method, params))).toMatchObject({
      error: { code },
      id: 1,
    })
  })

  test('a middleware that fails ends what it has started', async () => {
    const server = serverOf({ streams: { concurrency: 1 } }).use(async (_context, next) => {
      await next()
      throw new RpcError(8, 'no')
    })
    for (let at = 0; at < 2; at += 1) {
      expect(await plain(await call(server, 'hang', [1]))).toMatchObject({ error: { code: 8 } })
    }
  })

  test('middleware inside that fails after it has begun: the error is an event', async () => {
    let fail = () => {}
    const begun = new Promise<void>((resolve) => {
      fail = resolve
    })
    const server = serverOf().use(
      async (_context, next) => {
        void next()
        await begun
        throw new RpcError(9, 'late')
      },
      { after: 'auth' },
    )
    const events = await call(server, 'hang', ['a'])
    fail()
    const all = await events.rest()
    expect(all.at(-1)).toEqual({ data: { jsonrpc: '2.0', error: { code: 9, message: 'late' }, id: 1 } })
  })
})

describe('back pressure', () => {
  test('the next item is requested when the client reads', async () => {
    const events = await call(serverOf(), 'count', [1000])
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(requested).toBe(0)
    for (let at = 1; at <= 5; at += 1) {
      expect(await events.next()).toEqual(itemOf('count', at))
      await new Promise((resolve) => setTimeout(resolve))
      expect(requested).toBe(at)
    }
    await events.cancel()
    await expect.poll(() => ended).toEqual(['count'])
    expect(requested).toBe(5)
  })
})

describe('heartbeats', () => {
  test('comments while there is no item, at most one that is not read', async () => {
    vi.useFakeTimers()
    const server = serverOf({ streams: { heartbeatMs: 1000 } })
    const events = await call(server, 'hang', ['a'])
    expect(await events.block()).toBe(':')
    expect(await events.next()).toEqual(itemOf('hang', 'a'))
    const next = events.block()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await next).toBe(':')
    const third = events.block()
    await vi.advanceTimersByTimeAsync(3000)
    expect(await third).toBe(':')
    // One that was not read.
    expect(await events.block()).toBe(':')
    await events.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a client that reads nothing for twenty of them is disconnected', async () => {
    vi.useFakeTimers()
    const events = await call(serverOf({ streams: { heartbeatMs: 1000 } }), 'hang', ['a'])
    await events.next()
    await vi.advanceTimersByTimeAsync(40_000)
    await events.block().catch(() => {})
    await expect(events.rest()).rejects.toThrow('The client does not read')
    expect(ended).toEqual(['AbortError'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('0 for none', async () => {
    vi.useFakeTimers()
    const events = await call(serverOf({ streams: { heartbeatMs: 0, reauthorizeMs: 0 } }), 'hang', ['a'])
    await events.next()
    expect(vi.getTimerCount()).toBe(0)
    await events.cancel()
  })
})

describe('limits', () => {
  const last = (code: number, message: string) => ({ data: { jsonrpc: '2.0', error: { code, message }, id: 1 } })

  test('events', async () => {
    const events = await call(serverOf({ streams: { events: 2 } }), 'count', [3])
    expect(await events.rest()).toEqual([
      itemOf('count', 1),
      itemOf('count', 2),
      last(-32097, 'Response too large: more than 2 items'),
    ])
    expect(ended).toEqual(['count'])
    expect(await (await call(serverOf({ streams: { events: 2 } }), 'count', [2])).rest()).toHaveLength(3)
  })

  test('bytes', async () => {
    const events = await call(serverOf({ streams: { bytes: 170 } }), 'count', [3])
    expect(await events.rest()).toEqual([
      itemOf('count', 1),
      itemOf('count', 2),
      last(-32097, 'Response too large: more than 170 bytes'),
    ])
    expect(ended).toEqual(['count'])
  })

  test('responseBytes for each item', async () => {
    const events = await call(serverOf({ limits: { responseBytes: 200 } }), 'hang', ['x'.repeat(200)])
    expect(await events.rest()).toEqual([last(-32097, 'Response too large: an item')])
    expect(ended).toEqual(['AbortError'])
  })

  test('time', async () => {
    vi.useFakeTimers()
    const server = serverOf({ streams: { durationMs: 500 } })
    // A transaction around the items is not committed.
    server.use((_context, next) => next().catch((error) => ended.push(error.message)), { after: 'auth' })
    const events = await call(server, 'hang', ['a'])
    expect(await events.next()).toEqual(itemOf('hang', 'a'))
    await vi.advanceTimersByTimeAsync(500)
    expect(await events.rest()).toEqual([last(-32096, 'Timed out')])
    expect(ended).toEqual(['AbortError', 'Timed out'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('streams of the server', async () => {
    const server = serverOf({ streams: { concurrency: 1 } })
    const first = await call(server, 'hang', ['a'])
    const second = await call(server, 'hang', ['b'])
    expect(second.response.status).toBe(503)
    expect(second.response.headers.get('retry-after')).toBe('1')
    const message = 'Invalid Request: more than 1 streams at once'
    expect(await plain(second)).toEqual({ jsonrpc: '2.0', error: { code: -32600, message }, id: 1 })
    await first.cancel()
    for (let at = 0; at < 3; at += 1) expect(await (await call(server, 'count', [1])).rest()).toHaveLength(2)
  })

  test('the iterator of a stream that is one too many is closed', async () => {
    const server = serverOf({ streams: { concurrency: 1 } })
    const opened = { next: () => new Promise(() => {}), return: async () => void ended.push('closed') }
    const items = { [Symbol.asyncIterator]: () => opened }
    server.registerProcedure(() => items, { name: 'opened', unchecked: true, subscription: true })
    const first = await call(server, 'hang', ['a'])
    expect((await call(server, 'opened')).response.status).toBe(503)
    expect(ended).toEqual(['closed'])
    await first.cancel()
  })

  test('items that cannot be read leave no stream open', async () => {
    const server = serverOf({ streams: { concurrency: 1 } })
    const locked = new ReadableStream()
    locked.getReader()
    server.registerProcedure(() => locked, { name: 'locked', unchecked: true, subscription: true })
    for (let at = 0; at < 3; at += 1) {
      expect(await plain(await call(server, 'locked'))).toMatchObject({ error: { code: -32603 } })
    }
    expect(await (await call(server, 'count', [1])).rest()).toHaveLength(2)
  })

  test('too many streams are 503 also if onError returns another error', async () => {
    const server = serverOf({ streams: { concurrency: 1 }, onError: () => new RpcError(7, 'later') })
    const first = await call(server, 'hang', ['a'])
    const second = await call(server, 'hang', ['b'])
    expect(second.response.status).toBe(503)
    expect(await plain(second)).toEqual({ jsonrpc: '2.0', error: { code: 7, message: 'later' }, id: 1 })
    await first.cancel()
  })

  test('timeoutMs is that of the call, not of its items', async () => {
    const events = await call(serverOf({ limits: { timeoutMs: 5 } }), 'hang', ['a'])
    await events.next()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(ended).toEqual([])
    await events.cancel()
  })

  test.each([
    [{ heartbeatMs: -1 }, 'streams.heartbeatMs is -1, expected 0 or a positive number below 2^31'],
    [{ durationMs: 2 ** 31 }, 'expected 0 or a positive number below 2^31'],
    [{ events: 0 }, 'streams.events is 0, expected a positive integer'],
    [{ concurrency: '3' }, 'streams.concurrency is "3", expected a positive integer'],
    [{ bytes: Number.NaN }, 'streams.bytes is NaN'],
    [{ heartbeats: 1 }, 'streams: unknown option "heartbeats"'],
    [3, 'streams is 3, expected an object'],
    [null, 'streams is null, expected an object'],
  ])('wrong options: %j', (streams, message) => {
    expect(() => new RpcServer({ streams: streams as never })).toThrow(message)
  })
})

describe('the end', () => {
  test('the client disconnects: the signal aborts, and finally blocks run; onError is not called', async () => {
    const onError = vi.fn()
    const events = await call(serverOf({ onError }), 'hang', ['a'])
    await events.next()
    await events.cancel()
    await expect.poll(() => ended).toEqual(['AbortError'])
    expect(onError).not.toHaveBeenCalled()
  })

  test('the signal of the request aborts', async () => {
    const controller = new AbortController()
    const request = new Request('http://localhost/', { ...callOf('hang', ['a']), signal: controller.signal })
    const onError = vi.fn()
    const events = new Events(await serverOf({ onError }).fetch(request))
    await events.next()
    controller.abort()
    await expect.poll(() => ended).toEqual(['AbortError'])
    expect(onError).not.toHaveBeenCalled()
  })

  test('predicates are called again, with another Request', async () => {
    vi.useFakeTimers()
    const requests = new Set<Request>()
    let isAllowed = true
    const auth = oncePerRequest((request: Request) => {
      requests.add(request)
      expect(request.headers.get('authorization')).toBe('Bearer a')
      return isAllowed
    })
    const server = serverOf({ auth, streams: { reauthorizeMs: 1000 } })
    const events = await call(server, 'hang', ['a'], { Authorization: 'Bearer a' })
    await events.next()
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests.size).toBe(2)
    isAllowed = false
    await vi.advanceTimersByTimeAsync(1000)
    const error = { code: -32098, message: 'Authentication failed' }
    expect(await events.rest()).toEqual([{ data: { jsonrpc: '2.0', error, id: 1 } }])
    expect(ended).toEqual(['AbortError'])
    expect(vi.getTimerCount()).toBe(0)
  })
})

test.each([undefined, 'auth', 'validation'] as const)('AsyncLocalStorage of middleware, after %s', async (after) => {
  const server = serverOf()
  const use = (name: string) => server.use((_context, next) => store.run(name, next), ...(after ? [{ after }] : []))
  use('inner')
  const events = await call(server, 'stored')
  for (let at = 0; at < 2; at += 1) {
    // The context in which it is read is not the one in which it continues.
    expect(await store.run('reader', () => events.next())).toEqual(itemOf('stored', `${at} inner`))
  }
  await store.run('reader', () => events.cancel())
  await expect.poll(() => ended).toEqual(['inner'])
})

test('middleware after auth is around the items', async () => {
  const server = serverOf()
  server.use(
    async (_context, next) => {
      const result = await next()
      ended.push('middleware')
      return result
    },
    { after: 'auth' },
  )
  const events = await call(server, 'count', [1])
  expect(await events.next()).toEqual(itemOf('count', 1))
  expect(ended).toEqual([])
  expect(await events.rest()).toEqual([end])
  expect(ended).toEqual(['count', 'middleware'])
})

test('through Hono, with headers and compression of middleware', async () => {
  const { compress } = await import('hono/compress')
  const app = new Hono().use(compress())
  app.use(async (c, next) => {
    await next()
    c.header('X-Own', 'a')
  })
  app.route('/rpc', serverOf().router())
  const init = callOf('count', [1], { 'Accept-Encoding': 'gzip' })
  const events = new Events(await app.request('/rpc', init))
  expect(events.response.headers.get('x-own')).toBe('a')
  expect(events.response.headers.get('content-encoding')).toBe(null)
  expect(await events.rest()).toEqual([itemOf('count', 1), end])
  const view = new Hono().all('/rpc', serverOf().view)
  expect(await new Events(await view.request('/rpc', init)).rest()).toEqual([itemOf('count', 1), end])
})
