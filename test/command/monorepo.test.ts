import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { blocksOf } from '../support/blocks.js'
import { runRpcGen } from '../support/command.js'
import { compile } from '../support/compiler.js'
import { root } from '../support/paths.js'
import { requireBuild, writeFiles } from '../support/project.js'
import { type Finished, mustRun, run } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startWatching } from '../support/watching.js'

// The monorepo of docs/guide/monorepo.md, linked as npm and pnpm link workspaces, and built by its own script. The installation of workspaces
// is tested in matrix.test.ts.

const shown = blocksOf('docs/guide/monorepo.md').flatMap(({ text }) => {
  const [, path, content] = /^\/\/ file: (\S+)\n([\s\S]*)$/.exec(text) ?? []
  return path === undefined ? [] : [[path, content ?? ''] as const]
})

/** The packages that a package.json of the guide names, and no other: npm installs the packages of all workspaces in one folder. */
const named = shown.flatMap(([path, content]) => {
  if (!path.endsWith('package.json')) return []
  const { dependencies, devDependencies } = JSON.parse(content)
  return Object.keys({ ...dependencies, ...devDependencies })
})

/** Where they are. This repository does not install tsx; the test of `rpc-gen init` runs it. */
function locate(name: string): string | undefined {
  if (name === 'tsx') return undefined
  if (name === 'rpc-gen') return root
  return name.startsWith('@shop/') ? join(folder, 'packages', name.slice(6)) : join(root, 'node_modules', name)
}

const commands = { 'rpc-gen': 'dist/generator/cli.cjs', typescript: 'bin/tsc' }

let folder: string

beforeAll(() => {
  requireBuild()
  folder = writeFiles(temporaryFolder('monorepo'), Object.fromEntries(shown))
  for (const name of new Set([...named, '@shop/server', '@shop/web'])) {
    const target = locate(name)
    if (target) link(target, name)
  }
  for (const [name, file] of Object.entries(commands)) {
    if (named.includes(name))
      link(join(folder, 'node_modules', name, file), `.bin/${basename(file, '.cjs').replace('cli', name)}`)
  }
})

function link(target: string, name: string, at = folder): void {
  const path = join(at, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'junction')
}

function tsc(...args: string[]): Promise<Finished> {
  return run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...args)
}

describe('the monorepo of the guide', () => {
  test('npm run build builds it', async () => {
    expect(await run(folder, 'npm', 'run', 'build')).toMatchObject({ status: 0 })
    expect(await tsc('-b')).toEqual({ status: 0, output: '' })
    for (const file of ['api/dist/rpc.gen.d.ts', 'server/dist/server.d.ts', 'web/dist/main.js']) {
      expect(existsSync(join(folder, 'packages', file)), file).toBe(true)
    }
  })

  test('the server serves what was built', async () => {
    const call = `import { server } from './packages/server/dist/server.js'
const order = { sku: 'A-1', quantity: 2, ordered: new Date(0) }
console.log(JSON.stringify(await server.call('place', [order])))`
    const output = await mustRun(folder, process.execPath, '--input-type=module', '-e', call)
    expect(JSON.parse(output)).toEqual([{ sku: 'A-1', quantity: 2, ordered: '1970-01-01T00:00:00.000Z' }])
  })

  test('with the tsconfig of the server the same files are generated, and the files of both packages are watched', async () => {
    const server = join(folder, 'packages/server')
    const args = ['-c', '../api/rpc.config.json', '-p', 'tsconfig.json']
    expect(await runRpcGen(server, ...args, '--check')).toEqual({ status: 0, output: '' })
    const command = ['--', process.execPath, '-e', "console.log('started'); setInterval(() => {}, 1000)"]
    const dev = startWatching(server, ['dev', ...args, ...command])
    onTestFinished(() => void dev.end('SIGTERM'))
    await dev.until(/started/)
    for (const file of ['server/src/server.ts', 'api/src/procedures/orders.ts', 'api/src/domain/order.ts']) {
      const path = join(folder, 'packages', file)
      appendFileSync(path, '// changed\n')
      await dev.until(/1 procedure .*\(unchanged\)[\s\S]*started/)
    }
    expect(await dev.end('SIGINT')).toBe(0)
  })

  test('the condition source runs the sources, without dist', async () => {
    const output = await mustRun(
      join(folder, 'packages/server'),
      process.execPath,
      ...['--conditions', 'source', '--input-type=module', '-e'],
      "console.log(import.meta.resolve('@shop/api'), import.meta.resolve('@shop/api/client'))",
    )
    expect(output).toMatch(/\/packages\/api\/src\/index\.ts .*\/packages\/api\/src\/client\.gen\.ts\n$/)
  })

  test('an export of the procedures alone is TS2883, as in the guide', async () => {
    writeFiles(folder, { 'packages/api/src/index.ts': "export { procedures } from './rpc.gen.js'\n" })
    const { status, output } = await tsc('-b')
    expect({ status, output }).toEqual({ status: expect.any(Number), output: expect.stringContaining('TS2883') })
  })
})

/** Bundles call.ts of a project, without the packages that the test links, and runs it. */
async function runBundled(at: string): Promise<string> {
  await build({
    ...{ entryPoints: [join(at, 'call.ts')], outfile: join(at, 'call.mjs'), bundle: true, format: 'esm' },
    ...{ platform: 'node', external: ['rpc-gen', 'rpc-gen/*', 'hono'], logLevel: 'error' },
  })
  return mustRun(at, process.execPath, 'call.mjs')
}

describe('a package of the workspace, linked into node_modules', () => {
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }',
    'packages/users/package.json':
      '{ "name": "@acme/users", "version": "1.0.0", "type": "module", "exports": { ".": "./src/index.ts" } }',
    'packages/users/src/index.ts': `/**
 * Finds a user.
 *
 * @rpc users.find
 */
export function find(id: number): number {
  return id
}

export function count(/** @minimum 1 */ limit: number): number {
  return limit
}

export function isStaff(request: Request): boolean {
  return request.headers.has('x-staff')
}
`,
    'src/procedures/index.ts': "export { find } from '@acme/users'\n",
    'src/procedures/auth.ts': "export { isStaff } from '@acme/users'\n",
    'src/procedures/secrets.ts': `import { isStaff as isOurs } from '@acme/users'
import { isStaff } from './auth.js'
import { RpcServer } from 'rpc-gen'
import { count } from '@acme/users'

/** @rpc
 * @auth isOurs, isStaff */
export function secret(): string {
  return 'x'
}

export const server = new RpcServer()
server.registerProcedure(count)
`,
  }

  function project(more: Readonly<Record<string, string>> = {}): string {
    const at = writeFiles(temporaryFolder('linked'), { ...files, ...more })
    for (const name of ['hono', 'ts-morph', 'typescript', '@types/node', '@standard-schema/spec'])
      link(join(root, 'node_modules', name), name, at)
    link(root, 'rpc-gen', at)
    link(join(at, 'packages/users'), '@acme/users', at)
    return at
  }

  test('its marked functions are served, its predicates and registered functions are found', async () => {
    const at = project()
    expect((await runRpcGen(at, 'src/procedures')).output).toContain('3 procedures in 3 files')
    const text = readFileSync(join(at, 'src/rpc.gen.ts'), 'utf8')
    expect(text).toContain("'users.find': procedure(proceduresModule.find, { doc: 'Finds a user.'")
    expect(text).toContain("import * as users from '@acme/users'")
    expect(text).toContain("auth: [authRule('isStaff', users.isStaff), authRule('isStaff', auth.isStaff)]")
    expect(text).toContain('constrained(number, { minimum: 1 })')
    expect(text).toContain('procedure(users.count,')
    expect(compile(at)).toEqual([])
  })

  describe('@auth in a package names its own predicate, and not a module of the same path in the app', () => {
    // The app has modules at the same relative paths, with predicates that let everyone in.
    const app = {
      'src/auth.ts': 'export const isAdmin = () => true\nexport const isOwn = () => true\n',
      'src/procedures/auth.ts': 'export const isAdmin = () => true\nexport const isOwn = () => true\n',
    }
    const manifest = (more = '') =>
      `{ "name": "@acme/users", "version": "1.0.0", "type": "module", "imports": { "#auth": "./src/auth.ts" }, "exports": { ".": "./src/index.ts"${more} } }`
    const isAdmin = (module: string, more = '') => ({
      'packages/users/package.json': manifest(),
      'packages/users/src/auth.ts': "export const isAdmin = (request: Request) => request.headers.has('x-admin')\n",
      'packages/users/src/index.ts': `import { isAdmin } from '${module}'
/** @rpc
 * @auth isAdmin */
export function ban(): string { return 'banned' }
${more}`,
    })
    const both = '\nexport { isAdmin }\n'
    const own = `/** @rpc
 * @auth isOwn */
export function ban(): string { return 'banned' }
export function isOwn(request: Request) { return request.headers.has('x-admin') }
`
    const registering = `import { ban } from '@acme/users'
import { RpcServer } from 'rpc-gen'
export const server = new RpcServer()
server.registerProcedure(ban)
`
    const unmarked = (files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace('@rpc\n *', '')]))
    const byName = "export { ban } from '@acme/users'\n"

    async function generateIn(files: Readonly<Record<string, string>>): Promise<{ at: string } & Finished> {
      const at = project({ ...app, 'src/procedures/secrets.ts': '', ...files })
      return { at, ...(await runRpcGen(at, 'src/procedures')) }
    }

    test.each<[string, Readonly<Record<string, string>>, string]>([
      ['exported beside the function', { ...isAdmin('./auth.js', both), 'src/procedures/index.ts': byName }, 'ban'],
      ['imported by #auth', { ...isAdmin('#auth', both), 'src/procedures/index.ts': byName }, 'ban'],
      [
        're-exported with the function',
        { ...isAdmin('./auth.js', both), 'src/procedures/index.ts': "export * from '@acme/users'\n" },
        'ban',
      ],
      [
        'through a module of the app',
        {
          ...isAdmin('./auth.js', both),
          'src/middle.ts': byName,
          'src/procedures/index.ts': "export { ban as kick } from '../middle.js'\n",
        },
        'kick',
      ],
      ['declared in the same file', { 'packages/users/src/index.ts': own, 'src/procedures/index.ts': byName }, 'ban'],
      [
        'declared in the same file, all exported',
        { 'packages/users/src/index.ts': own, 'src/procedures/index.ts': "export * from '@acme/users'\n" },
        'ban',
      ],
      [
        'of the module',
        {
          'packages/users/src/index.ts': `/**
 * @namespace users
 * @auth isOwn
 */

/** @rpc */
export function ban(): string { return 'banned' }
export function isOwn(request: Request) { return request.headers.has('x-admin') }
`,
          'src/procedures/index.ts': byName,
        },
        'users.ban',
      ],
      [
        'exported by another path of the package, which the file imports',
        {
          ...isAdmin('@acme/users/auth'),
          'packages/users/package.json': manifest(', "./auth": "./src/auth.ts"'),
          'src/procedures/index.ts': byName,
        },
        'ban',
      ],
    ])('%s', async (_what, files, name) => {
      const { at, ...ended } = await generateIn(files)
      expect(ended).toMatchObject({ status: 0 })
      writeFiles(at, {
        'call.ts': `import { server } from './src/rpc.gen.js'
const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: '${name}' })
const of = async (headers) => JSON.parse(await server.handle(call, { request: new Request('http://a/', { headers }) }))
console.log(JSON.stringify([await of({}), await of({ 'x-admin': '1' })]))
`,
      })
      const built = await runBundled(at)
      expect(JSON.parse(built)).toMatchObject([{ error: { message: 'Authentication failed' } }, { result: 'banned' }])
    })

    test('of a function that is registered', async () => {
      const files = { ...unmarked(isAdmin('./auth.js', both)), 'src/procedures/index.ts': registering }
      const { at, ...ended } = await generateIn(files)
      expect(ended).toMatchObject({ status: 0 })
      const text = readFileSync(join(at, 'src/rpc.gen.ts'), 'utf8')
      expect(text.match(/^import \* .*$/gm)).toEqual(["import * as users from '@acme/users'"])
      expect(text).toContain("auth: authRule('isAdmin', users.isAdmin)")
    })

    test.each([
      ['by a relative path', { ...isAdmin('./auth.js'), 'src/procedures/index.ts': byName }],
      ['by #auth', { ...isAdmin('#auth'), 'src/procedures/index.ts': byName }],
      ['registered', { ...unmarked(isAdmin('./auth.js')), 'src/procedures/index.ts': registering }],
    ])('not exported by the package is an error: %s', async (_what, files) => {
      const { status, output } = await generateIn(files)
      expect(status).toBe(1)
      expect(output).toContain(
        'RPC140 the generated module cannot import the predicate isAdmin of this package\n  hint: export it where the package exports the function',
      )
    })

    test('two packages with the same paths', async () => {
      const other = Object.entries(isAdmin('./auth.js', both)).map(([path, text]) => [
        path.replace('users', 'orders'),
        text.replaceAll('users', 'orders').replace('ban', 'cancel').replace('x-admin', 'x-boss'),
      ])
      const at = project({
        ...app,
        ...isAdmin('./auth.js', both),
        ...Object.fromEntries(other),
        'src/procedures/index.ts': `${byName}export { cancel } from '@acme/orders'\n`,
        'src/procedures/secrets.ts': '',
      })
      link(join(at, 'packages/orders'), '@acme/orders', at)
      expect(await runRpcGen(at, 'src/procedures')).toMatchObject({ status: 0 })
      const text = readFileSync(join(at, 'src/rpc.gen.ts'), 'utf8')
      expect(text).toMatch(/proceduresModule\.ban, \{[^}]*auth: authRule\('isAdmin', users\.isAdmin\)/)
      expect(text).toMatch(/proceduresModule\.cancel, \{[^}]*auth: authRule\('isAdmin', orders\.isAdmin\)/)
    })
  })

  test('a marked function of an installed package is reported where it is exported by its name', async () => {
    const at = project({
      'node_modules/lib/package.json': '{ "name": "lib", "type": "module", "exports": "./index.js" }',
      'node_modules/lib/index.js': 'export const one = () => 1\n',
      'node_modules/lib/index.d.ts': '/** @rpc */\nexport declare function one(): number\n',
      'src/procedures/lib.ts': "export { one } from 'lib'\n",
    })
    const { status, output } = await runRpcGen(at, 'src/procedures')
    expect(status).toBe(1)
    expect(output).toContain('lib.ts:1:10 RPC110 one is marked @rpc, but it is a function of an installed package')
  })
})
