import { RpcServer } from 'rpc-gen'
import {
  any,
  array,
  bigint,
  boolean,
  constrained,
  date,
  describeTypes,
  double,
  int,
  isPresent,
  lazy,
  literal,
  manifest,
  map,
  nullable,
  nullType,
  procedure,
  read,
  readLiteral,
  readStruct,
  record,
  scalar,
  set,
  string,
  tuple,
  union,
  type Wire,
} from 'rpc-gen/codegen/v1'
import { expect, test } from 'vitest'

// The elements of results whose type is a union: those of the branch that the value matches.

// biome-ignore lint/suspicious/noExplicitAny: as in generated modules
type Value = any
type Type = (value: Value, wire: Wire) => Value

/** Returns the `<value>` of a procedure that returns `value` as `type`. */
async function sent(type: Type, value: unknown): Promise<string> {
  const result = procedure(() => value as never, { returns: type })
  const errors: unknown[] = []
  const server = new RpcServer({
    procedures: manifest({ result }) as never,
    onError: (error) => void errors.push(error),
  })
  const text = await server.handle('<methodCall><methodName>result</methodName></methodCall>', { protocol: 'xml-rpc' })
  expect(errors).toEqual([])
  return /<param>(.*)<\/param>/s.exec(text ?? '')?.[1] ?? ''
}

const v = (element: string) => `<value>${element}</value>`
const list = (...values: readonly string[]) => v(`<array><data>${values.join('')}</data></array>`)
const members = (values: Readonly<Record<string, string>>) =>
  v(
    `<struct>${Object.entries(values)
      .map(([name, value]) => `<member><name>${name}</name>${value}</member>`)
      .join('')}</struct>`,
  )

const nilValue = v('<nil/>')
const one = v('<int>1</int>')
const oneDouble = v('<double>1.0</double>')
const x = v('<string>x</string>')

/** The definition of a struct; a member whose name is in parentheses is optional. */
function struct(types: Readonly<Record<string, Type>>): Type {
  return (value, wire) => {
    const out = readStruct(value)
    for (const [name, type] of Object.entries(types)) {
      const own = name.replace(/[()]/g, '')
      if (own === name || isPresent(value[own], wire)) out[own] = read(value[own], type, wire)
    }
    return out
  }
}

const circle: Type = (value, wire) => ({ kind: readLiteral(value?.kind, 'circle'), size: double(value.size, wire) })
const square: Type = (value, wire) => ({ kind: readLiteral(value?.kind, 'square'), size: int(value.size, wire) })
const named = struct({ inner: struct({ a: string, n: double }) })
const numbered = struct({ inner: struct({ b: string, n: int }) })
const small = struct({ a: int })
const large = struct({ a: int, b: double })
const tree: Type = struct({ n: double, next: nullable(union([lazy(() => tree), string])) })
describeTypes({ tree })

class Money {
  readonly amount: number
  constructor(amount: number) {
    this.amount = amount
  }
}
const money = scalar('Money', { decode: (sent: number) => new Money(sent), encode: ({ amount }) => amount }, double)

const kindOf = (kind: string) => v(`<string>${kind}</string>`)

test.each<[name: string, type: Type, value: unknown, text: string]>([
  ['Double | null', union([double, nullType]), 1, oneDouble],
  ['Double | null', union([double, nullType]), null, nilValue],
  ['Double | string', union([string, double]), 1, oneDouble],
  ['Double | string', union([double, string]), 'x', x],
  ['Double beside a literal', union([double, literal(1)]), 1, oneDouble],
  ['Double beside literals', union([literal(1, 2), double]), 1, oneDouble],
  ['Int | Double', union([int, double]), 1, one],
  ['Int | Double', union([double, int]), 1, one],
  ['Int | Double', union([int, double]), 1.5, v('<double>1.5</double>')],
  ['Int | Double', union([int, double]), 2 ** 40, v('<double>1099511627776.0</double>')],
  ['Int | string', union([string, int]), -0, v('<int>0</int>')],
  ['literals', union([literal('x'), literal('y')]), 'x', x],
  ['literals', literal(1, 2), 1, one],
  ['Double[] | string', union([string, array(double)]), [1], list(oneDouble)],
  ['string[] | Double[]', union([array(string), array(double)]), [1], list(oneDouble)],
  ['Int[] | Double[]', union([array(int), array(double)]), [1, 1], list(one, one)],
  ['Int[] | Double[]', union([array(int), array(double)]), [1, 1.5], list(oneDouble, v('<double>1.5</double>'))],
  ['Set | string', union([set(double), string]), new Set([1]), list(oneDouble)],
  ['tuple | array', union([tuple([double, string]), array(int)]), [1, 'x'], list(oneDouble, x)],
  ['nested unions', union([union([nullType, string]), union([boolean, double])]), 1, oneDouble],
  ['bigint | boolean', union([bigint, boolean]), 1n, v('<i8>1</i8>')],
  ['Date | boolean', union([date, boolean]), new Date(0), v('<dateTime.iso8601>19700101T00:00:00</dateTime.iso8601>')],
  ['struct | Map', union([struct({ a: string }), map(double)]), new Map([['b', 1]]), members({ b: oneDouble })],
  ['any beside others', union([any, string]), 1, one],
  ['a list with a limit', constrained(union([array(double), string]), { maxItems: 2 }), [1], list(oneDouble)],
  ['a codec beside a string', union([money, string]), new Money(1), oneDouble],
  ['a codec beside an Int', union([money, int]), new Money(1), one],
  ['a list of a union', array(union([double, array(double)])), [1, [1]], list(oneDouble, list(oneDouble))],
  [
    'a literal in a tag',
    union([circle, square], 'kind'),
    { kind: 'circle', size: 1 },
    members({ kind: kindOf('circle'), size: oneDouble }),
  ],
  [
    'a literal in a tag',
    union([circle, square], 'kind'),
    { kind: 'square', size: 1 },
    members({ kind: kindOf('square'), size: one }),
  ],
  [
    'a literal',
    union([square, circle]),
    { kind: 'circle', size: 1 },
    members({ kind: kindOf('circle'), size: oneDouble }),
  ],
  ['a literal', union([square, circle]), { kind: 'square', size: 1 }, members({ kind: kindOf('square'), size: one })],
  [
    'nested members',
    union([numbered, named]),
    { inner: { a: 'x', n: 1 } },
    members({ inner: members({ a: x, n: oneDouble }) }),
  ],
  [
    'nested members',
    union([numbered, named]),
    { inner: { b: 'x', n: 1 } },
    members({ inner: members({ b: x, n: one }) }),
  ],
  ['several structs', union([small, large]), { a: 1, b: 1, c: 1 }, members({ a: one, b: oneDouble })],
  ['several structs', union([large, small]), { a: 1, b: 1, c: 1 }, members({ a: one, b: oneDouble })],
  [
    'Int in one, Double in the other',
    union([struct({ n: double }), struct({ n: int, '(x)': string })]),
    { n: 1 },
    members({ n: one }),
  ],
  [
    'a list in both',
    union([struct({ n: array(double) }), struct({ n: array(double), '(x)': string })]),
    { n: [1] },
    members({ n: list(oneDouble) }),
  ],
  [
    'a branch with any members',
    union([struct({ n: double, '(t)': string }), struct({ t: any })]),
    { n: 1 },
    members({ n: oneDouble, t: nilValue }),
  ],
  [
    'a record of other values',
    union([struct({ m: map(string) }), record(record(int))]),
    { m: new Map([['a', 'x']]) },
    members({ m: members({ a: x }) }),
  ],
  [
    'a type that contains itself',
    tree,
    { n: 1, next: { n: 1, next: null } },
    members({ n: oneDouble, next: members({ n: oneDouble, next: nilValue }) }),
  ],
])('%s', async (_name, type, value, text) => {
  expect(await sent(type, value)).toBe(text)
})
