import type { IncomingMessage, RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { RpcServerOptions } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { describe, expect, test } from 'vitest'
import { errors, expectExplained, ok, rpcApp, send, sendChunked, serve, unusable } from '../../hosts/bodies.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { callJson, json, jsonText, serverOf, xml, xmlText } from '../../support/requests.js'
import { skipped } from '../../support/skip.js'

// A body that a parser of Express has read before the endpoint, over each entry point; middleware of Hono: body-middleware.test.ts.

const folder = join(root, 'test/hosts')
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

/** The entry points that Node has, as request listeners. */
const entryPoints: Readonly<Record<string, (options?: RpcServerOptions) => unknown>> = {
  nodeHandler: (options = {}) => {
    errors.length = 0
    return nodeHandler(serverOf({ onError: (error) => void errors.push(error), ...options }))
  },
  '@hono/node-server': (options) => getRequestListener(rpcApp(options).fetch),
}

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
