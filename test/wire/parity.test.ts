import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { WireType } from '../../runtime/values/types.js'
import { readCall } from '../../runtime/xmlrpc/decode.js'
import { writeValue } from '../../runtime/xmlrpc/encode.js'
import { completeLimits } from '../support/limits.js'
import { appOf, post, request } from '../support/requests.js'

const app = appOf()
const any: WireType = { kind: 'any' }

/** What a caller learns, in JSON's values: a result, or the code of an error. */
type Outcome = { readonly result: unknown } | { readonly code: number }

async function inJson(method: string, params: readonly unknown[]): Promise<Outcome> {
  // JSON.rawJSON is not available yet: a bigint is written into the text directly, which is what this tests.
  const marked = JSON.stringify(params.map(toJson), (_, value) =>
    typeof value === 'bigint' ? `bigint:${value}` : value,
  )
  const text = marked.replace(/"bigint:(-?\d+)"/g, '$1')
  const body = `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${text},"id":1}`
  const response = JSON.parse((await request(app, post(body, { 'Content-Type': 'application/json' }))).text)
  return response.error ? { code: response.error.code } : { result: response.result }
}

async function inXml(method: string, params: readonly unknown[]): Promise<Outcome> {
  const list = params.map((param) => `<param>${writeValue(any, param)}</param>`).join('')
  const body = `<methodCall><methodName>${method}</methodName><params>${list}</params></methodCall>`
  const { text } = await request(app, post(body, { 'Content-Type': 'text/xml' }))
  // Only request documents are read: the value of the response is made the parameter of a call.
  const response = text.slice(text.indexOf('<value>'), text.lastIndexOf('</value>'))
  const call = `<methodCall><methodName>m</methodName><params><param>${response}</value></param></params></methodCall>`
  const [value] = readCall(call, completeLimits()).params as unknown[]
  return text.includes('<fault>') ? { code: (value as { faultCode: number }).faultCode } : { result: toJson(value) }
}

/** A value as JSON carries it; bigints stay. */
function toJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(toJson)
  // JSON.stringify writes a negative zero as 0.
  if (value === 0) return 0
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]))
}

const date = new Date('2024-02-29T12:34:56Z')
const bytes = Uint8Array.of(0, 127, 128, 255)
const proto = JSON.parse('{"__proto__":1,"constructor":2}')
const ann = { name: 'Ann', age: 41 }

const calls: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ['subtract', 42, 23],
  ['subtract', 42],
  ['subtract', 42, 23, 1],
  ['subtract', 42, '23'],
  ['subtract'],
  ['sum'],
  ['sum', 1, 2.5, -3],
  ['sum', 1, null],
  ['update', 1],
  ['get_data'],
  ...[0, -0, 2147483647, -2147483648, 2147483648, -2147483649, 1.5, '1', true, null, [], {}, date, bytes].flatMap(
    (value) => [['echo.int', value] as const, ['echo.literal', value] as const, ['echo.boolean', value] as const],
  ),
  ...[0, 3, 1e-7, 0.1, 1e21, 1.7976931348623157e308, 5e-324, -1.5, '1.5', true, null, [1]].flatMap((value) => [
    ['echo.double', value] as const,
    ['echo.number', value] as const,
    ['echo.any', value] as const,
  ]),
  ['echo.number', 2 ** 53],
  // As JavaScript writes it; the double is 43061398839396248.
  ['echo.number', 43061398839396250],
  ['echo.double', 43061398839396250],
  ['echo.double', 43061398839396251n],
  ['echo.number', 9007199254740993n],
  ['echo.number', 2n ** 62n],
  ['echo.int', 9007199254740993n],
  ['kindOf', 9007199254740993n],
  ['kindOf', 9007199254740991n],
  ...['', '  a\n\tb ', 'é 😀', '<&>"\'', ']]>', '\r\n', '0', 'null'].flatMap((value) => [
    ['echo.string', value] as const,
    ['echo.any', value] as const,
    ['later', value] as const,
  ]),
  ['echo.string', 1],
  ['echo.string', null],
  ['echo.boolean', false],
  ['echo.date', date],
  ['echo.date', null],
  ['echo.date', 'soon'],
  ['echo.bytes', bytes],
  ['echo.bytes', new Uint8Array()],
  ['echo.bytes', 'x'],
  ['echo.null', null],
  ['echo.null', 0],
  ['echo.null'],
  ['echo.array', []],
  ['echo.array', [1, 2, 3]],
  ['echo.array', [1, '2']],
  ['echo.array', { 0: 1 }],
  ['echo.tuple', ['a', 1]],
  ['echo.tuple', ['a', 1, date]],
  ['echo.tuple', ['a', 1, null]],
  ['echo.tuple', ['a']],
  ['echo.tuple', ['a', 1, date, 1]],
  ['echo.struct', ann],
  ['echo.struct', { ...ann, born: date, nickname: '' }],
  ['echo.struct', { ...ann, nickname: null }],
  ['echo.struct', { ...ann, admin: true, ...proto }],
  ['echo.struct', { name: 'Ann' }],
  ['echo.struct', { ...ann, age: 1.5 }],
  ['echo.struct', [ann]],
  ['echo.record', {}],
  ['echo.record', { a: 1, '': 2.5, 'b c': 3, 'é<': 4 }],
  ['echo.record', proto],
  ['echo.record', { a: 'x' }],
  ['echo.map', { a: date }],
  ['echo.map', { a: 1 }],
  ['echo.set', ['b', 'a', 'b']],
  ['echo.set', ['b', 1]],
  ['echo.literal', 'on'],
  ['echo.literal', ' on'],
  ['echo.union', { kind: 'circle', radius: 2, side: 1 }],
  ['echo.union', { kind: 'square', side: 2, drawn: date }],
  ['echo.union', { kind: 'square', side: 2.5 }],
  ['echo.union', { kind: 'star' }],
  ['echo.union', {}],
  ['echo.any', { a: [1, 1.5, 'x', true, null, {}, [], { b: [[]] }], ...proto }],
  ['tree.depth', { kind: 'pair', left: { kind: 'leaf' }, right: { kind: 'twig', left: { kind: 'leaf' } } }],
  ['tree.depth', { kind: 'pair', left: { kind: 'leaf' } }],
  ['greet', 'Ann'],
  ['greet', 'Ann', null, 'Bob'],
  ['greet', 'Ann', 'Bye', 'Bob', 'Cid'],
  ['greet', 'Ann', 1],
  ['greet', 'Ann', 'Bye', 1],
  ['find', 1],
  ['find', 1, null],
  ['find', 1, 'care'],
  ['fail', 404, 'x', { a: 1 }],
  ['fail', 1.5, 'x'],
  ['fail.null'],
  ['crash'],
  ['crash.type'],
  ['crash.async'],
  ['unfit.int'],
  ['unfit.double'],
  ['unfit.date'],
  ['unfit.member'],
  ['nothing.here'],
  ['nothing.here', 1],
  ['constructor'],
  ['__proto__'],
  ['toString'],
  ['system.methodHelp', 'subtract'],
  ['system.methodHelp', 'constructor'],
  ['system.methodHelp'],
  ['system.methodSignature', 'greet'],
  ['system.methodSignature', 'echo.any'],
  ['system.listMethods', 1],
]

const titled = calls.map(
  ([method, ...params]) =>
    [`${method} ${inspect(params, { depth: 9, breakLength: Number.POSITIVE_INFINITY })}`, method, params] as const,
)

test.each(titled)('%s', async (_, method, params) => {
  expect(await inXml(method, params)).toEqual(await inJson(method, params))
})

test('the outcomes differ only where the protocols do', async () => {
  expect(await inJson('only.json', [])).toEqual({ result: 'json' })
  expect(await inXml('only.json', [])).toEqual({ code: -32601 })
  expect(await inJson('only.xml', [])).toEqual({ code: -32601 })
  expect(await inXml('only.xml', [])).toEqual({ result: 'xml' })
  // JSON represents more than 53 bits only as a string; XML has no type for more than 64, and no control characters.
  expect(await inJson('echo.bigint', [2n ** 62n])).toEqual({ result: `${2n ** 62n}` })
  expect(await inXml('echo.bigint', [2n ** 62n])).toEqual({ result: 2n ** 62n })
  expect(await inJson('large.bigint', [])).toEqual({ result: `${2n ** 64n}` })
  expect(await inXml('large.bigint', [])).toEqual({ code: -32603 })
  expect(await inJson('text.control', [])).toEqual({ result: 'a\x01b' })
  expect(await inXml('text.control', [])).toEqual({ code: -32603 })
})
