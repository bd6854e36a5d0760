import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { Hono } from 'hono'
import { type RpcContext, RpcServer } from 'rpc-gen'
import { webSocket } from 'rpc-gen/websocket'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openStream } from '../../hosts/stream.js'
import { blocksOf } from '../../support/blocks.js'
import { freePort, isListening, type Started, startProcess } from '../../support/process.js'
import { missingCommand, skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// The configuration of docs/guide/security.md, run by nginx with other ports and shorter times.

const [block] = blocksOf('docs/guide/security.md').filter(({ language }) => language === 'nginx')
const isSkipped = skipped('nginx', missingCommand('nginx', '-v'))

let port = 0
let nginx: Started
let stopServer = () => {}
let hanging: (() => void)[] = []
/** Requests that reached the server. */
let requests = 0

const server = new RpcServer()
server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
server.registerProcedure(() => 'x'.repeat(7 * 1024 * 1024), { name: 'large', unchecked: true })
let streams: unknown[] = []
async function* follow({ signal }: RpcContext): AsyncGenerator<number> {
  try {
    yield 1
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  } finally {
    streams.push(signal.reason?.name)
  }
}
server.registerProcedure(follow, { unchecked: true, subscription: true, contextTarget: 0 })
server.registerProcedure(() => new Promise<void>((resolve) => void hanging.push(resolve)), {
  name: 'hang',
  unchecked: true,
})

/** Replaces texts, each of which is there once or more. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    expect(changed).toContain(from)
    return changed.replaceAll(from, to)
  }, text)
}

beforeAll(async () => {
  if (isSkipped) return
  const app = new Hono()
  app.use(async (_c, next) => {
    requests += 1
    await next()
  })
  app.get('/rpc', upgradeWebSocket(webSocket(server)))
  app.route('/rpc', server.router())
  const [rpcPort, folder] = [await freePort(), temporaryFolder('nginx')]
  port = await freePort()
  const websocket = { server: new WebSocketServer({ noServer: true }) as never }
  const listening = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: rpcPort, websocket })
  stopServer = () => void listening.close()
  const config = replaceAll(block?.text ?? '', {
    'listen 80': `listen 127.0.0.1:${port}`,
    '127.0.0.1:3000': `127.0.0.1:${rpcPort}`,
    'client_body_timeout 10s': 'client_body_timeout 1s',
    'send_timeout 30s': 'send_timeout 1s',
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    return `${name}_temp_path ${join(folder, name)};`
  })
  const main = [
    'daemon off; master_process off; error_log stderr info;',
    `pid ${join(folder, 'pid')};`,
    'events {}',
    `http { access_log off; ${temporary.join(' ')} ${config} }`,
  ]
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  const command = ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
  nginx = await startProcess(command, { isReady: () => isListening(port) })
})

afterAll(async () => {
  for (const resolve of hanging) resolve()
  hanging = []
  await nginx?.stop()
  stopServer()
})

const host = () => `api.example.com:${port}`

const bodyOf = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })

/** Sends a call, and returns the status and the text of the response. */
function call(body: string, own: Readonly<Record<string, string>> = {}): Promise<readonly [number, string]> {
  const headers = { Host: host(), 'Content-Type': 'application/json', 'Content-Length': body.length, ...own }
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/rpc', method: 'POST', headers }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve([response.statusCode ?? 0, text])
    })
    outgoing.on('error', reject).end(body)
  })
}

function open(text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return socket
}

const head = (length: number) =>
  `POST /rpc HTTP/1.1\r\nHost: ${host()}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

describe.skipIf(isSkipped)('the configuration of the guide', () => {
  test('passes calls on, also large ones', async () => {
    expect(await call(bodyOf('add', 1, 2))).toEqual([200, '{"jsonrpc":"2.0","result":3,"id":1}'])
    const [status, text] = await call(bodyOf('large'))
    expect([status, text.length]).toEqual([200, 7 * 1024 * 1024 + '{"jsonrpc":"2.0","result":"","id":1}'.length])
  })

  test('rejects other hosts, and bodies that are too large', async () => {
    const before = requests
    expect((await call(bodyOf('add', 1, 2), { Host: 'rebound.example' }))[0]).toBe(421)
    const socket = open(head(4 * 1024 * 1024 + 1))
    const [response] = await once(socket, 'data')
    expect(`${response}`).toMatch(/^HTTP\/1\.1 413/)
    expect(requests).toBe(before)
  })

  test('WebSocket: connections of the own host only', async () => {
    const options = { headers: { Host: host() }, origin: `http://${host()}` }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, options)
    await once(socket, 'open')
    socket.send(bodyOf('add', 1, 2))
    const [message] = await once(socket, 'message')
    expect(`${message}`).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
    socket.close()
    const foreign = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { ...options, origin: 'https://evil.example' })
    const [error] = await once(foreign, 'error')
    expect(String(error)).toContain('403')
  })

  test('a stream: events are passed on at once, and the end of the client', async () => {
    streams = []
    const stream = await openStream(`http://127.0.0.1:${port}/rpc`, false, 'follow', [], { host: host() })
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(await stream.until('"params"')).toContain('"result":1')
    stream.leave()
    await expect.poll(() => streams).toEqual(['AbortError'])
  })

  test('a body that does not arrive does not reach the server', async () => {
    const before = requests
    const socket = open(head(100))
    socket.resume()
    await new Promise((resolve) => void socket.once('close', resolve))
    expect(requests).toBe(before)
  })

  test('a client that does not read its response is disconnected, and the server is free before', async () => {
    const timedOut = /timed out.* while sending to client/
    expect(nginx.log()).not.toMatch(timedOut)
    const body = bodyOf('large')
    open(head(body.length) + body).pause()
    await expect.poll(() => nginx.log()).toMatch(timedOut)
  })

  test('a client has a limited number of connections', async () => {
    const calls = Array.from({ length: 20 }, () => call(bodyOf('hang')))
    await expect.poll(() => hanging.length).toBe(20)
    expect((await call(bodyOf('add', 1, 2)))[0]).toBe(429)
    for (const resolve of hanging) resolve()
    hanging = []
    for (const response of calls) expect((await response)[0]).toBe(200)
    await expect.poll(async () => (await call(bodyOf('add', 1, 2)))[0]).toBe(200)
  })
})
