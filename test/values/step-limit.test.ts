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

async function post(type: string, body: string): Promise<string> {
  return (await router.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })).text()
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

  test('to explain what is wrong in many deep values', async () => {
    const depth = 240
    const deep = (end: string) => `${'["a",'.repeat(depth)}${end}${']'.repeat(depth)}`
    const entryOf = (end: string) => `{"jsonrpc":"2.0","id":1,"method":"element","params":[${deep(end)}]}`
    const responsesTo = async (end: string) =>
      JSON.parse(await post('application/json', `[${Array(1000).fill(entryOf(end)).join()}]`))
    expect(await responsesTo('"b"')).toEqual(Array(1000).fill({ jsonrpc: '2.0', id: 1, result: 2 }))
    const codes = (await responsesTo('5')).map((each: { error: { code: number } }) => each.error.code)
    expect(codes.indexOf(-32602)).toBe(0)
    expect(codes.lastIndexOf(-32602)).toBe(codes.indexOf(-32600) - 1)
    // Each level is explained twice.
    expect(codes.indexOf(-32600)).toBeLessThan(10_000_000 / (2 * 32 * depth))
  })
})
