import { RpcServer } from 'rpc-gen'
import { procedureSchemas } from 'rpc-gen/generator'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/parameters/expected.gen.js'
import { generate } from '../support/generate.js'
import { responseTo } from '../support/json-rpc.js'

const server = new RpcServer({ procedures, onError: () => {} })

async function call(method: string, params: unknown): Promise<unknown> {
  const { result, error } = await responseTo(server.router(), method, params)
  return error?.message ?? result
}

describe('a parameter with a default before a required one', () => {
  test.each([
    ['by name it is left out', { b: 5 }, 8],
    ['by name null represents an omitted parameter', { a: null, b: 5 }, 8],
    ['by name it counts', { a: 10, b: 5, c: 0 }, 15],
    ['by position null selects the default', [null, 5], 8],
    ['by position it counts', [10, 5], 17],
    ['by position it has a place', [5], 'Invalid params: b: expected int, received nothing'],
    ['what must be there must', { a: 1 }, 'Invalid params: b: expected int, received nothing'],
  ])('%s', async (_name, params, expected) => {
    expect(await call('defaultFirst', params)).toBe(expected)
  })

  test('if null is one of its values, null does not select the default', async () => {
    expect(await call('defaultDateFirst', { name: 'x' })).toBe('0 none x')
    expect(await call('defaultDateFirst', { name: 'x', note: null })).toBe('0 null x')
    expect(await call('defaultDateFirst', [null, null, 'x'])).toBe('0 null x')
    expect(await call('defaultDateFirst', ['1970-01-01T00:00:01Z', 'y', 'x'])).toBe('1000 y x')
  })

  test('signatures, model and schema agree', async () => {
    const cwd = 'fixtures/generate/parameters'
    const { model } = await generate({ cwd, paths: ['.'], out: 'expected.gen.ts' })
    const found = model.procedures.find(({ name }) => name === 'defaultFirst')
    if (!found) throw new Error('no defaultFirst')
    expect(found.params.map(({ name, optional = false }) => [name, optional])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ])
    expect(found.signatures).toEqual([
      ['int', 'int', 'int'],
      ['int', 'int', 'int', 'int'],
    ])
    const int = { type: 'integer', minimum: -2147483648, maximum: 2147483647 }
    const orNull = { anyOf: [int, { type: 'null' }] }
    expect(procedureSchemas(found, model).params.anyOf).toEqual([
      {
        type: 'array',
        prefixItems: [{ ...orNull, default: 1 }, int, { ...orNull, default: 2 }],
        minItems: 2,
        items: false,
      },
      {
        type: 'object',
        properties: { a: { ...orNull, default: 1 }, b: int, c: { ...orNull, default: 2 } },
        required: ['b'],
        additionalProperties: false,
      },
    ])
  })
})
