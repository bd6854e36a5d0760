import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { type Manifest, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Model, ModelType } from '../../generator/model/model.js'
import { withSettings } from '../../runtime/call/procedure.js'
import { referencedNames } from '../../runtime/description/described-types.js'
import { root } from '../support/paths.js'
import { compileModel } from '../types/compile-model.js'
import { models } from '../types/models.js'
import { jsonText, valuesOf } from '../types/values.js'
import { compileFixture } from './fixture.js'

interface Tool {
  readonly name: string
  readonly inputSchema: Schema
  readonly outputSchema?: Schema
}

// biome-ignore lint/suspicious/noExplicitAny: any keyword
type Schema = Record<string, any>

async function toolsOf(procedures: Manifest, options: RpcServerOptions = {}): Promise<Tool[]> {
  // Callers without credentials get no tool with auth.
  const open = Object.entries(procedures).map(([name, each]) => [name, withSettings(each, { auth: undefined })])
  const app = mcp(new RpcServer({ procedures: Object.fromEntries(open), ...options }), { tools: 'all' })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
  }
  const response = await app.request('/', { method: 'POST', headers, body })
  return (await response.json()).result.tools
}

async function inputsOf(source: string, options: RpcServerOptions = {}): Promise<Record<string, Schema>> {
  const { procedures } = await compileFixture(source)
  const tools = await toolsOf(procedures, options)
  return Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))
}

/** The keywords that an input schema may have. */
const keywords = [
  ...['type', 'title', 'description', 'deprecated', '$ref', '$defs', 'anyOf', 'const', 'enum', 'format', 'pattern'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  'contentEncoding',
]

/** Returns what of a schema the APIs of models reject. */
function violations(schema: Schema): string[] {
  const found: string[] = []
  const report = (path: string, what: string) => {
    found.push(`${path}: ${what}`)
  }
  const { $defs = {} } = schema
  if (schema['type'] !== 'object' || typeof schema['properties'] !== 'object') report('', 'no object with properties')
  if (schema['$ref'] || schema['anyOf']) report('', 'not a plain object')
  const visit = (each: unknown, path: string): void => {
    const isSchema = typeof each === 'object' && each !== null && !Array.isArray(each)
    if (!isSchema) {
      report(path, 'not a schema')
      return
    }
    const { type, anyOf, $ref, pattern, items, properties, additionalProperties, ...others } = each as Schema
    for (const key of Object.keys(each)) if (!keywords.includes(key)) report(path, `the keyword ${key}`)
    if (Array.isArray(type)) report(path, 'a list of types')
    if (type === undefined && !anyOf && !$ref) report(path, 'no type')
    if ('enum' in others && type !== 'string') report(path, 'values that are not texts')
    if ('const' in others && type !== 'boolean') report(path, 'a constant that is not a boolean')
    if (type === 'array' && (typeof items !== 'object' || items === null)) report(path, 'no items')
    if (pattern !== undefined) {
      if (/\(\?<?[=!]|\\[dDwWsSpPbBk1-9]/.test(pattern)) report(path, `the pattern ${pattern}`)
      new RegExp(pattern, 'u')
    }
    if ($ref !== undefined && !isRecursive($ref, $defs)) report(path, `the reference ${$ref}`)
    if (items !== undefined) visit(items, `${path}/items`)
    for (const [name, member] of Object.entries(properties ?? {})) visit(member, `${path}/${name}`)
    if (additionalProperties !== undefined && additionalProperties !== false) visit(additionalProperties, `${path}/*`)
    for (const [i, branch] of (anyOf ?? []).entries()) visit(branch, `${path}/anyOf/${i}`)
  }
  visit(schema, '')
  for (const [name, each] of Object.entries($defs)) visit(each, `$defs/${name}`)
  return found
}

/** True if a reference has a definition that refers to itself, perhaps through others. */
function isRecursive($ref: string, $defs: Schema): boolean {
  const refsIn = (name: string) =>
    [...JSON.stringify($defs[name] ?? {}).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, to = '']) => to)
  const name = $ref.replace('#/$defs/', '')
  const reached = new Set(refsIn(name))
  for (const each of reached) for (const next of refsIn(each)) reached.add(next)
  return Object.hasOwn($defs, name) && reached.has(name)
}

const fixtures = readdirSync(join(root, 'fixtures/generate'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

describe('the input schemas of every fixture are in the subset', () => {
  test.each(fixtures)('%s', async (name) => {
    const module = await import(pathToFileURL(join(root, 'fixtures/generate', name, 'expected.gen.ts')).href)
    for (const options of [{}, { unknownKeys: 'strip' }, { unknownKeys: 'reject' }] as const) {
      const tools = await toolsOf(module.procedures, options)
      const found = tools.flatMap((tool) => violations(tool.inputSchema).map((each) => `${tool.name} ${each}`))
      expect(found).toEqual([])
      // A subscription is not a tool.
      expect(tools.length > 0).toBe(name !== 'subscriptions')
      for (const tool of tools) expect(tool.name).toMatch(/^[\w-]{1,64}$/)
    }
  })
})

describe('each construct', () => {
  const source = `import type { Int, Pattern, Maximum } from 'rpc-gen'
export interface Order { sku: string; quantity: Int }
export interface Tree { label: string; children: Tree[]; order: Order }
export interface Odd { even: Even | null }
export interface Even { odd: Odd | null; order: Order }
export type Shape = { kind: 'circle'; r: number } | { kind: 'box'; w: number; r?: string }
export type Small = Int & Maximum<5>
/** @rpc
 * @params object */
export function object(order: Order): void {}
/** @rpc
 * @params object */
export function map(words: Record<string, Int>): void {}
/** @rpc
 * @params object */
export function union(shape: Shape): void {}
/** @rpc
 * @params object */
export function rootOfTree(tree: Tree): void {}
/** @rpc
 * @param order Which one */
export function inlined(order: Order, more: Order[], at?: Date): void {}
/** @rpc */
export function recursive(tree: Tree, odd: Odd): void {}
/** @rpc */
export function untyped(query: unknown, tags: any[], values: Record<string, unknown>): void {}
/** @rpc */
export function values(mode: 'fast' | 'slow', level: 1 | 2, share: 0.5 | 1, mixed: 'a' | 1 | true, one: 'x', five: 5n): void {}
/** @rpc */
export function tuples(range: [Int, Int], pair: [Int, 'a' | 'b', Order?], rest: [Int, ...string[]], numbers: [404 | 0 | 1 | 2, 7, true], empty: []): void {}
/** @rpc */
export function patterns(
  id: \`id-\${string}\`, number: \`\${number}\`, bytes: Uint8Array, big: bigint,
  sku: string & Pattern<'^(?<year>\\\\d{4})-\\\\w+[\\\\w.-]\\\\D$'>, ahead: string & Pattern<'^(?!x)a'>, behind: string & Pattern<'(?<=a)b'>,
  space: string & Pattern<'a\\\\sb'>, letter: string & Pattern<'^\\\\p{L}$'>, escaped: string & Pattern<'^\\\\\\\\d[(?=]$'>,
): void {}
/** @rpc */
export function limited(small: Small & Maximum<9>): void {}
/** @rpc */
export function indexes(value: { [key: \`x-\${string}\`]: Int; z: string }, __proto__: Int): void {}
/** The level. */
export enum Level {
  /** No words */
  Off = 0,
  On = 1,
}
export const Color = { Red: 'red', Blue: 'blue' } as const
export type Color = (typeof Color)[keyof typeof Color]
export interface Remarked {
  /** @deprecated use level */
  old?: Level
  /** How many
   * @default 20 */
  limit?: Int
}
/** @rpc
 * @param level Which level */
export function remarks(level: Level, plain: Level, color: Color = 'red', of: Remarked = { limit: 1 }): void {}
/** @rpc */
export function nothing(): void {}
`
  const int = { type: 'integer', minimum: -2147483648, maximum: 2147483647 }
  const order = {
    title: 'Order',
    type: 'object',
    properties: { sku: { type: 'string' }, quantity: int },
    required: ['sku', 'quantity'],
  }
  const anyOf = (...more: object[]) => ({
    anyOf: [...['string', 'number', 'boolean', 'object', 'null'].map((type) => ({ type })), ...more],
  })
  const listsOf = (items: object) => anyOf({ type: 'array', items })
  const any = listsOf(listsOf(anyOf()))
  const tree = (root: object) => ({
    title: 'Tree',
    type: 'object',
    properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } }, order },
    required: ['label', 'children', 'order'],
    ...root,
  })
  let inputs: Record<string, Schema>
  beforeAll(async () => {
    inputs = await inputsOf(source)
  })

  test.each<[string, object]>([
    ['object', order],
    ['map', { type: 'object', properties: {}, additionalProperties: int }],
    [
      'union',
      {
        title: 'Shape',
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['circle', 'box'] },
          r: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] },
          w: { type: 'number' },
        },
        required: ['kind'],
      },
    ],
    ['rootOfTree', tree({ $defs: { Tree: tree({}) } })],
    ['nothing', { type: 'object', properties: {}, additionalProperties: false }],
  ])('the root of %s', (name, expected) => {
    expect(inputs[name]).toEqual(expected)
  })

  const date = { type: 'string', format: 'date-time' }
  const nullSchema = { type: 'null' }

  test.each<[string, string, object]>([
    [
      'remarks',
      'level',
      { title: 'Level', type: 'integer', minimum: 0, maximum: 1, description: 'Which level\n0: Off - No words\n1: On' },
    ],
    [
      'remarks',
      'plain',
      { title: 'Level', type: 'integer', minimum: 0, maximum: 1, description: 'The level.\n0: Off - No words\n1: On' },
    ],
    ['inlined', 'order', { ...order, description: 'Which one' }],
    ['inlined', 'more', { type: 'array', items: order }],
    ['inlined', 'at', { anyOf: [date, nullSchema] }],
    ['recursive', 'tree', { $ref: '#/$defs/Tree' }],
    ['untyped', 'query', any],
    ['untyped', 'tags', { type: 'array', items: any }],
    ['untyped', 'values', { type: 'object', additionalProperties: any }],
    ['values', 'mode', { type: 'string', enum: ['fast', 'slow'] }],
    ['values', 'level', { type: 'integer', minimum: 1, maximum: 2 }],
    [
      'values',
      'share',
      {
        anyOf: [
          { type: 'number', minimum: 0.5, maximum: 0.5 },
          { type: 'integer', minimum: 1, maximum: 1 },
        ],
      },
    ],
    [
      'values',
      'mixed',
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'integer', minimum: 1, maximum: 1 },
          { type: 'boolean', const: true },
        ],
      },
    ],
    ['values', 'one', { type: 'string', enum: ['x'] }],
    [
      'values',
      'five',
      {
        anyOf: [
          { type: 'string', enum: ['5'] },
          { type: 'integer', minimum: 5, maximum: 5 },
        ],
      },
    ],
    ['tuples', 'range', { type: 'array', minItems: 2, maxItems: 2, items: int }],
    [
      'tuples',
      'pair',
      {
        type: 'array',
        description: 'In this order: integer, "a" or "b", Order or null',
        minItems: 2,
        maxItems: 3,
        items: { anyOf: [int, { type: 'string', enum: ['a', 'b'] }, order, nullSchema] },
      },
    ],
    [
      'tuples',
      'rest',
      {
        type: 'array',
        description: 'In this order: integer, any number of string',
        minItems: 1,
        items: { anyOf: [int, { type: 'string' }] },
      },
    ],
    [
      'tuples',
      'numbers',
      {
        type: 'array',
        description: 'In this order: 0 to 2 or 404, 7, true',
        minItems: 3,
        maxItems: 3,
        items: {
          anyOf: [
            { type: 'integer', minimum: 0, maximum: 2 },
            { type: 'integer', minimum: 404, maximum: 404 },
            { type: 'integer', minimum: 7, maximum: 7 },
            { type: 'boolean', const: true },
          ],
        },
      },
    ],
    ['tuples', 'empty', { type: 'array', minItems: 0, maxItems: 0, items: any }],
    ['patterns', 'id', { type: 'string', pattern: '^id-' }],
    ['patterns', 'number', { type: 'string' }],
    ['patterns', 'bytes', { type: 'string', contentEncoding: 'base64' }],
    ['patterns', 'big', { anyOf: [{ type: 'string', pattern: '^-?[0-9]+$' }, { type: 'integer' }] }],
    ['patterns', 'sku', { type: 'string', pattern: '^(?:[0-9]{4})-[A-Za-z0-9_]+[A-Za-z0-9_.-][^0-9]$' }],
    ['patterns', 'ahead', { type: 'string' }],
    ['patterns', 'behind', { type: 'string' }],
    ['patterns', 'space', { type: 'string' }],
    ['patterns', 'letter', { type: 'string' }],
    ['patterns', 'escaped', { type: 'string', pattern: '^\\\\d[(?=]$' }],
    ['limited', 'small', { ...int, maximum: 5 }],
    [
      'indexes',
      'value',
      { type: 'object', properties: { z: { type: 'string' } }, required: ['z'], additionalProperties: int },
    ],
  ])('%s: %s', (name, param, expected) => {
    expect(inputs[name]?.['properties'][param]).toEqual(expected)
  })

  test('types that contain themselves, also through others, are the only definitions', () => {
    const { $defs } = inputs['recursive'] ?? {}
    expect(Object.keys($defs)).toEqual(['Tree', 'Odd', 'Even'])
    expect($defs.Even.properties.order).toEqual(order)
  })
})

describe('names that no type has', () => {
  const source = `export interface Order { sku: string; more: { note: string } }
/** @rpc */
export function byName(order: Order, values: Record<string, string>): void {}
/** @rpc
 * @params object */
export function object(order: Order): void {}
`

  test.each([
    ['by default', undefined, [false, undefined, undefined], [undefined, undefined]],
    ['stripped', 'strip', [undefined, undefined, undefined], [undefined, undefined]],
    ['rejected', 'reject', [false, false, false], [false, false]],
  ] as const)('%s: what calls do', async (_, unknownKeys, byName, object) => {
    const inputs = await inputsOf(source, unknownKeys === undefined ? {} : { unknownKeys })
    const { properties, additionalProperties: root } = inputs['byName'] ?? {}
    const { order, values } = properties
    expect([root, order.additionalProperties, order.properties.more.additionalProperties]).toEqual(byName)
    expect(values.additionalProperties).toEqual({ type: 'string' })
    expect([
      inputs['object']?.['additionalProperties'],
      inputs['object']?.['properties'].more.additionalProperties,
    ]).toEqual(object)
  })
})

test('types that contain others many times are not inlined: their size would double with each', async () => {
  const levels = Array.from({ length: 40 }, (_, i) => `export interface L${i} { a: L${i + 1}; b: L${i + 1} }`)
  const { wide = {} } = await inputsOf(`${levels.join('\n')}
export interface L40 { leaf: string }
/** @rpc */
export function wide(value: L0): void {}
`)
  expect(Object.keys(wide['$defs'])).toHaveLength(41)
  expect(wide['properties'].value).toEqual({ $ref: '#/$defs/L0' })
})

test('a long row of types', async () => {
  const row = Array.from({ length: 500 }, (_, i) => `export interface R${i} { next: R${i + 1} }`)
  const { long = {} } = await inputsOf(`${row.join('\n')}
export interface R500 { leaf: string }
/** @rpc */
export function long(value: R0): void {}
`)
  expect(Object.keys(long['$defs'])).toHaveLength(501)
})

/** A type and all types that it refers to. */
function typesIn(type: ModelType | undefined, { types }: Model): readonly ModelType[] {
  const found = new Set(type ? [type] : [])
  // It grows while it is iterated.
  for (const each of found) {
    for (const name of referencedNames(each)) {
      for (const named of types) if (named.name === name) found.add(named.type)
    }
  }
  return [...found]
}

describe('random types: the schema is in the subset, and accepts what calls accept', () => {
  const all = fc.sample(models(20), { seed: 3, numRuns: 4 })
  const ajv = new Ajv2020({ strict: false, ownProperties: true })
  addFormats.default(ajv)
  // Calls also accept dates without a zone.
  ajv.addFormat('date-time', true)
  // Theirs is not exact.
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword('multipleOf')

  test.each(all.map((model, i) => [i, model] as const))('model %i', async (i, model) => {
    const { procedures } = await compileModel(model)
    const inputs = new Map((await toolsOf(procedures)).map(({ name, inputSchema }) => [name, inputSchema]))
    const server = mcp(new RpcServer({ procedures }), { tools: 'all' })
    let accepted = 0
    for (const [at, procedure] of Object.values(procedures).entries()) {
      const inputSchema = inputs.get(procedure.name) ?? {}
      expect(violations(inputSchema)).toEqual([])
      // A key that matches no pattern may have any value in a call; ajv ignores `__proto__` in `properties`.
      const type = JSON.stringify(typesIn(model.procedures[at]?.returns.type, model))
      if (/"keys":|"__proto__"/.test(type)) continue
      const isValid = ajv.compile(inputSchema)
      const [param] = procedure.params
      if (!param) throw new Error('a procedure without its parameter')
      for (const value of fc.sample(valuesOf(param.type), { seed: 38 + i, numRuns: 30 })) {
        const args = `{"${param.name}":${jsonText(value)}}`
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${procedure.name}","arguments":${args}}}`
        const response = await server.request('/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        const { result } = await response.json()
        if (result.isError) continue
        accepted += 1
        if (!isValid(JSON.parse(args))) expect([args, inputSchema, ajv.errors]).toEqual([])
      }
    }
    expect(accepted).toBeGreaterThan(100)
  })
})
