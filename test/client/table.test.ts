import { type ClientTable, type ClientType, createClient, RpcValueError, tableCodec } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import type { Procedures } from '../../fixtures/wire/procedures.gen.js'
import { failureOf, overEveryEntryPoint, record, url } from './served.js'

const person: ClientType = ['struct', {}, { born: 'date' }]
const union: ClientType = [
  'union',
  [
    ['struct', { kind: ['is', 'circle'] }],
    ['struct', { kind: ['is', 'square'] }, { drawn: 'date' }],
  ],
  'kind',
]
const both = (type: ClientType) => ({ params: { value: type }, result: type })

/** What a generator would write for the procedures of the wire fixtures. */
const table: ClientTable = {
  methods: {
    'echo.bigint': both('bigint'),
    'echo.date': both('date'),
    'echo.bytes': both('bytes'),
    'echo.tuple': both(['tuple', ['any', 'any', 'date']]),
    'echo.struct': both(person),
    'echo.map': both(['map', 'date']),
    'echo.set': both(['set', 'any']),
    'echo.union': both(union),
    'large.bigint': { result: 'bigint' },
    update: { result: 'undefined', idempotent: true },
  },
}

function connect() {
  const traffic = { requests: [] as string[], responses: [] as string[] }
  return { traffic, client: createClient<Procedures>(url, { fetch: record(traffic), codec: tableCodec(table) }) }
}

overEveryEntryPoint('over a server', () => {
  const date = new Date('2024-07-10T12:34:56.789Z')

  test('values are sent and received with their types', async () => {
    const { client } = connect()
    expect(await client.echo.bigint(-(2n ** 70n))).toBe(-(2n ** 70n))
    expect(await client.echo.date(date)).toEqual(date)
    expect(await client.echo.bytes(Uint8Array.of(0, 255, 10))).toEqual(Uint8Array.of(0, 255, 10))
    expect(await client.echo.tuple(['a', 1, date])).toEqual(['a', 1, date])
    expect(await client.echo.tuple(['a', 1])).toEqual(['a', 1])
    expect(await client.echo.struct({ name: 'Ada', age: 36, born: date })).toEqual({ name: 'Ada', age: 36, born: date })
    expect(await client.echo.struct({ name: 'Ada', age: 36 })).toEqual({ name: 'Ada', age: 36 })
    expect(await client.echo.map(new Map([['a', date]]))).toEqual(new Map([['a', date]]))
    expect(await client.echo.set(new Set(['a', 'b']))).toEqual(new Set(['a', 'b']))
    expect(await client.echo.union({ kind: 'square', side: 2, drawn: date })).toEqual({
      kind: 'square',
      side: 2,
      drawn: date,
    })
    expect(await client.large.bigint()).toBe(2n ** 64n)
    expect(await client.update()).toBeUndefined()
    expect(await client.sum(1, 2)).toBe(3)
  })

  test('by name, in a batch, as a notification', async () => {
    const { client, traffic } = connect()
    expect(await client.$named.echo.date({ value: date })).toEqual(date)
    expect(await client.$batch([client.$request.echo.date(date), client.$request.$notify.echo.date(date)])).toEqual([
      date,
      undefined,
    ])
    expect(await client.$notify.echo.date(date)).toBeUndefined()
    expect(traffic.requests.map((text) => text.match(/2024-07-10T12:34:56.789Z/g)?.length)).toEqual([1, 2, 1])
  })

  test('a value that cannot be encoded is reported with its path, and nothing is sent', async () => {
    const { client, traffic } = connect()
    const wrong = new Date(Number.NaN)
    expect(await failureOf(client.echo.struct({ name: 'x', age: 1, born: wrong }))).toEqual(
      new RpcValueError('echo.struct', ['value', 'born'], 'date', wrong),
    )
    expect(await failureOf(client.$named.echo.date({ value: 'now' }))).toMatchObject({
      name: 'RpcValueError',
      method: 'echo.date',
      path: ['value'],
      message: 'echo.date: value: expected date, received string of length 3',
      code: 'type',
      limit: 'date',
    })
    expect(traffic.requests).toEqual([])
  })
})

/** What a codec makes of a result, and of a parameter. */
function codecOf(type: ClientType, types: Record<string, ClientType> = {}) {
  const codec = tableCodec({ methods: { f: { params: { x: type }, result: type } }, types })
  return {
    read: (value: unknown) => codec.decode('f', value),
    write: (value: unknown, native = false) => (codec.encode('f', [value], native) as unknown[])[0],
  }
}

const date = new Date('2024-07-10T00:00:00Z')
const bytes = Uint8Array.of(104, 105)
const address = new URL('https://example.org/')
const tree: ClientType = ['struct', { at: 'date' }, { children: ['array', ['ref', 'Tree']] }]

describe('every type, sent and received', () => {
  test.each<[string, ClientType, unknown, unknown, Record<string, ClientType>?]>([
    ['date', 'date', date, '2024-07-10T00:00:00.000Z'],
    ['bytes', 'bytes', bytes, 'aGk='],
    ['bigint', 'bigint', 2n ** 80n, `${2n ** 80n}`],
    ['url', 'url', address, 'https://example.org/'],
    ['any', 'any', { a: [1] }, { a: [1] }],
    ['undefined', ['array', 'undefined'], [undefined], [null]],
    ['array', ['array', 'date'], [date], ['2024-07-10T00:00:00.000Z']],
    ['set', ['set', 'bigint'], new Set([1n]), ['1']],
    ['map', ['map', 'bytes'], new Map([['a', bytes]]), { a: 'aGk=' }],
    ['map of __proto__', ['map', 'bigint'], new Map([['__proto__', 1n]]), JSON.parse('{"__proto__":"1"}')],
    ['tuple with rest', ['tuple', ['date'], 'bigint'], [date, 1n, 2n], ['2024-07-10T00:00:00.000Z', '1', '2']],
    ['tuple without its end', ['tuple', ['any', 'date']], [1], [1]],
    ['record', ['struct', {}, {}, 'bigint'], { a: 1n, b: 2n }, { a: '1', b: '2' }],
    ['members', ['struct', { a: 'date' }, { b: 'bigint' }], { a: date, c: 1 }, { a: '2024-07-10T00:00:00.000Z', c: 1 }],
    [
      'recursion',
      ['ref', 'Tree'],
      { at: date, children: [{ at: date, children: [] }] },
      { at: '2024-07-10T00:00:00.000Z', children: [{ at: '2024-07-10T00:00:00.000Z', children: [] }] },
      { Tree: tree },
    ],
    ['date or null: date', ['union', ['date', 'null']], date, '2024-07-10T00:00:00.000Z'],
    ['date or null: null', ['union', ['date', 'null']], null, null],
    ['date or number', ['union', ['date', 'number']], 7, 7],
    [
      'structs without a discriminant',
      [
        'union',
        [
          ['struct', { a: 'date' }],
          ['struct', { b: 'bigint' }],
        ],
      ],
      { b: 1n },
      { b: '1' },
    ],
    [
      'structs by a discriminant, by reference',
      [
        'union',
        [
          ['ref', 'A'],
          ['ref', 'B'],
        ],
        'k',
      ],
      { k: 2, v: 1n },
      { k: 2, v: '1' },
      { A: ['struct', { k: ['is', 1], v: 'date' }], B: ['struct', { k: ['is', 2], v: 'bigint' }] },
    ],
  ])('%s', (_, type, value, wire, types) => {
    const { read, write } = codecOf(type, types)
    expect(write(value)).toEqual(wire)
    expect(read(wire)).toEqual(value)
  })

  test('null for an optional element of a tuple is undefined, where null is none of its values', () => {
    const optional: ClientType = ['tuple', ['any', 'number', 'date', ['union', ['date', 'null']], 'any'], 'any', 1]
    const { read, write } = codecOf(optional)
    expect(read([1, null, null, null, null, null])).toEqual([1, undefined, undefined, null, null, null])
    expect(read([null])).toEqual([null])
    expect(read([1, 2])).toEqual([1, 2])
    expect(() => read([1, 'x'])).toThrow('f: result[1]: expected number, received string of length 1')
    expect(write([1, undefined, date])).toEqual([1, undefined, '2024-07-10T00:00:00.000Z'])
    expect(() => write([1, null])).toThrow('f: x[1]: expected number, received null')
    expect(codecOf(['tuple', ['any', 'any']]).read([1, null])).toEqual([1, null])
    expect(() => codecOf(['tuple', ['any', 'date'], 'any', 2]).read([1, null])).toThrow('f: result[1]: expected date')
  })

  test('dates, bytes and integers in the form of the protocol', () => {
    for (const [type, value] of [
      ['date', date],
      ['bytes', bytes],
      ['bigint', 7n],
    ] as const) {
      expect(codecOf(type).write(value, true)).toBe(value)
      expect(codecOf(type).read(value)).toEqual(value)
    }
    expect(codecOf('bigint').read(7)).toBe(7n)
    expect(codecOf('url').write(address, true)).toBe('https://example.org/')
    expect(codecOf('bytes').write(Uint8Array.of(104, 105).buffer)).toBe('aGk=')
  })

  test('texts and integers are read as a server reads them', () => {
    const { read } = codecOf('bigint')
    expect(['-0', '007', `-${'9'.repeat(10_000)}`, 2 ** 53 - 1].map(read)).toEqual([
      0n,
      7n,
      1n - 10n ** 10_000n,
      2n ** 53n - 1n,
    ])
    for (const wrong of ['', '+1', ' 1', '1\n', '1e3', '9'.repeat(10_001), 2 ** 53, 1.5, true]) {
      expect(() => read(wrong)).toThrow('f: result: expected bigint')
    }
    expect(codecOf('bytes').read('aG\nk =')).toEqual(bytes)
    expect(codecOf('bytes').read(Uint8Array.of(104, 105).buffer)).toEqual(bytes)
    expect(() => codecOf('bytes').read('aGk')).toThrow('f: result: expected bytes, received string of length 3')
    expect(codecOf('date').read('2024-07-10T02:00+02')).toEqual(date)
  })

  test('undefined is left to the server to reject, and optional members may be undefined', () => {
    expect(codecOf('date').write(undefined)).toBeUndefined()
    expect(codecOf(['struct', {}, { a: 'date' }]).write({ a: undefined })).toEqual({ a: undefined })
  })

  test('members that are not listed by the last pattern that matches their name', () => {
    const { read, write } = codecOf(['struct', { id: 'date' }, {}, { '': 'any', '^at-': 'date', '^at-big-': 'bigint' }])
    const sent = { id: '1970-01-01T00:00:00.000Z', more: '1', 'at-a': '1970-01-01T00:00:00.000Z', 'at-big-a': '1' }
    const value = { id: new Date(0), more: '1', 'at-a': new Date(0), 'at-big-a': 1n }
    expect(read(sent)).toEqual(value)
    expect(write(value)).toEqual(sent)
    expect(() => read({ ...sent, 'at-b': 1 })).toThrow('f: result["at-b"]: expected date, received int')
  })

  test('rest parameters by position and by name', () => {
    const { encode } = tableCodec({ methods: { f: { params: { a: 'any' }, rest: ['more', 'bigint'] } } })
    expect(encode('f', [1, 2n, 3n], false)).toEqual([1, '2', '3'])
    expect(encode('f', { a: 1, more: [2n], other: 3 }, false)).toEqual({ a: 1, more: ['2'], other: 3 })
    expect(encode('toString', [1n], false)).toEqual([1n])
    expect(() => encode('f', [1, 2], false)).toThrow('f: more[0]: expected bigint, received int')
  })
})

describe('a response that does not match the table is reported with its path', () => {
  test.each<[ClientType, unknown, string]>([
    ['date', 'yesterday', 'f: result: expected date, received string of length 9'],
    ['date', null, 'f: result: expected date, received null'],
    ['bytes', '!', 'f: result: expected bytes, received string of length 1'],
    ['bigint', '1.5', 'f: result: expected bigint, received string of length 3'],
    ['bigint', 2 ** 60, 'f: result: expected bigint, received double beyond 2^53'],
    ['url', 'x y', 'f: result: expected url, received string of length 3'],
    ['undefined', 1, 'f: result: expected undefined, received int'],
    ['string', 1, 'f: result: expected string, received int'],
    [['array', 'date'], ['2024-07-10', 'x'], 'f: result[1]: expected date, received string of length 1'],
    [['array', 'date'], {}, 'f: result: expected array, received object'],
    [['set', 'date'], 'x', 'f: result: expected array, received string of length 1'],
    [['map', 'date'], [], 'f: result: expected object, received array of length 0'],
    [['map', 'date'], { 'a b': 1 }, 'f: result["a b"]: expected date, received int'],
    [['tuple', ['date'], 'bigint'], ['2024-07-10', 'x'], 'f: result[1]: expected bigint, received string of length 1'],
    [['struct', { a: 'date' }], {}, 'f: result.a: expected date, received nothing'],
    [['struct', { a: ['struct', {}, { b: 'date' }] }], { a: { b: 1 } }, 'f: result.a.b: expected date, received int'],
    [['struct', {}, {}, 'date'], { constructor: 1 }, 'f: result.constructor: expected date, received int'],
    [['union', ['date', 'null']], 1, 'f: result: expected a value of the declared union, received int'],
    [
      [
        'union',
        [
          ['struct', { k: ['is', 'a'], v: 'date' }],
          ['struct', { k: ['is', 'b'] }],
        ],
        'k',
      ],
      { k: 'a', v: 1 },
      'f: result.v: expected date, received int',
    ],
    [
      ['union', [['struct', { k: ['is', 'a'], v: 'date' }]], 'k'],
      { k: 'c' },
      'f: result: expected a value of the declared union, received object',
    ],
  ])('%j: %j', (type, value, message) => {
    const error = expect.objectContaining({ name: 'RpcValueError', message })
    expect(() => codecOf(type).read(value)).toThrow(error)
  })
})
