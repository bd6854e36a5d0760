import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { nodeHandler } from 'rpc-gen/node'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/listen.js'

// Requests that a client sends behind a call that takes long are not read, and get their responses in their order afterwards.

const listeners: Readonly<Record<string, (server: RpcServer) => RequestListener>> = {
  nodeHandler: (server) => nodeHandler(server),
  "Hono's adapter": (server) =>
    getRequestListener(new Hono().route('/rpc', server.router()).route('/mcp', mcp(server)).fetch),
}

/** A server of a call that takes until `release` is called, and of one that does not. */
async function serve(listenerOf: (server: RpcServer) => RequestListener) {
  const server = new RpcServer({ docs: true })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  async function long() {
    await released
    return 'long'
  }
  server.registerProcedure(long, { unchecked: true })
  server.registerProcedure(() => 'quick', { name: 'quick', unchecked: true })
  const { port, close, server: http } = await listen(listenerOf(server))
  onTestFinished(close)
  const connection = new Promise<Socket>((resolve) => void http.once('connection', resolve))
  const client = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void client.destroy())
  return { client, release, connection }
}

function post(id: number, method: string, { path = '/rpc', size = 0 } = {}): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, ...(size > 0 && { params: ['x'.repeat(size)] }) })
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function chunked(id: number): string {
  const [head, body] = post(id, 'quick', { size: 50_000 }).split('\r\n\r\n') as [string, string]
  const chunks = body.match(/.{1,7000}/g) ?? []
  const text = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
  return `${head.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')}\r\n\r\n${text}0\r\n\r\n`
}

const page = 'GET /rpc HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n'
const other = 'PUT /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'

/** Requests of a client, by what they are, and how many of them it sends. */
const kinds: Readonly<Record<string, readonly [count: number, request: (id: number) => string]>> = {
  'small calls': [8000, (id) => post(id, 'quick')],
  'calls of 50 kB': [100, (id) => post(id, 'quick', { size: 50_000 })],
  'calls of 200 kB': [20, (id) => post(id, 'quick', { size: 200_000 })],
  'calls of 50 kB in chunks': [100, chunked],
  'unknown methods of 50 kB': [100, (id) => post(id, 'unknown', { size: 50_000 })],
  'the docs page': [2000, () => `GET /rpc HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1000)}\r\nAccept: text/html\r\n\r\n`],
  'the OpenRPC document': [8000, () => `GET /rpc/openrpc.json HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100)}\r\n\r\n`],
  HEAD: [1000, () => `HEAD /rpc HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1000)}\r\nAccept: text/html\r\n\r\n`],
  'calls, the docs page and other methods': [300, (id) => [post(id, 'quick', { size: 10_000 }), page, other].join('')],
  'messages of MCP': [8000, (id) => post(id, 'ping', { path: '/mcp' })],
  'messages of MCP of 50 kB': [100, (id) => post(id, 'ping', { path: '/mcp', size: 50_000 })],
}

/** More than Node reads at once of a socket, 64 KiB, with the body of a request. */
const readAtOnce = 300_000

for (const [name, listenerOf] of Object.entries(listeners)) {
  for (const [kind, [count, request]] of Object.entries(kinds)) {
    if (name === 'nodeHandler' && kind.includes('MCP')) continue
    test(`${name}: ${kind} behind a call are read when it has ended`, async () => {
      const { client, release, connection } = await serve(listenerOf)
      const text = Array.from({ length: count }, (_, i) => request(i + 1)).join('')
      expect(text.length).toBeGreaterThan(2 * readAtOnce)
      client.write(post(0, 'long') + text)
      const socket = await connection
      await sleep(300)
      expect(socket.bytesRead).toBeGreaterThan(0)
      expect(socket.bytesRead).toBeLessThan(readAtOnce)
      release()
      client.write('POST /end HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      let responses = ''
      for await (const chunk of client) responses += chunk
      expect(responses.split('HTTP/1.1 ').length - 1).toBe(1 + text.split(' HTTP/1.1\r\n').length)
      const ids = [...responses.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
      if (ids.length > 1) expect(ids).toEqual(Array.from({ length: count + 1 }, (_, i) => i))
    })
  }

  test(`${name}: a request for the docs page behind a call that has just been read`, async () => {
    const { client } = await serve(listenerOf)
    client.write((page + post(0, 'quick', { size: 10_000 })).repeat(3))
    let text = ''
    for await (const chunk of client) {
      text += chunk
      if (text.split('HTTP/1.1 200').length > 6) break
    }
    expect(text.split('"result":"quick"').length - 1).toBe(3)
  })

  test(`${name}: ten requests at a time`, async () => {
    const { client } = await serve(listenerOf)
    let sent = 0
    const send = () => client.write(post(sent++, 'quick'))
    for (let i = 0; i < 10; i += 1) send()
    let text = ''
    let answered = 0
    for await (const chunk of client) {
      text += chunk
      const ids = [...text.matchAll(/"id":(\d+)\}/g)]
      for (; answered < ids.length; answered += 1) {
        expect(Number(ids[answered]?.[1])).toBe(answered)
        if (sent < 2000) send()
      }
      if (answered === 2000) break
    }
    expect(answered).toBe(2000)
  })
}
