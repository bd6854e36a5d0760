import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, jsonText, notification, serverOf, xml, xmlText } from '../support/requests.js'

// Bytes on a socket, since fetch would hide what matters here.

const failures: unknown[] = []
const app = new Hono().route('/rpc', serverOf({ limits: { bodyBytes: 1000 } }).router())
app.onError((error, c) => {
  failures.push(error)
  return c.text('host', 500)
})
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })

beforeAll(() => new Promise<void>((resolve) => void (server.listening ? resolve() : server.once('listening', resolve))))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

interface Traffic {
  readonly status: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends the text and reads until the server closes the connection; `leave` closes it once the text has been sent. */
function send(text: string, { leave = false } = {}): Promise<Traffic> {
  return new Promise((resolve) => {
    let traffic = ''
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.setEncoding('utf8')
    socket.on('data', (data) => {
      traffic += data
    })
    // A server that has responded need not read the rest.
    socket.on('error', () => {})
    socket.on('close', () => resolve(parse(traffic)))
    socket.write(text, () => leave && setTimeout(() => socket.destroy(), 50))
  })
}

function parse(text: string): Traffic {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1] ?? '']))
  return { status, headers, body: rest.join('\r\n\r\n') }
}

function head(type: string, ...lines: string[]): string {
  const all = ['POST /rpc HTTP/1.1', 'Host: x', 'Connection: close', `Content-Type: ${type}`, ...lines]
  return `${all.join('\r\n')}\r\n\r\n`
}

const sized = (type: string, body: string) => head(type, `Content-Length: ${Buffer.byteLength(body)}`) + body
const chunks = (...pieces: string[]) => pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
const chunked = (type: string, ...pieces: string[]) =>
  `${head(type, 'Transfer-Encoding: chunked')}${chunks(...pieces)}0\r\n\r\n`

function expectResponse(traffic: Traffic, status: string, type: string, body: string): void {
  expect(traffic.status).toBe(`HTTP/1.1 ${status}`)
  expect(traffic.headers.get('content-type')).toBe(type)
  expect(traffic.headers.get('content-length')).toBe(`${Buffer.byteLength(body)}`)
  expect(traffic.headers.has('transfer-encoding')).toBe(false)
  expect(traffic.body).toBe(body)
}

describe('every response with a body has Content-Length', () => {
  const xmlType = 'text/xml; charset=utf-8'
  const unknown = '{"jsonrpc":"2.0","method":"é","id":"é"}'

  test.each([
    ['JSON', sized('application/json', json), '200 OK', 'application/json', jsonText],
    ['JSON sent in chunks', chunked('application/json', ...json), '200 OK', 'application/json', jsonText],
    [
      'a JSON error',
      sized('application/json', unknown),
      '200 OK',
      'application/json',
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"é"}',
    ],
    ['XML', sized('text/xml', xml), '200 OK', xmlType, xmlText],
    ['XML sent in chunks', chunked('text/xml', xml.slice(0, 20), xml.slice(20)), '200 OK', xmlType, xmlText],
    [
      'a fault',
      sized('text/xml', '<é'),
      '200 OK',
      xmlType,
      '<?xml version="1.0" encoding="UTF-8"?><methodResponse><fault><value><struct>' +
        '<member><name>faultCode</name><value><int>-32700</int></value></member><member><name>faultString</name>' +
        '<value><string>Parse error: line 1, column 3: expected an attribute, &gt; or /&gt; in an unknown element</string>' +
        '</value></member></struct></value></fault></methodResponse>',
    ],
    [
      'a rejected type',
      sized('text/plain', json),
      '415 Unsupported Media Type',
      'text/plain; charset=UTF-8',
      'Content-Type text/plain is not served here: send application/json or text/xml.',
    ],
    [
      'a body too large',
      sized('application/json', json.padEnd(5_000_000)),
      '413 Payload Too Large',
      'text/plain; charset=UTF-8',
      'The body is larger than 1000 bytes.',
    ],
    [
      'a body too large in chunks',
      chunked('application/json', ...Array(100).fill(' '.repeat(2000))),
      '413 Payload Too Large',
      'text/plain; charset=UTF-8',
      'The body is larger than 1000 bytes.',
    ],
  ])('%s', async (_, request, status, type, body) => {
    expectResponse(await send(request), status, type, body)
  })
})

test('204 has neither a body nor a length', async () => {
  const traffic = await send(sized('application/json', notification))
  expect([traffic.status, traffic.body]).toEqual(['HTTP/1.1 204 No Content', ''])
  expect(traffic.headers.has('content-length')).toBe(false)
  expect(traffic.headers.has('transfer-encoding')).toBe(false)
})

test('HTTP/1.0 without a Host', async () => {
  const lines = ['POST /rpc HTTP/1.0', 'Content-Type: text/xml', `Content-Length: ${xml.length}`]
  const traffic = await send(`${lines.join('\r\n')}\r\n\r\n${xml}`)
  expectResponse(traffic, '200 OK', 'text/xml; charset=utf-8', xmlText)
})

test('HEAD', async () => {
  const traffic = await send('HEAD /rpc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect([traffic.status, traffic.headers.get('allow'), traffic.body]).toEqual([
    'HTTP/1.1 405 Method Not Allowed',
    'POST',
    '',
  ])
})

test('many requests on one connection', async () => {
  const one = sized('application/json', json).replace('Connection: close', 'Connection: keep-alive')
  const { status, body } = await send(one.repeat(20) + sized('text/xml', xml))
  expect(status).toBe('HTTP/1.1 200 OK')
  expect(body.split(jsonText)).toHaveLength(21)
  expect(body.endsWith(xmlText)).toBe(true)
})

test.each([
  ['half a body', head('application/json', 'Content-Length: 500') + json],
  ['half of what is too large', head('application/json', 'Content-Length: 5000') + json],
  ['half a chunk', `${head('text/xml', 'Transfer-Encoding: chunked')}800\r\n${xml}`],
  ['no end of the chunks', `${head('text/xml', 'Transfer-Encoding: chunked')}${chunks(xml)}`],
])('a client that disconnects after %s is not an error of the host, and the next one is served', async (_, request) => {
  await send(request, { leave: true })
  expectResponse(await send(sized('application/json', json)), '200 OK', 'application/json', jsonText)
  expect(failures).toEqual([])
})
