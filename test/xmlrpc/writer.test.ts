import { describe, expect, test } from 'vitest'
import type { LazyType, Member, StructType, WireType } from '../../runtime/values/types.js'
import { readCall } from '../../runtime/xmlrpc/decode.js'
import { writeValue } from '../../runtime/xmlrpc/encode.js'
import { completeLimits } from '../support/limits.js'

const int: WireType = { kind: 'int' }
const double: WireType = { kind: 'double' }
const number: WireType = { kind: 'number' }
const bigint: WireType = { kind: 'bigint' }
const string: WireType = { kind: 'string' }
const boolean: WireType = { kind: 'boolean' }
const date: WireType = { kind: 'date' }
const bytes: WireType = { kind: 'bytes', as: 'Uint8Array' }
const nil: WireType = { kind: 'null' }
const any: WireType = { kind: 'any' }
const literal = (value: string | number | boolean): WireType => ({ kind: 'literal', value })
const array = (element: WireType): WireType => ({ kind: 'array', element })
const union = (...branches: readonly WireType[]): WireType => ({ kind: 'union', branches })
const struct = (types: Readonly<Record<string, WireType>>, optional: readonly string[] = []): StructType<LazyType> => ({
  kind: 'struct',
  members: Object.entries(types).map(([name, type]): Member => ({ name, type, optional: optional.includes(name) })),
})

const v = (element: string) => `<value>${element}</value>`
const list = (...values: readonly string[]) => v(`<array><data>${values.join('')}</data></array>`)
const members = (...pairs: readonly (readonly [string, string])[]) =>
  v(`<struct>${pairs.map(([name, value]) => `<member><name>${name}</name>${value}</member>`).join('')}</struct>`)

const nilValue = v('<nil/>')
const one = v('<int>1</int>')
const oneDouble = v('<double>1.0</double>')
const x = v('<string>x</string>')

/** The message of the error, exactly. */
function failure(run: () => unknown): string {
  try {
    return `no error: ${run()}`
  } catch (error) {
    return (error as Error).message
  }
}

function readBack(value: string): unknown {
  const text = `<methodCall><methodName>m</methodName><params><param>${value}</param></params></methodCall>`
  return (readCall(text, completeLimits()).params as unknown[])[0]
}

describe('the XML columns of the table', () => {
  test.each<[name: string, type: WireType, value: unknown, text: string]>([
    ['Int', int, 1, one],
    ['Int', int, -2147483648, v('<int>-2147483648</int>')],
    ['Int', int, -0, v('<int>0</int>')],
    ['Double', double, 1, oneDouble],
    ['Double', double, 1.5, v('<double>1.5</double>')],
    ['Double', double, -0, v('<double>-0.0</double>')],
    ['number', number, 1, one],
    ['number', number, 1.5, v('<double>1.5</double>')],
    ['number', number, 2147483648, v('<double>2147483648.0</double>')],
    ['number', number, -0, v('<double>-0.0</double>')],
    ['bigint', bigint, 1n, v('<i8>1</i8>')],
    ['bigint', bigint, -(2n ** 63n), v('<i8>-9223372036854775808</i8>')],
    ['string', string, '', v('<string></string>')],
    ['string', string, ' x ', v('<string> x </string>')],
    ['string', string, '<a & "b">\r\n', v('<string>&lt;a &amp; "b"&gt;&#13;\n</string>')],
    ['template literal', { kind: 'template', text: '`x`', pattern: '^x' }, 'x', x],
    ['boolean', boolean, true, v('<boolean>1</boolean>')],
    ['boolean', boolean, false, v('<boolean>0</boolean>')],
    ['Date', date, new Date('1998-07-17T14:08:55.999Z'), v('<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>')],
    ['Uint8Array', bytes, new Uint8Array(60), v(`<base64>${'A'.repeat(80)}</base64>`)],
    ['ArrayBuffer', { kind: 'bytes', as: 'ArrayBuffer' }, Uint8Array.of(255).buffer, v('<base64>/w==</base64>')],
    ['null', nil, null, nilValue],
    ['undefined', { kind: 'undefined' }, undefined, nilValue],
    ['void', { kind: 'void' }, undefined, nilValue],
    ['array', array(double), [1, 2.5], list(oneDouble, v('<double>2.5</double>'))],
    ['empty array', array(double), [], list()],
    ['Set', { kind: 'set', element: double }, [1], list(oneDouble)],
    [
      'tuple',
      { kind: 'tuple', elements: [int, double], required: 2, rest: string },
      [1, 1, 'x'],
      list(one, oneDouble, x),
    ],
    ['object', struct({ a: double, b: int }), { b: 1, a: 1 }, members(['a', oneDouble], ['b', one])],
    [
      'Record',
      { kind: 'struct', members: [], indexes: [{ type: double }] },
      { '<a>': 1 },
      members(['&lt;a&gt;', oneDouble]),
    ],
    ['Map', { kind: 'map', value: double }, { a: 1 }, members(['a', oneDouble])],
    ['literal', literal('x'), 'x', x],
    ['literal', literal(1), 1, one],
    ['literal', literal(true), true, v('<boolean>1</boolean>')],
  ])('%s', (_name, type, value, text) => {
    expect(writeValue(type, value)).toBe(text)
  })

  test.each<[value: unknown, text: string]>([
    [1, one],
    [1.5, v('<double>1.5</double>')],
    [10n, v('<i8>10</i8>')],
    ['x', x],
    [true, v('<boolean>1</boolean>')],
    [null, nilValue],
    [undefined, nilValue],
    [new Date(0), v('<dateTime.iso8601>19700101T00:00:00</dateTime.iso8601>')],
    [Buffer.from([255]), v('<base64>/w==</base64>')],
    [new Uint8Array([0, 255]).subarray(1).slice().buffer, v('<base64>/w==</base64>')],
    [[1, ['x'], undefined], list(one, list(x), nilValue)],
    [new Set([1]), list(one)],
    [new Map([['a', 1]]), members(['a', one])],
    [{ a: 1, b: undefined, c: { d: 'x' } }, members(['a', one], ['c', members(['d', x])])],
    [JSON.parse('{"__proto__":1}'), members(['__proto__', one])],
  ])('any is encoded by the value: %o', (value, text) => {
    expect(writeValue(any, value)).toBe(text)
  })

  test('unknown keys are left out, absent members are not nil, null is', () => {
    const type = struct({ a: int, b: int, c: union(int, nil) }, ['b'])
    expect(writeValue(type, { a: 1, secret: 'x', b: undefined, c: null })).toBe(members(['a', one], ['c', nilValue]))
  })

  test('inherited members are not read as own members', () => {
    expect(writeValue(struct({ constructor: string, a: int }, ['constructor']), { a: 1 })).toBe(members(['a', one]))
  })

  test('an index signature keeps the others', () => {
    const type: WireType = {
      ...struct({ a: int }),
      indexes: [{ type: double }, { type: int, keys: { text: 'number', pattern: '^\\d+$' } }],
    }
    expect(writeValue(type, { b: 1, a: 1, 7: 1 })).toBe(members(['a', one], ['7', one], ['b', oneDouble]))
  })

  test('a type that contains itself', () => {
    const tree: WireType = struct({ value: double, next: union({ kind: 'ref', name: 'Tree', type: () => tree }, nil) })
    const value = { value: 1, next: { value: 1, next: null } }
    const inner = members(['value', oneDouble], ['next', nilValue])
    expect(writeValue(tree, value)).toBe(members(['value', oneDouble], ['next', inner]))
  })
})

describe('doubles', () => {
  test.each([
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [-123.456, '-123.456'],
    [1e21, '1000000000000000000000.0'],
    [1.5e21, '1500000000000000000000.0'],
    [123456789012345680000, '123456789012345680000.0'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [5e-324, `0.${'0'.repeat(323)}5`],
    [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}.0`],
    [2 ** 53, '9007199254740992.0'],
  ])('%d is written without exponent and reads back', (value, digits) => {
    const text = writeValue(double, value)
    expect(text).toBe(v(`<double>${digits}</double>`))
    expect(readBack(text)).toBe(value)
  })

  test('random doubles read back', () => {
    for (let exponent = -323; exponent <= 308; exponent++) {
      const value = Number(`1.2345678901234567e${exponent}`)
      const text = writeValue(double, value)
      expect(text).not.toMatch(/e[+-]?\d/)
      expect(readBack(text)).toBe(value)
    }
  })
})

describe('unions, as a client declares them for arguments', () => {
  test.each<[name: string, type: WireType, value: unknown, text: string]>([
    ['Double | null', union(double, nil), 1, oneDouble],
    ['Double | null', union(double, nil), null, nilValue],
    ['Double | string', union(string, double), 1, oneDouble],
    ['Double | string', union(double, string), 'x', x],
    ['Double beside a literal', union(double, literal(1)), 1, oneDouble],
    ['Int | Double', union(int, double), 1, one],
    ['Int | Double', union(double, int), 1, one],
    ['Int | Double', union(int, double), 1.5, v('<double>1.5</double>')],
    ['Int | Double', union(int, double), 2 ** 40, v('<double>1099511627776.0</double>')],
    ['literals', union(literal('x'), literal('y')), 'x', x],
    ['literals', union(literal(1), literal(2)), 1, one],
    ['Double[] | string', union(string, array(double)), [1], list(oneDouble)],
    ['nested unions', union(union(nil, string), union(boolean, double)), 1, oneDouble],
    ['bigint | boolean', union(bigint, boolean), 1n, v('<i8>1</i8>')],
    ['Date | boolean', union(date, boolean), new Date(0), v('<dateTime.iso8601>19700101T00:00:00</dateTime.iso8601>')],
    ['Map | Date', union(date, { kind: 'map', value: double }), { b: 1 }, members(['b', oneDouble])],
    ['any beside others', union(any, string), 1, one],
    ['several lists: by value', union(array(double), array(string)), [1], list(one)],
    ['several structs: by value', union(struct({ a: double }), struct({ b: double })), { b: 1 }, members(['b', one])],
  ])('%s', (_name, type, value, text) => {
    expect(writeValue(type, value)).toBe(text)
  })
})

describe('values that XML-RPC cannot represent', () => {
  test.each<[type: WireType, value: unknown, message: string]>([
    [int, 1.5, 'expected an int, received non-integer number'],
    [int, 2147483648, 'expected an int, received integer outside of int32'],
    [double, Number.NaN, 'NaN is not a finite number'],
    [number, Number.POSITIVE_INFINITY, 'Infinity is not a finite number'],
    [bigint, 2n ** 63n, 'an integer beyond 64 bits'],
    [bigint, -(2n ** 63n) - 1n, 'an integer beyond 64 bits'],
    [string, 'a\0', 'XML cannot represent the character U+0000'],
    [string, '\x1b', 'XML cannot represent the character U+001B'],
    [string, '\ufffe', 'XML cannot represent the character U+FFFE'],
    [date, new Date(Number.NaN), 'a date that is invalid, or outside the years 0001 to 9999'],
    [any, () => 1, 'expected a value that can be serialised, received function'],
    [array(int), 'x', 'expected an array, received string of length 1'],
    [struct({ a: int }), [], 'expected a struct, received array of length 0'],
  ])('%o %s', (type, value, message) => {
    expect(failure(() => writeValue(type, value))).toBe(message)
  })

  test('the message has the path', () => {
    const type = struct({ lines: array(struct({ 'a note': string })) })
    const write = () => writeValue(type, { lines: [{ 'a note': '' }, { 'a note': '\x01' }] })
    expect(failure(write)).toBe('lines[1]["a note"]: XML cannot represent the character U+0001')
    expect(failure(() => writeValue(any, { a: { b: [Number.NaN] } }))).toBe('a.b[0]: NaN is not a finite number')
    expect(failure(() => writeValue(any, { '\x01': 1 }))).toBe('["\\u0001"]: XML cannot represent the character U+0001')
  })

  test('a pair of surrogates is a character, a lone surrogate is not', () => {
    expect(writeValue(string, 'a b😀&')).toBe(v('<string>a b😀&amp;</string>'))
    expect(() => writeValue(string, '😀\udc00')).toThrow('XML cannot represent the character U+DC00')
    expect(() => writeValue(string, 'a\ud83d b')).toThrow('XML cannot represent the character U+D83D')
  })
})

describe('written values read back', () => {
  test.each<[type: WireType, value: unknown]>([
    [string, ' <&>"\'\r\n\t\r ]]> 😀 é \u0085\u2028 '],
    [string, ''],
    [string, '007'],
    [bigint, 2n ** 62n],
    [bytes, Uint8Array.from({ length: 300 }, (_, i) => i % 256)],
    [date, new Date('2024-02-29T23:59:59Z')],
    [any, [null, true, -5, 0.5, 'x', [], {}, [[1]], { '': 'empty', 'a&b': [new Date(0)] }]],
    [any, JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ])('%o %o', (type, value) => {
    expect(readBack(writeValue(type, value))).toEqual(value)
  })
})
