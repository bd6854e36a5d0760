import { Protocol, RpcError, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { call } from '../support/json-rpc.js'
import { Account, Money } from './values.js'

// What toJSON() may be and return. The expected results are those of JSON.stringify, but for the values that it has no form for.

const date = new Date('2024-07-10T12:34:56.000Z')
const bytes = Uint8Array.of(1, 2, 3)

class Day extends Date {
  override toJSON(): string {
    return 'a day'
  }
}

class SecretMap extends Map<string, unknown> {
  toJSON(): object {
    return { size: this.size }
  }
}

class SecretSet extends Set<unknown> {
  toJSON(): unknown {
    return [this.size]
  }
}

class SecretList extends Array<unknown> {
  toJSON(): unknown {
    return { length: this.length }
  }
}

class Key extends Uint8Array {
  toJSON(): string {
    return 'a key'
  }
}

class Link extends URL {
  override toJSON(): string {
    return this.host
  }
}

class PlainDate extends Date {}

class WithKey {
  toJSON(key: string): object {
    return { key: `${typeof key} ${key}` }
  }
}

/** Its own member decides, not the inherited one. */
class Renamed extends Account {
  override toJSON = () => ({ own: true })
}

class Getters {
  get toJSON(): () => string {
    return () => 'of a getter'
  }
}

const returning = (value: unknown) => ({ passwordHash: 'SECRET', toJSON: () => value })
const without = (members: object) => Object.assign(Object.create(null), members)
const toThis = {
  name: 'ada',
  toJSON() {
    return this
  },
}

/** The JSON text of the result, and its XML, by the value that is returned. */
const results: Readonly<Record<string, readonly [value: unknown, json: string, xml: string]>> = {
  'a Date': [date, '"2024-07-10T12:34:56.000Z"', '<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>'],
  'a class that extends Date': [
    new PlainDate(date),
    '"2024-07-10T12:34:56.000Z"',
    '<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>',
  ],
  'a Date with its own method': [
    Object.assign(new Date(date), { toJSON: () => 'own' }),
    '"own"',
    '<string>own</string>',
  ],
  'a Buffer': [Buffer.from(bytes), '"AQID"', '<base64>AQID</base64>'],
  'a Uint8Array': [bytes, '"AQID"', '<base64>AQID</base64>'],
  'an ArrayBuffer': [bytes.buffer, '"AQID"', '<base64>AQID</base64>'],
  'a bigint': [5n, '"5"', '<i8>5</i8>'],
  'a String object': [Object('text'), '"text"', '<string>text</string>'],
  'a Number object': [Object(1.5), '1.5', '<double>1.5</double>'],
  'a Boolean object': [Object(false), 'false', '<boolean>0</boolean>'],
  'a BigInt object': [Object(5n), '"5"', '<i8>5</i8>'],
  'a URL': [new URL('http://a/b'), '"http://a/b"', '<string>http://a/b</string>'],
  'a Map': [
    new Map([['a', 1]]),
    '{"a":1}',
    '<struct><member><name>a</name><value><int>1</int></value></member></struct>',
  ],
  'a Set': [new Set([1]), '[1]', '<array><data><value><int>1</int></value></data></array>'],
  'a Date that overrides it': [new Day(date), '"a day"', '<string>a day</string>'],
  'a URL that overrides it': [new Link('http://ada:SECRET@a/b'), '"a"', '<string>a</string>'],
  'bytes with it': [new Key(bytes), '"a key"', '<string>a key</string>'],
  'a Map with it': [
    new SecretMap([['passwordHash', 'SECRET']]),
    '{"size":1}',
    '<struct><member><name>size</name><value><int>1</int></value></member></struct>',
  ],
  'a Set with it': [new SecretSet(['SECRET']), '[1]', '<array><data><value><int>1</int></value></data></array>'],
  'an array with it': [
    SecretList.from(['SECRET']),
    '{"length":1}',
    '<struct><member><name>length</name><value><int>1</int></value></member></struct>',
  ],
  'an Error with it': [
    Object.assign(new Error('SECRET'), { toJSON: () => 'an error' }),
    '"an error"',
    '<string>an error</string>',
  ],
  'a function with it': [
    Object.assign(() => {}, { toJSON: () => 'a function' }),
    '"a function"',
    '<string>a function</string>',
  ],
  'a Proxy': [new Proxy(new Account('ada'), {}), '{"name":"ada"}', struct('name', '<string>ada</string>')],
  'a getter of it': [new Getters(), '"of a getter"', '<string>of a getter</string>'],
  'an own method before an inherited one': [new Renamed('ada'), '{"own":true}', struct('own', '<boolean>1</boolean>')],
  'an object without prototype': [without({ passwordHash: 'SECRET', toJSON: () => 1 }), '1', '<int>1</int>'],
  'data that is called so': [{ toJSON: 'x' }, '{"toJSON":"x"}', struct('toJSON', '<string>x</string>')],
  'data in an object without prototype': [without({ toJSON: null }), '{"toJSON":null}', struct('toJSON', '<nil/>')],
  'itself as its result': [toThis, '{"name":"ada"}', struct('name', '<string>ada</string>')],
  'a Date as its result': [
    returning(date),
    '"2024-07-10T12:34:56.000Z"',
    '<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>',
  ],
  'bytes as its result': [returning(bytes), '"AQID"', '<base64>AQID</base64>'],
  'a bigint as its result': [returning(5n), '"5"', '<i8>5</i8>'],
  'a Map as its result': [
    returning(new Map([['owner', new Account('ada')]])),
    '{"owner":{"name":"ada"}}',
    struct('owner', `${struct('name', '<string>ada</string>')}`),
  ],
  'null as its result': [returning(null), 'null', '<nil/>'],
  'undefined as its result': [returning(undefined), 'null', '<nil/>'],
  'undefined as that of a member': [
    { gone: returning(undefined), kept: returning(1) },
    '{"kept":1}',
    struct('kept', '<int>1</int>'),
  ],
  'undefined as that of an entry': [
    new Map([
      ['gone', returning(undefined)],
      ['kept', returning(1)],
    ]),
    '{"kept":1}',
    struct('kept', '<int>1</int>'),
  ],
  'undefined as that of an element': [
    [returning(undefined)],
    '[null]',
    '<array><data><value><nil/></value></data></array>',
  ],
  'another value with it as its result, which is not called': [
    returning({ cents: 1, toJSON: () => 'not called' }),
    '{"cents":1}',
    struct('cents', '<int>1</int>'),
  ],
  'the empty text as the key of a result': [
    new WithKey(),
    '{"key":"string "}',
    struct('key', '<string>string </string>'),
  ],
  'names as keys': [
    { a: new WithKey() },
    '{"a":{"key":"string a"}}',
    struct('a', struct('key', '<string>string a</string>')),
  ],
  'indexes as keys': [
    [new WithKey()],
    '[{"key":"string 0"}]',
    `<array><data><value>${struct('key', '<string>string 0</string>')}</value></data></array>`,
  ],
}

function struct(name: string, value: string): string {
  return `<struct><member><name>${name}</name><value>${value}</value></member></struct>`
}

class Endless {
  toJSON(): object {
    return { next: new Endless() }
  }
}

const circular: { self?: unknown; toJSON(): object } = {
  toJSON() {
    return { self: circular }
  },
}

function throwing(thrown: unknown): object {
  return {
    passwordHash: 'SECRET',
    toJSON() {
      throw thrown
    },
  }
}

/** Values that cannot be serialised, and the error that `onError` gets. */
const failures: Readonly<Record<string, readonly [value: unknown, message: string | RegExp]>> = {
  'a circular result': [circular, /nested deeper than 300/],
  'an endless result': [new Endless(), /nested deeper than 300/],
  'an error': [throwing(new Error('why')), 'toJSON() threw an error: why'],
  'an error of a member': [{ a: [throwing(new Error('why'))] }, 'a[0]: toJSON() threw an error: why'],
  'an RpcError': [throwing(new RpcError(1, 'not that of the call')), 'toJSON() threw an error: not that of the call'],
  'something else': [throwing('SECRET'), 'toJSON() threw an error'],
  'a promise': [{ a: returning(Promise.resolve(1)) }, 'a: Promise cannot be serialised'],
  'a function': [returning(() => 1), 'a function cannot be serialised'],
  'a symbol': [returning(Symbol('x')), 'a symbol cannot be serialised'],
  'a number that is not finite': [returning(Number.NaN), /cannot be serialised/],
  'an invalid date': [new Date(Number.NaN), /an invalid date/],
  'a function without it': [{ a: () => 1 }, 'a: a function cannot be serialised'],
  'a getter that throws': [
    {
      get toJSON() {
        throw new Error('why')
      },
    },
    'toJSON() threw an error: why',
  ],
}

function serverOf(value: unknown, errors: Error[] = []): RpcServer {
  const server = new RpcServer({ onError: (error) => void errors.push(error) })
  server.registerProcedure(() => value, { name: 'give', unchecked: true })
  server.registerProcedure((received: unknown) => received, { name: 'echo', unchecked: true })
  return server
}

const json = JSON.stringify(call('give'))
const xml = '<methodCall><methodName>give</methodName><params></params></methodCall>'

describe('what toJSON() is and returns', () => {
  test.each(Object.entries(results))('%s', async (_, [value, inJson, inXml]) => {
    const server = serverOf(value)
    expect(await server.handle(json)).toBe(`{"jsonrpc":"2.0","result":${inJson},"id":1}`)
    expect(await server.handle(xml, { protocol: Protocol.XML_RPC })).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param><value>${inXml}</value></param></params></methodResponse>`,
    )
    expect(await server.call('give')).toBe(value)
  })

  test.each(Object.entries(failures))('%s: -32603', async (_, [value, message]) => {
    const errors: Error[] = []
    const server = serverOf(value, errors)
    const error = { code: -32603, message: 'Internal error' }
    expect(JSON.parse((await server.handle(json)) ?? '')).toEqual({ jsonrpc: '2.0', error, id: 1 })
    expect(await server.handle(xml, { protocol: Protocol.XML_RPC })).toContain('<int>-32603</int>')
    await expect(server.call('give')).rejects.toMatchObject({ code: -32603 })
    expect(errors.map((each) => each.name)).toEqual(Array(3).fill('SerializationError'))
    for (const each of errors) expect(each.message).toMatch(message)
    for (const each of errors) expect(each.message).toMatch(/^give: /)
  })
})

test('a received member toJSON is data', async () => {
  const value = { toJSON: 'x', inner: { toJSON: { toJSON: 1 } } }
  const text = await serverOf(undefined).handle(JSON.stringify(call('echo', [value])))
  expect(JSON.parse(text ?? '').result).toEqual(value)
})

test('toJSON() of the prototypes of Map and Set, which polyfills add, is not called', async () => {
  const prototypes = [Map.prototype, Set.prototype] as { toJSON?: unknown }[]
  for (const each of prototypes) each.toJSON = () => 'of a polyfill'
  try {
    const value = [new Map([['owner', new Account('ada')]]), new Set([new Money(5)])]
    expect(JSON.parse((await serverOf(value).handle(json)) ?? '').result).toEqual([
      { owner: { name: 'ada' } },
      ['0.05'],
    ])
  } finally {
    for (const each of prototypes) delete each.toJSON
  }
})

test('a Buffer of a package is binary data', async () => {
  class PackageBuffer extends Uint8Array {
    readUInt8(at: number): number {
      return this[at] ?? 0
    }
    toJSON(): object {
      return { type: 'Buffer', data: [...this] }
    }
  }
  class Hidden extends PackageBuffer {
    override toJSON(): object {
      return {}
    }
  }
  const value = [PackageBuffer.from([1, 2, 3]), Hidden.from([1, 2, 3])]
  expect(JSON.parse((await serverOf(value).handle(json)) ?? '').result).toEqual(['AQID', {}])
})
