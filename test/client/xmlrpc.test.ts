import { join } from 'node:path'
import { type ClientOptions, createClient, RpcError, type XmlRpcOptions, xmlRpc } from 'rpc-gen/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Procedures } from '../../fixtures/wire/procedures.gen.js'
import { type Started, startProcess } from '../support/process.js'
import { missingCommand, skipped } from '../support/skip.js'
import { failureOf, overEveryEntryPoint, record, url } from './served.js'

const date = new Date('2024-07-10T12:34:56Z')
const bytes = Uint8Array.of(0, 255, 10)

function connect(options: ClientOptions = {}, types: XmlRpcOptions['types'] = {}) {
  const traffic = { requests: [] as string[], responses: [] as string[] }
  const transport = xmlRpc({ types })
  return { traffic, client: createClient<Procedures>(url, { fetch: record(traffic), transport, ...options }) }
}

overEveryEntryPoint('our own server', () => {
  test('every type', async () => {
    const { client } = connect()
    expect(await client.subtract(42, 23)).toBe(19)
    expect(await client.echo.int(-7)).toBe(-7)
    expect(await client.echo.double(0.1)).toBe(0.1)
    expect(await client.echo.number(2 ** 40)).toBe(2 ** 40)
    expect(await client.echo.bigint(2n ** 62n)).toBe(2n ** 62n)
    expect(await client.echo.string(' <é>&\r\n ')).toBe(' <é>&\r\n ')
    expect(await client.echo.boolean(true)).toBe(true)
    expect(await client.echo.date(date)).toEqual(date)
    expect(await client.echo.bytes(bytes)).toEqual(bytes)
    expect(await client.echo.null(null)).toBeNull()
    expect(await client.echo.array([1, 2])).toEqual([1, 2])
    expect(await client.echo.struct({ name: 'Ada', age: 36, born: date })).toEqual({ name: 'Ada', age: 36, born: date })
    expect(await client.echo.map(new Map([['a', date]]))).toEqual({ a: date })
    expect(await client.echo.any({ a: [1n, 1.5, null, { b: '' }] })).toEqual({ a: [1, 1.5, null, { b: '' }] })
    expect(await client.update(1)).toBeNull()
    expect(await client.only.xml()).toBe('xml')
  })

  test('the document of a call', async () => {
    const { client, traffic } = connect()
    await client.subtract(3, 2.5)
    expect(traffic.requests).toEqual([
      '<?xml version="1.0"?><methodCall><methodName>subtract</methodName><params>' +
        '<param><value><int>3</int></value></param><param><value><double>2.5</double></value></param>' +
        '</params></methodCall>',
    ])
  })

  test('the types that servers are strict about, by option', async () => {
    const { client, traffic } = connect(
      {},
      { 'echo.double': ['double'], 'echo.any': [{ kind: 'array', element: { kind: 'double' } }] },
    )
    expect(await client.echo.double(1)).toBe(1)
    await client.echo.any([1, 2])
    await client.echo.number(1)
    expect(traffic.requests.map((text) => text.match(/<(double|int)>[^<]*/g))).toEqual([
      ['<double>1.0'],
      ['<double>1.0', '<double>2.0'],
      ['<int>1'],
    ])
  })

  test('trailing undefined is left out, and other undefined is nil', async () => {
    const { client, traffic } = connect()
    expect(await client.greet('Ada', undefined)).toBe(await client.greet('Ada'))
    expect(traffic.requests[0]).toBe(traffic.requests[1])
    await client.echo.any([undefined])
    expect(traffic.requests[2]).toContain('<value><nil/></value>')
  })

  test('a fault is an RpcError', async () => {
    const { client } = connect()
    const error = await failureOf(client.fail(7, 'no <é>'))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: 7, message: 'no <é>' })
    expect(await failureOf(client.$call('missing'))).toMatchObject({ code: -32601 })
  })

  test('a batch is a multicall, an automatic one, too', async () => {
    const { client, traffic } = connect({ batch: true })
    const { $request } = client
    const settled = await client.$batchSettled([$request.sum(1, 2), $request.fail(7, 'no'), $request.echo.date(date)])
    expect(settled).toEqual([
      { status: 'fulfilled', value: 3 },
      { status: 'rejected', reason: new RpcError(7, 'no') },
      { status: 'fulfilled', value: date },
    ])
    expect(await Promise.all([client.sum(1), client.sum(2), client.echo.any([1])])).toEqual([1, 2, [1]])
    expect(traffic.requests.map((text) => /<methodName>([^<]*)/.exec(text)?.[1])).toEqual([
      'system.multicall',
      'system.multicall',
    ])
  })

  test('values that XML-RPC does not support, and values that cannot be serialised', async () => {
    const { client, traffic } = connect()
    const failures = [
      client.$named.subtract({ minuend: 1, subtrahend: 2 }),
      client.$notify.update(1),
      client.echo.any({ a: [() => 1] }),
      client.echo.number(Number.NaN),
      client.echo.string('\0'),
      client.echo.bigint(2n ** 64n),
    ].map(async (promise) => (await failureOf(promise)).message)
    expect(await Promise.all(failures)).toEqual([
      'subtract: XML-RPC has no parameters by name',
      'update: XML-RPC has no notifications',
      'echo.any: params[0].a[0]: a function cannot be serialised',
      'echo.number: params[0]: NaN cannot be serialised',
      'echo.string: params[0]: XML cannot represent the character U+0000',
      'echo.bigint: params[0]: an integer beyond 64 bits',
    ])
    expect(traffic.requests).toEqual([])
  })
})

/** A client whose server responds with this document. */
function clientFor(body: BodyInit, type = 'text/xml', status = 200) {
  const fetch = () => new Response(body, { status, headers: { 'Content-Type': type } })
  return createClient<{ f: () => unknown }>(url, { fetch, transport: xmlRpc() })
}

const response = (value: string) =>
  `<methodResponse><params><param><value>${value}</value></param></params></methodResponse>`
const fault = (value: string) => `<methodResponse><fault><value>${value}</value></fault></methodResponse>`
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

describe('responses of other servers', () => {
  test.each<[string, unknown]>([
    [response(' bare '), ' bare '],
    [response(''), ''],
    ['<methodResponse><params/></methodResponse>', null],
    ['<methodResponse><params></params></methodResponse>', null],
    [response('<nil/>'), null],
    [response('<ex:nil/>'), null],
    [response('<i4> 7 </i4>'), 7],
    [response('<i8>9007199254740993</i8>'), 9007199254740993n],
    [response('<ex:i8>7</ex:i8>'), 7],
    [response('<double>1e3</double>'), 1000],
    [response('<boolean>true</boolean>'), true],
    [response('<string><![CDATA[<b>]]>&#233;&amp;</string>'), '<b>é&'],
    [response('<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>'), date],
    [response('<dateTime.iso8601>2024-07-10T14:34:56+02:00</dateTime.iso8601>'), date],
    [response('<dateTime.iso8601>2024-07-10T12:34:56.000Z</dateTime.iso8601>'), date],
    [response('<base64>\nAP8\nK\n</base64>'), bytes],
    [response('<array><data/></array>'), []],
    [response('<struct><member><value>1</value><name>a</name></member></struct>'), { a: '1' }],
    [`<?xml version='1.0' encoding="utf-8" ?>\n<!-- x -->\n${response('\n <int>1</int>\n')}\n`, 1],
    [
      '<methodResponse xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"><params><param><value>' +
        '<ex:nil/></value></param></params></methodResponse>',
      null,
    ],
    [response('<array><data><value><string xml:lang="de">a</string></value></data></array>'), ['a']],
  ])('%s', async (body, value) => {
    expect(await clientFor(body).f()).toEqual(value)
  })

  test('in other encodings', async () => {
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${response('é')}`
    expect(await clientFor(latin1(declared)).f()).toBe('é')
    expect(await clientFor(latin1(response('é')), 'text/xml; charset=iso-8859-1').f()).toBe('é')
    expect(await clientFor(response('é')).f()).toBe('é')
  })

  test.each([
    '<struct><member><name>faultCode</name><value><int>4</int></value></member><member><name>faultString</name><value>Too many</value></member></struct>',
    '<struct><member><name>faultString</name><value><string>Too many</string></value></member><member><name>faultCode</name><value>4</value></member></struct>',
  ])('%s', async (value) => {
    for (const status of [200, 500]) {
      expect(await failureOf(clientFor(fault(value), 'text/xml', status).f())).toMatchObject({
        name: 'RpcError',
        code: 4,
        message: 'Too many',
      })
    }
  })
})

describe('documents that are not a response', () => {
  const wrong = 'http://localhost/rpc: '
  test.each<[string, string]>([
    ['<html><p>x</p></html>', 'no XML-RPC: line 1, column 1: expected <methodResponse>, found an unknown element'],
    [
      '<html><p>x</html>',
      'no XML-RPC: line 1, column 11: expected the closing tag of an unknown element, found the closing tag of an unknown element',
    ],
    ['', 'no XML-RPC: line 1, column 1: expected an element, found the end'],
    [response('x').slice(0, 39), 'no XML-RPC: line 1, column 40: expected </value>, found the end'],
    ['<methodResponse/>', 'no XML-RPC: line 1, column 1: <methodResponse> without <params>'],
    [
      '<methodResponse><params/><fault/></methodResponse>',
      'no XML-RPC: line 1, column 17: <methodResponse> with more than one element',
    ],
    [
      '<methodResponse><params><param><value/></param><param><value/></param></params></methodResponse>',
      'no XML-RPC: line 1, column 40: params: <params> with more than one <param>',
    ],
    [response('<int>x</int>'), 'no XML-RPC: params[0]: expected int, received a malformed int'],
    [
      response('<date>x</date>'),
      'no XML-RPC: line 1, column 39: params[0]: expected a type of XML-RPC, found an unknown element',
    ],
    ['<!DOCTYPE x [<!ENTITY a "b">]><methodResponse/>', 'no XML-RPC: line 1, column 1: '],
  ])('%s', async (body, reason) => {
    const error = await failureOf(clientFor(body).f())
    expect(error.message.slice(0, wrong.length + reason.length)).toBe(wrong + reason)
    expect(error).toMatchObject({ name: 'RpcTransportError', status: 200, contentType: 'text/xml', body })
  })

  test('an HTML page with a status', async () => {
    const error = await failureOf(clientFor('<h1>Bad Gateway', 'text/html', 502).f())
    expect(error.message).toBe(`${wrong}HTTP status 502: received 502, text/html, "<h1>Bad Gateway"`)
    expect(await failureOf(clientFor(response('1'), 'text/xml', 500).f())).toMatchObject({ status: 500 })
  })

  test('a list of another length, and invalid entries', async () => {
    const settle = async (value: string) => {
      const client = clientFor(response(value))
      const settled = await client.$batchSettled([client.$request.f(), client.$request.f()])
      return settled.map((each) =>
        each.status === 'fulfilled' ? each.value : each.reason.message.split(': received')[0],
      )
    }
    const list = (...values: string[]) =>
      `<array><data>${values.map((each) => `<value>${each}</value>`).join('')}</data></array>`
    const one = 'the response to system.multicall is not a list of 2'
    expect(await settle('x')).toEqual([wrong + one, wrong + one])
    expect(await settle(list(list('1')))).toEqual([wrong + one, wrong + one])
    expect(await settle(list(list('1'), '2'))).toEqual([
      '1',
      `${wrong}entry 1 of the response is neither a list of one value nor a fault`,
    ])
  })
})

interface Python {
  echo: (value: unknown) => unknown
  'py.kind': (value: unknown) => string
  add: (a: number, b: number) => number
  nothing: () => null
  fail: (code: number, message: string) => null
  divide: (a: number, b: number) => number
  when: () => Date
  blob: () => Uint8Array
  'system.listMethods': () => string[]
}

describe.skipIf(skipped("Python's server", missingCommand('python3', '--version')))("Python's server", () => {
  const script = join(import.meta.dirname, 'server.py')
  let python: Started | undefined
  let address = ''

  beforeAll(async () => {
    python = await startProcess(['python3', script], { isReady: (log) => log.includes(' ') })
    address = python.log().split(' ')[0] ?? ''
  })
  afterAll(() => python?.stop())

  const connected = () => createClient<Python>(address, { transport: xmlRpc() })

  test('reads and writes every type', async () => {
    const client = connected()
    expect(await client.add(1, 2)).toBe(3)
    const value = { text: ' é\n', list: [1, 1.5, true, null], when: date, data: bytes, empty: {} }
    expect(await client.echo(value)).toEqual(value)
    const kinds = [1, 1.5, 'x', true, date, bytes, null, [1], { a: 1 }, 1n]
    expect(await Promise.all(kinds.map((each) => client.py.kind(each)))).toEqual([
      'int',
      'float',
      'str',
      'bool',
      'datetime',
      'bytes',
      'NoneType',
      'list',
      'dict',
      'int',
    ])
    expect(await client.nothing()).toBeNull()
    expect(await client.when()).toEqual(date)
    expect(await client.blob()).toEqual(Uint8Array.of(0, 255))
    expect(await client.system.listMethods()).toContain('py.kind')
  })

  test('raises faults', async () => {
    const client = connected()
    expect(await failureOf(client.fail(42, 'no'))).toMatchObject({ name: 'RpcError', code: 42, message: 'no' })
    expect((await failureOf(client.divide(1, 0))).message).toContain('ZeroDivisionError')
  })

  test('runs a multicall', async () => {
    const client = connected()
    const { $request } = client
    expect(await client.$batchSettled([$request.add(1, 2), $request.fail(1, 'no'), $request.when()])).toEqual([
      { status: 'fulfilled', value: 3 },
      { status: 'rejected', reason: new RpcError(1, 'no') },
      { status: 'fulfilled', value: date },
    ])
  })
})
