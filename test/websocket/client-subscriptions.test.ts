import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { RpcError, RpcServer } from 'rpc-gen'
import { createClient, RpcTransportError } from 'rpc-gen/client'
import { type WebSocketOptions, webSocket } from 'rpc-gen/client/websocket'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { serveWebSocket } from './serving.js'

interface Api {
  count: (to: number) => AsyncIterable<number>
  large: (count: number) => AsyncIterable<string>
  endless: (from: number) => AsyncIterable<number>
  fail: () => AsyncIterable<string>
  eth_subscribe: (kind: string) => AsyncIterable<number>
  add: (a: number, b: number) => number
}

let running = 0
let produced = 0

beforeEach(() => {
  running = 0
  produced = 0
})

async function* count(to: number): AsyncGenerator<number> {
  for (let at = 1; at <= to; at += 1) {
    yield at
    produced = at
  }
}

async function* large(count: number): AsyncGenerator<string> {
  for (; produced < count; produced += 1) yield 'x'.repeat(7 * 1024 * 1024)
}

async function* endless(from: number): AsyncGenerator<number> {
  running += 1
  try {
    for (let at = from; ; at += 1) {
      yield at
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } finally {
    running -= 1
  }
}

async function* fail(): AsyncGenerator<string> {
  yield 'first'
  throw new RpcError(7, 'failed', { data: [1] })
}

const server = new RpcServer({ onError: () => undefined })
for (const [name, fn] of Object.entries({ count, large, endless, fail, eth_subscribe: () => endless(0) })) {
  server.registerProcedure(fn as () => unknown, { name, unchecked: true, subscription: true })
}
server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })

async function open(options: WebSocketOptions = {}) {
  const serving = await serveWebSocket(server)
  onTestFinished(() => serving.stop())
  const transport = webSocket({ connect: (url) => new WebSocket(url), reconnect: { baseMs: 10 }, ...options })
  onTestFinished(() => transport.close())
  const client = createClient<Api>(serving.url, { transport })
  return { serving, transport, client }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('the items until the end, of several at once, beside calls', async () => {
  const onNotification = vi.fn()
  const { transport, client } = await open({ onNotification })
  const one = all(transport.subscribe(client, client.$request.count(1000)))
  const two: Promise<number[]> = all(transport.subscribe(client, client.$request.count(2)))
  expect(await client.add(1, 2)).toBe(3)
  expect((await one).length).toBe(1000)
  expect(await two).toEqual([1, 2])
  expect(onNotification).not.toHaveBeenCalled()
})

test.each(['endless', 'eth_subscribe'] as const)('break unsubscribes from %s', async (name) => {
  const { transport, client } = await open()
  for await (const item of transport.subscribe(client, client.$request[name](0 as never))) if (item === 3) break
  await expect.poll(() => running).toBe(0)
})

test('the error of the procedure is thrown, once', async () => {
  const { transport, client } = await open()
  const items = transport.subscribe(client, client.$request.fail())
  expect(await items.next()).toEqual({ done: false, value: 'first' })
  await expect(items.next()).rejects.toMatchObject({ code: 7, message: 'failed', data: [1] })
  expect(await items.next()).toEqual({ done: true, value: undefined })
})

test('too many unread items end the iterator', async () => {
  const { transport, client } = await open()
  const items = transport.subscribe(client, client.$request.count(10_100))
  await expect.poll(() => produced, { timeout: 10_000 }).toBe(10_100)
  // The response comes after the items.
  expect(await client.add(1, 2)).toBe(3)
  await expect(all(items)).rejects.toThrow('count: more than 10000 items wait for the iterator')
})

test('unread items end the iterator by their size, too', async () => {
  const { transport, client } = await open()
  const items = transport.subscribe(client, client.$request.large(10))
  await expect.poll(() => produced, { timeout: 10_000 }).toBe(10)
  await expect.poll(() => client.add(1, 2)).toBe(3)
  await expect(all(items)).rejects.toThrow('large: more than items of 67108864 characters wait for the iterator')
})

describe('a server that sends notifications before the id', () => {
  /** Sends `count` notifications of `size` characters instead of a response, and the number of those that it was read. */
  async function hostile(count: number, size: number) {
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(wss, 'listening')
    onTestFinished(() => {
      for (const socket of wss.clients) socket.terminate()
      wss.close()
    })
    const params = { subscription: 'a', result: 'x'.repeat(size) }
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'count', params })
    const closed = new Promise<number>((resolve) => {
      wss.on('connection', (socket) => {
        socket.on('close', resolve)
        socket.on('message', () => {
          for (let sent = 0; sent < count; sent += 1) socket.send(notification)
        })
      })
    })
    const transport = webSocket({ connect: (url) => new WebSocket(url), reconnect: false })
    onTestFinished(() => transport.close())
    const url = `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`
    return { closed, transport, client: createClient<Api>(url, { transport }) }
  }

  test.each([
    [10_001, 1],
    [5, 16 * 1024 * 1024],
  ])('%d of %d characters: the connection is closed, and the subscription fails', async (count, size) => {
    const { closed, transport, client } = await hostile(count, size)
    const items = transport.subscribe(client, client.$request.count(1))
    await expect(items.next()).rejects.toThrow('too many notifications before the id of their subscription')
    expect(await closed).toBe(1000)
  })

  test('of another subscription, which the caller has made itself: they are passed on', async () => {
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(wss, 'listening')
    onTestFinished(() => void wss.close())
    wss.on('connection', (socket) => {
      const notify = (subscription: string, result: unknown) =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'count', params: { subscription, result } }))
      socket.on('message', (data) => {
        const { id } = JSON.parse(`${data}`)
        notify('mine', 1)
        notify('a', 2)
        notify('mine', 3)
        socket.send(JSON.stringify({ jsonrpc: '2.0', result: 'a', id }))
      })
    })
    const onNotification = vi.fn()
    const transport = webSocket({ connect: (url) => new WebSocket(url), reconnect: false, onNotification })
    onTestFinished(() => transport.close())
    const client = createClient<Api>(`ws://127.0.0.1:${(wss.address() as AddressInfo).port}`, { transport })
    const items = transport.subscribe(client, client.$request.count(1))
    expect(await items.next()).toEqual({ done: false, value: 2 })
    await expect.poll(() => onNotification.mock.calls.length).toBe(2)
    expect(onNotification.mock.calls.map(([, params]) => params)).toEqual([
      { subscription: 'mine', result: 1 },
      { subscription: 'mine', result: 3 },
    ])
  })

  test('10,000 wait for it', async () => {
    const { transport, client } = await hostile(10_000, 1)
    const items = transport.subscribe(client, client.$request.count(1))
    const first = items.next().catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 100))
    transport.close()
    expect(String(await first)).toContain('closed by close()')
  })
})

test.each([{}, ['a'], true, null])('a result that is not an id fails the subscription: %j', async (result) => {
  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(wss, 'listening')
  onTestFinished(() => void wss.close())
  wss.on('connection', (socket) =>
    socket.on('message', (data) => {
      const calls = [JSON.parse(`${data}`)].flat()
      const responses = calls.map(({ id }) => ({ jsonrpc: '2.0', result, id }))
      socket.send(JSON.stringify(responses.length > 1 ? responses : responses[0]))
    }),
  )
  const url = `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`
  for (const batch of [false, true]) {
    const transport = webSocket({ connect: (to) => new WebSocket(to), reconnect: false })
    onTestFinished(() => transport.close())
    const client = createClient<Api>(url, { transport, batch })
    const both = [1, 2].map((count) => transport.subscribe(client, client.$request.count(count)).next())
    for (const first of both) await expect(first).rejects.toThrow('the result is not the id of a subscription')
  }
})

test('with a signal that is aborted already, nothing is sent', async () => {
  const { transport, client } = await open()
  const signals = [AbortSignal.abort(new Error('given up'))]
  const items = transport.subscribe(client, client.$request.endless(5), { signals })
  await expect(items.next()).rejects.toThrow('given up')
  expect(await client.add(1, 2)).toBe(3)
  expect(running).toBe(0)
})

test('a signal that aborts ends it at once: items that wait are not read', async () => {
  const { transport, client } = await open()
  const controller = new AbortController()
  const items = transport.subscribe(client, client.$request.endless(1), { signals: [controller.signal] })
  expect(await items.next()).toEqual({ done: false, value: 1 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  controller.abort(new Error('stopped'))
  await expect(items.next()).rejects.toThrow('stopped')
})

test('a call that is rejected', async () => {
  const { transport, client } = await open()
  const request = client.$request.add(1, 2) as never
  await expect(
    all(transport.subscribe(client, { ...(request as object), method: 'unknown' } as never)),
  ).rejects.toThrow(RpcError)
})

test('one that begins after its call was given up is ended', async () => {
  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(wss, 'listening')
  onTestFinished(() => void wss.close())
  const received: unknown[] = []
  wss.on('connection', (socket) => {
    socket.on('message', (data) => {
      const message = JSON.parse(`${data}`)
      received.push([message.method, message.params])
      const response = JSON.stringify({ jsonrpc: '2.0', result: 'late', id: message.id })
      if (message.id !== undefined) setTimeout(() => socket.send(response), 100)
    })
  })
  const transport = webSocket({ connect: (url) => new WebSocket(url), reconnect: false })
  onTestFinished(() => transport.close())
  const url = `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`
  const client = createClient<Api>(url, { transport, timeoutMs: 30 })
  // The connection is open before the time begins.
  await client.$with({ timeoutMs: 0 }).add(1, 2)
  const items = transport.subscribe(client, client.$request.count(1))
  await expect(items.next()).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect.poll(() => received).toContainEqual(['rpc.unsubscribe', ['late']])
})

describe('a lost connection', () => {
  test('throws, and ends the iterator of the server', async () => {
    const { transport, client, serving } = await open()
    const items = transport.subscribe(client, client.$request.endless(5))
    expect((await items.next()).value).toBe(5)
    for (const socket of serving.sockets) socket.terminate()
    await expect(all(items)).rejects.toBeInstanceOf(RpcTransportError)
    await expect.poll(() => running).toBe(0)
  })

  test('with resubscribe the loop continues after reconnecting', async () => {
    const { transport, client, serving } = await open()
    const items = transport.subscribe(client, client.$request.endless(5), { resubscribe: true })
    for (let times = 0; times < 3; times += 1) {
      // From the beginning: what was missed is not sent.
      let item: number
      do item = (await items.next()).value
      while (item !== 5)
      expect((await items.next()).value).toBe(6)
      for (const socket of serving.sockets) socket.terminate()
    }
    await items.return?.()
    await expect.poll(() => running).toBe(0)
  })

  test('with resubscribe the loop continues also after a connect function that has thrown', async () => {
    let attempts = 0
    const connect = (url: string) => {
      attempts += 1
      if (attempts === 2) throw new Error('no token')
      return new WebSocket(url)
    }
    const { serving, transport, client } = await open({ connect })
    const items = transport.subscribe(client, client.$request.endless(5), { resubscribe: true })
    expect((await items.next()).value).toBe(5)
    for (const socket of serving.sockets) socket.terminate()
    let item: number
    do item = (await items.next()).value
    while (item !== 5)
    expect(attempts).toBe(3)
    await items.return?.()
  })

  test('with resubscribe throws if reconnecting fails', async () => {
    const { transport, client, serving } = await open({ reconnect: { baseMs: 1, maxMs: 1, attempts: 2 } })
    const items = transport.subscribe(client, client.$request.endless(5), { resubscribe: true })
    await items.next()
    await serving.stop()
    await expect(all(items)).rejects.toBeInstanceOf(RpcTransportError)
  })

  test('close() throws', async () => {
    const { transport, client } = await open()
    const items = transport.subscribe(client, client.$request.endless(5), { resubscribe: true })
    await items.next()
    transport.close()
    await expect(all(items)).rejects.toThrow('closed by close()')
  })
})

test('an unreachable server', async () => {
  const { transport, client, serving } = await open()
  await serving.stop()
  const items = transport.subscribe(client, client.$request.endless(5), { resubscribe: true })
  await expect(items.next()).rejects.toBeInstanceOf(RpcTransportError)
})

test('for await over a call that is not a subscription rejects with a hint', async () => {
  const { client } = await open()
  const error = new TypeError('count is not in the option subscriptions')
  await expect(all(client.count(2))).rejects.toThrow(error)
  await expect(all(createClient<Api>('http://127.0.0.1:1/').count(2))).rejects.toThrow(error)
  expect(await client.add(1, 2)).toBe(3)
})
