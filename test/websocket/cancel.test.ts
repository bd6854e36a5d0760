import { type RpcContext, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { type ClientOptions, createClient } from 'rpc-gen/client'
import { type WebSocketOptions as ClientSocketOptions, webSocket } from 'rpc-gen/client/websocket'
import type { WebSocketOptions } from 'rpc-gen/websocket'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Peer, serveWebSocket } from './serving.js'

interface Hanging {
  readonly name: unknown
  readonly signal: AbortSignal
  readonly resolve: (value: unknown) => void
}

let hanging: Hanging[] = []

beforeEach(() => {
  hanging = []
})

/** Ends with its signal. */
function hang(name: unknown, { signal }: RpcContext): Promise<unknown> {
  return new Promise((resolve, reject) => {
    hanging.push({ name, signal, resolve })
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Does not listen to its signal. */
function deaf(name: unknown, { signal }: RpcContext): Promise<unknown> {
  return new Promise((resolve) => void hanging.push({ name, signal, resolve }))
}

async function* items({ signal }: RpcContext): AsyncGenerator<string> {
  hanging.push({ name: 'items', signal, resolve: () => {} })
  yield 'first'
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

function serverOf(options: RpcServerOptions = {}): RpcServer {
  const server = new RpcServer(options)
  server.registerProcedure(hang, { unchecked: true, contextTarget: 1 })
  server.registerProcedure(deaf, { unchecked: true, contextTarget: 1 })
  server.registerProcedure(items, { unchecked: true, contextTarget: 0, subscription: true })
  server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
  return server
}

async function serve(own: WebSocketOptions = {}, server = serverOf()) {
  const serving = await serveWebSocket(server, own)
  onTestFinished(() => serving.stop())
  return serving
}

const cancel = (peer: Peer, id: unknown) => peer.send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } })
const cancelled = (id: unknown) => ({ jsonrpc: '2.0', error: { code: -32800, message: 'Request cancelled' }, id })
const result = (value: unknown, id: unknown) => ({ jsonrpc: '2.0', result: value, id })
const request = (id: unknown, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', method, params, id })
const names = () => hanging.map(({ name }) => name)

describe('$/cancelRequest', () => {
  test.each([1, 'a', '1', -5, 1.5, '$/"é', 0])(
    'aborts the signal of the call %j, which is not an error',
    async (id) => {
      const onError = vi.fn()
      const peer = await (await serve({}, serverOf({ onError }))).connect()
      peer.send(request(id, 'hang', id))
      await expect.poll(names).toEqual([id])
      cancel(peer, id)
      expect(await peer.next()).toEqual(cancelled(id))
      expect(hanging[0]?.signal.reason).toMatchObject({ name: 'AbortError', message: 'The client cancelled the call' })
      expect(onError).not.toHaveBeenCalled()
    },
  )

  test.each([
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740993', '9007199254740992', false],
    ['1.50', '1.5', true],
    ['1e2', '100', true],
    ['"1"', '1', false],
    ['1', '"1"', false],
    ['null', 'null', false],
    ['1', '2', false],
    ['1', '[1]', false],
  ])('the id %s is cancelled by %s: %s', async (id, by, isCancelled) => {
    const peer = await (await serve({}, serverOf({ onError: () => undefined }))).connect()
    peer.send(`{"jsonrpc":"2.0","method":"hang","params":[1],"id":${id}}`)
    peer.send(`{"jsonrpc":"2.0","method":"$\\/cancelRequest","params":{"id":${by}}}`)
    peer.call(7, 'add', 1, 2)
    const received = isCancelled ? [await peer.next(), await peer.next()] : [await peer.next()]
    expect(received).toContainEqual(result(3, 7))
    expect(hanging[0]?.signal.aborted).toBe(isCancelled)
  })

  test('an unknown id, one of a call that has ended, and one that is cancelled again have no effect', async () => {
    const onError = vi.fn()
    const peer = await (await serve({}, serverOf({ onError }))).connect()
    cancel(peer, 1)
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3, 1))
    cancel(peer, 1)
    peer.call(2, 'deaf', 'two')
    await expect.poll(names).toEqual(['two'])
    cancel(peer, 2)
    cancel(peer, 2)
    await expect.poll(() => hanging[0]?.signal.aborted).toBe(true)
    hanging[0]?.resolve('done anyway')
    // Its result is sent if it ends nevertheless.
    expect(await peer.next()).toEqual(result('done anyway', 2))
    peer.call(1, 'hang', 'one')
    await expect.poll(names).toEqual(['two', 'one'])
    expect(hanging[1]?.signal.aborted).toBe(false)
    expect(onError).not.toHaveBeenCalled()
  })

  test('an id that is missing or of another type is reported', async () => {
    const onError = vi.fn()
    const peer = await (await serve({}, serverOf({ onError }))).connect()
    for (const params of [undefined, {}, { id: null }, { id: {} }, [], [[]]]) {
      peer.send({ jsonrpc: '2.0', method: '$/cancelRequest', params })
    }
    peer.call(1, 'add', 1, 2)
    expect(await peer.next()).toEqual(result(3, 1))
    expect(onError.mock.calls.map(([error]) => error.code)).toEqual(Array(6).fill(-32602))
  })

  test('ids of another connection are not affected', async () => {
    const { connect } = await serve()
    const [peer, other] = [await connect(), await connect()]
    peer.call(1, 'hang', 'a')
    await expect.poll(names).toEqual(['a'])
    cancel(other, 1)
    other.call(2, 'add', 1, 2)
    await other.next()
    expect(hanging[0]?.signal.aborted).toBe(false)
  })

  test('all running calls of an id', async () => {
    const peer = await (await serve()).connect()
    peer.call(1, 'hang', 'a')
    peer.call(1, 'hang', 'b')
    await expect.poll(names).toEqual(['a', 'b'])
    cancel(peer, 1)
    expect([await peer.next(), await peer.next()]).toEqual([cancelled(1), cancelled(1)])
  })

  test('a call of a batch, running or not begun', async () => {
    const peer = await (await serve({}, serverOf({ concurrency: 1 }))).connect()
    peer.send([request(1, 'deaf', 1), request(2, 'deaf', 2), request(3, 'hang', 3), request(4, 'add', 1, 1)])
    await expect.poll(names).toEqual([1])
    cancel(peer, 2)
    peer.call(9, 'add', 1, 2)
    await peer.next()
    hanging[0]?.resolve('one')
    await expect.poll(names).toEqual([1, 3])
    cancel(peer, 3)
    expect(await peer.next()).toEqual([result('one', 1), cancelled(2), cancelled(3), result(2, 4)])
  })

  test('in a batch with the call', async () => {
    const peer = await (await serve()).connect()
    peer.send([request(1, 'hang', 1), { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } }])
    expect(await peer.next()).toEqual([cancelled(1)])
  })

  test('while no further call is run: of a running call, and of one that waits', async () => {
    const peer = await (await serve({ limits: { calls: 1 } })).connect()
    peer.call(1, 'hang', 1)
    peer.call(2, 'hang', 2)
    peer.call(3, 'hang', 3)
    await expect.poll(names).toEqual([1])
    cancel(peer, 2)
    peer.send(Buffer.from('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}'))
    const received = [await peer.next(), await peer.next()]
    for (const id of [1, 2]) expect(received).toContainEqual(cancelled(id))
    await expect.poll(names).toEqual([1, 3])
    // The cancellation is over: the same id may be used again.
    peer.call(2, 'add', 1, 2)
    cancel(peer, 3)
    const last = [await peer.next(), await peer.next()]
    for (const message of [cancelled(3), result(3, 2)]) expect(last).toContainEqual(message)
  })

  test.each(['2', '"b"', '9007199254740993'])('a request of a call %s that waits has one response', async (id) => {
    const peer = await (await serve({ limits: { calls: 1 } })).connect()
    peer.call(1, 'deaf', 1)
    await expect.poll(names).toEqual([1])
    peer.send(`{"jsonrpc":"2.0","method":"hang","params":[2],"id":${id}}`)
    peer.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":${id}},"id":9}`)
    expect(await peer.next()).toEqual(result(null, 9))
    hanging[0]?.resolve(1)
    peer.call(3, 'add', 1, 2)
    const rest = [await peer.next(), await peer.next(), await peer.next()]
    for (const message of [result(1, 1), cancelled(JSON.parse(id)), result(3, 3)]) expect(rest).toContainEqual(message)
    expect(names()).toEqual([1])
  })

  test('cancellations that wait count towards limits.queue', async () => {
    const peer = await (await serve({ limits: { calls: 1, queue: 10_000 } })).connect()
    peer.call(1, 'hang', 1)
    peer.call(2, 'hang', 2)
    for (let id = 10; id < 100; id += 1) cancel(peer, id)
    expect(await peer.closed).toEqual([1008, 'too many messages wait'])
  })

  test('a call that ignores it occupies its place until it ends', async () => {
    const peer = await (await serve({ limits: { calls: 1 } })).connect()
    peer.call(1, 'deaf', 1)
    await expect.poll(names).toEqual([1])
    cancel(peer, 1)
    peer.call(2, 'deaf', 2)
    await expect.poll(() => hanging[0]?.signal.aborted).toBe(true)
    expect(names()).toEqual([1])
    hanging[0]?.resolve(1)
    await expect.poll(names).toEqual([1, 2])
  })

  test('a subscription whose id was sent continues', async () => {
    const peer = await (await serve()).connect()
    peer.call(1, 'items')
    const { result: subscription } = (await peer.next()) as { result: string }
    expect(await peer.next()).toMatchObject({ params: { subscription, result: 'first' } })
    cancel(peer, 1)
    peer.call(2, 'rpc.unsubscribe', subscription)
    expect(await peer.next()).toEqual(result(true, 2))
  })

  test('a procedure of the user with this name is called instead', async () => {
    const server = serverOf()
    const own = vi.fn()
    server.registerProcedure(own, { name: '$/cancelRequest', unchecked: true, params: 'object' })
    const peer = await (await serve({}, server)).connect()
    peer.call(1, 'hang', 1)
    cancel(peer, 1)
    await expect.poll(() => own.mock.calls).toEqual([[{ id: 1 }]])
    expect(hanging[0]?.signal.aborted).toBe(false)
  })

  test('over HTTP there is none', async () => {
    const response = await serverOf({ onError: () => undefined }).handle(JSON.stringify(request(1, '$/cancelRequest')))
    expect(JSON.parse(response as string)).toMatchObject({ error: { code: -32601 } })
  })
})

interface Api {
  hang: (name: unknown) => unknown
  add: (a: number, b: number) => number
}

async function clientOf(options: ClientOptions = {}, own: ClientSocketOptions = {}) {
  const serving = await serve()
  const sent: string[] = []
  const connect = (url: string) => {
    const socket = new WebSocket(url)
    const send = socket.send.bind(socket)
    return Object.assign(socket, {
      send: (text: string) => {
        sent.push(text)
        send(text)
      },
    })
  }
  const transport = webSocket({ connect, ...own })
  onTestFinished(() => transport.close())
  const cancellations = () =>
    sent
      .map((text) => JSON.parse(text))
      .filter(({ method }) => method === '$/cancelRequest')
      .map(({ params }) => params.id)
  return { client: createClient<Api>(serving.url, { transport, ...options }), transport, serving, cancellations }
}

describe('the client cancels', () => {
  test('a call whose signal aborts, once', async () => {
    const { client, cancellations } = await clientOf()
    const controller = new AbortController()
    const call = client.$with({ signal: controller.signal }).hang(1)
    await expect.poll(names).toEqual([1])
    controller.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    await expect.poll(() => hanging[0]?.signal.aborted).toBe(true)
    expect(await client.add(1, 2)).toBe(3)
    expect(cancellations()).toEqual([1])
  })

  test('a call that exceeds timeoutMs', async () => {
    const { client, cancellations } = await clientOf()
    // The connection is open: a call that was never sent is not cancelled.
    await client.add(1, 2)
    await expect(client.$with({ timeoutMs: 50 }).hang(1)).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await client.add(1, 2)).toBe(3)
    expect(cancellations()).toEqual([2])
    await expect.poll(() => hanging.every(({ signal }) => signal.aborted)).toBe(true)
  })

  test('a call that is sent again, after its last attempt', async () => {
    const { client, cancellations } = await clientOf({ idempotent: ['hang'], retries: { attempts: 1, baseMs: 1 } })
    await client.add(1, 2)
    await expect(client.$with({ timeoutMs: 50 }).hang(1)).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await client.add(1, 2)).toBe(3)
    expect(cancellations()).toEqual([2])
    await expect.poll(() => hanging.map(({ signal }) => signal.aborted)).toEqual(hanging.map(() => true))
  })

  test('one call of a batch, and all of them', async () => {
    const { client, cancellations } = await clientOf({ batch: true })
    const [one, two] = [new AbortController(), new AbortController()]
    const calls = [one, two].map(({ signal }, at) => client.$with({ signal }).hang(at))
    const outcomes = Promise.allSettled(calls)
    await expect.poll(names).toEqual([0, 1])
    one.abort()
    await expect.poll(() => hanging.map(({ signal }) => signal.aborted)).toEqual([true, false])
    two.abort()
    await expect.poll(() => hanging.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(cancellations()).toEqual([1, 2])
  })

  test('a call of a batch that ends before the connection is open, when it is sent', async () => {
    const { client, cancellations } = await clientOf({ batch: true })
    const controller = new AbortController()
    const aborted = client.$with({ signal: controller.signal }).hang('aborted')
    const other = client.add(1, 2)
    // Both are on their way to a connection that is not open yet.
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    expect(await other).toBe(3)
    expect(cancellations()).toEqual([1])
  })

  test('no call that has ended, nor one that was not sent', async () => {
    const { client, transport, cancellations } = await clientOf()
    const controller = new AbortController()
    const early = client.$with({ signal: controller.signal }).hang('early')
    controller.abort()
    await expect(early).rejects.toThrow()
    expect(await client.add(1, 2)).toBe(3)
    await client.$batch([client.$request.add(1, 2), client.$request.add(3, 4)])
    await expect(client.$call('unknown')).rejects.toThrow()
    const call = client.hang('closed')
    await expect.poll(names).toEqual(['closed'])
    transport.close()
    await expect(call).rejects.toThrow('closed by close()')
    expect(cancellations()).toEqual([])
  })

  test('nothing with cancel: false', async () => {
    const { client, cancellations } = await clientOf({}, { cancel: false })
    await expect(client.$with({ timeoutMs: 50 }).hang(1)).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await client.add(1, 2)).toBe(3)
    expect(cancellations()).toEqual([])
  })
})
