import { expect, test } from 'vitest'
import { base64Pattern } from '../../runtime/description/json-schema.js'
import type { OpenRpc } from '../../runtime/description/openrpc.js'
import { diffApis, documentOf, echo, oneSided } from './documents.js'
import type { ForeignSchema } from './schemas.js'

const [kept, breaks] = [false, true]

/** Two versions, and whether the second breaks callers that send a value of the first, or that receive one of the second. */
type Case = readonly [old: ForeignSchema, now: ForeignSchema, param: boolean, result: boolean, why: string]

function expectVerdict(...[old, now, param, result, why]: Case): void {
  const isBreaking = (side: 'param' | 'result') =>
    diffApis(oneSided(side, old), oneSided(side, now)).some(({ breaking }) => breaking)
  expect([isBreaking('param'), isBreaking('result')], why).toEqual([param, result])
}

test.each<Case>([
  [{ enum: ['a', 1] }, { type: 'string', enum: ['a', 1] }, breaks, kept, '1 is not a string'],
  [{ type: 'string', enum: ['a', 1] }, { enum: ['a', 1] }, kept, breaks, '1 may be returned'],
  [{ enum: ['a', 'b'] }, { type: ['number', 'null'], enum: ['a', 'b'] }, breaks, kept, 'nothing is accepted'],
  [{ const: 1 }, { type: 'string', const: 1 }, breaks, kept, 'nothing is accepted'],
  [{ enum: [1, 1.5] }, { type: 'integer', enum: [1, 1.5] }, breaks, kept, '1.5 is not an integer'],
  [{ enum: [[1], { a: 1 }] }, { type: 'object', enum: [[1], { a: 1 }] }, breaks, kept, 'a list is not an object'],
  [{ enum: ['a', 1, null] }, { type: ['string', 'integer', 'null'], enum: ['a', 1, null] }, kept, kept, 'all are'],
])('constants beside a type: %j %j', expectVerdict)

const int: ForeignSchema = { type: 'integer' }

// Documents that are written by hand have such words.
const foreign = (type: unknown, more: object = {}) => ({ type, ...more }) as ForeignSchema

test.each<Case>([
  [foreign('int'), foreign('float'), breaks, breaks, 'neither is known'],
  [foreign('int'), foreign('int'), kept, kept, 'it is the same'],
  [foreign('any'), { type: 'string' }, breaks, breaks, 'any may accept more'],
  [{ type: 'string' }, foreign('any'), breaks, breaks, 'any may accept less'],
  [foreign(['int', 'null']), foreign(['float', 'null']), breaks, breaks, 'neither is known'],
  [foreign('int', { minimum: 1 }), foreign('int', { minimum: 2 }), breaks, breaks, 'a limit of an unknown type'],
  [foreign('text', { enum: ['a'] }), foreign('text', { enum: ['b'] }), breaks, breaks, 'constants of an unknown type'],
  [foreign('any', { items: { type: 'string' } }), foreign('any', { items: int }), breaks, breaks, 'another element'],
  [foreign(null, { minimum: 1 }), foreign(null, { minimum: 2 }), breaks, breaks, 'a limit beside no word'],
])('types that JSON Schema does not have: %j %j', expectVerdict)

const bytes: ForeignSchema = { type: 'string', contentEncoding: 'base64' }

test.each<Case>([
  [bytes, { ...bytes, pattern: '^A' }, breaks, kept, 'others begin with B'],
  [{ ...bytes, pattern: '^A' }, { ...bytes, pattern: '^AB' }, breaks, kept, 'AC is not accepted'],
  [bytes, { ...bytes, pattern: base64Pattern }, kept, kept, 'the pattern of rpc-gen repeats the encoding'],
])('a pattern beside base64: %j %j', expectVerdict)

const number: ForeignSchema = { type: 'number' }
const text: ForeignSchema = { type: 'string' }
const nothing: ForeignSchema = { type: 'null' }
const pet = (kind: unknown, more: object = {}): ForeignSchema => {
  return { type: 'object', properties: { kind: { enum: [kind].flat() }, ...more }, required: ['kind'] }
}
const nullable = (kind: unknown): ForeignSchema => ({ ...pet(kind), type: ['object', 'null'] })
const loose = (name: string): ForeignSchema => ({ type: 'object', properties: { [name]: text } })

test.each<Case>([
  [{ anyOf: [int, number] }, { oneOf: [int, number] }, breaks, breaks, '1 is of both'],
  [{ oneOf: [int, number] }, { anyOf: [int, number] }, breaks, breaks, '1 was of both'],
  [{ oneOf: [int, number] }, { oneOf: [int, number] }, kept, kept, 'the same'],
  [{ oneOf: [int, number] }, { oneOf: [int, number, text] }, breaks, breaks, 'overlapping schemas are not compared'],
  [{ oneOf: [loose('a'), loose('b')] }, { oneOf: [loose('a'), loose('b')] }, kept, kept, 'the same'],
  [{ anyOf: [int, nothing] }, { oneOf: [int, nothing] }, kept, kept, 'no integer is null'],
  [{ oneOf: [int, nothing] }, { oneOf: [int, nothing, text] }, kept, breaks, 'a string is neither'],
  [{ enum: ['a', 1] }, { oneOf: [{ const: 'a' }, { const: 1 }] }, kept, kept, 'constants are apart'],
  [{ enum: ['a', 1] }, { oneOf: [{ const: 'a' }, { enum: [1, 'a'] }] }, breaks, breaks, 'a is of both'],
  [{ anyOf: [pet('a'), pet('b')] }, { oneOf: [pet('a'), pet('b')] }, kept, kept, 'the tags differ'],
  [{ oneOf: [pet('a'), pet('b')] }, { oneOf: [pet('a', { x: text }), pet('b')] }, kept, kept, 'x may be missing'],
  [{ anyOf: [pet('a'), pet('b')] }, { oneOf: [pet('a'), pet(['b', 'a'])] }, breaks, breaks, 'a is of both'],
  [{ anyOf: [{}, text] }, { oneOf: [{}, text] }, breaks, kept, 'a string is of both'],
  [{ oneOf: [nullable('a'), pet('b')] }, { oneOf: [nullable('a'), nullable('b')] }, breaks, breaks, 'null is of both'],
  [{ anyOf: [nullable('a'), pet('b')] }, { oneOf: [nullable('a'), pet('b')] }, kept, kept, 'null is of one'],
])('schemas that may overlap: %j %j', expectVerdict)

test('a reference in a oneOf, to what contains it', () => {
  const node = (child: string): ForeignSchema => ({
    type: 'object',
    properties: { child: { oneOf: [{ $ref: '#/components/schemas/Node' }, nothing, { type: child }] } },
    required: ['child'],
  })
  const document = (child: string) =>
    documentOf([echo('f', { $ref: '#/components/schemas/Node' })], { Node: node(child) })
  expect(diffApis(document('string'), document('string'))).toEqual([])
  expect(diffApis(document('string'), document('number')).some(({ breaking }) => breaking)).toBe(true)
})

test('unions that contain each other are not narrowed in silence', () => {
  const ref = (name: string): ForeignSchema => ({ $ref: `#/components/schemas/${name}` })
  const methods = [echo('f', ref('A')), echo('g', ref('B'))]
  const old = documentOf(methods, { A: { anyOf: [ref('B'), { type: 'number' }] }, B: { anyOf: [ref('A'), text] } })
  const now = documentOf(methods, { A: { anyOf: [ref('B'), { type: 'number' }] }, B: text })
  expect(diffApis(old, old)).toEqual([])
  expect(diffApis(old, now).some(({ method, breaking }) => method === 'g' && breaking)).toBe(true)
})

test('half a surrogate pair does not match the beginning of a whole one', () => {
  expectVerdict({ enum: ['😀a'] }, { type: 'string', pattern: '^\ud83d' }, breaks, breaks, 'in a pattern it is a whole')
  expectVerdict({ enum: ['😀a'] }, { type: 'string', pattern: '^😀' }, kept, breaks, 'it begins with the pair')
})

const at = (name: string): ForeignSchema => ({ $ref: `#/components/schemas/${name}` })

test.each<[string, object]>([
  ['not', { not: at('X') }],
  ['if', { if: at('X'), else: { required: ['z'] } }],
  ['oneOf', { oneOf: [at('X'), { type: 'object', properties: { a: int } }] }],
])('a schema in %s: a member that it no longer has may make other values valid', (_, schema) => {
  const document = (x: ForeignSchema) => documentOf([echo('f', schema as ForeignSchema)], { X: x })
  const [old, now] = [document(loose('a')), document({ type: 'object' })]
  expect(diffApis(old, old)).toEqual([])
  expect(new Set(diffApis(old, now).map(({ code }) => code))).toEqual(new Set(['not-compared']))
})

test.each([{ allOf: [at('X'), loose('b')] }, { type: 'object', anyOf: [at('X'), loose('b')] }])(
  'a schema in %j may have a further member that may be missing',
  (schema) => {
    const document = (x: ForeignSchema) => documentOf([echo('f', schema as ForeignSchema)], { X: x })
    const changes = diffApis(document({ type: 'object' }), document(loose('a')))
    expect(changes.filter(({ breaking }) => breaking)).toEqual([])
  },
)

test.each([
  [loose('a'), { type: 'object' }, ['param-member-removed f(x).a', 'result-member-removed f().a']],
  [{ type: 'object' }, loose('a'), ['param-member-added-optional f(x).a', 'result-member-added f().a']],
  [loose('a'), { type: 'object', properties: { a: int } }, ['param-type-changed f(x).a', 'result-type-changed f().a']],
] as [ForeignSchema, ForeignSchema, string[]][])(
  'schemas in an allOf are compared one by one: %j %j',
  (old, now, codes) => {
    const document = (x: ForeignSchema) => documentOf([echo('f', { allOf: [at('X'), loose('b')] })], { X: x })
    expect(diffApis(document(old), document(now)).map(({ code, path }) => `${code} ${path}`)).toEqual(codes)
  },
)

test.each<ForeignSchema>([
  { type: 'object', properties: { b: int } },
  { type: 'object', additionalProperties: false },
])('what schemas of an allOf limit together has to stay the same: %j', (x) => {
  const document = (x: ForeignSchema) => documentOf([echo('f', { allOf: [at('X'), loose('b')] })], { X: x })
  const [old, now] = [document({ type: 'object' }), document(x)]
  for (const changes of [diffApis(old, now), diffApis(now, old)])
    expect(new Set(changes.map(({ code }) => code))).toEqual(new Set(['not-compared']))
})

test.each<Case>([
  [{ not: nothing, description: 'a' } as never, { not: nothing, description: 'b' } as never, kept, kept, 'words'],
  [
    { allOf: [loose('a'), { title: 'A' }] } as never,
    { allOf: [loose('a'), { title: 'B' }] } as never,
    kept,
    kept,
    'a title',
  ],
  [{ allOf: [loose('title'), {}] }, { allOf: [loose('description'), {}] }, breaks, breaks, 'these are members'],
  [
    { allOf: [{ enum: [{ title: 'a' }] }, {}] },
    { allOf: [{ enum: [{ title: 'b' }] }, {}] },
    breaks,
    breaks,
    'constants',
  ],
])('texts for people in schemas that are compared as text: %j %j', expectVerdict)

test('a bound of 64 bits, which is rounded, is the same as itself', () => {
  const long: ForeignSchema = { type: 'integer', minimum: -(2 ** 63), exclusiveMaximum: 2 ** 63 }
  expectVerdict(long, { ...long }, kept, kept, 'nothing changed')
  expectVerdict(long, { ...long, exclusiveMaximum: 2 ** 62 }, breaks, kept, 'fewer are accepted')
})

test('a param that may now be left out has to accept null if it did', () => {
  const document = (required: boolean, schema: ForeignSchema) => {
    const param = { name: 'x', required, schema: schema as never }
    return documentOf([{ name: 'f', params: [param], result: { name: 'result', schema: { type: 'null' } } }])
  }
  const either: ForeignSchema = { type: ['string', 'null'] }
  const codes = (old: OpenRpc, now: OpenRpc) => diffApis(old, now).map(({ code }) => code)
  expect(codes(document(true, either), document(false, text))).toContain('param-type-narrowed')
  expect(codes(document(true, either), document(false, either))).toEqual(['param-optional'])
  expect(codes(document(true, text), document(false, either))).toEqual(['param-optional'])
  expect(codes(document(true, text), document(false, text))).toEqual(['param-optional'])
})
