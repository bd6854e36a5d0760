import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { router } from '../../fixtures/generate/constraint-types/expected.gen.js'
import { compileModule } from '../support/compile-module.js'
import { type App, responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const call = (app: App, method: string, ...params: readonly unknown[]) => responseTo(app, method, params)

const order = {
  id: 7,
  sku: 'ABC-1234',
  tags: ['a', 'b'],
  share: 0.5,
  price: 9.95,
  mail: 'a@example.org',
  seen: [1, 2],
  rows: [1, 2],
  big: 9,
  row: [1, 'a', 2],
  sizes: 's',
  either: 'x',
  kind: 'k-1',
}

test('every constraint type is checked in what callers send', async () => {
  const bad: Readonly<Record<keyof typeof order, unknown>> = {
    id: 0,
    sku: 'ABC-12345',
    tags: ['a', 'a'],
    share: 1,
    price: 0.07,
    mail: 'a',
    seen: [1, 2, 3, 4],
    rows: [1],
    big: 8,
    row: [1, 'a'],
    sizes: 'xl',
    either: 2,
    kind: 'k-12345678',
  }
  expect(await call(router, 'order', order, [1])).toMatchObject({ result: { ...order, big: '9' } })
  for (const [name, value] of Object.entries(bad)) {
    const { error } = await call(router, 'order', { ...order, [name]: value }, [1])
    expect(error, name).toMatchObject({ code: -32602, data: [{ path: ['order', name] }] })
  }
  for (const row of [
    [1, 'a', 2, 3, 4],
    [1, 'a', 2, 2],
    [1, 'a', 151],
  ]) {
    expect((await call(router, 'order', { ...order, row }, [1])).error?.code).toBe(-32602)
  }
  expect(await call(router, 'order', { ...order, row: [1, null, 2] }, [1])).toMatchObject({
    result: { row: [1, null, 2] },
  })
  expect((await call(router, 'order', { ...order, big: 10 }, [1])).error?.code).toBe(-32602)
  expect((await call(router, 'order', order, [])).error).toMatchObject({ data: [{ path: ['rows'] }] })
  expect((await call(router, 'order', order, [151])).error).toMatchObject({ data: [{ path: ['rows', 0] }] })
})

test('the error names the constraints', async () => {
  const { error } = await call(router, 'assigned', -1, 4, ['a', 'a'])
  expect(error?.data).toMatchObject([
    { path: ['age'], expected: 'int from 0 to 150', received: 'int below 0' },
    { path: ['other'], expected: 'int >= 5', received: 'int below 5' },
    {
      path: ['tags'],
      expected: 'array of string of at most 10 elements and without equal elements',
      received: 'array with equal elements',
    },
  ])
})

test('tags of typia are checked as the same constraints', async () => {
  const uuid = '123e4567-e89b-12d3-a456-426614174000'
  const good = [0, 'ab', uuid, ['2020-01-01'], 0, 1, 4294967295, { age: 255 }, 0, [1], [1.5], 1.5]
  const bad = [10, 'b', 'x', [], -1, 1.5, 4294967296, { age: 256 }, -1, [1.5], [1e39], '1']
  // It throws where its arguments are accepted.
  expect((await call(router, 'foreign', ...good)).error?.code).toBe(-32603)
  for (const [at, value] of bad.entries()) {
    expect((await call(router, 'foreign', ...good.with(at, value))).error?.code, `${at}`).toBe(-32602)
  }
})

/** Compiles a source, and serves it. */
async function serve(source: string): Promise<App> {
  const folder = temporaryFolder('constraint-types')
  const procedures = await compileModule(folder, 'source.ts', source)
  return new RpcServer({ procedures, onError: () => {} }).router()
}

test('what a procedure returns is checked, declared or inferred', async () => {
  const served = await serve(`
    import type { Int, Maximum, Minimum, MinItems } from 'rpc-gen'
    type Age = Int & Minimum<0> & Maximum<150>
    /** @rpc */
    export function declared(n: number): Age { return n }
    /** @rpc */
    export function inferred(n: number) { const age: Age = n; return { age, all: [age] } }
    /** @rpc */
    export async function list(n: number): Promise<Int[] & MinItems<1>> { return Array(n).fill(0) }
  `)
  expect(await call(served, 'declared', 150)).toMatchObject({ result: 150 })
  expect((await call(served, 'declared', 151)).error?.code).toBe(-32603)
  expect(await call(served, 'inferred', 0)).toMatchObject({ result: { age: 0, all: [0] } })
  expect((await call(served, 'inferred', -1)).error?.code).toBe(-32603)
  expect(await call(served, 'list', 1)).toMatchObject({ result: [0] })
  expect((await call(served, 'list', 0)).error?.code).toBe(-32603)
})

describe('a tag on an alias that TypeScript forgets', () => {
  const cases: readonly (readonly [tags: string, type: string, good: unknown, bad: unknown])[] = [
    ['@minimum 0', 'number', 0, -1],
    ['@exclusiveMaximum 2.5', '(number)', 2, 2.5],
    ["@pattern ^'\\\\d$", 'string', "'\\d", "'5"],
    ['@pattern ^\\d{2}$', 'string', '55', '5'],
    ['@maxItems 1', 'string[]', ['a'], ['a', 'b']],
    ['@uniqueItems', 'readonly string[]', ['a'], ['a', 'a']],
    ['@minimum 1\n * @maximum 2', 'true extends true ? number : string', 2, 3],
  ]

  /** The line of each alias is that of its comment's end. */
  const sourceOf = (aliases: readonly string[]) =>
    [
      "import type { ExclusiveMaximum, Maximum, MaxItems, Minimum, Pattern, UniqueItems } from 'rpc-gen'",
      ...aliases,
      ...aliases.map((_each, i) => `/** @rpc */ export function f${i}(a: A${i}): A${i} { return a }`),
    ].join('\n')

  test('is one error, and its hint is the line to write', async () => {
    const tagged = sourceOf(cases.map(([tags, type], i) => `/**\n * ${tags}\n */ export type A${i} = ${type}`))
    const message = await serve(tagged).then(
      () => '[]',
      (error: Error) => error.message,
    )
    const problems = JSON.parse(message) as { code: string; hint: string; position: { line: number } }[]
    const lines = tagged.split('\n').flatMap((line, i) => (line.includes(' export type') ? [i + 1] : []))
    expect(problems.map(({ code, position }) => [code, position.line])).toEqual(lines.map((line) => ['RPC127', line]))
    const served = await serve(sourceOf(problems.map(({ hint }) => hint.replace(/^.*?: /, ''))))
    for (const [i, [, type, good, bad]] of cases.entries()) {
      expect(await call(served, `f${i}`, good), type).toMatchObject({ result: good })
      expect((await call(served, `f${i}`, bad)).error?.code, type).toBe(-32602)
    }
  })
})

test('members of an index signature have no tags of the members beside it', async () => {
  const source = `interface Rows { [row: number]: string; /** @minimum 1 */ size: number }
/** @rpc */ export function first(rows: Rows[number]): string { return rows }`
  expect(await call(await serve(source), 'first', 'a')).toMatchObject({ result: 'a' })
})
