import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatDiagnostic } from 'rpc-gen/generator'
import { beforeEach, expect, test } from 'vitest'
import { generate } from './support/generate.js'
import { temporaryFolder } from './support/temporary-folder.js'

let cwd: string

beforeEach(() => {
  cwd = temporaryFolder('unresolved')
  write('tsconfig.json', tsconfig({}))
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

function tsconfig(more: object): string {
  const compilerOptions = { module: 'nodenext', lib: ['ES2023'], types: [], strict: true }
  return JSON.stringify({ compilerOptions, include: ['src'], ...more })
}

async function run(): Promise<{ text: string; problems: string[] }> {
  const { files, diagnostics } = await generate({ cwd, paths: ['src'] })
  return { text: files[0]?.text ?? '', problems: diagnostics.map(formatDiagnostic) }
}

test('a package without types is reported at its import', async () => {
  write('node_modules/@shop/untyped/package.json', '{ "name": "@shop/untyped", "main": "index.js" }')
  write('node_modules/@shop/untyped/index.js', 'module.exports = {}\n')
  write(
    'src/a.ts',
    "import type { Item } from '@shop/untyped'\n\n/** @rpc */\nexport function a(item: Item): void {}\n",
  )
  expect((await run()).problems).toEqual([
    'src/a.ts:1:27 RPC108 the package @shop/untyped has no types\n  hint: npm install --save-dev @types/shop__untyped',
    "src/a.ts:1:27 RPC120 Cannot find module '@shop/untyped' or its corresponding type declarations\n" +
      '  hint: install @shop/untyped, or its @types package',
  ])
})

test('an unbuilt project is reported with the name of its package', async () => {
  write('tsconfig.json', tsconfig({ references: [{ path: './parts/tsconfig.json' }] }))
  write('parts/tsconfig.json', '{ "compilerOptions": { "composite": true, "outDir": "built" } }')
  write('parts/package.json', '{ "name": "@shop/parts", "types": "built/index.d.ts" }')
  write(
    'src/a.ts',
    "import { type Part, make } from '@shop/parts/one'\n\n/** @rpc */\nexport const a = () => make() as Part\n",
  )
  const { problems } = await run()
  expect(problems[0]).toBe(
    'src/a.ts:1:33 RPC107 @shop/parts/one is the project parts/tsconfig.json, which is not built\n' +
      '  hint: build it first: tsc --build parts/tsconfig.json',
  )
  expect(problems.slice(1)).toEqual([
    "src/a.ts:1:33 RPC120 Cannot find module '@shop/parts/one' or its corresponding type declarations\n" +
      '  hint: install @shop/parts, or its @types package',
  ])
})

test('an import of a missing file is reported once, whatever is used of it', async () => {
  write('src/own.ts', "import { more } from './further.js'\n\nexport const own = () => more()\n")
  write('src/other.ts', "/** @rpc */\nexport const other = (): import('./gone.js').Gone => 1\n")
  write(
    'src/a.ts',
    `import { db, type Row } from './db.js'
import type * as ns from './ns.js'
import './style.css'

/** @rpc */
export const row = (row: Row, rows: Row[]): void => {}
/** @rpc */
export const inferred = () => db.all()
/** @rpc */
export const cast = () => 1 as unknown as Row
/** @rpc */
export const query = (all: typeof db): void => {}
/** @rpc */
export const member = (all: ns.All, keys: Record<keyof ns.All, 1>): void => {}
`,
  )
  write('src/b.ts', "import { own } from './own.js'\n\n/** @rpc */\nexport const b = () => own()\n")
  const at = (place: string, module: string) =>
    `src/${place} RPC120 Cannot find module '${module}' or its corresponding type declarations\n  hint: correct the import, or add the file`
  expect((await run()).problems).toEqual([
    at('a.ts:1:30', './db.js'),
    at('a.ts:2:26', './ns.js'),
    at('other.ts:2:33', './gone.js'),
    at('own.ts:1:22', './further.js'),
  ])
})

test('an unbuilt project that is not needed is not reported', async () => {
  write('tsconfig.json', tsconfig({ references: [{ path: './parts' }] }))
  write('parts/tsconfig.json', '{ "compilerOptions": { "composite": true, "outDir": "built" } }')
  write(
    'src/a.ts',
    "import { make } from '../parts/built/index.js'\n\n/** @rpc */\nexport const a = (): number => make()\n",
  )
  expect((await run()).problems).toEqual([])
})

test('a file at the path of the output has no effect', async () => {
  const source =
    "import type { Procedures } from './rpc.gen.js'\n\n/** @rpc */\nexport const a = (b: number) => [b]\n\n" +
    'export const client = (all: Procedures) => all\n'
  write('src/a.ts', source.replace('./rpc', '../rpc'))
  write('tsconfig.json', tsconfig({ include: ['src', 'rpc.gen.ts'] }))
  const { text, problems } = await run()
  expect(problems).toEqual([])
  expect(text).toContain('returns: array(number)')
  for (const stale of [
    'export function {{{',
    'declare global { interface Array<T> { more: never } }\nexport {}\n',
    text,
  ]) {
    write('rpc.gen.ts', stale)
    expect(await run()).toEqual({ text, problems: [] })
  }
})
