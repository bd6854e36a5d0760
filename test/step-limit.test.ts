import { RpcServer } from 'rpc-gen'
import { array, manifest, number, procedure, string, type Type, tuple, union } from 'rpc-gen/codegen/v1'
import { describe, expect, test } from 'vitest'
import { writeValue } from '../runtime/xmlrpc/encode.js'

// The work for the unions of one request is limited: very many branches are compared with each value.

const branchCount = 1000

/** Each value `[[]]` is compared with every branch, and the list in it with the list in each branch: only the last one accepts it. */
const branches: Type[] = Array.from({ length: branchCount }, () => tuple([tuple([string])]))
const list = array(union([...branches, tuple([tuple([])])]))
const count = procedure((values: unknown[]) => values.length, {
  params: { values: list },
  returns: number,
})
const router = new RpcServer({ procedures: manifest({ count }), onError: () => {} }).router()

/** 50,000,000 comparisons, and a few more. */
const tooMany = 50_000_000 / (2 * branchCount) + 100
const valuesOf = (length: number) => Array.from({ length }, () => [[]])

async function post(type: string, body: string): Promise<string> {
  return (await router.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })).text()
}

const json = (method: string, params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })

const message = 'more than 50000000 comparisons with branches of unions'

describe('more comparisons than the limit', () => {
  test('in XML', async () => {
    const value = writeValue({ kind: 'any' }, valuesOf(tooMany))
    const body = `<methodCall><methodName>count</methodName><params><param>${value}</param></params></methodCall>`
    expect(await post('text/xml', body)).toContain('<int>-32600</int>')
  })

  test('in JSON, in all entries of a batch together', async () => {
    const half = json('count', [valuesOf(tooMany / 2)])
    const responses = JSON.parse(await post('application/json', JSON.stringify([half, half])))
    expect(responses).toMatchObject([{ result: tooMany / 2 }, { error: { code: -32600, data: message } }])
  })
})
