import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

const both = [
  { name: 'public', paths: 'src/api', out: 'src/public.gen.ts', openrpc: 'public.json', pythonClient: 'public.py' },
  { name: 'admin', paths: ['src/admin'], out: 'src/admin.gen.ts', lock: 'admin.lock.json' },
]

const ban =
  "import type { Name } from '../types/name.js'\n\n/** @rpc */\nexport function ban(name: Name): boolean {\n  return name.first !== ''\n}\n"

let project: TestProject

beforeEach(() => {
  requireBuild()
  project = createTestProject({ ...smallProject, 'src/admin/ban.ts': ban, 'rpc.config.json': JSON.stringify(both) })
})

afterEach(() => project.remove('.'))

const outputs = ['src/public.gen.ts', 'public.json', 'public.py', 'src/admin.gen.ts', 'admin.lock.json']
const written = () => outputs.filter((path) => existsSync(join(project.folder, path)))
const config = (targets: unknown) => project.write('rpc.config.json', JSON.stringify(targets))

describe('several targets in one run', () => {
  test('writes all outputs, and a line for each target', async () => {
    const { status, stdout } = await project.rpcGen([])
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^public: 2 procedures in 2 files → src\/public\.gen\.ts, public\.json, public\.py; admin: 1 procedure in 1 file → src\/admin\.gen\.ts, admin\.lock\.json, \d/,
    )
    expect(written()).toEqual(outputs)
    expect(project.read('src/public.gen.ts')).toContain("from './api/add.js'")
    expect(project.read('src/public.gen.ts')).not.toContain('ban')
    expect(project.read('src/admin.gen.ts')).toContain("from './admin/ban.js'")
  })

  test.each([
    ['package.json', (text: string) => `{ "name": "small", "type": "module", "rpc-gen": ${text} }`],
    [
      'rpc.config.ts',
      (text: string) => `const targets: readonly Record<string, unknown>[] = ${text}\nexport default targets\n`,
    ],
  ])('from %s', async (file, textOf) => {
    project.remove('rpc.config.json')
    project.write(file, textOf(JSON.stringify(both)))
    expect(await project.rpcGen([])).toMatchObject({ status: 0, stderr: '' })
    expect(written()).toEqual(outputs)
  })

  test('the outputs of a target are those of a run of it alone', async () => {
    await project.rpcGen([])
    const together = outputs.map(project.read)
    for (const path of outputs) project.remove(path)
    for (const { name } of both) await project.rpcGen(['--target', name, '--no-cache'])
    expect(outputs.map(project.read)).toEqual(together)
  })

  test('--target writes the outputs of that one', async () => {
    const { status, stdout } = await project.rpcGen(['--target', 'admin'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^1 procedure in 1 file → src\/admin\.gen\.ts, admin\.lock\.json, /)
    expect(written()).toEqual(['src/admin.gen.ts', 'admin.lock.json'])
  })

  test('--target can be repeated, and paths replace those of one', async () => {
    await project.rpcGen(['--target', 'admin', '--target', 'public'])
    expect(written()).toEqual(outputs)
    expect(await project.rpcGen(['--target', 'public', 'src/admin'])).toMatchObject({ status: 0 })
    expect(project.read('src/public.gen.ts')).toContain('ban')
  })

  test('a list of one needs no name', async () => {
    config([{ paths: 'src/api', out: 'src/public.gen.ts' }])
    expect((await project.rpcGen([])).stdout).toMatch(/^2 procedures in 2 files → src\/public\.gen\.ts, /)
  })

  test('a run with nothing to do, and one after an edit that reaches one target', async () => {
    await project.rpcGen([])
    expect((await project.rpcGen([])).stdout).toMatch(/^public: .*; admin: .* \(unchanged\), /)
    const before = statSync(join(project.folder, 'src/admin.gen.ts')).mtimeMs
    project.write('src/api/add.ts', smallProject['src/api/add.ts']?.replace('a: number', 'a: string') ?? '')
    expect((await project.rpcGen([])).stdout).not.toContain('(unchanged)')
    expect(project.read('src/public.gen.ts')).toContain('a: string')
    expect(statSync(join(project.folder, 'src/admin.gen.ts')).mtimeMs).toBe(before)
    project.remove('src/admin.gen.ts')
    expect((await project.rpcGen([])).stdout).not.toContain('(unchanged)')
    expect(written()).toEqual(outputs)
  })

  test('--model has the model of each target by its name; with one target, the model itself', async () => {
    const { stdout } = await project.rpcGen(['--model'])
    const models = JSON.parse(stdout) as Record<string, { procedures: { name: string }[] }>
    expect(Object.entries(models).map(([name, { procedures }]) => [name, procedures.map((each) => each.name)])).toEqual(
      [
        ['public', ['add', 'greet']],
        ['admin', ['ban']],
      ],
    )
    expect(JSON.parse((await project.rpcGen(['--model', '--target', 'admin'])).stdout)).toEqual(models['admin'])
    expect(written()).toEqual([])
  })

  test('--check lists the stale outputs of every target', async () => {
    await project.rpcGen([])
    expect((await project.rpcGen(['--check'])).status).toBe(0)
    project.write('src/types/name.ts', 'export interface Name {\n  first: number\n}\n')
    const { status, stderr } = await project.rpcGen(['--check'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^src\/public\.gen\.ts is stale: run rpc-gen$/m)
    expect(stderr).toMatch(/^admin\.lock\.json is stale: .*\n.*ban\(name\)\.first: string became number$/m)
  })
})

describe('all or nothing', () => {
  test('an error in one target writes no output of any, and is reported with the target', async () => {
    project.write('src/admin/ban.ts', '/** @rpc */\nexport function ban(f: () => void): void {}\n')
    const { status, stderr } = await project.rpcGen([])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^src\/admin\/ban\.ts:2:.* RPC121 .*\n {2}in ban\(f\)\n {2}target: admin$/m)
    expect(written()).toEqual([])
  })

  test('an error that two targets share is reported once, with both names', async () => {
    project.write('src/types/name.ts', 'export interface Name {\n  first: () => void\n}\n')
    config([both[0], { ...both[1], paths: ['src/admin', 'src/api/greet.ts'] }])
    project.remove('src/admin/ban.ts')
    project.write('src/admin/other.ts', smallProject['src/api/add.ts']?.replace('add', 'other') ?? '')
    const { status, stdout } = await project.rpcGen(['--json'])
    expect(status).toBe(1)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ targets }) => targets)).toEqual(lines.map(() => ['public', 'admin']))
    expect(written()).toEqual([])
  })

  test('if a file cannot be written, the others are not changed', async () => {
    const name = `${'long'.repeat(60)}.lock.json`
    config([both[0], { ...both[1], lock: name }])
    expect(await project.rpcGen([])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${name} cannot be written`),
    })
    expect(written()).toEqual([])
  })
})

describe('wrong usage exits with 2 and one line on stderr, and writes nothing', () => {
  const [first, second] = both
  test.each([
    ['a target without a name', [first, { paths: 'src/admin' }], [], 'target 2 has no name'],
    ['one name twice', [first, { ...second, name: 'public' }], [], 'target 1 and target 2 are both named public'],
    ['an empty list', [], [], 'has no target: the list is empty'],
    ['an element that is not an object', [first, 5], [], 'target 2 is not a configuration'],
    ['a key that does not exist', [first, { ...second, path: 'x' }], [], 'target admin: unknown option path'],
    ['a name that is not text', [{ name: 5 }], [], 'name: expected a string'],
    [
      'one output twice',
      [first, { ...second, openrpc: 'public.json' }],
      [],
      'public.json is the path of two outputs: openrpc of public and openrpc of admin',
    ],
    [
      'two kinds of output in one file',
      [first, { ...second, client: 'src/public.gen.ts' }],
      [],
      'src/public.gen.ts is the path of two outputs: out of public and client of admin',
    ],
    [
      'a flag that names one file for all',
      both,
      ['--out', 'all.gen.ts'],
      'all.gen.ts is the path of two outputs: out of public and out of admin',
    ],
    ['a path that does not exist', [first, { ...second, paths: 'no' }], [], 'target admin: no does not exist'],
    ['an unknown target', both, ['--target', 'other'], 'unknown target other: the targets are public, admin'],
    [
      'paths for several targets',
      both,
      ['src/api'],
      'paths apply to one target, and the configuration has 2: choose --target public or --target admin',
    ],
    [
      'diff without a choice',
      both,
      ['diff', 'old.json'],
      'one target is compared, and the configuration has 2: choose --target public or --target admin',
    ],
  ])('%s', async (_what, targets, args, sentence) => {
    config(targets)
    project.write('old.json', '{ "openrpc": "1.4.1", "info": { "title": "a", "version": "1" }, "methods": [] }')
    const { status, stderr } = await project.rpcGen(args)
    expect(stderr).toContain(sentence)
    expect(status).toBe(2)
    expect(written()).toEqual([])
  })

  test('--target without a configuration', async () => {
    project.remove('rpc.config.json')
    expect(await project.rpcGen(['src/api', '--target', 'public'])).toMatchObject({
      status: 2,
      stderr: 'rpc-gen: --target needs a configuration, and none was found\n',
    })
  })
})

test('diff --target compares with the sources of that target', async () => {
  await project.rpcGen([])
  project.write('src/admin/ban.ts', ban.replace('name: Name', 'name: Name, days: number'))
  const { status, stdout } = await project.rpcGen(['diff', 'admin.lock.json', '--target', 'admin'])
  expect(status).toBe(1)
  expect(stdout).toContain('param-added-required ban(days)')
})
