import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { RpcServer } from 'rpc-gen'
import type { Diagnostic } from 'rpc-gen/generator'
import { expect, test } from 'vitest'
import { compileModule, prepare } from '../support/compile-module.js'
import { generate } from '../support/generate.js'
import { responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Random types around a constrained one: a value that misses the constraint is rejected, or the type is a located error.

/** A type, the declarations that it needs, and how a value of the constrained type is part of one of it. */
interface Wrapped {
  readonly type: string
  readonly declarations: readonly string[]
  readonly value: (inner: unknown) => unknown
  /** The steps that made it. */
  readonly steps: readonly string[]
}

interface Base {
  readonly type: string
  readonly good: unknown
  readonly bad: unknown
}

const bases: readonly Base[] = [
  { type: '(Int & Minimum<3>)', good: 3, bad: 2 },
  { type: '(number & ExclusiveMaximum<2.5>)', good: 2, bad: 2.5 },
  { type: '(number & MultipleOf<0.1>)', good: 0.3, bad: 0.15 },
  { type: '(string & MaxLength<2>)', good: 'ab', bad: 'abc' },
  { type: "(string & Pattern<'^a'>)", good: 'a', bad: 'b' },
  { type: "(string & Format<'date'>)", good: '2020-01-01', bad: '2020' },
  { type: '(string[] & MinItems<1>)', good: ['a'], bad: [] },
  { type: '(Int[] & UniqueItems)', good: [1, 2], bad: [1, 1] },
  { type: '([Int, ...Int[]] & MinItems<2>)', good: [1, 2], bad: [1] },
  { type: '((Int & Minimum<3>) | boolean)', good: 3, bad: 2 },
  { type: '(number & tags.Maximum<5>)', good: 5, bad: 6 },
  { type: "(string & tags.Format<'uuid'>)", good: '123e4567-e89b-12d3-a456-426614174000', bad: 'x' },
  { type: "(number & tags.Type<'uint8'>)", good: 255, bad: 256 },
  { type: '(string[] & tags.MinItems<1>)', good: ['a'], bad: [] },
  { type: '{ /** @minimum 3 */ v: number }', good: { v: 3 }, bad: { v: 2 } },
  { type: '{ /** @maxItems 1 */ v?: readonly string[] | null }', good: { v: ['a'] }, bad: { v: ['a', 'b'] } },
  { type: 'Tagged', good: { word: 'abc' }, bad: { word: 'ab' } },
  // Types that keep the members of a tagged type, or may do so.
  ...['Expand<Tagged>', 'Overwrite<{ word: number }, Tagged>', 'NotNull<Tagged>', 'Deep2<Tagged>'].map((type) => ({
    type,
    good: { word: 'abc' },
    bad: { word: 'ab' },
  })),
  { type: 'Lists<[/** @maxItems 1 */ a: string[]]>', good: [[['a'], ['b']]], bad: [[['a', 'b']]] },
  { type: 'Same<[/** @maxItems 1 */ a: string[]]>', good: [['a']], bad: [['a', 'b']] },
  // Generic types that contain a tagged member of their argument.
  ...[
    'Get<Tagged>',
    'Default',
    'GetOf<Tagged>',
    "By<Tagged, 'word'>",
    'Deep<{ v?: Tagged }>',
    'Nested<Tagged>',
    'Word<Tagged>',
    'Members<Tagged>',
    'Holder<Tagged>["held"]',
    'Field<Tagged>["held"]',
    'Returned<Tagged>',
    'Taken<Tagged>',
    'OfPartial<Tagged>',
    'OfBoth<Tagged>',
    'OfPick<Tagged>',
    'OfElement<Tagged[]>',
    'OfLiteral<Tagged>',
    'Direct<Tagged>',
    '(Tagged extends { word: infer W } ? W : never)',
    '([Tagged] extends [infer W extends Tagged] ? W["word"] : never)',
    '(typeof tagged.word)',
    'ReturnType<typeof take<Tagged>>',
    'First<[/** not here */ one: string, two: string]>',
    'Second<[one: Int, /** @minLength 3 */ two: string]>',
    'Last<[one: Int, two: Int, /** @minLength 3 */ three: string]>',
    'InBoth<Tagged & { other: string }>',
    'InList<Tagged[]>',
    'InBox<{ /** @minLength 3 */ v: string }>',
    'InRecord<{ /** @minLength 3 */ v: string }>',
    "ByKey<Tagged, 'word'>",
    'Argument<(/** @minLength 3 */ word: string) => void>',
  ].map((type) => ({ type, good: 'abc', bad: type.startsWith('First') ? 1 : 'ab' })),
]

/** A step: the type around a type, and the value around its value. */
type Step = readonly [around: (type: string) => string, value?: (inner: unknown) => unknown]

const asMember = (v: unknown) => ({ v })

const steps: Readonly<Record<string, Step>> = {
  box: [(t) => `Box<${t}>`, asMember],
  boxOfBox: [(t) => `Box<Box<${t}>>`, (v) => ({ v: { v } })],
  chain: [(t) => `Chain<${t}>`, (v) => ({ v, next: { v } })],
  partial: [(t) => `Partial<{ v: ${t} }>`, asMember],
  required: [(t) => `Required<{ v?: ${t} }>`, asMember],
  pick: [(t) => `Pick<{ v: ${t}; w: string }, 'v'>`, asMember],
  omit: [(t) => `Omit<{ v: ${t}; w: string }, 'w'>`, asMember],
  nullable: [(t) => `Nullable<{ v: ${t} }>`, asMember],
  renamed: [(t) => `Renamed<{ v: ${t} }>`, (v) => ({ v1: v })],
  wrapped: [(t) => `Wrapped<{ v: ${t} }>`, (v) => ({ v: { of: v } })],
  some: [(t) => `Some<{ v: ${t}; w: string }>`, asMember],
  member: [(t) => `{ v: ${t} }['v']`],
  memberOfBox: [(t) => `Box<${t}>['v']`],
  members: [(t) => `Members<{ v: ${t} }>`],
  element: [(t) => `[string, ${t}][1]`],
  item: [(t) => `${t}[][number]`],
  kept: [(t) => `Kept<${t}>`],
  inferred: [(t) => `Inferred<{ v: ${t} }>`],
  first: [(t) => `First<[${t}, string]>`],
  exclude: [(t) => `Exclude<${t} | null, null>`],
  nonNullable: [(t) => `NonNullable<${t} | null>`],
  awaited: [(t) => `Awaited<Promise<${t}>>`],
  returned: [(t) => `ReturnType<() => ${t}>`],
  parameter: [(t) => `Parameters<(v: ${t}) => void>[0]`],
  noInfer: [(t) => `NoInfer<${t}>`],
  array: [(t) => `${t}[]`, (v) => [v]],
  readonlyArray: [(t) => `readonly (${t})[]`, (v) => [v]],
  tuple: [(t) => `[string, ${t}]`, (v) => ['a', v]],
  rest: [(t) => `[string, ...${t}[]]`, (v) => ['a', v]],
  record: [(t) => `Record<string, ${t}>`, (v) => ({ a: v })],
  listed: [(t) => `Record<'v' | 'w', ${t}>`, (v) => ({ v, w: v })],
  index: [(t) => `{ [name: string]: ${t} }`, (v) => ({ a: v })],
  both: [(t) => `({ v: ${t} } & { w?: string })`, asMember],
  beside: [(t) => `({ v: ${t} } & Record<string, unknown>)`, asMember],
  orNull: [(t) => `(${t} | null)`],
  orTagged: [(t) => `({ kind: 'v'; v: ${t} } | { kind: 'w' })`, (v) => ({ kind: 'v', v })],
  optional: [(t) => `{ v?: ${t} | undefined }`, asMember],
}

const preamble = `
import type { ExclusiveMaximum, Format, Int, MaxLength, Minimum, MinItems, MultipleOf, Pattern, UniqueItems } from 'rpc-gen'
namespace tags {
  type TagBase<P> = { 'typia.tag'?: P }
  export type Maximum<V extends number> = TagBase<{ target: 'number'; kind: 'maximum'; value: V }>
  export type Format<V extends string> = TagBase<{ target: 'string'; kind: 'format'; value: V }>
  export type Type<V extends string> = TagBase<{ target: 'number'; kind: 'type'; value: V }>
  export type MinItems<V extends number> = TagBase<{ target: 'array'; kind: 'minItems'; value: V }>
}
interface Tagged { /** @minLength 3 */ word: string }
interface Box<T> { v: T }
interface Chain<T> { v: T; next?: Chain<T> }
type Nullable<T> = { [K in keyof T]: T[K] | null }
type Renamed<T> = { [K in keyof T as \`\${K & string}1\`]: T[K] }
type Wrapped<T> = { [K in keyof T]: { of: T[K] } }
type Some<T> = { [K in Exclude<keyof T, 'w'>]: T[K] }
type Members<T> = T[keyof T]
type Kept<T> = T extends null ? never : T
type Get<T extends { word: string }> = T['word']
type GetOf<T extends { word: string }> = Get<T> | (T extends { word: infer W } ? W : never)
type By<T, K extends keyof T> = T[K]
type Deep<T extends { v?: { word: string } }> = NonNullable<T['v']>['word']
type Nested<T extends { word: string }> = Deep<{ v: T }>
type Word<T> = T extends { word: infer W } ? W : never
type Second<T> = T extends [unknown, infer S] ? S : never
interface Holder<T extends { word: string }> { held: T['word'] }
declare class Field<T extends { word: string }> { held: T['word'] }
type Returned<T extends { word: string }> = ReturnType<() => T['word']>
type Taken<T extends { word: string }> = T['word'] extends infer W ? W : never
type OfPartial<T extends { word: string }> = NonNullable<Partial<T>['word']>
type OfBoth<T extends { word: string }> = (T & { other: string })['word']
type OfPick<T extends { word: string }> = Pick<T, 'word'>['word']
type OfElement<T extends { word: string }[]> = T[number]['word']
type OfLiteral<T extends { word: string }> = { v: T }['v']['word']
type Inferred<T> = T extends { v: infer U } ? U : never
type Direct<T> = { [K in keyof T]: T[K] }[keyof T]
declare const tagged: Tagged
declare function take<T extends { word: string }>(from: T): T['word']
type Last<T> = T extends [...unknown[], infer L] ? L : never
type InBoth<T> = T extends { word: infer W } & { other: string } ? W : never
type InList<T> = T extends readonly { word: infer W }[] ? W : never
type InBox<T> = T extends Box<infer V> ? V : never
type InRecord<T> = T extends Record<string, infer V> ? V : never
type ByKey<T, K extends string> = T extends { [P in K]: infer V } ? V : never
type Argument<F> = F extends (of: infer A, ...rest: never[]) => unknown ? A : never
type First<T> = T extends [infer F, ...unknown[]] ? F : never
type Default<T extends { word: string } = Tagged> = T['word']
type Expand<T> = T extends infer O ? { [K in keyof O]: O[K] } : never
type Overwrite<A, B> = { [K in keyof A]: K extends keyof B ? B[K] : A[K] }
type NotNull<T> = { [K in keyof T]-?: NonNullable<T[K]> }
type Deep2<T> = T extends (infer U)[] ? Deep2<U>[] : T extends object ? { [K in keyof T]: Deep2<T[K]> } : T
type Lists<T> = { [K in keyof T]: T[K][] }
type Same<T> = { [K in keyof T]: T[K] }
`

const wrapped = fc
  .tuple(
    fc.constantFrom(...bases),
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.boolean()), { minLength: 1, maxLength: 4 }),
  )
  .map(([base, chosen]): Base & Wrapped => {
    const declarations: string[] = []
    const values: ((inner: unknown) => unknown)[] = []
    let { type } = base
    for (const [name, isNamed] of chosen) {
      const [around, value] = steps[name] ?? [(each: string) => each]
      type = around(type)
      if (value) values.push(value)
      if (!isNamed) continue
      declarations.push(`type A_${declarations.length} = ${type}`)
      type = `A_${declarations.length - 1}`
    }
    const value = (inner: unknown) => values.reduce((each, step) => step(each), inner)
    return { ...base, type, declarations, value, steps: chosen.map(([name]) => name) }
  })

/** Each in a separate namespace and on separate lines: a parameter, and an inferred result. */
function sourceOf(all: readonly Wrapped[]): string {
  const parts = all.map(({ type, declarations }, i) => {
    const own = (text: string) => text.replace(/\bA_(\d+)/g, `A${i}_$1`)
    return [...declarations.map(own), `/** @rpc */ export function p${i}(a: ${own(type)}): void {}`]
      .concat(`/** @rpc */ export function r${i}(a: unknown) { return a as ${own(type)} }`)
      .join('; ')
      .replace(/; (?=\/\*\* @rpc)/g, '\n')
  })
  return `${preamble}${parts.map((text, i) => `// ${i}\n${text}`).join('\n')}\n`
}

/** The numbers of those that have an error on one of their lines. */
function rejected(source: string, diagnostics: readonly Diagnostic[]): Set<number> {
  const lines = source.split('\n')
  return new Set(
    diagnostics.map(({ code, message, position }) => {
      expect(`${code} ${message}`).toMatch(/^RPC12[1-7] /)
      const above = lines.slice(0, position?.line).findLast((line) => /^\/\/ \d+$/.test(line))
      expect(above, message).toBeDefined()
      return Number(above?.slice(3))
    }),
  )
}

// CONSTRAINT_SEED repeats a run, CONSTRAINT_TYPES makes a longer one.
const seed = Number(process.env['CONSTRAINT_SEED'] ?? 20_260_301)
const count = Number(process.env['CONSTRAINT_TYPES'] ?? 120)

test('a constraint is enforced wherever its type is used, or is an error with a position', async () => {
  const folder = temporaryFolder('constraints')
  const all = fc.sample(wrapped, { numRuns: count, seed })
  prepare(folder, 'all.ts', sourceOf(all))
  const { diagnostics } = await generate({ cwd: folder, paths: ['all.ts'], out: 'all.gen.ts' })
  const bad = rejected(sourceOf(all), diagnostics)
  const good = all.filter((_each, i) => !bad.has(i))
  // The others are the types that take a tagged member out of another one.
  expect(good.length).toBeGreaterThan(all.length / 5)
  rmSync(join(folder, 'all.ts'))
  const procedures = await compileModule(folder, 'good.ts', sourceOf(good))
  const router = new RpcServer({ procedures, onError: () => {} }).router()
  const codeOf = async (method: string, param: unknown) => (await responseTo(router, method, [param])).error?.code
  for (const [i, { steps, type, declarations, value, ...base }] of good.entries()) {
    const codes = [
      await codeOf(`p${i}`, value(base.good)),
      await codeOf(`p${i}`, value(base.bad)),
      await codeOf(`r${i}`, value(base.good)),
      await codeOf(`r${i}`, value(base.bad)),
    ]
    const shown = `${steps.join(', ')}: ${declarations.join('; ')}; ${type}`
    expect([shown, ...codes]).toEqual([shown, undefined, -32602, undefined, -32603])
  }
})
