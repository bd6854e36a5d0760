import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Int, type RpcContext, RpcError, RpcServer } from 'rpc-gen'
import { type ClientOptions, createClient, RpcTransportError, tableCodec } from 'rpc-gen/client'
import { type WebSocketLike, type WebSocketOptions, webSocket } from 'rpc-gen/client/websocket'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { serveWebSocket } from './serving.js'

interface Api {
  add: (a: Int, b: Int) => Int
  when: (at: Date) => Date
  fail: () => never
  hang: () => string
  'notes.add': (note: string) => void
  announce: (text: string) => void
}

let notes: string[] = []
let hanging: ((value: string) => void)[] = []

beforeEach(() => {
  notes = []
  hanging = []
})

const server = new RpcServer({ onError: () => undefined, limits: { bodyBytes: 10_000 } })
const register = (name: string, fn: (...args: never[]) => unknown, contextTarget?: number) =>
  server.registerProcedure(fn, { name, unchecked: true, ...(contextTarget === undefined ? {} : { contextTarget }) })
register('add', (a: number, b: number) => a + b)
register('when', (at: string) => at)
register('fail', () => {
  throw new RpcError(7, 'failed', { data: [1] })
})
register('hang', () => new Promise<string>((resolve) => void hanging.push(resolve)))
register('notes.add', (note: string) => void notes.push(note))
register('announce', (text: string, { notify }: RpcContext) => void notify?.('announced', [text]), 1)

/** Node 20 does not have WebSocket. */
const connect = (url: string) => new WebSocket(url)

async function open(own: WebSocketOptions = {}, options: ClientOptions = {}) {
  const serving = await serveWebSocket(server)
  onTestFinished(() => serving.stop())
  return { serving, ...clientOf(serving.url, own, options) }
}

function clientOf(url: string, own: WebSocketOptions = {}, options: ClientOptions = {}) {
  const transport = webSocket({ connect, ...own })
  onTestFinished(() => transport.close())
  return { transport, client: createClient<Api>(url, { transport, ...options }) }
}

/** A server with prepared responses. */
async function scripted(respond: (message: { id: number }, socket: WebSocket, connection: number) => void) {
  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  let connections = 0
  wss.on('connection', (socket) => {
    connections += 1
    const connection = connections
    socket.on('message', (data) => respond(JSON.parse(`${data}`), socket, connection))
  })
  await once(wss, 'listening')
  const stop = async () => {
    for (const socket of wss.clients) socket.terminate()
    await new Promise((resolve) => wss.close(resolve))
  }
  onTestFinished(stop)
  return { url: `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`, stop, connections: () => connections }
}

describe('calls', () => {
  test('share one connection; results and errors find their calls', async () => {
    const { client, serving } = await open()
    const slow = client.hang()
    expect(await Promise.all([client.add(1, 2), client.add(3, 4)])).toEqual([3, 7])
    await expect(client.fail()).rejects.toMatchObject({ code: 7, message: 'failed', data: [1] })
    await expect(client.$call('unknown')).rejects.toThrow(RpcError)
    hanging[0]?.('done')
    expect(await slow).toBe('done')
    expect(serving.sockets.size).toBe(1)
  })

  test('batches, automatic ones too, and notifications', async () => {
    const { client } = await open({}, { batch: true })
    const { $request } = client
    expect(await client.$batch([$request.add(1, 1), $request.$notify.notes.add('a'), $request.add(2, 2)])).toEqual([
      2,
      undefined,
      4,
    ])
    const settled = await client.$batchSettled([$request.add(1, 1), $request.fail()])
    expect(settled).toMatchObject([{ value: 2 }, { reason: { code: 7 } }])
    await client.$notify.notes.add('b')
    expect(await Promise.all([client.add(1, 2), client.add(3, 4)])).toEqual([3, 7])
    expect(notes).toEqual(['a', 'b'])
  })

  test('a codec converts', async () => {
    const codec = tableCodec({ methods: { when: { params: { at: 'date' }, result: 'date' } } })
    const { client } = await open({}, { codec })
    expect(await client.when(new Date(0))).toEqual(new Date(0))
  })

  test('timeoutMs and signal end one call only', async () => {
    const { client } = await open()
    // The time includes that of opening the connection.
    await client.add(1, 2)
    await expect(client.$with({ timeoutMs: 20 }).hang()).rejects.toMatchObject({ name: 'TimeoutError' })
    const controller = new AbortController()
    const call = client.$with({ signal: controller.signal }).hang()
    controller.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    const other = client.hang()
    await expect.poll(() => hanging.length).toBe(3)
    // Late responses belong to no call.
    for (const resolve of hanging) resolve('late')
    expect(await other).toBe('late')
    expect(await client.add(1, 2)).toBe(3)
  })

  test('an error without an id is of the only call', async () => {
    const { client } = await open()
    await expect(client.notes.add('x'.repeat(20_000))).rejects.toMatchObject({ code: -32600 })
    expect(await client.add(1, 2)).toBe(3)
  })

  test('an error without an id among several calls fails all of them', async () => {
    const { client } = await open()
    const calls = [client.hang(), client.notes.add('x'.repeat(20_000))]
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(RpcTransportError)
      expect(reason.message).toContain('an error without the id of a call: -32600 Invalid Request')
    }
    expect(await client.add(1, 2)).toBe(3)
  })
})

describe('messages of the server', () => {
  test('notifications are passed to the handler', async () => {
    const onNotification = vi.fn()
    const { client } = await open({ onNotification })
    await client.announce('hello')
    expect(onNotification.mock.calls).toEqual([['announced', ['hello']]])
  })

  test('an error of the handler is reported, and the connection is kept', async () => {
    const onNotification = () => {
      throw new Error('of the handler')
    }
    const { client } = await open({ onNotification }, { timeoutMs: 2000 })
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const reported = once(process, 'uncaughtException')
    try {
      await client.announce('hello')
      expect((await reported)[0]).toMatchObject({ message: 'of the handler' })
    } finally {
      for (const each of others) process.on('uncaughtException', each)
    }
    expect(await client.add(1, 2)).toBe(3)
  })

  test('a request is a method that is not found', async () => {
    const received = vi.fn()
    const { url } = await scripted((message, socket) => {
      received(message)
      if (message.id === 1) socket.send('{"jsonrpc":"2.0","method":"ask","id":"s1"}')
      socket.send(JSON.stringify({ jsonrpc: '2.0', result: null, id: 1 }))
    })
    await clientOf(url).client.add(1, 2)
    const error = { code: -32601, message: 'Method not found' }
    await expect.poll(() => received.mock.lastCall).toEqual([{ jsonrpc: '2.0', error, id: 's1' }])
  })

  test.each([
    ['{', 'a message is not JSON: "{"'],
    ['{"jsonrpc":"2.0","result":1e999,"id":1}', 'a message is not JSON'],
    ['{"jsonrpc":"2.0","id":1}', 'the response is not JSON-RPC 2.0'],
    [`"${'x'.repeat(2000)}"`, 'more than maxResponseBytes (1000)'],
  ])('%j rejects the call', async (text, message) => {
    const { url } = await scripted((_, socket) => socket.send(text))
    const { client } = clientOf(url, {}, { maxResponseBytes: 1000 })
    await expect(client.add(1, 2)).rejects.toThrow(message)
  })

  test('bytes that are not UTF-8 reject the call with that reason', async () => {
    const { url } = await scripted((_, socket) => socket.send(Buffer.from([0x22, 0xff, 0x22])))
    await expect(clientOf(url).client.add(1, 2)).rejects.toThrow('a message is not UTF-8')
  })

  test('bytes are text', async () => {
    const { url } = await scripted(({ id }, socket) =>
      socket.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', result: 'ü', id }))),
    )
    expect(await clientOf(url).client.hang()).toBe('ü')
  })
})

describe('a lost connection', () => {
  const reconnect = { baseMs: 10, maxMs: 20 }

  test('rejects the calls without a response, and reconnects', async () => {
    const onOpen = vi.fn()
    const onClose = vi.fn()
    const { client, serving } = await open({ reconnect, onOpen, onClose })
    const call = client.hang()
    await expect.poll(() => hanging.length).toBe(1)
    for (const socket of serving.sockets) socket.close(1012, 'restart')
    await expect(call).rejects.toThrow(`${serving.url}: the connection was closed: 1012 restart`)
    await expect(call).rejects.toBeInstanceOf(RpcTransportError)
    await expect.poll(() => onOpen.mock.calls.length).toBe(2)
    expect(onClose.mock.calls).toEqual([[{ code: 1012, reason: 'restart' }]])
    expect(await client.add(1, 2)).toBe(3)
  })

  test('a call of an idempotent procedure is sent again, and so is a batch of them', async () => {
    const { url, connections } = await scripted((message, socket, connection) => {
      if (connection === 1) return socket.terminate()
      const entries = [message].flat()
      const responses = entries.map(({ id }) => ({ jsonrpc: '2.0', result: id, id }))
      socket.send(JSON.stringify(Array.isArray(message) ? responses : responses[0]))
    })
    const { client } = clientOf(url, { reconnect }, { idempotent: ['add'], retries: { baseMs: 1 } })
    expect(await client.add(1, 2)).toBe(1)
    expect(connections()).toBe(2)
  })

  test('a call during the connection attempt waits for it', async () => {
    const { client, serving } = await open({ reconnect: { baseMs: 100 } })
    await client.add(1, 2)
    for (const socket of serving.sockets) socket.terminate()
    await expect.poll(() => serving.sockets.size).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await client.add(1, 2)).toBe(3)
  })

  test('reconnecting is tried a limited number of times, then again with the next call', async () => {
    const { url, stop } = await scripted(({ id }, socket) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', result: 1, id })),
    )
    const attempts = vi.fn(connect)
    const { client } = clientOf(url, { reconnect: { ...reconnect, attempts: 2 }, connect: attempts })
    expect(await client.add(1, 2)).toBe(1)
    await stop()
    await expect.poll(() => attempts.mock.calls.length).toBe(3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(attempts).toHaveBeenCalledTimes(3)
    await expect(client.add(1, 2)).rejects.toBeInstanceOf(RpcTransportError)
    expect(attempts).toHaveBeenCalledTimes(4)
  })

  test('a server that sends a message and closes does not reset the delay', async () => {
    const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await once(wss, 'listening')
    onTestFinished(() => void wss.close())
    wss.on('connection', (socket) => {
      socket.send('{"jsonrpc":"2.0","method":"hello"}')
      socket.close()
    })
    const attempts = vi.fn(connect)
    const onNotification = vi.fn()
    const url = `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`
    const own = { reconnect: { ...reconnect, attempts: 3 }, connect: attempts, onNotification }
    const { client } = clientOf(url, own)
    await expect(client.add(1, 2)).rejects.toBeInstanceOf(RpcTransportError)
    await expect.poll(() => attempts.mock.calls.length).toBe(4)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(attempts).toHaveBeenCalledTimes(4)
    expect(onNotification).toHaveBeenCalledTimes(4)
  })

  test('with reconnect false the next call connects', async () => {
    const attempts = vi.fn(connect)
    const { client, serving } = await open({ reconnect: false, connect: attempts })
    await client.add(1, 2)
    for (const socket of serving.sockets) socket.terminate()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(attempts).toHaveBeenCalledTimes(1)
    expect(await client.add(1, 2)).toBe(3)
    expect(attempts).toHaveBeenCalledTimes(2)
  })

  test('close() ends it: running and later calls reject', async () => {
    const attempts = vi.fn(connect)
    const { client, transport, serving } = await open({ reconnect, connect: attempts })
    const call = client.hang()
    await expect.poll(() => hanging.length).toBe(1)
    transport.close()
    await expect(call).rejects.toThrow('the connection was closed by close()')
    await expect(client.add(1, 2)).rejects.toThrow('the connection was closed by close()')
    await expect.poll(() => serving.sockets.size).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(attempts).toHaveBeenCalledTimes(1)
  })
})

test('a server that does not close the connection too is not read any more, and destroyed', async () => {
  const { url } = await scripted((_, socket) => {
    socket.send('not JSON')
    // It does not read, and so does not close, and sends more.
    socket.pause()
    socket.send('{"jsonrpc":"2.0","method":"more"}')
  })
  const onNotification = vi.fn()
  const onClose = vi.fn()
  const { client } = clientOf(url, { reconnect: false, onNotification, onClose })
  await expect(client.add(1, 2)).rejects.toThrow('a message is not JSON')
  // By itself ws destroys it after 30 seconds.
  await expect.poll(() => onClose.mock.calls.length, { timeout: 15_000 }).toBe(1)
  expect(onNotification).not.toHaveBeenCalled()
})

describe('errors', () => {
  test('an unreachable server', async () => {
    const { url, stop } = await scripted(() => {})
    await stop()
    const { client } = clientOf(url)
    const error = await client.add(1, 2).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    const words = 'check the server, path, Origin and credentials'
    const { port } = new URL(url)
    expect((error as Error).message).toBe(
      `${url}: the connection could not be opened: connect ECONNREFUSED 127.0.0.1:${port}: ${words}`,
    )
  })

  test('a server that rejects the connection: its status, where the platform shows it', async () => {
    const { serving } = await open()
    const url = `${serving.url}/elsewhere`
    await expect(clientOf(url).client.add(1, 2)).rejects.toThrow(
      `${url}: the connection could not be opened: Unexpected server response: 404: check the server`,
    )
    const ofPage = (to: string) => {
      const socket = connect(to)
      const listen = socket.addEventListener.bind(socket) as (type: string, listener: (event: object) => void) => void
      const addEventListener = (type: string, listener: (event: object) => void) =>
        listen(type, type === 'error' ? () => listener({}) : listener)
      return Object.assign(socket, { addEventListener })
    }
    await expect(clientOf(url, { connect: ofPage }).client.add(1, 2)).rejects.toThrow(
      `${url}: the connection could not be opened: 1006: check the server`,
    )
  })

  test.each([
    ['http://127.0.0.1/', 'is not a ws(s) URL'],
    ['/rpc', 'is not a ws(s) URL'],
    ['ws://ada:secret@127.0.0.1/', '"@127.0.0.1/" has credentials'],
  ])('the URL %s', async (url, message) => {
    const call = clientOf(url).client.add(1, 2)
    await expect(call).rejects.toThrow(TypeError)
    await expect(call).rejects.toThrow(message)
  })

  test('headers, which a WebSocket does not have', async () => {
    const { client } = await open()
    await expect(client.$with({ headers: { 'X-A': '1' } }).add(1, 2)).rejects.toThrow(
      'webSocket(): the client has headers or auth, which a WebSocket cannot send: use the option connect, or a cookie',
    )
    expect(await client.$with({ timeoutMs: 1000 }).add(1, 2)).toBe(3)
  })

  test('a platform without WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined)
    const transport = webSocket()
    await expect(createClient<Api>('ws://127.0.0.1/', { transport }).add(1, 2)).rejects.toThrow('has no WebSocket')
    vi.unstubAllGlobals()
  })

  test('a connect function that throws once', async () => {
    let isReady = false
    const { client } = await open({
      connect: (url) => {
        if (!isReady) throw new Error('not yet')
        return connect(url)
      },
    })
    await expect(client.add(1, 2)).rejects.toThrow('not yet')
    isReady = true
    expect(await client.add(1, 2)).toBe(3)
  })

  test('a transport of two clients', async () => {
    const { client, transport, serving } = await open()
    const other = createClient<Api>(serving.url, { transport })
    const first = client.hang()
    await expect.poll(() => hanging.length).toBe(1)
    await expect(other.hang()).rejects.toThrow('one transport cannot serve two clients')
    hanging[0]?.('one')
    expect(await first).toBe('one')
  })
})

test.each(['ws://127.0.0.1/', 'WSS://127.0.0.1/'])(
  '%s without the transport is an error that names it',
  async (url) => {
    const error = new TypeError(`"${url}" needs the transport webSocket()`)
    await expect(createClient<Api>(url).add(1, 2)).rejects.toThrow(error)
  },
)

test('in a browser too, where other URLs may be relative', async () => {
  vi.stubGlobal('location', { href: 'http://127.0.0.1/' })
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(createClient<Api>('ws://127.0.0.1/').add(1, 2)).rejects.toThrow('needs the transport webSocket()')
})

describe('a hostile server', () => {
  const deep = (text: string) => `${'['.repeat(20_000)}${text}${']'.repeat(20_000)}`
  const values = [
    'null',
    '1',
    '"x"',
    '{}',
    '[]',
    '{"toString":1}',
    '[[{"toString":1}]]',
    '1e400',
    '-0',
    'true',
    deep('1'),
  ]
  const messages = [
    ...values,
    ...values.map((value) => `{"id":null,"error":${value}}`),
    ...values.flatMap((value) => [
      `{"id":null,"error":{"code":${value},"message":"m"}}`,
      `{"id":null,"error":{"code":1,"message":${value}}}`,
    ]),
    ...values.map((value) => `{"method":"x","id":${value}}`),
    ...values.map((value) => `{"method":"x","params":{"subscription":${value},"error":${value}}}`),
    ...values.map(
      (value) =>
        `{"jsonrpc":"2.0","method":"ticks","params":{"subscription":"s","error":{"code":${value},"message":${value}}}}`,
    ),
    ...values.map((value) => `[{"id":null,"error":{"code":1,"message":${value}}}, {"method":"x","id":${value}}]`),
  ]

  // An exception in a listener would end the process: Vitest reports it as an error of the run.
  test.each(messages.map((message) => [message.slice(0, 80), message]))('sends %s', async (_, message) => {
    const { url } = await scripted(({ id }, socket) => {
      socket.send(message)
      socket.send(`{"jsonrpc":"2.0","result":3,"id":${id}}`)
    })
    const { client } = clientOf(url)
    const outcome = await client.add(1, 2).catch((error: unknown) => error)
    expect(outcome === 3 || outcome instanceof RpcError || outcome instanceof RpcTransportError).toBe(true)
  })

  test('whose errors of a subscription are not errors ends it with an RpcError', async () => {
    const { url } = await scripted(({ id }, socket) => {
      socket.send(`{"jsonrpc":"2.0","result":"s","id":${id}}`)
      socket.send(
        '{"jsonrpc":"2.0","method":"ticks","params":{"subscription":"s","error":{"code":"x","message":{"toString":1}}}}',
      )
    })
    const { transport, client } = clientOf(url)
    const items = transport.subscribe(client, { method: 'ticks', params: [] })
    await expect(items.next()).rejects.toMatchObject({ code: -32000, message: 'no message' })
  })

  test('that calls and does not read gets no more responses', async () => {
    let waiting = 0
    const sent: string[] = []
    const listeners = new Map<string, (event: unknown) => void>()
    const socket: WebSocketLike = {
      binaryType: '',
      get bufferedAmount() {
        return waiting
      },
      send: (text) => void sent.push(text),
      close: () => undefined,
      addEventListener: (type, listener) => void listeners.set(type, listener),
    }
    const { client } = clientOf('ws://127.0.0.1:1', { connect: () => socket })
    const call = client.add(1, 2)
    listeners.get('open')?.({})
    await expect.poll(() => sent.length).toBe(1)
    const receive = (data: string) => listeners.get('message')?.({ data })
    receive('{"method":"x","id":7}')
    expect(sent.at(-1)).toContain('-32601')
    receive(`{"method":"x","id":"${'a'.repeat(100_000)}"}`)
    waiting = 2 ** 21
    receive('{"method":"x","id":8}')
    expect(sent).toHaveLength(2)
    receive('{"jsonrpc":"2.0","result":3,"id":1}')
    expect(await call).toBe(3)
  })
})
