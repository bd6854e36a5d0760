import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatDiagnostic } from 'rpc-gen/generator'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const folder = temporaryFolder('classes')
const manyMethods = Array.from({ length: 30 }, (_, i) => `  m${i}(other: this): this`).join('\n')

/** Classes as packages declare them: the first three after decimal.js, bson and luxon, whose types are in @types. */
const packages: Readonly<Record<string, string>> = {
  'decimals/index.d.ts': `export default Decimal\nexport declare class Decimal {\n  readonly d: number[]\n${manyMethods}\n  toJSON(): string\n}\n`,
  '@scope/ids/index.d.ts': `declare abstract class Value {\n  get [Symbol.toStringTag](): string\n}\nexport declare class ObjectId extends Value {\n  private buffer: Uint8Array\n${manyMethods}\n  toString(): string\n}\n`,
  '@types/times/index.d.ts': `export declare class DateTime<Valid extends boolean = true> {\n  private constructor()\n${manyMethods}\n  toJSON(): Valid extends true ? string : null\n}\n`,
  '@types/scope__dates/index.d.ts': `export interface Moment extends Object {\n${manyMethods}\n  toJSON(): string\n}\n`,
  'secrets/index.d.ts': 'export declare class Secret {\n  private key\n  name: string\n}\n',
  'plain/index.d.ts':
    'export declare class Point {\n  x: number\n  y: number\n}\nexport interface Named {\n  name: string\n}\n',
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

for (const [path, text] of Object.entries(packages)) {
  write(`node_modules/${path}`, text)
  const name = dirname(path)
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', types: './index.d.ts' }))
}
for (const name of ['times', '@scope/dates']) write(`node_modules/${name}/package.json`, JSON.stringify({ name }))
write(
  'tsconfig.json',
  '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "preserve", "strict": true } }\n',
)

async function problemsOf(imports: string, signature: string): Promise<string[]> {
  write('api/source.ts', `${imports}\n\n/** @rpc */\nexport function f${signature} {\n  throw 1\n}\n`)
  const { diagnostics } = await generate({ cwd: folder, paths: ['api'] })
  return diagnostics.map(formatDiagnostic)
}

const toJson =
  'hint: declare what its toJSON() returns and convert it in the procedure, or give it a codec: `scalars` in rpc.config'

test.each([
  ['a default export', "import Decimal from 'decimals'", '(): Decimal', 'Decimal of decimals', 'f()', toJson],
  ['in a list', "import { Decimal } from 'decimals'", '(a: Decimal[]): void', 'Decimal of decimals', 'f(a)[]', toJson],
  [
    'optional',
    "import { Decimal } from 'decimals'",
    '(a?: Decimal | string): void',
    'Decimal of decimals',
    'f(a)',
    toJson,
  ],
  [
    'with private state and a base class',
    "import { ObjectId } from '@scope/ids'",
    '(a: { id: ObjectId }): void',
    'ObjectId of @scope/ids',
    'f(a).id',
    'hint: declare what its toString() returns and convert it in the procedure, or give it a codec: `scalars` in rpc.config',
  ],
  [
    'with type arguments',
    "import { DateTime } from 'times'",
    '(): Promise<DateTime>',
    'DateTime of times',
    'f()',
    toJson,
  ],
  [
    'an interface',
    "import type { Moment } from '@scope/dates'",
    '(a: Moment): void',
    'Moment of @scope/dates',
    'f(a)',
    toJson,
  ],
  [
    'without methods',
    "import { Secret } from 'secrets'",
    '(a: Secret): void',
    'Secret of secrets',
    'f(a)',
    'hint: declare an interface of its data and convert it in the procedure, or give it a codec: `scalars` in rpc.config',
  ],
  [
    'extended by a class of the user',
    "import { Decimal } from 'decimals'\n\nclass Money extends Decimal {\n  currency = ''\n}",
    '(a: Money): void',
    'Decimal of decimals',
    'f(a)',
    toJson,
  ],
])('a class from a package is reported once: %s', async (_what, imports, signature, name, path, hint) => {
  const problems = await problemsOf(imports, signature)
  expect(problems).toEqual([
    expect.stringMatching(/^api\/source\.ts:\d+:\d+ RPC121 the class .* is not supported\n {2}in .*\n {2}hint: .*$/),
  ])
  expect(problems[0]).toContain(`the class ${name} is not supported\n  in ${path}\n  ${hint}`)
})

test('a class in an intersection, as a hydrated document, is reported once', async () => {
  const imports = "import { ObjectId } from '@scope/ids'\n\ninterface User { name: string }"
  const problems = await problemsOf(imports, '(): ObjectId & User & { _id: string }')
  expect(problems).toEqual([expect.stringContaining('the class ObjectId of @scope/ids is not supported\n  in f()\n')])
})

const needy = `import type { Missing } from 'absent/part'
import type { Readable } from 'node:stream'
export type Part = Partial<Missing> & { z: number }
export type Less = Omit<Missing, 'a'>
export interface Extended extends Missing { q: number }
export type Words = Record<string, Missing>
export type Same = Missing
export type Inline = import('absent').Missing
export type Chosen = Missing extends string ? 1 : 2
export type Nested = { a: Partial<Missing>[] }
export type Local = import('./lost.js').Missing
export type Stream = { s: Readable }
export interface Box<T> { v: T }
`

test.each([
  ...[
    'Part',
    'Less',
    'Extended',
    'Words',
    'Same',
    'Inline',
    'Chosen',
    'Nested',
    'Box<Same>',
    'Partial<Same> & { z: 1 }',
  ].map((type) => [type, 'Missing', 'install absent, which needy imports, or its @types package']),
  ['Local', 'Missing', 'correct the import: there is no module ./lost.js, which needy imports, or it has no types'],
  ['Stream', 'Readable', 'install @types/node for node:stream, which needy imports'],
])('a type of a package whose own import is missing: %s', async (type, name, hint) => {
  write('node_modules/needy/index.d.ts', needy)
  write('node_modules/needy/package.json', JSON.stringify({ name: 'needy', types: './index.d.ts' }))
  const names = 'Part, Less, Extended, Words, Same, Inline, Chosen, Nested, Local, Stream, Box'
  const problems = await problemsOf(`import type { ${names} } from 'needy'`, `(a: ${type}): void`)
  expect(problems).toEqual([expect.stringContaining(`the type ${name} is not resolved\n`)])
  expect(problems[0]).toContain(`hint: ${hint}`)
})

test('a class or an interface with public members only is a struct, from a package too', async () => {
  expect(await problemsOf("import { Point, type Named } from 'plain'", '(a: Point, b: Named): Point')).toEqual([])
})
