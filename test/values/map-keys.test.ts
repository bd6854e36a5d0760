import { RpcServer } from 'rpc-gen'
import { xmlRpc } from 'rpc-gen/client'
import { manifest, map, number, procedure } from 'rpc-gen/codegen/v1'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../fixtures/generate/map-keys/expected.client.gen.js'
import { procedures } from '../../fixtures/generate/map-keys/expected.gen.js'
import { fetchFrom, responseTo } from '../support/json-rpc.js'

// Maps whose keys are not any text: numbers, literals, enums, templates.

const server = new RpcServer({ procedures })
const router = server.router()
const fetch = fetchFrom(router)

const date = new Date('2024-05-06T07:08:09.000Z')

const values: readonly (readonly [keyof typeof procedures, unknown])[] = [
  ['numbers', new Map([-1.5, 0, 7, 1e21, 5e-324].map((key) => [key, date]))],
  ['ints', new Map([-(2 ** 31), 2 ** 31 - 1].map((key) => [key, 'x']))],
  ['literals', new Map(['a', "it's", 'c.d'].map((key) => [key, date]))],
  ['digits', new Map([1, 2.5, -3].map((key) => [key, true]))],
  ['enums', new Map(['red', 'blue'].map((key) => [key, 5n]))],
  ['templates', new Map(['all', 'k-1'].map((key) => [key, date]))],
  ['branded', { byId: new Map([[1, new Map([[2.5, date]])]]), names: new Map([['2', 'x']]) }],
]

describe.each([
  ['JSON-RPC', {}],
  ['XML-RPC', { protocol: xmlRpc }],
])('%s', (_name, protocol) => {
  test.each(values)('%s of %o', async (name, value) => {
    const client = createClient('https://example.org/', { fetch, ...protocol })
    expect(await client.$call(name, [value] as never)).toEqual(value)
  })
})

test('a call in the same process gets Maps too', async () => {
  for (const [name, value] of values) expect(await server.call(name, [value] as never)).toEqual(value)
  const texts = new Map([['1', date]]) as unknown as Map<number, Date>
  await expect(server.call('numbers', [texts])).rejects.toThrow(
    'value: expected keys of type number, received string of length 1',
  )
})

test('a bigint for a number, at a key that is a number, in a call in the same process', async () => {
  const keys = { text: 'number', pattern: '', numeric: 'number' } as const
  const echo = procedure((value: unknown) => value, {
    params: { value: map(number, keys) },
    returns: map(number, keys),
  })
  const local = new RpcServer({ procedures: manifest({ echo }) })
  expect(await local.call('echo', [new Map([[1, 2n]])] as never)).toEqual(new Map([[1, 2]]))
})

test.each([
  ['numbers', { x: date }, 'keys of type number'],
  // Another text of a number would replace the entry of the number.
  ['numbers', { '1.0': date }, 'keys of type number'],
  ['numbers', { '9007199254740993': date }, 'keys of type number'],
  ['numbers', { '-0': date }, 'keys of type number'],
  ['numbers', { Infinity: date }, 'keys of type number'],
  ['ints', { '2147483648': 'x' }, 'keys of type number'],
  ['ints', { '1.5': 'x' }, 'keys of type number'],
  ['literals', { b: date }, `keys of type 'a' | 'c.d' | "it's"`],
  ['digits', { '2': true }, 'keys of type -3 | 1 | 2.5'],
  ['enums', { green: 1 }, `keys of type 'red' | 'blue'`],
  ['templates', { 'k-x': date }, `keys of type 'all' | \`k-\${number}\``],
])('%s rejects %j', async (method, value, expected) => {
  const { error } = await responseTo(router, method, [value])
  const [key = ''] = Object.keys(value)
  expect(error?.data).toMatchObject([
    {
      path: ['value'],
      code: 'propertyNames',
      limit: expect.any(String),
      expected,
      received: `string of length ${key.length}`,
    },
  ])
})
