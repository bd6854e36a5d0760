import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import type { DescribedType, Description, NamedType } from '../../runtime/description/description.js'
import type { OpenRpc } from '../../runtime/description/openrpc.js'
import { stepCounter } from '../steps/count.js'
import { root } from '../support/paths.js'
import { diffApis, documentOf, echo, procedureOf } from './documents.js'

function at(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** Methods whose types share, contain each other and themselves. */
function largeDocument(methods: number, last: string): OpenRpc {
  const types = Array.from({ length: methods }, (_, i) => [
    `T${i}`,
    {
      type: 'object',
      properties: {
        id: { type: i === 0 ? last : 'integer' },
        next: at(`T${(i * 7 + 1) % methods}`),
        list: { type: 'array', items: at(`T${Math.floor(i / 2)}`) },
        state: { enum: ['open', 'sent', `s${i % 5}`] },
      },
      required: ['id', 'state'],
    },
  ])
  const all = Array.from({ length: methods }, (_, i) => echo(`m${i}`, at(`T${i}`)))
  return documentOf(all, Object.fromEntries(types))
}

const countSteps = stepCounter()

/** Four times as many methods are about four times the steps; if they grow with the square of the methods it is sixteen times as many. */
async function expectLinear(work: (methods: number) => void): Promise<void> {
  const stepsFor = (methods: number) => countSteps(join(root, 'generator'), async () => work(methods))
  const [few, many] = [await stepsFor(100), await stepsFor(400)]
  expect(many / few, `steps: ${few}, ${many}`).toBeLessThan(6)
}

test('a large document with many references has no changes to itself', async () => {
  await expectLinear((methods) => {
    expect(diffApis(largeDocument(methods, 'integer'), largeDocument(methods, 'integer'))).toEqual([])
  })
})

test('one change that affects every method is reported for every method', async () => {
  await expectLinear((methods) => {
    const changes = diffApis(largeDocument(methods, 'integer'), largeDocument(methods, 'string'))
    expect(new Set(changes.map(({ method }) => method)).size).toBe(methods)
    expect(changes.find(({ path }) => path === 'm0(x).id')).toMatchObject({ message: 'integer became string' })
  })
})

/** The same as a description. */
function largeDescription(methods: number, last: DescribedType): Description {
  const ref = (i: number): DescribedType => ({ kind: 'ref', name: `T${i}` })
  const types = Array.from({ length: methods }, (_, i): NamedType => {
    const states = ['open', 'sent', `s${i % 5}`].map((value): DescribedType => ({ kind: 'literal', value }))
    const members = [
      { name: 'id', type: i === 0 ? last : ({ kind: 'int' } as const) },
      { name: 'next', type: ref((i * 7 + 1) % methods), optional: true },
      { name: 'list', type: { kind: 'array', element: ref(Math.floor(i / 2)) } as const, optional: true },
      { name: 'state', type: { kind: 'union', branches: states } as const },
    ]
    return { name: `T${i}`, type: { kind: 'struct', members } }
  })
  return { types, procedures: types.map((_, i) => procedureOf(`m${i}`, ref(i))) }
}

test('a large lock has no changes, or one for every method', async () => {
  await expectLinear((methods) => {
    const [old, now] = [largeDescription(methods, { kind: 'int' }), largeDescription(methods, { kind: 'string' })]
    const text = lockText(old)
    expect(checkLock(text, old)).toEqual([])
    expect(new Set(checkLock(text, now).map(({ method }) => method)).size).toBe(methods)
  })
})

/** Types of which each contains the next one, and the last one the first. */
function ring(length: number, last: string): OpenRpc {
  const types = Array.from({ length }, (_, i) => [
    `T${i}`,
    {
      type: 'object',
      properties: { next: at(`T${(i + 1) % length}`), ...(i === length - 1 && { x: { type: last } }) },
    },
  ])
  return documentOf([echo('f', at('T0'))], Object.fromEntries(types))
}

test('types nested deeper than calls can be', () => {
  const [old, now] = [ring(3000, 'string'), ring(3000, 'integer')]
  expect(diffApis(old, old)).toEqual([])
  expect(diffApis(old, now).map(({ code, path }) => [code, path])).toEqual([
    ['param-type-changed', 'f(x)'],
    ['result-type-changed', 'f()'],
  ])
})

test('the paths to shared types do not multiply', () => {
  const types = Array.from({ length: 60 }, (_, i) => [
    `T${i}`,
    { type: 'object', properties: { left: at(`T${i + 1}`), right: at(`T${i + 1}`) } },
  ])
  const document = (last: string) =>
    documentOf([echo('f', at('T0'))], { ...Object.fromEntries(types), T60: { type: last } })
  const changes = diffApis(document('string'), document('integer'))
  expect(changes.length).toBeLessThan(20)
  expect(changes.every(({ breaking }) => breaking)).toBe(true)
})

test('a compatible change is one however deep it is nested', () => {
  const [old, now] = [ring(3000, 'integer'), ring(3000, 'number')]
  expect(diffApis(old, now).map(({ code, path }) => [code, path])).toEqual([
    ['param-type-widened', 'f(x)'],
    ['result-type-changed', 'f()'],
  ])
})

// Quadratic time would exceed the time of the test.
const count = 3000

test('keywords that are compared as text do not multiply the schemas that they refer to', () => {
  const types = Array.from({ length: count }, (_, i) => [
    `T${i}`,
    { type: 'object', not: at(`T${(i + 1) % count}`), i },
  ])
  const methods = types.map((_, i) => echo(`m${i}`, at(`T${i}`)))
  const document = (last: string) =>
    documentOf(methods, { ...Object.fromEntries(types), [`T${count - 1}`]: { type: last, not: at('T0') } } as never)
  expect(diffApis(document('object'), document('object'))).toEqual([])
  const changes = diffApis(document('object'), document('string'))
  expect(new Set(changes.map(({ method }) => method)).size).toBe(count)
  expect(new Set(changes.map(({ code }) => code))).toContain('not-compared')
})

test('a type that unions name twice is compared once', () => {
  const schemasOf = (leaf: string): Record<string, object> => ({
    S0: { type: 'object', properties: { a: { type: leaf } }, required: ['a'] },
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `S${i + 1}`,
        { anyOf: [at(`S${i}`), at(`S${i}`), { type: 'array', items: at(`S${i}`) }] },
      ]),
    ),
  })
  const document = (leaf: string) => documentOf([echo('a', at('S30'))], schemasOf(leaf))
  expect(diffApis(document('string'), document('boolean')).length).toBeGreaterThan(0)
})
