import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatDiagnostic } from 'rpc-gen/generator'
import { beforeEach, expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { paths } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let cwd: string

beforeEach(() => {
  cwd = temporaryFolder('unresolved')
  write('tsconfig.json', tsconfig({}))
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

const options = { module: 'nodenext', lib: ['ES2023', 'DOM'], types: [], strict: true }

function tsconfig(more: object): string {
  return JSON.stringify({ compilerOptions: options, include: ['src'], ...more })
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
  ])
  write('src/b.ts', "/** @rpc */\nexport function b(item: import('@shop/untyped').Item): void {}\n")
  write(
    'src/c.ts',
    "import { isStaff } from '@shop/untyped'\n\n/**\n * @rpc\n * @auth isStaff\n */\nexport function c(): void {}\n",
  )
  write(
    'src/d.ts',
    "import { Gone } from '@shop/untyped'\n\n/**\n * @rpc\n * @throws {Gone} then\n */\nexport function d(): void {}\n",
  )
  write('src/e.ts', "import { unused } from '@shop/untyped'\n\n/** @rpc */\nexport function e(): void {}\n")
  const { problems } = await run()
  expect(problems.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/a.ts:1:27 RPC108',
    'src/b.ts:2:32 RPC108',
    'src/c.ts:1:25 RPC108',
    'src/d.ts:1:22 RPC108',
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
  expect((await run()).problems).toEqual([
    'src/a.ts:1:33 RPC107 @shop/parts/one is the project parts/tsconfig.json, which is not built\n' +
      '  hint: build it first: tsc --build parts/tsconfig.json',
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

const cannotFind = (place: string, module: string, hint: string) =>
  `src/${place} RPC120 Cannot find module '${module}' or its corresponding type declarations\n  hint: ${hint}`
const addFile = 'correct the import, or add the file'

test('an import by an alias that no tsconfig declares is not a package', async () => {
  write('src/a.ts', "import type { A } from '@/types'\n\n/** @rpc */\nexport const a = (value: A): number => 1\n")
  const hint = 'name @/* in the "paths" of the tsconfig, or correct the import'
  expect((await run()).problems).toEqual([cannotFind('a.ts:1:24', '@/types', hint)])
})

test('a missing module of a predicate, a registered function or an error is reported once, at the import', async () => {
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, paths }, include: ['src'] }))
  write('node_modules/@acme/users/package.json', '{ "name": "@acme/users", "exports": { ".": "./index.js" } }')
  write('node_modules/@acme/users/index.d.ts', 'export declare class Gone extends Error {}\n')
  write('node_modules/@acme/users/index.js', 'export class Gone extends Error {}\n')
  write('src/through.ts', "export { far, Lost } from './nowhere.js'\n")
  write(
    'src/a.ts',
    `import { RpcServer } from 'rpc-gen'
import { isStaff, isOther, NoRoom } from './nope.js'
import isDefault from '@acme/nope'
import { deep } from '@acme/users/src/deep.js'
import * as ns from '#ns'
import { far, Lost } from './through.js'
import { Gone } from '@acme/users'

/**
 * @rpc
 * @auth isStaff
 * @auth isDefault
 * @throws {NoRoom} always
 * @throws {Lost} always
 * @throws {ns.Full} always
 * @throws {Gone} sometimes
 */
export const a = () => 1

new RpcServer().registerProcedure(isOther)
new RpcServer().registerProcedure(deep)
new RpcServer().registerProcedure(ns.deep)
new RpcServer().registerProcedure(far)
`,
  )
  expect((await run()).problems).toEqual([
    cannotFind('a.ts:2:42', './nope.js', addFile),
    cannotFind('a.ts:3:23', '@acme/nope', 'install @acme/nope, or its @types package'),
    cannotFind(
      'a.ts:4:22',
      '@acme/users/src/deep.js',
      'install @acme/users, or its @types package; if it is installed, its exports have no @acme/users/src/deep.js',
    ),
    cannotFind('a.ts:5:21', '#ns', 'correct the import: there is no module #ns, or it has no types'),
    cannotFind('through.ts:1:27', './nowhere.js', addFile),
  ])
})

test('what a source exports again and does not exist is reported there', async () => {
  write('node_modules/@acme/users/package.json', '{ "name": "@acme/users", "exports": { ".": "./index.js" } }')
  write('node_modules/@acme/users/index.d.ts', 'export declare const add: number\nexport interface User {}\n')
  write('node_modules/untyped/package.json', '{ "name": "untyped", "main": "index.js" }')
  write('node_modules/untyped/index.js', 'exports.a = 1\n')
  write(
    'src/a.ts',
    `export * from './nope.js'
export * as all from './nope2.js'
export { add, gone, gone as went, type User } from '@acme/users'
export type { Other } from './nope3.js'
export type { Procedures } from '../rpc.gen.js'
import { inBody } from './nope4.js'

/** @rpc */
export const a = (): void => inBody()
`,
  )
  const member =
    "RPC120 Module '@acme/users' has no exported member 'gone'\n  hint: correct the name, or export it there"
  expect((await run()).problems).toEqual([
    cannotFind('a.ts:1:15', './nope.js', addFile),
    cannotFind('a.ts:2:22', './nope2.js', addFile),
    `src/a.ts:3:15 ${member}`,
    `src/a.ts:3:21 ${member}`,
  ])
  // It exists when the program runs.
  write('src/a.ts', "export { a as untyped } from 'untyped'\n\n/** @rpc */\nexport const a = (): void => {}\n")
  expect((await run()).problems).toEqual([])
})

test('a missing JSON module is one error, whatever is made of its value', async () => {
  write(
    'src/a.ts',
    `import data from './data.json' with { type: 'json' }

/** @rpc */
export const keys = (key: keyof typeof data) => data[key]
/** @rpc */
export const names = () => data.users.map((each) => each.name)
/** @rpc */
export const rest = () => ({ ...data, first: data[0] })
`,
  )
  expect((await run()).problems).toEqual([cannotFind('a.ts:1:18', './data.json', addFile)])
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

test('a base whose members TypeScript ignores is an error', async () => {
  write(
    'src/a.ts',
    `type Either = { a: number } | { b: string }
interface A extends Either { c: number }
type Own = B
interface B extends Own { c: number }
interface C<T> extends T { c: number }
declare const make: { new (): { a: number } } | { new (): { b: string } }
class D extends make { c = 1 }
class List<T> { first?: T }
class Kept extends List<Kept> { c = 1 }
interface AlsoKept extends Omit<Kept, 'first'>, Partial<List<AlsoKept>> {}

/** @rpc */
export function a(a: A, b: B, c: C<{ d: string }>, d: D, kept: Kept): AlsoKept[] { return [] }
`,
  )
  const { problems } = await run()
  expect(problems.map((each) => each.split('\n')[0])).toEqual([
    'src/a.ts:2:13 RPC120 A does not have the members of Either, which it cannot extend',
    'src/a.ts:4:13 RPC120 B does not have the members of Own, which it cannot extend',
    'src/a.ts:5:16 RPC120 C does not have the members of T, which it cannot extend',
    'src/a.ts:7:9 RPC120 D does not have the members of make, which it cannot extend',
  ])
})

test('a syntax error in a file whose types a procedure uses is reported, though the file is not in the paths', async () => {
  write('lib/types.ts', 'export interface Order { id: Gone; note: string }\nconst x = = 5\n')
  write('lib/values.ts', 'export const one = () => 1 +\n')
  write(
    'src/a.ts',
    "import type { Order } from '../lib/types.js'\n\n/** @rpc */\nexport function a(order: Order): void {}\n",
  )
  write(
    'src/b.ts',
    "import { one } from '../lib/values.js'\n\n/** @rpc */\nexport function b(): number { return one() }\n",
  )
  expect((await run()).problems).toEqual(['lib/types.ts:2:11 RPC104 Expression expected.'])
})

test('a name that refers to nothing is reported where it is written, and not again for what follows from it', async () => {
  write('src/types.ts', 'export interface Order { id: Gone; note: string }\nexport type Id = Order["id"]\n')
  write(
    'src/a.ts',
    `import type { Id, Order } from './types.js'

/** @rpc */
export function a(order: Order, id: Id, key: keyof Order['id'], all: Id[]): Promise<Id | null> { return null as never }
`,
  )
  write('src/b.ts', "import { a } from './a.js'\n\n/** @rpc */\nexport const b = () => a(null as never, 1, 1, [])\n")
  expect((await run()).problems).toEqual([
    'src/types.ts:1:30 RPC120 the type Gone is not resolved\n  in a(order).id\n' +
      '  hint: check its import, and that its package (or @types package) is installed',
  ])
})

test('what drops members is an error, whichever source reaches it first', async () => {
  write(
    'src/types.ts',
    `export interface Order { a: string; b: string }
export interface Page<T> { items: T[] }
export interface Deep { x: number; y: Omit<Order, keyof Gone> }
`,
  )
  write(
    'src/a.ts',
    "import type { Deep } from './types.js'\n\n/** @rpc */\nexport function a(part: Pick<Deep, 'x'>): void {}\n",
  )
  expect((await run()).problems).toEqual([])
  write(
    'src/b.ts',
    `import type { Deep, Order, Page } from './types.js'

/** @rpc */
export function b(deep: Deep, order: Omit<Order, keyof Page>): void {}
`,
  )
  expect((await run()).problems.map((each) => each.split('\n')[0])).toEqual([
    'src/b.ts:4:56 RPC120 Page has no type arguments',
    'src/types.ts:3:57 RPC120 the type Gone is not resolved',
  ])
})

test('a type that is declared in a generic function or class needs no type arguments of it', async () => {
  write(
    'src/a.ts',
    `function make<T>(v: T) { interface Local { v: T }; const one: Local = { v }; return one }
function outer<T>(v: T) {
  return () => { interface Inner { v: T; next?: Inner }; const one: Inner = { v }; return one }
}
class Box<T> {
  constructor(readonly v: T) {}
  open() { class Held { v: T | undefined }; const one: Held = { v: this.v }; return one }
}
function pair<T>(v: T) { interface Pair<U> { v: T; u: U }; const one: Pair = { v, u: 1 }; return one }
/** @rpc */
export const p = () => make(1)
/** @rpc */
export const q = () => outer('q')()
/** @rpc */
export const r = () => new Box(true).open()
/** @rpc */
export const s = () => pair(1)
`,
  )
  expect((await run()).problems.map((each) => each.split('\n')[0])).toEqual([
    'src/a.ts:9:71 RPC120 Pair has no type arguments',
  ])
})

test('what is inferred from a name that refers to nothing has no error of its own', async () => {
  write(
    'src/a.ts',
    `interface Page { readonly rows: Gone[] }
const all: { rows: Lost[] } = { rows: [] }
/** @rpc */
export const a = (conf: { list: Gone[] }) => conf.list.map((e) => ({ v: e }))
/** @rpc */
export const b = (page: Page) => page.rows.map((e) => ({ v: e }))
/** @rpc */
export const c = () => all.rows.map((e) => ({ v: e }))
`,
  )
  expect((await run()).problems.map((each) => each.split('\n')[0])).toEqual([
    'src/a.ts:1:33 RPC120 the type Gone is not resolved',
    'src/a.ts:2:20 RPC120 the type Lost is not resolved',
    'src/a.ts:4:33 RPC120 the type Gone is not resolved',
  ])
})

test('what does not follow from a name that refers to nothing is reported beside it', async () => {
  write('src/a.ts', '/** @rpc */\nexport function a(one: Gone, key: keyof Gone): void {}\n')
  write(
    'src/b.ts',
    `import { db } from './db.js'
interface Row { id: Gone }
type Keys = keyof Row['id']
type Mark = symbol
interface Of<T> { of: T; key: keyof T; list: T[] }
class Held { all = db.all() }
/** @rpc */
export function b(one: symbol, two: Mark, row: Row, key: Keys, other: keyof Row['id']): void {}
/** @rpc */
export function e(of: Of<Gone>, record: Record<keyof Gone, 1>): void {}
/** @rpc */
export const d = (key: keyof Gone, more: (keyof Gone)[]) => ({ key, more, all: more.map((e) => ({ e })) })
/** @rpc */
export function c(held: Held): void {}
`,
  )
  expect((await run()).problems.map((each) => each.split('\n')[0])).toEqual([
    'src/a.ts:2:24 RPC120 the type Gone is not resolved',
    'src/a.ts:2:41 RPC120 the type Gone is not resolved',
    "src/b.ts:1:20 RPC120 Cannot find module './db.js' or its corresponding type declarations",
    'src/b.ts:2:21 RPC120 the type Gone is not resolved',
    'src/b.ts:8:19 RPC121 a symbol cannot be serialised',
    'src/b.ts:8:32 RPC121 a symbol cannot be serialised',
    'src/b.ts:10:26 RPC120 the type Gone is not resolved',
    'src/b.ts:10:54 RPC120 the type Gone is not resolved',
    'src/b.ts:12:30 RPC120 the type Gone is not resolved',
    'src/b.ts:12:49 RPC120 the type Gone is not resolved',
  ])
})

test('a type of rpc-gen that is not imported is reported with the import', async () => {
  write('src/a.ts', '/** @rpc */\nexport function a(name: string & MinLength<1>): Int { return name.length }\n')
  expect((await run()).problems).toEqual([
    "src/a.ts:2:34 RPC120 the type MinLength is not resolved\n  in a(name)\n  hint: import it: import type { MinLength } from 'rpc-gen'",
    "src/a.ts:2:49 RPC120 the type Int is not resolved\n  in a()\n  hint: import it: import type { Int } from 'rpc-gen'",
  ])
})
