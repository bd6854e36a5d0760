import type { IncomingMessage, RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { getRequestListener } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { RpcServerOptions } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { install } from '../support/install.js'
import { listen } from '../support/listen.js'
import { appOf, callJson, json, jsonText, serverOf, xml, xmlText } from '../support/requests.js'
import { skipped } from '../support/skip.js'

// A body that middleware has read before the endpoint: Express with a body parser, over each entry point, or middleware of Hono.

const folder = import.meta.dirname
const notInstalled = await install(folder)

type Step = (request: IncomingMessage, response: unknown, next: () => void) => void
type Parser = (options?: object) => Step
interface Express {
  (): RequestListener & { use(...args: unknown[]): void }
  readonly json: Parser
  readonly text: Parser
  readonly raw: Parser
  readonly urlencoded: Parser
}

const load = (): Express => createRequire(`${folder}/x.js`)('express')

/** Serves Hono's app behind a listener on a free port. */
async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener)
  onTestFinished(close)
  return url
}

/** What `onError` got. */
let errors: unknown[] = []

function rpcApp(options: RpcServerOptions = {}, ...middleware: MiddlewareHandler[]): Hono {
  errors = []
  const app = new Hono()
  for (const each of middleware) app.use(each)
  return app.route('/', appOf({ onError: (error) => void errors.push(error), ...options }))
}

/** The entry points that Node has, as request listeners. */
const entryPoints: Readonly<Record<string, (options?: RpcServerOptions) => unknown>> = {
  nodeHandler: (options = {}) => {
    errors = []
    return nodeHandler(serverOf({ onError: (error) => void errors.push(error), ...options }))
  },
  '@hono/node-server': (options) => getRequestListener(rpcApp(options).fetch),
}

interface Traffic {
  readonly status: number
  readonly text: string
}

async function send(
  url: string,
  type: string,
  body: string | Uint8Array,
  more: Record<string, string> = {},
): Promise<Traffic> {
  const init = { method: 'POST', headers: { 'Content-Type': type, ...more }, body: body as BodyInit }
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}

/** The same body in chunks, without a length. */
async function sendChunked(url: string, type: string, body: string): Promise<Traffic> {
  const stream = new Blob([body]).stream()
  const init = { method: 'POST', headers: { 'Content-Type': type }, body: stream, duplex: 'half' }
  const response = await fetch(url, init as RequestInit)
  return { status: response.status, text: await response.text() }
}

const ok = (text: string): Traffic => ({ status: 200, text })
const unusable: Traffic = { status: 500, text: 'Internal error.' }

const keep = (request: IncomingMessage & { rawBody?: unknown }, _response: unknown, bytes: Uint8Array) => {
  request.rawBody = bytes
}
const keepText = (request: IncomingMessage & { rawBody?: unknown }, _response: unknown, bytes: Uint8Array) => {
  request.rawBody = new TextDecoder().decode(bytes)
}
const keepArray = (request: IncomingMessage & { rawBody?: unknown }, _response: unknown, bytes: Uint8Array) => {
  request.rawBody = new Uint8Array(bytes)
}

/** Reads the body and does not store it. */
const drain: Step = (request, _response, next) => {
  request.on('data', () => {}).on('end', next)
}

const anyType = { type: '*/*' }
const xmlTypes = { type: ['text/xml', 'application/json'] }

function expectExplained(): void {
  expect(errors).toEqual([
    expect.objectContaining({
      name: 'BodyConsumedError',
      message: expect.stringMatching(/was read by middleware.*mount the endpoint before.*req\.rawBody/),
    }),
  ])
}

describe.skipIf(skipped('Express', notInstalled)).each(Object.entries(entryPoints))('Express, %s', (_, listener) => {
  /** Express with the steps in front of the endpoint. */
  function behind(steps: readonly Step[], options?: RpcServerOptions): Promise<string> {
    const express = load()
    const app = express()
    for (const step of steps) app.use(step)
    app.use(listener(options))
    return serve(app)
  }

  test.each<[string, (express: Express) => Step[]]>([
    ['no parser', () => []],
    ['express.json() and express.urlencoded()', (express) => [express.json(), express.urlencoded()]],
    ['express.json() that keeps the bytes', (express) => [express.json({ verify: keep })]],
    ['express.json() that keeps the bytes as a Uint8Array', (express) => [express.json({ verify: keepArray })]],
    ['express.json() that keeps the text', (express) => [express.json({ verify: keepText })]],
    ['express.text()', (express) => [express.text(xmlTypes)]],
    ['express.raw()', (express) => [express.raw(anyType)]],
  ])('behind %s', async (_, steps) => {
    const url = await behind(steps(load()))
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await send(url, 'text/xml', xml)).toEqual(ok(xmlText))
    expect(await sendChunked(url, 'application/json', json)).toEqual(ok(jsonText))
    expect(await sendChunked(url, 'text/xml', xml)).toEqual(ok(xmlText))
    const batch = await send(url, 'application/json', `[${json},${json}]`)
    expect(batch).toEqual(ok(`[${jsonText},${jsonText}]`))
    expect(errors).toEqual([])
  })

  test('long integers: exact from the bytes, rounded by a parser that keeps none', async () => {
    const call = json.replace('"id":1', '"id":9007199254740993')
    const exact = ok(jsonText.replace('"id":1', '"id":9007199254740993'))
    expect(await send(await behind([load().json({ verify: keep })]), 'application/json', call)).toEqual(exact)
    expect(await send(await behind([load().text(anyType)]), 'application/json', call)).toEqual(exact)
    const rounded = ok(jsonText.replace('"id":1', '"id":9007199254740992'))
    expect(await send(await behind([load().json()]), 'application/json', call)).toEqual(rounded)
    const long = callJson('system.methodHelp', `[${'9'.repeat(30)}]`)
    const { text } = await send(await behind([load().json()]), 'application/json', long)
    expect(JSON.parse(text).error.message).toContain('expected string, received double beyond 2^53')
  })

  test.each<[string, (express: Express) => Step]>([
    ['JSON', (express) => express.json({ limit: '1mb' })],
    ['bytes', (express) => express.json({ limit: '1mb', verify: keep })],
    ['text', (express) => express.text({ limit: '1mb', ...anyType })],
  ])('limits.bodyBytes applies to %s', async (_, parser) => {
    const url = await behind([parser(load())], { limits: { bodyBytes: 100 } })
    expect(await send(url, 'application/json', json)).toEqual(ok(jsonText))
    const long = callJson('sum', `[1,"${'a'.repeat(100)}"]`)
    const tooLarge = { status: 413, text: 'The body is larger than 100 bytes.' }
    expect(await send(url, 'application/json', long)).toEqual(tooLarge)
    expect(await sendChunked(url, 'application/json', long)).toEqual(tooLarge)
  })

  test('limits.depth and finite numbers apply to parsed JSON', async () => {
    const url = await behind([load().json({ limit: '1mb' })])
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const response = JSON.parse((await send(url, 'application/json', callJson('sum', deep))).text)
    expect(response).toMatchObject({ error: { code: -32600 }, id: null })
    const infinite = JSON.parse((await send(url, 'application/json', callJson('sum', '[1e999,1]'))).text)
    expect(infinite).toMatchObject({ error: { code: -32600 }, id: null })
  })

  test('a charset that the parser has decoded', async () => {
    const call = callJson('echo.string', '["café"]')
    const latin = Uint8Array.from(call, (char) => char.charCodeAt(0))
    const url = await behind([load().text(anyType)])
    const response = ok('{"jsonrpc":"2.0","result":"café","id":1}')
    expect(await send(url, 'application/json; charset=iso-8859-1', latin)).toEqual(response)
    expect(await send(await behind([load().raw(anyType)]), 'application/json; charset=iso-8859-1', latin)).toEqual(
      response,
    )
  })

  test('a compressed body that the parser has decompressed', async () => {
    const gzip = new Blob([json]).stream().pipeThrough(new CompressionStream('gzip'))
    const body = new Uint8Array(await new Response(gzip).arrayBuffer())
    for (const parser of [load().json(), load().json({ verify: keep }), load().text(anyType)]) {
      const response = await send(await behind([parser]), 'application/json', body, { 'Content-Encoding': 'gzip' })
      expect(response).toEqual(ok(jsonText))
    }
  })

  test.each(['application/json', 'text/xml'])(
    '%s that the parser did not keep: 500, and onError gets the reason',
    async (type) => {
      const url = await behind([drain])
      expect(await send(url, type, type === 'text/xml' ? xml : json)).toEqual(unusable)
      expectExplained()
      errors.length = 0
      expect(await sendChunked(url, type, type === 'text/xml' ? xml : json)).toEqual(unusable)
      expectExplained()
    },
  )

  test('XML that a parser has turned into an object is not usable', async () => {
    const parser: Step = (request, response, next) =>
      drain(request, response, () => {
        Object.assign(request, { body: { methodCall: {} } })
        next()
      })
    expect(await send(await behind([parser]), 'text/xml', xml)).toEqual(unusable)
    expectExplained()
  })

  test('a parser that skips the body, and sets {} as older ones do, has no effect', async () => {
    const older: Step = (request, _response, next) => {
      Object.assign(request, { body: {} })
      next()
    }
    const url = await behind([older])
    expect(await send(url, 'text/xml', xml)).toEqual(ok(xmlText))
    expect(await sendChunked(url, 'application/json', json)).toEqual(ok(jsonText))
  })

  test('an empty body is a parse error', async () => {
    const url = await behind([load().json()])
    const { status, text } = await send(url, 'application/json', '')
    expect([status, JSON.parse(text).error.code]).toEqual([200, -32700])
  })
})

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
