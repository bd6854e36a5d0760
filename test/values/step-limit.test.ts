import { RpcServer } from 'rpc-gen'
import {
  array,
  describeTypes,
  lazy,
  manifest,
  map,
  number,
  procedure,
  record,
  set,
  string,
  type Type,
  tuple,
  union,
} from 'rpc-gen/codegen/v1'
import { describe, expect, test } from 'vitest'
import { writeValue } from '../../runtime/xmlrpc/encode.js'
import { compileModule } from '../support/compile-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// The work for the unions of one request is limited: a step is about a tenth of a microsecond.

const branchCount = 1000

/** Each value `[[]]` is compared with every branch, and the list in it with the list in each branch: only the last one accepts it. */
const branches: Type[] = Array.from({ length: branchCount }, () => tuple([tuple([string])]))
const list = array(union([...branches, tuple([tuple([])])]))
const count = procedure((values: unknown[]) => values.length, {
  params: { values: list },
  returns: number,
})
/** JsonML: each list is explained by two branches, the last element of each in turn. */
const element: Type = union([
  string,
  tuple(
    [string],
    1,
    lazy(() => element),
  ),
  tuple(
    [string, record(string)],
    2,
    lazy(() => element),
  ),
])
describeTypes({ element })
const size = (values: unknown) => (values as readonly unknown[]).length
const procedures = manifest({
  count,
  sets: procedure(size, { params: { values: array(set(number)) }, returns: number }),
  element: procedure(size, { params: { values: element }, returns: number }),
  maps: procedure(size, { params: { values: array(map(number)) }, returns: number }),
  setsInUnions: procedure(size, { params: { values: array(union([set(number), set(set(number))])) }, returns: number }),
})
const router = new RpcServer({ procedures, onError: () => {} }).router()

/**
 * Each of 34 tables of 30 branches is compared with both lists of a value: 24 steps as one of several tables, eight as the only one. The
 * type of the value is found in several tables, at 64 steps.
 */
const tooMany = 10_000_000 / ((24 + 8) * 34 + 64)
const valuesOf = (length: number) => Array.from({ length }, () => [[]])

async function post(type: string, body: string, app = router): Promise<string> {
  return (await app.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })).text()
}

const json = (method: string, params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })

const message = 'more than 10000000 steps to read values'

describe('more steps than the limit', () => {
  test('in XML', async () => {
    const value = writeValue({ kind: 'any' }, valuesOf(Math.ceil(tooMany)))
    const body = `<methodCall><methodName>count</methodName><params><param>${value}</param></params></methodCall>`
    expect(await post('text/xml', body)).toContain('<int>-32600</int>')
  })

  test('in JSON, in all entries of a batch together', async () => {
    const half = json('count', [valuesOf(Math.ceil(tooMany / 2))])
    // Of a smaller body nothing is counted.
    const body = JSON.stringify([half, half]).padEnd(65_537)
    const responses = JSON.parse(await post('application/json', body))
    expect(responses).toMatchObject([{ result: Math.ceil(tooMany / 2) }, { error: { code: -32600, data: message } }])
  })

  test.each([
    ['sets', '[]', 8],
    ['maps', '{}', 8],
    ['setsInUnions', '[]', 8 + 8],
  ])('%s are counted for their memory', async (method, value, steps) => {
    const most = Math.floor(10_000_000 / steps)
    const body = (length: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[[${Array(length).fill(value).join()}]]}`
    expect(JSON.parse(await post('application/json', body(most + 1)))).toMatchObject({
      error: { code: -32600, data: message },
    })
    expect(JSON.parse(await post('application/json', body(most - 1000)))).toMatchObject({ result: most - 1000 })
  })
})

describe('more steps than the limit to explain errors', () => {
  const depth = 240
  const nested = (open: string, end: string, close: string) => `${open.repeat(depth)}${end}${close.repeat(depth)}`
  const entriesOf = (count: number, method: string, value: string) =>
    Array<string>(count).fill(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${value}]}`)

  /** Returns how many entries of a batch got reasons: the first ones. */
  async function countExplained(app: typeof router, entries: readonly string[]): Promise<number> {
    const responses = JSON.parse(await post('application/json', `[${entries.join()}]`, app))
    const errors = responses.map(({ error }: { error: object }) => error)
    const explained = errors.findIndex((each: { data: unknown[] }) => each.data.length === 0)
    expect(errors.slice(explained)).toEqual(
      Array(entries.length - explained).fill({ code: -32602, message: 'Invalid params', data: [] }),
    )
    return explained
  }

  test('of deep lists, in a batch whose other calls are valid', async () => {
    const valid = entriesOf(1, 'element', nested('["a",', '"b"', ']'))
    const invalid = entriesOf(998, 'element', nested('["a",', '5', ']'))
    const responses = JSON.parse(await post('application/json', `[${[...valid, ...invalid, ...valid].join()}]`))
    const codes = responses.map((each: { error?: { code: number } }) => each.error?.code)
    expect(codes).toEqual([undefined, ...Array(998).fill(-32602), undefined])
    const explained = await countExplained(router, invalid)
    expect(explained).toBeGreaterThan(0)
    // Each level is explained twice.
    expect(explained).toBeLessThan(10_000_000 / (2 * 32 * depth))
  })

  test('of structs with many members, in a small request', async () => {
    const members = (count: number, name: string, type: string) =>
      Array.from({ length: count }, (_, i) => `${name}${i}${type}`).join('; ')
    const names = Array.from({ length: 20 }, (_, i) => `Wide${i}`)
    const api = `${names.map((name) => `interface ${name} { ${members(100, name, '?: string')}; next?: Wide }`).join('\n')}
type Wide = ${names.join(' | ')}
interface Most { ${members(19, 'most', ': string')}; next?: Most | More }
interface More { ${members(25, 'more', ': string')}; next?: Most | More }
/** @rpc */ export function wide(value: Wide): void {}
/** @rpc */ export function missing(value: Most | More): void {}
`
    const app = new RpcServer({ procedures: await compileModule(temporaryFolder('wide'), 'api.ts', api) }).router()
    // Each branch of each level has 100 members.
    const wide = entriesOf(29, 'wide', nested('{"next":', '5', '}'))
    expect(wide.join().length).toBeLessThan(65_536)
    expect(await countExplained(app, wide)).toBeLessThan(10_000_000 / (20 * 100 * depth))
    // Each level has 39 missing members.
    const missing = entriesOf(100, 'missing', nested('{"next":', '{}', '}'))
    expect(await countExplained(app, missing)).toBeLessThan(10_000_000 / (39 * 32 * depth))
  })
})
