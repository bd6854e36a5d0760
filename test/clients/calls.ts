/** How a call ended, as a client reports it. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

/** A call in JSON-RPC that every client makes, and how it has to end. */
export interface ClientCall {
  readonly what: string
  readonly method: string
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>
  readonly outcome: Outcome
}

/** Text that every format escapes in another way. */
export const unicode = 'Grüße, 世界 🪚 <&> ]]> "\\/" \u2028 \t\n'

const born = '1815-12-10T00:00:00.000Z'
const ada = { name: 'Ada', age: 36, nickname: 'Ä', born }
const nested = { a: [1, 2.5, true, null, 'x', { '': [] }], 'ключ 🔑': {} }

function succeeds(what: string, method: string, params: ClientCall['params'], result: unknown): ClientCall {
  return { what, method, params, outcome: { result } }
}

function echoes(what: string, method: string, value: unknown, result: unknown = value): ClientCall {
  return succeeds(what, method, [value], result)
}

function fails(what: string, method: string, params: ClientCall['params'], ...error: ExpectedError): ClientCall {
  const [code, message, data] = error
  return { what, method, params, outcome: { error: data === undefined ? { code, message } : { code, message, data } } }
}

type ExpectedError = readonly [code: number, message: string, data?: unknown]

/** The error for a string instead of an Int. */
export const wrongParams = 'Invalid params: value: expected int, received string of length 1'

/** One for each type, then what may go wrong. */
export const calls: readonly ClientCall[] = [
  echoes('the least Int', 'echo.int', -2147483648),
  echoes('the largest Int', 'echo.int', 2147483647),
  echoes('a Double', 'echo.double', -2.5e-7),
  echoes('a Double without a fraction', 'echo.double', 3),
  echoes('a number beyond an Int', 'echo.number', 9007199254740991),
  echoes('a bigint as text', 'echo.bigint', '-9007199254740993'),
  echoes('a string', 'echo.string', unicode),
  echoes('an empty string', 'echo.string', ''),
  echoes('a boolean', 'echo.boolean', false),
  echoes('a Date', 'echo.date', '2024-02-29T14:04:56+01:30', '2024-02-29T12:34:56.000Z'),
  echoes('bytes', 'echo.bytes', 'iVBORw0KGgo='),
  echoes('null', 'echo.null', null),
  echoes('an array', 'echo.array', [1, -2, 3]),
  echoes('an empty array', 'echo.array', []),
  echoes('a tuple', 'echo.tuple', ['a', 1, '2024-02-29T00:00:00Z'], ['a', 1, '2024-02-29T00:00:00.000Z']),
  echoes('a struct', 'echo.struct', ada),
  echoes('a record', 'echo.record', { '': 1, 'é 🪚': 2.5 }),
  echoes('a Map', 'echo.map', { ada: born }),
  echoes('a Set', 'echo.set', ['b', 'a', 'b'], ['b', 'a']),
  echoes('a literal', 'echo.literal', 'off'),
  echoes('a union', 'echo.union', { kind: 'circle', radius: 1.5 }),
  echoes('anything', 'echo.any', nested),
  succeeds('a slow procedure', 'later', ['done'], 'done'),
  succeeds('a rest parameter', 'sum', [1, 2, 3, 4], 10),
  succeeds('no parameters', 'get_data', [], ['hello', 5]),
  succeeds('named parameters', 'subtract', { subtrahend: 23, minuend: 42 }, 19),
  succeeds('no result', 'update', [1, 2], null),
  fails('an error with data', 'fail', [404, unicode, { at: ['é', 1] }], 404, unicode, { at: ['é', 1] }),
  fails('an error without data', 'fail', [-1, ''], -1, ''),
  fails('an error that is not for callers', 'crash', [], -32603, 'Internal error'),
  fails('an unknown method', 'nothing.of.that.name', [1], -32601, 'Method not found'),
  fails('wrong parameters', 'echo.int', ['1'], -32602, wrongParams, [
    { path: ['value'], code: 'type', limit: 'int', expected: 'int', received: 'string of length 1' },
  ]),
]

/** Calls that go in one batch. */
export const batch: readonly ClientCall[] = [
  succeeds('a result', 'subtract', [42, 23], 19),
  fails('an error', 'fail', [7, 'é'], 7, 'é'),
  succeeds('another result', 'echo.string', [unicode], unicode),
]
