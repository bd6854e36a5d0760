import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net'
import { type RpcContext, RpcServer } from 'rpc-gen'
import { type ClientOptions, createClient, RpcTransportError } from 'rpc-gen/client'
import { type WebSocketLike, type WebSocketOptions, webSocket } from 'rpc-gen/client/websocket'
import { type WebSocketOptions as ServerOptions, webSocket as webSocketOf } from 'rpc-gen/websocket'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { serveWebSocket } from './serving.js'

interface Api {
  add: (a: number, b: number) => number
  hang: () => string
  ticks: () => AsyncIterable<number>
}

async function* ticks({ signal }: RpcContext): AsyncGenerator<number> {
  for (let at = 1; !signal.aborted; at += 1) {
    yield at
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function serverOf(onError: (error: Error) => void = () => {}): RpcServer {
  const server = new RpcServer({ onError, auth: () => false })
  const register = (name: string, fn: (...args: never[]) => unknown, more = {}) =>
    server.registerProcedure(fn, { name, unchecked: true, auth: 'public', ...more })
  register('add', (a: number, b: number) => a + b)
  register('hang', () => new Promise(() => {}))
  register('ticks', ticks, { subscription: true, contextTarget: 0 })
  return server
}

/** A relay in front of a server, which can forget its connections without closing them. */
async function relayTo(port: number) {
  const sockets = new Set<Socket>()
  const forgotten = new Set<number>()
  let count = 0
  const relay = createServer((near) => {
    count += 1
    const number = count
    const far = connectTo(port, '127.0.0.1')
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('close', () => forgotten.has(number) || other.destroy())
    }
    near.on('data', (data) => forgotten.has(number) || far.write(data))
    far.on('data', (data) => forgotten.has(number) || near.write(data))
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  return {
    port: (relay.address() as AddressInfo).port,
    count: () => count,
    /** Nothing passes any more over some connections, those of now by default. */
    forget: (...numbers: number[]) => {
      for (const number of numbers.length > 0 ? numbers : Array.from({ length: count }, (_, at) => at + 1)) {
        forgotten.add(number)
      }
    },
  }
}

/** What a page has: a WebSocket that cannot ping, nor be destroyed. */
function ofPage(url: string): WebSocketLike {
  const socket = new WebSocket(url)
  const own = { url, binaryType: '', send: (text: string) => socket.send(text), close: () => socket.close(1000) }
  onTestFinished(() => socket.terminate())
  return Object.assign(own, {
    addEventListener: (type: 'open', listener: (event: unknown) => void) => {
      // Of a dead connection a browser reports the end after a minute.
      if ((type as string) !== 'close') socket.addEventListener(type, listener)
    },
  })
}

const ofWs = (url: string): WebSocketLike => new WebSocket(url)

async function open(own: WebSocketOptions, options: ClientOptions = {}, server = serverOf()) {
  const serving = await serveWebSocket(server)
  onTestFinished(() => serving.stop())
  const relay = await relayTo(Number(new URL(serving.url).port))
  const onClose = vi.fn()
  const transport = webSocket({ connect: ofWs, reconnect: { baseMs: 5, maxMs: 10 }, onClose, ...own })
  onTestFinished(() => transport.close())
  const url = `ws://127.0.0.1:${relay.port}/rpc`
  return { client: createClient<Api>(url, { transport, ...options }), relay, serving, onClose, url, transport }
}

// Long enough for a busy machine, whose server responds late.
const heartbeatMs = 150

describe.each([
  ['the package ws, by ping', ofWs],
  ['a platform without ping, by a call', ofPage],
])('a dead connection is noticed: %s', (_, connect) => {
  test('while nothing happens: it is opened again', async () => {
    const { client, relay, onClose } = await open({ connect, heartbeatMs })
    expect(await client.add(1, 2)).toBe(3)
    relay.forget()
    await expect
      .poll(() => onClose.mock.calls, { timeout: 10_000 })
      .toEqual([[{ code: 1006, reason: 'no response to a heartbeat' }]])
    expect(await client.add(1, 2)).toBe(3)
    expect(relay.count()).toBe(2)
  })

  test('while calls wait: they reject, and idempotent ones are sent again', async () => {
    const { client, relay } = await open(
      { connect, heartbeatMs },
      { idempotent: ['add'], retries: { attempts: 3, baseMs: 1 } },
    )
    await client.add(1, 2)
    relay.forget()
    const [waiting, sum] = [client.hang(), client.add(2, 2)]
    await expect(waiting).rejects.toThrow('the connection was closed: 1006 no response to a heartbeat')
    await expect(waiting).rejects.toBeInstanceOf(RpcTransportError)
    expect(await sum).toBe(4)
  })

  test('while a subscription is running: it is made again', async () => {
    const { client, relay } = await open({ connect, heartbeatMs }, { subscriptions: ['ticks'], resubscribe: true })
    const received: number[] = []
    for await (const tick of client.ticks()) {
      received.push(tick)
      if (received.length === 3) relay.forget()
      if (received.length > 3 && tick === 3) break
    }
    expect(relay.count()).toBe(2)
  })

  test('by the second call that exceeds timeoutMs, long before the heartbeat', async () => {
    const { client, relay } = await open({ connect }, { timeoutMs: 500 })
    await client.add(1, 2)
    relay.forget()
    await expect(client.add(1, 2)).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(client.add(1, 2)).rejects.toThrow()
    await expect.poll(() => relay.count()).toBe(2)
    expect(await client.$with({ timeoutMs: 0 }).add(1, 2)).toBe(3)
  })

  test('before it is open', async () => {
    const { client, relay, url } = await open({ connect, openMs: 100 })
    relay.forget(1)
    await expect(client.add(1, 2)).rejects.toThrow(`${url}: the connection could not be opened: `)
    expect(await client.add(1, 2)).toBe(3)
    expect(relay.count()).toBe(2)
  })

  test('before it is open again', async () => {
    const { client, relay, serving } = await open({ connect: ofWs, openMs: 150 })
    await client.add(1, 2)
    relay.forget(2)
    for (const socket of serving.sockets) socket.terminate()
    await expect.poll(() => relay.count(), { timeout: 10_000 }).toBe(3)
    expect(await client.add(1, 2)).toBe(3)
  })
})

describe('a connection that works is kept', () => {
  test.each([
    ['ping', ofWs],
    ['a call', ofPage],
  ])('while nothing happens: %s', async (_, connect) => {
    const onError = vi.fn()
    const server = serverOf(onError)
    const { client, relay, onClose, serving } = await open({ connect, heartbeatMs: 100 }, {}, server)
    await client.add(1, 2)
    const beats = vi.fn()
    for (const socket of serving.sockets) socket.on('ping', beats).on('message', beats)
    await expect.poll(() => beats.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(4)
    expect(await client.add(1, 2)).toBe(3)
    expect([relay.count(), onClose.mock.calls.length, onError.mock.calls.length]).toEqual([1, 0, 0])
  })

  test('while a call waits, with a server that accepts no id of a text', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    onTestFinished(() => server.close())
    const ids: unknown[] = []
    server.on('connection', (socket) => {
      onTestFinished(() => socket.terminate())
      socket.on('message', (data) => {
        const { id, method } = JSON.parse(`${data}`)
        if (method === 'hang') return
        ids.push(id)
        const known = Number.isInteger(id) ? id : null
        socket.send(JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message: 'Invalid Request' }, id: known }))
        if (ids.length === 2) socket.send(JSON.stringify({ jsonrpc: '2.0', result: 'done', id: 1 }))
      })
    })
    const transport = webSocket({ connect: ofPage, heartbeatMs: 30 })
    onTestFinished(() => transport.close())
    const { port } = server.address() as AddressInfo
    expect(await createClient<Api>(`ws://127.0.0.1:${port}`, { transport }).hang()).toBe('done')
    expect(ids).toEqual([0, 0])
  })

  test('while as many calls run as may', async () => {
    const serving = await serveWebSocket(serverOf(), { limits: { calls: 1 } })
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    peer.call(1, 'hang')
    peer.send({ jsonrpc: '2.0', method: 'rpc.ping', id: 'p' })
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', result: null, id: 'p' })
  })

  test('a call that is slow does not end it', async () => {
    const { client, relay, onClose } = await open({}, { timeoutMs: 450 })
    for (let i = 0; i < 3; i += 1) await expect(client.hang()).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await client.$with({ timeoutMs: 0 }).add(1, 2)).toBe(3)
    expect([relay.count(), onClose.mock.calls.length]).toEqual([1, 0])
  })

  test('heartbeatMs: 0 sends none', async () => {
    const { client, serving } = await open({ heartbeatMs: 0 }, { timeoutMs: 450 })
    await client.$with({ timeoutMs: 0 }).add(1, 2)
    const ping = vi.fn()
    for (const socket of serving.sockets) socket.on('ping', ping)
    await expect(client.hang()).rejects.toMatchObject({ name: 'TimeoutError' })
    await client.$with({ timeoutMs: 0 }).add(1, 2)
    expect(ping).not.toHaveBeenCalled()
  })
})

test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
  'heartbeatMs and openMs of %d: no heartbeats, and no limit',
  async (ms) => {
    const ping = vi.fn()
    const connect = (url: string) => Object.assign(new WebSocket(url), { ping })
    const { client } = await open({ connect, heartbeatMs: ms, openMs: ms })
    expect(await client.add(1, 2)).toBe(3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ping).not.toHaveBeenCalled()
  },
)

describe('heartbeats that are texts', () => {
  const heartbeatTexts = { ping: 'pong', pong: null, '': null, '2': '3' }

  test('the server replies as configured, also while no further call is run, and reports no error', async () => {
    const onError = vi.fn()
    const serving = await serveWebSocket(serverOf(onError), { heartbeatTexts, limits: { calls: 1 } })
    onTestFinished(() => serving.stop())
    const socket = new WebSocket(serving.url)
    onTestFinished(() => socket.terminate())
    const received: string[] = []
    socket.on('message', (data) => void received.push(`${data}`))
    await once(socket, 'open')
    for (const text of ['pong', '', 'ping', Buffer.from('ping'), '2']) socket.send(text)
    await expect.poll(() => received).toEqual(['pong', 'pong', '3'])
    socket.send('{"jsonrpc":"2.0","method":"hang","id":1}')
    socket.send('ping')
    await expect.poll(() => received.length).toBe(4)
    expect(onError).not.toHaveBeenCalled()
    socket.terminate()
  })

  test.each(['ping', 'pong', '', 'toString', 'Ping', ' ping'])(
    'by default %j is not JSON to the server',
    async (text) => {
      const serving = await serveWebSocket(
        serverOf(),
        text === 'ping' || text === 'pong' || text === '' ? {} : { heartbeatTexts },
      )
      onTestFinished(() => serving.stop())
      const peer = await serving.connect()
      peer.send(text)
      expect(await peer.next()).toMatchObject({ error: { code: -32700 } })
    },
  )

  test.each([
    [{ heartbeatTexts: { ping: 1 } }, 'heartbeatTexts["ping"] is 1, expected the reply'],
    [{ heartbeatTexts: ['ping'] }, 'heartbeatTexts is an array, expected an object of texts and replies'],
    [{ heartbeatTexts: 'ping' }, 'heartbeatTexts is "ping", expected an object'],
    [{ heartbeatTexts: { ['x'.repeat(1001)]: null } }, 'more than 1000 characters'],
  ])('%j is an error', (options, message) => {
    expect(() => webSocketOf(serverOf(), options as unknown as ServerOptions)).toThrow(message)
  })

  /** A server that sends texts before each response. */
  async function scripted(texts: readonly (string | Buffer)[]) {
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    const received: string[] = []
    wss.on('connection', (socket) =>
      socket.on('message', (data) => {
        received.push(`${data}`)
        if (!`${data}`.startsWith('{')) return
        for (const text of texts) socket.send(text)
        socket.send(JSON.stringify({ jsonrpc: '2.0', result: 3, id: JSON.parse(`${data}`).id }))
      }),
    )
    await once(wss, 'listening')
    onTestFinished(() => {
      for (const socket of wss.clients) socket.terminate()
      wss.close()
    })
    return { url: `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`, received }
  }

  test('the client ignores them while calls wait', async () => {
    const { url, received } = await scripted(['ping', 'pong', '', Buffer.from('ping')])
    const transport = webSocket({ connect: ofWs })
    onTestFinished(() => transport.close())
    const client = createClient<Api>(url, { transport })
    expect(await client.add(1, 2)).toBe(3)
    expect(received.length).toBe(1)
  })

  test('the client replies as configured', async () => {
    const { url, received } = await scripted(['2', 'beat'])
    const transport = webSocket({ connect: ofWs, heartbeatTexts: { '2': '3', beat: null } })
    onTestFinished(() => transport.close())
    expect(await createClient<Api>(url, { transport }).add(1, 2)).toBe(3)
    await expect.poll(() => received[1]).toBe('3')
  })

  test.each(['toString', '__proto__', 'PING!'])('%j is not one', async (text) => {
    const { url } = await scripted([text])
    const transport = webSocket({ connect: ofWs, reconnect: false })
    onTestFinished(() => transport.close())
    await expect(createClient<Api>(url, { transport }).add(1, 2)).rejects.toThrow('a message is not JSON')
  })
})
