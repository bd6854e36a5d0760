import { once } from 'node:events'
import { connect, constants, createServer } from 'node:http2'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer, type RpcServerOptions } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { nodeHandler } from 'rpc-gen/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Http2Connection } from '../support/http2-frames.js'
import { listen } from '../support/listen.js'

// Bodies that do not end, on the entry points of Node.

type Listener = ReturnType<typeof getRequestListener>

/** A server whose calls and errors are listed, and each way to serve it on Node. */
function serverOf(options: RpcServerOptions = {}) {
  const ran: unknown[] = []
  const errors: string[] = []
  const server = new RpcServer({ onError: (error) => void errors.push(String(error)), ...options })
  server.registerProcedure((amount: number) => ran.push(amount), { name: 'pay', unchecked: true })
  const app = (path: string) => new Hono().route('/mcp', mcp(server, { tools: 'all' })).route(path, server.router())
  const listeners: Readonly<Record<string, Listener>> = {
    nodeHandler: nodeHandler(server) as Listener,
    'Hono on @hono/node-server': getRequestListener(app('/').fetch),
    'fetch on @hono/node-server': getRequestListener(server.fetch),
  }
  // Without what the host passes: only the Request shows whether it was cancelled.
  const withoutEnv: Readonly<Record<string, Listener>> = {
    'fetch without env': getRequestListener((request) => server.fetch(request)),
    'a route of Hono without env': getRequestListener(new Hono().post('*', (c) => server.fetch(c.req.raw)).fetch),
    'a copy of the Request': getRequestListener(
      new Hono().post('*', (c) => server.fetch(new Request(c.req.raw))).fetch,
    ),
  }
  return { ran, errors, listeners: { ...listeners, ...withoutEnv }, own: Object.keys(listeners) }
}

const all = Object.keys(serverOf().listeners)
const entryPoints = serverOf().own

async function serveHttp2(listener: Listener): Promise<Http2Connection> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = await Http2Connection.open((server.address() as AddressInfo).port)
  onTestFinished(() => {
    connection.destroy()
    server.close()
  })
  return connection
}

const json = {
  ':method': 'POST',
  ':scheme': 'http',
  ':path': '/',
  ':authority': 'localhost',
  'content-type': 'application/json',
}
const list = '{"jsonrpc":"2.0","method":"system.listMethods","id":1}'
const pay = (amount: number) => `{"jsonrpc":"2.0","method":"pay","params":[${amount}],"id":1}`
const payXml =
  '<?xml version="1.0"?><methodCall><methodName>pay</methodName><params><param><value><int>100</int></value></param></params></methodCall>'

const codes = [0, 1, 2, 3, 4, 5, 6, 7, 8]

describe.each(all)('HTTP/2: %s', (name) => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a whole message', {}, pay(100)],
    ['half a message', {}, '{"jsonrpc":"2.0","met'],
    ['a message of the announced length, cut', { 'content-length': '500' }, pay(100)],
    ['nothing', {}, ''],
    ['XML', { 'content-type': 'text/xml' }, payXml],
    ['MCP', { ':path': '/mcp', ':authority': 'localhost' }, pay(100)],
  ])('%s without an end, cancelled with each code: not a call, and not an error', async (_, headers, text) => {
    const { ran, errors, listeners } = serverOf()
    const connection = await serveHttp2(listeners[name] as Listener)
    for (const code of codes) {
      const cancel = connection.begin({ ...json, ...headers }, text)
      // The server has read it once it has responded to another request of the connection.
      await connection.request(json, list)
      cancel(code)
      await connection.request(json, list)
      connection.begin({ ...json, ...headers }, text)(code)
    }
    expect(JSON.parse(await connection.request(json, pay(7))).result).toBe(1)
    expect({ ran, errors }).toEqual({ ran: [7], errors: [] })
  })

  test('a connection that ends: the same', async () => {
    const { ran, errors, listeners } = serverOf()
    let closed = () => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const connection = await serveHttp2((incoming, outgoing) => {
      if (incoming.headers['x-cut']) outgoing.once('close', closed)
      return (listeners[name] as Listener)(incoming, outgoing)
    })
    connection.begin({ ...json, 'x-cut': '1' }, pay(100))
    await connection.request(json, list)
    connection.destroy()
    await gone
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect({ ran, errors }).toEqual({ ran: [], errors: [] })
  })
})

// What has ended is whole for the Request: only what the host passes shows that it was cancelled then.
test.each(entryPoints)('HTTP/2: the client of node:http2, which ends the body and then cancels: %s', async (name) => {
  const { ran, errors, listeners } = serverOf()
  const server = createServer(listeners[name] as Listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const text of [pay(100), '{"jsonrpc":"2.0","met']) {
    const request = client.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
    request.on('error', () => {}).write(text)
    await once(server, 'stream')
    await new Promise((resolve) => setTimeout(resolve, 10))
    request.close(constants.NGHTTP2_CANCEL)
    await new Promise<void>((resolve) => void request.once('close', resolve))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect({ ran, errors }).toEqual({ ran: [], errors: [] })
  client.destroy()
  server.close()
})

const large = 'x'.repeat(64 * 1024)
const limits = { bodyBytes: 1000 }

/** Sends bytes and returns what is received until the connection is closed. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (data) => {
    received += data
  })
  socket.on('error', () => {}).write(text)
  await once(socket, 'close')
  return received
}

const head = (...lines: string[]) =>
  `${['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`

describe.each([
  ['Hono on @hono/node-server', 'POST / '],
  ['Hono on @hono/node-server', 'POST /mcp '],
  ['fetch on @hono/node-server', 'POST / '],
])('a body in chunks that is too large: %s, %s', (name, target) => {
  const start = head('Transfer-Encoding: chunked').replace('POST / ', target)

  test('a client that sends all of it before it reads sees 413, and may use the connection again', async () => {
    const { ran, listeners } = serverOf({ limits })
    const { port, close } = await listen(listeners[name] as Listener)
    onTestFinished(close)
    const socket = connectTcp(port, '127.0.0.1')
    const failures: unknown[] = []
    socket.on('error', (error) => failures.push(error)).pause()
    socket.write(start)
    for (let i = 0; i < 512; i += 1) {
      if (!socket.write(`10000\r\n${large}\r\n`)) await once(socket, 'drain')
    }
    socket.write('0\r\n\r\n')
    socket.write(head(`Content-Length: ${pay(8).length}`, 'Connection: close') + pay(8))
    let received = ''
    socket.setEncoding('utf8').on('data', (data) => {
      received += data
    })
    socket.resume()
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
    expect(failures).toEqual([])
    expect(ran).toEqual([8])
  })
})

test('a client that does not end its request gets 413 after some seconds, and is disconnected', async () => {
  const { listeners } = serverOf({ limits })
  const { port, close } = await listen(listeners['Hono on @hono/node-server'] as Listener)
  onTestFinished(close)
  const received = await sendRaw(port, `${head('Transfer-Encoding: chunked')}10000\r\n${large}\r\n`)
  expect(received).toMatch(/^HTTP\/1\.1 413 /)
  expect(received).toMatch(/\r\nconnection: close\r\n/i)
})

test.each(entryPoints)('a transfer coding that is not decoded is 501: %s', async (name) => {
  const { ran, errors, listeners } = serverOf()
  const { port, close } = await listen(listeners[name] as Listener)
  onTestFinished(close)
  const chunk = `${pay(1).length.toString(16)}\r\n${pay(1)}\r\n0\r\n\r\n`
  const received = await sendRaw(port, `${head('Transfer-Encoding: gzip, chunked', 'Connection: close')}${chunk}`)
  expect(received).toMatch(/^HTTP\/1\.1 501 /)
  expect(received).toContain('The Transfer-Encoding gzip, chunked is not supported: send chunked.')
  expect(await sendRaw(port, `${head('Transfer-Encoding: Chunked', 'Connection: close')}${chunk}`)).toMatch(
    /^HTTP\/1\.1 200 /,
  )
  expect({ ran, errors }).toEqual({ ran: [1], errors: [] })
})

test.each(entryPoints)('credentials in an absolute target: %s', async (name) => {
  const { ran, listeners } = serverOf({ auth: (request: Request) => request.headers.has('host') })
  const { port, close } = await listen(listeners[name] as Listener)
  onTestFinished(close)
  const text = head(`Content-Length: ${pay(1).length}`, 'Connection: close').replace('/', 'http://u:p@localhost/')
  const received = await sendRaw(port, text + pay(1))
  expect(received).toMatch(/^HTTP\/1\.1 200 /)
  expect(JSON.parse(received.slice(received.indexOf('{')))).toMatchObject({ id: 1, result: 1 })
  expect(ran).toEqual([1])
})
