import { unicode, wrongParams } from './calls.js'

/** A value with its type on the wire; `number` is any numeric type. */
export type Tagged =
  | { readonly int: number }
  | { readonly double: number }
  | { readonly number: number }
  | { readonly i8: string }
  | { readonly string: string }
  | { readonly boolean: boolean }
  | { readonly date: string }
  | { readonly bytes: string }
  | { readonly nil: null }
  | { readonly array: readonly Tagged[] }
  | { readonly struct: Readonly<Record<string, Tagged>> }
  | { readonly fault: readonly [code: number, message: string] }
  | { readonly unsupported: string }

/** A call in XML-RPC that every client makes, and the expected result. */
export interface XmlCall {
  readonly what: string
  readonly method: string
  readonly params: readonly Tagged[]
  readonly outcome: Tagged
}

const int = (int: number): Tagged => ({ int })
const double = (double: number): Tagged => ({ double })
const string = (string: string): Tagged => ({ string })
const boolean = (boolean: boolean): Tagged => ({ boolean })
const date = (date: string): Tagged => ({ date })
const array = (...array: Tagged[]): Tagged => ({ array })
const struct = (struct: Readonly<Record<string, Tagged>>): Tagged => ({ struct })
const fault = (code: number, message: string): Tagged => ({ fault: [code, message] })
const nil: Tagged = { nil: null }

function returns(what: string, method: string, params: readonly Tagged[], outcome: Tagged): XmlCall {
  return { what, method, params, outcome }
}

const echoes = (what: string, method: string, value: Tagged) => returns(what, method, [value], value)

const photo: Tagged = { bytes: '89504e470d0a1a0a00ff' }
const born = date('1985-07-14T23:30:00Z')
const ada = struct({ name: string('Ada'), age: int(36), nickname: string('Ä'), born })
const nested = struct({ a: array(int(1), double(2.5), boolean(true), string('x'), struct({})), 'ключ 🔑': array() })
const entry = (methodName: string, ...params: Tagged[]) =>
  struct({ methodName: string(methodName), params: array(...params) })
const faultStruct = (code: number, text: string) => struct({ faultCode: int(code), faultString: string(text) })

/** One for each type, then what may go wrong, then system.*. */
export const xmlCalls: readonly XmlCall[] = [
  echoes('the least Int', 'echo.int', int(-2147483648)),
  echoes('the largest Int', 'echo.int', int(2147483647)),
  echoes('a Double', 'echo.double', double(-2.5e-7)),
  echoes('a tiny Double', 'echo.double', double(1.5e-300)),
  echoes('a large Double', 'echo.double', double(1.5e300)),
  echoes('a Double without a fraction', 'echo.double', double(3)),
  returns('an int for a Double', 'echo.double', [int(3)], double(3)),
  echoes('a number in the range of an Int', 'echo.number', int(3)),
  echoes('a number with a fraction', 'echo.number', double(2.5)),
  returns('a bigint', 'exact', [], { i8: '9007199254740993' }),
  echoes('a string', 'echo.string', string(unicode)),
  echoes('a string with white space around it', 'echo.string', string('  a\n b\t ')),
  echoes('a string of white space', 'echo.string', string('  ')),
  echoes('an empty string', 'echo.string', string('')),
  returns('line ends', 'lines', [], string('  a\r\nb\rc\n ')),
  echoes('true', 'echo.boolean', boolean(true)),
  echoes('false', 'echo.boolean', boolean(false)),
  echoes('a Date', 'echo.date', date('2024-02-29T12:34:56Z')),
  echoes('bytes', 'echo.bytes', photo),
  echoes('ASCII bytes', 'echo.bytes', { bytes: '6162636465' }),
  echoes('no bytes', 'echo.bytes', { bytes: '' }),
  echoes('null', 'echo.null', nil),
  returns('no result', 'update', [double(1), int(2)], nil),
  echoes('an array', 'echo.array', array(int(1), int(-2), int(3))),
  echoes('an array of one', 'echo.array', array(int(1))),
  echoes('an empty array', 'echo.array', array()),
  echoes('a tuple', 'echo.tuple', array(string('a'), int(1), born)),
  echoes('a struct', 'echo.struct', ada),
  echoes('a record', 'echo.record', struct({ a: double(2.5), 'é 🪚': double(1) })),
  echoes('an empty record', 'echo.record', struct({})),
  echoes('an empty struct', 'echo.options', struct({})),
  echoes('empty structs in a struct', 'echo.options', struct({ tags: struct({}), inner: struct({}), items: array() })),
  echoes('a Map', 'echo.map', struct({ ada: born })),
  echoes('a Set', 'echo.set', array(string('b'), string('a'))),
  echoes('a literal', 'echo.literal', string('off')),
  echoes('a union', 'echo.union', struct({ kind: string('circle'), radius: double(1.5) })),
  echoes('anything', 'echo.any', nested),
  returns('a slow procedure', 'later', [string('done')], string('done')),
  returns('no parameters', 'get_data', [], array(string('hello'), int(5))),
  returns('a rest parameter', 'sum', [int(1), int(2), double(0.5)], double(3.5)),
  returns('a fault', 'fail', [int(404), string(unicode)], fault(404, unicode)),
  returns('an error that is not for callers', 'crash', [], fault(-32603, 'Internal error')),
  returns('an unknown method', 'nothing.of.that.name', [int(1)], fault(-32601, 'Method not found')),
  returns('wrong parameters', 'echo.int', [string('1')], fault(-32602, wrongParams)),
  returns(
    'the signatures',
    'system.methodSignature',
    [string('find')],
    array(array(string('string'), string('int')), array(string('string'), string('int'), string('string'))),
  ),
  returns(
    'the help',
    'system.methodHelp',
    [string('eth_chainId')],
    string("Which chain this is, in the form that Ethereum's clients read."),
  ),
  returns(
    'several calls in one',
    'system.multicall',
    [array(entry('subtract', int(42), int(23)), entry('fail', int(7), string('é')), entry('echo.string', string('ü')))],
    array(array(int(19)), faultStruct(7, 'é'), array(string('ü'))),
  ),
]

/** The tagged values for a reader with only one numeric type. */
export function inNumbers(value: Tagged): Tagged {
  if ('int' in value) return { number: value.int }
  if ('double' in value) return { number: value.double }
  if ('array' in value) return { array: value.array.map(inNumbers) }
  if (!('struct' in value)) return value
  return { struct: Object.fromEntries(Object.entries(value.struct).map(([name, each]) => [name, inNumbers(each)])) }
}

/** The tagged values for a reader with one type for lists and structs. */
export function emptyStructsAsLists(value: Tagged): Tagged {
  if ('array' in value) return { array: value.array.map(emptyStructsAsLists) }
  if (!('struct' in value)) return value
  const members = Object.entries(value.struct).map(([name, each]) => [name, emptyStructsAsLists(each)])
  return members.length === 0 ? { array: [] } : { struct: Object.fromEntries(members) }
}
