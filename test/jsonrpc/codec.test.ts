import { RpcError, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { invalidValueError } from '../../runtime/call/params.js'
import type { Call, InvalidEntry } from '../../runtime/call/types.js'
import { RpcInvalidParams, RpcInvalidRequest } from '../../runtime/error.js'
import { jsonrpc } from '../../runtime/jsonrpc/codec.js'
import { completeLimits } from '../support/limits.js'

const limits = completeLimits()
const decode = (text: string) => jsonrpc.decode(text, limits)
const [call, invalid] = [
  (text: string) => decode(text).entries[0] as Call,
  (text: string) => decode(text).entries[0] as InvalidEntry,
]

test('a call, a notification, a batch', () => {
  const text = '{"jsonrpc":"2.0","method":"m","params":[1],"id":"a"}'
  const note = '{"jsonrpc":"2.0","method":"m","params":{"a":1}}'
  const [one, other] = [
    { method: 'm', params: [1], id: '"a"', wantsReply: true },
    { method: 'm', params: { a: 1 }, wantsReply: false },
  ]
  expect(decode(text)).toEqual({ kind: 'single', entries: [one] })
  expect(decode(`[${text},${note}]`)).toEqual({ kind: 'batch', entries: [one, other] })
  expect(decode(`[${text}]`)).toEqual({ kind: 'batch', entries: [one] })
})

test.each([
  ['1', 'a request is an object', 'null'],
  ['[[]]', 'a request is an object', 'null'],
  ['{"jsonrpc":"2.0","method":"m","id":[]}', 'id: expected string, number or null', 'null'],
  ['{"method":"m","id":1}', 'jsonrpc: expected "2.0"', '1'],
  ['{"jsonrpc":"2.0","method":["m"],"id":"x"}', 'method: expected string', '"x"'],
  ['{"jsonrpc":"2.0","method":"m","params":1,"id":1.50}', 'params: expected array or object', '1.50'],
])('%s is not a request', (text, data, id) => {
  const { error, id: echo } = invalid(text)
  expect(error).toBeInstanceOf(RpcInvalidRequest)
  expect([error, echo]).toMatchObject([{ message: 'Invalid Request', data }, id])
})

test('the limits of a batch', () => {
  expect(() => decode('[]')).toThrow(RpcInvalidRequest)
  expect(jsonrpc.decode('[1,2]', completeLimits({ batch: 2 })).entries).toHaveLength(2)
  expect(() => jsonrpc.decode('[1,2,3]', completeLimits({ batch: 2 }))).toThrow(RpcInvalidRequest)
})

describe('a number that is not finite', () => {
  test.each([
    ['[1e999]', [0]],
    ['{"a":-1e999}', ['a']],
    ['[0,[{"b c":[1e999]}]]', [1, 0, 'b c', 0]],
    ['{"a b":{"c":1e999}}', ['a b', 'c']],
  ])('%s is a part of the call, which may fail for another reason first', (params, path) => {
    const decoded = call(`{"jsonrpc":"2.0","method":"m","params":${params},"id":1}`)
    expect([decoded.method, decoded.id, decoded.wantsReply]).toEqual(['m', '1', true])
    const error = decoded.invalidValue && invalidValueError(decoded.invalidValue, 'types')
    expect(error).toBeInstanceOf(RpcInvalidParams)
    expect(error).toMatchObject({
      data: [{ path, code: 'type', limit: 'number', expected: 'finite number', received: 'a number too large' }],
    })
  })

  test('the entries beside it are read', () => {
    const entry = (params: string) => `{"jsonrpc":"2.0","method":"m","params":${params},"id":1}`
    const { entries } = decode(`[${entry('[1e999]')},${entry('[1]')}]`)
    expect((entries[0] as Call).invalidValue).toMatchObject({ path: [0] })
    expect((entries[1] as Call).params).toEqual([1])
  })

  test('unusual digits elsewhere have no effect', () => {
    expect(call('{"jsonrpc":"2.0","method":"m","params":["1e999",9007199254740993,1e300]}').params).toEqual([
      '1e999',
      9007199254740993n,
      1e300,
    ])
  })
})

describe('responses', () => {
  const call = { method: 'm', params: [], id: '9007199254740993', wantsReply: true }

  test.each([
    [1, '1'],
    [undefined, 'null'],
    ['a\ud800"', '"a\\ud800\\""'],
    [{ a: undefined, b: [undefined] }, '{"b":[null]}'],
    [-0, '0'],
  ])('a result %j', (value, text) => {
    expect(jsonrpc.encodeResult(call, value)).toBe(`{"jsonrpc":"2.0","result":${text},"id":9007199254740993}`)
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY])('the code %d is an internal error', async (code) => {
    const server = new RpcServer({ onError: () => {} })
    const fail = () => {
      throw Object.assign(new RpcError(1, 'x', { data: false }), { code })
    }
    server.registerProcedure(fail, { name: 'fail', unchecked: true })
    const text = await server.handle('{"jsonrpc":"2.0","method":"fail","id":1}')
    expect(text).toBe('{"jsonrpc":"2.0","error":{"code":-32603,"message":"x","data":false},"id":1}')
  })

  test('an error without a call', () => {
    expect(jsonrpc.encodeError(undefined, { code: 1, message: '' })).toBe(
      '{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null}',
    )
  })

  test('the response to a batch', () => {
    expect(jsonrpc.encodeMessage(['1'])).toBe('[1]')
    expect(jsonrpc.encodeMessage(['1', '2'])).toBe('[1,2]')
    expect(jsonrpc.encodeMessage([])).toBeUndefined()
  })
})
