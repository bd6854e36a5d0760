import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { csrf } from 'hono/csrf'
import { describe, expect, test } from 'vitest'
import { appOf, json, jsonResponse, post, rejected, request, serverOf, xml, xmlResponse } from '../support/requests.js'

const asJson = { 'Content-Type': 'application/json' }
const asXml = { 'Content-Type': 'text/xml' }

async function expectServed(app: Hono, path: string): Promise<void> {
  expect(await request(app, post(json, asJson), path)).toEqual(jsonResponse)
  expect(await request(app, post(xml, asXml), path)).toEqual(xmlResponse)
}

describe('mounted', () => {
  const server = serverOf()
  const router = server.router()

  test.each([
    ['app.route', new Hono().route('/rpc', router), '/rpc'],
    ['app.route at the root', new Hono().route('/', router), '/'],
    ['the router itself', router as Hono, '/'],
    ['app.all', new Hono().all('/rpc', server.view), '/rpc'],
    ['app.all, concurrent', new Hono().all('/rpc', server.asyncView), '/rpc'],
    ['app.on', new Hono().on(['GET', 'POST'], '/rpc', server.view), '/rpc'],
    ['basePath', new Hono().basePath('/v1').route('/rpc', router), '/v1/rpc'],
    ['app.mount', new Hono().mount('/rpc', router.fetch), '/rpc'],
    ['with a parameter in its path', new Hono().all('/:tenant/rpc', server.view), '/acme/rpc'],
  ] as const)('%s', async (_, app, path) => {
    await expectServed(app as Hono, path)
    const { status, headers } = await app.request(path)
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('app.post leaves a GET to Hono', async () => {
    const app = new Hono().post('/rpc', server.view)
    await expectServed(app, '/rpc')
    expect((await app.request('/rpc')).status).toBe(404)
  })

  test('one server mounted at two paths', async () => {
    const app = new Hono().route('/a', router).all('/b', server.view)
    await expectServed(app, '/a')
    await expectServed(app, '/b')
  })
})

describe('behind middleware', () => {
  const behind = (middleware: MiddlewareHandler, options = {}) =>
    new Hono().use(middleware).route('/rpc', serverOf(options).router())

  /** Middleware that reads the body before us. */
  const reading = (read: (c: Context) => Promise<unknown>): MiddlewareHandler => {
    return async (c, next) => {
      await read(c)
      await next()
    }
  }

  test.each<[string, (c: Context) => Promise<unknown>]>([
    ['c.req.text()', (c) => c.req.text()],
    ['c.req.json()', (c) => c.req.json().catch(() => {})],
    ['c.req.arrayBuffer()', (c) => c.req.arrayBuffer()],
    ['c.req.blob()', (c) => c.req.blob()],
    ['text() of a clone of the request', (c) => c.req.raw.clone().text()],
  ])('that has called %s', async (_, read) => {
    const middleware = reading(read)
    const app = behind(middleware)
    await expectServed(app, '/rpc')
    const id = json.replace('"id":1', '"id":9007199254740993')
    expect((await request(app, post(id, asJson))).text).toBe(
      jsonResponse.text.replace('"id":1', '"id":9007199254740993'),
    )
    expect((await request(app, post('{', asJson))).text).toContain('"code":-32700')
    const limited = behind(middleware, { limits: { bodyBytes: 20 } })
    expect((await request(limited, post(json, asJson))).status).toBe(413)
  })

  test('a body that was read as text and was not UTF-8 is rejected: its bytes are not available', async () => {
    const app = behind(reading((c) => c.req.text()))
    const call = '{"jsonrpc":"2.0","method":"echo.string","params":["café"],"id":1}'
    const latin = Uint8Array.from(call, (char) => char.charCodeAt(0))
    const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' }
    expect((await request(app, post(latin, headers))).text).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":' +
        '"Parse error: the body is iso-8859-1 and was read as UTF-8 before it came here"},"id":null}',
    )
    expect(await request(app, post(json, headers))).toEqual(jsonResponse)
    expect(await request(app, post(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, asXml))).toEqual(xmlResponse)
  })

  test('hono/body-limit', async () => {
    const app = behind(bodyLimit({ maxSize: 200 }))
    await expectServed(app, '/rpc')
    expect((await request(app, post(json.padEnd(201), asJson))).status).toBe(413)
    expect((await request(app, post(json.padEnd(201), { ...asJson, 'Content-Length': '201' }))).status).toBe(413)
  })

  test('hono/cors', async () => {
    const app = behind(cors({ origin: 'https://app.example', credentials: true }))
    await expectServed(app, '/rpc')
    const response = await app.request('/rpc', post(json, { ...asJson, Origin: 'https://app.example' }))
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(response.headers.get('content-type')).toBe('application/json')
    const preflight = await app.request('/rpc', { method: 'OPTIONS', headers: { Origin: 'https://app.example' } })
    expect(preflight.status).toBe(204)
  })

  test('hono/csrf, which checks form types only', async () => {
    const app = behind(csrf())
    await expectServed(app, '/rpc')
    expect(await request(app, post(json, { ...asJson, Origin: 'https://other.example' }))).toEqual(jsonResponse)
  })

  test.each([
    ['a response', post(json, asJson), 200],
    ['a notification', post(json.replace(',"id":1', ''), asJson), 204],
    ['an error', post('{', asJson), 200],
    ['a rejected type', post(json, { 'Content-Type': 'text/plain' }), 415],
    ['a rejected method', { method: 'PUT' }, 405],
  ])('headers that it has set are kept: %s', async (_, init, status) => {
    const app = behind(async (c, next) => {
      c.header('X-Request-Id', '7')
      c.header('Set-Cookie', 'a=1')
      c.header('Set-Cookie', 'b=2', { append: true })
      await next()
      c.header('X-After', 'yes')
    })
    const { status: actual, headers } = await app.request('/rpc', init)
    expect(actual).toBe(status)
    expect(headers.get('x-request-id')).toBe('7')
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(headers.get('x-after')).toBe('yes')
  })

  test('a Content-Type that it has set is replaced', async () => {
    const app = behind(async (c, next) => {
      c.header('Content-Type', 'text/html')
      await next()
    })
    await expectServed(app, '/rpc')
  })

  test('a stream that breaks is an error of the host, and not an RPC response', async () => {
    const failures: unknown[] = []
    const app = appOf()
    app.onError((error, c) => {
      failures.push(error.message)
      return c.text('host', 500)
    })
    const stream = new ReadableStream({ start: (controller) => controller.error(new Error('broken pipe')) })
    expect(await request(app, post(stream, asJson))).toEqual(rejected('host', 500))
    expect(failures).toEqual(['broken pipe'])
  })
})
