import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, type ServerResponse, request as send } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { type RpcContext, RpcError, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { type NodeBindings, type NodeHandlerOptions, nodeHandler } from 'rpc-gen/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Listening, listen } from '../support/listen.js'
import { callJson, json, jsonText, notification, serverOf, xml, xmlText } from '../support/requests.js'

const asJson = { 'Content-Type': 'application/json' }

/** Listens until the test has finished. */
async function serve(listener: RequestListener): Promise<Listening> {
  const listening = await listen(listener)
  onTestFinished(listening.close)
  return listening
}

const serveRpc = (options: RpcServerOptions = {}) => serve(nodeHandler(serverOf(options)))

type Step = (incoming: IncomingMessage & { rawBody?: unknown; body?: unknown }) => unknown

/** The handler behind middleware, with what `next` got. */
async function behind(step: Step, options: RpcServerOptions = {}) {
  const passed: unknown[] = []
  const handler = nodeHandler(serverOf(options))
  const { url } = await serve(async (incoming, outgoing) => {
    await step(incoming)
    handler(incoming, outgoing, (...error) => {
      passed.push(...error)
      outgoing.writeHead(error.length > 0 ? 500 : 404).end('next')
    })
  })
  return { url, passed }
}

const post = (url: string, body: BodyInit, headers: Record<string, string> = asJson) =>
  fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)

/** Sends bytes and returns all that is received until the server closes the connection. */
async function sendRaw(port: number, ...chunks: readonly (string | Promise<unknown>)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received = receive(socket)
  for (const chunk of chunks) {
    if (typeof chunk === 'string') socket.write(chunk)
    else await chunk
  }
  await once(socket, 'close')
  return received()
}

function receive(socket: Socket): () => string {
  let text = ''
  socket.setEncoding('utf8').on('data', (data) => {
    text += data
  })
  // A server that has responded need not read the rest.
  socket.on('error', () => {})
  return () => text
}

function head(...lines: string[]): string {
  return `${['POST /rpc HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`
}

const closing = 'Connection: close'
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`
const bodyOf = (received: string) => received.slice(received.lastIndexOf('\r\n\r\n') + 4)

describe('POST', () => {
  test.each([
    ['JSON', 'application/json', json, jsonText],
    ['XML', 'text/xml', xml, xmlText],
    ['an error', 'application/json', '{"jsonrpc":"2.0","method":"é","id":"é"}', undefined],
  ])('%s: one response with its length', async (_, type, body, response) => {
    const { port } = await serveRpc()
    const lines = `POST /any/path HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${closing}\r\n${length(body)}\r\n\r\n`
    const received = await sendRaw(port, lines + body)
    expect(received).toContain('HTTP/1.1 200 OK\r\n')
    expect(received).toContain(`Content-Length: ${Buffer.byteLength(bodyOf(received))}\r\n`)
    expect(received.toLowerCase()).not.toContain('transfer-encoding')
    if (response) expect(bodyOf(received)).toBe(response)
  })

  test('a notification: 204 without a body and a length', async () => {
    const { port } = await serveRpc()
    const received = await sendRaw(port, head(closing, length(notification)) + notification)
    expect(received).toMatch(/^HTTP\/1\.1 204 No Content\r\n/)
    expect(received).not.toMatch(/content-length|transfer-encoding/i)
    expect(bodyOf(received)).toBe('')
  })

  test('chunks, one byte at a time', async () => {
    const { port } = await serveRpc()
    const chunks = [...json].map((char) => `1\r\n${char}\r\n`).join('')
    const received = await sendRaw(port, `${head(closing, 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`)
    expect(bodyOf(received)).toBe(jsonText)
  })

  test('many requests on one connection, pipelined', async () => {
    const { port } = await serveRpc()
    const received = await sendRaw(port, (head(length(json)) + json).repeat(20) + head(closing, length(json)) + json)
    expect(received.split(jsonText)).toHaveLength(22)
  })

  test('requests one after another on one connection', async () => {
    const { port } = await serveRpc()
    const socket = connect(port, '127.0.0.1')
    const received = receive(socket)
    for (let i = 1; i <= 20; i += 1) {
      socket.write(head(length(json)) + json)
      while (received().split(jsonText).length <= i) await once(socket, 'data')
    }
    expect(received().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20)
    socket.destroy()
  })

  test('HTTP/1.0 without a Host', async () => {
    const { port } = await serveRpc()
    const request = `POST /rpc HTTP/1.0\r\nContent-Type: application/json\r\n${length(json)}\r\n\r\n${json}`
    const received = await sendRaw(port, request)
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(bodyOf(received)).toBe(jsonText)
  })

  test('gzip', async () => {
    const { url } = await serveRpc()
    const response = await post(url, gzipSync(json), { ...asJson, 'Content-Encoding': 'gzip' })
    expect(await response.text()).toBe(jsonText)
  })

  test('other Content-Types', async () => {
    const { url } = await serveRpc()
    const statuses = await Promise.all([
      post(url, json, { 'Content-Type': 'text/plain' }),
      post(url, json, { ...asJson, 'Content-Encoding': 'br' }),
      post(url, 'x', { ...asJson, 'Content-Encoding': 'gzip' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([415, 415, 400])
    expect(statuses[1]?.headers.get('accept-encoding')).toBe('gzip, deflate')
  })

  test('headers that middleware has set are kept', async () => {
    const handler = nodeHandler(serverOf({ docs: true }))
    const { url } = await serve((incoming, outgoing) => {
      outgoing.setHeader('X-Request-Id', '7')
      outgoing.setHeader('Set-Cookie', ['a=1', 'b=2'])
      outgoing.setHeader('Vary', 'Origin')
      outgoing.setHeader('Content-Type', 'text/html')
      handler(incoming, outgoing)
    })
    const { headers } = await post(url, json)
    const names = ['x-request-id', 'vary', 'content-type']
    expect(names.map((name) => headers.get(name))).toEqual(['7', 'Origin', 'application/json'])
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const page = await fetch(url, { headers: { Accept: 'text/html' } })
    expect(page.headers.get('vary')).toBe('Origin, Accept')
  })

  test('a response that middleware has sent is not changed', async () => {
    const handler = nodeHandler(serverOf())
    const { url } = await serve((incoming, outgoing) => {
      handler(incoming, outgoing)
      outgoing.writeHead(503).end('too slow')
    })
    const response = await post(url, json)
    expect([response.status, await response.text()]).toEqual([503, 'too slow'])
  })

  test('a batch runs one after another on request', async () => {
    const server = new RpcServer()
    let running = 0
    let most = 0
    server.registerProcedure(
      async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
      },
      { unchecked: true, name: 'run' },
    )
    const batch = `[${Array(5).fill('{"jsonrpc":"2.0","method":"run","id":1}').join(',')}]`
    await post((await serve(nodeHandler(server, { sequential: true }))).url, batch)
    expect(most).toBe(1)
    await post((await serve(nodeHandler(server))).url, batch)
    expect(most).toBe(5)
  })

  test('conflicting registrations throw when the handler is created', () => {
    const server = new RpcServer()
    for (let i = 0; i < 2; i += 1) server.registerProcedure(() => 1, { unchecked: true, name: 'twice' })
    expect(() => nodeHandler(server)).toThrow('twice')
  })
})

describe('other methods', () => {
  const allowed = (response: Response) => [response.status, response.headers.get('allow')]

  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('%s: 405, and with next it is passed on', async (method) => {
    const { url } = await serveRpc()
    expect(allowed(await fetch(url, { method }))).toEqual([405, 'POST'])
    const { url: mounted, passed } = await behind(() => {})
    expect((await fetch(mounted, { method })).status).toBe(404)
    expect(passed).toEqual([])
  })

  test('GET and HEAD of the docs page', async () => {
    for (const { url } of [await serveRpc({ docs: true }), await behind(() => {}, { docs: true })]) {
      const headers = { Accept: 'text/html' }
      const page = await fetch(url, { headers })
      const text = await page.text()
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toContain('echo.string')
      // The address to call is in it.
      expect(text).toContain(url)
      const only = await fetch(url, { method: 'HEAD', headers })
      expect([only.status, only.headers.get('content-length')]).toEqual([200, page.headers.get('content-length')])
      expect(await only.text()).toBe('')
    }
  })

  test('the OpenRPC document below the endpoint, and 304', async () => {
    const { url } = await serveRpc()
    const response = await fetch(`${url}/openrpc.json`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ openrpc: expect.any(String) })
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '' }
    const { port } = new URL(url)
    const again = send({ port, path: '/rpc/openrpc.json', headers }).end()
    const [unchanged] = (await once(again, 'response')) as [IncomingMessage]
    unchanged.resume()
    expect([unchanged.statusCode, unchanged.headers['content-length']]).toEqual([304, undefined])
    const without = await serveRpc({ registerSystemProcedures: false })
    expect((await fetch(`${without.url}/openrpc.json`)).status).toBe(405)
  })

  test('redirectGetRequestsTo', async () => {
    const { url } = await serveRpc({ redirectGetRequestsTo: '/dócs/日本' })
    const { status, headers } = await fetch(url, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([301, '/d%C3%B3cs/%E6%97%A5%E6%9C%AC'])
  })
})

describe('a body that middleware has read', () => {
  const read: Step = async (incoming) => {
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  const readInto = (name: 'body' | 'rawBody', convert: (bytes: Buffer) => unknown): Step => {
    return async (incoming) => {
      incoming[name] = convert((await read(incoming)) as Buffer)
    }
  }

  test.each<[string, Step]>([
    ['req.body, a value', readInto('body', (bytes) => JSON.parse(`${bytes}`))],
    ['req.body, bytes', readInto('body', (bytes) => bytes)],
    ['req.body, text', readInto('body', String)],
    ['req.rawBody, bytes', readInto('rawBody', (bytes) => new Uint8Array(bytes))],
    ['req.rawBody, text', readInto('rawBody', String)],
  ])('%s', async (_, step) => {
    const { url, passed } = await behind(step, { limits: { bodyBytes: 200 } })
    expect(await (await post(url, json)).text()).toBe(jsonText)
    expect((await post(url, callJson('sum', `["${'a'.repeat(200)}"]`))).status).toBe(413)
    expect(passed).toEqual([])
  })

  test('a body that the host parses when it is read, and cannot parse: -32700, and not an error of the host', async () => {
    const errors: Error[] = []
    const step: Step = async (incoming) => {
      const bytes = await read(incoming)
      Object.defineProperty(incoming, 'body', { get: () => JSON.parse(`${bytes}`) })
    }
    const { url, passed } = await behind(step, { onError: (error) => void errors.push(error) })
    expect(await (await post(url, json)).text()).toBe(jsonText)
    const response = await post(url, '{"jsonrpc":')
    expect([response.status, await response.json()]).toEqual([
      200,
      { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null },
    ])
    expect(errors.map(({ name, cause }) => [name, (cause as Error).name])).toEqual([['RpcParseError', 'SyntaxError']])
    const fault = await post(url, xml, { 'Content-Type': 'text/xml' })
    expect([fault.status, await fault.text()]).toEqual([200, expect.stringContaining('<int>-32700</int>')])
    expect(passed).toEqual([])
  })

  test.each(['body', 'rawBody'])('req.%s that throws: a parse error in the protocol of the request', async (name) => {
    const step: Step = async (incoming) => {
      await read(incoming)
      const get = () => {
        throw new Error('lost')
      }
      Object.defineProperty(incoming, name, { get })
    }
    const { url, passed } = await behind(step, { onError: () => {} })
    expect(await (await post(url, json)).text()).toContain('"code":-32700')
    expect(await (await post(url, xml, { 'Content-Type': 'text/xml' })).text()).toContain('<int>-32700</int>')
    expect(passed).toEqual([])
  })

  test('req.body that is a promise: 500, and a rejection is not left without a handler', async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const errors: string[] = []
    for (const make of [() => Promise.reject(new Error('lost')), () => Promise.resolve(json)]) {
      const step: Step = async (incoming) => {
        await read(incoming)
        Object.defineProperty(incoming, 'body', { get: make })
      }
      const { url } = await behind(step, { onError: ({ name }) => void errors.push(name) })
      expect((await post(url, json)).status).toBe(500)
      expect((await post(url, xml, { 'Content-Type': 'text/xml' })).status).toBe(500)
    }
    process.off('unhandledRejection', listener)
    expect([errors, unhandled]).toEqual([Array(4).fill('BodyConsumedError'), []])
  })

  test('no usable body: 500, and onError gets the reason', async () => {
    const errors: Error[] = []
    const { url, passed } = await behind(read, { onError: (error) => void errors.push(error) })
    const response = await post(url, json)
    expect([response.status, await response.text()]).toEqual([500, 'Internal error.'])
    expect(errors.map(({ name }) => name)).toEqual(['BodyConsumedError'])
    expect(passed).toEqual([])
  })

  test('an empty body: the same as an unread one', async () => {
    const { url } = await behind(read)
    expect(JSON.parse(await (await post(url, '')).text()).error.code).toBe(-32700)
  })

  test('a body parser that has skipped it has no effect', async () => {
    const { url } = await behind((incoming) => {
      incoming.body = {}
    })
    expect(await (await post(url, xml, { 'Content-Type': 'text/xml' })).text()).toBe(xmlText)
  })
})

describe('a body that is too large', () => {
  const limits = { bodyBytes: 1000 }
  const text = 'The body is larger than 1000 bytes.'
  const large = 'x'.repeat(64 * 1024)

  test('announced: 413 before it has arrived, and the connection is closed', async () => {
    const { port } = await serveRpc({ limits })
    const received = await sendRaw(port, head('Content-Length: 5000') + 'x'.repeat(5000))
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(received).toMatch(/\r\nConnection: close\r\n/)
    expect(bodyOf(received)).toBe(text)
  })

  test('in chunks: 413 while it is still arriving', async () => {
    const { port } = await serveRpc({ limits })
    const socket = connect(port, '127.0.0.1')
    const received = receive(socket)
    socket.write(`${head('Transfer-Encoding: chunked')}7d0\r\n${'x'.repeat(2000)}\r\n`)
    await once(socket, 'data')
    // The request has not ended.
    expect(received()).toMatch(/^HTTP\/1\.1 413 /)
    socket.write('0\r\n\r\n')
    await once(socket, 'close')
    expect(bodyOf(received())).toBe(text)
  })

  test.each([
    ['announced', `Content-Length: ${512 * large.length}`, large],
    ['in chunks', 'Transfer-Encoding: chunked', `10000\r\n${large}\r\n`],
  ])('%s: a client that sends all of it before it reads sees 413', async (_, announced, chunk) => {
    const { port } = await serveRpc({ limits })
    const socket = connect(port, '127.0.0.1')
    const failures: unknown[] = []
    socket.on('error', (error) => failures.push(error)).pause()
    socket.write(head(announced))
    for (let i = 0; i < 512; i += 1) if (!socket.write(chunk)) await once(socket, 'drain')
    if (announced.startsWith('T')) socket.write('0\r\n\r\n')
    const received = receive(socket)
    socket.resume()
    await once(socket, 'close')
    expect(received()).toMatch(/^HTTP\/1\.1 413 /)
    expect(failures).toEqual([])
  })

  test('a client that does not end its request is disconnected', async () => {
    const { port } = await serveRpc({ limits })
    const socket = connect(port, '127.0.0.1')
    const received = receive(socket)
    socket.write(head('Content-Length: 1000000000'))
    const sending = setInterval(() => socket.write(large), 10)
    await once(socket, 'close')
    clearInterval(sending)
    expect(bodyOf(received())).toBe(text)
  })

  test('behind next', async () => {
    const { url, passed } = await behind(() => {}, { limits })
    expect((await post(url, 'x'.repeat(5000))).status).toBe(413)
    expect(passed).toEqual([])
  })
})

describe('Expect: 100-continue', () => {
  const expecting = (...lines: string[]) => head('Expect: 100-continue', closing, ...lines)

  /** Sends the body after the status 100. */
  async function sendExpecting(port: number): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    const received = receive(socket)
    socket.write(expecting(length(json)))
    await once(socket, 'data')
    socket.write(json)
    await once(socket, 'close')
    return received()
  }

  async function serveContinue(options: RpcServerOptions = {}): Promise<Listening> {
    const handler = nodeHandler(serverOf(options))
    const listening = await serve(handler)
    listening.server.on('checkContinue', handler)
    return listening
  }

  test.each([
    ['as Node does it', serveRpc],
    ['as a listener of checkContinue', serveContinue],
  ])('%s: 100 once, then the response', async (_, open) => {
    const received = await sendExpecting((await open()).port)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
    expect(bodyOf(received)).toBe(jsonText)
  })

  test.each([
    ['413', head('Expect: 100-continue', 'Content-Length: 5000')],
    ['415', head('Expect: 100-continue', length(json)).replace('application/json', 'text/plain')],
    ['405', head('Expect: 100-continue', length(json)).replace('POST', 'PUT')],
  ])('%s before 100 with checkContinue, and the connection is closed', async (status, request) => {
    const { port } = await serveContinue({ limits: { bodyBytes: 1000 } })
    const received = await sendRaw(port, request)
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`])
  })
})

/** A server with one procedure, `run`, that gets the context. */
function serverWith(run: (context: RpcContext) => unknown, onError = vi.fn()) {
  const server = new RpcServer({ onError })
  server.registerProcedure((context: never) => run(context), { unchecked: true, name: 'run', contextTarget: 0 })
  return { handler: nodeHandler(server), onError }
}

const run = '{"jsonrpc":"2.0","method":"run","id":1}'

describe('a client that disconnects', () => {
  test.each([
    ['half a body', head('Content-Length: 500') + json],
    ['half a chunk', `${head('Transfer-Encoding: chunked')}800\r\n${json}`],
    ['the headers', head('Content-Length: 500')],
  ])('after %s: no error of the host, and the next one is served', async (_, request) => {
    const passed: unknown[] = []
    const handler = nodeHandler(serverOf())
    let closed = () => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { port, url } = await serve((incoming, outgoing) => {
      outgoing.once('close', closed)
      handler(incoming, outgoing, (error) => passed.push(error))
    })
    const socket = connect(port, '127.0.0.1')
    socket.write(request, () => setTimeout(() => socket.destroy(), 20))
    await gone
    expect(await (await post(url, json)).text()).toBe(jsonText)
    expect(passed).toEqual([])
  })

  test('during a call: its signal aborts, and that is not an error', async () => {
    let started = () => {}
    const isRunning = new Promise<void>((resolve) => {
      started = resolve
    })
    let ended: (reason: unknown) => void = () => {}
    const reason = new Promise((resolve) => {
      ended = resolve
    })
    const { handler, onError } = serverWith(async ({ signal }) => {
      started()
      await once(signal, 'abort')
      ended(signal.reason)
      throw signal.reason
    })
    const { port, url } = await serve(handler)
    const socket = connect(port, '127.0.0.1')
    socket.write(head(length(run)) + run)
    await isRunning
    socket.destroy()
    expect(await reason).toMatchObject({ name: 'AbortError' })
    await post(url, json)
    expect(onError.mock.calls.map(([error]) => error.code)).toEqual([-32601])
  })

  test('before the signal is read: it has aborted', async () => {
    let leave = () => {}
    let seen: (aborted: boolean) => void = () => {}
    const aborted = new Promise<boolean>((resolve) => {
      seen = resolve
    })
    const { handler } = serverWith(async (context) => {
      leave()
      await once((context.env as NodeBindings).outgoing, 'close')
      seen(context.signal.aborted)
    })
    const { port } = await serve(handler)
    const socket = connect(port, '127.0.0.1')
    leave = () => socket.destroy()
    socket.write(head(length(run)) + run)
    expect(await aborted).toBe(true)
  })

  test('the signal does not abort after the response', async () => {
    let signal: AbortSignal | undefined
    const { handler } = serverWith(({ request }) => {
      signal = request.signal
      return null
    })
    const { url, close } = await serve(handler)
    await (await post(url, run)).text()
    close()
    expect(signal?.aborted).toBe(false)
  })
})

describe('the context', () => {
  async function contextOf(path: string, headers: Record<string, string> = {}, mount?: (i: IncomingMessage) => void) {
    let request: Request | undefined
    let context: RpcContext | undefined
    const { handler } = serverWith((given) => {
      request = given.request
      context = given
      return given.request === request
    })
    const { port } = await serve((incoming, outgoing) => {
      mount?.(incoming)
      handler(incoming, outgoing)
    })
    const client = send({ port, path, method: 'POST', headers: { ...asJson, ...headers } }).end(run)
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return { request: request as Request, context: context as RpcContext, port }
  }

  test('has a Request whose body has been used', async () => {
    const { request, port } = await contextOf('/a/b?c=%20d', { 'X-Many': 'a, b', Cookie: 'a=1; b=2' })
    expect(request.method).toBe('POST')
    expect(request.url).toBe(`http://localhost:${port}/a/b?c=%20d`)
    expect(request.headers.get('x-many')).toBe('a, b')
    expect(request.headers.get('cookie')).toBe('a=1; b=2')
    expect(request.bodyUsed).toBe(true)
    await expect(request.text()).rejects.toThrow(TypeError)
  })

  test.each([
    ['//evil.example/x', { Host: 'a.example' }, 'http://a.example//evil.example/x'],
    ['http://b.example/x?y', { Host: 'a.example' }, 'http://b.example/x?y'],
    ['/x', { Host: 'a.example/path?' }, 'http://localhost/x'],
    ['/x', { Host: 'user@a.example' }, 'http://localhost/x'],
    ['/x', { Host: 'a b' }, 'http://localhost/x'],
    ['/x', { Host: `${'a'.repeat(1025)}` }, 'http://localhost/x'],
    [`http://a${'%CC%80'.repeat(171)}/x`, { Host: 'a.example' }, 'http://a.example/'],
    ['/x', { Host: '[::1]:80' }, 'http://[::1]/x'],
  ])('has the URL of %s with %o', async (path, headers, url) => {
    expect((await contextOf(path, headers)).request.url).toBe(url)
  })

  test('has the original URL behind a mount path of Express', async () => {
    const mount = (incoming: IncomingMessage) => {
      Object.assign(incoming, { originalUrl: incoming.url, url: '/' })
    }
    expect((await contextOf('/mounted/rpc', { Host: 'a' }, mount)).request.url).toBe('http://a/mounted/rpc')
  })

  test('has incoming and outgoing', async () => {
    const { context } = await contextOf('/rpc')
    const { incoming } = context.env as NodeBindings
    expect(incoming.url).toBe('/rpc')
    expect(context.honoContext).toBeUndefined()
    expect(context.executionContext).toBeUndefined()
    expect(context.transport).toBe('http')
  })
})

describe('an error of the host', () => {
  const breaking: Step = (incoming) => setImmediate(() => incoming.emit('error', new Error('broken pipe')))
  const half = head(closing, 'Content-Length: 500')

  test('is passed to next', async () => {
    const { url, passed } = await behind(breaking)
    await sendRaw(Number(new URL(url).port), half)
    expect(passed).toEqual([expect.objectContaining({ message: 'broken pipe' })])
  })

  test('is printed without next, and the response is 500', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = nodeHandler(serverOf())
    const { port } = await serve((incoming, outgoing) => {
      breaking(incoming)
      handler(incoming, outgoing)
    })
    const received = await sendRaw(port, half)
    expect(received).toMatch(/^HTTP\/1\.1 500 /)
    expect(print.mock.calls).toEqual([[expect.objectContaining({ message: 'broken pipe' })]])
    print.mockRestore()
  })

  test('an error of a procedure is not one', async () => {
    const { handler } = serverWith(() => {
      throw new RpcError(7, 'seven')
    })
    const passed: unknown[] = []
    const { url } = await serve((incoming, outgoing) => handler(incoming, outgoing, (error) => passed.push(error)))
    expect(await (await post(url, run)).text()).toContain('"code":7')
    expect(passed).toEqual([])
  })
})

describe('HTTP/2, by the compatibility API', () => {
  async function serveHttp2(handler = nodeHandler(serverOf({ docs: true, limits: { bodyBytes: 1000 } }))) {
    const server = createHttp2Server(handler).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    return client
  }

  type Client = Awaited<ReturnType<typeof serveHttp2>>

  async function send(client: Client, headers: Record<string, string>, ...chunks: string[]) {
    const stream = client.request({ ':path': '/rpc', ':method': 'POST', ...asJson, ...headers }, { endStream: false })
    stream.on('error', () => {})
    for (const chunk of chunks) stream.write(chunk)
    const response = once(stream, 'response')
    if (!headers['content-length'] || chunks.length > 0) stream.end()
    const [got] = await response
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return { status: got[':status'], type: got['content-type'], length: got['content-length'], text }
  }

  test('JSON, XML, notifications and the docs page', async () => {
    const client = await serveHttp2()
    const length = `${jsonText.length}`
    expect(await send(client, {}, json)).toEqual({ status: 200, type: 'application/json', length, text: jsonText })
    expect((await send(client, { 'Content-Type': 'text/xml' }, xml)).text).toBe(xmlText)
    expect(await send(client, {}, notification)).toMatchObject({ status: 204, length: undefined, text: '' })
    expect((await send(client, { ':method': 'GET', accept: 'text/html' })).type).toBe('text/html; charset=utf-8')
    expect((await send(client, { ':method': 'PUT' })).status).toBe(405)
  })

  test('a body that is too large: 413 while it is still arriving, and the connection stays open', async () => {
    const client = await serveHttp2()
    expect(await send(client, { 'content-length': '5000' })).toMatchObject({ status: 413 })
    expect(await send(client, {}, ...Array(100).fill('x'.repeat(2000)))).toMatchObject({ status: 413 })
    expect((await send(client, {}, json)).text).toBe(jsonText)
  })

  test('the context has the URL, and the signal aborts when the client resets the stream', async () => {
    let started: (url: string) => void = () => {}
    const isRunning = new Promise<string>((resolve) => {
      started = resolve
    })
    let ended: (reason: unknown) => void = () => {}
    const reason = new Promise((resolve) => {
      ended = resolve
    })
    const { handler } = serverWith(async ({ signal, request }) => {
      started(request.url)
      await once(signal, 'abort')
      ended(signal.reason)
    })
    const client = await serveHttp2(handler)
    const stream = client.request({ ':path': '/rpc?x', ':method': 'POST', ...asJson })
    stream.on('error', () => {})
    stream.end(run)
    expect(await isRunning).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/rpc\?x$/)
    stream.close(8)
    expect(await reason).toMatchObject({ name: 'AbortError' })
  })
})

test.each([
  [undefined, 'undefined; is it part of an import cycle?'],
  [{ procedures: {} }, 'an object; is it not the server, or is rpc-gen installed twice?'],
  [serverOf().view, 'a function; is it not the server, or is rpc-gen installed twice?'],
])('%o is not an RpcServer', (server, reason) => {
  expect(() => nodeHandler(server as unknown as RpcServer)).toThrow(
    new TypeError(`expected an RpcServer of this copy of rpc-gen, got ${reason}`),
  )
})

describe('sendTimeoutMs', () => {
  const text = 'x'.repeat(7 * 1024 * 1024)
  const server = serverOf()
  server.registerProcedure(() => text, { name: 'large', unchecked: true })
  server.registerProcedure((ms: number) => new Promise((resolve) => setTimeout(() => resolve(ms), ms)), {
    name: 'wait',
    unchecked: true,
  })
  const request = (method: string, ...params: number[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
    return `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

  /** The timeout of the connection when each request began. */
  const timeouts: unknown[] = []

  /** Sends a request on a connection of which nothing is read; returns it, and the response of the server. */
  async function sendUnread(options: NodeHandlerOptions) {
    const handler = nodeHandler(server, options)
    const responses: ServerResponse[] = []
    timeouts.length = 0
    const listening = await serve((incoming, outgoing) => {
      responses.push(outgoing)
      timeouts.push(incoming.socket.timeout)
      handler(incoming, outgoing)
    })
    listening.server.keepAliveTimeout = 0
    const socket = connect(listening.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(request('large'))
    await expect.poll(() => responses[0]?.headersSent).toBe(true)
    return { socket, responses, listening }
  }

  test('a connection is closed if nothing of its response is read', async () => {
    const { responses, listening } = await sendUnread({ sendTimeoutMs: 50 })
    await expect.poll(() => responses[0]?.destroyed).toBe(true)
    const count = promisify(listening.server.getConnections.bind(listening.server))
    await expect.poll(count).toBe(0)
  })

  test('by default, and with 0, it is not yet', async () => {
    for (const options of [{}, { sendTimeoutMs: 0 }]) {
      const { responses, socket } = await sendUnread(options)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(responses[0]?.destroyed).toBe(false)
      expect(responses[0]?.socket?.timeout ?? 0).toBe('sendTimeoutMs' in options ? 0 : 60_000)
      socket.destroy()
    }
  })

  test('a client that reads slowly gets all of it, and the time of later calls is not limited', async () => {
    const { socket, responses } = await sendUnread({ sendTimeoutMs: 3000 })
    expect(responses[0]?.socket?.timeout).toBe(3000)
    let received = 0
    let last = ''
    for await (const chunk of socket.setEncoding('latin1')) {
      received += chunk.length
      last = (last + chunk).slice(-100)
      if (received < text.length) await new Promise((resolve) => setTimeout(resolve, 5))
      else if (last.endsWith('x","id":1}')) socket.write(request('wait', 50))
      else if (last.endsWith('"result":50,"id":1}')) break
    }
    expect(last).toContain('"result":50')
    expect(timeouts).toEqual([undefined, 0])
  })

  test('of HTTP/2 the stream alone is closed', async () => {
    const http2 = createHttp2Server(nodeHandler(server, { sendTimeoutMs: 50 })).listen(0, '127.0.0.1')
    await once(http2, 'listening')
    const client = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      http2.close()
    })
    const headers = { ':method': 'POST', 'content-type': 'application/json' }
    const call = (method: string, ...params: number[]) => {
      const stream = client.request(headers)
      stream.on('error', () => {})
      stream.end(JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }))
      return stream
    }
    const unread = call('large')
    await once(unread, 'response')
    const slow = call('wait', 200)
    let received = ''
    for await (const chunk of slow.setEncoding('utf8')) received += chunk
    expect(JSON.parse(received)).toMatchObject({ result: 200 })
    await expect.poll(() => unread.destroyed).toBe(true)
  })

  test('the guide: server.setTimeout does it for the adapter of Hono', async () => {
    let closed = 0
    const app = new Hono().route('/', server.router())
    const listening = await serve(getRequestListener(app.fetch))
    listening.server.setTimeout(100)
    listening.server.on('connection', (socket) => {
      socket.on('close', () => {
        closed += 1
      })
    })
    const socket = connect(listening.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(request('large'))
    await expect.poll(() => closed).toBe(1)
  })

  test.each([-1, 2 ** 31, Number.NaN])('%s is an error', (sendTimeoutMs) => {
    expect(() => nodeHandler(server, { sendTimeoutMs })).toThrow(`sendTimeoutMs is ${sendTimeoutMs}`)
  })
})
