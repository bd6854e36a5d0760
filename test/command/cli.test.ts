import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cli, runRpcGen } from '../support/command.js'
import { root } from '../support/paths.js'
import { requireBuild, writeFiles } from '../support/project.js'
import { type Finished, run } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

const add =
  '/** Adds. @see nothing */\n/**\n * Adds.\n *\n * @rpc\n */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n'
const greet =
  "import type { Name } from './names.js'\n\n/** @rpc */\nexport const greet = (name: Name): Name => ({ ...name })\n"
const names = 'export interface Name {\n  first: string\n  born: Date\n}\n'
const tsconfig = '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext", "target": "es2023" } }\n'

let folder: string

beforeAll(() => {
  requireBuild()
})

beforeEach(() => {
  folder = project()
})

function project(files: Readonly<Record<string, string>> = {}): string {
  const all = { 'tsconfig.json': tsconfig, 'src/api/add.ts': add, 'src/api/greet.ts': greet, 'src/api/names.ts': names }
  return writeFiles(temporaryFolder('cli'), { ...all, ...files })
}

function write(path: string, text: string, into = folder): void {
  writeFiles(into, { [path]: text })
}

const read = (path: string, from = folder) => readFileSync(join(from, path), 'utf8')

function rpcGen(...args: string[]): Promise<Finished> {
  return runRpcGen(folder, ...args)
}

/** Runs the command in a process of its own. */
function start(...args: string[]): Promise<Finished> {
  return run(folder, process.execPath, cli, ...args)
}

async function generated(...args: string[]): Promise<string> {
  const { status, output } = await rpcGen(...args)
  expect(output).toMatch(/^2 procedures in 2 of 3 files → /)
  expect(status).toBe(0)
  return read('src/rpc.gen.ts')
}

/** A time long ago, so that a write shows. */
function age(path: string): number {
  utimesSync(join(folder, path), 1_000_000, 1_000_000)
  return statSync(join(folder, path)).mtimeMs
}

describe('wrong usage exits with 2 and one line on stderr', () => {
  test.each([
    [
      [],
      'rpc-gen: no rpc.config found and no paths: give a folder, a file or a glob, for instance rpc-gen src/procedures\n',
    ],
    [['src/nowhere'], 'rpc-gen: src/nowhere does not exist\n'],
    [
      ['src/api', '!src/api/old'],
      'rpc-gen: !src/api/old would exclude files, which a path cannot do: name those to read\n',
    ],
    [['--frobnicate', 'src/api'], "rpc-gen: Unknown option '--frobnicate'\n"],
    [['--chek', 'src/api'], "rpc-gen: Unknown option '--chek': write it --check\n"],
    [['--strictDocs', 'src/api'], "rpc-gen: Unknown option '--strictDocs': write it --strict-docs\n"],
    [['-x', 'src/api'], "rpc-gen: Unknown option '-x'\n"],
    [['src/api', '--out'], "rpc-gen: Option '-o, --out <file>' argument missing\n"],
    [['src/api', '--openrpc', '--client', 'a.ts'], "rpc-gen: Option '--openrpc <file>' argument missing\n"],
    [['src/api', '-o', '--lock'], "rpc-gen: Option '-o' argument missing\n"],
    [['src/api', '--check=yes'], "rpc-gen: Option '--check' does not take an argument\n"],
    [['src/api', '--import-ext', ''], "rpc-gen: --import-ext: expected js, ts or none, got ''\n"],
    [['src/api', '--import-ext', 'mjs'], 'rpc-gen: --import-ext: expected js, ts or none, got mjs\n'],
    [['src/api', '--check', '--model'], 'rpc-gen: --check and --model exclude each other\n'],
    [['src/api', '--poll'], 'rpc-gen: --poll is an option of --watch and rpc-gen dev\n'],
    [['src/api', '-p', 'nowhere.json'], 'rpc-gen: the tsconfig nowhere.json does not exist\n'],
    [
      ['diff'],
      'rpc-gen: rpc-gen diff needs an old version: a document (rpc-gen diff old.openrpc.json), or a git revision with a lock (rpc-gen diff --base main)\n',
    ],
    [['watch'], 'rpc-gen: there is no command watch: write rpc-gen --watch\n'],
    [
      ['build', '--strict-docs'],
      'rpc-gen: there is no command build: write rpc-gen src/procedures, or rpc-gen alone with a configuration\n',
    ],
    [
      ['--json', 'init'],
      'rpc-gen: init is a separate command and has to come first; for a folder of that name write ./init\n',
    ],
    [
      ['mcp'],
      'rpc-gen: there is no command mcp: serve tools with serveStdio of rpc-gen/mcp (https://github.com/rpc-gen/rpc-gen/blob/main/docs/guide/mcp.md); for a folder of that name write ./mcp\n',
    ],
  ])('%j', async (args, output) => {
    expect(await start(...args)).toEqual({ status: 2, output })
    expect(readdirSync(join(folder, 'src'))).toEqual(['api'])
  })

  test('a folder that has the name of a reserved word', async () => {
    write('diff/one.ts', add)
    expect((await rpcGen('./diff')).status).toBe(0)
    expect(existsSync(join(folder, 'rpc.gen.ts'))).toBe(true)
    write('build/one.ts', add)
    expect((await rpcGen('build')).status).toBe(0)
  })
})

describe('usage and version', () => {
  test.each(['-h', '--help'])('%s prints the usage', async (flag) => {
    const { status, output } = await start(flag)
    expect(status).toBe(0)
    expect(output).toMatch(/^Usage: rpc-gen \[options\] <path>\.\.\.\n/)
    const words =
      'out project config require-auth strict-docs json-schema check watch poll no-restart model json import-ext help version'
    for (const word of words.split(' ')) expect(output).toContain(`--${word}`)
  })

  test.each(['-v', '--version'])('%s prints the version', async (flag) => {
    expect(await start(flag)).toEqual({ status: 0, output: `${version}\n` })
  })
})

describe('writing', () => {
  test('one line reports the outputs; the default output is beside the first path', async () => {
    const { status, output } = await start('src/api')
    expect(status).toBe(0)
    expect(output).toMatch(/^2 procedures in 2 of 3 files → src\/rpc\.gen\.ts, \d+\.\d\d s\n$/)
    expect(read('src/rpc.gen.ts')).toContain("import * as add from './api/add.js'\n")
    expect(readdirSync(join(folder, 'src')).sort()).toEqual(['api', 'rpc.gen.ts'])
  })

  test('an unchanged output is not written again', async () => {
    const text = await generated('src/api')
    const time = age('src/rpc.gen.ts')
    const { output } = await rpcGen('src/api')
    expect(output).toMatch(/→ src\/rpc\.gen\.ts \(unchanged\), /)
    expect(statSync(join(folder, 'src/rpc.gen.ts')).mtimeMs).toBe(time)
    expect(read('src/rpc.gen.ts')).toBe(text)
  })

  test.each(['-o', '--out'])('%s sets the output, whose folder is created', async (flag) => {
    expect((await rpcGen('src/api', flag, 'made/for/it.gen.ts')).status).toBe(0)
    expect(read('made/for/it.gen.ts')).toContain("import * as add from '../../src/api/add.js'\n")
  })

  test('one file, and a glob', async () => {
    expect((await rpcGen('src/api/add.ts')).output).toMatch(/^1 procedure in 1 file → src\/api\/rpc\.gen\.ts, /)
    expect((await rpcGen('src/api/{add,greet}.ts', '-o', 'a.gen.ts')).output).toMatch(
      /^2 procedures in 2 files → a\.gen/,
    )
  })

  test('tests, declarations and generated files are not sources', async () => {
    const marked = '/** @rpc */\nexport function no(): void {}\n'
    for (const name of ['a.test.ts', 'a.spec.ts', 'a.d.ts', 'a.gen.ts', '__tests__/a.ts'])
      write(`src/api/${name}`, marked)
    expect((await rpcGen('src/api')).output).toMatch(/^2 procedures in 2 of 3 files /)
  })
})

describe('--check', () => {
  test('reports missing and stale outputs, and never writes', async () => {
    expect(await rpcGen('src/api', '--check')).toEqual({ status: 1, output: 'src/rpc.gen.ts is stale: run rpc-gen\n' })
    expect(existsSync(join(folder, 'src/rpc.gen.ts'))).toBe(false)

    const text = await generated('src/api')
    const time = age('src/rpc.gen.ts')
    expect(await rpcGen('src/api', '--check')).toEqual({ status: 0, output: '' })

    write('src/api/add.ts', add.replace('Adds.\n *\n', 'Adds two numbers.\n *\n'))
    expect(await rpcGen('src/api', '--check')).toEqual({ status: 1, output: 'src/rpc.gen.ts is stale: run rpc-gen\n' })
    expect(read('src/rpc.gen.ts')).toBe(text)
    expect(statSync(join(folder, 'src/rpc.gen.ts')).mtimeMs).toBe(time)
  })
})

describe('--json-schema', () => {
  test('is written, left unchanged and checked like the module', async () => {
    const { status, output } = await rpcGen('src/api', '--json-schema', 'made/api.schema.json')
    expect(status).toBe(0)
    expect(output).toMatch(/^2 procedures in 2 of 3 files → src\/rpc\.gen\.ts, made\/api\.schema\.json, /)
    expect(Object.keys(JSON.parse(read('made/api.schema.json')).$defs)).toEqual(
      expect.arrayContaining(['add.params', 'add.result', 'greet.params', 'greet.result', 'Name']),
    )
    const check = ['src/api', '--check', '--json-schema', 'made/api.schema.json']
    expect(await rpcGen(...check)).toEqual({ status: 0, output: '' })
    write('made/api.schema.json', '{}')
    expect(await rpcGen(...check)).toEqual({ status: 1, output: 'made/api.schema.json is stale: run rpc-gen\n' })
    expect(read('made/api.schema.json')).toBe('{}')
  })

  test('the configuration names it from its own folder', async () => {
    write('package.json', '{}')
    write('rpc.config.json', '{ "paths": "src/api", "jsonSchema": "made/api.schema.json" }')
    expect((await runRpcGen(join(folder, 'src'))).status).toBe(0)
    expect(existsSync(join(folder, 'made/api.schema.json'))).toBe(true)
  })
})

describe('errors leave the old output untouched', () => {
  test.each([[['src/api']], [['src/api', '--check']], [['src/api', '--model']]])('%j', async (args) => {
    const text = await generated('src/api')
    const time = age('src/rpc.gen.ts')
    write('src/api/bad.ts', '/** @rpc */\nexport function bad(on: { change: () => void }): void {\n  on.change()\n}\n')
    const { status, output } = await rpcGen(...args)
    expect(status).toBe(1)
    expect(output).toBe(
      'src/api/bad.ts:2:27 RPC121 a function cannot be serialised\n  in bad(on).change\n' +
        '  hint: leave it out: Pick or Omit make such a type\n1 error, nothing was written\n',
    )
    expect(read('src/rpc.gen.ts')).toBe(text)
    expect(statSync(join(folder, 'src/rpc.gen.ts')).mtimeMs).toBe(time)
    expect(readdirSync(join(folder, 'src')).sort()).toEqual(['api', 'rpc.gen.ts'])
  })

  test('--json: one diagnostic a line', async () => {
    write('src/api/bad.ts', '/** @rpc */\nexport function bad(a: symbol, b: never): void {\n  throw [a, b]\n}\n')
    const { status, output } = await start('src/api', '--json')
    expect(status).toBe(1)
    expect(output.endsWith('2 errors, nothing was written\n')).toBe(true)
    const lines = output.trimEnd().split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        code: 'RPC121',
        message: 'a symbol cannot be serialised',
        position: { file: 'src/api/bad.ts', line: 2, column: 21 },
        path: 'bad(a)',
        hint: 'leave it out, or use a string',
      },
      {
        code: 'RPC121',
        message: 'never has no values',
        position: { file: 'src/api/bad.ts', line: 2, column: 32 },
        path: 'bad(b)',
        hint: 'leave it out, or declare the type of its values',
      },
    ])
  })

  test('--strict-docs, on the command line and in the configuration', async () => {
    const undocumented =
      'src/api/add.ts:7:21 RPC133 the parameter a of add is not documented\n  hint: describe it: @param a …\n'
    const { status, output } = await rpcGen('src/api', '--strict-docs')
    expect(status).toBe(1)
    expect(output).toContain(undocumented)
    write('rpc.config.json', '{ "paths": "src/api", "strictDocs": true }')
    expect((await rpcGen()).output).toBe(output)
  })

  test('no procedure with @rpc', async () => {
    expect(await rpcGen('src/api/names.ts')).toEqual({
      status: 1,
      output:
        'RPC101 no exported function in src/api/names.ts is marked @rpc\n' +
        '  hint: put a line with @rpc into the doc comment of a function that callers may call\n' +
        '1 error, nothing was written\n',
    })
  })
})

describe('the tsconfig', () => {
  test('an invalid one is reported with its diagnostic and location', async () => {
    write('tsconfig.json', '{\n  "compilerOptions": { "strict": 5 }\n}\n')
    expect(await rpcGen('src/api')).toEqual({
      status: 1,
      output:
        "tsconfig.json:2:34 RPC103 TS5024: Compiler option 'strict' requires a value of type boolean.\n" +
        '1 error, nothing was written\n',
    })
  })

  test.each(['-p', '--project'])('%s selects another one', async (flag) => {
    write('other/tsconfig.json', '{\n  "compilerOptions": { "target": "ES1" }, "include": ["../src"]\n}\n')
    const { status, output } = await rpcGen('src/api', flag, 'other/tsconfig.json')
    expect(status).toBe(1)
    expect(output).toMatch(/^other\/tsconfig\.json:2:34 RPC103 TS6046: Argument for '--target' option must be: /)
  })

  test('without any, sources are read as strict nodenext', async () => {
    rmSync(join(folder, 'tsconfig.json'))
    expect(await generated('src/api')).toContain("import * as add from './api/add.js'\n")
  })

  test('null and undefined are types of the declaration without strict', async () => {
    write('tsconfig.json', tsconfig.replace('"lib"', '"strict": false, "lib"'))
    write('src/api/maybe.ts', '/** @rpc */\nexport function maybe(a: string | null): void {\n  a\n}\n')
    await rpcGen('src/api')
    expect(read('src/rpc.gen.ts')).toContain('params: { a: nullable(string) }')
  })
})

describe('the extension of imports', () => {
  const bundler = tsconfig.replace('nodenext', 'preserve')

  test.each([
    ['js', "'./api/add.js'"],
    ['ts', "'./api/add.ts'"],
    ['none', "'./api/add'"],
  ])('--import-ext %s', async (ext, specifier) => {
    expect(await generated('src/api', '--import-ext', ext)).toContain(`import * as add from ${specifier}\n`)
  })

  test.each([
    ['nodenext', tsconfig, "'./names.js'", "'./api/add.js'"],
    ['a bundler, as the sources do it: without', bundler, "'./names'", "'./api/add'"],
    ['a bundler, as the sources do it: with .js', bundler, "'./names.js'", "'./api/add.js'"],
    [
      'TypeScript endings',
      bundler.replace('"lib"', '"noEmit": true, "allowImportingTsExtensions": true, "lib"'),
      "'./names.ts'",
      "'./api/add.ts'",
    ],
    [
      'rewritten TypeScript endings',
      tsconfig.replace('"lib"', '"rewriteRelativeImportExtensions": true, "lib"'),
      "'./names.ts'",
      "'./api/add.ts'",
    ],
  ])('%s', async (_what, config, own, specifier) => {
    write('tsconfig.json', config)
    write('src/api/greet.ts', greet.replace("'./names.js'", own))
    expect(await generated('src/api')).toContain(`import * as add from ${specifier}\n`)
  })

  const generatedFiles = {
    'tsconfig.json': bundler.replace(/\}\s*$/, ', "include": ["src", ".next/types"] }'),
    '.next/types/a.ts': "import type * as a from '../../src/a.js'\nimport './b.js'\nexport type A = typeof a\n",
    'src/a.d.ts': "export * from './b.js'\n",
  }

  test.each([
    ['without imports of its own: none', {}, "'./api/add'"],
    [
      'as most files of the project: with .js',
      { 'src/a.ts': "import './b.js'\n", 'src/b.ts': 'export {}\n' },
      "'./api/add.js'",
    ],
    [
      'as most files of the project: without',
      { 'src/a.ts': "export * from './b'\n", 'src/b.ts': 'export {}\n' },
      "'./api/add'",
    ],
    ['whatever the files have that its tools generate', generatedFiles, "'./api/add'"],
  ])('a bundler, %s', async (_what, files, specifier) => {
    const all = {
      'tsconfig.json': bundler,
      'src/api/add.ts': '/** @rpc */\nexport function add(): void {}\n',
      ...files,
    }
    for (const [path, text] of Object.entries(all)) write(`app/${path}`, text)
    // In the second run the generated file exists; it is not one of them.
    for (const note of ['', ' (unchanged)']) {
      expect((await rpcGen('app/src/api')).output).toContain(`→ app/src/rpc.gen.ts${note}, `)
      expect(read('app/src/rpc.gen.ts')).toContain(`import * as add from ${specifier}\n`)
    }
  })
})

describe('@timeout and @maxBody', () => {
  const limited = (timeout: string) =>
    `/**\n * @rpc\n * @timeout ${timeout}\n * @maxBody 8MiB\n */\nexport function upload(): void {}\n`

  test('are in the model in milliseconds and bytes', async () => {
    write('limited/upload.ts', limited('30s'))
    const { procedures } = JSON.parse((await rpcGen('limited', '--model')).output)
    expect(procedures).toMatchObject([{ name: 'upload', timeoutMs: 30_000, bodyBytes: 8_388_608 }])
  })

  test('an unknown unit is reported with the line and a hint, exit 1', async () => {
    write('limited/upload.ts', limited('30sec'))
    const { status, output } = await rpcGen('limited')
    expect(status).toBe(1)
    expect(output).toContain('limited/upload.ts:3:4 RPC130 @timeout: expected a number and a unit, got "30sec"\n')
    expect(output).toContain('  hint: write a number and a unit (ms, s, min, h): @timeout 30s\n')
  })
})

test('--model prints the model as JSON and writes nothing', async () => {
  const { status, output } = await rpcGen('src/api', '--model')
  expect(status).toBe(0)
  const model = JSON.parse(output)
  expect(model.version).toBe(1)
  expect(model.procedures.map((each: { name: string }) => each.name)).toEqual(['add', 'greet'])
  expect(model.types.map((each: { name: string }) => each.name)).toEqual(['Name'])
  expect(output).not.toContain(folder)
  expect(existsSync(join(folder, 'src/rpc.gen.ts'))).toBe(false)
})

describe('the same sources give the same bytes', () => {
  test('run twice, in another folder, from another working directory, with another order of the files, with CRLF', async () => {
    const text = await generated('src/api')
    expect(text).not.toContain('\r')
    expect(text).not.toContain(folder)
    expect(text).not.toMatch(/\d\d:\d\d|20\d\d-|:\d+:\d+/)

    expect(await generated('src/api/names.ts', 'src/api/greet.ts', 'src/api/add.ts', '-o', 'src/rpc.gen.ts')).toBe(text)
    expect(await generated('src/api/add.ts', 'src/api/', 'src/api/names.ts', '-o', 'src/rpc.gen.ts')).toBe(text)
    const { status } = await runRpcGen(join(folder, 'src/api'), '.', '-o', '../elsewhere.gen.ts')
    expect(status).toBe(0)
    expect(read('src/elsewhere.gen.ts')).toBe(text)

    const crlf = Object.entries({ 'src/api/add.ts': add, 'src/api/greet.ts': greet, 'src/api/names.ts': names })
    const other = project(Object.fromEntries(crlf.map(([path, each]) => [path, each.replaceAll('\n', '\r\n')])))
    await runRpcGen(other, join(other, 'src/api'))
    expect(read('src/rpc.gen.ts', other)).toBe(text)
  })

  test('the order of a union does not depend on the order of files', async () => {
    const uses = (literals: string, name: string) =>
      `export type ${name} = ${literals}\n\n/** @rpc */\nexport function use${name}(a: ${name}): void {\n  a\n}\n`
    write('src/two/a.ts', uses("'zeta' | 'mid' | 'alpha'", 'A'))
    write('src/two/b.ts', uses("'alpha' | 'zeta' | 'beta'", 'B'))
    await rpcGen('src/two/a.ts', 'src/two/b.ts', '-o', 'one.gen.ts')
    await rpcGen('src/two/b.ts', 'src/two/a.ts', '-o', 'other.gen.ts')
    expect(read('one.gen.ts')).toBe(read('other.gen.ts'))
    await rpcGen('src/two/b.ts', '-o', 'alone.gen.ts')
    const line = /^const b = .*/m
    const [alone] = read('alone.gen.ts').match(line) ?? []
    expect(alone).toBe("const b = literal('alpha', 'beta', 'zeta')")
    expect(read('one.gen.ts').match(line)?.[0]).toBe(alone)
  })
})

test.each([
  ['tsx', '.js'],
  ['mts', '.mjs'],
  ['js', '.js'],
  ['mjs', '.mjs'],
])('a source that ends in .%s is imported with %s', async (ext, specifier) => {
  write('tsconfig.json', tsconfig.replace('"lib"', '"allowJs": true, "jsx": "preserve", "lib"'))
  const typed = ext.endsWith('js') ? 'a' : 'a: number'
  write(
    `src/other/source.${ext}`,
    `/**\n * @param {number} a\n * @rpc\n */\nexport function twice(${typed}) {\n  return a * 2\n}\n`,
  )
  expect((await rpcGen('src/other')).status).toBe(0)
  const text = read('src/rpc.gen.ts')
  expect(text).toContain(`import * as source from './other/source${specifier}'\n`)
  expect(text).toContain('twice: procedure(source.twice, { params: { a: number }, returns: number }),')
})

describe('files as Windows writes them', () => {
  test('line ends of outputs do not count, and are kept', async () => {
    expect((await rpcGen('src/api')).status).toBe(0)
    const text = read('src/rpc.gen.ts')
    write('src/rpc.gen.ts', text.replaceAll('\n', '\r\n'))
    rmSync(join(folder, '.cache'), { recursive: true, force: true })
    expect(await rpcGen('src/api', '--check')).toEqual({ status: 0, output: '' })
    expect((await rpcGen('src/api')).output).toContain('(unchanged)')
    write('src/api/add.ts', add.replace('Adds.\n', 'Adds two.\n'))
    expect((await rpcGen('src/api', '--check')).status).toBe(1)
    expect((await rpcGen('src/api')).status).toBe(0)
    expect(read('src/rpc.gen.ts').replace(/[^\r\n]|\r\n/g, '')).toBe('')
    expect(read('src/rpc.gen.ts')).toContain("'Adds two.'")
  })

  test.each<[string, (text: string) => string]>([
    ['mixed line ends', (text) => text.replace('\n', '\r\n')],
    ['mixed line ends after the first', (text) => text.replace(/\n(?=import)/, '\r\n')],
    ['a byte order mark', (text) => `\uFEFF${text}`],
    ['a byte order mark and CRLF', (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
    ['no last line end', (text) => text.replace(/\n$/, '')],
    ['no last line end, a mark and CRLF', (text) => `\uFEFF${text.replace(/\n$/, '').replaceAll('\n', '\r\n')}`],
  ])('%s: not stale', async (_, change) => {
    expect((await rpcGen('src/api')).status).toBe(0)
    const text = read('src/rpc.gen.ts')
    write('src/rpc.gen.ts', change(text))
    expect(await rpcGen('src/api', '--check')).toEqual({ status: 0, output: '' })
    write('src/rpc.gen.ts', change(text.replace('add:', 'ad:')))
    expect((await rpcGen('src/api', '--check')).status).toBe(1)
    write('src/rpc.gen.ts', change(text).replace(/.$/s, ' '))
    expect((await rpcGen('src/api', '--check')).status).toBe(1)
  })

  test.each([
    [
      'with a byte order mark',
      '\uFEFF{"name":"@acme/shared"}',
      'RPC107 @acme/shared is the project shared, which is not built',
    ],
    ['that is broken', '{ broken', "RPC120 Cannot find module '@acme/shared'"],
  ])('a package.json %s of a referenced project does not end in a stack trace', async (_what, text, problem) => {
    write(
      'tsconfig.json',
      tsconfig.replace(/ \}\n$/, ', "include": ["src"], "references": [{ "path": "./shared" }] }\n'),
    )
    write('shared/tsconfig.json', '{ "compilerOptions": { "composite": true } }')
    write('shared/package.json', text)
    write(
      'src/api/shapes.ts',
      "import type { Shape } from '@acme/shared'\n\n/** @rpc */\nexport const put = (shape: Shape): number => 1\n",
    )
    const { status, output } = await rpcGen('src/api')
    expect(status).toBe(1)
    expect(output.match(/RPC\d+ /g)).toHaveLength(1)
    expect(output).toContain(problem)
  })

  test('init accepts a package.json with a byte order mark, keeps CRLF, and names the package manager', async () => {
    const app = writeFiles(temporaryFolder('windows'), {
      'pnpm-lock.yaml': '',
      'app/package.json': '\uFEFF{\r\n  "name": "app"\r\n}\r\n',
    })
    const { status, output } = await runRpcGen(join(app, 'app'), 'init')
    expect(output).toMatch(/pnpm install\s+pnpm run dev/)
    expect(status).toBe(0)
    expect(read('package.json', join(app, 'app')).replace(/[^\r\n]|\r\n/g, '')).toBe('')
  })
})

test.each([
  [
    '{\n  // sources\n  "paths": ["src/api"]\n}',
    'JSON has no comments, as in line 2: remove it, or write rpc.config.ts',
  ],
  ['{\n  "paths": ["src/api"],\n}', 'in line 3'],
])('a configuration that is not JSON is reported with its line', async (text, message) => {
  write('rpc.config.json', text)
  const { status, output } = await rpcGen()
  expect(status).toBe(2)
  expect(output).toContain(message)
})
