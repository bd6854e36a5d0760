import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockText } from '../../generator/diff/lock.js'
import type { DescribedType } from '../../runtime/description/description.js'
import type { OpenRpc, OpenRpcMethod } from '../../runtime/description/openrpc.js'
import { cli } from '../support/command.js'
import { requireBuild } from '../support/project.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { diffApis, documentOf, echo, oneSided, procedureOf } from './documents.js'
import type { ForeignSchema } from './schemas.js'

// Work that grows faster than the document would exceed the time of the test.

/** Patterns for which RegExp takes exponential or polynomial time, and one that repeats much. */
const repeating = [
  '(a+)+$',
  '^(a|a)*$',
  '^(a*)*$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  `${'a*'.repeat(30)}b$`,
  '^(?=(a+)+$)b',
  '(?:){999999999}$',
]

/** These, long ones, and ones that are not valid. */
const slow = [
  ...repeating,
  ...[
    '((a?){99}){99}b',
    `(${'a|'.repeat(5000)}`,
    `${'a|'.repeat(50_000)}`,
    `${'('.repeat(900)}a${')'.repeat(900)}`,
    `${')$)(?:'.repeat(20_000)}`,
  ],
  `^(?!(?:${')$)(?:'.repeat(20_000)}`,
]

function diff(old: ForeignSchema, now: ForeignSchema) {
  return diffApis(documentOf([echo('f', old)]), documentOf([echo('f', now)]))
}

describe.each(slow.map((pattern) => [pattern.slice(0, 40), pattern]))('the pattern %s', (_, pattern) => {
  const text = `${'a'.repeat(5000)}!`
  test('and constants', () => {
    const words = ['a'.repeat(30), `${'a'.repeat(40)}!`, text]
    expect(diff({ type: 'string', pattern }, { enum: words }).some(({ breaking }) => breaking)).toBe(true)
    expect(diff({ const: words[1] }, { type: 'string', pattern })).not.toEqual([])
  })
  test('and names of members', () => {
    const named = (patternProperties: object, properties: object) =>
      diff({ type: 'object', patternProperties } as ForeignSchema, { type: 'object', properties } as ForeignSchema)
    expect(named({ [pattern]: { type: 'string' } }, { [text]: { type: 'number' } })).not.toEqual([])
  })
  test('is the same as itself', () => {
    expect(diff({ type: 'string', pattern }, { type: 'string', pattern })).toEqual([])
  })
})

test('no pattern of a lock is run', () => {
  requireBuild()
  const folder = temporaryFolder('hostile-lock')
  const name = `${'a'.repeat(5000)}!`
  const int = { kind: 'int' } as const
  const typesOf = (pattern: string): DescribedType[] => {
    const keys = { text: 'a text', pattern }
    return [
      { kind: 'struct', members: [{ name, type: { kind: 'any' } }], indexes: [{ keys, type: int }] },
      { kind: 'map', keys, value: int },
      { kind: 'template', ...keys },
      {
        kind: 'union',
        branches: [
          { kind: 'literal', value: name },
          { kind: 'string', constraints: { pattern } },
        ],
      },
    ]
  }
  const procedures = repeating.flatMap(typesOf).map((type, i) => procedureOf(`f${i}`, type))
  const lock = join(folder, 'rpc.lock.json')
  const other = join(folder, 'other.json')
  writeFileSync(lock, lockText({ procedures, types: [] }))
  const literal: DescribedType = { kind: 'literal', value: name }
  writeFileSync(other, lockText({ procedures: procedures.map((each) => procedureOf(each.name, literal)), types: [] }))
  // A pattern that is run does not end, and cannot be stopped in this process.
  const statusOf = (...files: string[]) =>
    spawnSync(process.execPath, [cli, 'diff', ...files], { timeout: 20_000, stdio: 'ignore' }).status
  expect([statusOf(lock, other), statusOf(other, lock), statusOf(lock, lock)]).toEqual([1, 1, 0])
})

const many = 20_000
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

test.each([
  ['strings', (i: number, version: string) => `${version}${i}`],
  ['numbers', (i: number, version: string) => (version === 'old' ? i : i + many)],
  ['lists', (i: number, version: string) => [version, i]],
])('%s of an enum that are all other ones', (_, value) => {
  const [old, now] = ['old', 'new'].map((version) => ({ enum: range(many).map((i) => value(i, version)) }))
  expect(diff(old as ForeignSchema, now as ForeignSchema).length).toBeGreaterThan(0)
})

test('an enum whose values have another order, with duplicates', () => {
  const values = range(many).map(String)
  expect(diff({ enum: values }, { enum: [...values.toReversed(), ...values] })).toEqual([])
})

test('enums that are united; those that are intersected are not compared', () => {
  const [old, now] = ['old', 'new'].map((version) => ({
    enum: range(many).map((i) => `${version}${i % 9 ? i : version}`),
  }))
  const both = [old, { enum: [...(old?.enum ?? []), 'x'] }] as ForeignSchema[]
  expect(diff({ allOf: both }, { allOf: both })).toEqual([])
  expect(diff({ allOf: both }, old as ForeignSchema).map(({ code }) => code)).toContain('not-compared')
  expect(diff({ anyOf: [old, now] as ForeignSchema[] }, { anyOf: [now, old] as ForeignSchema[] })).toEqual([])
})

test.each<[string, number, (i: number, version: string) => object]>([
  ['objects with a tag', 10_000, (i, version) => tagged(`${i}`, version === 'old' ? 'string' : 'integer')],
  ['objects with other tags', 10_000, (i, version) => tagged(`${version}${i}`, 'string')],
  ['objects without a tag', 1000, (i, version) => ({ type: 'object', required: [`${version}${i}`] })],
  ['lists', 1000, (i, version) => ({ type: 'array', items: { const: `${version}${i}` } })],
  ['patterns', 1000, (i, version) => ({ type: 'string', pattern: `${version}${i}` })],
  ['long patterns', 1000, (i, version) => ({ type: 'string', pattern: `^${version}${i}${'$|^c'.repeat(300)}` })],
])('unions of many %s', (_, count, branch) => {
  const [old, now] = ['old', 'new'].map((version) => ({ anyOf: range(count).map((i) => branch(i, version)) }))
  expect(diff(old as ForeignSchema, now as ForeignSchema).some(({ breaking }) => breaking)).toBe(true)
})

function tagged(tag: string, type: string): object {
  return { type: 'object', properties: { tag: { const: tag }, x: { type } }, required: ['tag'] }
}

test('a large union in another order', () => {
  const anyOf = range(many).flatMap((i) => [tagged(`${i}`, 'string'), { type: 'string', pattern: `${i}` }])
  expect(diff({ anyOf } as ForeignSchema, { anyOf: anyOf.toReversed() } as ForeignSchema)).toEqual([])
})

test('values beside a pattern that takes the most steps', () => {
  const all = range(many).map((i) => `${'a'.repeat(40)}${i}!`)
  expect(diff({ type: 'string', pattern: '^(a|a)*$' }, { enum: all }).length).toBeGreaterThan(0)
})

test('members that all have other names', () => {
  const object = (version: string) => ({
    type: 'object',
    properties: Object.fromEntries(range(many).map((i) => [`${version}${i}`, { type: 'string' }])),
    required: range(many).map((i) => `${version}${i}`),
  })
  expect(diff(object('old') as ForeignSchema, object('new') as ForeignSchema).length).toBeGreaterThan(many)
})

test('tuples of many elements that may be missing', () => {
  const tuple = (type: string) => ({ type: 'array', prefixItems: range(many).map(() => ({ type })), items: false })
  expect(diff(tuple('string') as ForeignSchema, tuple('number') as ForeignSchema)).not.toEqual([])
  expect(diff(tuple('string') as ForeignSchema, tuple('string') as ForeignSchema)).toEqual([])
})

test('members and patterns do not multiply', () => {
  const patternProperties = Object.fromEntries(range(2000).map((i) => [`^(a|a)*${i}$`, { type: 'string' }]))
  const properties = Object.fromEntries(range(2000).map((i) => [`${'a'.repeat(30)}${i}`, { type: 'number' }]))
  const [old, now] = [
    { type: 'object', patternProperties },
    { type: 'object', properties },
  ] as ForeignSchema[]
  expect(diff(old as ForeignSchema, now as ForeignSchema)).not.toEqual([])
})

test('members and patterns of their beginnings do not multiply', () => {
  const names = range(3000).map((i) => `x${i}`)
  const object = (type: string) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
    patternProperties: Object.fromEntries(names.map((name) => [`^${name}-|^y${name}`, { type }])),
  })
  expect(diff(object('string') as ForeignSchema, object('string') as ForeignSchema)).toEqual([])
})

test('a tag that is required many times, and has many values', () => {
  const variant = { type: 'object', properties: { tag: at('E') }, required: range(many).map(() => 'tag') }
  const document = loose([echo('f', { oneOf: [variant, tagged('x', 'string')] } as ForeignSchema)], {
    E: { enum: range(many) },
  })
  expect(diffApis(document, document)).toEqual([])
})

function renamed(types: readonly ForeignSchema[]) {
  const methods = (version: string) => types.map((type, i) => echo(`${version}.method${i}`, type))
  return new Set(diffApis(documentOf(methods('old')), documentOf(methods('new'))).map(({ code }) => code))
}

test('a renamed method is found if no other one has its types', () => {
  expect(renamed([{ type: 'string' }, { type: 'boolean' }])).toEqual(new Set(['method-renamed']))
  expect(renamed([{ type: 'string' }, { type: 'string' }])).toEqual(new Set(['method-removed', 'method-added']))
  expect(renamed(range(5000).map((i) => ({ const: i })))).toEqual(new Set(['method-renamed']))
})

test('the changes of a renamed method are reported too', () => {
  const method = (name: string, type: string) => {
    const member = { type: 'object', properties: { x: { type } } }
    return documentOf([echo(name, { $ref: '#/components/schemas/T' })], { T: member } as never)
  }
  const changes = diffApis(method('a', 'string'), method('b', 'integer'))
  expect(changes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'method-renamed a',
    'param-type-changed a(x).x',
    'result-type-changed a().x',
  ])
})

test('more values of an enum than a call can have arguments', () => {
  const [old, now] = [{ enum: range(130_000).map((i) => `old${i}`) }, { enum: ['new'] }]
  expect(diffApis(oneSided('param', old), oneSided('param', now))).toHaveLength(130_001)
})

test.each([
  ['required', { type: 'object', required: 5 }],
  ['required', { type: 'object', required: {} }],
  ['properties', { type: 'object', properties: 5 }],
  ['patternProperties', { type: 'object', patternProperties: [] }],
  ['prefixItems', { type: 'array', prefixItems: {} }],
])('a schema whose %s is not valid is an error that names the file', (word, schema) => {
  const malformed = schema as unknown as ForeignSchema
  expect(() => diff(malformed, {})).toThrow(`the old document has a schema whose "${word}" is not a`)
  expect(() => diff({}, malformed)).toThrow(`the new document has a schema whose "${word}" is not a`)
})

/** A document of methods, of which any value may be a reference. */
function loose(methods: readonly unknown[], more: object = {}): OpenRpc {
  return { ...documentOf(methods as OpenRpcMethod[]), ...more }
}

const at = (name: string) => ({ $ref: `#/${name}` })

test('methods of one name are an error before the second one is read: many references may lead to one method', () => {
  const m = { name: 'm', errors: range(3000).map((code) => ({ code, message: '' })) }
  const document = loose(
    range(3000).map(() => at('m')),
    { m },
  )
  expect(() => diffApis(document, document)).toThrow('methods 1 and 2 of the old document are both called m')
})

test('content descriptors and errors that many references lead to are read once', () => {
  const c = { name: 'c'.repeat(40_000), schema: { type: 'string' } }
  const e = { code: 1, message: 'e'.repeat(40_000) }
  const method = (i: number) => ({ name: `m${i}`, params: [at('c')], result: at('c'), errors: [at('e')] })
  const document = loose(range(3000).map(method), {
    c,
    e,
    ...Object.fromEntries(range(3000).map((i) => [`x-${i}`, i])),
  })
  expect(diffApis(document, document)).toEqual([])
})

test('a schema with one type many times is read once', () => {
  const properties = Object.fromEntries(range(4000).map((i) => [`a${i}`, { type: 'string' }]))
  const schema = { type: range(4000).map(() => 'object'), properties } as unknown as ForeignSchema
  expect(diff(schema, schema)).toEqual([])
})

test('texts of schemas in schemas do not multiply', () => {
  const nested = range(200).reduce<object>((inner) => ({ not: 1, properties: { a: inner } }), {
    const: 'x'.repeat(100_000),
  })
  const small = range(700).reduce<object>((inner) => ({ not: 1, properties: { a: inner } }), {})
  for (const each of [small, nested] as ForeignSchema[]) {
    expect(diff(each, each)).toEqual([])
    expect(diff({}, each).some(({ breaking }) => breaking)).toBe(true)
  }
})

test('patterns with many alternatives in each of many methods', () => {
  const lengths = range(60).map((n) => `^${'c'.repeat(n + 1)}d`)
  const pattern = (version: string, j: number) =>
    version === 'old'
      ? range(250)
          .map((i) => `^b${i}$`)
          .concat(`^z${j}$`)
      : [...lengths, `^c${j}$`, '^b']
  const document = (version: string) => {
    const schemas = range(6).map((j) => [`S${j}`, { type: 'string', pattern: pattern(version, j).join('|') }])
    const union = (i: number) => ({ anyOf: [...range(6).map((j) => at(`components/schemas/S${j}`)), { const: i }] })
    return documentOf(
      range(800).map((i) => echo(`m${i}`, union(i))),
      Object.fromEntries(schemas),
    )
  }
  const changes = diffApis(document('old'), document('new'))
  expect(new Set(changes.map(({ method }) => method)).size).toBe(800)
})

test('lists of rules are compared in a limited number of steps', () => {
  const method = (prefix: string) => ({
    ...echo('f', {}),
    'x-security': range(5000).map((i) => [{ rule: 'all' }, { rule: `${prefix}${i}` }]),
  })
  const changes = diffApis(loose([method('a')]), loose([method('b')]))
  expect(changes.map(({ code, message }) => [code, message])).toEqual([
    ['not-compared', 'it has more lists of rules than are compared'],
  ])
})

test('long values and names are described in short', () => {
  const enums = (letter: string) => ({ enum: [letter.repeat(50_000)] })
  for (const { message } of diff(enums('a'), enums('b'))) expect(message.length).toBeLessThan(2100)
})
