import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import { compareVersions } from '../../generator/diff/version.js'
import type { DescribedType, Description, NamedType } from '../../runtime/description/description.js'
import type { Draft07Schema } from '../../runtime/description/draft-07.js'
import type { OpenRpc } from '../../runtime/description/openrpc.js'
import { root } from '../support/paths.js'
import { stepCounter } from '../support/step-counter.js'
import { diffApis, documentOf, echo, procedureOf } from './documents.js'
import type { AnySchema } from './schemas.js'

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
async function expectLinear(work: (methods: number) => void, start = 100, folder = 'generator'): Promise<void> {
  const stepsFor = (methods: number) => countSteps(join(root, folder), async () => work(methods))
  const [few, many] = [await stepsFor(start), await stepsFor(4 * start)]
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

test('sources beside a document, with many references to types that contain each other', async () => {
  const ref = (name: string): DescribedType => ({ kind: 'ref', name })
  const nothing = { kind: 'document', document: documentOf([echo('f', {})]), name: 'the document' } as const
  const work = (length: number) => {
    const types = Array.from({ length }, (_, i): NamedType[] => [
      { name: `T${i}`, type: { kind: 'array', element: ref(`T${(i + 1) % length}`) } },
      { name: `U${i}`, type: { kind: 'union', branches: [{ kind: 'int' }, ref(`U${(i + 1) % length}`)] } },
    ])
    const members = types.flat().map((_, i) => ({ name: `m${i}`, type: ref(i % 2 ? 'U0' : 'T0') }))
    const description = { procedures: [procedureOf('f', { kind: 'struct', members })], types: types.flat() }
    compareVersions({ kind: 'sources', description, name: 'the sources' }, nothing)
  }
  await expectLinear(work, 50, 'runtime')
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

test('a chain of references is followed once, and a schema that pointers lead into is read once', () => {
  const chain = (last: string) => {
    const types = Array.from({ length: count }, (_, i) => [`T${i}`, at(`T${i + 1}`)])
    const all = { anyOf: types.map((_, i) => at(`T${i}`)) }
    return documentOf([echo('f', all)], { ...Object.fromEntries(types), [`T${count}`]: { type: last } })
  }
  const pointers = (last: string) => {
    let nested: object = { type: last }
    for (let i = 0; i < 150; i += 1) nested = { properties: { a: nested } }
    const all = { anyOf: Array.from({ length: 150 }, (_, i) => at(`T${'/properties/a'.repeat(i)}`)) }
    return documentOf([echo('f', all)], { T: nested })
  }
  for (const document of [chain, pointers]) {
    expect(diffApis(document('string'), document('string'))).toEqual([])
    expect(diffApis(document('string'), document('integer')).length).toBeGreaterThan(0)
  }
})

test('the types of overloads are compared in pairs once, not on each path to them', async () => {
  const unions = (letter: string, branches: number) =>
    Array.from({ length: 3 }, (_, level) => {
      const inner = (i: number) => (level === 2 ? { const: `${letter}${i}` } : at(`${letter}${level + 1}`))
      const branch = (_: unknown, i: number) => ({ type: 'object', properties: { x: inner(i) }, required: ['x'] })
      return [`${letter}${level}`, { anyOf: Array.from({ length: branches }, branch) }]
    })
  const document = (branches: number, last: string) => {
    const param = (schema: object) => ({ params: [{ name: 'x', schema, required: true }] })
    const overloads = [param(at('A0')), param(at('B0')), param({ type: last })]
    const method = { ...echo('f', {}), 'x-overloads': overloads }
    return documentOf([method as never], Object.fromEntries([...unions('A', branches), ...unions('B', branches)]))
  }
  const stepsFor = (branches: number) =>
    countSteps(join(root, 'generator'), async () => {
      expect(diffApis(document(branches, 'boolean'), document(branches, 'string')).length).toBeGreaterThan(0)
    })
  const [few, many] = [await stepsFor(6), await stepsFor(12)]
  expect(many / few, `steps: ${few}, ${many}`).toBeLessThan(6)
})

/** How a type refers to the next one twice, with limits; `version` is 0 or 1. */
type Branches = (next: { $ref: string }, level: number, version: number) => readonly object[]

/** As many levels have more branches than are compared one by one, if these are not the same. */
const LEVELS = 12

/** Types each of which is a union of the next one with limits and of the next one with other limits. */
function limitedReferences(levels: number, version: number, last: object, branches: Branches): OpenRpc {
  const types = Array.from({ length: levels }, (_, i) => [`T${i}`, { anyOf: branches(at(`T${i + 1}`), i, version) }])
  return documentOf([echo('f', at('T0'))], { ...Object.fromEntries(types), [`T${levels}`]: last } as never)
}

const [text, texts] = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]

test.each<readonly [string, object, Branches]>([
  ['the same', text, (next, _, version) => [8, 9 + version].map((maxLength) => ({ ...next, maxLength }))],
  ['lists', texts, (next, _, version) => [8 + version, 9].map((minItems) => ({ ...next, minItems }))],
  ['of allOf', text, (next, i, version) => [i, 99].map((n) => ({ allOf: [next], minLength: 1 + n + version }))],
  [
    'others',
    text,
    (next, i, version) => [i % 7, (i % 7) + 50].map((n) => ({ ...next, maxLength: 1000 - n + version })),
  ],
  [
    'patterns',
    text,
    (next, i, version) => [`^a${i}`, `b${i}${version}$`].map((pattern) => ({ allOf: [next], pattern })),
  ],
  [
    'any value',
    {},
    (next, i, version) => [
      { ...next, pattern: `${i}$` },
      { ...next, minItems: i + version },
    ],
  ],
  [
    'keywords',
    { not: text },
    (next, i, version) => [
      { ...next, pattern: `${i}$` },
      { ...next, minItems: i + version },
    ],
  ],
  [
    'elements and members',
    text,
    (next, i, version) => [
      { type: 'array', items: { ...next, maxLength: i + version + 1 } },
      { type: 'object', properties: { a: { ...next, maxLength: 9 }, b: { anyOf: [next, { ...next, minLength: 1 }] } } },
    ],
  ],
])('references with limits do not multiply the branches: %s', async (_, last, branches) => {
  await expectLinear((levels) => {
    const [old, now] = [0, 1].map((version) => limitedReferences(levels, version, last, branches)) as [OpenRpc, OpenRpc]
    expect(diffApis(old, limitedReferences(levels, 0, last, branches))).toEqual([])
    expect(diffApis(old, now).length).toBeGreaterThan(0)
  }, LEVELS)
})

test('limits are not dropped if too many of them are combined', () => {
  const branches: Branches = (next, i) => [`^a${i}`, `b${i}$`].map((pattern) => ({ ...next, pattern }))
  const [old, now] = [text, { ...text, maxLength: 9 }].map((last) => limitedReferences(12, 0, last, branches))
  expect(diffApis(old as OpenRpc, now as OpenRpc).map(({ code }) => code)).toContain('not-compared')
})

test('references with limits in a lock do not multiply the branches', async () => {
  const description = (levels: number, version: number): Description => {
    const types = Array.from({ length: levels }, (_, i): NamedType => {
      const branches = [8, 9 + version].map((maxLength): DescribedType => {
        return { kind: 'ref', name: `T${i + 1}`, constraints: { maxLength } }
      })
      return { name: `T${i}`, type: { kind: 'union', branches } }
    })
    const last: NamedType = { name: `T${levels}`, type: { kind: 'string' } }
    return { types: [...types, last], procedures: [procedureOf('f', { kind: 'ref', name: 'T0' })] }
  }
  await expectLinear((levels) => {
    const text = lockText(description(levels, 0))
    expect(checkLock(text, description(levels, 0))).toEqual([])
    expect(checkLock(text, description(levels, 1)).length).toBeGreaterThan(0)
  }, 20)
})

test('constants are compared with a pattern of many alternatives', async () => {
  const pattern = Array.from({ length: 300 }, (_, i) => `^a${i}$`).join('|')
  await expectLinear((values) => {
    const constants = { enum: Array.from({ length: values }, (_, i) => `z${i}`) }
    expect(
      diffApis(documentOf([echo('f', constants)]), documentOf([echo('f', { type: 'string', pattern })])),
    ).not.toEqual([])
  }, 500)
})

test('unions of patterns with many alternatives', async () => {
  const union = (count: number, version: string) => ({
    anyOf: Array.from({ length: count }, (_, i) => {
      return {
        type: 'string',
        pattern: `^${version}${i}$|${Array.from({ length: 200 }, (_, n) => `^c${n}`).join('|')}`,
      }
    }),
  })
  await expectLinear((count) => {
    expect(
      diffApis(documentOf([echo('f', union(count, 'a'))]), documentOf([echo('f', union(count, 'b'))])),
    ).not.toEqual([])
  }, 40)
})

/** Unions of lists without a tag whose elements are these unions, and of a type; the element at each position can be of each of them. */
function listsOfEachOther(unions: number, last: string): Record<string, object> {
  const branch = (i: number, j: number) => ({
    type: 'array',
    prefixItems: [at(`U${(i * 3 + j) % unions}`), at(`U${(i + j * 5 + 1) % unions}`)],
    minItems: 2,
    items: false,
  })
  const types = Array.from({ length: unions }, (_, i) => {
    return [`U${i}`, { anyOf: [...Array.from({ length: 8 }, (_, j) => branch(i, j)), { type: last }] }]
  })
  return Object.fromEntries(types)
}

test('the lists of a union are divided once, not on each path to them', () => {
  const document = (last: string) => documentOf([echo('f', at('U0'))], listsOfEachOther(6, last) as never)
  expect(diffApis(document('null'), document('null'))).toEqual([])
  expect(diffApis(document('null'), document('string')).map(({ code, path }) => [code, path])).toEqual([
    ['param-type-changed', 'f(x)'],
    ['result-type-changed', 'f()'],
  ])
})

test('a union that contains itself in many elements is described in short', () => {
  const lists = Array.from({ length: 200 }, (_, i) => {
    return {
      type: 'array',
      prefixItems: Array.from({ length: 1 + (i % 9) }, () => at('U')),
      minItems: i % 9,
      items: false,
    }
  })
  const document = (last: string) => documentOf([echo('f', at('U'))], { U: { anyOf: [...lists, { type: last }] } })
  const changes = diffApis(document('null'), document('string'))
  expect(changes.length).toBeGreaterThan(0)
  for (const { message } of changes) expect(message.length).toBeLessThan(5000)
})

test('a method with too many pairs of types is not compared, and the others are', () => {
  const document = (last: string) => {
    const methods = [...['f', 'g'].map((name) => echo(name, at('U0'))), echo('h', { type: last })]
    return documentOf(methods, listsOfEachOther(70, last) as never)
  }
  const changes = diffApis(document('null'), document('string'))
  expect(changes.map(({ code, path, breaking }) => [code, path, breaking])).toEqual([
    ['not-compared', 'f', true],
    ['not-compared', 'g', true],
    ['param-type-changed', 'h(x)', true],
    ['result-type-changed', 'h()', true],
  ])
  expect(diffApis(document('null'), document('null'))).toEqual([])
})

/** A document whose methods all accept one type. */
function shared(methods: number, type: object, more: (i: number) => object = () => ({})): OpenRpc {
  const all = Array.from({ length: methods }, (_, i) => ({
    name: `m${i}`,
    params: [{ name: 'x', required: true, schema: { ...at('T'), ...more(i) } }],
    result: { name: 'result', schema: {} },
  }))
  return documentOf(all, { T: type as AnySchema })
}

function membersOf(names: readonly string[], more: object = {}) {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), ...more }
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

test('the changes of one type in each of many methods are reported within bounds, and none is compatible in silence', () => {
  const [old, now] = [
    shared(900, membersOf(numbered('a', 1800))),
    shared(900, membersOf([], { additionalProperties: false })),
  ]
  const changes = diffApis(old, now)
  expect(changes.length).toBeLessThan(300_000)
  expect(new Set(changes.filter(({ breaking }) => breaking).map(({ method }) => method)).size).toBe(900)
  expect(changes.at(-1)).toMatchObject({ code: 'not-compared', path: 'm899' })
})

test('long names do not multiply the texts of changes', () => {
  const method = (names: readonly string[]) => {
    const schema = membersOf(names, { additionalProperties: false }) as Draft07Schema
    return documentOf([
      { name: 'n'.repeat(40_000), params: [{ name: 'x', schema }], result: { name: 'result', schema: {} } },
    ])
  }
  const changes = diffApis(method(numbered('a', 3000)), method([]))
  expect(changes.map(({ code }) => code)).toEqual(['not-compared'])
})

test('a large type is read once for all params that have another name, or may be left out now', async () => {
  await expectLinear((count) => {
    const params = (prefix: string, type: string, required: boolean) => {
      const all = Array.from({ length: 100 }, (_, i) => ({ name: `${prefix}${i}`, required, schema: at('E') }))
      const values = Array.from({ length: count }, (_, i) => (type === 'string' ? `s${i}` : i))
      return documentOf([{ name: 'm', params: all, result: { name: 'result', schema: {} } }], { E: { enum: values } })
    }
    expect(diffApis(params('p', 'string', true), params('q', 'integer', true))).not.toEqual([])
    expect(diffApis(params('p', 'string', true), params('p', 'integer', false))).not.toEqual([])
  }, 500)
})

test('limits beside a large union are compared as a whole, in each of many methods', () => {
  const values = { enum: numbered('v', 4000) }
  const [old, now] = [
    shared(250, values, (i) => ({ pattern: `^v${i}` })),
    shared(250, values, (i) => ({ pattern: `^w${i}` })),
  ]
  expect(diffApis(old, old)).toEqual([])
  expect(new Set(diffApis(old, now).map(({ code }) => code))).toEqual(new Set(['not-compared']))
})

test('an object is compared once, not in each union that has it', async () => {
  await expectLinear((count) => {
    const union = (i: number) => ({ anyOf: [at('T'), { const: i }] })
    const methods = Array.from({ length: count }, (_, i) => echo(`m${i}`, union(i)))
    const document = () => documentOf(methods, { T: membersOf(numbered('a', count)) as AnySchema })
    expect(diffApis(document(), document())).toEqual([])
  }, 50)
})

test('a large union is not made again for each of many unions', () => {
  const document = (suffix: string) => {
    const union = (i: number) => ({ anyOf: [at('T'), { const: `x${i}` }] })
    const methods = Array.from({ length: 500 }, (_, i) => echo(`m${i}${suffix}`, union(i)))
    return documentOf(methods, { T: { enum: Array.from({ length: 20_000 }, (_, i) => i) } })
  }
  const changes = diffApis(document(''), document('z'))
  expect(changes.filter(({ code }) => code === 'method-removed').length).toBeGreaterThan(0)
})

test('names are compared with patterns in a limited number of steps', () => {
  const pattern = (version: string) =>
    Object.fromEntries(numbered(`^${version}${'x'.repeat(600)}`, 15).map((each) => [`${each}[x]`, {}]))
  const type = (version: string) => membersOf([...numbered('a', 1000), version], { patternProperties: pattern('Z') })
  const changes = diffApis(shared(900, type('old')), shared(900, type('new')))
  expect(new Set(changes.map(({ method }) => method)).size).toBe(900)
})

test('a long constant is not copied for each member and each reference that has it', () => {
  const names = numbered('a', 300)
  const tagged = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, at('C')])),
    required: names,
  }
  const references = Object.fromEntries(numbered('t', 700).map((name) => [name, { allOf: [at('T')] }]))
  const document = (last: string) => {
    const union = { anyOf: [...numbered('t', 700).map(at), { const: last }] }
    return documentOf([echo('m', union)], { C: { const: 'v'.repeat(20_000) }, T: tagged, ...references } as never)
  }
  expect(new Set(diffApis(document('x'), document('y')).map(({ method }) => method))).toEqual(new Set(['m']))
})
