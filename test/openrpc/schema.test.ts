import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonSchema, jsonSchema, type Model, procedureSchemas } from 'rpc-gen/generator'
import { describe, expect, test } from 'vitest'
import { parseDate } from '../../runtime/jsonrpc/scalars.js'
import { isDate } from '../../runtime/values/predicates.js'
import { prepare } from '../support/compile-module.js'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const fixtures = join(root, 'fixtures/generate')
const cases = readdirSync(fixtures, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

async function modelOf(name: string): Promise<Model> {
  const { model, diagnostics } = await generate({ cwd: `${fixtures}/${name}`, paths: ['.'], out: 'expected.gen.ts' })
  expect(diagnostics).toEqual([])
  return model
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value ? [String(value.$ref)] : []
  return [...own, ...Object.values(value).flatMap(refsIn)]
}

function defsOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return schema.$defs ?? {}
}

describe('every reference leads to a definition, and every definition is used', () => {
  test.each(['recursive', 'constraints', 'overloads', 'generics', 'unions', 'structs'])('%s', async (name) => {
    expect(cases).toContain(name)
    const model = await modelOf(name)
    const own = model.procedures.map((procedure) => procedureSchemas(procedure, model))
    for (const schema of [jsonSchema(model), ...own.flatMap(({ params, result }) => [params, result])]) {
      const defs = Object.keys(defsOf(schema)).filter((each) => !/\.(?:params|result)$/.test(each))
      const used = new Set(refsIn(schema).map((ref) => ref.replace('#/$defs/', '')))
      expect([...used].sort()).toEqual(defs.sort())
    }
  })
})

test('params by position and by name, the result', async () => {
  const model = await modelOf('constraints')
  const defs = defsOf(jsonSchema(model))
  const age = { type: 'integer', minimum: 0, maximum: 2147483647 }
  expect(defs['change.params']).toEqual({
    anyOf: [
      {
        type: 'array',
        prefixItems: [
          { anyOf: [{ $ref: '#/$defs/PartialLine.input' }, { type: 'integer', minimum: 1, maximum: 2147483647 }] },
        ],
        minItems: 1,
        items: age,
      },
      {
        type: 'object',
        properties: {
          changes: {
            anyOf: [{ $ref: '#/$defs/PartialLine.input' }, { type: 'integer', minimum: 1, maximum: 2147483647 }],
          },
          ages: { type: 'array', items: age },
        },
        required: ['changes'],
        additionalProperties: false,
      },
    ],
  })
  expect(defs['change.result']).toEqual({ type: 'integer', minimum: 0, maximum: 150 })
  expect(defs['Line']).toEqual({
    title: 'Line',
    type: 'object',
    properties: {
      quantity: { type: 'integer', minimum: 1, maximum: 2147483647 },
      price: { description: 'In francs.', type: 'number', exclusiveMinimum: 0, multipleOf: 0.05 },
      steps: {
        anyOf: [{ type: 'integer', minimum: -2147483648, maximum: 2147483647, multipleOf: 5 }, { type: 'null' }],
      },
    },
    required: ['quantity', 'price'],
  })
})

test('a type that contains itself refers to itself', async () => {
  const model = await modelOf('recursive')
  const defs = defsOf(jsonSchema(model))
  const recursive = Object.entries(defs).filter(([name, schema]) => refsIn(schema).includes(`#/$defs/${name}`))
  expect(recursive.length).toBeGreaterThan(0)
})

test('a Date accepts the decodable forms as a parameter, and is RFC 3339 as a result', async () => {
  const defs = defsOf(jsonSchema(await modelOf('recursive')))
  const pattern = new RegExp(defs['date-time']?.pattern ?? '', 'u')
  const good = [
    '2020-02-29',
    '2020-01-02T03:04Z',
    '2020-01-02 03:04:05,123456',
    '2020-12-31T24:00:00+0100',
    '2000-02-29',
  ]
  const bad = [
    '2021-02-29',
    '1900-02-29',
    '2020-04-31',
    '2020-1-2',
    '2020-01-02T24:01',
    '2020-01-02T03:04:60Z',
    '0000-01-01',
  ]
  expect([...good, ...bad].filter((text) => pattern.test(text))).toEqual(good)
  expect([...good, ...bad].filter((text) => parseDate(text) && isDate(parseDate(text)))).toEqual(good)
  expect(defs['Person']?.properties?.['born']).toEqual({ type: 'string', format: 'date-time' })
  expect(defs['Person.input']?.properties?.['born']).toEqual({ $ref: '#/$defs/date-time' })
})

test('a Set with a limit on its size accepts a list without equal elements', async () => {
  const model = await modelOf('constraints')
  const { seen } = defsOf(jsonSchema(model))['Order.input']?.properties ?? {}
  expect(seen).toMatchObject({ type: 'array', uniqueItems: true, maxItems: 2 })
  expect(defsOf(jsonSchema(model))['Order']?.properties?.['seen']).not.toHaveProperty('uniqueItems')
})

test('a member of type void may be missing in an argument, as one of type undefined', async () => {
  const folder = temporaryFolder('void-members')
  prepare(
    folder,
    'a.ts',
    `interface Sent { a: void; b: 1 | void; c: undefined; d: 1 }
    /** @rpc */
    export function f(sent: Sent): Sent { return sent }`,
  )
  const { model } = await generate({ cwd: folder, paths: ['a.ts'], out: 'rpc.gen.ts' })
  const defs = defsOf(jsonSchema(model))
  expect(defs['Sent.input']?.required).toEqual(['d'])
  expect(defs['Sent']?.required).toEqual(['a', 'b', 'c', 'd'])
})

test('the same model gives the same bytes', async () => {
  const [one, other] = [await modelOf('unions'), await modelOf('unions')]
  expect(JSON.stringify(jsonSchema(one))).toBe(JSON.stringify(jsonSchema(other)))
})
