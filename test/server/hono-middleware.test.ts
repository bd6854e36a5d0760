import { Hono } from 'hono'
import { basicAuth as honoBasicAuth } from 'hono/basic-auth'
import { bearerAuth } from 'hono/bearer-auth'
import { compress } from 'hono/compress'
import { jwt, sign } from 'hono/jwt'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { timeout } from 'hono/timeout'
import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/hono-middleware/procedures.gen.js'
import type { AppEnv } from '../../fixtures/hono-middleware/procedures.js'
import { call, postJson, send } from '../support/json-rpc.js'
import { promisesOf } from '../support/promises.js'
import { mustRun } from '../support/run.js'

const { asyncView } = new RpcServer({ procedures, onError: () => undefined })
function request(method: string, params: unknown = [], headers: Readonly<Record<string, string>> = {}): RequestInit {
  return postJson(call(method, params), headers)
}

describe("Hono's authentication middleware, and its variables", () => {
  test('basicAuth', async () => {
    const app = new Hono().use(honoBasicAuth({ username: 'ada', password: 'lovelace' })).all('/', asyncView)
    expect((await app.request('/', request('hello'))).status).toBe(401)
    const authorised = await app.request('/', request('hello', [], { Authorization: `Basic ${btoa('ada:lovelace')}` }))
    expect(await authorised.json()).toMatchObject({ result: 'hello' })
  })

  test('bearerAuth', async () => {
    const app = new Hono().use(bearerAuth({ token: 'secret' })).all('/', asyncView)
    expect((await app.request('/', request('hello'))).status).toBe(401)
    const authorised = await app.request('/', request('hello', [], { Authorization: 'Bearer secret' }))
    expect(await authorised.json()).toMatchObject({ result: 'hello' })
  })

  test('jwt: its payload is in the context, typed by the Env of the app', async () => {
    const app = new Hono<AppEnv>().use(jwt({ secret: 'key', alg: 'HS256' })).all('/', asyncView)
    const token = await sign({ sub: 'ada' }, 'key', 'HS256')
    const response = await app.request('/', request('subject', [], { Authorization: `Bearer ${token}` }))
    expect(await response.json()).toMatchObject({ result: 'ada' })
  })
})

describe('other middleware of Hono', () => {
  test('request-id and secure-headers: their headers are in the response, their variables in the context', async () => {
    const app = new Hono<AppEnv>().use(requestId(), secureHeaders()).all('/', asyncView)
    const response = await app.request('/', request('id', [], { 'X-Request-Id': 'abc' }))
    expect(await response.json()).toMatchObject({ result: 'abc' })
    expect(response.headers.get('x-request-id')).toBe('abc')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('timeout responds to a call that takes too long', async () => {
    const app = new Hono().use(timeout(5)).all('/', asyncView)
    expect((await app.request('/', request('wait', [200]))).status).toBe(504)
    expect((await app.request('/', request('wait', [0]))).status).toBe(200)
  })

  test('compress', async () => {
    const app = new Hono().use(compress({ threshold: 0 })).all('/', asyncView)
    const response = await app.request('/', request('hello', [], { 'Accept-Encoding': 'gzip' }))
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const text = await new Response(response.body?.pipeThrough(new DecompressionStream('gzip'))).json()
    expect(text).toMatchObject({ result: 'hello' })
  })
})

test('synchronous procedures create no promises: a batch of many calls has as many as a batch of one', async () => {
  const app = new Hono().all('/', asyncView)
  const promisesOfBatch = (size: number) => {
    const calls = Array.from({ length: size }, (_each, id) => ({ jsonrpc: '2.0', method: 'hello', id }))
    return promisesOf(() => send(app, calls))
  }
  const one = await promisesOfBatch(1)
  expect(one).toBeGreaterThan(0)
  expect(await promisesOfBatch(500)).toBe(one)
})

test('importing has no side effects: no global, no listener, and the process exits', async () => {
  const script = `
    const state = () => JSON.stringify([
      Object.getOwnPropertyNames(globalThis).sort(),
      Object.getOwnPropertyNames(Object.prototype).sort(),
      process.eventNames().map(String).sort(),
      process.getActiveResourcesInfo().filter((each) => each === 'Timeout' || each === 'TCPServerWrap'),
    ])
    const before = state()
    await import('hono')
    const hono = state()
    await import('rpc-gen')
    await import('rpc-gen/codegen/v1')
    await import('rpc-gen/node')
    console.log(JSON.stringify([before === hono, hono === state()]))`
  expect(JSON.parse(await mustRun('.', process.execPath, '--input-type=module', '-e', script))).toEqual([true, true])
})
