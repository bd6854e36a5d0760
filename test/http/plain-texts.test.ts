import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer, type RpcServerOptions } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type EntryPoint, entryPoints, listen, serveApp } from '../support/listen.js'

// Texts that repeat what a client sent are short, and never read as HTML.

const long = 'q'.repeat(3000)

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
})

/** Requests that are rejected in plain text, by the status. */
const rejected: [status: number, what: string, init: RequestInit][] = [
  [405, 'a method', { method: 'PUT' }],
  [413, 'a large body', post('x'.repeat(2000))],
  [415, 'a type', post('{}', { 'Content-Type': `text/${long}` })],
  [415, 'a type with a parameter', post('{}', { 'Content-Type': `text/html; a=${long}` })],
  [415, 'a charset', post('{}', { 'Content-Type': `application/json; charset=${long}` })],
  [415, 'a charset in quotes', post('{}', { 'Content-Type': `application/json; charset="<b>${long}"` })],
  [415, 'a coding', post('{}', { 'Content-Encoding': long })],
  [400, 'damaged data', post(new Uint8Array([1, 2, 3]), { 'Content-Encoding': 'gzip' })],
]

function serverOf(options: RpcServerOptions = {}): RpcServer {
  const server = new RpcServer({ limits: { bodyBytes: 1000 }, onError: () => {}, ...options })
  server.registerProcedure((value: unknown) => value, { name: 'echo', unchecked: true })
  return server
}

const ofMcp = (server: RpcServer, options = {}) => new Hono().route('/rpc', mcp(server, { tools: 'all', ...options }))

const all: typeof entryPoints = {
  ...entryPoints,
  'MCP in Hono': async (server) => {
    const app = ofMcp(server, { allowedHosts: 'any' })
    return { request: async (init) => app.request('/rpc', init), close: () => {} }
  },
  'MCP on @hono/node-server': async (server) => {
    const { url, close } = await serveApp(ofMcp(server))
    return { request: (init) => fetch(url, init), close }
  },
}

describe.each(Object.entries(all))('%s', (_name, open) => {
  let entryPoint: EntryPoint
  beforeAll(async () => {
    entryPoint = await open(serverOf())
  })
  afterAll(() => entryPoint.close())

  test.each(rejected)('%d: %s', async (status, _what, init) => {
    const response = await entryPoint.request(init)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    expect(text.length).toBeLessThan(200)
  })
})

test('403 and 500 of the OpenRPC document and the docs page', async () => {
  for (const auth of [() => false, () => Promise.reject(new Error('x'))]) {
    const app = new Hono().route('/rpc', serverOf({ docs: true, introspection: { auth } }).router())
    for (const path of ['/rpc/openrpc.json', '/rpc', '/rpc?asset=openrpc.json', '/rpc?asset=x']) {
      const response = await app.request(path, { headers: { Accept: 'text/html' } })
      expect([path, response.status]).toEqual([path, 403])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  }
})

describe('MCP', () => {
  const huge = 'q'.repeat(1_000_000)

  async function send(message: unknown, headers: Record<string, string> = {}, options = {}) {
    const errors: Error[] = []
    const server = serverOf({ limits: {}, onError: (error) => void errors.push(error) })
    const response = await ofMcp(server, options).request('/rpc', post(JSON.stringify(message), headers))
    return { status: response.status, text: await response.text(), headers: response.headers, errors }
  }

  const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

  test.each<[string, unknown]>([
    ['a method', call(huge)],
    ['a tool', call('tools/call', { name: huge })],
    ['a version', call('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': huge } })],
    ['a version that is a list', call('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': [huge] } })],
    ['arguments', call('tools/call', { name: 'echo', arguments: { [huge]: 1 } })],
    ['the name of a tool', call('tools/call', { name: [huge] })],
    ['the version of JSON-RPC', { jsonrpc: huge, id: 1, method: 'ping' }],
  ])('a long name is cut: %s', async (_, message) => {
    const { text, errors } = await send(message)
    expect(text.length).toBeLessThan(2000)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
    for (const error of errors) expect(`${error} ${error.cause}`.length).toBeLessThan(2000)
  })

  test('what a client sees of a short name is the name', async () => {
    const { text } = await send(call('tools/call', { name: 'none' }))
    expect(JSON.parse(text).error).toEqual({ code: -32602, message: 'Unknown tool: none' })
  })

  test.each([
    ['a host', { Host: `${long}.example` }],
    ['an origin', { Host: 'localhost', Origin: `https://${long}.example` }],
  ])('403 for %s', async (_, headers) => {
    const { status, text, headers: sent } = await send(call('ping'), headers)
    expect([status, sent.get('x-content-type-options')]).toEqual([403, 'nosniff'])
    expect(text.length).toBeLessThan(200)
  })

  test('HTTP/1.0 without a Host: 403, also where the adapter has a name for it', async () => {
    const { port, close } = await listen(getRequestListener(ofMcp(serverOf()).fetch, { hostname: 'localhost' }))
    onTestFinished(close)
    const text = JSON.stringify(call('ping'))
    const from = async (...lines: string[]) => {
      const all = ['POST /rpc HTTP/1.0', 'Content-Type: application/json', `Content-Length: ${text.length}`, ...lines]
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.write(`${all.join('\r\n')}\r\n\r\n${text}`)
      let received = ''
      for await (const chunk of socket) received += chunk
      return received
    }
    expect(await from('Host: localhost')).toContain(' 200 ')
    expect(await from('Host: evil.example')).toContain(' 403 ')
    const without = await from()
    expect(without).toContain(' 403 ')
    expect(without).toContain('The host (none) is not allowed')
  })
})
