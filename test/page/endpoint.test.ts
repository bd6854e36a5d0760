import { describe, expect, test } from 'vitest'
import { checkEndpoint, checkWebSocket } from '../../runtime/http/introspection.js'

describe('an endpoint of the page', () => {
  test.each([
    '/rpc',
    'rpc',
    '../rpc?a=1',
    '',
    '//api.example.com/rpc',
    'https://api.example.com/rpc',
    'http://[::1]/rpc',
  ])('%j is accepted', (endpoint) => expect(checkEndpoint(endpoint)).toBe(undefined))

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
    [7, 'number'],
  ])('%j is rejected', (endpoint, given) => {
    const wanted = 'endpoint is a path or an http(s) URL, relative to the page and without a password'
    expect(() => checkEndpoint(endpoint)).toThrow(new TypeError(`${wanted}, not ${given}`))
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
  ])('%j is accepted', (address) => expect(checkWebSocket(address)).toBe(undefined))

  test.each<[unknown, string]>([
    ['ftp://example.com/', '"ftp://example.com/"'],
    ['javascript:alert(1)', '"javascript:alert(1)"'],
    ['wss://ada:pass@example.com/', '"wss://ada:pass@example.com/"'],
    [null, 'null'],
    [7, 'number'],
  ])('%j is rejected', (address, given) => {
    const wanted = 'webSocket is a path or a ws(s) URL, relative to the page and without a password'
    expect(() => checkWebSocket(address)).toThrow(new TypeError(`${wanted}, not ${given}`))
  })
})
