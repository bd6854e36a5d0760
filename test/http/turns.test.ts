import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import {
  array,
  boolean,
  describeTypes,
  lazy,
  manifest,
  procedure,
  string,
  type Type,
  tuple,
  union,
} from 'rpc-gen/codegen/v1'
import { nodeHandler } from 'rpc-gen/node'
import { expect, onTestFinished, test } from 'vitest'
import { countLongWork, Turns } from '../../runtime/call/turns.js'
import { listen, serveApp } from '../support/listen.js'
import { countTurns } from '../support/loop-turns.js'
import { serveWebSocket } from '../websocket/serving.js'

// Messages that arrive in one read of a connection give the thread back, and so do calls that end together: other connections have their turns
// between them.

const count = 100
const millisecond = 1

/** A server of a procedure that occupies the thread, and the turns of the event loop in which its calls have run. */
function busyServer() {
  const server = new RpcServer()
  const order: number[] = []
  const turns: number[] = []
  const turn = countTurns()
  function busy(i: number): number {
    order.push(i)
    turns.push(turn())
    const end = performance.now() + millisecond
    while (performance.now() < end);
    return i
  }
  server.registerProcedure(busy, { unchecked: true })
  return { server, order, turns, busy }
}

const bodyOf = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'busy', params: [id] })
const ids = Array.from({ length: count }, (_, i) => i)

/** A tenth of the turns that 100 ms have: the first ones may be shared with the start of the connection. */
function expectTurns({ order, turns }: Pick<ReturnType<typeof busyServer>, 'order' | 'turns'>): void {
  expect(order).toEqual(ids)
  expect(new Set(turns).size).toBeGreaterThan(3)
}

async function pipeline(url: string): Promise<void> {
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const requests = ids.map((id) => {
    const body = bodyOf(id)
    return `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  })
  socket.write(requests.join(''))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.split('"result":').length > count) break
  }
  expect([...text.matchAll(/"result":(\d+)/g)].map(([, id]) => Number(id))).toEqual(ids)
}

test('pipelined requests through node:http', async () => {
  const busy = busyServer()
  const { url, close } = await listen(nodeHandler(busy.server))
  onTestFinished(close)
  await pipeline(url)
  expectTurns(busy)
})

test("pipelined requests through Hono's adapter", async () => {
  const busy = busyServer()
  const { url, close } = await serveApp(new Hono().route('/rpc', busy.server.router()))
  onTestFinished(close)
  await pipeline(url)
  expectTurns(busy)
})

test('streams of HTTP/2', async () => {
  const busy = busyServer()
  const server = createHttp2Server(nodeHandler(busy.server)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => session.close())
  const calls = ids.map((id) => {
    const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
    stream.end(bodyOf(id))
    return new Promise((resolve, reject) => void stream.resume().on('end', resolve).on('error', reject))
  })
  await Promise.all(calls)
  expectTurns(busy)
})

test('messages of WebSocket', async () => {
  const busy = busyServer()
  const serving = await serveWebSocket(busy.server)
  onTestFinished(() => serving.stop())
  const { socket } = await serving.connect()
  const done = new Promise<void>((resolve) => {
    let left = count
    socket.on('message', () => {
      left -= 1
      if (left === 0) resolve()
    })
  })
  // One write of the socket below.
  const { _socket: raw } = socket as unknown as { readonly _socket: { cork(): void; uncork(): void } }
  raw.cork()
  for (const id of ids) socket.send(bodyOf(id))
  raw.uncork()
  await done
  expectTurns(busy)
})

/** A server of calls that all end when `end` is called, and the turns of the event loop in which their results are serialised. */
function endingServer() {
  const { server, order, turns, busy } = busyServer()
  let pending = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const text = 'x'.repeat(100_000)
  async function together(i: number): Promise<object> {
    pending += 1
    if (pending === count) setTimeout(end, 10)
    await ended
    return {
      toJSON() {
        busy(i)
        return text
      },
    }
  }
  server.registerProcedure(together, { unchecked: true })
  return { server, order, turns }
}

const togetherOf = (id: number) => bodyOf(id).replace('busy', 'together')

/** The results that wait have their turns in the order in which they came. */
function expectSharedTurns({ order, turns }: ReturnType<typeof endingServer>): void {
  expect(order.toSorted((a, b) => a - b)).toEqual(ids)
  expect(new Set(turns).size).toBeGreaterThan(3)
}

test.each(['node:http', "Hono's adapter"])('calls that end together, through %s', async (name) => {
  const ending = endingServer()
  const { url, close } = await (name === 'node:http'
    ? listen(nodeHandler(ending.server))
    : serveApp(new Hono().route('/rpc', ending.server.router())))
  onTestFinished(close)
  const headers = { 'Content-Type': 'application/json' }
  const responses = ids.map((id) => fetch(url, { method: 'POST', headers, body: togetherOf(id) }))
  for (const response of await Promise.all(responses)) expect((await response.text()).length).toBeGreaterThan(100_000)
  expectSharedTurns(ending)
})

test('calls of WebSocket that end together, alone and in a batch', async () => {
  for (const messages of [ids.map(togetherOf), [`[${ids.map(togetherOf).join()}]`]]) {
    const ending = endingServer()
    const serving = await serveWebSocket(ending.server, { limits: { outbox: 2 ** 28 } })
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    for (const message of messages) peer.send(message)
    for (const _ of messages) await peer.next()
    expectSharedTurns(ending)
  }
})

test('items of a stream that take long', async () => {
  const { server, turns, busy } = busyServer()
  async function* items() {
    for (const i of ids.slice(0, 12)) {
      for (let n = 0; n < 5; n += 1) busy(i)
      yield i
    }
  }
  server.registerProcedure(items, { unchecked: true, subscription: true })
  const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'items' })
  const response = await server.fetch(new Request('http://localhost/', { method: 'POST', headers, body }))
  expect(await response.text()).toContain('"result":null')
  expect(new Set(turns).size).toBeGreaterThan(3)
})

test('entries of a batch whose errors take long to explain', async () => {
  const element: Type = union([string, lazy(() => tuple([string], 1, element)), array(lazy(() => element))])
  describeTypes({ element })
  const procedures = manifest({
    take: procedure((_: unknown) => true, { params: { value: element }, returns: boolean }),
  })
  const server = new RpcServer({ procedures })
  const value = `${'["a",'.repeat(240)}5${']'.repeat(240)}`
  // Fewer than the entries after which a batch looks at the clock in any case.
  const body = `[${Array(15).fill(`{"jsonrpc":"2.0","id":1,"method":"take","params":[${value}]}`).join()}]`
  const turn = countTurns()
  await server.handle(body)
  expect(turn()).toBeGreaterThan(1)
})

test('a loop that has waited runs a step in its turn, however late it is and whatever others have done', async () => {
  const turns = new Turns()
  const start = performance.now()
  let turn: Promise<void> | undefined
  while (!turn && performance.now() < start + 1000) {
    countLongWork()
    turn = turns.next()
  }
  expect(turn).toBeDefined()
  await turn
  const resumed = performance.now()
  while (performance.now() < resumed + 15);
  expect(turns.next()).toBeUndefined()
})
