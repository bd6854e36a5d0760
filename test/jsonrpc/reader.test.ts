import { describe, expect, test } from 'vitest'
import { RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { parseJson } from '../../runtime/jsonrpc/parse.js'

const read = (text: string, depth = 256) => parseJson(text, depth).value

function failure(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

describe('integers that a double cannot represent', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551616', 18446744073709551616n],
    ['[1,9007199254740993]', [1, 9007199254740993n]],
    [' 9007199254740993 ', 9007199254740993n],
    ['{"a":{"b":[-9007199254740993]}}', { a: { b: [-9007199254740993n] } }],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['{"a":1,"a":9007199254740993}', { a: 9007199254740993n }],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value)
  })

  test.each([
    '"9007199254740993"',
    '"\\"9007199254740993"',
    '{"9007199254740993":1}',
    '{"9007199254740993" : "x"}',
    '12345678901234567.5',
    '12345678901234567e3',
    '0.12345678901234567',
    '-0.12345678901234567',
    '1e0000000000000000',
    '1E+0000000000000001',
    '[1.00000000000000000]',
  ])('%s is read as by JSON.parse', (text) => {
    expect(read(text)).toEqual(JSON.parse(text))
  })

  test('strings of every kind beside them stay strings', () => {
    const strings = ['integer:7', '\\', '"', '9007199254740993', '-1', '\u0000', '\ud800', '{', ']']
    const text = JSON.stringify([strings, 0]).replace(',0]', ',9007199254740993]')
    expect(read(text)).toEqual([strings, 9007199254740993n])
  })

  test('a string behind a backslash that is escaped itself', () => {
    expect(read('["\\\\",9007199254740993,"\\\\\\"",9007199254740993]')).toEqual([
      '\\',
      9007199254740993n,
      '\\"',
      9007199254740993n,
    ])
  })

  test('__proto__ stays an own member', () => {
    const value = read('{"__proto__":{"a":9007199254740993}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ a: 9007199254740993n })
  })

  test('10,000 digits are read, more are not', () => {
    const digits = '9'.repeat(10_000)
    expect(read(`-${digits}`)).toBe(-BigInt(digits))
    const error = failure(() => read(`${digits}9`))
    expect(error).toBeInstanceOf(RpcInvalidRequest)
    expect(error).toMatchObject({ data: 'line 1, column 1: an integer of more than 10000 digits' })
  })
})

describe('a number that a double may not represent', () => {
  test.each(['1e999', '-1e400', '[1E+309]', `${'9'.repeat(400)}.0`, '{"a":[9007199254740992]}', '[[-1e16],1]'])(
    '%s is reported',
    (text) => {
      expect(parseJson(text, 256).hasUnsafeIntegers).toBe(true)
    },
  )

  test.each(['9007199254740991', '-1e15', '"9007199254740993"', '[1.5e-10]'])('%s is not reported', (text) => {
    expect(parseJson(text, 256).hasUnsafeIntegers).toBe(false)
  })
})

describe('nesting', () => {
  test.each([
    ['[[1]]', 2],
    ['{"a":[{}]}', 3],
    ['[[],[],[]]', 2],
    ['["[[[[[[\\"[[[["]', 1],
    ['[1,2,3,4,5,6,7]', 1],
  ])('%s is %d deep', (text, depth) => {
    expect(read(text, depth)).toEqual(JSON.parse(text))
    if (depth === 1) return
    const error = failure(() => read(text, depth - 1))
    expect(error).toBeInstanceOf(RpcInvalidRequest)
    const column = text.search(depth === 2 ? /(?<=\[)[[{]/ : /(?<=:\[)\{/) + 1
    expect(error).toMatchObject({ data: `line 1, column ${column}: nested deeper than ${depth - 1}` })
  })
})

describe('invalid JSON is reported with its position', () => {
  test.each([
    ['', '1, column 1: expected a value'],
    ['\n\r\n\r  ', '4, column 3: expected a value'],
    ['{', '1, column 2: expected a name or }'],
    ['{,}', '1, column 2: expected a name or }'],
    ['{"a"', '1, column 5: expected :'],
    ['{"a":', '1, column 6: expected a value'],
    ['{"a":1', '1, column 7: expected , or }'],
    ['{"a":1,', '1, column 8: expected a name'],
    ['{"a":1,}', '1, column 8: expected a name'],
    ['{"a":1]', '1, column 7: expected , or }'],
    ['{1:1}', '1, column 2: expected a name or }'],
    ['[', '1, column 2: expected a value or ]'],
    ['[,', '1, column 2: expected a value or ]'],
    ['[1', '1, column 3: expected , or ]'],
    ['[1 2]', '1, column 4: expected , or ]'],
    ['[1,]', '1, column 4: expected a value'],
    ['[}', '1, column 2: expected a value or ]'],
    ['[{}}', '1, column 4: expected , or ]'],
    [']', '1, column 1: expected a value'],
    ['1 1', '1, column 3: expected the end'],
    ['nul', '1, column 1: expected a value'],
    ['truefalse', '1, column 5: expected the end'],
    ['undefined', '1, column 1: expected a value'],
    ['-', '1, column 1: expected a value'],
    ['-x', '1, column 1: expected a value'],
    ['00', '1, column 2: expected the end'],
    ['1.', '1, column 2: expected the end'],
    ['.5', '1, column 1: expected a value'],
    ['1e', '1, column 2: expected the end'],
    ['0x10', '1, column 2: expected the end'],
    ['"a', '1, column 3: expected the end of the string'],
    ['"a\\"', '1, column 5: expected the end of the string'],
    ['"a\\', '1, column 3: expected an escape such as \\n or \\u000a'],
    ['"\\q"', '1, column 2: expected an escape such as \\n or \\u000a'],
    ['"\\u12"', '1, column 2: expected an escape such as \\n or \\u000a'],
    ['"a\tb"', '1, column 3: expected an escape instead of a control character'],
    ['"é😀\n"', '1, column 5: expected an escape instead of a control character'],
    ['[1,\n"a",\r\n  x]', '3, column 3: expected a value'],
    ["'a'", '1, column 1: expected a value'],
    ['\u00a01', '1, column 1: expected a value'],
    ['\ufeff\ufeff1', '1, column 1: expected a value'],
    ['9007199254740993 x', '1, column 18: expected the end'],
  ])('%j', (text, place) => {
    const error = failure(() => read(text))
    expect(error).toBeInstanceOf(RpcParseError)
    expect(error).toMatchObject({ message: 'Parse error', data: `line ${place}` })
  })

  test('behind every prefix of a request, and behind every character too much', () => {
    const text = '{"jsonrpc":"2.0","method":"\\u0061\\n","params":[-1.5e+3,true,false,null,{},[]],"id":"é"}'
    for (let end = 0; end < text.length; end++) {
      expect(failure(() => read(text.slice(0, end)))).toBeInstanceOf(RpcParseError)
      expect(failure(() => read(`${text.slice(0, end)}\u0001${text.slice(end)}`))).toBeInstanceOf(RpcParseError)
    }
    expect(read(text)).toEqual(JSON.parse(text))
  })
})
