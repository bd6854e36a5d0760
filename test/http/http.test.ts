import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import {
  appOf,
  json,
  jsonResponse,
  notification,
  post,
  rejected,
  request,
  serverOf,
  utf16,
  xml,
  xmlResponse,
} from '../support/requests.js'

const app = appOf()

describe('other methods', () => {
  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('%s is 405', async (method) => {
    const response = await app.request('/rpc', { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.text()).toBe(method === 'HEAD' ? '' : 'An RPC endpoint accepts POST only.')
  })

  test.each([
    ['GET', '/rpc', { docs: true }],
    ['PUT', '/rpc', { docs: true }],
    ['PUT', '/rpc/openrpc.json', {}],
  ])('%s %s with %j: 405 allows GET, which is served there', async (method, path, options) => {
    const { status, headers } = await serverOf(options).fetch(new Request(`http://localhost${path}`, { method }))
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s of the OpenRPC document of a router is 405', async (method) => {
    const response = await appOf({}).request('/rpc/openrpc.json', { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await response.text()).toBe('The OpenRPC document is for GET.')
    const own = new Hono().route('/rpc', serverOf({ registerSystemProcedures: false }).router())
    expect((await own.all('/rpc/*', (c) => c.text('mine')).request('/rpc/openrpc.json', { method })).status).toBe(200)
  })

  test('405 of a GET explains how to enable the docs page', async () => {
    const response = await appOf({ docs: true }).request('/rpc')
    expect(await response.text()).toBe('An RPC endpoint accepts POST; its docs page is for GET with Accept: text/html.')
  })

  test('the query of a GET is not read as a call', async () => {
    const response = await app.request('/rpc?jsonrpc=2.0&method=sum&id=1')
    expect(response.status).toBe(405)
  })

  test('redirectGetRequestsTo redirects a GET and no other request', async () => {
    const app = appOf({ redirectGetRequestsTo: '/docs' })
    const response = await app.request('/rpc')
    expect([response.status, response.headers.get('location')]).toEqual([301, '/docs'])
    expect((await app.request('/rpc', { method: 'HEAD' })).status).toBe(301)
    const { status, headers } = await app.request('/rpc', { method: 'PUT' })
    expect([status, headers.get('allow'), headers.get('location')]).toEqual([405, 'GET, HEAD, POST', null])
    expect(await request(app, post(json, { 'Content-Type': 'application/json' }))).toEqual(jsonResponse)
  })
})

describe('Content-Type', () => {
  test.each([
    'application/json',
    'application/json-rpc',
    'application/jsonrequest',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; Charset = utf8 ; x=y',
    'APPLICATION/JSONREQUEST;odd',
  ])('%s is JSON-RPC', async (type) => {
    expect(await request(app, post(json, { 'Content-Type': type }))).toEqual(jsonResponse)
  })

  test.each(['text/xml', 'application/xml', 'TEXT/XML', 'text/xml; charset=utf-8', 'text/xml;charset=us-ascii'])(
    '%s is XML-RPC',
    async (type) => {
      expect(await request(app, post(xml, { 'Content-Type': type }))).toEqual(xmlResponse)
    },
  )

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/octet-stream',
    'application/jsonp',
    'application/rpc+json',
    'application/json, text/xml',
    'json',
    '*/*',
  ])('%s is rejected', async (type) => {
    const sentence = `Content-Type ${type} is not served here: send application/json or text/xml.`
    expect(await request(app, post(json, { 'Content-Type': type }))).toEqual(rejected(sentence))
    expect(await request(app, post(xml, { 'Content-Type': type }))).toEqual(rejected(sentence))
  })

  test.each([json, xml, ''])('a request without it is rejected: %s', async (body) => {
    const sentence = 'Content-Type (none) is not served here: send application/json or text/xml.'
    expect(await request(app, post(body))).toEqual(rejected(sentence))
  })

  test('the protocol is that of the type, not that of the body', async () => {
    expect((await request(app, post(xml, { 'Content-Type': 'application/json' }))).text).toContain('"code":-32700')
    expect((await request(app, post(json, { 'Content-Type': 'text/xml' }))).text).toContain('<int>-32700</int>')
  })

  test('one protocol only', async () => {
    const onlyJson = appOf({ protocol: 'json-rpc' })
    expect(await request(onlyJson, post(json, { 'Content-Type': 'application/json' }))).toEqual(jsonResponse)
    expect(await request(onlyJson, post(xml, { 'Content-Type': 'text/xml' }))).toEqual(
      rejected('Content-Type text/xml is not served here: send application/json.'),
    )
    const onlyXml = appOf({ protocol: ['xml-rpc'], sniffContentType: true })
    expect(await request(onlyXml, post(xml, { 'Content-Type': 'application/xml' }))).toEqual(xmlResponse)
    expect(await request(onlyXml, post(json, { 'Content-Type': 'application/json' }))).toEqual(
      rejected('Content-Type application/json is not served here: send text/xml.'),
    )
    expect(await request(onlyXml, post(json))).toEqual(
      rejected('Content-Type (none) is not served here: send text/xml.'),
    )
  })
})

describe('sniffContentType', () => {
  const app = appOf({ sniffContentType: true })

  test.each([json, ` \r\n\t${json}`, `\ufeff${json}`])('JSON: %j', async (body) => {
    expect(await request(app, post(body))).toEqual(jsonResponse)
  })

  test('a batch', async () => {
    expect(await request(app, post(`[${json}]`))).toEqual({ ...jsonResponse, text: `[${jsonResponse.text}]` })
  })

  test.each([xml, `\n${xml}`, `\ufeff<?xml version="1.0"?>${xml}`])('XML: %j', async (body) => {
    expect(await request(app, post(body))).toEqual(xmlResponse)
  })

  test('XML in UTF-16', async () => {
    expect(await request(app, post(utf16(`\ufeff${xml}`)))).toEqual(xmlResponse)
  })

  test.each(['', ' ', 'sum', '1', '"x"', 'a=1'])('neither: %j', async (body) => {
    expect((await request(app, post(body))).status).toBe(415)
  })

  test.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
    { Cookie: 'session=1' },
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
  ])('not used for %j, which a browser can send', async (headers) => {
    expect((await request(app, post(json, headers))).status).toBe(415)
    expect((await request(app, post(xml, headers))).status).toBe(415)
  })
})

describe('responses', () => {
  test('a notification: 204 without a body', async () => {
    const response = await app.request('/rpc', post(notification, { 'Content-Type': 'application/json' }))
    expect([response.status, response.body, [...response.headers]]).toEqual([204, null, []])
  })

  test('notifications are executed, also those of a batch, before the response', async () => {
    const errors: unknown[] = []
    const app = appOf({ onError: (error) => errors.push(error instanceof Error ? error.message : error) })
    const crash = '{"jsonrpc":"2.0","method":"crash.async"}'
    await request(app, post(crash, { 'Content-Type': 'application/json' }))
    await request(app, post(`[${crash},${crash}]`, { 'Content-Type': 'application/json' }))
    expect(errors).toEqual(Array(3).fill('the password is hunter2'))
  })

  test.each(['view', 'asyncView'] as const)('%s responds in the same way', async (view) => {
    const server = serverOf()
    const app = new Hono().all('/rpc', server[view])
    const later = (id: number) => `{"jsonrpc":"2.0","method":"later","params":["${id}"],"id":${id}}`
    expect(
      (await request(app, post(`[${later(1)},${json},${later(2)}]`, { 'Content-Type': 'application/json' }))).text,
    ).toBe(
      '[{"jsonrpc":"2.0","result":"1","id":1},{"jsonrpc":"2.0","result":3,"id":1},{"jsonrpc":"2.0","result":"2","id":2}]',
    )
  })
})
