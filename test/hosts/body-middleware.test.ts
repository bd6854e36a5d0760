import { getRequestListener } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { describe, expect, test } from 'vitest'
import { json, jsonText, xml, xmlText } from '../support/requests.js'
import { expectExplained, ok, rpcApp, send, sendChunked, serve, unusable } from './bodies.js'

// A body that middleware of Hono has read before the endpoint.

describe('middleware of Hono on Node', () => {
  const onNode = (...middleware: MiddlewareHandler[]) => serve(getRequestListener(rpcApp({}, ...middleware).fetch))

  test.each<[string, MiddlewareHandler]>([
    ['c.req.json()', (c, next) => c.req.json().then(next, next)],
    ['c.req.text()', (c, next) => c.req.text().then(next)],
    ['c.req.arrayBuffer()', (c, next) => c.req.arrayBuffer().then(next)],
    ['hono/body-limit', bodyLimit({ maxSize: 10_000 })],
    ['a clone of the request', (c, next) => c.req.raw.clone().text().then(next)],
  ])('%s', async (_, middleware) => {
    const url = await onNode(middleware)
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await send(url, 'text/xml', xml)).toEqual(ok(xmlText))
    expect(await sendChunked(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await sendChunked(url, 'text/xml', xml)).toEqual(ok(xmlText))
  })

  const long = `${json}${' '.repeat(500_000)}`

  test('c.req.text() after the call', async () => {
    const texts: unknown[] = []
    const url = await onNode(async (c, next) => {
      await next()
      texts.push(await c.req.text())
    })
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await send(url, 'application/json', long)).toEqual(ok(jsonText))
    expect(texts).toEqual([json, long])
  })

  test('a clone of the request that is read after the call', async () => {
    const texts: unknown[] = []
    const url = await onNode(async (c, next) => {
      const clone = c.req.raw.clone()
      await next()
      texts.push(await clone.text())
    })
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await send(url, 'application/json', long)).toEqual(ok(jsonText))
    expect(texts).toEqual([json, long])
  })

  test('another Request in its place', async () => {
    const url = await onNode(async (c, next) => {
      const headers = { 'Content-Type': 'application/json' }
      c.req.raw = new Request(c.req.raw.url, { method: 'POST', headers, body: json })
      await next()
    })
    expect(await send(url, 'text/plain', 'something else')).toEqual(ok(jsonText))
  })

  test('headers of the request that it has set', async () => {
    const url = await onNode(async (c, next) => {
      c.req.raw.headers.set('Content-Type', 'application/json')
      await next()
    })
    expect(await send(url, 'text/plain', json)).toEqual(ok(jsonText))
  })

  test('a listener of its own on the message', async () => {
    const sizes: number[] = []
    const url = await onNode(async (c, next) => {
      c.env.incoming.on('data', (chunk: Uint8Array) => sizes.push(chunk.length))
      await next()
    })
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(sizes).toEqual([json.length])
  })

  test.each(['body', 'rawBody'])('req.%s of a host that throws: a parse error', async (name) => {
    const listener = getRequestListener(rpcApp().fetch)
    const url = await serve((incoming, outgoing) => {
      const get = () => {
        throw new Error('lost')
      }
      incoming.resume().on('end', () => listener(Object.defineProperty(incoming, name, { get }), outgoing))
    })
    expect(await send(url, 'application/json', json)).toMatchObject({
      status: 200,
      text: expect.stringContaining('"code":-32700'),
    })
    expect(await send(url, 'text/xml', xml)).toMatchObject({
      status: 200,
      text: expect.stringContaining('<int>-32700</int>'),
    })
  })

  test('c.req.raw.text() keeps nothing: 500, and onError gets the reason', async () => {
    const url = await onNode(async (c, next) => {
      await c.req.raw.text()
      await next()
    })
    expect(await send(url, 'application/json', json)).toEqual(unusable)
    expectExplained()
  })
})

test('the same with fetch alone', async () => {
  const app = rpcApp({}, async (c, next) => {
    await c.req.raw.text()
    await next()
  })
  const response = await app.request('/rpc', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: json,
  })
  expect({ status: response.status, text: await response.text() }).toEqual(unusable)
  expectExplained()
})
