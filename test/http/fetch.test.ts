import { type RpcContext, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { json, jsonText, notification, post, serverOf, xml, xmlText } from '../support/requests.js'

const url = 'https://a.example/any/path?x'
const asJson = { 'Content-Type': 'application/json' }

describe('server.fetch', () => {
  test('needs no this, and serves every path', async () => {
    const { fetch } = serverOf()
    for (const path of ['/', '/rpc', '/a/b/c?d']) {
      const response = await fetch(new Request(`https://a.example${path}`, post(json, asJson)))
      expect([response.status, await response.text()]).toEqual([200, jsonText])
    }
    const response = await fetch(new Request(url, post(xml, { 'Content-Type': 'text/xml' })))
    expect(await response.text()).toBe(xmlText)
    expect((await fetch(new Request(url, post(notification, asJson)))).status).toBe(204)
  })

  test('gives calls the env, the execution context and the request', async () => {
    const seen: RpcContext[] = []
    const server = new RpcServer()
    server.registerProcedure((context: never) => void seen.push(context), {
      unchecked: true,
      name: 'run',
      contextTarget: 0,
    })
    const env = { KV: {} }
    const executionContext = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
    const request = new Request(url, post('{"jsonrpc":"2.0","method":"run","id":1}', asJson))
    await server.fetch(request, env, executionContext)
    const [context] = seen as [RpcContext]
    expect(context.env).toBe(env)
    expect(context.executionContext).toBe(executionContext)
    expect(context.request).toBe(request)
    expect(context.honoContext).toBeUndefined()
  })

  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT'])('%s: 405', async (method) => {
    const { status, headers } = await serverOf().fetch(new Request(url, { method }))
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('GET and HEAD of the docs page and of the OpenRPC document', async () => {
    const { fetch } = serverOf({ docs: true })
    for (const [path, accept] of [
      ['/rpc', 'text/html'],
      ['/rpc/openrpc.json', '*/*'],
    ]) {
      const at = `https://a.example${path}`
      const init = { headers: { Accept: accept as string } }
      const response = await fetch(new Request(at, init))
      expect([response.status, (await response.text()).length > 1000]).toEqual([200, true])
      const only = await fetch(new Request(at, { ...init, method: 'HEAD' }))
      expect([only.status, await only.text()]).toEqual([200, ''])
      expect(only.headers.get('content-type')).toBe(response.headers.get('content-type'))
    }
  })

  test('a request whose body has been read: 500, and onError gets the reason', async () => {
    const errors: Error[] = []
    const { fetch } = serverOf({ onError: (error) => void errors.push(error) })
    const request = new Request(url, post(json, asJson))
    await request.text()
    const response = await fetch(request)
    expect([response.status, await response.text()]).toEqual([500, 'Internal error.'])
    expect(errors).toEqual([expect.objectContaining({ name: 'BodyConsumedError' })])
  })

  test('a stream that breaks is an error of the host', async () => {
    const stream = new ReadableStream({ start: (controller) => controller.error(new Error('broken pipe')) })
    await expect(serverOf().fetch(new Request(url, post(stream, asJson)))).rejects.toThrow('broken pipe')
  })

  test('conflicting registrations throw when fetch is read', () => {
    const server = new RpcServer()
    for (let i = 0; i < 2; i += 1) server.registerProcedure(() => 1, { unchecked: true, name: 'twice' })
    expect(() => server.fetch).toThrow('twice')
  })
})
