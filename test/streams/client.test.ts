import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RpcContext, RpcError, RpcServer, withEventId } from 'rpc-gen'
import { type ClientOptions, createClient, RpcTransportError, tableCodec, xmlRpc } from 'rpc-gen/client'
import { nodeHandler } from 'rpc-gen/node'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

interface Api {
  count: (to: number) => AsyncIterable<number>
  hang: (first: string) => AsyncIterable<string>
  fail: () => AsyncIterable<string>
  dates: () => AsyncIterable<Date>
  add: (a: number, b: number) => number
}

const subscriptions = ['count', 'hang', 'fail', 'dates']
let requested = 0
let ended: unknown[] = []

beforeEach(() => {
  requested = 0
  ended = []
})

async function* count(to: number, { lastEventId }: RpcContext): AsyncGenerator<number> {
  for (let at = Number(lastEventId ?? 0) + 1; at <= to; at += 1) {
    requested = at
    yield withEventId(at, at)
  }
}

async function* hang(first: string, { signal }: RpcContext): AsyncGenerator<string> {
  try {
    yield first
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  } finally {
    ended.push(signal.reason?.name)
  }
}

async function* fail(): AsyncGenerator<string> {
  yield 'first'
  throw new RpcError(7, 'failed', { data: [1] })
}

async function* dates(): AsyncGenerator<Date> {
  yield new Date(0)
}

const server = new RpcServer({ onError: () => undefined, streams: { heartbeatMs: 20 } })
const own = { unchecked: true, subscription: true }
server.registerProcedure(count, { ...own, contextTarget: 1 })
server.registerProcedure(hang, { ...own, contextTarget: 1 })
server.registerProcedure(fail, own)
server.registerProcedure(dates, own)
server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Serves on a free port; returns the URL. */
async function listen(listener: Listener): Promise<string> {
  const http = createServer(listener).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/rpc`
}

const quick = { attempts: 3, baseMs: 1, maxMs: 2 }

async function open(options: ClientOptions = {}, listener: Listener = nodeHandler(server)) {
  return createClient<Api>(await listen(listener), { subscriptions, retries: quick, ...options })
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Responds with the texts one after the other, each cut into pieces by the caller, and then closes or breaks the connection. */
function responding(...responses: readonly (readonly string[] | number | 'break')[]) {
  const seen: (string | undefined)[] = []
  const bodies: string[] = []
  const listener: Listener = async (incoming, outgoing) => {
    seen.push(incoming.headers['last-event-id'] as string | undefined)
    let body = ''
    for await (const chunk of incoming) body += chunk
    bodies.push(body)
    const response = responses[Math.min(seen.length, responses.length) - 1] as (typeof responses)[number]
    if (response === 'break') return void outgoing.destroy()
    if (typeof response === 'number') return void outgoing.writeHead(response).end('down')
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const piece of response) {
      if (piece === 'break') return void outgoing.destroy()
      outgoing.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    outgoing.end()
  }
  return { seen, bodies, listener }
}

const item = (value: unknown, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', method: 'count', params: { subscription: 1, result: value } })}\n\n`
const last = 'data: {"jsonrpc":"2.0","result":null,"id":1}\n\n'

describe('a server of this project', () => {
  test('the items until the end, several at once, beside calls', async () => {
    const client = await open()
    const [one, two, sum] = await Promise.all([all(client.count(300)), all(client.count(2)), client.add(1, 2)])
    expect([one.length, two, sum]).toEqual([300, [1, 2], 3])
  })

  test('break ends the stream', async () => {
    const client = await open()
    for await (const value of client.hang('a')) {
      expect(value).toBe('a')
      break
    }
    await expect.poll(() => ended).toEqual(['AbortError'])
  })

  test('return while an item is awaited', async () => {
    const items = (await open()).hang('a')
    expect(await items.next()).toEqual({ done: false, value: 'a' })
    const next = items.next()
    expect(await items.return?.()).toEqual({ done: true, value: undefined })
    expect(await next).toEqual({ done: true, value: undefined })
    await expect.poll(() => ended).toEqual(['AbortError'])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test('return before the first item sends nothing', async () => {
    let requests = 0
    const client = await open({}, () => {
      requests += 1
    })
    const items = client.hang('a')
    await items.return?.()
    expect(await items.next()).toEqual({ done: true, value: undefined })
    expect(requests).toBe(0)
  })

  test.each(['before', 'while'] as const)('a signal that aborts %s an item is awaited', async (when) => {
    const controller = new AbortController()
    const items = (await open()).$with({ signal: controller.signal }).hang('a')
    await items.next()
    const next = when === 'while' ? items.next() : undefined
    next?.catch(() => {})
    controller.abort('enough')
    await expect(next ?? items.next()).rejects.toBe('enough')
    expect(await items.next()).toEqual({ done: true, value: undefined })
    await expect.poll(() => ended).toEqual(['AbortError'])
    expect(() => client2(controller.signal)).toThrow('enough')
  })

  const client2 = (signal: AbortSignal) => createClient<Api>('http://127.0.0.1:9', { subscriptions, signal }).hang('a')

  test('the error of the procedure, and one before the first item', async () => {
    const client = await open()
    const items = client.fail()
    expect(await items.next()).toEqual({ done: false, value: 'first' })
    const error = await items.next().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: 7, message: 'failed', data: [1] })
    expect(await items.next()).toEqual({ done: true, value: undefined })
    const unknown = createClient<Api>('http://localhost/', {
      subscriptions,
      fetch: (url, init) => new RpcServer().fetch(new Request(url, init)),
    })
    await expect(all(unknown.count(1))).rejects.toMatchObject({ code: -32601 })
  })

  test('items are converted by the codec', async () => {
    const codec = tableCodec({ methods: { dates: { items: 'date' } } })
    expect(await all((await open({ codec, subscriptions: [] })).dates())).toEqual([new Date(0)])
    const wrong = tableCodec({ methods: { hang: { items: 'date' } } })
    await expect(all((await open({ codec: wrong, subscriptions: [] })).hang('a'))).rejects.toThrow('hang: ')
    await expect.poll(() => ended).toEqual(['AbortError'])
  })

  test('no more items are requested than are read', async () => {
    const fetch = (url: string, init: RequestInit) => server.fetch(new Request(url, init))
    const items = createClient<Api>('http://localhost/', { subscriptions, fetch }).count(1000)
    for (let at = 1; at <= 3; at += 1) {
      expect(await items.next()).toEqual({ done: false, value: at })
      await new Promise((resolve) => setTimeout(resolve))
      expect(requested).toBe(at)
    }
    await items.return?.()
  })

  test('headers and credentials', async () => {
    const headers: (string | undefined)[] = []
    const client = await open({ auth: { bearer: async () => 'a' } }, (incoming, outgoing) => {
      headers.push(incoming.headers.authorization, incoming.headers.accept)
      nodeHandler(server)(incoming, outgoing)
    })
    await all(client.count(1))
    expect(headers).toEqual(['Bearer a', 'text/event-stream, application/json'])
  })

  test('silence longer than timeoutMs; heartbeats count', async () => {
    const client = await open({ timeoutMs: 100 })
    const items = client.hang('a')
    await items.next()
    const next = items.next()
    next.catch(() => {})
    // Five heartbeats later it is still awaited.
    expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 250, 'waits'))])).toBe('waits')
    await items.return?.()
    const silent = await open({ timeoutMs: 20 }, () => {})
    await expect(all(silent.count(1))).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test.each(['fetch', 'xmlRpc'])(
    'is not called in a batch, as a notification or by name over %s: nothing is sent',
    async (over) => {
      let requests = 0
      const transport = over === 'xmlRpc' ? { transport: xmlRpc() } : {}
      const client = await open(transport, () => {
        requests += 1
      })
      const { $request } = client
      const wrong = [
        client.$batch([$request.count(1)]),
        client.$batch([$request.add(1, 2), $request.$notify.count(1)]),
        client.$notify.count(1),
        client.$call('count', [1]),
      ]
      const error = new TypeError('count is a subscription: call it alone over fetch or webSocket()')
      for (const each of wrong) await expect(each).rejects.toEqual(error)
      const settled = await client.$batchSettled([$request.count(1), $request.add(1, 2)])
      expect(settled).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ])
      expect(requests).toBe(0)
    },
  )

  test('XML-RPC has none', async () => {
    const client = createClient<Api>('http://127.0.0.1:9', { subscriptions, transport: xmlRpc() })
    expect(() => client.count(1)).toThrow('count is a subscription: call it alone over fetch or webSocket()')
  })
})

describe('a lost connection', () => {
  test('is resumed after the last id, and nothing is lost', async () => {
    const { seen, bodies, listener } = responding([item(1, 'a'), item(2, 'b'), 'break'], 503, 'break', [
      item(3, 'c'),
      last,
    ])
    const client = await open({}, listener)
    expect(await all(client.count(3))).toEqual([1, 2, 3])
    expect(seen).toEqual([undefined, 'b', 'b', 'b'])
    expect(new Set(bodies).size).toBe(1)
  })

  test('by a server of this project whose connections break after each item', async () => {
    let requests = 0
    const handler = nodeHandler(server)
    const client = await open({}, (incoming, outgoing) => {
      requests += 1
      let items = 0
      const write = outgoing.write.bind(outgoing) as (chunk: Uint8Array) => boolean
      outgoing.write = ((chunk: Uint8Array) => {
        if (Buffer.from(chunk).includes('"params"')) items += 1
        if (items < 2) return write(chunk)
        outgoing.end()
        return false
      }) as typeof outgoing.write
      handler(incoming, outgoing)
    })
    expect(await all(client.count(4))).toEqual([1, 2, 3, 4])
    expect(requests).toBe(4)
  })

  test('without ids: an error, or resumed with resubscribe', async () => {
    const { listener } = responding([item(1), 'break'], [item(2), last])
    await expect(all((await open({}, listener)).count(2))).rejects.toBeInstanceOf(RpcTransportError)
    const again = responding([item(1), 'break'], 'break', 503, 502, 'break', 'break', [item(2), last])
    const client = (await open({}, again.listener)).$with({ resubscribe: true })
    expect(await all(client.count(2))).toEqual([1, 2])
  })

  test('as often as retries.attempts, counted from the last event', async () => {
    const { seen, listener } = responding([item(1, 'a'), 'break'], 'break', 'break', [item(2, 'b'), 'break'], 'break')
    const found: number[] = []
    const reading = (async () => {
      for await (const value of (await open({}, listener)).count(3)) found.push(value)
    })()
    await expect(reading).rejects.toBeInstanceOf(RpcTransportError)
    expect(found).toEqual([1, 2])
    expect(seen).toEqual([undefined, 'a', 'a', 'a', 'b', 'b', 'b'])
  })

  test('a stream that ends without a response is incomplete', async () => {
    const { listener } = responding([item(1)])
    await expect(all((await open({}, listener)).count(2))).rejects.toThrow('the stream ended before its last event')
  })

  test('is not resumed after an error of the protocol, nor before it has begun', async () => {
    const error = 'data: {"jsonrpc":"2.0","error":{"code":-32098,"message":"no"},"id":1}\n\n'
    const one = responding([item(1, 'a'), 'break'], [error], [last])
    await expect(all((await open({}, one.listener)).count(2))).rejects.toMatchObject({ code: -32098 })
    const two = responding('break', [last])
    await expect(all((await open({ resubscribe: true }, two.listener)).count(2))).rejects.toBeInstanceOf(
      RpcTransportError,
    )
  })

  test.each(['', '{"jsonrpc":"2.0","error":{"code":-32600,"message":"too many streams"},"id":1}'])(
    'is resumed after the Retry-After of a 503 with the body %j',
    async (body) => {
      let requests = 0
      const client = await open({}, (_, outgoing) => {
        requests += 1
        if (requests === 2) return void outgoing.writeHead(503, { 'Retry-After': '1' }).end(body)
        outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(requests === 1 ? item(1, 'a') : last)
      })
      const start = performance.now()
      expect(await all(client.count(1))).toEqual([1])
      expect(performance.now() - start).toBeGreaterThan(950)
    },
  )

  test('return during the wait', async () => {
    const { listener } = responding([item(1, 'a'), 'break'], [last])
    const items = (await open({ retries: { baseMs: 60_000, maxMs: 60_000 } }, listener)).count(2)
    await items.next()
    const next = items.next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await items.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe('the format of events', () => {
  const message = item(1).slice('data: '.length, -2)

  test.each([
    [
      'CR LF, in pieces of one byte',
      [...`: comment\r\nid: x\r\ndata: ${message}\r\n\r\n${last.replaceAll('\n', '\r\n')}`],
    ],
    ['CR', [`:\rdata:${message}\r\r`, last.replaceAll('\n', '\r')]],
    ['a byte order mark, other fields, no space', [`\uFEFFevent: message\nfoo\ndata:${message}\n\n`, last]],
    ['data in several lines', [`data: ${message.slice(0, -1)}\ndata: ${message.slice(-1)}\n\n`, last]],
    ['events without data', [`retry: 5\n\nid: 9\n\n${item(1)}`, last]],
    ['characters of several bytes, cut', [item('é😀')].flatMap((text) => [...Buffer.from(text)].map((byte) => byte))],
  ])('%s', async (_, pieces) => {
    const bytes = pieces.map((piece) =>
      typeof piece === 'number' ? Uint8Array.of(piece) : new TextEncoder().encode(piece),
    )
    if (typeof pieces[0] === 'number') bytes.push(new TextEncoder().encode(last))
    const client = createClient<Api>('http://localhost/', {
      subscriptions,
      fetch: () =>
        new Response(new Blob(bytes as Uint8Array<ArrayBuffer>[]).stream(), {
          headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
        }),
    })
    expect(await all(client.count(1))).toEqual([typeof pieces[0] === 'number' ? 'é😀' : 1])
  })

  test('an id beyond ASCII is sent as UTF-8', async () => {
    const { seen, listener } = responding([item(1, 'é'), 'break'], [last])
    await all((await open({}, listener)).count(1))
    expect(Buffer.from(seen[1] ?? '', 'latin1').toString()).toBe('é')
  })

  test.each([
    ['data: {\n\n', 'an event is not JSON'],
    ['data: 1e999\n\n', 'an event is not JSON'],
    ['data: {"jsonrpc":"2.0","result":null,"id":2}\n\n', 'no call with the id 2'],
    ['data: 7\n\n', 'the response is not JSON-RPC 2.0'],
    ['data: null\n\n', 'the response is not JSON-RPC 2.0'],
  ])('%j', async (text, words) => {
    await expect(all((await open({}, responding([text]).listener)).count(1))).rejects.toThrow(words)
  })

  test('an event that is too large, and bytes that are not UTF-8', async () => {
    const large = responding([item('x'.repeat(1000)), last])
    await expect(all((await open({ maxResponseBytes: 200 }, large.listener)).count(1))).rejects.toThrow(
      'maxResponseBytes (200)',
    )
    const lines = responding(['data\n'.repeat(100)])
    await expect(all((await open({ maxResponseBytes: 200 }, lines.listener)).count(1))).rejects.toThrow(
      'maxResponseBytes (200)',
    )
    const client = createClient<Api>('http://localhost/', {
      subscriptions,
      fetch: () => new Response(Uint8Array.of(0xff), { headers: { 'Content-Type': 'text/event-stream' } }),
    })
    await expect(all(client.count(1))).rejects.toThrow('the stream is not UTF-8')
  })

  test.each([
    ['{"jsonrpc":"2.0","result":"id","id":1}', 'application/json', 'the response is not a stream of events'],
    ['<html>', 'text/html', 'the response is not JSON'],
  ])('%s of %s', async (body, type, words) => {
    const fetch = () => new Response(body, { headers: { 'Content-Type': type } })
    await expect(all(createClient<Api>('http://localhost/', { subscriptions, fetch }).count(1))).rejects.toThrow(words)
  })

  test('an id that is too long for a header, and a time to wait that is too long, are ignored', async () => {
    const long = `id: ${'x'.repeat(300_000)}\nretry: ${'9'.repeat(30)}\n`
    const { seen, listener } = responding([item(1, '1'), `${long}${item(2)}`, 'break'], [last])
    expect(await all((await open({ retries: { baseMs: 1 } }, listener)).count(2))).toEqual([1, 2])
    expect(seen).toEqual([undefined, '1'])
  })
})
