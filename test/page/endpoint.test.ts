import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'

const docs = (options: object) => () => new RpcServer().docs(options as { endpoint: string })

describe('an endpoint of the page', () => {
  test.each([
    '/rpc',
    'rpc',
    '../rpc?a=1',
    '',
    '//api.example.com/rpc',
    'https://api.example.com/rpc',
    'http://[::1]/rpc',
  ])('%j is accepted', (endpoint) => expect(docs({ endpoint })).not.toThrow())

  test('a relative one is beside the page, also below a prefix', async () => {
    const app = new Hono().route('/prefix/docs', new RpcServer().docs({ endpoint: 'rpc' }))
    const response = await app.request('/prefix/docs', { headers: { Accept: 'text/html' } })
    expect(await response.text()).toContain('http://localhost/prefix/rpc')
  })

  test.each<[unknown, string]>([
    ['http://[::1/', '"http://[::1/"'],
    ['javascript:alert(1)', '"javascript:alert(1)"'],
    [' JavaScript:alert(1)', '" JavaScript:alert(1)"'],
    ['data:text/html,x', '"data:text/html,x"'],
    ['ftp://example.com/', '"ftp://example.com/"'],
    ['blob:https://example.com/1', '"blob:https://example.com/1"'],
    ['https://ada:pass@example.com/', '"https://ada:pass@example.com/"'],
    ['//', '"//"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
  ])('%j is rejected', (endpoint, given) => {
    const expected = 'a path or an http(s) URL, relative to the page and without a password'
    expect(docs({ endpoint })).toThrow(new TypeError(`RpcServer.docs: endpoint is ${given}, expected ${expected}`))
  })
})

describe('a WebSocket of the page', () => {
  test.each([
    undefined,
    '/socket',
    '../socket',
    '//live.example.com/',
    'ws://[::1]/rpc',
    'wss://live.example.com/rpc',
    'https://live.example.com/',
  ])('%j is accepted', (webSocket) => expect(docs({ endpoint: '/rpc', webSocket })).not.toThrow())

  test.each<[unknown, string]>([
    ['ftp://example.com/', '"ftp://example.com/"'],
    ['javascript:alert(1)', '"javascript:alert(1)"'],
    ['wss://ada:pass@example.com/', '"wss://ada:pass@example.com/"'],
    [null, 'null'],
    [7, '7'],
  ])('%j is rejected', (webSocket, given) => {
    const expected = 'a path or a ws(s) URL, relative to the page and without a password'
    expect(docs({ endpoint: '/rpc', webSocket })).toThrow(
      new TypeError(`RpcServer.docs: webSocket is ${given}, expected ${expected}`),
    )
  })
})
