import { get } from 'node:http'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { RpcServerOptions } from 'rpc-gen'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveApp } from '../support/listen.js'
import { serverOf } from '../support/requests.js'

// What caches between a server and its clients may store, and which pages may frame the docs page.

const isStaff = (request: Request) => request.headers.get('authorization') === 'staff'

function appOf(options: RpcServerOptions): Hono {
  return new Hono().route('/rpc', serverOf({ onError: () => undefined, ...options }).router())
}

const html = { Accept: 'text/html' }
const staff = { Authorization: 'staff' }

/** The headers of a response that caches look at, and its status. */
async function cachingOf(app: Hono, path: string, headers: Record<string, string>, method = 'GET') {
  const response = await app.request(path, { method, headers })
  return [response.status, response.headers.get('cache-control'), response.headers.get('vary')]
}

describe('where the docs page is on the endpoint', () => {
  test('every response to GET and HEAD varies with Accept', async () => {
    const app = appOf({ docs: true })
    for (const method of ['GET', 'HEAD']) {
      expect(await cachingOf(app, '/rpc', html, method)).toEqual([200, 'no-cache', 'Accept'])
      expect(await cachingOf(app, '/rpc', {}, method)).toEqual([405, null, 'Accept'])
    }
    const redirecting = appOf({ docs: true, redirectGetRequestsTo: '/docs' })
    expect(await cachingOf(redirecting, '/rpc', {})).toEqual([301, null, 'Accept'])
  })

  test('a Vary that middleware has set is kept', async () => {
    const app = new Hono().use(cors({ origin: 'https://app.example' })).route('/', appOf({ docs: true }))
    for (const headers of [html, {}]) expect((await cachingOf(app, '/rpc', headers)).at(-1)).toBe('Accept, Origin')
  })
})

test('without the docs page 405 is the same for everyone', async () => {
  expect(await cachingOf(appOf({}), '/rpc', {})).toEqual([405, null, null])
})

describe.each<[string, RpcServerOptions]>([
  ['auth of the server', { auth: isStaff }],
  ['introspection.auth', { introspection: { auth: isStaff } }],
])('behind %s', (_, options) => {
  const app = appOf({ docs: true, ...options })

  test.each([
    ['the page', '/rpc', html],
    ['the document of the page', '/rpc?asset=openrpc.json', html],
    ['openrpc.json', '/rpc/openrpc.json', {}],
  ])('%s is stored by no cache', async (_, path, headers) => {
    const [status, cacheControl] = await cachingOf(app, path, { ...headers, ...staff })
    expect([status, cacheControl]).toEqual([200, 'private, no-store'])
    const [rejected, rejectedControl] = await cachingOf(app, path, headers)
    expect([rejected, rejectedControl]).toEqual([403, 'no-store'])
  })
})

describe('public responses', () => {
  test.each<[string, RpcServerOptions]>([
    ['no auth', {}],
    ['public introspection', { auth: isStaff, introspection: { auth: 'public' } }],
  ])('may be stored, and is revalidated: %s', async (_, options) => {
    const app = appOf({ docs: true, ...options })
    expect((await cachingOf(app, '/rpc', html))[1]).toBe('no-cache')
    expect((await cachingOf(app, '/rpc/openrpc.json', {}))[1]).toBe('no-cache')
  })
})

describe('framing', () => {
  test('is forbidden by both headers', async () => {
    const { headers } = await appOf({ docs: true }).request('/rpc', { headers: html })
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test("is left to Hono's secure-headers if they set the policy", async () => {
    const contentSecurityPolicy = { scriptSrc: [NONCE], styleSrc: [NONCE] }
    const app = new Hono().use(secureHeaders({ contentSecurityPolicy })).route('/', appOf({ docs: true }))
    expect((await app.request('/rpc', { headers: html })).headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })
})

test("a Host that is in no URL, which Node's adapter passes on, is not an error of the server", async () => {
  const { url, close } = await serveApp(appOf({ docs: true }))
  onTestFinished(close)
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      const { port } = new URL(url)
      const sent = get({ port, path, host: '127.0.0.1', headers: { ...html, Host: 'xn--a' } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      sent.on('error', reject)
    })
  expect([await status('/rpc'), await status('/rpc/openrpc.json')]).toEqual([200, 200])
})

test('marks of HTML, shells and scripts in the Host header are encoded in the page', async () => {
  const app = appOf({ docs: true })
  // The URL standard allows these in a host.
  const host = `a"b'c\`$(id){e}*!`
  expect(new URL(`http://${host}/`).host).toBe(host)
  const text = await (await app.request(`http://${host}/rpc`, { headers: html })).text()
  expect(text).toContain('http://a%22b%27c%60%24%28id%29%7Be%7D%2A%21/rpc')
  expect(text).not.toContain('$(id)')
})
