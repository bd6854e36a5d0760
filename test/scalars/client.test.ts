import { RpcServer } from 'rpc-gen'
import { RpcValueError, xmlRpc } from 'rpc-gen/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient as createPlain } from '../../fixtures/generate/custom-scalars/expected.client.gen.js'
import { createClient } from '../../fixtures/generate/scalar-client/api/expected.client.gen.js'
import { procedures } from '../../fixtures/generate/scalar-client/expected.gen.js'
import { Decimal, Instant, Money } from '../../fixtures/generate/scalar-client/scalars.js'

const app = new RpcServer({ procedures }).router()
const fetch = (url: string | URL | Request, init?: RequestInit) =>
  Promise.resolve(app.request(new URL(`${url}`).pathname, init))
const three = new Decimal(300n)

describe.each([
  ['JSON-RPC', {}],
  ['XML-RPC', { transport: xmlRpc() }],
])('a client with codecs, over %s', (_, options) => {
  const client = createClient('http://127.0.0.1/', { fetch, ...options } as never)

  test('has values of the type', async () => {
    const value = await client.echo(three)
    expectTypeOf(value).toEqualTypeOf<Decimal>()
    expect(value).toEqual(three)
    expect(value).toBeInstanceOf(Decimal)
    expect(await client.when(new Instant(1_000))).toEqual(new Instant(1_000))
  })

  test('has values of the type in structs, unions and maps', async () => {
    const lines = [
      { price: three, note: 'a' },
      { price: three, reduced: new Decimal(1n), note: 'b' },
    ]
    expect(await client.lines(lines)).toEqual(lines)
    const money = new Money(three, 'EUR')
    for (const value of [three, money, 7, null]) expect(await client.either(value)).toEqual(value)
    expect(await client.named(new Map([['a', money]]))).toEqual(new Map([['a', money]]))
  })

  test.each([
    ['another value', '3.00', 'value: expected Decimal, received string of length 4'],
    ['a value that cannot be encoded', new Decimal(-1n), 'value: expected Decimal, received object'],
  ])('does not send %s', async (_, value, message) => {
    const error = await client.echo(value as Decimal).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RpcValueError)
    expect((error as Error).message).toContain(message)
  })
})

test('a result that the codec rejects is an error with its path', async () => {
  const wrong = async () => Response.json({ jsonrpc: '2.0', id: 1, result: [{ price: 'hunter2', note: '' }] })
  const client = createClient('http://127.0.0.1/', { fetch: wrong })
  const error = await client.lines([]).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ path: ['result', 0, 'price'], expected: 'Decimal', received: 'string of length 7' })
})

test('a client without codecs has the wire values', async () => {
  const client = createPlain('http://127.0.0.1/', {
    fetch: async () => Response.json({ jsonrpc: '2.0', id: 1, result: '3.00' }),
  })
  const value = await client.total(['3.00'])
  expectTypeOf(value).toEqualTypeOf<string>()
  expect(value).toBe('3.00')
})
