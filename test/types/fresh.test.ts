import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHost } from '../support/compiler.js'
import { generate } from '../support/generate.js'
import { compilerOptions, root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const folder = temporaryFolder('fresh')
const source = `import type { Int, RpcContext } from 'rpc-gen'
export interface Order { id: Int; note?: string }
/**
 * Finds an order.
 *
 * @rpc order.find
 */
export function find(id: Int, context: RpcContext): Promise<Order> {
  return Promise.resolve({ id, note: context.method })
}
/** @rpc */
export function add(a: Int, b = 1): Int {
  return a + b
}
export interface Page<T> { items: T[] }
/** @rpc */
export function search(options: { limit?: Int; near: { x: number } }): { total: Int; last?: { at: Date } } {
  return { total: options.limit === undefined ? 0 : 1 }
}
/** @rpc */
export function list(): Promise<Page<Order>> {
  return Promise.resolve({ items: [] })
}
/** @rpc */
export function pay(by: { card: string; iban?: never }): void {}
`
const caller = `import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures, router, server } from './rpc.gen.js'
new Hono().route('/rpc', router)
new RpcServer({ procedures })
void server.call('add', [1])
`

beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(folder, 'source.ts'), source)
  writeFileSync(join(folder, 'caller.ts'), caller)
  const { files, diagnostics } = await generate({ cwd: folder, paths: ['source.ts'] })
  expect(diagnostics).toEqual([])
  for (const { path, text } of files) writeFileSync(path, text)
})

/** The errors of the caller and of the module, with another text of the source and further compiler options. */
function errorsWith(changed: string, more: ts.CompilerOptions = {}): string[] {
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder)
  const compiler = { ...options, ...more }
  const host = createHost(compiler)
  const read = host.readFile
  host.readFile = (path) => (path.endsWith('/source.ts') ? changed : read(path))
  const program = ts.createProgram([join(folder, 'caller.ts')], compiler, host)
  const files = ['caller.ts', 'rpc.gen.ts'].map((name) => program.getSourceFile(join(folder, name)))
  return files.flatMap((file) =>
    program.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  )
}

const outOfDate = /RunRpcGenAgain<"(.+?)">/

describe('a stale module has type errors', () => {
  test.each([{}, { strict: false }, { exactOptionalPropertyTypes: true }])(
    'has none if the sources are unchanged: %j',
    (more) => {
      expect(errorsWith(source, more)).toEqual([])
    },
  )

  test.each([
    ['the type of a parameter', '(a: Int, b = 1)', '(a: string, b = 1)', 'add'],
    ['a parameter more', '(a: Int, b = 1)', '(a: Int, b: Int, c: string)', 'add'],
    ['the result', '): Int {\n  return a + b', '): string {\n  return String(a + b)', 'add'],
    ['the parameters of one with a context', 'find(id: Int,', 'find(id: { id: Int },', 'order.find'],
    ['the name of the function', 'function add(', 'function plus(', 'add'],
    ['an optional member of a parameter without a name', 'limit?: Int', 'limit?: string', 'search'],
    ['a member inside of one', 'near: { x: number }', 'near: { x: string }', 'search'],
    ['an optional member of a result without a name', 'last?: { at: Date }', 'last?: { at: string }', 'search'],
    ['a member beside one that is absent', '{ card: string;', '{ card: Int;', 'pay'],
    ['a generic result', 'Promise<Page<Order>>', 'Promise<string>', 'list'],
  ])('%s', (_what, from, to, name) => {
    const changed = source.replace(from, to)
    expect(changed).not.toBe(source)
    const errors = errorsWith(changed)
    expect(errors.length).toBeGreaterThanOrEqual(3)
    expect(errors.some((error) => outOfDate.exec(error)?.[1] === name)).toBe(true)
  })

  test('has none if only a function body changes', () => {
    expect(errorsWith(source.replace('return a + b', 'return b + a'))).toEqual([])
  })
})
