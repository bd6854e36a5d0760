import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatDiagnostic } from 'rpc-gen/generator'
import ts from 'typescript'
import { beforeEach, expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { writeFiles } from '../support/project.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// What the generated module imports from packages: by the name of the package, never by a path into node_modules, and only what it can.

const compilerOptions = { module: 'nodenext', strict: true, types: [], noEmit: true, allowImportingTsExtensions: true }
const times = '/** Multiplies. */\nexport function times(a: number, b: number): number {\n  return a * b\n}\n'

let cwd: string

beforeEach(() => {
  cwd = writeFiles(temporaryFolder('package-imports'), {
    'app/package.json':
      '{ "name": "app", "type": "module", "imports": { "#calc": "./src/calc.ts", "#shared": "shared", "#lib": "lib" } }',
    'app/tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'app/src/calc.ts': 'export const calc = (a: number): number => a\n',
    'shared/package.json':
      '{ "name": "shared", "type": "module", "exports": { ".": "./src/index.ts", "./math": "./src/math.ts" } }',
    'shared/src/index.ts': "export { times } from './math.ts'\n",
    'shared/src/math.ts': `${times}export const isUser = (request: Request): boolean => request.headers.has('x-user')
export class Service {
  static make(a: string): string {
    return a
  }
}
`,
    'shared/src/secret.ts': 'export const secret = (a: number): number => a\n',
    'app/node_modules/lib/package.json': '{ "name": "lib", "type": "module", "types": "dist/index.d.ts" }',
    'app/node_modules/lib/dist/index.d.ts': `export declare const brand: unique symbol
export type Id = string & { readonly [brand]: 'Id' }
export declare const Kind: unique symbol
export declare function isUser(request: Request): boolean
`,
    'client/package.json': '{ "name": "client", "type": "module" }',
  })
  const links = { shared: join(cwd, 'shared'), 'rpc-gen': root, hono: join(root, 'node_modules/hono') }
  for (const [name, target] of Object.entries(links)) {
    const path = join(cwd, 'app/node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, 'junction')
  }
})

/** Returns the specifiers of a module that are not of rpc-gen, or the problems. */
async function importsOf(source: string, options: object = {}): Promise<readonly string[]> {
  writeFiles(cwd, { 'app/src/a/server.ts': source })
  const app = join(cwd, 'app')
  const { files, diagnostics } = await generate({ cwd: app, paths: ['src'], out: 'src/rpc.gen.ts', ...options })
  if (diagnostics.length > 0) return diagnostics.map(formatDiagnostic)
  for (const { path, text } of files) writeFiles(dirname(path), { [path.slice(dirname(path).length + 1)]: text })
  // The module has no checks of types: it is enough that everything that it imports exists.
  const [module] = files
  const imports = [...(module?.text.matchAll(/^import .* from '(.*)'$/gm) ?? [])].map(([, specifier = '']) => specifier)
  const host = ts.createCompilerHost({})
  const resolution = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
  for (const each of imports) {
    const found = ts.resolveModuleName(
      each,
      module?.path ?? '',
      resolution,
      host,
      undefined,
      undefined,
      ts.ModuleKind.ESNext,
    )
    expect(found.resolvedModule, each).toBeDefined()
  }
  return imports.filter((each) => !each.startsWith('rpc-gen'))
}

const registering = (name: string, specifier: string) =>
  `import { RpcServer } from 'rpc-gen'\nimport { ${name} } from '${specifier}'\n\nnew RpcServer().registerProcedure(${name})\n`

test.each([
  ['times', 'shared', 'shared'],
  ['times', 'shared/math', 'shared/math'],
  ['times', '#shared', '../../shared/src/math.ts'],
  ['calc', '#calc', './calc.ts'],
  ['secret', '../../../shared/src/secret.ts', '../../shared/src/secret.ts'],
])('a registered function %s of %s is imported from %s', async (name, specifier, expected) => {
  expect(await importsOf(registering(name, specifier))).toEqual([expected])
})

test.each([
  ['reg.times', '* as reg', 'shared/math'],
  ['reg.Service.make', '* as reg', 'shared/math'],
  ['Service.make', '{ Service }', 'shared/math'],
  ['Own.make', '{ Service as Own }', 'shared/math'],
])('a registered function %s of a package is imported from there', async (name, clause, specifier) => {
  const source = (options: string) =>
    `import { RpcServer } from 'rpc-gen'\nimport ${clause} from '${specifier}'\n\nnew RpcServer().registerProcedure(${name}${options})\n`
  expect(await importsOf(source(''))).toEqual([specifier])
  expect(readFileSync(join(cwd, 'app/src/rpc.gen.ts'), 'utf8')).toContain(
    name.replace('reg.', '').replace('Own', 'Service'),
  )
})

test('a registered static method of a package that is imported by a path into node_modules is one error', async () => {
  const path = '../../node_modules/shared/src/math.ts'
  const source = `import { RpcServer } from 'rpc-gen'\nimport { Service } from '${path}'\n\nnew RpcServer().registerProcedure(Service.make)\n`
  expect(await importsOf(source)).toEqual([
    expect.stringMatching(/^src\/a\/server\.ts:4:35 RPC119 the generated module cannot import .*math\.ts/),
  ])
})

test.each([
  ['times', '../../node_modules/shared/src/math.ts', {}],
  ['secret', '../../node_modules/shared/src/secret.ts', {}],
  ['times', 'shared', { out: '../client/rpc.gen.ts' }],
])('a registered function %s of %s with %j is one error, where it is registered', async (name, specifier, options) => {
  expect(await importsOf(registering(name, specifier), options)).toEqual([
    `src/a/server.ts:4:35 RPC119 the generated module cannot import the registered function from ${specifier}\n  hint: ` +
      'import it by the name of its package, which has to be installed for the generated module too; or pass { unchecked: true } to registerProcedure',
  ])
})

test('a registered function of an installed package is one error, by whatever specifier', async () => {
  for (const specifier of ['lib', '#lib', '../../node_modules/lib/dist/index.js']) {
    expect(await importsOf(registering('isUser', specifier))).toEqual([
      expect.stringMatching(/^src\/a\/server\.ts:4:35 RPC119 a registered function cannot be compiled/),
    ])
  }
})

test('a predicate that is imported by a path into node_modules is one error', async () => {
  const source = (specifier: string) =>
    `import { isUser } from '${specifier}'\n\n/**\n * @rpc\n * @auth {@link isUser}\n */\nexport const a = (): number => 1\n`
  expect(await importsOf(source('lib'))).toEqual(['./a/server.ts', 'lib'])
  expect(await importsOf(source('#lib'))).toEqual(['#lib', './a/server.ts'])
  expect(await importsOf(source('shared/math'))).toEqual(['./a/server.ts', 'shared/math'])
  for (const specifier of ['../../node_modules/lib/dist/index.js', '../../node_modules/shared/src/math.ts']) {
    expect(await importsOf(source(specifier))).toEqual([
      expect.stringMatching(/^src\/a\/server\.ts:5:4 RPC140 .*isUser/),
    ])
  }
})

test('the name of a module of a package keeps its ending where relative imports have none', async () => {
  const manifest = { name: 'shared', type: 'module', exports: { './math.js': './src/math.ts' } }
  writeFiles(cwd, {
    'shared/package.json': JSON.stringify(manifest),
    'app/src/a/server.ts': registering('times', 'shared/math.js'),
  })
  const { files } = await generate({ cwd: join(cwd, 'app'), paths: ['src'], importExt: 'none' })
  expect(files[0]?.text).toContain("import * as math from 'shared/math.js'")
})

test('a source below a folder whose name begins with a dot is imported by a relative path', async () => {
  writeFiles(cwd, { 'app/.api/times.ts': `/** @rpc */\n${times.replace(/^.*\n/, '')}` })
  const { files } = await generate({ cwd: join(cwd, 'app'), paths: ['.api'] })
  expect(files.map(({ path, text }) => [path.slice(cwd.length), /from '(\..*)'/.exec(text)?.[1]])).toEqual([
    ['/app/rpc.gen.ts', './.api/times.ts'],
  ])
})

test('a brand of a package is identified by the package, not by where it is installed', async () => {
  const source = "import type { Id } from 'lib'\n\n/** @rpc */\nexport const get = (id: Id): Id => id\n"
  writeFiles(cwd, { 'app/src/a/server.ts': source })
  const { model } = await generate({ cwd: join(cwd, 'app'), paths: ['src'] })
  const text = JSON.stringify(model)
  expect(text).toContain('"module":"lib/dist/index.d.ts"')
  expect(text).not.toContain('node_modules')
})
