import { RpcServer } from 'rpc-gen'
import { paramsSchema } from 'rpc-gen/standard-schema'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as generated from '../../fixtures/wire/scalars/procedures.gen.js'
import { Decimal, Instant, Money } from '../../fixtures/wire/scalars/values.js'
import type { Procedure } from '../../runtime/call/types.js'
import { responseTo } from '../support/json-rpc.js'

const { procedures } = generated
const errors: Error[] = []
const server = new RpcServer({ procedures, onError: (error) => void errors.push(error) })

const post = (method: string, params: unknown, to: RpcServer = server) => responseTo(to.router(), method, params)

const three = new Decimal(300n)

describe('a call from the same process', () => {
  test('passes values of the type', async () => {
    const result = await server.call('echo.decimal', [three])
    expectTypeOf(result).toEqualTypeOf<Decimal>()
    expect(result).toBe(three)
    const money = new Money(three, 'EUR')
    expect(await server.call('echo.either', [money])).toBe(money)
    expect(await server.call('echo.map', [new Map([['a', three]])])).toEqual(new Map([['a', three]]))
  })

  test.each([
    ['another value', '3.00'],
    ['an object of another class', new Instant(0)],
    ['a value that cannot be encoded', new Decimal(-1n)],
  ])('rejects %s', async (_, value) => {
    await expect(server.call('echo.decimal', [value as Decimal])).rejects.toMatchObject({
      code: -32602,
      data: [{ path: ['value'], expected: 'Decimal (string)' }],
    })
  })
})

describe('a result that cannot be encoded', () => {
  test('is an internal error; onError receives that of the codec', async () => {
    errors.length = 0
    const response = await post('negative', [5])
    expect(response['error']).toEqual({ code: -32603, message: 'Internal error' })
    expect(errors).toMatchObject([
      { message: 'negative: result: the codec of Decimal threw an error', cause: { message: 'a negative number: -5' } },
    ])
  })

  test('rejects the call in the same process', async () => {
    await expect(server.call('negative', [5])).rejects.toMatchObject({
      code: -32603,
      cause: { message: 'negative: result: the codec of Decimal threw an error' },
    })
  })

  test('is reported with its path if it is not of the type', async () => {
    errors.length = 0
    await post('wrong', [])
    expect(errors.map(({ message }) => message)).toEqual([
      'wrong returned a value that does not match its declared type: result: expected Decimal (string), received string of length 4',
    ])
  })
})

test('the error of a decoder is not sent to callers, whatever errorDetails is', async () => {
  const open = new RpcServer({ procedures, errorDetails: 'values' })
  expect(await post('echo.decimal', ['hunter2'], open)).toMatchObject({
    error: { message: 'Invalid params: value: expected Decimal (string), received string "hunter2"' },
  })
  expect(JSON.stringify(await post('echo.decimal', ['hunter2']))).not.toMatch(/hunter2|not a decimal/)
})

test('unknown keys of a wire type are rejected where the server rejects them', async () => {
  const strict = new RpcServer({ procedures, unknownKeys: 'reject' })
  const value = { amount: '3.00', currency: 'EUR' }
  expect(await post('echo.money', [value], strict)).toMatchObject({ result: value })
  expect(await post('echo.money', [{ ...value, more: 1 }], strict)).toMatchObject({
    error: { code: -32602, data: [{ path: ['value', 'more'] }] },
  })
})

test('a schema has the wire type under the name of the scalar', async () => {
  const { result } = await post('rpc.discover', [])
  expect(result).toMatchObject({
    components: {
      schemas: {
        Decimal: { title: 'Decimal', description: 'An exact number of hundredths.', type: 'string' },
        Money: { title: 'Money' },
        Instant: { title: 'Instant', type: 'string', format: 'date-time' },
      },
    },
  })
})

test('a standard schema decodes', () => {
  const schema = paramsSchema(procedures['echo.money'] as Procedure)
  const result = schema['~standard'].validate({ value: { amount: '3.00', currency: 'EUR' } })
  expect(result).toEqual({ value: { value: new Money(three, 'EUR') } })
  expect(schema['~standard'].validate({ value: { amount: '3', currency: 'EUR' } })).toEqual({
    issues: [
      {
        code: 'type',
        limit: 'Decimal',
        message: 'expected Decimal (string), received string of length 1',
        path: ['value', 'amount'],
      },
    ],
  })
})

test('the docs page shows the name of the scalar, and calls with its wire value', async () => {
  const page = await new RpcServer({ procedures, docs: true })
    .router()
    .request('/', { headers: { Accept: 'text/html' } })
  const text = await page.text()
  expect(text).toMatch(/href="#[^"]*type\.Decimal"/)
  expect(text).toContain('An exact number of hundredths.')
})

test('a codec that an import cycle has left undefined is an error when the module is loaded', async () => {
  const { scalar, string } = await import('rpc-gen/codegen/v1')
  expect(() => scalar('Decimal', undefined as never, string)).toThrow(
    'scalar Decimal: its codec is undefined; is it part of an import cycle?',
  )
})
