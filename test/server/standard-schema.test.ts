import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { argumentsSchema, paramsSchema, resultSchema } from 'rpc-gen/standard-schema'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type JsonParams,
  type JsonProcedures,
  type Procedures,
  procedures,
} from '../../fixtures/generate/api-docs/expected.gen.js'
import { procedures as overloaded } from '../../fixtures/generate/overload-docs/expected.gen.js'
import { procedures as recursive } from '../../fixtures/generate/recursive/expected.gen.js'
import type { Procedure } from '../../runtime/call/types.js'

const create = procedures['order.create']
const order = { sku: 'a', due: '2026-01-02T03:04:05Z', from: { country: 'CH' } } as const

function validate<Output>(schema: StandardSchemaV1<unknown, Output>, value: unknown): StandardSchemaV1.Result<Output> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('nothing here takes time')
  return result
}

describe('parameters by name', () => {
  const schema = paramsSchema(create)

  test('are returned as TypeScript values, without unknown keys', () => {
    const wire = { order: { ...order, secret: 1 }, express: null }
    expect(validate(schema, wire)).toEqual({ value: { order: { ...order, due: new Date(order.due) } } })
  })

  test('a rest parameter is a list', () => {
    const count = paramsSchema(procedures['order.count'])
    expect(validate(count, { state: 'open', years: [1, 2] })).toEqual({ value: { state: 'open', years: [1, 2] } })
    expect(validate(count, {})).toEqual({ value: { years: [] } })
  })

  test('each overload has names of its own', () => {
    const find = paramsSchema(overloaded.find)
    expect(validate(find, { name: 'Ada' })).toEqual({ value: { name: 'Ada' } })
    expect(validate(find, { id: 1, zone: 'a' })).toEqual({ value: { id: 1, zone: 'a' } })
    expect(validate(find, { name: true })).toMatchObject({ issues: [{ path: ['name'] }] })
  })

  test.each([
    ['no object', 1, [{ message: 'expected object, received int' }]],
    ['a list', [order], [{ message: 'expected object, received array of length 1' }]],
    ['a missing one', {}, [{ message: 'expected Order, received nothing', path: ['order'] }]],
    [
      'an unknown one',
      { ordr: 1 },
      [{ message: 'expected one of order, express, received an unknown name', path: ['ordr'] }],
    ],
    [
      'a wrong member',
      { order: { ...order, quantity: 1.5, from: { country: 'XX' } } },
      [
        { message: 'expected int, received non-integer number', path: ['order', 'quantity'] },
        { message: 'expected "CH" | "FR", received string of length 2', path: ['order', 'from', 'country'] },
      ],
    ],
  ])('%s is reported with its path', (_what, wire, issues) => {
    expect(validate(schema, wire)).toMatchObject({ issues })
  })

  test('has its vendor and its types', () => {
    expect(schema['~standard']).toMatchObject({ version: 1, vendor: 'rpc-gen' })
    expectTypeOf<StandardSchemaV1.InferInput<typeof schema>>().toEqualTypeOf<JsonParams['order.create']>()
    type Names = keyof StandardSchemaV1.InferOutput<typeof schema>
    expectTypeOf<Names>().toEqualTypeOf<'order' | 'express'>()
    expectTypeOf(schema).toExtend<StandardSchemaV1>()
    expectTypeOf(schema).toExtend<StandardJSONSchemaV1>()
  })
})

describe('parameters by position', () => {
  const schema = argumentsSchema(create)

  test('are the arguments of the function', () => {
    expect(validate(schema, [order, true])).toEqual({ value: [{ ...order, due: new Date(order.due) }, true] })
    expectTypeOf<StandardSchemaV1.InferOutput<typeof schema>>().toEqualTypeOf<Parameters<Procedures['order.create']>>()
    expectTypeOf<StandardSchemaV1.InferInput<typeof schema>>().toEqualTypeOf<
      Parameters<JsonProcedures['order.create']>
    >()
    expect(validate(schema, [])).toEqual({
      issues: [{ message: 'expected Order, received nothing', path: ['order'], code: 'required' }],
    })
    expect(validate(schema, { order })).toEqual({
      issues: [{ message: 'expected array, received object', code: 'type', limit: 'array' }],
    })
  })
})

describe('a result', () => {
  test('accepts what the function returns, and outputs its JSON form', () => {
    expect(validate(resultSchema(procedures.legacy), [1n])).toEqual({ value: ['1'] })
    expect(validate(resultSchema(create), 'open')).toEqual({ value: 'open' })
    expect(validate(resultSchema(create), 'lost')).toEqual({
      issues: [
        {
          message: 'expected "open" | "sent", received string of length 4',
          path: [],
          code: 'enum',
          limit: ['open', 'sent'],
        },
      ],
    })
  })
})

describe('as JSON Schema', () => {
  const schemaOf = (schema: StandardJSONSchemaV1, target: string) => schema['~standard'].jsonSchema.input({ target })

  test('2020-12, with the types that it refers to', () => {
    const schema = schemaOf(paramsSchema(create), 'draft-2020-12')
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { order: { $ref: '#/$defs/Order.input' } },
      required: ['order'],
      additionalProperties: false,
    })
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Order.input', 'date-time', 'OrderFrom', 'Country'])
    expect(schemaOf(resultSchema(create), 'draft-2020-12')).toMatchObject({ $ref: '#/$defs/State' })
  })

  test('draft-07 has other keywords for tuples and definitions', () => {
    const schema = schemaOf(argumentsSchema(create), 'draft-07')
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      items: [{ description: 'What is wanted', allOf: [{ $ref: '#/definitions/Order.input' }] }, {}],
      minItems: 1,
      additionalItems: false,
    })
    expect(JSON.stringify(schema)).not.toMatch(/\$defs|prefixItems/)
  })

  test('recursion is a reference', () => {
    for (const procedure of Object.values<Procedure>(recursive)) {
      for (const target of ['draft-2020-12', 'draft-07']) {
        expect(() => JSON.stringify(schemaOf(paramsSchema(procedure), target))).not.toThrow()
      }
    }
  })

  test('another dialect is rejected', () => {
    expect(() => schemaOf(paramsSchema(create), 'openapi-3.0')).toThrow('draft-2020-12 or draft-07, not as openapi-3.0')
  })
})
