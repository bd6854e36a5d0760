import { RpcError, RpcServer } from 'rpc-gen'
import { createClient } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { type SubscribeOptions, serveNats } from 'rpc-gen/nats'
import { describe, expect, test, vi } from 'vitest'
import { MemoryHeaders, MemoryNats } from './memory.js'
import { server } from './server.js'

// The server and the client over the interface of a NATS connection. With a NATS server and its packages: test/external/nats/.

interface Api {
  add: (a: number, b: number) => number
  repeat: (text: string, times: number) => string
  secret: () => string
  where: () => { header: string | null; subject: string; transport: string }
}

const options = { name: 'tools', version: '1.0.0' }

function clientOf(connection: MemoryNats) {
  return createClient<Api>('nats:tools', { transport: nats(connection, { createHeaders: () => new MemoryHeaders() }) })
}

test('calls, batches, errors and headers', async () => {
  const connection = new MemoryNats()
  const service = await serveNats(server, connection, options)
  const client = clientOf(connection)
  expect(await client.add(1, 2)).toBe(3)
  expect(await client.$batch([client.$request.add(1, 2), client.$request.repeat('é', 2)])).toEqual([3, 'éé'])
  await expect(client.$call('unknown')).rejects.toMatchObject({ code: -32601 })
  await expect(client.secret()).rejects.toMatchObject({ code: -32098 })
  const trusted = client.$with({ headers: { Authorization: 'Bearer sesame', 'X-Test': 'seen' } })
  expect(await trusted.secret()).toBe('open')
  expect(await trusted.where()).toMatchObject({ subject: 'tools', transport: 'nats' })
  await service.stop()
  await expect(client.add(1, 2)).rejects.toMatchObject({ name: 'RpcTransportError' })
})

test.each([Number.POSITIVE_INFINITY, 2 ** 31])('a timeoutMs of %d is no limit, as over HTTP', async (timeoutMs) => {
  const data = new TextEncoder().encode('{"jsonrpc":"2.0","result":3,"id":1}')
  // nats-core sets a timer.
  const request = (_: string, __: Uint8Array, { timeout }: { timeout: number }) =>
    new Promise<{ data: Uint8Array }>((resolve, reject) => {
      const timer = setTimeout(() => reject(Object.assign(new Error('timeout'), { name: 'TimeoutError' })), timeout)
      setTimeout(() => {
        clearTimeout(timer)
        resolve({ data })
      }, 50)
    })
  const client = createClient<Api>('nats:tools', { transport: nats({ request }), timeoutMs })
  expect(await client.add(1, 2)).toBe(3)
})

test('discovery: each process responds to a ping', async () => {
  const connection = new MemoryNats()
  const service = await serveNats(server, connection, options)
  const { data } = await connection.request('$SRV.PING.tools', new Uint8Array())
  expect(JSON.parse(new TextDecoder().decode(data))).toMatchObject({ name: 'tools', version: '1.0.0' })
  await service.stop()
})

test('an error has the headers of a NATS service, a result and a batch have none', async () => {
  const connection = new MemoryNats()
  const own = new RpcServer({ onError: () => {} })
  const text = `no\r\nNats-X: ${'é'.repeat(300)}`
  const fail = () => {
    throw new RpcError(4444, text)
  }
  own.registerProcedure(fail, { name: 'fail', unchecked: true })
  own.registerProcedure(() => 1, { name: 'one', unchecked: true })
  const service = await serveNats(own, connection, options)
  const headersOf = async (body: unknown) => {
    const { headers } = await connection.request('tools', new TextEncoder().encode(JSON.stringify(body)))
    return headers?.keys().map((name) => [name, ...headers.values(name)])
  }
  const call = { jsonrpc: '2.0', method: 'fail', params: [], id: 1 }
  expect(await headersOf(call)).toEqual([
    ['Nats-Service-Error', `no Nats-X: ${'é'.repeat(188)}`],
    ['Nats-Service-Error-Code', '4444'],
  ])
  expect(await headersOf({ ...call, method: 'unknown' })).toContainEqual(['Nats-Service-Error-Code', '-32601'])
  expect(await headersOf({ method: 'one' })).toContainEqual(['Nats-Service-Error-Code', '-32600'])
  expect(await headersOf({ ...call, method: 'one' })).toBeUndefined()
  expect(await headersOf([call])).toBeUndefined()
  await service.stop()
})

describe('a response that exceeds max_payload', () => {
  async function send(text: string, body: unknown) {
    const connection = Object.assign(new MemoryNats(), { info: { max_payload: 1000 } })
    const errors: unknown[] = []
    const own = new RpcServer({ onError: (error, { method }) => void errors.push([method, (error as RpcError).code]) })
    const fail = () => {
      throw new RpcError(4444, text)
    }
    own.registerProcedure(fail, { name: 'fail', unchecked: true })
    const service = await serveNats(own, connection, options)
    const request = async (subject: string, sent: unknown) => {
      const { data } = await connection.request(subject, new TextEncoder().encode(JSON.stringify(sent)))
      return JSON.parse(new TextDecoder().decode(data))
    }
    const response = await request('tools', body)
    const { endpoints } = await request('$SRV.STATS.tools', {})
    await service.stop()
    return { response, errors, stats: endpoints[0] }
  }

  const call = { jsonrpc: '2.0', method: 'fail', params: [], id: 1 }

  test.each([
    ['a batch of errors', 'no'.repeat(50), Array.from({ length: 10 }, () => call)],
    ['an error with its headers', 'x'.repeat(900), call],
  ])('%s: it is counted, and onError gets it', async (_, text, body) => {
    const { response, errors, stats } = await send(text, body)
    expect(response).toMatchObject({ error: { code: -32097 }, id: null })
    expect(stats).toMatchObject({ num_requests: 1, num_errors: 1, last_error: '-32097 Response too large' })
    expect(errors.slice(-1)).toEqual([['', -32097]])
  })
})

test('null as params, by the switch nullParams and no other', async () => {
  const connection = new MemoryNats()
  const own = new RpcServer({ compatibility: { nullParams: true, jsonRpc1: true, jsonMulticall: true } })
  own.registerProcedure(() => 1, { name: 'one', unchecked: true })
  const service = await serveNats(own, connection, options)
  const send = async (body: unknown) => {
    const { data } = await connection.request('tools', new TextEncoder().encode(JSON.stringify(body)))
    return JSON.parse(new TextDecoder().decode(data))
  }
  const call = { jsonrpc: '2.0', method: 'one', params: null, id: 1 }
  expect(await send(call)).toEqual({ jsonrpc: '2.0', result: 1, id: 1 })
  expect(await send([call])).toEqual([{ jsonrpc: '2.0', result: 1, id: 1 }])
  expect(await send({ method: 'one', id: 1 })).toMatchObject({ error: { code: -32600 } })
  expect(await send({ ...call, method: 'system.multicall', params: [[]] })).toMatchObject({ error: { code: -32601 } })
  await service.stop()
})

/** A connection whose flushes end when the test ends them. */
class SlowNats extends MemoryNats {
  readonly flushes: { end: () => void; fail: () => void }[] = []
  isSlow = false
  #isClosed = false
  #close: () => void = () => {}
  readonly #closed = new Promise<void>((resolve) => {
    this.#close = resolve
  })

  override flush(): Promise<void> {
    if (!this.isSlow) return Promise.resolve()
    const sent = this.unflushed
    return new Promise((resolve, reject) => {
      const flushed = () => {
        this.unflushed -= sent
      }
      this.flushes.push({
        end: () => resolve(flushed()),
        fail: () => reject(new Error('connection disconnected', { cause: flushed() })),
      })
    })
  }

  override isClosed(): boolean {
    return this.#isClosed
  }

  override closed(): Promise<void> {
    return this.#closed
  }

  close(): void {
    this.#isClosed = true
    this.#close()
  }
}

describe('a NATS server that reads slowly', () => {
  const MIB = 2 ** 20
  const size = 900_000

  async function serveSlowly(of = server) {
    const connection = new SlowNats()
    const service = await serveNats(of, connection, options)
    connection.isSlow = true
    let responses = 0
    const call = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
      const { data } = await connection.request('tools', new TextEncoder().encode(body))
      responses += 1
      return JSON.parse(new TextDecoder().decode(data))
    }
    return { connection, service, call, responses: () => responses }
  }

  test('messages wait while 8 MiB of responses have not been received', async () => {
    const { connection, service, call, responses } = await serveSlowly()
    const replies = Array.from({ length: 100 }, () => call('repeat', 'x', size))
    let isDone = false
    void Promise.all(replies).then(() => {
      isDone = true
    })
    await expect.poll(responses).toBe(10)
    expect(connection.flushes).toHaveLength(1)
    while (!isDone) {
      connection.flushes.shift()?.end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const reply of await Promise.all(replies)) expect(reply.result).toHaveLength(size)
    expect(connection.mostUnflushed).toBeGreaterThan(7 * MIB)
    expect(connection.mostUnflushed).toBeLessThan(9 * MIB)
    connection.isSlow = false
    await service.stop()
  })

  test('messages beyond 64 MiB that wait are rejected', async () => {
    const { connection, service, call, responses } = await serveSlowly()
    const replies = Array.from({ length: 10 }, () => call('repeat', 'x', size))
    await expect.poll(responses).toBe(10)
    const text = 'x'.repeat(MIB)
    const more = Array.from({ length: 66 }, () => call('repeat', text, 0))
    const busy = { code: -32000, message: 'Server busy: 67108864 bytes of messages are waiting' }
    // 64 messages and their names are more than 64 MiB.
    expect(await more[64]).toMatchObject({ error: busy })
    expect(await more[65]).toMatchObject({ error: busy })
    expect(responses()).toBe(12)
    connection.isSlow = false
    connection.flushes.shift()?.end()
    for (const reply of await Promise.all([...replies, ...more.slice(0, 64)])) expect(reply).toHaveProperty('result')
    await service.stop()
  })

  test('messages go on when the connection is lost', async () => {
    const { connection, service, call, responses } = await serveSlowly()
    const replies = Array.from({ length: 20 }, () => call('repeat', 'x', size))
    await expect.poll(responses).toBe(10)
    connection.isSlow = false
    connection.flushes.shift()?.fail()
    await Promise.all(replies)
    await service.stop()
  })

  test('a connection that is closed meanwhile: the service stops', async () => {
    const errors: Error[] = []
    const own = new RpcServer({ onError: (error) => void errors.push(error) })
    own.registerProcedure(() => 'x'.repeat(size), { name: 'large', unchecked: true })
    const { connection, service, call, responses } = await serveSlowly(own)
    for (let i = 0; i < 20; i++) void call('large')
    await expect.poll(responses).toBe(10)
    connection.close()
    await service.stop()
    expect(errors).toHaveLength(10)
    expect(errors[0]?.message).toContain('the NATS connection is closed')
  })
})

test.each([
  ['undefined', undefined, 'undefined'],
  ['a promise that was not awaited', Promise.resolve(new MemoryNats()), 'an object'],
  ['a URL', '127.0.0.1:4222', '"127.0.0.1:4222"'],
])('a connection that is %s is an error that names the remedy', async (_, connection, shown) => {
  await expect(serveNats(server, connection as never, options)).rejects.toThrow(
    `serveNats: the connection is ${shown}, expected a connection of NATS, such as await connect(…)`,
  )
  expect(() => nats(connection as never)).toThrow('nats(): expected a connection of NATS, such as await connect(…)')
})

test('a subscription that is denied after a reconnect is an error for onError', async () => {
  const onError = vi.fn()
  const connection = new MemoryNats()
  const subscribed: SubscribeOptions[] = []
  const subscribe = connection.subscribe.bind(connection)
  connection.subscribe = (subject, each) => {
    subscribed.push(each)
    return subscribe(subject, each)
  }
  const service = await serveNats(new RpcServer({ onError }), connection, options)
  subscribed[0]?.callback(new Error('Permissions Violation'), undefined as never)
  expect(onError.mock.calls[0]?.[0]).toMatchObject({
    message: 'serveNats: the subscription to tools has ended: Permissions Violation',
    cause: { message: 'Permissions Violation' },
  })
  expect(onError.mock.calls[0]?.[1]).toMatchObject({ transport: 'nats', method: '' })
  await service.stop()
})

describe('a NATS server that cannot be reached', () => {
  const lost = async () => {
    throw new Error('connection disconnected')
  }

  test('at the start: an error, and nothing is served when it can be reached again', async () => {
    const connection = new MemoryNats()
    const flush = connection.flush
    connection.flush = lost
    const serving = serveNats(server, connection, options)
    await expect(serving).rejects.toThrow('serveNats: cannot subscribe to tools: connection disconnected')
    connection.flush = flush
    await expect(clientOf(connection).add(1, 2)).rejects.toThrow('no service listens on the subject')
    const ping = connection.request('$SRV.PING.tools', new Uint8Array())
    await expect(ping).rejects.toThrow('no responders')
  })

  test('at the end: the service stops', async () => {
    const connection = new MemoryNats()
    const service = await serveNats(server, connection, options)
    connection.flush = lost
    await service.stop()
    await expect(clientOf(connection).add(1, 2)).rejects.toThrow('no service listens on the subject')
  })
})

test('messages that arrive at once give other work its turn', async () => {
  const connection = new MemoryNats()
  const service = await serveNats(server, connection, options)
  let turns = 0
  const count = () => {
    turns += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  const client = clientOf(connection)
  const results = await Promise.all(Array.from({ length: 50 }, (_, i) => client.$call('burn', [2]).then(() => i)))
  clearImmediate(immediate)
  expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i))
  // 100 ms in turns of ten.
  expect(turns).toBeGreaterThan(5)
  await service.stop()
})
