import { RpcServer } from 'rpc-gen'
import { createClient as createAny, RpcError, RpcTransportError } from 'rpc-gen/client'
import { type WebSocketOptions, webSocket } from 'rpc-gen/client/websocket'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, type Tick } from '../../fixtures/generate/subscriptions/expected.client.js'
import { type JsonParams, type JsonProcedures, procedures } from '../../fixtures/generate/subscriptions/expected.gen.js'
import { serveWebSocket } from './serving.js'

async function open(options: WebSocketOptions = {}) {
  const errors: unknown[] = []
  const serving = await serveWebSocket(new RpcServer({ procedures, onError: (error) => void errors.push(error) }))
  onTestFinished(() => serving.stop())
  const transport = webSocket({ connect: (url) => new WebSocket(url), reconnect: { baseMs: 10 }, ...options })
  onTestFinished(() => transport.close())
  const overFetch = createClient(serving.url.replace('ws:', 'http:'))
  return { serving, transport, errors, client: createClient(serving.url, { transport }), overFetch }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test.each(['client', 'overFetch'] as const)(
  'for await over the decoded items of a generated client: %s',
  async (name) => {
    const { [name]: client } = await open()
    const ticks = client.ticks('XAU')
    expectTypeOf(ticks).toEqualTypeOf<AsyncIterableIterator<Tick>>()
    expect(await all(ticks)).toEqual([{ price: 1, at: new Date(0) }])
    expect(await all(client.$named.ticks({ symbol: 'XAU' }))).toEqual([{ price: 1, at: new Date(0) }])
    expect(await all(client.user.promised())).toEqual([1n])
    expect(await all(client.declared(3))).toEqual([0, 1, 2])
    expect(await all(client.inferred(7))).toEqual([{ from: 7, name: '7' }])
    expect(await all(client.eventually(false))).toEqual([null])
    expect(await all(await client.eventually(true))).toEqual([null])
    await expect(all(client.ticks(1 as never))).rejects.toMatchObject({ code: -32602 })
  },
)

test('a client of JsonProcedures with a list of subscriptions', async () => {
  const { serving, transport } = await open()
  const client = createAny<JsonProcedures, JsonParams>(serving.url, { transport, subscriptions: ['ticks'] })
  const ticks = client.ticks('XAU')
  expectTypeOf(ticks).toEqualTypeOf<AsyncIterableIterator<{ price: number; at: string }>>()
  expect(await all(ticks)).toEqual([{ price: 1, at: '1970-01-01T00:00:00.000Z' }])
})

test.each(['client', 'overFetch'] as const)('an item that is not of the declared type ends it: %s', async (name) => {
  const { [name]: client, errors } = await open()
  const items = client.wrong()
  expect(await items.next()).toEqual({ done: false, value: 1 })
  await expect(items.next()).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
  expect(await items.next()).toEqual({ done: true, value: undefined })
  expect(errors).toMatchObject([
    {
      message:
        'an item of wrong returned a value that does not match its declared type: result: expected int, received non-integer number',
    },
  ])
})

test('an item that the client cannot convert ends it', async () => {
  const { serving, transport } = await open()
  const decodeItem = (method: string) => {
    throw new RangeError(method)
  }
  const codec = {
    encode: (_: string, params: never) => params,
    decode: (_: string, result: unknown) => result,
    decodeItem,
  }
  const client = createAny<JsonProcedures>(serving.url, { transport, codec, subscriptions: ['endless'] })
  await expect(client.endless(1).next()).rejects.toThrow(new RangeError('endless'))
})

test('a lost connection throws, or with resubscribe is restored', async () => {
  const { client, serving } = await open()
  const lost = client.endless(5)
  const kept = client.$with({ resubscribe: true }).endless(50)
  expect([(await lost.next()).value, (await kept.next()).value]).toEqual([5, 50])
  for (const socket of serving.sockets) socket.terminate()
  await expect(all(lost)).rejects.toBeInstanceOf(RpcTransportError)
  for await (const item of kept) if (item === 50) break
})

test('a signal ends the loop, and the iterator of the server', async () => {
  let isRunning = false
  const server = new RpcServer()
  async function* watched() {
    isRunning = true
    try {
      for (let at = 1; ; at += 1) {
        yield at
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } finally {
      isRunning = false
    }
  }
  server.registerProcedure(watched, { unchecked: true, subscription: true })
  const serving = await serveWebSocket(server)
  onTestFinished(() => serving.stop())
  const transport = webSocket({ connect: (url) => new WebSocket(url) })
  onTestFinished(() => transport.close())
  const client = createAny<{ watched: () => AsyncIterable<number> }>(serving.url, {
    transport,
    subscriptions: ['watched'],
  })
  const controller = new AbortController()
  const { signal } = controller
  const items = client.$with({ signal }).watched()
  expect((await items.next()).value).toBe(1)
  expect(isRunning).toBe(true)
  controller.abort(new Error('enough'))
  await expect(all(items)).rejects.toThrow('enough')
  await expect.poll(() => isRunning).toBe(false)
  expect(() => client.$with({ signal }).watched()).toThrow('enough')
})

test('over other transports a call fails with a hint', async () => {
  const server = new RpcServer({ procedures })
  const text = await server.handle('{"jsonrpc":"2.0","method":"ticks","params":["XAU"],"id":1}')
  expect(JSON.parse(`${text}`)).toMatchObject({
    error: {
      code: -32601,
      message: expect.stringContaining('ticks is a subscription, call it over WebSocket, or over HTTP'),
    },
  })
  await expect(server.call('ticks', ['XAU'])).rejects.toBeInstanceOf(RpcError)
})

test('the description by the server', async () => {
  const server = new RpcServer({ procedures })
  expect(await server.call('system.methodSignature', ['ticks'])).toEqual([['string', 'string']])
  expect(await server.call('system.methodHelp', ['ticks'])).toBe(
    `The prices of a symbol.

Subscription, over WebSocket or by server-sent events over HTTP: notifications carry the items.

:param symbol: What is traded
:yield: Each change of the price`,
  )
})
