import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getRequestListener } from '@hono/node-server'
import { type RpcContext, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { mcp, serveStdio } from 'rpc-gen/mcp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countTurns } from '../support/loop-turns.js'

// One message, or many over one stream, costs no more than over JSON-RPC: one list of tools, responses within the budget, turns, and calls at once.

const createServer = (options: RpcServerOptions = {}) => new RpcServer({ onError: () => {}, ...options })

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })

const call = (id: number, name: string, ...args: unknown[]) => request(id, 'tools/call', { name, arguments: { args } })

interface Response {
  readonly id: number
  readonly result?: { readonly tools?: readonly unknown[]; readonly isError?: boolean }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends one message to a server of which every procedure is a tool, and returns the response. */
const transports: Readonly<Record<string, (server: RpcServer, message: unknown) => Promise<unknown>>> = {
  HTTP: async (server, message) => {
    const headers = { 'Content-Type': 'application/json', Host: 'localhost' }
    const init = { method: 'POST', headers, body: JSON.stringify(message) }
    return (await mcp(server, { tools: 'all' }).request('http://localhost/', init)).json()
  },
  stdio: async (server, message) => {
    let output = ''
    async function* input() {
      yield JSON.stringify(message)
    }
    const write = (text: string) => {
      output += text
    }
    await serveStdio(server, { tools: 'all', input: input(), output: { write } })
    return JSON.parse(output)
  },
}

/** Counts the turns of the event loop in which a function is called, which occupies the thread for a millisecond. */
function busyFunction() {
  const turns = new Set<number>()
  const turn = countTurns()
  const busy = () => {
    turns.add(turn())
    const end = performance.now() + 1
    while (performance.now() < end);
    return true
  }
  return { busy, turns }
}

describe.each(Object.entries(transports))('over %s', (_, send) => {
  const lists = Array.from({ length: 100 }, (_, id) => request(id, 'tools/list'))

  test.each(['synchronous', 'asynchronous'])('a batch gets one list of tools; predicates: %s', async (kind) => {
    const server = createServer()
    let asked = 0
    const auth = (_request: Request, _context: RpcContext) => {
      asked += 1
      return kind === 'synchronous' || Promise.resolve(true)
    }
    server.registerProcedure(() => 1, { name: 'one', unchecked: true, auth })
    const [first, ...others] = (await send(server, lists)) as Response[]
    expect(first?.result?.tools).toHaveLength(1)
    const message = 'Invalid Request: tools/list is called more than once in a message'
    expect(others).toEqual(lists.slice(1).map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32600, message } })))
    expect(asked).toBe(1)
  })

  test('a list that was rejected may be requested again', async () => {
    let asked = 0
    const auth = () => {
      asked += 1
      return asked > 1
    }
    const responses = (await send(createServer({ auth }), lists.slice(0, 3))) as Response[]
    expect(responses.map(({ error }) => error?.message.slice(0, 15))).toEqual([
      'Authentication ',
      undefined,
      'Invalid Request',
    ])
  })

  test('an entry that follows the one that exceeds responseBytes is not called', async () => {
    const server = createServer({ limits: { responseBytes: 10_000 } })
    let runs = 0
    const long = () => {
      runs += 1
      return 'x'.repeat(6000)
    }
    server.registerProcedure(long, { unchecked: true })
    const entries = Array.from({ length: 100 }, (_, id) => call(id, 'long'))
    const responses = (await send(server, entries)) as Response[]
    expect(responses.map(({ error }) => error?.code)).toEqual([undefined, ...Array(99).fill(-32097)])
    expect(runs).toBe(2)
  })

  test.each([
    ['synchronous', (busy: () => boolean) => busy()],
    ['asynchronous', async (busy: () => boolean) => busy()],
  ])('a list with many predicates gives the thread back: %s', async (_kind, decide) => {
    const { busy, turns } = busyFunction()
    const server = createServer()
    for (let i = 0; i < 100; i += 1) {
      const auth = (_request: Request, _context: RpcContext) => decide(busy)
      server.registerProcedure(() => 1, { name: `tool${i}`, unchecked: true, auth })
    }
    const { result } = (await send(server, request(1, 'tools/list'))) as Response
    expect(result?.tools).toHaveLength(100)
    expect(turns.size).toBeGreaterThan(3)
  })
})

/** A server with a procedure that waits until it is released, and a stream of messages to it. */
function serveSlow(register: (server: RpcServer) => void = () => {}) {
  const server = createServer({ limits: { responseBytes: 100_000 } })
  const waiting: (() => void)[] = []
  let runs = 0
  const slow = () => {
    runs += 1
    return new Promise<void>((resolve) => void waiting.push(resolve))
  }
  server.registerProcedure(slow, { unchecked: true })
  register(server)
  const input = new PassThrough()
  const responses: unknown[] = []
  const write = (text: string) => void responses.push(...[JSON.parse(text)].flat())
  const served = serveStdio(server, { tools: 'all', input, output: { write } })
  const send = (...messages: readonly unknown[]) => {
    input.write(messages.map((each) => `${JSON.stringify(each)}\n`).join(''))
  }
  const end = async () => {
    input.end()
    const timer = setInterval(() => {
      for (const resolve of waiting.splice(0)) resolve()
    }, 1)
    await served
    clearInterval(timer)
  }
  return { send, end, runs: () => runs, release: () => waiting.shift()?.(), responses }
}

/** A procedure that ends when its call is cancelled. */
function hang({ signal }: RpcContext) {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

describe('calls of stdio', () => {
  const slowCalls = (count: number) => Array.from({ length: count }, (_, id) => call(id, 'slow'))

  test.each([
    ['of lines', slowCalls(350)],
    ['of a batch', [slowCalls(350)]],
    ['of many batches', [slowCalls(50), slowCalls(250), slowCalls(50)]],
  ])('%s: 100 run at once, and others wait', async (_, messages) => {
    const { send, end, runs, release, responses } = serveSlow()
    send(...messages)
    await expect.poll(runs).toBe(100)
    await sleep(50)
    expect(runs()).toBe(100)
    release()
    await expect.poll(runs).toBe(101)
    await end()
    expect(runs()).toBe(350)
    expect(responses).toHaveLength(350)
  })

  test('a ping and a cancellation are handled while 100 run', async () => {
    const { send, end, runs, responses } = serveSlow()
    send(...slowCalls(100))
    send(cancel(3), request(1000, 'ping'))
    await expect.poll(() => responses).toEqual([{ jsonrpc: '2.0', id: 1000, result: {} }])
    await end()
    expect(runs()).toBe(100)
    expect(responses).toHaveLength(100)
  })

  test('while others wait, a ping is handled, and a cancellation, which frees a place', async () => {
    let runs = 0
    const countAndHang = (context: RpcContext) => {
      runs += 1
      return hang(context)
    }
    const { send, end, responses } = serveSlow((server) => {
      server.registerProcedure(countAndHang, { name: 'hang', unchecked: true, contextTarget: 0 })
    })
    const calls = Array.from({ length: 250 }, (_, id) => call(id, 'hang'))
    send(...calls, request(1000, 'ping'))
    await expect.poll(() => responses).toEqual([{ jsonrpc: '2.0', id: 1000, result: {} }])
    expect(runs).toBe(100)
    send(cancel(3))
    await expect.poll(() => runs).toBe(101)
    send(...calls.map(({ id }) => cancel(id)))
    await end()
    expect(responses).toHaveLength(1)
  })

  test('are rejected while messages without a response have 16 MiB; a ping is not', async () => {
    const { send, end, runs, responses } = serveSlow()
    const long = 'x'.repeat(125_000)
    send(...Array.from({ length: 150 }, (_, id) => call(id, 'slow', long)))
    send(call(9000, 'slow'), request(9001, 'ping'))
    await expect.poll(() => responses.at(-1)).toEqual({ jsonrpc: '2.0', id: 9001, result: {} })
    const message = 'Server busy: 16777216 bytes of messages have no response yet'
    expect(responses.at(-2)).toEqual({ jsonrpc: '2.0', id: 9000, error: { code: -32000, message } })
    const rejections = responses.length - 1
    expect(rejections).toBeLessThan(50)
    await end()
    expect(runs() + rejections).toBe(151)
  })

  test('of a batch that wait give the thread back when they begin', async () => {
    const { busy, turns } = busyFunction()
    const { send, end, runs, release, responses } = serveSlow((server) => {
      server.registerProcedure(busy, { name: 'busy', unchecked: true })
    })
    send(
      ...slowCalls(100),
      Array.from({ length: 100 }, (_, id) => call(100 + id, 'busy')),
    )
    await expect.poll(runs).toBe(100)
    await sleep(50)
    expect(turns.size).toBe(0)
    release()
    await expect.poll(() => responses.length).toBe(101)
    expect(turns.size).toBeGreaterThan(3)
    await end()
  })
})

test('calls over stdio that wait are not run once the reader of the output has gone', async () => {
  const server = createServer()
  const releases: (() => void)[] = []
  const slow = () => new Promise<void>((resolve) => void releases.push(resolve))
  server.registerProcedure(slow, { name: 'slow', unchecked: true })
  const input = new PassThrough()
  input.write(`${JSON.stringify(Array.from({ length: 150 }, (_, id) => call(id, 'slow')))}\n`)
  let fail: (error: Error) => void = () => {}
  const output = {
    write: () => {},
    on: (_event: 'error', listener: (error: unknown) => void) => {
      fail = listener
    },
  }
  const served = serveStdio(server, { tools: 'all', input, output })
  await expect.poll(() => releases.length).toBe(100)
  fail(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await served
  for (const release of releases) release()
  await sleep(50)
  expect(releases).toHaveLength(100)
})

test('of batches over stdio few begin while others are not complete', async () => {
  const count = 30
  const begun = new Set<number>()
  const part = (i: number) => {
    begun.add(i)
    return 'x'.repeat(50_000)
  }
  const { send, end } = serveSlow((server) => {
    server.registerProcedure(part, { name: 'part', unchecked: true })
  })
  for (let i = 0; i < count; i += 1) {
    send([call(0, 'part', i), call(1, 'slow')])
  }
  await expect.poll(() => begun.size).toBeGreaterThan(0)
  await sleep(300)
  expect(begun.size).toBeLessThan(10)
  await end()
  expect(begun.size).toBe(count)
})

test('while batches over stdio wait for others, pings are handled, and cancellations, which end these', async () => {
  const { send, end, responses } = serveSlow((server) => {
    server.registerProcedure(() => 'x'.repeat(50_000), { name: 'part', unchecked: true })
    server.registerProcedure(hang, { name: 'hang', unchecked: true, contextTarget: 0 })
  })
  const hanging = Array.from({ length: 30 }, (_, i) => i)
  send(...hanging.map((id) => [call(100 + id, 'part'), call(id, 'hang')]))
  send(request(1000, 'ping'), [request(1001, 'ping')])
  await expect
    .poll(() => responses)
    .toMatchObject([
      { id: 1000, result: {} },
      { id: 1001, result: {} },
    ])
  const cancelAll = () => {
    send(...hanging.map(cancel))
    return responses.length
  }
  await expect.poll(cancelAll).toBe(hanging.length + 2)
  await end()
})

test('batches over stdio that wait for others are rejected beyond 16 MiB', async () => {
  const { send, end, responses } = serveSlow((server) => {
    server.registerProcedure(() => 'x'.repeat(90_000), { name: 'part', unchecked: true })
  })
  send(...[1, 2].map(() => [call(0, 'part'), call(1, 'slow')]))
  const long = 'x'.repeat(125_000)
  send(...Array.from({ length: 200 }, (_, i) => [call(100 + i, 'slow', long)]), request(9000, 'ping'))
  await expect.poll(() => responses.at(-1)).toEqual({ jsonrpc: '2.0', id: 9000, result: {} })
  const rejected = responses.slice(0, -1) as Response[]
  expect(rejected.length).toBeGreaterThan(50)
  expect(new Set(rejected.map(({ error }) => error?.code))).toEqual(new Set([-32000]))
  await end()
  expect(responses).toHaveLength(205)
})

test.each([{}, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }])(
  'a call over stdio that waits for nothing but its cancellation is kept: _meta %j',
  async (_meta) => {
    const { send, end, responses } = serveSlow((server) => {
      server.registerProcedure(hang, { name: 'hang', unchecked: true, contextTarget: 0 })
    })
    const { method, params } = call(1, 'hang')
    send(request(1, method, { ...params, _meta }), request(2, 'ping'))
    await expect.poll(() => responses).toHaveLength(1)
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    for (let i = 0; i < 3; i += 1) {
      collectGarbage()
      await sleep(10)
    }
    send(cancel(1))
    await end()
  },
)

test('of two calls over stdio with one id, the one that runs longer can still be cancelled', async () => {
  const { send, end, release, responses } = serveSlow((server) => {
    server.registerProcedure(hang, { name: 'hang', unchecked: true, contextTarget: 0 })
  })
  send(call(1, 'slow'), call(1, 'hang'))
  const respondToFirst = () => {
    release()
    return responses.length
  }
  await expect.poll(respondToFirst).toBe(1)
  send(cancel(1), request(2, 'ping'))
  await expect.poll(() => responses.length).toBe(2)
  await end()
  expect(responses).toHaveLength(2)
})

test('of batches over HTTP/2 few begin while others are not complete', async () => {
  const [megabytes, count] = [4, 15]
  const server = createServer()
  const text = 'x'.repeat(1e6)
  const begun = new Set<number>()
  function part(i: number): string {
    begun.add(i)
    return text
  }
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.registerProcedure(part, { unchecked: true })
  server.registerProcedure(() => released, { name: 'slow', unchecked: true })
  const app = mcp(server, { tools: 'all' })
  const http2 = createHttp2Server(getRequestListener(app.fetch) as never).listen(0, '127.0.0.1')
  onTestFinished(() => void http2.close())
  await new Promise((resolve) => http2.once('listening', resolve))
  const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
  onTestFinished(() => session.destroy())
  const ended = Array.from({ length: count }, (_, i) => {
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
    const parts = Array.from({ length: megabytes }, (_, id) => call(id, 'part', i))
    stream.end(JSON.stringify([...parts, call(megabytes, 'slow')]))
    return new Promise((resolve) => void stream.resume().on('end', resolve))
  })
  await expect.poll(() => begun.size).toBeGreaterThan(0)
  await sleep(300)
  expect(begun.size).toBeLessThan(10)
  release()
  await Promise.all(ended)
  expect(begun.size).toBe(count)
})
