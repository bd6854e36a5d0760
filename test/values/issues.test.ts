import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { type InvalidParams, isInvalidParams, Protocol, RpcError, RpcInvalidParams, RpcServer } from 'rpc-gen'
import {
  createClient,
  type IssueCode,
  isInvalidParams as isInvalidParamsInClient,
  type ValidationIssue,
  xmlRpc,
} from 'rpc-gen/client'
import { mcp } from 'rpc-gen/mcp'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { fetchFrom, responseTo } from '../support/json-rpc.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Their JSON is longer than a limit may be. */
const literals = Array.from({ length: 100 }, (_, i) => `'${'x'.repeat(50)}${i}'`).join(' | ')

const source = `import type {
  ExclusiveMaximum, ExclusiveMinimum, Format, Int, MaxItems, Maximum, MaxLength, MinItems, Minimum, MinLength, MultipleOf, Pattern, UniqueItems,
} from 'rpc-gen'

export interface Line { quantity: Int & Minimum<1>; unit?: 'kg' | 'g' }
export interface Tree { [name: string]: Tree }
export interface Cat { name: string; lives: Int }
export interface Dog { name: string; barks: boolean }

/** @rpc */ export function place(lines: Line[]): void {}
/** @rpc */ export function maximum(value: Int & Maximum<10>): void {}
/** @rpc */ export function above(value: number & ExclusiveMinimum<0>): void {}
/** @rpc */ export function below(value: number & ExclusiveMaximum<1>): void {}
/** @rpc */ export function even(value: Int & MultipleOf<2>): void {}
/** @rpc */ export function sized(value: string & MinLength<2> & MaxLength<3>): void {}
/** @rpc */ export function matching(value: string & Pattern<'^a'>): void {}
/** @rpc */ export function template(value: \`v\${number}\`): void {}
/** @rpc */ export function mail(value: string & Format<'email'>): void {}
/** @rpc */ export function list(value: Int[] & MinItems<1> & MaxItems<2>): void {}
/** @rpc */ export function unique(value: Int[] & UniqueItems): void {}
/** @rpc */ export function members(value: Set<Int> & MinItems<1>): void {}
/** @rpc */ export function pair(value: [string, Int]): void {}
/** @rpc */ export function on(value: true): void {}
/** @rpc */ export function unit(value: 'kg' | 'g' | null): void {}
/** @rpc */ export function units(value: ('kg' | 'g')[]): void {}
/** @rpc */ export function either(value: string | null): void {}
/** @rpc */ export function pet(value: Cat | Dog): void {}
/** @rpc */ export function keyed(value: Map<\`k\${string}\`, Int>): void {}
/** @rpc */ export function day(value: Date): void {}
/** @rpc */ export function link(value: URL): void {}
/** @rpc */ export function photo(value: Uint8Array): void {}
/** @rpc */ export function id(value: bigint): void {}
/** @rpc */ export function spread(...values: Int[]): void {}
/** @rpc */ export function nested(tree: Tree): void {}
/** @rpc */ export function large(value: ${literals}): void {}
/** @rpc */ export function own(): void {}
/** @rpc */ export function found(id: Int, at: Line): void
export function found(name: string): void
export function found(key: Int | string, at?: Line): void {}
`

let procedures: Manifest
let app: Hono
let server: RpcServer
const errors: unknown[] = []

beforeAll(async () => {
  procedures = await compileModule(temporaryFolder('issues'), 'procedures.ts', source)
  server = new RpcServer({
    procedures,
    unknownKeys: 'reject',
    compatibility: { xmlRpcFaultData: true },
    onError: (error) => void errors.push(error),
  })
  app = new Hono().route('/mcp', mcp(server, { tools: 'all' })).route('/', server.router())
})

type Where = Pick<ValidationIssue, 'path' | 'code' | 'limit'>

/** Calls that a code rejects, with the issue. */
const cases: Readonly<
  Record<IssueCode, readonly (readonly [method: string, value: unknown, issue: Omit<Where, 'code'>])[]>
> = {
  required: [['place', [{}], { path: ['lines', 0, 'quantity'] }]],
  type: [
    ['place', [{ quantity: 'x' }], { path: ['lines', 0, 'quantity'], limit: 'int' }],
    ['place', 1, { path: ['lines'], limit: 'array' }],
    ['members', [1, 1, 'x'], { path: ['value', 2], limit: 'int' }],
    ['either', 1, { path: ['value'], limit: ['string', 'null'] }],
    ['day', 'x', { path: ['value'], limit: 'date' }],
    ['pet', 'x', { path: ['value'], limit: 'object' }],
  ],
  const: [['on', false, { path: ['value'], limit: true }]],
  enum: [
    ['unit', 'lb', { path: ['value'], limit: ['g', 'kg', null] }],
    ['place', [{ quantity: 1, unit: 'lb' }], { path: ['lines', 0, 'unit'], limit: ['g', 'kg'] }],
  ],
  anyOf: [['pet', { name: 'Tom' }, { path: ['value'] }]],
  minimum: [['place', [{ quantity: 0 }], { path: ['lines', 0, 'quantity'], limit: 1 }]],
  maximum: [['maximum', 11, { path: ['value'], limit: 10 }]],
  exclusiveMinimum: [['above', 0, { path: ['value'], limit: 0 }]],
  exclusiveMaximum: [['below', 1, { path: ['value'], limit: 1 }]],
  multipleOf: [['even', 3, { path: ['value'], limit: 2 }]],
  minLength: [['sized', 'a', { path: ['value'], limit: 2 }]],
  maxLength: [['sized', 'abcd', { path: ['value'], limit: 3 }]],
  pattern: [
    ['matching', 'b', { path: ['value'], limit: '^a' }],
    ['template', 'x', { path: ['value'], limit: expect.stringMatching(/^\^v/) }],
  ],
  format: [['mail', 'x', { path: ['value'], limit: 'email' }]],
  minItems: [
    ['list', [], { path: ['value'], limit: 1 }],
    ['pair', ['a'], { path: ['value'], limit: 2 }],
  ],
  maxItems: [
    ['list', [1, 2, 3], { path: ['value'], limit: 2 }],
    ['pair', ['a', 1, 2], { path: ['value'], limit: 2 }],
  ],
  uniqueItems: [
    ['unique', [1, 1], { path: ['value'], limit: true }],
    ['members', [1, 1], { path: ['value'], limit: true }],
  ],
  additionalProperties: [['place', [{ quantity: 1, more: 1 }], { path: ['lines', 0, 'more'] }]],
  propertyNames: [['keyed', { x: 1 }, { path: ['value'], limit: expect.stringMatching(/^\^k/) }]],
}

const codes = Object.keys(cases) as IssueCode[]
const calls = codes.flatMap((code) =>
  cases[code].map(([method, value, issue]) => ({ code, method, value, issue: { code, ...issue } })),
)

const whereOf = ({ path, code, limit }: ValidationIssue): Where =>
  ({ path, code, ...(limit !== undefined && { limit }) }) as Where

async function issuesOf(method: string, params: unknown): Promise<readonly ValidationIssue[]> {
  const { error } = await responseTo(app, method, params)
  return (error?.data ?? []) as readonly ValidationIssue[]
}

async function failureOf(call: Promise<unknown>): Promise<InvalidParams> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isInvalidParamsInClient(error)) throw new Error(`not an error with issues: ${error}`)
  return error
}

describe.each(calls)('$code: $method($value)', ({ method, value, issue }) => {
  test('in JSON-RPC', async () => {
    expect((await issuesOf(method, [value])).map(whereOf)).toEqual([issue])
  })

  test('in XML-RPC', async () => {
    const client = createClient('http://localhost/', { transport: xmlRpc(), fetch: fetchFrom(app) })
    const { data } = await failureOf(client.$call(method, [value]))
    expect(data.map(whereOf)).toEqual([issue])
  })

  test('in MCP', async () => {
    const name = procedures[method]?.params[0]?.name ?? ''
    const params = { name: method, arguments: { [name]: value } }
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { result } = await (await app.request('/mcp', { method: 'POST', headers, body })).json()
    expect(result.isError).toBe(true)
    const [, data] = result.content[0].text.split('\n')
    expect(JSON.parse(data).map(whereOf)).toEqual([issue])
  })
})

test('the codes are documented, and stay', () => {
  expect(codes).toEqual([
    'required',
    'type',
    'const',
    'enum',
    'anyOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'minItems',
    'maxItems',
    'uniqueItems',
    'additionalProperties',
    'propertyNames',
  ])
  const page = readFileSync(join(root, 'docs/guide/issues.md'), 'utf8')
  const [, table = ''] = /<!-- options:IssueLimits -->\n([\s\S]*?)<!-- \/options -->/.exec(page) ?? []
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)).toEqual(codes)
})

describe('the path', () => {
  const pathsOf = async (method: string, params: unknown) =>
    (await issuesOf(method, params)).map(({ path, code }) => [path, code])

  test('is empty for the parameters as a whole', async () => {
    expect(await pathsOf('own', [1])).toEqual([[[], 'maxItems']])
  })

  test('begins with the name of the parameter, by name too', async () => {
    expect(await pathsOf('place', { lines: [{ quantity: 0 }] })).toEqual([[['lines', 0, 'quantity'], 'minimum']])
    expect(await pathsOf('place', {})).toEqual([[['lines'], 'required']])
    expect(await pathsOf('place', { lines: [], 'first line': 1 })).toEqual([[['first line'], 'additionalProperties']])
  })

  test('of a call by name begins with the name that was sent, which is that of an overload', async () => {
    expect(await pathsOf('found', { name: true })).toEqual([[['name'], 'type']])
    expect(await pathsOf('found', { id: true, at: { quantity: 1 } })).toEqual([[['id'], 'type']])
    expect(await pathsOf('found', { id: 1, at: { quantity: 1, more: 1 } })).toEqual([
      [['at', 'more'], 'additionalProperties'],
    ])
  })

  test('has the index of an argument of a rest parameter', async () => {
    expect(await pathsOf('spread', [1, 'x'])).toEqual([[['values', 1], 'type']])
    expect(await pathsOf('spread', { values: 1 })).toEqual([[['values'], 'type']])
  })

  test('of equal wrong values differs', async () => {
    expect(await pathsOf('units', [['lb', 'lb', 'kg', 'lb']])).toEqual([
      [['value', 0], 'enum'],
      [['value', 1], 'enum'],
      [['value', 3], 'enum'],
    ])
  })

  test('of a call in the same process too, where one object may be at two paths', async () => {
    const line = { quantity: 0 }
    const failure = await failureOf(server.call('place', [[line, line]]))
    expect(failure.data.map(whereOf)).toEqual([
      { path: ['lines', 0, 'quantity'], code: 'minimum', limit: 1 },
      { path: ['lines', 1, 'quantity'], code: 'minimum', limit: 1 },
    ])
  })

  test('and the limit are those of a value that a protocol cannot read', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"place","params":[[{"quantity":1e999}]]}'
    const response = JSON.parse(`${await server.handle(body)}`)
    expect(response.error.data.map(whereOf)).toEqual([
      { path: ['lines', 0, 'quantity'], code: 'type', limit: 'number' },
    ])
    const client = createClient('http://localhost/', {
      transport: xmlRpc(),
      fetch: (_url, init) =>
        app.request('/', {
          ...init,
          body: `${init.body}`.replace('<string>x</string>', '<dateTime.iso8601>x</dateTime.iso8601>'),
        } as RequestInit),
    })
    const { data } = await failureOf(client.$call('day', ['x']))
    expect(data.map(whereOf)).toEqual([{ path: ['value'], code: 'type', limit: 'date' }])
  })

  test.each([
    ['day', 'a valid date such as 2026-01-31T12:00:00Z'],
    ['link', 'an absolute URL'],
    ['photo', 'base64'],
    ['id', 'a decimal integer'],
  ])('of a text that %s does not read, is what the text is not', async (method, form) => {
    expect(await issuesOf(method, ['2023-02-29'])).toMatchObject([
      { code: 'type', received: `string that is not ${form}` },
    ])
  })

  test('is that of an outer value if it is too long', async () => {
    const name = '"'.repeat(60)
    const tree = Array.from({ length: 100 }).reduce((inner) => ({ [name]: inner }), 1)
    const [issue, ...more] = await issuesOf('nested', [tree])
    const { path = [] } = issue ?? {}
    expect(path).toEqual(['tree', ...Array(path.length - 1).fill(name)])
    expect(JSON.stringify(path).length).toBeGreaterThan(2000)
    expect(JSON.stringify(path).length).toBeLessThan(2500)
    expect(more).toEqual([])
  })

  test('has names of at most 60 characters', async () => {
    expect(await pathsOf('place', { ['x'.repeat(1_000_000)]: 1 })).toEqual([
      [[`${'x'.repeat(60)}…`], 'additionalProperties'],
    ])
  })
})

test('a limit that is too long is left out', async () => {
  const { error } = await responseTo(app, 'large', ['x'])
  const expected = expect.stringMatching(/^.{100,200} \| … \(\d+ values\)$/)
  expect(error?.data).toEqual([{ path: ['value'], code: 'enum', expected, received: 'string of length 1' }])
})

describe('isInvalidParams', () => {
  test('narrows data, in onError and in a client', async () => {
    errors.length = 0
    const client = createClient('http://localhost/', { fetch: fetchFrom(app) })
    const error: unknown = await client.$call('maximum', [11]).catch((reason: unknown) => reason)
    const [reported] = errors
    for (const each of [error, reported]) {
      if (!isInvalidParams(each)) throw new Error('no issues')
      expectTypeOf(each.data).toEqualTypeOf<readonly ValidationIssue[]>()
      expectTypeOf(each.code).toEqualTypeOf<-32602>()
      expect(each.data).toEqual([
        { path: ['value'], code: 'maximum', limit: 10, expected: 'int <= 10', received: 'int above 10' },
      ])
    }
  })

  test.each([
    ['another code', new RpcError(1, 'x', { data: [] })],
    ['no data', new RpcInvalidParams()],
    ['data of the application', new RpcInvalidParams('x', { data: [{ path: 'a', code: 'b' }] })],
    ['other data', new RpcInvalidParams('x', { data: 'a' })],
    ['no RpcError', { code: -32602, data: [] }],
    ['nothing', undefined],
    [
      'a proxy that throws',
      new Proxy(new RpcInvalidParams(), {
        get() {
          throw new Error('trap')
        },
      }),
    ],
  ])('is false for %s', (_, error) => {
    expect(isInvalidParams(error)).toBe(false)
  })

  test('the code of an issue narrows its limit', () => {
    const textOf = (issue: ValidationIssue): string => {
      switch (issue.code) {
        case 'minimum':
          expectTypeOf(issue.limit).toEqualTypeOf<number>()
          return `at least ${issue.limit}`
        case 'uniqueItems':
          expectTypeOf(issue.limit).toEqualTypeOf<true>()
          return 'twice'
        case 'pattern':
          expectTypeOf(issue.limit).toEqualTypeOf<string | undefined>()
          return `like ${issue.limit}`
        case 'required':
          expectTypeOf(issue.limit).toEqualTypeOf<undefined>()
          return 'missing'
        default:
          return issue.code
      }
    }
    expectTypeOf<IssueCode>().toEqualTypeOf<ValidationIssue['code']>()
    expect(textOf({ path: [], code: 'minimum', limit: 1, expected: '', received: '' })).toBe('at least 1')
  })
})

describe('faults of XML-RPC', () => {
  test('have two members by default', async () => {
    const plain = new RpcServer({ procedures, onError: () => {} })
    const params = '<params><param><value><int>1</int></value></param></params>'
    const text = await plain.handle(`<methodCall><methodName>own</methodName>${params}</methodCall>`, {
      protocol: Protocol.XML_RPC,
    })
    const members = `${text}`.match(/<name>\w+<\/name>/g)
    expect(members).toEqual(['<name>faultCode</name>', '<name>faultString</name>'])
    const client = createClient('http://localhost/', { transport: xmlRpc(), fetch: fetchFrom(plain.router()) })
    const error: unknown = await client.$call('own', [1]).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: -32602 })
    expect('data' in (error as object)).toBe(false)
    expect(isInvalidParams(error)).toBe(false)
  })

  test.each<[name: string, options: { readonly data?: unknown }, expected: unknown]>([
    ['the data of an error of a procedure', { data: { id: 7n, at: [null, 1.5] } }, { id: 7, at: [null, 1.5] }],
    ['falsy data', { data: 0 }, 0],
    ['no data that XML cannot represent', { data: '\u0001' }, undefined],
    ['no data where there is none', {}, undefined],
  ])('have, by the switch, %s, in a multicall too', async (_, options, expected) => {
    const own = new RpcServer({ compatibility: { xmlRpcFaultData: true }, onError: () => {} })
    const fail = () => {
      throw new RpcError(7, 'x', options)
    }
    own.registerProcedure(fail, { unchecked: true })
    const client = createClient<{ fail: () => void }>('http://localhost/', {
      transport: xmlRpc(),
      fetch: fetchFrom(own.router()),
    })
    const { $request } = client
    const single: unknown = await client.fail().catch((reason: unknown) => reason)
    const [settled] = await client.$batchSettled([$request.fail(), $request.fail()])
    for (const error of [single, settled.status === 'rejected' && settled.reason] as RpcError[]) {
      expect(error).toMatchObject({ code: 7, message: 'x' })
      expect(error.data).toEqual(expected)
    }
  })
})
