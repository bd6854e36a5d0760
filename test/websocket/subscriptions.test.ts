import { oncePerRequest, type RpcContext, RpcError, RpcServer, type RpcServerOptions } from 'rpc-gen'
import type { WebSocketOptions } from 'rpc-gen/websocket'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Peer, type ServingWebSocket, serveWebSocket } from './serving.js'

/** How each iterator ended, and where it was then. */
let ended: unknown[] = []
let produced = 0

beforeEach(() => {
  ended = []
  produced = 0
})

async function* count(to: number): AsyncGenerator<number> {
  try {
    for (let at = 1; at <= to; at += 1) yield at
  } finally {
    ended.push('count')
  }
}

/** Continues until it is stopped. */
async function* hang(first: unknown, { signal }: RpcContext): AsyncGenerator<unknown> {
  // Those of the test that subscribes.
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

/** Never waits for anything but the client. */
async function* endless(): AsyncGenerator<number> {
  try {
    for (let at = 0; ; at += 1) yield at
  } finally {
    ended.push('endless')
  }
}

async function notifying({ notify, signal }: RpcContext): Promise<void> {
  while (!signal.aborted) await notify?.('note').catch(() => {})
  ended.push('notifying')
}

async function* large(): AsyncGenerator<string> {
  for (; produced < 50; ) {
    produced += 1
    yield 'x'.repeat(1024 * 1024)
  }
}

function serverOf(options: RpcServerOptions = {}): RpcServer {
  const server = new RpcServer({ onError: () => undefined, ...options })
  const own = { unchecked: true, subscription: true }
  server.registerProcedure(count, { ...own, name: 'count' })
  server.registerProcedure(count, { ...own, name: 'eth_subscribe' })
  server.registerProcedure(hang, { ...own, contextTarget: 1 })
  server.registerProcedure(failing, own)
  server.registerProcedure(large, own)
  server.registerProcedure(endless, own)
  server.registerProcedure(notifying, { name: 'notifying', unchecked: true, contextTarget: 0 })
  server.registerProcedure(async () => count(1), { ...own, name: 'later' })
  server.registerProcedure(() => 1, { ...own, name: 'wrong' })
  server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
  return server
}

async function serve(options: RpcServerOptions = {}, own: WebSocketOptions = {}): Promise<ServingWebSocket> {
  const serving = await serveWebSocket(serverOf(options), own)
  onTestFinished(() => serving.stop())
  return serving
}

async function open(options: RpcServerOptions = {}, own: WebSocketOptions = {}): Promise<Peer> {
  return (await serve(options, own)).connect()
}

/** Subscribes, and returns the id. */
async function subscribe(peer: Peer, method: string, ...params: unknown[]): Promise<string> {
  peer.call(1, method, ...params)
  const { result } = (await peer.next()) as { result: string }
  expect(result).toMatch(/^[\da-f-]{36}$/)
  return result
}

const item = (method: string, params: object) => ({ jsonrpc: '2.0', method, params })

test('the response is an id, notifications carry the items and the end', async () => {
  const peer = await open()
  for (const method of ['count', 'later']) {
    const subscription = await subscribe(peer, method, 2)
    expect(await peer.next()).toEqual(item(method, { subscription, result: 1 }))
    if (method === 'count') expect(await peer.next()).toEqual(item('count', { subscription, result: 2 }))
    expect(await peer.next()).toEqual(item(method, { subscription, done: true }))
  }
  expect(ended).toEqual(['count', 'count'])
})

test('the method names of Ethereum', async () => {
  const peer = await open()
  const subscription = await subscribe(peer, 'eth_subscribe', 1)
  expect(await peer.next()).toEqual(item('eth_subscription', { subscription, result: 1 }))
  // Its clients read a result in every notification: there is none for the end.
  await expect.poll(() => ended).toEqual(['count'])
  peer.call(2, 'eth_unsubscribe', subscription)
  expect(await peer.next()).toEqual({ jsonrpc: '2.0', result: false, id: 2 })
})

test('several at once, also in a batch, whose response is sent first', async () => {
  const peer = await open()
  peer.send([1, 2].map((id) => ({ jsonrpc: '2.0', method: 'count', params: [1], id })))
  const ids = ((await peer.next()) as { result: string }[]).map(({ result }) => result)
  const received = [await peer.next(), await peer.next(), await peer.next(), await peer.next()]
  for (const subscription of ids) {
    expect(received).toContainEqual(item('count', { subscription, result: 1 }))
    expect(received).toContainEqual(item('count', { subscription, done: true }))
  }
})

describe('the end', () => {
  test('unsubscribe ends the iterator, and aborts the signal', async () => {
    const onError = vi.fn()
    const peer = await open({ onError })
    const subscription = await subscribe(peer, 'hang', 'a')
    expect(await peer.next()).toEqual(item('hang', { subscription, result: 'a' }))
    peer.call(2, 'rpc.unsubscribe', subscription)
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', result: true, id: 2 })
    await expect.poll(() => ended).toEqual(['AbortError'])
    peer.call(3, 'rpc.unsubscribe', subscription)
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', result: false, id: 3 })
    expect(onError).not.toHaveBeenCalled()
  })

  test('a subscription of another connection is not affected', async () => {
    const { connect } = await serve()
    const subscription = await subscribe(await connect(), 'hang', 'a')
    const other = await connect()
    other.call(1, 'rpc.unsubscribe', subscription)
    expect(await other.next()).toMatchObject({ result: false })
    expect(ended).toEqual([])
  })

  test.each(['close', 'terminate'] as const)('%s of the connection ends them all', async (how) => {
    const onError = vi.fn()
    const peer = await open({ onError })
    await subscribe(peer, 'hang', 'a')
    await peer.next()
    await subscribe(peer, 'hang', 'b')
    await peer.next()
    peer.socket[how]()
    await expect.poll(() => ended).toEqual(['AbortError', 'AbortError'])
    expect(onError).not.toHaveBeenCalled()
  })

  test.each([
    ['error', { code: 7, message: 'failed', data: 1 }],
    ['internal', { code: -32603, message: 'Internal error' }],
    ['item', { code: -32603, message: 'Internal error' }],
  ])('%s: the client gets it, and onError', async (what, error) => {
    const onError = vi.fn()
    const peer = await open({ onError })
    const subscription = await subscribe(peer, 'failing', what)
    expect(await peer.next()).toEqual(item('failing', { subscription, result: '1970-01-01T00:00:00.000Z' }))
    expect(await peer.next()).toEqual(item('failing', { subscription, error }))
    expect(onError).toHaveBeenCalledTimes(1)
    peer.call(2, 'rpc.unsubscribe', subscription)
    expect(await peer.next()).toMatchObject({ result: false })
  })
})

describe('rejected calls', () => {
  const rejected = async (peer: Peer, message: unknown, error: object) => {
    peer.send(message)
    expect(await peer.next()).toMatchObject({ error })
  }

  test('a call over HTTP, with a hint, and in the same process', async () => {
    const { url } = await serve()
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const body = '{"jsonrpc":"2.0","method":"count","params":[1],"id":1}'
    const response = await fetch(url.replace('ws:', 'http:'), { ...init, body })
    const hint = 'Method not found: count is a subscription: send Accept: text/event-stream, or call it over WebSocket'
    expect(await response.json()).toMatchObject({ error: { code: -32601, message: hint } })
    const message =
      'Method not found: count is a subscription, call it over WebSocket, or over HTTP with Accept: text/event-stream'
    await expect(serverOf().call('count', [1])).rejects.toThrow(message)
    expect(ended).toEqual([])
  })

  test('a caller without authorisation', async () => {
    const peer = await open({ auth: () => false })
    await rejected(peer, { jsonrpc: '2.0', method: 'count', params: [1], id: 1 }, { code: -32098 })
  })

  test('a result that is not an AsyncIterable', async () => {
    await rejected(await open(), { jsonrpc: '2.0', method: 'wrong', id: 1 }, { code: -32603 })
  })

  test('a notification, which would not return the id', async () => {
    const onError = vi.fn()
    const peer = await open({ onError })
    peer.send({ jsonrpc: '2.0', method: 'hang', params: [1] })
    await expect.poll(() => onError.mock.calls[0]?.[0].message).toContain('a subscription needs an id')
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toMatchObject({ result: 3 })
  })

  test('more than limits.subscriptions', async () => {
    const peer = await open({}, { limits: { subscriptions: 1 } })
    const first = await subscribe(peer, 'hang', 'a')
    await peer.next()
    await rejected(peer, { jsonrpc: '2.0', method: 'hang', params: [1], id: 1 }, { code: -32600 })
    peer.call(2, 'rpc.unsubscribe', first)
    await peer.next()
    await subscribe(peer, 'hang', 'b')
  })

  test('a middleware that fails ends what it has started', async () => {
    const server = serverOf().use(async (_context, next) => {
      await next()
      throw new RpcError(8, 'no')
    })
    const serving = await serveWebSocket(server, { limits: { subscriptions: 1 } })
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    for (const id of [1, 2]) {
      await rejected(peer, { jsonrpc: '2.0', method: 'hang', params: [1], id }, { code: 8 })
    }
  })

  test('rpc.unsubscribe where no procedure is a subscription', async () => {
    const serving = await serveWebSocket(new RpcServer())
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    await rejected(peer, { jsonrpc: '2.0', method: 'rpc.unsubscribe', params: ['a'], id: 1 }, { code: -32601 })
  })
})

test('the iterator waits for a client that does not read', async () => {
  const peer = await open()
  await subscribe(peer, 'large')
  peer.socket.pause()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(produced).toBeLessThan(50)
  peer.socket.resume()
  for (let at = 0; at < 50; at += 1) expect(await peer.next()).toMatchObject({ params: { result: expect.any(String) } })
  expect(await peer.next()).toMatchObject({ params: { done: true } })
})

describe('other connections have their turn while', () => {
  /** Calls over HTTP and over another connection. */
  async function callOthers({ url, connect }: ServingWebSocket) {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const body = '{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}'
    for (let times = 0; times < 3; times += 1) {
      const response = await fetch(url.replace('ws:', 'http:'), { ...init, body })
      expect(await response.json()).toMatchObject({ result: 3 })
    }
    const peer = await connect()
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toMatchObject({ result: 3 })
    peer.close()
  }

  /** A peer that reads as fast as it can, and drops what it reads. */
  async function connectReader({ connect }: ServingWebSocket): Promise<Peer> {
    const peer = await connect()
    peer.socket.removeAllListeners('message')
    return peer
  }

  test.each(['endless', 'notifying'])('%s never waits', async (method) => {
    const serving = await serve()
    const peer = await connectReader(serving)
    peer.call(1, method)
    await callOthers(serving)
    peer.socket.terminate()
    await expect.poll(() => ended).toEqual([method])
  })

  test('many of them run, of several connections', async () => {
    const serving = await serve()
    const peers = [await connectReader(serving), await connectReader(serving), await connectReader(serving)]
    for (const peer of peers) for (let id = 0; id < 10; id += 1) peer.call(id, 'endless')
    await callOthers(serving)
    for (const peer of peers) peer.socket.terminate()
    await expect.poll(() => ended.length).toBe(30)
  })
})

describe('reauthorizeMs', () => {
  const own = { reauthorizeMs: 10 }
  const lost = { code: -32098, message: 'Authentication failed' }

  test('a subscription ends when its caller loses the right to it', async () => {
    let isAllowed = true
    const onError = vi.fn()
    const peer = await open({ auth: () => isAllowed, onError }, own)
    const subscription = await subscribe(peer, 'hang', 'a')
    expect(await peer.next()).toEqual(item('hang', { subscription, result: 'a' }))
    isAllowed = false
    expect(await peer.next()).toEqual(item('hang', { subscription, error: lost }))
    await expect.poll(() => ended).toEqual(['AbortError'])
    expect(onError).toHaveBeenCalledTimes(1)
  })

  test('a predicate with one parameter is called once for all subscriptions of a connection', async () => {
    let calls = 0
    const requests = new Set<Request>()
    const peer = await open(
      {
        auth: (request) => {
          calls += 1
          requests.add(request)
          return calls < 4
        },
      },
      own,
    )
    const ids = [await subscribe(peer, 'hang', 'a')]
    await peer.next()
    peer.call(2, 'hang', 'b')
    const { result } = (await peer.next()) as { result: string }
    ids.push(result)
    await peer.next()
    const ends = [await peer.next(), await peer.next()]
    for (const subscription of ids) expect(ends).toContainEqual(item('hang', { subscription, error: lost }))
    expect(calls).toBe(4)
    expect(requests.size).toBeGreaterThan(1)
  })

  test('oncePerRequest is called again, also for further calls', async () => {
    let isAllowed = true
    const auth = oncePerRequest(() => isAllowed)
    const peer = await open({ auth }, own)
    const subscription = await subscribe(peer, 'hang', 'a')
    await peer.next()
    isAllowed = false
    expect(await peer.next()).toEqual(item('hang', { subscription, error: lost }))
    peer.call(2, 'add', 1, 2)
    expect(await peer.next()).toMatchObject({ error: { code: -32098 } })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('the session store is down')
      },
    ],
    ['does not decide', () => new Promise(() => {})],
  ])('a predicate that %s ends it', async (_, fail) => {
    let hasFailed = false
    const peer = await open(
      { auth: (_request, { method, params }) => !hasFailed || (method === 'hang' && params && fail()) },
      own,
    )
    const subscription = await subscribe(peer, 'hang', 'a')
    await peer.next()
    hasFailed = true
    expect(await peer.next()).toEqual(item('hang', { subscription, error: lost }))
  })

  test('0: never; and a procedure without auth goes on', async () => {
    let calls = 0
    const auth = () => {
      calls += 1
      return calls === 1
    }
    const never = await open({ auth }, { reauthorizeMs: 0 })
    await subscribe(never, 'hang', 'a')
    await never.next()
    const without = await open({}, own)
    await subscribe(without, 'hang', 'a')
    await without.next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([calls, never.received, without.received, ended]).toEqual([1, [], [], []])
  })
})

test('a subscription does not count towards limits.calls', async () => {
  const peer = await open({}, { limits: { calls: 1 } })
  await subscribe(peer, 'hang', 'a')
  await peer.next()
  peer.call(2, 'add', 1, 2)
  expect(await peer.next()).toMatchObject({ result: 3 })
})
