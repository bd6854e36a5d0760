import { once } from 'node:events'
import { createConnection } from 'node:net'
import { Hono } from 'hono'
import type { WSContext } from 'hono/ws'
import { type RpcContext, RpcError, RpcNamespace, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { type WebSocketOptions, webSocket } from 'rpc-gen/websocket'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Peer, type ServingWebSocket, serveWebSocket } from './serving.js'

/** Calls that wait until the test lets them end, and what they saw. */
let pending: { readonly name: unknown; readonly signal: AbortSignal; readonly resolve: (value: unknown) => void }[] = []
let notes: unknown[] = []

afterEach(() => {
  pending = []
  notes = []
})

const namespace = new RpcNamespace()
const register = (name: string, fn: (...args: never[]) => unknown, contextTarget?: number) =>
  namespace.registerProcedure(fn, { name, unchecked: true, ...(contextTarget === undefined ? {} : { contextTarget }) })

register('add', (a: number, b: number) => a + b)
register('note', (value: unknown) => void notes.push(value))
register('fail', () => {
  throw new RpcError(7, 'failed', { data: [1] })
})
register('large', () => {
  notes.push('large')
  return 'x'.repeat(7 * 1024 * 1024)
})
register('busy', (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
})
register('text', (length: number) => 'x'.repeat(length))
register(
  'hang',
  (name: unknown, { signal }: RpcContext) => new Promise((resolve) => void pending.push({ name, signal, resolve })),
  1,
)
register(
  'where',
  ({ request, transport, protocol, honoContext, env }: RpcContext) => {
    const { pathname } = new URL(request.url)
    return [pathname, request.headers.get('X-Caller'), transport, protocol, honoContext?.req.path, 'incoming' in env]
  },
  0,
)
register(
  'progress',
  async (count: number, { notify }: RpcContext) => {
    for (let i = 1; i <= count; i += 1) await notify?.('progress', [i, new Date(0)])
    return typeof notify
  },
  1,
)

async function serve(options: RpcServerOptions = {}, own: WebSocketOptions = {}): Promise<ServingWebSocket> {
  const server = new RpcServer({ onError: () => undefined, ...options }).registerNamespace(namespace)
  const serving = await serveWebSocket(server, own)
  onTestFinished(() => serving.stop())
  return serving
}

async function open(options: RpcServerOptions = {}, own: WebSocketOptions = {}): Promise<Peer> {
  return (await serve(options, own)).connect()
}

const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id })
const error = (code: number, id: unknown = 1) => ({
  jsonrpc: '2.0',
  error: expect.objectContaining({ code }),
  id,
})

describe('messages', () => {
  test('a request, an error, and a notification without a response', async () => {
    const peer = await open()
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3))
    peer.call(2, 'fail')
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', error: { code: 7, message: 'failed', data: [1] }, id: 2 })
    peer.send({ jsonrpc: '2.0', method: 'note', params: ['seen'] })
    peer.call(3, 'add', 2, 2)
    expect(await peer.next()).toEqual(result(4, 3))
    expect(notes).toEqual(['seen'])
  })

  test('a batch is one message, and so is its response; of notifications alone there is none', async () => {
    const peer = await open()
    peer.send([
      { jsonrpc: '2.0', method: 'add', params: [1, 2], id: 1 },
      { jsonrpc: '2.0', method: 'note', params: [1] },
      { jsonrpc: '2.0', method: 'unknown', id: 2 },
    ])
    expect(await peer.next()).toEqual([result(3), error(-32601, 2)])
    peer.send([{ jsonrpc: '2.0', method: 'note', params: [2] }])
    peer.call(3, 'add', 1, 1)
    expect(await peer.next()).toEqual(result(2, 3))
    expect(notes).toEqual([1, 2])
  })

  test('bytes are text in UTF-8', async () => {
    const peer = await open()
    peer.send(Buffer.from('{"jsonrpc":"2.0","method":"note","params":["ä€"],"id":1}'))
    expect(await peer.next()).toEqual(result(null))
    expect(notes).toEqual(['ä€'])
    peer.send(Buffer.from([0xff, 0xfe, 0xfd]))
    expect(await peer.next()).toEqual(error(-32700, null))
  })

  test.each([
    ['{', -32700],
    ['', -32700],
    ['[]', -32600],
    ['1', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
  ])('%j is an error, and the connection stays open', async (text, code) => {
    const peer = await open()
    peer.send(text)
    expect(await peer.next()).toMatchObject({ error: { code } })
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3))
  })

  test('beyond limits.bodyBytes, counted in bytes, is -32600', async () => {
    const peer = await open({ limits: { bodyBytes: 100 } })
    for (const message of ['x'.repeat(101), 'ä'.repeat(51), Buffer.alloc(101)]) {
      peer.send(message)
      expect(await peer.next()).toEqual(error(-32600, null))
    }
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3))
  })

  test('responses are sent as the calls end', async () => {
    const peer = await open()
    peer.call(1, 'hang', 'first')
    peer.call(2, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3, 2))
    pending[0]?.resolve('done')
    expect(await peer.next()).toEqual(result('done', 1))
  })
})

describe('the context', () => {
  test('has the request of the upgrade', async () => {
    const { connect } = await serve()
    const peer = await connect({ headers: { 'X-Caller': 'me' } })
    peer.call(1, 'where')
    expect(await peer.next()).toEqual(result(['/rpc', 'me', 'websocket', 'json-rpc', '/rpc', true]))
  })

  test('predicates get it, once for each message', async () => {
    const auth = vi.fn((request: Request) => request.headers.get('Authorization') === 'Bearer sesame')
    const { connect } = await serve({ auth })
    const stranger = await connect()
    stranger.call(1, 'add', 1, 2)
    expect(await stranger.next()).toEqual(error(-32098))
    const friend = await connect({ headers: { Authorization: 'Bearer sesame' } })
    friend.call(1, 'add', 1, 2)
    expect(await friend.next()).toEqual(result(3))
    const entry = { jsonrpc: '2.0', method: 'add', params: [1, 2], id: 1 }
    friend.send([entry, entry])
    expect(await friend.next()).toEqual([result(3), result(3)])
    expect(auth).toHaveBeenCalledTimes(3)
  })

  test('middleware surrounds the calls', async () => {
    const seen: string[] = []
    const server = new RpcServer().registerNamespace(namespace).use((context, next) => {
      seen.push(`${context.transport} ${context.method}`)
      return next()
    })
    const serving = await serveWebSocket(server)
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3))
    expect(seen).toEqual(['websocket add'])
  })

  test('a closed connection aborts the signal of each running call, which is not an error', async () => {
    const onError = vi.fn()
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const peer = await open({ onError })
    for (let id = 1; id <= 20; id += 1) peer.call(id, 'hang', id)
    await expect.poll(() => pending.length).toBe(20)
    peer.socket.terminate()
    await expect.poll(() => pending.map(({ signal }) => signal.reason?.name)).toEqual(Array(20).fill('AbortError'))
    for (const { resolve, signal } of pending) resolve(Promise.reject(signal.reason))
    await new Promise((resolve) => setTimeout(resolve))
    expect(onError).not.toHaveBeenCalled()
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  test('the signal of a call that has ended does not change', async () => {
    const peer = await open()
    peer.call(1, 'hang', 1)
    await expect.poll(() => pending.length).toBe(1)
    pending[0]?.resolve(1)
    await peer.next()
    peer.close()
    await peer.closed
    expect(pending[0]?.signal.aborted).toBe(false)
  })
})

/** A connection, and what sends notifications over it from anywhere. */
async function keepNotify(own: WebSocketOptions = {}, options: RpcServerOptions = {}) {
  const kept: NonNullable<RpcContext['notify']>[] = []
  const server = new RpcServer(options)
  const keep = ({ notify }: RpcContext) => void kept.push(...(notify ? [notify] : []))
  server.registerProcedure(keep, { name: 'keep', unchecked: true, contextTarget: 0 })
  const serving = await serveWebSocket(server, own)
  onTestFinished(() => serving.stop())
  const peer = await serving.connect()
  peer.call(1, 'keep')
  await peer.next()
  const [notify = expect.fail('there is no notify')] = kept
  return { peer, notify, serving }
}

describe('notify', () => {
  test('sends notifications to the caller, and only over this transport', async () => {
    const { connect, url } = await serve()
    const peer = await connect()
    const other = await connect()
    peer.call(1, 'progress', 2)
    const at = new Date(0).toISOString()
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', method: 'progress', params: [1, at] })
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', method: 'progress', params: [2, at] })
    expect(await peer.next()).toEqual(result('function'))
    expect(other.received).toEqual([])
    const body = '{"jsonrpc":"2.0","method":"progress","params":[2],"id":1}'
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(url.replace('ws:', 'http:'), { method: 'POST', headers, body })
    expect(await response.json()).toEqual(result('undefined'))
  })

  test('rejects once the connection is closed; an unhandled rejection does not end the process', async () => {
    const { peer, notify, serving } = await keepNotify()
    await notify('later', { a: 1n })
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', method: 'later', params: { a: '1' } })
    expect(() => notify('bad', [() => {}])).toThrow('a function cannot be serialised')
    expect(() => notify(1 as never)).toThrow(TypeError)
    expect(() => notify('bad', 'text' as never)).toThrow(TypeError)
    peer.close()
    await peer.closed
    await expect.poll(() => serving.sockets.size).toBe(0)
    const unhandled = vi.fn()
    process.once('unhandledRejection', unhandled)
    void notify('lost')
    await expect(notify('lost')).rejects.toMatchObject({ name: 'AbortError' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).not.toHaveBeenCalled()
    process.off('unhandledRejection', unhandled)
  })

  test('in a loop without await: over the limit the connection is closed, and what follows costs no memory', async () => {
    const { peer, notify, serving } = await keepNotify({ limits: { outbox: 100 * 512 } })
    peer.socket.pause()
    await notify('fill', ['x'.repeat(16 * 1024 * 1024)])
    const sent = new Set<Promise<void>>()
    for (let i = 0; i < 100_000; i += 1) sent.add(notify('n', [i]))
    expect(sent.size).toBeLessThan(200)
    expect([...serving.sockets].map(({ readyState }) => readyState)).not.toContain(1)
    await expect(notify('later')).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('waits for a client that does not read', async () => {
    const { peer, notify } = await keepNotify()
    peer.socket.pause()
    const text = 'x'.repeat(1024 * 1024)
    let sent = 0
    let isDone = false
    const sending = (async () => {
      for (; sent < 20; sent += 1) await notify('big', [sent, text])
      isDone = true
    })()
    // The kernel's buffers store some of them.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(isDone).toBe(false)
    peer.socket.resume()
    await sending
    for (let i = 0; i < 20; i += 1) expect(await peer.next()).toMatchObject({ params: [i, text] })
  })
})

describe('limits of a connection', () => {
  test('calls: the limit includes entries of batches; further calls wait', async () => {
    const peer = await open({}, { limits: { calls: 2 } })
    peer.send([1, 2, 3].map((id) => ({ jsonrpc: '2.0', method: 'hang', params: [id], id })))
    peer.call(4, 'hang', 4)
    await expect.poll(() => pending.length).toBe(2)
    pending[0]?.resolve('a')
    await expect.poll(() => pending.length).toBe(3)
    expect(pending.map(({ name }) => name)).toEqual([1, 2, 3])
    pending[1]?.resolve('b')
    await expect.poll(() => pending.length).toBe(4)
    pending[2]?.resolve('c')
    pending[3]?.resolve('d')
    const received = [await peer.next(), await peer.next()]
    expect(received).toContainEqual([result('a', 1), result('b', 2), result('c', 3)])
    expect(received).toContainEqual(result('d', 4))
  })

  test('calls that wait do not run once the connection is closed', async () => {
    const { connect, sockets } = await serve({}, { limits: { calls: 1 } })
    const peer = await connect()
    peer.send([
      { jsonrpc: '2.0', method: 'hang', params: [1], id: 1 },
      { jsonrpc: '2.0', method: 'note', params: ['entry'], id: 2 },
    ])
    peer.call(3, 'note', 'message')
    await expect.poll(() => pending.length).toBe(1)
    peer.close()
    await peer.closed
    await expect.poll(() => sockets.size).toBe(0)
    pending[0]?.resolve(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(notes).toEqual([])
  })

  test('queue: beyond it the connection is closed', async () => {
    const peer = await open({}, { limits: { calls: 1, queue: 2000 } })
    for (let id = 0; id < 20; id += 1) peer.call(id, 'hang', id)
    expect(await peer.closed).toEqual([1008, 'too many messages wait'])
    await expect.poll(() => pending.map(({ signal }) => signal.aborted)).toEqual([true])
  })

  test('a large message that does not wait is not counted', async () => {
    const peer = await open({}, { limits: { queue: 1 } })
    peer.call(1, 'note', 'x'.repeat(10_000))
    expect(await peer.next()).toEqual(result(null))
  })

  test('outbox: a client that does not read is disconnected', async () => {
    const { connect, sockets } = await serve({}, { limits: { calls: 1, outbox: 1024 * 1024 } })
    const peer = await connect()
    peer.socket.pause()
    for (let id = 0; id < 40; id += 1) peer.call(id, 'text', 1024 * 1024)
    // One call at a time: this one is run when all responses are sent, which the buffers of the sockets are too small for.
    peer.call(99, 'note', 'too late')
    await expect.poll(() => [...sockets].map(({ readyState }) => readyState)).not.toContain(1)
    expect(notes).toEqual([])
  })

  test('outbox: counts notifications, however short they are', async () => {
    const { peer, notify, serving } = await keepNotify({ limits: { outbox: 100 * 512 } })
    peer.socket.pause()
    await notify('fill', ['x'.repeat(16 * 1024 * 1024)])
    const sent = Array.from({ length: 200 }, () => notify('n'))
    const results = await Promise.allSettled(sent)
    // 37 characters each.
    expect(results.map(({ status }) => status)).toEqual(sent.map(() => 'rejected'))
    expect([...serving.sockets].map(({ readyState }) => readyState)).not.toContain(1)
  })

  test.each([
    [{}, 8 * 1024 * 1024],
    [{ responseBytes: 1_000_000 }, 1_000_000],
  ])('outbox: by default one response of %j fits beside 4 Mi', async (limits, responseBytes) => {
    const text = 'x'.repeat(responseBytes - 100)
    const { peer, notify, serving } = await keepNotify({}, { limits })
    peer.socket.pause()
    await notify('fill', ['x'.repeat(16 * 1024 * 1024)])
    void notify('response', [text])
    void notify('more', ['x'.repeat(3 * 1024 * 1024)])
    expect([...serving.sockets].map(({ readyState }) => readyState)).toEqual([1])
    void notify('too much', ['x'.repeat(2 * 1024 * 1024)])
    expect([...serving.sockets].map(({ readyState }) => readyState)).not.toContain(1)
  })

  test('a connection that was closed is destroyed if the client does not close it too, with what waits for it', async () => {
    const { connect, sockets } = await serve({}, { limits: { calls: 1, outbox: 1024 * 1024 } })
    const peer = await connect()
    peer.socket.pause()
    for (let id = 0; id < 40; id += 1) peer.call(id, 'text', 1024 * 1024)
    await expect.poll(() => [...sockets].map(({ readyState }) => readyState)).not.toContain(1)
    // By itself ws destroys it after 30 seconds.
    await expect.poll(() => sockets.size, { timeout: 15_000 }).toBe(0)
  })

  test('responses of synchronous calls wait for the client before further calls run', async () => {
    const { connect } = await serve()
    const peer = await connect()
    peer.socket.pause()
    const message = (id: number) => JSON.stringify({ jsonrpc: '2.0', method: 'large', params: [], id })
    for (let id = 0; id < 40; id += 1) peer.send(message(id))
    peer.call(40, 'note', 'sent')
    await expect.poll(() => notes.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(notes.length).toBeLessThan(10)
  })

  test('a batch that has used up its turn begins all of its calls before the next message', async () => {
    const peer = await open()
    const entry = (method: string, value: unknown) => ({ jsonrpc: '2.0', method, params: [value] })
    for (const id of [1, 2, 3]) {
      const busy = Array(60).fill(entry('busy', 1))
      peer.send([entry('note', `${id} begins`), ...busy, entry('note', `${id} ends`), { ...entry('add', 1), id }])
    }
    for (const id of [1, 2, 3]) expect(await peer.next()).toEqual([expect.objectContaining({ id })])
    expect(notes).toEqual([1, 2, 3].flatMap((id) => [`${id} begins`, `${id} ends`]))
  })

  test('outbox: counts the responses in a batch that is not complete; further messages wait, but no heartbeat', async () => {
    const peer = await open({}, { limits: { outbox: 10_000 } })
    const long = 'x'.repeat(20_000)
    peer.send([
      { jsonrpc: '2.0', method: 'hang', params: [], id: 1 },
      { jsonrpc: '2.0', method: 'text', params: [long.length], id: 2 },
    ])
    peer.call(3, 'note', 'after')
    peer.call(4, 'rpc.ping')
    expect(await peer.next()).toEqual(result(null, 4))
    expect(notes).toEqual([])
    pending[0]?.resolve(1)
    expect(await peer.next()).toEqual([result(1, 1), result(long, 2)])
    expect(await peer.next()).toEqual(result(null, 3))
    expect(notes).toEqual(['after'])
  })

  test('the calls of a batch that have not begun do not run once the connection is closed', async () => {
    const { connect, sockets } = await serve()
    const peer = await connect()
    const busy = { jsonrpc: '2.0', method: 'busy', params: [11], id: 1 }
    peer.send([...Array(60).fill(busy), { jsonrpc: '2.0', method: 'note', params: ['entry'], id: 2 }])
    await expect.poll(() => peer.socket.bufferedAmount).toBe(0)
    peer.socket.terminate()
    await expect.poll(() => sockets.size).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 60 * 11 + 50))
    expect(notes).toEqual([])
  })

  test('messages that waited do not hold up other connections', async () => {
    const serving = await serve({}, { limits: { calls: 1 } })
    const peer = await serving.connect()
    peer.call(0, 'hang', 0)
    await expect.poll(() => pending.length).toBe(1)
    for (let id = 1; id <= 50; id += 1) peer.call(id, 'busy', 20)
    const other = await serving.connect()
    pending[0]?.resolve(0)
    other.call(1, 'add', 1, 2)
    expect(await other.next()).toEqual(result(3))
    expect(peer.received.length).toBeLessThan(51)
    for (let id = 0; id <= 50; id += 1) await peer.next()
  })

  test('further messages wait while the client does not read', async () => {
    const peer = await open()
    peer.socket.pause()
    for (let id = 0; id < 40; id += 1) peer.call(id, 'text', 1024 * 1024)
    peer.call(99, 'note', 'late')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(notes).toEqual([])
    peer.socket.resume()
    for (let id = 0; id <= 40; id += 1) await peer.next()
    expect(notes).toEqual(['late'])
  })

  test('pingMs: a client that does not reply is disconnected, one that replies is not', async () => {
    const { connect, sockets } = await serve({}, { pingMs: 500 })
    const peer = await connect()
    const silent = await connect({ autoPong: false })
    await silent.closed
    await expect.poll(() => sockets.size).toBe(1)
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3))
  })
})

/** Opens a connection of a host that the test plays. Returns its events, and what receives a call. */
async function openOn(socket: WSContext, server: RpcServer, own: WebSocketOptions = {}) {
  const open = webSocket(server, own)
  let events = {} as ReturnType<typeof open>
  const app = new Hono().get('/', (c) => {
    events = open(c)
    return c.text('open')
  })
  await app.request('/', { headers: { Upgrade: 'websocket' } })
  events.onOpen?.(new Event('open'), socket)
  const receive = (method: string, params: readonly unknown[] = []) => {
    const data = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    events.onMessage?.(new MessageEvent('message', { data }), socket)
  }
  return { events, receive }
}

test('many messages that do not wait give the thread back: nothing is read meanwhile', async () => {
  const server = new RpcServer()
  server.registerProcedure(() => new Promise(() => {}), { name: 'hang', unchecked: true })
  const raw = { bufferedAmount: 0, pause: vi.fn(), resume: vi.fn() }
  const socket = { raw, send: vi.fn(), close: vi.fn() } as unknown as WSContext
  const { events, receive } = await openOn(socket, server, { limits: { calls: 1 } })
  receive('hang')
  const pings = 2000
  for (let i = 0; i < pings; i += 1) receive('rpc.ping')
  expect(raw.pause).toHaveBeenCalledOnce()
  await expect.poll(() => raw.resume).toHaveBeenCalledOnce()
  expect(socket.send).toHaveBeenCalledTimes(pings)
  events.onClose?.()
})

test('a host that closes with codes of applications only, as Deno did', async () => {
  const server = new RpcServer().registerNamespace(namespace)
  const close = vi.fn((code: number) => {
    if (code < 3000) throw new DOMException('The close code must be either 1000 or in the range of 3000 to 4999')
  })
  const socket = { raw: {}, send: vi.fn(), close } as unknown as WSContext
  const { receive } = await openOn(socket, server, { limits: { calls: 1, queue: 300 } })
  receive('hang')
  receive('add', [1, 2])
  receive('add', [1, 2])
  expect(close).toHaveBeenLastCalledWith(4008, 'too many messages wait')
})

test('a host that throws when it sends to a client that has just gone: no error is left without a handler', async () => {
  const rejected = vi.fn()
  const server = new RpcServer().registerNamespace(namespace)
  const send = vi.fn(() => {
    throw new DOMException("'readyState' not OPEN", 'InvalidStateError')
  })
  const { events, receive } = await openOn({ raw: {}, send } as unknown as WSContext, server)
  receive('hang')
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', rejected)
  try {
    receive('add', [1, 2])
    pending[0]?.resolve('late')
    await new Promise((resolve) => setTimeout(resolve, 20))
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const each of others) process.on('unhandledRejection', each)
  }
  events.onClose?.()
  expect([send.mock.calls.length, rejected.mock.calls.length]).toEqual([2, 0])
})

describe('origins', () => {
  test('a rejection is plain text that browsers do not take for another type', async () => {
    const events = webSocket(new RpcServer())
    const app = new Hono().get('/', (c) => c.json(Object.keys(events(c))))
    const headers = { Upgrade: 'websocket', Host: 'a.example', Origin: 'https://evil.example' }
    const response = await app.request('/', { headers })
    const sent = ['Content-Type', 'X-Content-Type-Options'].map((name) => response.headers.get(name))
    expect([response.status, ...sent, await response.text()]).toEqual([
      403,
      'text/plain; charset=UTF-8',
      'nosniff',
      'Forbidden origin',
    ])
  })

  const statusWith = ({ connect }: ServingWebSocket, options: object) =>
    connect(options).then(
      () => 101,
      (error: Error) => Number(/\d{3}$/.exec(error.message)?.[0]),
    )

  const statusOf = (serving: ServingWebSocket, origin?: string) =>
    statusWith(serving, origin === undefined ? {} : { origin })

  test("by default pages of the request's host and clients other than browsers", async () => {
    const serving = await serve()
    const { host } = new URL(serving.url)
    for (const origin of [undefined, `http://${host}`, `https://${host}`])
      expect(await statusOf(serving, origin)).toBe(101)
    for (const origin of ['https://evil.example', 'null', `http://${host}.evil.example`, 'http://127.0.0.1:1']) {
      expect(await statusOf(serving, origin)).toBe(403)
    }
  })

  test.each([
    ['a.example:80', 'http://a.example', 101],
    ['a.example:443', 'https://a.example', 101],
    ['a.example', 'http://a.example:80', 101],
    ['A.Example:443', 'https://a.example', 101],
    ['[::1]:80', 'http://[::1]', 101],
    ['a.example:8443', 'https://a.example:8443', 101],
    ['a.example:80', 'https://a.example', 403],
    ['a.example:443', 'http://a.example', 403],
    ['a.example:8080', 'http://a.example', 403],
    ['a.example', 'http://a.example:8080', 403],
    ['a.example:', 'http://a.example', 403],
    ['a.example:080', 'http://a.example', 403],
    ['a.example:8080:80', 'http://a.example:8080', 403],
    ['a.example.:80', 'http://a.example', 403],
    ['a.example:80', 'http://a.example.', 403],
    ['evil@a.example:80', 'http://a.example', 403],
    ['a.example:80', 'http://evil@a.example', 403],
    ['::1:80', 'http://[::1]', 403],
    ['[::1]:80', 'http://[::2]', 403],
    ['a.example:undefined', 'ftp://a.example', 403],
    [':80', 'file:///a.html', 403],
    ['a.example', 'javascript://a.example', 403],
    ['a.example', 'http://a.example\\.evil.example', 403],
    ['a.example', 'http://a.example/', 403],
  ])('of the host %s, a page of %s: %d', async (host, origin, status) => {
    const events = webSocket(new RpcServer())
    const app = new Hono().get('/', (c) => c.json(Object.keys(events(c))))
    const headers = { Upgrade: 'websocket', Host: host, Origin: origin }
    expect((await app.request('/', { headers })).status).toBe(status === 101 ? 200 : status)
  })

  test('a default port in the Host of an upgrade', async () => {
    const serving = await serve()
    const connect = (host: string, origin: string) => statusWith(serving, { headers: { Host: host }, origin })
    expect(await connect('a.example:80', 'http://a.example')).toBe(101)
    expect(await connect('a.example:443', 'https://a.example')).toBe(101)
    expect(await connect('a.example:8080', 'http://a.example')).toBe(403)
  })

  test.each([
    ['', 'null'],
    ['Host:\r\n', 'null'],
    ['Host:\r\n', 'file:///a.html'],
    ['', 'http://localhost'],
  ])('a page is not of the host of a request that names none: %j, %s', async (host, origin) => {
    const { url } = await serve()
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}`
    socket.end(`GET /rpc HTTP/1.0\r\n${host}${upgrade}\r\nOrigin: ${origin}\r\n\r\n`)
    const [data] = await once(socket, 'data')
    expect(`${data}`).toMatch(/^HTTP\/1\.[01] 40[03]/)
  })

  test("'same' accepts a page whose host name was pointed here; the middleware of the guide does not", async () => {
    const app = new Hono()
    app.use('/rpc/*', async (c, next) =>
      c.req.header('host') === 'api.example.com' ? next() : c.text('Wrong host', 421),
    )
    const rebound = { headers: { Host: 'rebound.example' }, origin: 'http://rebound.example' }
    const own = { headers: { Host: 'api.example.com' }, origin: 'http://api.example.com' }
    const unprotected = await serve()
    const serving = await serveWebSocket(new RpcServer(), {}, app)
    onTestFinished(() => serving.stop())
    expect(await statusWith(unprotected, rebound)).toBe(101)
    expect(await statusWith(serving, rebound)).toBe(421)
    expect(await statusWith(serving, own)).toBe(101)
  })

  test('a list of origins, and any origin', async () => {
    const listed = await serve({}, { origins: ['https://a.example'] })
    expect(await statusOf(listed, 'https://a.example')).toBe(101)
    expect(await statusOf(listed, `http://${new URL(listed.url).host}`)).toBe(403)
    expect(await statusOf(await serve({}, { origins: '*' }), 'https://any.example')).toBe(101)
  })
})

describe('a registration without a compiled form, added while a connection is open, closes it', () => {
  /** A server that gets such a procedure when a client has connected. */
  async function connectThenRegister(own: WebSocketOptions, before: (peer: Peer) => Promise<unknown>) {
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => errors.mockRestore())
    const server = new RpcServer({ onError: () => undefined })
    async function* ticks({ signal }: RpcContext) {
      yield await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    server.registerProcedure(ticks, { unchecked: true, subscription: true, contextTarget: 0 })
    server.registerProcedure(() => 1, { name: 'one', unchecked: true })
    const serving = await serveWebSocket(server, own)
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    await before(peer)
    server.registerProcedure(() => 2, { name: 'two' })
    return { peer, errors }
  }
  const closed = [1011, 'the registrations of the server have an error']

  test('with the next message', async () => {
    const { peer, errors } = await connectThenRegister({}, async (peer) => {
      peer.call(1, 'one')
      expect(await peer.next()).toMatchObject({ id: 1, result: 1 })
    })
    for (const id of [2, 3]) peer.call(id, 'one')
    expect(await peer.closed).toEqual(closed)
    expect(errors).toHaveBeenCalledOnce()
    expect(`${errors.mock.calls[0]}`).toContain('no compiled form')
  })

  test('when the callers of subscriptions are authorised again', async () => {
    const { peer } = await connectThenRegister({ reauthorizeMs: 20 }, async (peer) => {
      peer.call(1, 'ticks')
      await peer.next()
    })
    expect(await peer.closed).toEqual(closed)
  })
})

test('a request that is not an upgrade is passed to the next handler', async () => {
  const { url } = await serve({ docs: true })
  const http = url.replace('ws:', 'http:')
  const page = await fetch(http, { headers: { Accept: 'text/html', Origin: 'https://other.example' } })
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test.each([
  [{ limits: { calls: 0 } }, 'webSocket: limits.calls is 0, expected a positive integer'],
  [{ limits: { unknown: 1 } as never }, 'webSocket: limits: unknown option "unknown"'],
  [{ pingMs: -1 }, 'pingMs is -1'],
  [{ reauthorizeMs: 2 ** 31 }, 'reauthorizeMs is 2147483648'],
  [{ origins: 'https://a.example' as never }, "expected 'same', '*' or a list"],
  [{ origins: ['https://a.example/'] }, '"https://a.example/" is not an origin'],
])('%j is an error', (options, message) => {
  expect(() => webSocket(new RpcServer(), options)).toThrow(message)
})

test('a server without JSON-RPC is an error', () => {
  expect(() => webSocket(new RpcServer({ protocol: 'xml-rpc' }))).toThrow('does not accept JSON-RPC')
})
