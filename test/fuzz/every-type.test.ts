import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { beforeAll, expect, test } from 'vitest'
import type { Manifest } from '../../runtime/call/types.js'
import { compileModule } from '../support/compile-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { bigint, bytes, date, double, int, name, optional, struct, text } from './arbitraries.js'
import { expectSame } from './forms.js'
import { check, timeout } from './runs.js'

const everyType = join(import.meta.dirname, 'every-type.ts')
const folder = temporaryFolder('fuzz')
let app: Hono
let compiled: Manifest

/** What is not erasable is not in this project's own sources. */
const enums = `
enum Color { Red = 'red', Green = 'green' }
enum Level { Low = 1, High = 2.5 }

/** @rpc */
export const enums = (value: Record<string, Color | Level>): Record<string, Color | Level> => value
`

beforeAll(async () => {
  compiled = await compileModule(folder, 'every-type.ts', readFileSync(everyType, 'utf8') + enums)
  app = new Hono().route('/rpc', new RpcServer({ procedures: compiled, onError: () => {} }).router())
})

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.record({
    label: text,
    size: double,
    born: fc.option(date),
    key: bigint,
    picture: optional(bytes),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
  }),
}))

const arbitraries: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  undefineds: fc.constant(undefined),
  nothing: fc.constant(null),
  templates: text.map((any) => `user:${any}`),
  urls: fc.webUrl({ withQueryParameters: true, withFragments: true }).map((any) => new URL(any).href),
  buffers: bytes,
  arrayBuffers: bytes,
  enums: struct(fc.constantFrom('red', 'green', 1, 2.5)),
  scalars: fc.oneof(text, double, fc.boolean(), fc.constant(null)),
  bigintLiterals: fc.constantFrom(1n, 2n),
  lists: fc.array(fc.array(double, { maxLength: 4 }), { maxLength: 4 }),
  restTuples: fc.tuple(int, fc.array(text, { maxLength: 4 })).map(([first, others]) => [first, ...others]),
  mapsOfSets: fc
    .array(fc.tuple(name, fc.uniqueArray(int)), { maxLength: 4 })
    .map((entries) => new Map(entries.map(([each, ints]) => [each, new Set(ints)]))),
  trees: tree,
  patterns: fc
    .array(fc.tuple(text, int), { maxLength: 4 })
    .map((others) => Object.fromEntries([['id', 1], ...others.map(([other, value]) => [`x-${other}`, value])])),
  untagged: fc.oneof(
    fc.record({ a: double, b: optional(double) }),
    fc.record({ a: double, c: fc.array(int, { maxLength: 4 }) }),
  ),
  promises: fc.array(date, { maxLength: 4 }),
}

test('every type has a property', () => {
  expect(Object.keys(arbitraries).sort()).toEqual(Object.keys(compiled).sort())
})

test.each(Object.entries(arbitraries))('%s are returned, over both protocols', { timeout }, async (method, values) => {
  await check(
    100,
    fc.asyncProperty(values, (value) => expectSame(app, method, value)),
  )
})
