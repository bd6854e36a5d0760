import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { build } from '../../generator/build/build.js'
import type { StoredParts } from '../../generator/build/cache/memory.js'
import { createMemo, createMemories, createMemory, type Memory } from '../../generator/build/cache/memory.js'
import { formatDiagnostic } from '../../generator/diagnostics/diagnostic.js'
import { createDisk, type Disk } from '../../generator/disk/disk.js'
import { completeOptions } from '../../generator/options/options.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const kinds = ['string', 'number', 'Date', 'boolean | null', 'Shared2[]', 'Generic<string>', "'a' | 'b' | 'c'"] as const

/** One step of an editor: a file, and its new text; undefined deletes it. */
interface Edit {
  readonly file: string
  readonly text: string | undefined
}

const shared = (member: string, more: string) => `import type { Generic, Shared2 } from './two.js'
export interface Shared1 { first: ${member}; also?: Generic<Shared2>; ${more} }
export type Alias1 = Generic<Shared1>
export interface Twin { one: ${member} }
`
const two = (
  member: string,
) => `export interface Shared2 { second: ${member === 'Shared2[]' ? 'Shared2[]' : member.replace('Generic<string>', 'string')} }
export interface Generic<T> { value: T; list: { of: T }[]; self: Generic<T> | null }
export interface Twin { one: ${member.replace(/Shared2\[\]|Generic<string>/, 'string')} }
`
const procedures = (
  n: number,
  name: string,
  type: string,
  doc: string,
) => `import type { Alias1, Shared1, Twin } from '../types/one.js'
import type { Generic, Shared2, Twin as Twin2 } from '../types/two.js'
/**
 * ${doc}
 * @rpc
 */
export function ${name}(a: Shared1, b?: { x: ${type}; deep: { y: Shared2 } }): Alias1 | null { return b ? null : null }
/** @rpc */
export const also${n} = (a: Twin, b: Twin2, c: ${type}) => ({ a, b, c })
`

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    file: fc.constant('src/types/one.ts'),
    text: fc
      .tuple(fc.constantFrom(...kinds), fc.constantFrom('', 'more: number', 'global: Everywhere', 'added: Added'))
      .map(([a, b]) => shared(a, b)),
  }),
  fc.record({ file: fc.constant('src/types/two.ts'), text: fc.constantFrom(...kinds).map(two) }),
  fc
    .tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('run0', 'run1', 'run2', 'run3'),
      fc.constantFrom(...kinds),
      fc.constantFrom('One.', 'Two.'),
    )
    .map(([n, name, type, doc]) => ({ file: `src/api/p${n}.ts`, text: procedures(n, name, type, doc) })),
  fc.integer({ min: 0, max: 3 }).map((n) => ({ file: `src/api/p${n}.ts`, text: undefined })),
  fc
    .constantFrom(
      "export * from './p0.js'\n",
      "export { also1 as other } from './p1.js'\n",
      "/** @namespace all */\n\nexport * from './p2.js'\n",
      "import { add } from '../outside.js'\nexport { add }\n",
      "import { procedures } from '../rpc.gen.js'\nexport const none = procedures\n",
    )
    .map((text) => ({ file: 'src/api/index.ts', text })),
  fc
    .constantFrom(
      undefined,
      'declare interface Everywhere { here: string }\n',
      'declare interface Everywhere { there: number[] }\n',
    )
    .map((text) => ({ file: 'src/everywhere.d.ts', text })),
  fc
    .constantFrom(
      undefined,
      "import '../types/two.js'\ndeclare module '../types/two.js' { interface Shared2 { augmented: string } }\n",
      'export const plain = 1\n',
    )
    .map((text) => ({ file: 'src/other/augment.ts', text })),
  fc
    .constantFrom(
      undefined,
      '/** @rpc */\nexport function add(a: number): string { return String(a) }\n',
      '/** Adds.\n * @rpc */\nexport function add(a: string): string { return a }\n',
    )
    .map((text) => ({ file: 'src/outside.ts', text })),
  fc
    .constantFrom(
      'export function (\n',
      '/** @rpc */\nexport function bad(a: symbol): void {}\n',
      '/** @rpc */\nexport function later(): void {}\n',
      undefined,
    )
    .map((text) => ({ file: 'src/api/z.ts', text })),
)

/** Changes one procedure and no name: the rest of the plan is reused. */
const small: readonly Edit[] = [
  { file: 'src/api/p1.ts', text: procedures(1, 'run1', 'string', 'Two.') },
  { file: 'src/api/p1.ts', text: procedures(1, 'run1', 'boolean | null', 'Two.') },
  { file: 'src/api/p1.ts', text: procedures(1, 'run1', 'readonly string[]', 'Two.') },
  { file: 'src/api/p1.ts', text: procedures(1, 'run1', 'string[]', 'Two.\n * @mcp\n * @readonly') },
  { file: 'src/api/p1.ts', text: procedures(1, 'run1', 'string[]', 'Two.\n * @mcp') },
  { file: 'src/api/p0.ts', text: `// Further down.\n${procedures(0, 'run0', "'a' | 'b' | 'c'", 'One.')}` },
]

function start(): string {
  const folder = temporaryFolder('random')
  put(folder, {
    file: 'tsconfig.json',
    text: '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext" }, "include": ["src"] }',
  })
  put(folder, { file: 'package.json', text: '{ "type": "module" }' })
  put(folder, { file: 'src/types/one.ts', text: shared('string', '') })
  put(folder, { file: 'src/types/two.ts', text: two('number') })
  for (const n of [0, 1]) put(folder, { file: `src/api/p${n}.ts`, text: procedures(n, `run${n}`, 'string', 'One.') })
  return folder
}

function put(folder: string, { file, text }: Edit): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  if (text !== undefined) writeFileSync(path, text)
  else if (existsSync(path)) rmSync(path)
}

test('cold, cached and watching give the same bytes and the same diagnostics, whatever is edited', async () => {
  let [good, taken] = [0, 0]
  const steps = fc.array(edit, { minLength: 6, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(steps, async (edits) => {
      const folder = start()
      const options = completeOptions({ paths: ['src/api'], cwd: folder }, createDisk())
      const watched = createMemories()
      let disk: Disk = createDisk()
      let [stored, texts]: (string | undefined)[] = []
      const compare = async () => {
        const cold = await build(options, createDisk())
        const parts: StoredParts | undefined = stored === undefined ? undefined : JSON.parse(stored)
        const memo = createMemo(texts === undefined ? undefined : JSON.parse(texts))
        const memory: Memory = { ...createMemory(), parts, memo }
        const cached = await build(options, createDisk(), memory)
        disk = createDisk(disk.seen)
        const watching = await build(options, disk, watched.of(''))
        const shown = (each: typeof cold) => [
          ...each.diagnostics.map(formatDiagnostic),
          ...each.files.map(({ text }) => text),
        ]
        expect(shown(cached)).toEqual(shown(cold))
        expect(shown(watching)).toEqual(shown(cold))
        if (cold.diagnostics.length > 0) return
        ;[stored, texts] = [memory.parts, memo.stored()].map((each) => JSON.stringify(each))
        good += 1
        if (memory.parts?.parts.some(([, , part]) => parts?.parts.some((entry) => entry[2] === part))) taken += 1
      }
      await compare()
      for (const each of [...small, ...edits]) {
        put(folder, each)
        await compare()
      }
      expect(readdirSync(folder).sort()).toEqual(['package.json', 'src', 'tsconfig.json'])
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 4), seed: 3, endOnFailure: true },
  )
  // The comparison means something only where most runs succeed, and parts are reused.
  expect(good).toBeGreaterThan(8)
  expect(taken).toBeGreaterThan(8)
})
