import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RpcServer, type ScalarCodec } from 'rpc-gen'
import { type ClientMethod, type ClientType, createClient as create, type Fetch, tableCodec } from 'rpc-gen/client'
import {
  array,
  int,
  isPresent,
  lazy,
  manifest,
  describeTypes as name,
  procedure,
  read,
  readStruct,
  record,
  scalar,
  type Type,
  union,
} from 'rpc-gen/codegen/v1'
import { describe, expect, test } from 'vitest'
import { procedures as decided } from '../../fixtures/generate/decided-unions/expected.gen.js'
import { createClient } from '../../fixtures/generate/entangled/expected.client.gen.js'
import { procedures } from '../../fixtures/generate/entangled/expected.gen.js'
import type { ModelType, NamedType } from '../../generator/model/model.js'
import type { Manifest } from '../../runtime/call/types.js'
import { writeValue } from '../../runtime/xmlrpc/encode.js'
import { clientText } from '../../templates/typescript/client.js'
import { type App, responseTo } from '../support/json-rpc.js'
import { root } from '../support/paths.js'
import { stepCounter } from '../support/step-counter.js'
import { compileModel } from '../types/compile-model.js'
import { procedureOf } from '../types/models.js'
import { type Family, nestedValue, recursiveFamilies } from './recursive-families.js'

// The work for a value grows with its size and not with 2^depth, whatever branches of a recursive union look like.

const countSteps = stepCounter()

const generated = join(root, 'fixtures/generate/entangled')

/** STEPS_SEED repeats a run, STEPS_FAMILIES makes a longer one, STEPS_RATIOS prints what is measured. */
const seed = Number(process.env['STEPS_SEED'] ?? 20_260_101)
const familyCount = Number(process.env['STEPS_FAMILIES'] ?? 6)

type Router = ReturnType<RpcServer['router']>

function serverOf(procedures: Manifest, unknownKeys: 'strip' | 'reject'): Router {
  return new RpcServer({ procedures, unknownKeys, onError: () => {} }).router()
}

const routers = { strip: serverOf(procedures, 'strip'), reject: serverOf(procedures, 'reject') }

const at = '2020-01-02T03:04:05.000Z'

/** For each procedure a value around another one of its type, the branches in turn, and values that end it. */
const shapes: Record<string, { around: (inner: unknown, level: number) => unknown; good: unknown; bad: unknown[] }> = {
  condition: {
    around: (inner, level) => [level % 2 ? 'and' : 'or', inner, ['eq', 'a', 'b']],
    good: ['eq', 'a', 'b'],
    bad: [true, ['eq', 1], ['and'], {}],
  },
  due: {
    around: (inner, level) => [level % 2 ? 'and' : 'or', ['at', at], inner],
    good: ['at', at],
    bad: [true, ['at', 'x']],
  },
  node: {
    around: (inner, level) => ({ kids: [[inner, level % 2 ? level : 'x']] }),
    good: { kids: [] },
    bad: [
      true,
      {
        kids: [
          [{ kids: [] }, 1],
          [{ kids: [] }, 'x'],
        ],
      },
    ],
  },
  pair: { around: (inner, level) => [inner, level % 2 ? 1 : 'x'], good: null, bad: [true, [null, null]] },
  stamped: { around: (inner, level) => [inner, level % 2 ? at : true], good: null, bad: ['x', [null, 'x'], [null]] },
  expression: {
    around: (inner, level) =>
      [
        ['==', 1, inner],
        ['all', inner, 2],
        ['not', inner],
      ][level % 3],
    good: 1,
    bad: ['x', ['all', 'x'], [], ['==', 1]],
  },
  markup: {
    around: (inner, level) => (level % 2 ? ['b', inner] : ['a', { x: 1 }, inner]),
    good: 'text',
    bad: [1, ['a', { x: 'y' }], [], [1]],
  },
  mixed: {
    around: (inner, level) => (level % 2 ? [1, inner] : ['x', inner]),
    good: [],
    bad: [true, [1, 'x'], [[null]]],
  },
  path: {
    around: (inner, level) => (level % 2 ? [1, inner] : [inner, []]),
    good: [],
    bad: [true, [1, 2]],
  },
  table: { around: (inner, level) => (level % 2 ? { a: 1, z: inner } : { b: inner }), good: 1, bad: ['x', { a: 'x' }] },
  step: {
    around: (inner, level) => ({ k: 'a', s: [level % 2 ? 'x' : 'y', inner] }),
    good: { k: 'b' },
    bad: [1, { k: 'a', s: ['z', 1] }],
  },
  entry: {
    around: (inner, level) => ({ children: [inner], ...(level % 2 ? { title: 't' } : { url: 'u', seen: at }) }),
    good: { children: [], title: 't', url: 'u' },
    bad: [1, { children: [] }, { children: [], seen: 'x' }],
  },
  lists: { around: (inner, level) => (level % 2 ? { l: [1, inner] } : [inner, 1]), good: 1, bad: ['x', { l: 1 }, {}] },
  dates: {
    around: (inner, level) => (level % 2 ? { at: inner, note: 'x' } : [at, inner]),
    good: at,
    bad: [1, 'x', { at: 1 }],
  },
  file: {
    around: (inner, level) =>
      level % 2 ? { type: 'directory', children: [inner] } : { type: 'file', extension: 'lnk', target: inner },
    good: { type: 'file', extension: 'jpg', taken: at },
    bad: [1, { type: 'file' }, { type: 'file', extension: 'jpg', taken: 'x' }],
  },
}

const depths = [6, 12, 48] as const
const deep = depths[2]

/**
 * Twice the depth is about twice the work, and four times the depth four times; work that grows with the square of the depth would
 * be sixteen times as much. What doubles at each level is found at the second depth, where it ends soon.
 */
async function expectLinear(
  folder: string,
  leaves: readonly unknown[],
  work: (leaf: unknown, depth: number) => Promise<unknown>,
  [shallow, middle, deep]: readonly [number, number, number] = depths,
): Promise<void> {
  const all = (depth: number) => async () => {
    for (const leaf of leaves) await work(leaf, depth)
  }
  await all(shallow)()
  const counts: number[] = []
  for (const [depth, atMost] of [
    [shallow, Number.POSITIVE_INFINITY],
    [middle, 4],
    [deep, 7],
  ] as const) {
    const before = counts.at(-1) ?? 1
    counts.push(await countSteps(folder, all(depth)))
    expect((counts.at(-1) ?? 0) / before, `steps: ${counts.join(', ')}`).toBeLessThan(atMost)
  }
}

function nest(leaf: unknown, around: (inner: unknown, level: number) => unknown, depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner, _each, level) => around(inner, level), leaf)
}

const call = (router: App, method: string, value: unknown) => responseTo(router, method, [value])

describe.each(Object.entries(shapes))('%s', (method, { around, good, bad }) => {
  test('the work is linear in the depth, and deep values are accepted or rejected', async () => {
    for (const router of Object.values(routers)) {
      await expectLinear(generated, [good, ...bad], (leaf, depth) => call(router, method, nest(leaf, around, depth)))
    }
    const value = nest(good, around, deep)
    expect((await call(routers.strip, method, value)).result).toEqual(value)
    for (const leaf of bad) {
      expect((await call(routers.strip, method, nest(leaf, around, deep))).error?.code, JSON.stringify(leaf)).toBe(
        -32602,
      )
    }
  })
})

/** Unions that contain themselves, distinguished by several tags, by an index, by required members and by the form of a member. */
const decidedShapes: typeof shapes = {
  bucket: {
    around: (inner, level) =>
      level % 2
        ? { type: 'directory', made: at, children: [inner] }
        : { type: 'file', extension: 'lnk', made: '5', target: inner },
    good: { type: 'file', extension: 'jpg', made: at },
    bad: [1, { type: 'file' }, { type: 'directory', made: 'x', children: [] }],
  },
  command: {
    around: (inner, level) => (level % 2 ? ['at', at, inner] : ['as', at, inner]),
    good: ['x', 1, at],
    bad: [1, ['at', 'x', null], ['as', 1, null]],
  },
  shape: {
    around: (inner) => ({ points: [inner, { radius: 1, at }], at: '5' }),
    good: { width: 1, at },
    bad: [1, { radius: 1, at: 'x' }, { points: [], at: 'x' }],
  },
  valued: {
    around: (inner) => ({ v: inner, at: '5' }),
    good: { v: { x: 1 }, at },
    bad: [1, { v: ['x'], at }, { v: { x: 'x' }, at }],
  },
}

const decidedFolder = join(root, 'fixtures/generate/decided-unions')

describe.each(Object.entries(decidedShapes))('decided, %s', (method, { around, good, bad }) => {
  test.each(['strip', 'reject'] as const)('the work is linear in the depth: %s', async (unknownKeys) => {
    const router = serverOf(decided, unknownKeys)
    await expectLinear(decidedFolder, [good, ...bad], (leaf, depth) => call(router, method, nest(leaf, around, depth)))
    const value = nest(good, around, deep)
    expect((await call(router, method, value)).result).toEqual(value)
    for (const leaf of bad) {
      expect((await call(router, method, nest(leaf, around, deep))).error?.code, JSON.stringify(leaf)).toBe(-32602)
    }
  })
})

/** A client whose server returns a value; a value that is not of the type rejects. */
function receive(method: string, result: unknown): Promise<unknown> {
  const fetch: Fetch = (_url, { body }) => Response.json({ jsonrpc: '2.0', id: JSON.parse(String(body)).id, result })
  return createClient('https://example.org/', { fetch })
    .$call(method, [])
    .catch(() => 'rejected')
}

/** A client that sends a value to a server which returns nothing of it. */
function send(method: string, value: unknown): Promise<unknown> {
  const fetch: Fetch = (_url, { body }) =>
    Response.json({ jsonrpc: '2.0', id: JSON.parse(String(body)).id, error: { code: 1, message: 'received' } })
  return createClient('https://example.org/', { fetch })
    .$call(method, [value])
    .catch(() => 'rejected')
}

describe.each(Object.entries(shapes))('a client, %s', (method, { around, good, bad }) => {
  test('the work to convert arguments and results is linear in the depth', async () => {
    const leaves = [good, ...bad]
    await expectLinear(generated, leaves, (leaf, depth) => receive(method, nest(leaf, around, depth)))
    await expectLinear(generated, leaves, async (leaf, depth) => {
      const value = nest(leaf, around, depth)
      await send(method, value)
      await send(method, await receive(method, value))
    })
  })
})

/** Types that do not contain themselves: each is a union whose branches contain the type below it. */
const levels = 18

describe('a chain of unions', async () => {
  const branch = (name: string, level: number, optional: string): NamedType => ({
    name,
    type: {
      kind: 'struct',
      members: [
        { name: 'x', type: { kind: 'ref', name: `Level${level - 1}` } },
        { name: optional, type: { kind: 'int' }, optional: true },
      ],
    },
  })
  const end: NamedType = { name: 'Level0', type: { kind: 'struct', members: [{ name: 'at', type: { kind: 'date' } }] } }
  const unions = Array.from({ length: levels }, (_, i): NamedType[] => {
    const [one, other] = [`A${i + 1}`, `B${i + 1}`]
    const union: ModelType = { kind: 'union', branches: [one, other].map((name) => ({ kind: 'ref', name })) }
    return [{ name: `Level${i + 1}`, type: union }, branch(one, i + 1, 'a'), branch(other, i + 1, 'b')]
  })
  const types = [end, ...unions.flat()]
  const names = ['Level0', ...unions.map(([union]) => union?.name ?? '')]
  const byName = new Map(types.map((type) => [type.name, type]))
  const all = names.map((name, i) => procedureOf(i, { kind: 'ref', name }, byName))
  const { folder, procedures } = await compileModel({ version: 1, types, procedures: all })
  const leaves = [{ at }, { at: 'x' }, null, {}, { x: { at }, c: 1 }]
  const around = (inner: unknown, level: number) => ({ x: inner, ...(level % 2 ? { a: 1 } : { b: 1 }) })

  test.each(['strip', 'reject'] as const)('the work of a server is linear in the levels: %s', async (unknownKeys) => {
    const router = serverOf(procedures, unknownKeys)
    const send = (leaf: unknown, level: number) => call(router, `p${level}`, nest(leaf, around, level))
    await expectLinear(folder, leaves, send, [4, 8, levels])
    expect(await send({ at }, levels)).toEqual({ jsonrpc: '2.0', id: 1, result: nest({ at }, around, levels) })
  })

  test('the work of a client is linear in the levels', async () => {
    const tables = Object.fromEntries(
      names.map((name, level): [string, ClientType] => {
        const below: ClientType = ['ref', `Level${level - 1}`]
        const struct = (member: string): ClientType => ['struct', { x: below }, { [member]: 'number' }]
        return [name, level === 0 ? ['struct', { at: 'date' }] : ['union', [struct('a'), struct('b')]]]
      }),
    )
    const methods = Object.fromEntries(
      names.map((name, i): [string, ClientMethod] => [`p${i}`, { result: ['ref', name] }]),
    )
    const codec = tableCodec({ methods, types: tables })
    const callAt = (leaf: unknown, level: number) => {
      const result = nest(leaf, around, level)
      const fetch: Fetch = (_url, { body }) =>
        Response.json({ jsonrpc: '2.0', id: JSON.parse(String(body)).id, result })
      return create('https://example.org/', { fetch, codec })
        .$call(`p${level}`, [])
        .catch(() => 'rejected')
    }
    await expectLinear(folder, leaves, callAt, [4, 8, levels])
    expect(await callAt({ at }, 2)).toEqual({ x: { x: { at: new Date(at) }, b: 1 }, a: 1 })
    expect(await callAt({ at: 'x' }, levels)).toBe('rejected')
  })
})

/** The nesting of values whose steps are compared, as many as `limits.depth` allows, and how much more a byte may take at the second. */
const nesting = [30, 240] as const
const maxRatio = 1.5

/** Bytes of a message; the parts of a request that do not depend on its value are less than a thousand steps. */
const messageBytes = Number(process.env['STEPS_BYTES'] ?? 12_000)
const constantSteps = 1000

/** What is sent: valid values, some invalid ones after them, and invalid values only. */
type Contents = 'valid' | 'partly invalid' | 'invalid'

/**
 * Returns a list of values of a family. Of invalid values, whose errors take more steps, there are as many bytes at each depth; and few
 * of them, since an error lists 20 issues.
 */
function listOf(family: Family, contents: Contents, depth: number, form: 'wire' | 'native' = 'wire'): unknown[] {
  const copies = (leaf: unknown, count: number) => {
    return Array.from({ length: count }, () => nestedValue(family, leaf, depth, form))
  }
  if (contents === 'invalid') return copies(family.wrong, 8)
  const valid = JSON.stringify(nestedValue(family, family.end, depth))
  const invalid = contents === 'valid' ? 0 : nesting[1] / depth
  return [...copies(family.end, Math.ceil(messageBytes / valid.length)), ...copies(family.wrong, invalid)]
}

/** Returns the bytes of the values that a client reads: it stops at the first one that is invalid. */
function bytesOfClient(family: Family, contents: Contents, depth: number): number {
  const list = listOf(family, contents, depth)
  const validOnes = contents === 'invalid' ? 0 : listOf(family, 'valid', depth).length
  return JSON.stringify(list.slice(0, validOnes + 1)).length
}

/** Compares the steps for a byte at both depths. `prepare` returns the work on a list, and its size. */
async function expectSteps(
  folder: string,
  name: string,
  prepare: (depth: number) => { readonly bytes: number; readonly work: () => Promise<unknown> },
): Promise<void> {
  const [shallow, deep] = nesting.map(prepare) as [ReturnType<typeof prepare>, ReturnType<typeof prepare>]
  // Types are described, and what is known of them is remembered, once.
  await shallow.work()
  const before = await countSteps(folder, shallow.work)
  const after = await countSteps(folder, deep.work)
  const atMost = maxRatio * before * (deep.bytes / shallow.bytes) + constantSteps
  if (process.env['STEPS_RATIOS']) console.log(`${(after / deep.bytes / (before / shallow.bytes)).toFixed(2)} ${name}`)
  expect(after, `${name}: ${before} steps for ${shallow.bytes} bytes, ${after} for ${deep.bytes}`).toBeLessThan(atMost)
}

function xmlCall(method: string, value: unknown): string {
  const text = writeValue({ kind: 'any' }, value)
  return `<methodCall><methodName>${method}</methodName><params><param>${text}</param></params></methodCall>`
}

describe(`random families of recursive types, seed ${seed}`, async () => {
  console.log(`STEPS_SEED=${seed}, ${familyCount} families`)
  const { families, model } = recursiveFamilies(seed, familyCount)
  const { folder, procedures } = await compileModel(model)
  writeFileSync(join(folder, 'client.gen.ts'), clientText(model))
  const client: { createClient: typeof createClient } = await import(join(folder, 'client.gen.ts'))
  const servers = { strip: serverOf(procedures, 'strip'), reject: serverOf(procedures, 'reject') }
  const all: readonly Contents[] = ['valid', 'partly invalid', 'invalid']

  test.each(families.map((each, i) => [JSON.stringify(each.types), i, each] as const))('%s', async (_, i, family) => {
    const method = `p${i}`
    for (const contents of all) {
      const isValid = contents === 'valid'
      await expectSteps(folder, `JSON-RPC, ${contents}`, (depth) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [listOf(family, contents, depth)] })
        return { bytes: body.length, work: () => post(servers, 'application/json', body, isValid) }
      })
      await expectSteps(folder, `XML-RPC, ${contents}`, (depth) => {
        const body = xmlCall(method, listOf(family, contents, depth))
        return { bytes: body.length, work: () => post(servers, 'text/xml', body, isValid) }
      })
      await expectSteps(folder, `result of a client, ${contents}`, (depth) => {
        const result = JSON.stringify(listOf(family, contents, depth))
        const fetch: Fetch = (_url, { body }) => responseWith(body, result)
        const bytes = bytesOfClient(family, contents, depth)
        return { bytes, work: () => clientCall(client.createClient, fetch, method, []) }
      })
      await expectSteps(folder, `argument of a client, ${contents}`, (depth) => {
        const bytes = bytesOfClient(family, contents, depth)
        const value = listOf(family, contents, depth, 'native')
        const fetch: Fetch = (_url, { body }) => responseWith(body, '[]')
        return { bytes, work: () => clientCall(client.createClient, fetch, method, [value]) }
      })
    }
    const value = JSON.parse(JSON.stringify(listOf(family, 'valid', nesting[1])))
    expect((await call(servers.strip, method, value)).result).toEqual(value)
  })
})

test('recursion through a custom scalar', async () => {
  const codec: ScalarCodec<object, object> = { decode: (sent) => sent, encode: (value) => value }
  const boxed: Type = scalar(
    'Boxed',
    codec,
    lazy(() => either),
  )
  const structWith = (name: string): Type => {
    return (value, wire) => {
      const out = readStruct(value)
      if (isPresent(value.x, wire)) out.x = read(value.x, boxed, wire)
      if (isPresent(value[name], wire)) out[name] = int(value[name])
      return out
    }
  }
  const [withP, withQ] = [structWith('p'), structWith('q')]
  const either: Type = union([withP, withQ])
  name({ withP, withQ })
  const list = array(either)
  const echo = procedure((each: unknown) => each as never, { params: { value: list }, returns: list })
  const servers = { strip: serverOf(manifest({ echo }), 'strip'), reject: serverOf(manifest({ echo }), 'reject') }
  for (const end of [{}, true]) {
    await expectSteps(root, `custom scalars around ${JSON.stringify(end)}`, (depth) => {
      const value = nest(end, (x) => ({ x }), depth)
      const values = Array.from({ length: Math.ceil(1000 / depth) }, () => structuredClone(value))
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: [values] })
      return { bytes: body.length, work: () => post(servers, 'application/json', body, end !== true) }
    })
  }
})

test('an error at the end of a long list inside of custom scalars', async () => {
  const codec: ScalarCodec<object, object> = { decode: (sent) => ({ sent }), encode: (value) => value }
  const boxed: Type = scalar('Boxed', codec, union([record(lazy(() => boxed)), array(int)]))
  name({ boxed })
  const servers = {
    strip: serverOf(manifest({ take: procedure(() => undefined, { params: { value: boxed } }) }), 'strip'),
  }
  await expectSteps(root, 'a long list in custom scalars', (depth) => {
    const list = [...Array.from({ length: 3000 }, (_, i) => i), 'x']
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'take', params: [nest(list, (k) => ({ k }), depth)] })
    return { bytes: body.length, work: () => post(servers, 'application/json', body, false) }
  })
})

/** Returns a response to a request with the text of its result. */
function responseWith(body: unknown, result: string): Response {
  const id = JSON.stringify(JSON.parse(String(body)).id)
  return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, {
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Posts a message to several servers, which accept a valid value. */
async function post(
  servers: Readonly<Record<string, Router>>,
  type: string,
  body: string,
  isValid: boolean,
): Promise<void> {
  for (const server of Object.values(servers)) {
    const response = await server.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })
    const text = await response.text()
    if (isValid) expect(text.slice(0, 500)).not.toMatch(/"error"|<fault>/)
    expect(text.slice(0, 500)).not.toContain('-32603')
  }
}

/** A call of a client; a value that is not of the type rejects. */
function clientCall(create: typeof createClient, fetch: Fetch, method: string, params: unknown[]): Promise<unknown> {
  return create('https://example.org/', { fetch })
    .$call(method as never, params as never)
    .catch(() => 'rejected')
}
