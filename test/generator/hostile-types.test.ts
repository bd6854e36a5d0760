import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const folder = temporaryFolder('hostile')
const seed = Number(process.env['FUZZ_SEED'] ?? 16)
const runs = Number(process.env['FUZZ_RUNS'] ?? 240)
writeFileSync(
  join(folder, 'tsconfig.json'),
  '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext", "strict": true } }\n',
)

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomOf(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const names = ['A', 'B', 'C', 'D']

/** A module whose types lead to each other and to themselves in every way that TypeScript has. */
function moduleOf(random: () => number): string {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const tag = (i: number) => `'${'abc'[i]}'`
  const leaf = (): string =>
    pick(['string', 'number', 'boolean', 'null', "'a'", "'b'", '1', 'Date', 'bigint', 'Uint8Array', `\`x\${string}\``])
  const type = (depth: number): string => {
    if (depth <= 0) return random() < 0.6 ? pick(names) : leaf()
    const inner = () => type(depth - 1 - Math.floor(random() * 2))
    return pick([
      leaf,
      () => pick(names),
      () => `(${inner()})[]`,
      () => `readonly (${inner()})[]`,
      () => `[${inner()}, ${inner()}]`,
      () => `[${inner()}, (${inner()})?]`,
      () => `[${inner()}, ...(${inner()})[]]`,
      () => `Record<string, ${inner()}>`,
      () => `Map<string, ${inner()}>`,
      () => `Set<${inner()}>`,
      () => `{ kind: ${tag(0)}; v: ${inner()} } | { kind: ${tag(1)}; w?: ${inner()} }`,
      () =>
        `{ kind: ${tag(0)}; [k: string]: ${inner()} | ${tag(0)} } | { kind: ${tag(1)}; [k: string]: ${inner()} | ${tag(1)} }`,
      () => `{ v: ${inner()}; [k: string]: ${inner()} }`,
      () => `{ [k: string]: ${inner()} }`,
      () => `{ a: ${inner()}; b?: ${inner()} }`,
      () => `(${inner()}) | (${inner()})`,
      () => `(${inner()}) & { extra: ${inner()} }`,
      () => `Partial<{ p: ${inner()} }>`,
      () => `Box<${inner()}>`,
      () => `Deep<${inner()}>`,
      () => `Nest<${inner()}>`,
      () => `Pick<{ a: ${inner()}; b: ${inner()} }, 'a'>`,
    ])()
  }
  const declared = names.map((name) =>
    random() < 0.3
      ? `export interface ${name} { own: ${type(2)}; next?: ${type(2)} }`
      : `export type ${name} = ${type(3)}`,
  )
  const [first, second, third] = [0, 1, 2].map(() => type(2))
  return `interface Box<T> { value: T; others?: Box<T>[] }
type Deep<T> = T extends object ? { [K in keyof T]: Deep<T[K]> } : T
type Nest<T> = { item: T; next?: Nest<T> }
${declared.join('\n')}

/** @rpc */
export async function f(a: ${first}, b?: ${second}): Promise<${third}> {
  throw [a, b]
}
`
}

/** Errors in some sources prevent all outputs: such sources are left out, until the rest is generated. */
async function generateAll(sources: readonly string[]): Promise<number> {
  const root = mkdtempSync(join(folder, 'run-'))
  mkdirSync(join(root, 'api'))
  sources.forEach((text, i) => {
    writeFileSync(join(root, `api/s${i}.ts`), text.replace('function f(', `function f${i}(`))
  })
  let paths = sources.map((_text, i) => `api/s${i}.ts`)
  while (paths.length > 0) {
    const options = { cwd: root, paths, project: join(folder, 'tsconfig.json'), out: 'rpc.gen.ts' }
    const { diagnostics, files } = await generate(options)
    if (files.length > 0) return paths.length
    const wrong = new Set(diagnostics.map(({ position }) => position?.file))
    const left = paths.filter((path) => !wrong.has(path))
    // Each diagnostic has to name its source, so that users can find the mistake.
    expect(diagnostics.filter(({ position }) => position === undefined)).toEqual([])
    expect(left.length).toBeLessThan(paths.length)
    paths = left
  }
  return 0
}

/** Names the one source that makes the generator throw. */
async function generateOrName(sources: readonly string[]): Promise<number> {
  try {
    return await generateAll(sources)
  } catch (error) {
    if (sources.length === 1) throw new Error(`${String(error)}\n${sources[0]}`)
    const middle = sources.length >> 1
    await generateOrName(sources.slice(0, middle))
    await generateOrName(sources.slice(middle))
    throw error
  }
}

const tagged = (name: string, tag: string) => `{ kind: '${tag}'; [k: string]: ${name} | '${tag}' }`

test.each([
  ['tagged structs with index signatures', `type X = ${tagged('X', 'a')} | ${tagged('X', 'b')}`],
  ['the same in a list', `type X = ${tagged('X[]', 'a')} | ${tagged('X[]', 'b')}`],
  ['the same in a tuple', `type X = ${tagged('[X, 1]', 'a')} | ${tagged('[X, 2]', 'b')}`],
  ['the same in a set', `type X = ${tagged('Set<X>', 'a')} | ${tagged('Set<X>', 'b')}`],
  ['one struct with an index signature', `type X = ${tagged('X', 'a')}`],
])('%s has an output', async (_what, text) => {
  const source = `export ${text}\n\n/** @rpc */\nexport function f(x: X): X {\n  return x\n}\n`
  expect(await generateAll([source])).toBe(1)
})

const entities = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const others = [1, 7, 31].map(
      (step) => `e${step}: E${(i + step) % count} | null; list${step}?: E${(i + step) % count}[]`,
    )
    return `interface E${i} { id: number; ${others.join('; ')} }`
  }).join('\n')

test.each([
  ['2,000 interfaces in a row', 'E0', 2000],
  ['a generic type of each of 300', 'Deep<E0>', 300],
  ['a conditional type of each of 60', 'Partly<E0>', 60],
  ['a conditional type of 40 in a row, each with two members of the next', 'Partly<R0>', 40],
])('%s has an output', async (_what, type, count) => {
  const row = Array.from({ length: count }, (_, i) => `interface R${i} { one: R${i + 1}; more: R${i + 1}[] }`)
  const declared = `type Deep<T> = { [K in keyof T]?: T[K] extends Date ? T[K] : Deep<T[K]> }
type Partly<T> = T extends Date ? T : T extends (infer E)[] ? Partly<E>[] : T extends object ? { [K in keyof T]?: Partly<T[K]> } : T`
  const procedure = `/** @rpc */\nexport function f(x: ${type} | null): void {\n  throw x\n}\n`
  expect(
    await generateAll([
      `${entities(count)}\n${row.join('\n')}\ninterface R${count} { id: number }\n${declared}\n${procedure}`,
    ]),
  ).toBe(1)
})

/** Diagnostics of one source, without their texts. */
async function codesOf(source: string): Promise<readonly unknown[]> {
  const root = mkdtempSync(join(folder, 'bound-'))
  writeFileSync(join(root, 'api.ts'), source)
  const outputs = { client: 'client.gen.ts', pythonClient: 'client.py' }
  const options = { cwd: root, paths: ['api.ts'], project: join(folder, 'tsconfig.json'), ...outputs }
  const { diagnostics, files } = await generate(options)
  return files.length > 0 ? [] : diagnostics.map(({ code, position }) => [code, position?.file])
}

const repeated = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i))
const procedureOf = (type: string) => `/** @rpc */\nexport function f(a: ${type}): void {\n  throw a\n}\n`
const unionOf = (count: number) => repeated(count, (i) => `S${i}`).join(' | ')

/** Each pair of structs is compared for each union, and of each pair all inner pairs: minutes, if every pair is compared again. */
const entangled = (count: number, member: (i: number) => string) =>
  repeated(count, (i) => `interface S${i} { ${member(i)} }\n`).join('') + procedureOf(unionOf(count))

const ring = (count: number) =>
  repeated(count, (i) => {
    const next = `U${(i + 1) % count}`
    return `type U${i} = A${i} | B${i} | null
interface A${i} { x: ${next}; p?: number }
interface B${i} { x: ${next} | number; q?: string }
`
  }).join('') + procedureOf('U0')

const optional = repeated(18, (i) => `m${i}?: ${unionOf(18)}`).join('; ')

test.each<[string, string, boolean]>([
  ['25 structs that contain their union', entangled(25, (i) => `x: ${unionOf(25)} | null; p${i}?: number`), true],
  ['18 structs with 18 optional members of their union', entangled(18, (i) => `${optional}; p${i}?: number`), true],
  ['a ring of 300 unions', ring(300), true],
  ['100 structs that contain their union', entangled(100, (i) => `x: ${unionOf(100)} | null; p${i}?: number`), false],
  ['a ring of 1,500 unions', ring(1500), false],
])('%s: an output, or an error with its source', async (_what, source, isAccepted) => {
  expect(await codesOf(source)).toEqual(isAccepted ? [] : [['RPC122', 'api.ts']])
})

const rowOf = (type: (i: number) => string, last: string) => `${repeated(2000, type).join('\n')}\n${last}\n`
const interfaces = rowOf((i) => `interface A${i} { a: A${i + 1} | null }`, 'interface A2000 { a: number }')
const aliases = rowOf((i) => `type A${i} = A${i + 1}[]`, 'type A2000 = number')

test.each<[string, string, unknown[]]>([
  ['2,000 interfaces in a row', interfaces + procedureOf('A0'), []],
  ['2,000 aliases in a row', `${aliases}interface X { a: A0; b: number }\n${procedureOf("Pick<X, 'b'>")}`, []],
  ['aliases of each other', `type A = B\ntype B = A\n${procedureOf('A')}`, [['RPC120', 'api.ts']]],
])('%s: an output, or the error of TypeScript', async (_what, source, codes) => {
  expect(await codesOf(source)).toEqual(codes)
})

test.each<[number, unknown[]]>([
  [100, []],
  [101, [['RPC113', 'api.ts']]],
  [3000, [['RPC113', 'api.ts']]],
])('a name of %i segments', async (count, codes) => {
  const name = repeated(count, () => 'a').join('.')
  expect(await codesOf(`/** @rpc ${name} */\nexport function f(a: number): void {\n  throw a\n}\n`)).toEqual(codes)
})

test('types that refer to each other in every way: a diagnostic or an output, never an exception', async () => {
  const random = randomOf(seed)
  let generated = 0
  for (let at = 0; at < runs; at += 60) {
    const count = Math.min(60, runs - at)
    generated += await generateOrName(Array.from({ length: count }, () => moduleOf(random)))
  }
  // Were nearly all of them rejected, the later stages would not be tried.
  expect(generated).toBeGreaterThan(runs / 40)
})

test('an expression that is too deep for the stack is an error of its function, one that cannot be parsed names its file', async () => {
  const root = mkdtempSync(join(folder, 'deep-'))
  const options = { cwd: root, paths: ['api.ts'], project: join(folder, 'tsconfig.json') }
  const sum = Array(60_000).fill("'a'").join(' + ')
  writeFileSync(join(root, 'api.ts'), `/** @rpc */\nexport function f() {\n  return ${sum}\n}\n`)
  const { diagnostics } = await generate(options)
  expect(diagnostics.map(({ code, position }) => [code, position?.line])).toEqual([['RPC122', 2]])
  // In a source that is searched for tags and registrations.
  const more = `// registerProcedure\nexport interface A {\n  /** @minimum 1 */\n  a: number\n}\n`
  writeFileSync(join(root, 'api.ts'), `/** @rpc */\nexport function f() {\n  return ${sum}\n}\n${more}`)
  const searched = await generate(options)
  expect(searched.diagnostics.map(({ code, position }) => [code, position?.line])).toEqual([['RPC122', 2]])
  const example = `/**\n * @example ${'!'.repeat(60_000)}f()\n * @rpc\n */\nexport function f(): void {}\n`
  writeFileSync(join(root, 'api.ts'), example)
  const exampled = await generate(options)
  expect(exampled.diagnostics.map(({ code, position }) => [code, position?.line])).toEqual([['RPC122', 5]])
  writeFileSync(
    join(root, 'api.ts'),
    `/** @rpc */\nexport const f = () => ${'('.repeat(60_000)}1${')'.repeat(60_000)}\n`,
  )
  await expect(generate(options)).rejects.toThrow(/api\.ts nests too deeply to be parsed$/)
  // It is parsed without recursion.
  writeFileSync(join(root, 'deep.ts'), `export type Deep = string${'[]'.repeat(10_000)}\n`)
  writeFileSync(
    join(root, 'api.ts'),
    `import type { Deep } from './deep.js'\n/** @rpc */\nexport function f(a: Deep): void {}\n`,
  )
  await expect(generate(options)).rejects.toThrow(/deep\.ts nests too deeply to be analysed$/)
})
