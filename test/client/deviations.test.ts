import {
  type ClientOptions,
  createClient,
  RpcError,
  RpcTransportError,
  type XmlRpcOptions,
  xmlRpc,
} from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { type WebSocketLike, webSocket } from 'rpc-gen/client/websocket'
import { describe, expect, test } from 'vitest'
import { failureOf, url } from './served.js'

// Responses of servers that deviate from the specifications, and what errors contain of a response.

interface Procedures {
  m: (...values: unknown[]) => unknown
}

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const soon = { attempts: 2, baseMs: 1 }

function clientFor(body: string | Uint8Array, init: ResponseInit = {}, options: ClientOptions = {}) {
  const sent: string[] = []
  const client = createClient<Procedures>(url, {
    idempotent: ['m'],
    retries: soon,
    fetch: (_, request) => {
      sent.push(`${request.body}`)
      return new Response(body as BodyInit, { headers: { 'Content-Type': 'application/json' }, ...init })
    },
    ...options,
  })
  return { client, sent }
}

/** A WebSocket whose server responds to each message with some data. */
function socketWith(data: unknown): WebSocketLike {
  const events = new EventTarget()
  setTimeout(() => events.dispatchEvent(new Event('open')))
  return {
    binaryType: '',
    send: () => void setTimeout(() => events.dispatchEvent(Object.assign(new Event('message'), { data }))),
    close: () =>
      void setTimeout(() => events.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: '' }))),
    addEventListener: (type, listener) => events.addEventListener(type, listener),
  }
}

/** The same response over each transport of JSON-RPC. */
const transports: readonly [
  string,
  (body: Uint8Array, options?: ClientOptions) => ReturnType<typeof createClient<Procedures>>,
][] = [
  ['HTTP', (body, options) => clientFor(body, {}, options).client],
  [
    'NATS',
    (data, options) =>
      createClient<Procedures>('nats:m', { transport: nats({ request: async () => ({ data }) }), ...options }),
  ],
  [
    'WebSocket',
    (body, options) => {
      const transport = webSocket({ reconnect: false, connect: () => socketWith(body.slice().buffer) })
      return createClient<Procedures>('ws://localhost/', { transport, ...options })
    },
  ],
]

describe.each(transports)('over %s', (_, connect) => {
  const single = '{"jsonrpc":"2.0","result":"Küche","id":1}'

  test('a response that is not UTF-8 is an error', async () => {
    const failure = await failureOf(connect(latin1(single)).m())
    expect(failure).toBeInstanceOf(RpcTransportError)
    expect((failure as Error).message).toMatch(/ is not utf-8/i)
    expect(await connect(new TextEncoder().encode(single)).m()).toBe('Küche')
    const client = connect(latin1(`[${single}]`))
    expect(await failureOf(client.$batch([client.$request.m()]))).toBeInstanceOf(RpcTransportError)
    const rejected = latin1('{"jsonrpc":"2.0","error":{"code":1,"message":"Küche"},"id":1}')
    expect(await failureOf(connect(rejected).m())).toBeInstanceOf(RpcTransportError)
  })

  const old: ClientOptions = { compatibility: { jsonRpc1: true } }
  const read = (body: unknown) => connect(new TextEncoder().encode(JSON.stringify(body)), old)

  test.each<[unknown, unknown]>([
    [{ jsonrpc: '2.0', result: 5, error: null, id: 1 }, 5],
    [{ result: 5, error: null, id: 1 }, 5],
    [{ result: null, error: null, id: 1 }, null],
    [{ version: '1.1', result: [5], id: 1 }, [5]],
    [{ jsonrpc: '1.0', result: 5, error: null, id: 1 }, 5],
    [{ jsonrpc: '2.0', result: 5, id: 1 }, 5],
  ])('jsonRpc1: %j', async (body, result) => {
    expect(await read(body).m()).toEqual(result)
  })

  test.each<[unknown, object]>([
    [
      { jsonrpc: '2.0', result: null, error: { code: -8, message: 'out of range' } },
      { code: -8, message: 'out of range' },
    ],
    [
      { result: null, error: { code: -8, message: 'out', data: 0 } },
      { code: -8, message: 'out', data: 0 },
    ],
    [
      { version: '1.1', error: { name: 'JSONRPCError', code: 3, message: 'no', error: [1] } },
      { code: 3, message: 'no', data: [1] },
    ],
    [
      { result: null, error: 'no such method' },
      { code: -32000, message: 'no such method', data: 'no such method' },
    ],
    [
      { result: null, error: { message: 'no', code: 'E1' } },
      { code: -32000, message: 'no', data: { message: 'no', code: 'E1' } },
    ],
    [
      { result: null, error: { faultCode: 1 } },
      { code: -32000, message: '{"faultCode":1}', data: { faultCode: 1 } },
    ],
    [
      { result: null, error: { message: { toString: 1 } } },
      { code: -32000, message: 'no message', data: { message: { toString: 1 } } },
    ],
    [
      { result: null, error: false },
      { code: -32000, message: 'false', data: false },
    ],
  ])('jsonRpc1: %j', async (body, error) => {
    const failure = await failureOf(read({ ...(body as object), id: 1 }).m())
    expect(failure).toBeInstanceOf(RpcError)
    expect(failure).toMatchObject(error)
  })

  test('jsonRpc1: a batch, and what no version has', async () => {
    const client = read([
      { result: null, error: 'no', id: 2 },
      { result: 1, error: null, id: 1 },
    ])
    const settled = await client.$batchSettled([client.$request.m(), client.$request.m()])
    expect(settled).toMatchObject([{ value: 1 }, { reason: { code: -32000, message: 'no' } }])
    for (const body of [{ id: 1 }, { result: 1, error: { code: 1, message: '' }, id: 1 }, { error: null, id: 1 }])
      expect(await failureOf(read(body).m())).toBeInstanceOf(RpcTransportError)
  })

  test('without jsonRpc1 they are errors', async () => {
    const client = connect(new TextEncoder().encode('{"jsonrpc":"2.0","result":5,"error":null,"id":1}'))
    expect(await failureOf(client.m())).toBeInstanceOf(RpcTransportError)
  })
})

test('the charset of a Content-Type', async () => {
  const body = '{"jsonrpc":"2.0","result":"Küche","id":1}'
  const read = (bytes: Uint8Array, charset: string) =>
    clientFor(bytes, { headers: { 'Content-Type': `application/json; charset=${charset}` } }).client.m()
  expect(await read(latin1(body), 'ISO-8859-1')).toBe('Küche')
  expect(await read(latin1(body), '"iso-8859-1"')).toBe('Küche')
  expect(await read(new TextEncoder().encode(body), 'UTF-8')).toBe('Küche')
  for (const charset of ['utf-8', 'us-ascii', 'ascii', 'no-such-charset'])
    expect(await failureOf(read(latin1(body), charset))).toBeInstanceOf(RpcTransportError)
  // A platform decodes it or reports that it cannot.
  const euro = await read(latin1(body.replace('ü', '\x80')), 'windows-1252').catch((error) => error.name)
  expect(['K€che', 'RpcTransportError']).toContain(euro)
})

const xml = (transportOptions: XmlRpcOptions = {}): ClientOptions => ({ transport: xmlRpc(transportOptions) })
const faultOf = (value: string) =>
  `<?xml version="1.0"?><methodResponse><fault><value>${value}</value></fault></methodResponse>`
const member = (name: string, value: string) => `<member><name>${name}</name><value>${value}</value></member>`
const faultText = faultOf(`<struct>${member('faultCode', '<int>5</int>')}${member('faultString', 'busy')}</struct>`)
const rejected = '{"jsonrpc":"2.0","error":{"code":-32005,"message":"rate exceeded"},"id":1}'

describe.each([429, 502, 503, 504])('status %i with an error of the protocol', (status) => {
  const headers = { 'Retry-After': '0', 'X-Limit': '7' }

  test.each<[string, string, ClientOptions]>([
    ['JSON-RPC', rejected, {}],
    ['XML-RPC', faultText, xml()],
    ['JSON-RPC 1.0', '{"result":null,"error":"busy","id":1}', { compatibility: { jsonRpc1: true } }],
  ])('is sent again: %s', async (_, body, options) => {
    const { client, sent } = clientFor(body, { status, headers }, options)
    const error = (await failureOf(client.m())) as RpcError
    expect([error.name, sent.length, error.status, error.headers?.get('X-Limit')]).toEqual(['RpcError', 3, status, '7'])
  })

  test('an error of a batch as a whole, and of a notification', async () => {
    const { client, sent } = clientFor(rejected.replace('"id":1', '"id":null'), { status, headers })
    await expect(client.$batch([client.$request.m()])).rejects.toMatchObject({ code: -32005 })
    await expect(client.$notify.m()).rejects.toMatchObject({ code: -32005 })
    expect(sent.length).toBe(6)
  })

  test('not if the procedure is not idempotent, nor if Retry-After is longer than maxMs', async () => {
    const { client, sent } = clientFor(rejected, { status, headers }, { idempotent: [] })
    await expect(client.m()).rejects.toMatchObject({ code: -32005 })
    const late = clientFor(rejected, { status, headers: { 'Retry-After': '3600' } })
    const error = (await failureOf(late.client.m())) as RpcError
    expect([sent.length, late.sent.length, error.headers?.get('Retry-After')]).toEqual([1, 1, '3600'])
  })
})

test('errors have the status and the headers of the response', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Session': 'abc' }
  const conflict = (await failureOf(clientFor('Conflict', { status: 409, headers }).client.m())) as RpcTransportError
  expect([conflict.status, conflict.headers?.get('X-Session')]).toEqual([409, 'abc'])
  const { client } = clientFor(`[${rejected}]`, { headers })
  const [settled] = await client.$batchSettled([client.$request.m()])
  const { reason } = settled as PromiseRejectedResult
  expect([reason.status, reason.headers.get('X-Session')]).toEqual([200, 'abc'])
  expect(reason).toEqual(new RpcError(-32005, 'rate exceeded'))
  const redirect = (await failureOf(
    clientFor('', { status: 307, headers: { Location: '/x' } }).client.m(),
  )) as RpcTransportError
  expect(redirect.headers?.get('Location')).toBe('/x')
  const offline = createClient<Procedures>(url, { fetch: () => Promise.reject(new TypeError('offline')) })
  expect(((await failureOf(offline.m())) as RpcTransportError).headers).toBeUndefined()
})

describe('XML-RPC', () => {
  const result = (value: string) =>
    `<?xml version="1.0"?><methodResponse><params><param><value>${value}</value></param></params></methodResponse>`
  const read = (body: string | Uint8Array, options: XmlRpcOptions = {}) =>
    clientFor(body, { headers: { 'Content-Type': 'text/xml' } }, xml(options)).client.m()

  test.each<[string, object]>([
    [
      `${member('faultCode', '<string>warning -- Access</string>')}${member('faultString', 'no &amp; no')}`,
      {
        code: -32000,
        message: 'warning -- Access: no & no',
        data: { faultCode: 'warning -- Access', faultString: 'no & no' },
      },
    ],
    [`${member('faultCode', '<nil/>')}${member('faultString', 'no')}`, { code: -32000, message: 'no' }],
    [`${member('faultCode', '<int></int>')}${member('faultString', 'no')}`, { code: -32000, message: 'no' }],
    [`${member('faultCode', '<int>x</int>')}${member('faultString', 'no')}`, { code: -32000, message: 'x: no' }],
    [
      `${member('faultCode', '<double>4.5</double>')}${member('faultString', '<int>2</int>')}`,
      { code: -32000, message: '4.5: 2' },
    ],
    [`${member('faultCode', '<string> -4 </string>')}${member('faultString', '<nil/>')}`, { code: -4, message: '' }],
    [
      `${member('faultCode', '<boolean>1</boolean>')}${member('faultString', 'no')}`,
      { code: -32000, message: 'true: no' },
    ],
    [
      `${member('faultCode', '<i8>9007199254740993</i8>')}${member('faultString', 'no')}`,
      { code: -32000, message: '9007199254740993: no' },
    ],
    [member('faultString', 'no'), { code: -32000, message: 'no' }],
    [member('faultCode', '<int>4</int>'), { code: 4, message: '' }],
    [member('faultCode', '<date>4</date>'), { code: 4, message: '' }],
    [member('faultString', `<struct>${member('a', '<int>1</int>')}</struct>`), { code: -32000, message: '{"a":1}' }],
    [
      member('other', '<dateTime.iso8601/>'),
      { code: -32000, message: 'a fault without faultCode and faultString', data: { other: '' } },
    ],
    ['', { code: -32000, message: 'a fault without faultCode and faultString' }],
    [
      `${member('faultCode', '<int>4</int>')}${member('faultString', 'no')}${member('detail', '<int>7</int>')}`,
      { code: 4, message: 'no', data: { faultCode: 4, faultString: 'no', detail: 7 } },
    ],
    [
      `${member('faultCode', '4')}${member('data', '1')}${member('faultType', 'x')}`,
      { code: 4, message: '', data: { faultCode: '4', data: '1', faultType: 'x' } },
    ],
    [`${member('faultCode', '<int>4</int>')}${member('data', '<int>7</int>')}`, { code: 4, message: '', data: 7 }],
    [
      `${member('faultCode', '<int>4</int>')}${member('faultString', '<base64>bsO2</base64>')}`,
      { code: 4, message: 'nö' },
    ],
    [
      `${member('faultCode', '<base64>bsO2</base64>')}${member('faultString', 'no')}`,
      { code: -32000, message: 'nö: no' },
    ],
    [
      `${member('faultCode', '<int>4</int>')}${member('faultString', 'no')}${member('detail', '<array/>')}`,
      { code: 4, message: 'no', data: { detail: '<array/>' } },
    ],
    [`${member('faultCode', '<int>4</int>')}<member><name>faultString</name></member>`, { code: 4, message: '' }],
  ])('a fault with other members: %s', async (members, expected) => {
    const error = await failureOf(read(faultOf(`<struct>${members}</struct>`)))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject(expected)
  })

  test('a fault that is not a struct, and one in a multicall', async () => {
    expect(await failureOf(read(faultOf('<string>no</string>')))).toMatchObject({ name: 'RpcError', message: 'no' })
    const entry = `<struct>${member('faultCode', '<int></int>')}${member('faultString', 'no')}</struct>`
    const list = `<array><data><value>${entry}</value></data></array>`
    const { client } = clientFor(result(list), { headers: { 'Content-Type': 'text/xml' } }, xml())
    expect(await client.$batchSettled([client.$request.m()])).toMatchObject([
      { reason: { code: -32000, message: 'no' } },
    ])
  })

  test.each([
    ['<dateTime.iso8601/>', ''],
    ['<dateTime.iso8601>00000000T00:00:00</dateTime.iso8601>', '00000000T00:00:00'],
    ['<dateTime.iso8601>-00011130T00:00:00</dateTime.iso8601>', '-00011130T00:00:00'],
    ['<int> 12a </int>', '12a'],
    ['<int/>', ''],
    ['<i8>99999999999999999999</i8>', '99999999999999999999'],
    ['<boolean>yes</boolean>', 'yes'],
    ['<base64>@@</base64>', '@@'],
    ['<double>1e999</double>', '1e999'],
    ['<nil>x</nil>', 'x'],
    ['<uuid>a&amp;b</uuid>', 'a&b'],
    ['<uuid/>', ''],
    ['<ex:dom><p>1</p></ex:dom>', '<p>1</p>'],
    ['<array/>', '<array/>'],
    ['<array></array>', '<array></array>'],
    ['<array><value>1</value></array>', '<array><value>1</value></array>'],
    ['<array><data/><data/></array>', '<array><data/><data/></array>'],
    ['<array><data>x</data></array>', '<array><data>x</data></array>'],
    ['<struct><value>1</value></struct>', '<struct><value>1</value></struct>'],
    ['<struct><member><value>1</value></member></struct>', '<struct><member><value>1</value></member></struct>'],
    ['x<int>1</int>', 'x<int>1</int>'],
    ['<int>1</int>x', '<int>1</int>x'],
    ['<int>1</int><int>2</int>', '<int>1</int><int>2</int>'],
    ['<int><i4>1</i4></int>', '<int><i4>1</i4></int>'],
    ['<string>a<b>c</b></string>', '<string>a<b>c</b></string>'],
  ])('a value that cannot be read, by option: %s', async (value, text) => {
    const body = result(
      `<struct>${member('name', 'x')}${member('seen', value)}${member('next', '<int>1</int>')}</struct>`,
    )
    expect(await failureOf(read(body))).toBeInstanceOf(RpcTransportError)
    expect(await read(body, { invalidValues: 'null' })).toEqual({ name: 'x', seen: null, next: 1 })
    expect(await read(body, { invalidValues: 'text' })).toEqual({ name: 'x', seen: text, next: 1 })
    expect(await read(result(value), { invalidValues: 'null' })).toBeNull()
  })

  test('the innermost value is replaced; a member without a value has none', async () => {
    const inner = `<array><data><value><int>1</int></value><value><array/></value></data></array>`
    const body = result(`<struct>${member('list', inner)}<member><name>none</name></member></struct>`)
    expect(await failureOf(read(body))).toBeInstanceOf(RpcTransportError)
    expect(await read(body, { invalidValues: 'null' })).toEqual({ list: [1, null], none: null })
    expect(await read(body, { invalidValues: 'text' })).toEqual({ list: [1, '<array/>'], none: '' })
  })

  test('many levels that cannot be read take time linear in their number', async () => {
    const levels = 60
    const body = result(`${'<array><data><value>'.repeat(levels)}<array/>${'</value></data></array>'.repeat(levels)}`)
    expect(await failureOf(read(body))).toBeInstanceOf(RpcTransportError)
    expect(JSON.stringify(await read(body, { invalidValues: 'null' }))).toBe(
      `${'['.repeat(levels)}null${']'.repeat(levels)}`,
    )
  })

  test('XML that is not well-formed stays an error', async () => {
    for (const value of ['<uuid><a></uuid>', '<int>&nbsp;</int>', '<int>1</int'])
      expect(await failureOf(read(result(value), { invalidValues: 'text' }))).toBeInstanceOf(RpcTransportError)
  })

  test.each(['\n', '    ', '\r\n\t ', '\ufeff', '\n\ufeff', '\ufeff\n'])(
    '%j before the declaration',
    async (before) => {
      expect(await read(before + result('<int>1</int>'))).toBe(1)
    },
  )

  test('white space before a declaration with an encoding', async () => {
    const declared = result('Küche').replace('"1.0"', '"1.0" encoding="ISO-8859-1"')
    expect(await read(latin1(`\n${declared}`))).toBe('Küche')
    expect(await failureOf(read(`x${declared}`))).toBeInstanceOf(RpcTransportError)
  })

  test.each<[string, unknown]>([
    ['<double>nan</double>', Number.NaN],
    ['<double>NaN</double>', Number.NaN],
    ['<double>-nan</double>', Number.NaN],
    ['<double>inf</double>', Number.POSITIVE_INFINITY],
    ['<double>-inf</double>', Number.NEGATIVE_INFINITY],
    ['<double> +Infinity </double>', Number.POSITIVE_INFINITY],
    ['<ex:float>-INF</ex:float>', Number.NEGATIVE_INFINITY],
    ['<ex:bigdecimal>10.10</ex:bigdecimal>', 10.1],
    ['<ex:bigdecimal>1E+3</ex:bigdecimal>', 1000],
    ['<ex:bigdecimal>0.00</ex:bigdecimal>', 0],
    ['<ex:bigdecimal>0.1234567890123456789</ex:bigdecimal>', '0.1234567890123456789'],
    ['<ex:bigdecimal>1e-999</ex:bigdecimal>', '1e-999'],
    ['<bigdecimal>1.5</bigdecimal>', 1.5],
    ['<n:bigdecimal>1.5</n:bigdecimal>', 1.5],
    ['<ex:biginteger>123456789012345678901234567890</ex:biginteger>', 123456789012345678901234567890n],
    ['<ex:serializable>AAE=</ex:serializable>', Uint8Array.of(0, 1)],
    ['<ex:i1>-128</ex:i1>', -128],
    ['<i2>300</i2>', 300],
    ['<n:nil/>', null],
  ])('%s', async (value, expected) => {
    expect(await read(result(value))).toEqual(expected)
  })

  test('asciiOnly: characters beyond ASCII are references', async () => {
    const { client, sent } = clientFor(
      result(''),
      { headers: { 'Content-Type': 'text/xml' } },
      xml({ asciiOnly: true }),
    )
    await client.m('ü & 😀', { größe: ['€'] })
    await client.$batch([client.$request.m('ü')]).catch(() => {})
    expect(sent[0]).toContain('<string>&#252; &amp; &#128512;</string>')
    expect(sent[0]).toContain('<name>gr&#246;&#223;e</name><value><array><data><value><string>&#8364;<')
    expect(sent[1]).toContain('<string>&#252;</string>')
  })
})
