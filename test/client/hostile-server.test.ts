import type { IncomingMessage, RequestListener } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createClient, RpcError, RpcTransportError, RpcValueError, tableCodec, xmlRpc } from 'rpc-gen/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type Hostile, startHostile } from './hostile.js'

// A server that wants to harm its clients: with the size of a response, redirects, numbers, errors and nesting.

let stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops) stop()
  stops = []
})

interface Api {
  get(): unknown
}

async function listen(listener: RequestListener): Promise<Hostile> {
  const hostile = await startHostile(listener)
  stops.push(hostile.stop)
  return hostile
}

/** Serves one text as the response to every call. */
const respond = (text: string, type = 'application/json') =>
  listen((_, response) => void response.writeHead(200, { 'Content-Type': type }).end(text))

function failureOf(call: Promise<unknown>): Promise<Error & RpcError & RpcTransportError> {
  return call.then(
    (value) => expect.unreachable(`resolved with ${typeof value}`),
    (error) => error,
  )
}

const result = (json: string) => `{"jsonrpc":"2.0","id":1,"result":${json}}`
const xmlResult = (value: string) =>
  `<methodResponse><params><param><value>${value}</value></param></params></methodResponse>`

describe('the size of a response', () => {
  test('beyond maxResponseBytes a call rejects, and no more is read', async () => {
    let sent = 0
    let isClosed = false
    const hostile = await listen((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.on('close', () => {
        isClosed = true
      })
      const write = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write(' '.repeat(65_536), () => setImmediate(write))
      }
      write()
    })
    const client = createClient<Api>(hostile.url, { maxResponseBytes: 100_000 })
    const error = await failureOf(client.get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error.message).toContain('more than maxResponseBytes (100000): received 200, application/json')
    await expect.poll(() => isClosed).toBe(true)
    expect(sent).toBeLessThan(50_000_000)
  })

  test.each([
    ['JSON', {}, 'application/json', result('"é"')],
    ['XML', { transport: xmlRpc() }, 'text/xml', xmlResult('é')],
  ])('bytes are counted, in %s', async (_, options, type, text) => {
    const { url } = await respond(text, type)
    const bytes = new TextEncoder().encode(text).length
    expect(await createClient<Api>(url, { ...options, maxResponseBytes: bytes }).get()).toBe('é')
    const client = createClient<Api>(url, { ...options, maxResponseBytes: bytes - 1 })
    expect((await failureOf(client.get() as Promise<unknown>)).message).toContain(`maxResponseBytes (${bytes - 1})`)
  })

  test('compressed responses are counted after decompression', async () => {
    const stream = new Blob([' '.repeat(1_000_000)]).stream().pipeThrough(new CompressionStream('gzip'))
    const small = Buffer.from(await new Response(stream).arrayBuffer())
    expect(small.length).toBeLessThan(2000)
    const { url } = await listen(
      (_, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(small),
    )
    const error = await failureOf(createClient<Api>(url, { maxResponseBytes: 10_000 }).get() as Promise<unknown>)
    expect(error.message).toContain('maxResponseBytes (10000)')
  })

  test('such a call is not sent again', async () => {
    const hostile = await respond(result(`"${'a'.repeat(1000)}"`))
    const client = createClient<Api>(hostile.url, {
      maxResponseBytes: 100,
      idempotent: ['get'],
      retries: { baseMs: 1 },
    })
    await failureOf(client.get() as Promise<unknown>)
    expect(hostile.count()).toBe(1)
  })

  test('a fetch without streams is limited too', async () => {
    const fetch = () => {
      const response = new Response(result('"abc"'))
      Object.defineProperty(response, 'body', { value: undefined })
      return response
    }
    expect(await createClient<Api>('http://host/', { fetch }).get()).toBe('abc')
    const error = await failureOf(
      createClient<Api>('http://host/', { fetch, maxResponseBytes: 10 }).get() as Promise<unknown>,
    )
    expect(error.message).toContain('maxResponseBytes (10)')
  })
})

test.each([
  ['a response', false],
  ['an entry of a batch', true],
])('a text instead of %s is rejected without making an object of its characters', async (_, batch) => {
  const text = `"${'a'.repeat(8_000_000)}"`
  const client = createClient<Api>('http://host/', { fetch: () => new Response(batch ? `[${text}]` : text) })
  const before = process.cpuUsage()
  const call = batch ? client.$batch([client.$request.get()]) : (client.get() as Promise<unknown>)
  const error = await failureOf(call)
  expect(error.message).toContain('the response is not JSON-RPC 2.0')
  expect(process.cpuUsage(before).user).toBeLessThan(1_500_000)
})

test('of a long id the message contains the beginning', async () => {
  const body = `{"jsonrpc":"2.0","id":"${'a'.repeat(100_000)}","result":1}`
  const client = createClient<Api>('http://host/', { fetch: () => new Response(body) })
  const error = await failureOf(client.get() as Promise<unknown>)
  expect(error.message).toContain('no call with the id "aaa')
  expect(error.message.length).toBeLessThan(600)
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i: neither headers nor the body are sent to another URL', async (status) => {
    const seen: IncomingMessage[] = []
    const other = await listen((request, response) => {
      seen.push(request)
      response.end(result('1'))
    })
    const hostile = await listen((_, response) => void response.writeHead(status, { Location: other.url }).end('moved'))
    const options = { headers: { 'X-Api-Key': 'secret' }, idempotent: ['get'] }
    const error = await failureOf(createClient<Api>(hostile.url, options).get() as Promise<unknown>)
    expect(error).toMatchObject({ name: 'RpcTransportError', status, url: hostile.url })
    expect(error.message).toContain(`redirect to ${other.url} not followed: see init.redirect`)
    expect([seen.length, hostile.count()]).toEqual([0, 1])
  })

  test('the connection of one whose body does not end is closed', async () => {
    let isClosed = false
    const hostile = await listen((_, response) => {
      response.writeHead(307, { Location: 'https://example.org/' }).write('moved')
      response.on('close', () => {
        isClosed = true
      })
    })
    const error = await failureOf(createClient<Api>(hostile.url).get() as Promise<unknown>)
    expect(error.message).toContain('not followed')
    await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true)
  })

  test('init.redirect overrides it', async () => {
    const hostile = await listen(({ url }, response) => {
      if (url === '/rpc') response.writeHead(307, { Location: '/elsewhere' }).end()
      else response.end(result('1'))
    })
    expect(await createClient<Api>(hostile.url, { init: { redirect: 'follow' } }).get()).toBe(1)
    const rejected = createClient<Api>(hostile.url, { init: { redirect: 'error' } }).get() as Promise<unknown>
    expect((await failureOf(rejected)).name).toBe('RpcTransportError')
  })

  test('in a page, where a redirect is opaque', async () => {
    const fetch = () => {
      const response = new Response(null)
      Object.defineProperties(response, {
        type: { value: 'opaqueredirect' },
        status: { value: 0 },
        ok: { value: false },
      })
      return response
    }
    const error = await failureOf(createClient<Api>('http://host/', { fetch }).get() as Promise<unknown>)
    expect(error.message).toBe('http://host/: redirect to elsewhere not followed: see init.redirect')
  })
})

describe('numbers', () => {
  test.each(['1e999', '-1e999', '[1,{"a":1e309}]', `1${'0'.repeat(309)}`, `1${'0'.repeat(210)}e99`, '0.1e+0400'])(
    '%s is an error, not Infinity',
    async (json) => {
      const { url } = await respond(result(json))
      const error = await failureOf(createClient<Api>(url).get() as Promise<unknown>)
      expect(error).toBeInstanceOf(RpcTransportError)
      expect(error.cause).toMatchObject({ message: 'a number that a double cannot represent' })
    },
  )

  test.each([
    ['1e308', 1e308],
    ['1e-999', 0],
    [`"1e999${'0'.repeat(300)}"`, `1e999${'0'.repeat(300)}`],
    ['{"valueOf":1e308,"toString":1}', { valueOf: 1e308, toString: 1 }],
  ])('%s', async (json, value) => {
    const { url } = await respond(result(json))
    expect(await createClient<Api>(url).get()).toEqual(value)
  })

  test('the error names the reason in XML, too', async () => {
    const { url } = await respond(xmlResult('<double>1e999</double>'), 'text/xml')
    const error = await failureOf(createClient<Api>(url, { transport: xmlRpc() }).get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcTransportError)
  })
})

describe('errors', () => {
  const frames = 'Error\\n    at secret (/app/server.js:1:1)'

  test('of the server have code, message and data, and nothing else', async () => {
    const members = `"code":7,"message":"no","data":{"a":1},"cause":"mine","stack":"${frames}","name":"Mine","status":1`
    const { url } = await respond(`{"jsonrpc":"2.0","id":1,"error":{${members}}}`)
    const error = await failureOf(createClient<Api>(url).get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcError)
    expect({ ...error, name: error.name, message: error.message }).toEqual({
      name: 'RpcError',
      code: 7,
      message: 'no',
      data: { a: 1 },
    })
    expect('cause' in error).toBe(false)
    expect(error.stack).not.toContain('server.js')
  })

  test.each([
    ['JSON', {}, 'application/json', `{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"${frames}"}}`],
    [
      'XML',
      { transport: xmlRpc() },
      'text/xml',
      `<methodResponse><fault><value><struct><member><name>faultCode</name><value><int>7</int></value></member><member><name>faultString</name><value>${JSON.parse(`"${frames}"`)}</value></member></struct></value></fault></methodResponse>`,
    ],
  ])('lines of a message do not look like frames of the stack, in %s', async (_, options, type, text) => {
    const { url } = await respond(text, type)
    const error = await failureOf(createClient<Api>(url, options).get() as Promise<unknown>)
    expect(error).toMatchObject({ code: 7, message: JSON.parse(`"${frames}"`) })
    expect(error.stack?.split('\n').filter((line) => line.includes('server.js'))).toEqual([
      'RpcError: Error at secret (/app/server.js:1:1)',
    ])
  })
})

describe('nesting', () => {
  const depth = 1_000_000
  const deep = '['.repeat(depth) + ']'.repeat(depth)
  const types = { Deep: ['array', ['ref', 'Deep']] } as const
  const codec = tableCodec({ methods: { get: { result: ['ref', 'Deep'] } }, types })

  test.each<[string, string]>([
    ['an id', `{"jsonrpc":"2.0","id":${deep},"result":1}`],
    ['a result beside a number that is looked at', `{"jsonrpc":"2.0","id":1,"result":[1e308,${deep}]}`],
    ['a jsonrpc member', `{"jsonrpc":${deep},"id":1,"result":1}`],
    ['an error', `{"jsonrpc":"2.0","id":1,"error":${deep}}`],
    ['the response', deep],
  ])('%s', async (_, text) => {
    const { url } = await respond(text)
    const error = await failureOf(createClient<Api>(url).get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error.message.length).toBeLessThan(500)
  })

  test('a result that is converted by a table', async () => {
    const { url } = await respond(result(deep))
    const error = await failureOf(createClient<Api>(url, { codec }).get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcValueError)
    expect(error.message).toMatch(/^get: result: expected less nesting, received array/)
  })

  test('XML', async () => {
    const value = '<array><data><value>'.repeat(100_000) + '</value></data></array>'.repeat(100_000)
    const { url } = await respond(xmlResult(value), 'text/xml')
    const error = await failureOf(createClient<Api>(url, { transport: xmlRpc() }).get() as Promise<unknown>)
    expect(error).toBeInstanceOf(RpcTransportError)
  })
})

describe('more steps than the limit', () => {
  const types = { Deep: ['set', ['ref', 'Deep']] } as const
  const branches = Array.from({ length: 200 }, (_, i) => ['struct', { [`a${i}`]: 'date' }] as const)
  const codec = tableCodec({
    methods: {
      sets: { result: ['array', ['set', 'any']], items: ['array', ['set', 'any']] },
      maps: { result: ['array', ['map', 'any']] },
      deep: { result: ['ref', 'Deep'], errors: { 1: ['ref', 'Deep'] } },
      union: { result: ['array', ['union', branches]] },
    },
    types,
  })
  const lists = (count: number) => Array.from({ length: count }, () => [])

  test.each<[string, unknown, RegExp]>([
    [
      'sets',
      lists(1_250_001),
      /^sets: result\[1250000\]: expected at most 10000000 steps to read values, received array/,
    ],
    [
      'maps',
      lists(1_250_001).map(() => ({})),
      /^maps: result\[1250000\]: expected at most 10000000 steps to read values/,
    ],
    ['deep', [lists(1_250_000)], /^deep: result\[0\]\[1249998\]: expected at most 10000000 steps to read values/],
    ['union', Array(50_001).fill({ a199: '2026-01-01T00:00:00Z' }), /^union: result\[50000\]: expected at most/],
  ])('%s', (method, value, message) => {
    expect(() => codec.decode(method, value)).toThrow(RpcValueError)
    expect(() => codec.decode(method, value)).toThrow(message)
  })

  test('items of a stream; the data of an error is then not converted', () => {
    expect(() => codec.decodeItem?.('sets', lists(1_250_001))).toThrow(/^sets: item\[1250000\]: expected at most/)
    const error = Object.assign(new Error(), { code: 1, data: [lists(1_250_000)] })
    codec.decodeError?.('deep', error)
    expect(error.data[0]).toHaveLength(1_250_000)
  })

  test('each value has its own', () => {
    for (let i = 0; i < 3; i += 1) expect(codec.decode('sets', lists(600_000))).toHaveLength(600_000)
  })
})

test('chunks of a single byte are not kept as one object each', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(6000) }))
  const chunks: WeakRef<Uint8Array>[] = []
  let kept = -1
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (chunks.length === bytes.length) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        collectGarbage()
        kept = chunks.filter((each) => each.deref()).length
        controller.close()
        return
      }
      const chunk = bytes.slice(chunks.length, chunks.length + 1)
      chunks.push(new WeakRef(chunk))
      controller.enqueue(chunk)
    },
  })
  const headers = { 'Content-Type': 'application/json' }
  const client = createClient('https://example.org/', { fetch: async () => new Response(body, { headers }) })
  expect(await client.$call('f' as never)).toHaveLength(6000)
  expect(kept).toBeGreaterThan(-1)
  expect(kept).toBeLessThan(5000)
})

/** Returns the size of the heap without garbage. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test.each(['\r', '\n', '\r\n', 'id\n\n'])('a chunk that repeats %j takes no memory beside it', async (text) => {
  const count = 1_000_000
  const end = 'data: {"jsonrpc":"2.0","method":"f","params":{"subscription":1,"result":7}}\n\n'
  const bytes = new TextEncoder().encode(`\n\n${text.repeat(count)}${end}${text.repeat(count)}`)
  const headers = { 'Content-Type': 'text/event-stream' }
  const fetch = async () => new Response(bytes, { headers })
  const client = createClient('https://example.org/', { fetch, subscriptions: ['f'] })
  const items = (client as unknown as { f(): AsyncIterableIterator<unknown> }).f()
  const before = heap()
  // What was made of the first part of the chunk is kept until the rest has been read.
  expect(await items.next()).toEqual({ done: false, value: 7 })
  expect(heap() - before).toBeLessThan(20 * count)
  await items.return?.()
})

test('an event in pieces of a single byte takes little more memory than its text', async () => {
  const count = 200_000
  let [sent, before, kept] = [0, 0, 0]
  const [first, one] = [new TextEncoder().encode('data: "'), new TextEncoder().encode('x')]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (sent === 0) before = heap()
      if (sent === count) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        kept = heap() - before
        return controller.close()
      }
      controller.enqueue(sent++ === 0 ? first : one)
    },
  })
  const headers = { 'Content-Type': 'text/event-stream' }
  const fetch = async () => new Response(body, { headers })
  const client = createClient('https://example.org/', { fetch, subscriptions: ['f'] })
  const items = (client as unknown as { f(): AsyncIterator<unknown> }).f()
  await expect(items.next()).rejects.toThrow('the stream ended before its last event')
  expect(kept).toBeLessThan(10 * count)
})
