import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GenerateOptions, generate, UsageError } from 'rpc-gen/generator'
import { beforeEach, describe, expect, test } from 'vitest'
import { runRpcGen } from '../support/command.js'
import type { Finished } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const hello = '/**\n * Hello.\n *\n * @rpc\n */\nexport function hello(): string {\n  return "hello"\n}\n'
const settings = '{ "paths": "src/api", "out": "src/made.gen.ts" }'

let folder: string

beforeEach(() => {
  folder = temporaryFolder('config')
  write('src/api/hello.ts', hello)
  write('src/other/other.ts', hello.replaceAll('hello', 'other'))
  write('tsconfig.json', '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext" } }')
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

function rpcGen(args: readonly string[] = [], cwd = folder): Promise<Finished> {
  return runRpcGen(cwd, ...args)
}

test('a mistake in scalars that a script declares elsewhere is reported there', async () => {
  write(
    'rpc.config.mjs',
    `const scalars = {\n  Money: 'src/absent.ts',\n}\nexport default { paths: 'src/api', scalars }\n`,
  )
  expect(await rpcGen()).toMatchObject({ status: 1, output: expect.stringContaining('rpc.config.mjs:2:3 RPC150 ') })
})

describe('a configuration is found as', () => {
  test.each([
    ['rpc.config.json', settings],
    ['rpc.config.mjs', `export default ${settings}\n`],
    ['rpc.config.ts', `const config: Record<string, unknown> = ${settings}\nexport default config\n`],
    ['package.json', `{ "type": "module", "rpc-gen": ${settings} }`],
  ])('%s', async (file, text) => {
    write(file, text)
    expect(await rpcGen()).toMatchObject({
      status: 0,
      output: expect.stringContaining('1 procedure in 1 file → src/made.gen.ts'),
    })
    expect(read('src/made.gen.ts')).toContain("from './api/hello.js'")
  })

  test('rpc.config.js, in a package of ES modules', async () => {
    write('package.json', '{ "type": "module" }')
    write('rpc.config.js', `export default ${settings}\n`)
    expect((await rpcGen()).status).toBe(0)
  })

  test('rpc.config.ts, which imports TypeScript beside it', async () => {
    write(
      'rpc.config.ts',
      "import { api } from './shared/paths.js'\nimport { out } from './shared/out.ts'\nimport { auth } from './auth'\n" +
        'export default { paths: api, out, requireAuth: auth as boolean }\n',
    )
    write('shared/paths.ts', "import { base } from './base.mjs'\n\nexport const api: string = base.concat('/api')\n")
    write('shared/base.mjs', "export const base = 'src'\n")
    write('shared/out.ts', "export const out = 'src/made.gen.ts' as const\n")
    write('auth.ts', 'export const auth: unknown = false\n')
    expect((await rpcGen()).output).toContain('1 procedure in 1 file → src/made.gen.ts')
    write('shared/out.ts', "export const out = 'src/other.gen.ts' as const\n")
    expect((await rpcGen()).output).toContain('→ src/other.gen.ts')
    expect(readdirSync(join(folder, 'shared')).sort()).toEqual(['base.mjs', 'out.ts', 'paths.ts'])
  })

  test('rpc.config.js, in a package of CommonJS', async () => {
    write(
      'rpc.config.js',
      "const { dirname } = require('node:path')\nmodule.exports = { paths: dirname(require.resolve('./src/api/hello.ts')) }\n",
    )
    expect((await rpcGen()).output).toContain('1 procedure in 1 file → src/rpc.gen.ts')
  })

  test('rpc.config.mjs, with what ES modules have', async () => {
    write('made.json', '{ "out": "src/made.gen.ts" }')
    write(
      'rpc.config.mjs',
      "import { readdirSync } from 'node:fs'\nimport made from './made.json' with { type: 'json' }\n" +
        "const [name] = readdirSync(new URL('src', import.meta.url))\n" +
        "const info = { title: 'import.meta', version: '1' }\n" +
        "export default { paths: ['src', name].join('/'), openrpc: 'openrpc.json', info, ...made }\n",
    )
    expect((await rpcGen()).output).toContain('1 procedure in 1 file → src/made.gen.ts')
    expect(JSON.parse(read('openrpc.json')).info.title).toBe('import.meta')
  })

  test.each([
    [
      'its own names',
      "const __dirname = new URL('.', import.meta.url).pathname\nexport default { paths: __dirname + 'src/api' }",
    ],
    ['an interpreter', `#!/usr/bin/env node\nexport default ${settings}`],
    ['a promise', `export default (async () => (${settings}))()`],
  ])('rpc.config.mjs, with %s', async (_what, text) => {
    write('rpc.config.mjs', text)
    expect((await rpcGen()).output).toContain('1 procedure in 1 file → ')
  })

  test('one in a parent folder, whose paths are relative to it', async () => {
    write('package.json', '{}')
    write('rpc.config.json', settings)
    expect((await rpcGen([], join(folder, 'src/other'))).status).toBe(0)
    expect(existsSync(join(folder, 'src/made.gen.ts'))).toBe(true)
  })

  test('one with absolute paths', async () => {
    write('rpc.config.json', JSON.stringify({ paths: join(folder, 'src/api'), out: join(folder, 'src/made.gen.ts') }))
    expect((await rpcGen()).output).toContain('1 procedure in 1 file → src/made.gen.ts')
  })

  test('the file in --config', async () => {
    write('settings/own.json', '{ "paths": ["../src/api"] }')
    expect((await rpcGen(['-c', 'settings/own.json'])).status).toBe(0)
    expect(existsSync(join(folder, 'src/rpc.gen.ts'))).toBe(true)
  })
})

test('flags and paths of the command line take precedence', async () => {
  write('rpc.config.json', settings)
  expect((await rpcGen(['src/other', '-o', 'src/flag.gen.ts'])).status).toBe(0)
  expect(read('src/flag.gen.ts')).toContain("from './other/other.js'")
  expect(read('src/flag.gen.ts')).not.toContain('hello')
})

test('lock: true is a file beside the configuration, false is none', async () => {
  write('package.json', '{}')
  write('rpc.config.json', '{ "paths": "src/api", "lock": false }')
  expect((await rpcGen()).output).toMatch(/→ src\/rpc\.gen\.ts, \d/)
  write('rpc.config.json', '{ "paths": "src/api", "lock": true }')
  expect((await rpcGen([], join(folder, 'src'))).output).toContain('→ rpc.gen.ts, ../rpc.lock.json, ')
})

test('requireAuth, as a key and as a flag', async () => {
  expect((await rpcGen(['src/api', '--require-auth'])).output).toContain('RPC141 hello has no auth')
  write('rpc.config.json', '{ "paths": "src/api", "requireAuth": true }')
  expect((await rpcGen()).status).toBe(1)
})

test('RPC_METHODS_MODULES is compiled beside the paths', async () => {
  write('rpc.config.json', '{ "paths": "src/api", "RPC_METHODS_MODULES": "src/other" }')
  expect((await rpcGen()).output).toContain('2 procedures in 2 files')
  expect(read('src/rpc.gen.ts').match(/legacy: true/g)).toHaveLength(1)
})

describe('a configuration is not looked for', () => {
  test('above the working directory without a package.json', async () => {
    write('rpc.config.mjs', 'throw new Error("run")')
    const { status, output } = await rpcGen(['.'], join(folder, 'src/other'))
    expect(output).toContain('1 procedure')
    expect(status).toBe(0)
  })

  test('above the nearest package.json', async () => {
    write('rpc.config.mjs', 'throw new Error("run")')
    write('src/package.json', '{ "type": "module" }')
    expect((await rpcGen(['.'], join(folder, 'src/other'))).status).toBe(0)
  })
})

describe('wrong usage exits with 2 and one line on stderr, and writes nothing', () => {
  test.each([
    ['an unknown key', '{ "path": "src" }', 'unknown option path: write it paths'],
    ['another unknown key', '{ "sources": "src" }', 'unknown option sources: the options are paths, out,'],
    ['a key in another case', '{ "requireauth": true }', 'unknown option requireauth: write it requireAuth'],
    ['a value of the wrong type', '{ "paths": 5 }', 'paths: expected a string or a list of strings'],
    ['no object', '5', 'is not a configuration: expected an object'],
    ['no JSON', '{ paths }', 'cannot be read'],
    ['no paths', '{}', 'give a folder, a file or a glob'],
  ])('%s', async (_what, text, sentence) => {
    write('rpc.config.json', text)
    expect(await rpcGen()).toEqual({ status: 2, output: expect.stringContaining(sentence) })
  })

  test.each([
    ['a missing file', 'nowhere.json', 'nowhere.json does not exist'],
    ['a folder', 'src', 'src is a folder: name a file'],
  ])('%s', async (_what, path, sentence) => {
    expect(await rpcGen(['-c', path])).toEqual({ status: 2, output: expect.stringContaining(sentence) })
  })

  test.each([
    ['with a configuration', `{ "rpc-gen": ${settings}, }`, 2, '/package.json cannot be read: Expected double-quoted'],
    ['without one', '{ "type": "module", }', 0, '1 procedure in 1 file'],
  ])('a package.json with a syntax error, %s', async (_what, text, status, sentence) => {
    write('package.json', text)
    expect(await rpcGen(['src/api'])).toEqual({ status, output: expect.stringContaining(sentence) })
    expect(existsSync(join(folder, 'src/rpc.gen.ts'))).toBe(status === 0)
  })

  test.each([
    ['a module that throws', 'throw new Error("not today")', 'rpc.config.mjs cannot be read: not today'],
    ['one that throws a text', "throw 'no token'", 'rpc.config.mjs cannot be read: no token'],
    ['a module with a syntax error', 'export default { paths: 5 5 }', "/rpc.config.mjs:1:27 ',' expected."],
    [
      'a call that is not closed',
      'export default Object(\n  { paths: "src/api" }\n',
      "/rpc.config.mjs:3:1 ')' expected.",
    ],
    [
      'an imported file with a syntax error',
      "import './src/api/broken.js'\nexport default {}\n",
      '/src/api/broken.ts:1:14 Variable declaration expected.',
    ],
    [
      'no export',
      "const config = { paths: 'src/api' }\n",
      'rpc.config.mjs exports no configuration: write export default defineConfig({ … })',
    ],
    [
      'a named export',
      "export const config = { paths: 'src/api' }\n",
      'rpc.config.mjs exports no configuration: write export default',
    ],
    [
      'a top-level await',
      'export default await {}',
      'rpc.config.mjs has a top-level await, which a configuration cannot have: export the promise',
    ],
    [
      'a name that its compiled form has',
      "const require = 1\nexport default { paths: 'src/api' }",
      'rpc.config.mjs declares require, which it is compiled to: give it another name',
    ],
    [
      'a module that does not exist',
      "import './none.js'",
      "rpc.config.mjs cannot be read: Cannot find module './none.js'",
    ],
  ])('%s', async (_what, text, sentence) => {
    write('rpc.config.mjs', text)
    write('src/api/broken.ts', 'export const = 1\n')
    expect(await rpcGen()).toEqual({ status: 2, output: expect.stringContaining(sentence) })
  })
})

test('two configurations in one folder are an error that names both', async () => {
  write('package.json', '{}')
  write('rpc.config.json', settings)
  expect((await rpcGen([], join(folder, 'src'))).status).toBe(0)
  write('rpc.config.ts', `export default ${settings}\n`)
  expect(await rpcGen([], join(folder, 'src'))).toEqual({
    status: 2,
    output: `rpc-gen: ${folder} has rpc.config.ts and rpc.config.json: remove one of them\n`,
  })
  expect((await rpcGen(['-c', 'rpc.config.ts'])).status).toBe(0)
})

test('module.exports in a package of ES modules is a configuration', async () => {
  write('package.json', '{ "type": "module" }')
  write('rpc.config.js', `module.exports = ${settings}\n`)
  expect((await rpcGen()).status).toBe(0)
})

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'generate() is not a configuration: expected an object with the options'],
  ['a list', [{ paths: ['src'] }], 'generate() is not a configuration: expected an object with the options'],
  ['no paths', {}, 'no paths: give a folder, a file or a glob, for instance rpc-gen src/procedures'],
  [
    'an unknown option',
    { paths: ['src'], outt: 1 },
    'generate(): unknown option outt: the options are paths, out, project, ',
  ],
  [
    'the name of a target',
    { paths: ['src'], name: 'x' },
    'generate(): unknown option name: the options are paths, out',
  ],
  ['an internal option', { paths: ['src'], methodsModules: [] }, 'generate(): unknown option methodsModules: '],
  ['a wrong list', { paths: ['src'], RPC_METHODS_MODULES: [5] }, 'RPC_METHODS_MODULES: expected a string or a list of'],
  ['a wrong type', { paths: ['src'], out: 5 }, 'generate(): out: expected a string'],
  ['a wrong folder', { paths: ['src'], cwd: 5 }, 'generate(): cwd: expected a string'],
  ['a path that does not exist', { paths: ['nothing'] }, 'nothing does not exist'],
  ['an empty path', { paths: [''] }, 'a path is empty'],
  ['an empty module', { paths: ['src'], RPC_METHODS_MODULES: '' }, 'RPC_METHODS_MODULES: a path is empty'],
])('generate() rejects with a UsageError: %s', async (_what, options, message) => {
  const error = await generate(options as GenerateOptions).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(UsageError)
  expect((error as Error).message).toContain(message)
})

test.each(['src/other', ['src/other']])('generate() compiles RPC_METHODS_MODULES, %j', async (modules) => {
  const options = { paths: 'src/api', out: 'src/made.gen.ts', RPC_METHODS_MODULES: modules, cwd: folder }
  const { files, diagnostics } = await generate(options)
  expect(diagnostics).toEqual([])
  write('rpc.config.json', JSON.stringify({ ...options, cwd: undefined }))
  expect((await rpcGen()).status).toBe(0)
  expect(files.map(({ text }) => text)).toEqual([read('src/made.gen.ts')])
  expect(read('src/made.gen.ts')).toContain('legacy: true')
})
