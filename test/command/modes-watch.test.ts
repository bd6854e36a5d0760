import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'
import { startWatching, type Watching } from '../support/watching.js'

let project: TestProject
let watching: Watching | undefined

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(smallProject)
})
afterEach(async () => {
  await watching?.end('SIGKILL')
  watching = undefined
  project.remove('.')
})

function start(...args: string[]): Watching {
  watching = startWatching(project.folder, args)
  return watching
}

const out = 'src/rpc.gen.ts'
const line = (procedures: string, files: string) =>
  new RegExp(`^${procedures} in ${files} → src/rpc\\.gen\\.ts, \\d+\\.\\d\\d s\\n`, 'm')
const both = line('2 procedures', '2 files')
const twice = '/** @rpc */\nexport function twice(a: number): number {\n  return a * 2\n}\n'
const edit = (path: string, from: string, to: string) => project.write(path, project.read(path).replace(from, to))

/** A file system without events, as a folder that is mounted into a container. */
const silentWatch = `const fs = require('node:fs')
fs.watch = () => Object.assign(new (require('node:events'))(), { close() {} })
require('node:module').syncBuiltinESMExports()
`

/** What a run without any cache makes of the same files. */
async function expectCold(...args: string[]): Promise<void> {
  const made = project.read(out)
  expect(await project.rpcGen([...args, '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(project.read(out)).toBe(made)
}

describe('--watch', () => {
  test.each(['-w', '--watch'])('%s: a line for each run, and Ctrl-C exits with 0', async (flag) => {
    const run = start('src/api', flag)
    await run.until(both)
    edit('src/api/add.ts', 'Adds.', 'Sums.')
    await run.until(both)
    expect(project.read(out)).toContain("doc: 'Sums.'")
    edit('src/types/name.ts', 'string', 'number')
    await run.until(both)
    await expectCold('src/api')
    expect(await run.end('SIGINT')).toBe(0)
    expect(run.output().split('\n')).toHaveLength(4)
    expect(readdirSync(join(project.folder, 'src')).sort()).toEqual(['api', 'rpc.gen.ts', 'types'])
  })

  test('--poll: changes are found where the file system reports none', async () => {
    project.write('silent.cjs', silentWatch)
    vi.stubEnv('NODE_OPTIONS', `--require=${join(project.folder, 'silent.cjs')}`)
    const run = start('src/api', '-w', '--poll')
    vi.unstubAllEnvs()
    await run.until(both)
    edit('src/api/add.ts', 'Adds.', 'Sums.')
    await run.until(both)
    expect(project.read(out)).toContain("doc: 'Sums.'")
    expect(await run.end('SIGINT')).toBe(0)
  })

  test('SIGTERM ends it too, in the middle of a run', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    edit('src/api/add.ts', 'Adds.', 'Sums.')
    await wait(20)
    expect(await run.end('SIGTERM')).toBe(0)
    expect(readdirSync(join(project.folder, 'src')).filter((name) => name.endsWith('.tmp'))).toEqual([])
    const text = project.read(out)
    expect(text.endsWith('}\n')).toBe(true)
  })

  test('added, renamed and deleted files and folders', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    project.write('src/api/deep/er/twice.ts', twice)
    await run.until(line('3 procedures', '3 files'))
    edit('src/api/deep/er/twice.ts', 'a * 2', 'a + a')
    await run.until(/3 procedures in 3 files → src\/rpc\.gen\.ts \(unchanged\)/)
    renameSync(join(project.folder, 'src/api/deep'), join(project.folder, 'src/api/moved'))
    await run.until(line('3 procedures', '3 files'))
    expect(project.read(out)).toContain('./api/moved/er/twice.js')
    project.remove('src/api/moved')
    await run.until(both)
    project.remove('src/api/greet.ts')
    await run.until(line('1 procedure', '1 file'))
    await expectCold('src/api')
  })

  test('syntax errors, bad types and two procedures of one name are reported, and it continues', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    const text = project.read(out)
    edit('src/api/add.ts', 'return a + b', 'return a +')
    await run.until(/src\/api\/add\.ts:8:1 RPC104 Expression expected\.\n1 error, nothing was written\n/)
    expect(project.read(out)).toBe(text)
    edit('src/api/add.ts', 'return a +', 'return a + b')
    await run.until(/2 procedures in 2 files → src\/rpc\.gen\.ts \(unchanged\)/)
    project.write('src/api/other.ts', smallProject['src/api/add.ts'] ?? '')
    await run.until(
      /src\/api\/other\.ts:6:1 RPC112 there are two procedures add: the other one is at src\/api\/add\.ts:6:1/,
    )
    edit('src/types/name.ts', 'string', 'symbol')
    await run.until(/RPC112 [\s\S]*RPC121 a symbol cannot be serialised\n[\s\S]*2 errors, nothing was written\n/)
    edit('src/types/name.ts', 'symbol', 'Date')
    await run.until(/1 error, nothing was written\n/)
    project.write('src/api/other.ts', twice)
    await run.until(line('3 procedures', '3 files'))
    await expectCold('src/api')
  })

  test('the folder of the sources is removed and created again', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    renameSync(join(project.folder, 'src/api'), join(project.folder, 'away'))
    await run.until(/rpc-gen: src\/api does not exist\n/)
    renameSync(join(project.folder, 'away'), join(project.folder, 'src/api'))
    await run.until(/2 procedures in 2 files/)
    await expectCold('src/api')
  })

  test('a folder that takes the place of the watched one at once', async () => {
    project.write('next/twice.ts', twice)
    const run = start('src/api', '-w')
    await run.until(both)
    renameSync(join(project.folder, 'src/api'), join(project.folder, 'away'))
    renameSync(join(project.folder, 'next'), join(project.folder, 'src/api'))
    await run.until(line('1 procedure', '1 file'))
    project.write('src/api/add.ts', smallProject['src/api/add.ts'] ?? '')
    await run.until(both)
    await expectCold('src/api')
  })

  test('the target of a link to a source, and a link to a package of the workspace', async () => {
    const names = ['one', 'two'].map((name) => `packages/${name}`)
    for (const name of names) {
      project.write(`${name}/package.json`, '{ "name": "names", "type": "module", "exports": "./names.ts" }\n')
      project.write(`${name}/names.ts`, `export interface Name {\n  ${name.slice(9)}: string\n}\n`)
    }
    const link = join(project.folder, 'node_modules/@of/names')
    mkdirSync(join(link, '..'), { recursive: true })
    const linkTo = (name = '') => symlinkSync(join(project.folder, name), link, 'junction')
    linkTo(names[0])
    edit('src/api/greet.ts', '../types/name.js', '@of/names')
    project.write('elsewhere/twice.ts', twice)
    symlinkSync(join(project.folder, 'elsewhere/twice.ts'), join(project.folder, 'src/api/twice.ts'))
    const run = start('src/api', '-w')
    const three = line('3 procedures', '3 files')
    await run.until(three)
    edit('elsewhere/twice.ts', 'a: number', 'a: string')
    await run.until(three)
    unlinkSync(link)
    await run.until(/Cannot find module '@of\/names'/)
    linkTo(names[1])
    await run.until(three)
    expect(project.read(out)).toContain('two: string')
    edit('packages/two/names.ts', 'two', 'changed')
    await run.until(three)
    await expectCold('src/api')
  })

  test('the tsconfig, the extended one, and the configuration', async () => {
    project.write('rpc.config.mjs', "export default { paths: ['src/api'] }\n")
    const run = start('--watch')
    await run.until(both)
    edit('tsconfig.base.json', '"lib"', '"noEmit": true, "allowImportingTsExtensions": true, "lib"')
    await run.until(both)
    expect(project.read(out)).toContain("from './api/add.ts'")
    project.write('tsconfig.json', '{ "extends": "./tsconfig.base.json", "include": 5 }\n')
    await run.until(/RPC103 TS5024/)
    project.write('tsconfig.json', smallProject['tsconfig.json'] ?? '')
    await run.until(/2 procedures in 2 files/)
    project.write('rpc.config.mjs', "export default { paths: ['src/api'], importExt: 'js' }\n")
    await run.until(both)
    expect(project.read(out)).toContain("from './api/add.js'")
    project.write('rpc.config.mjs', "export default { path: ['src/api'] }\n")
    await run.until(/rpc-gen: .*unknown option path/)
    project.remove('rpc.config.mjs')
    project.write('rpc.config.json', '{ "paths": "src/api/add.ts", "out": "src/rpc.gen.ts" }')
    await run.until(line('1 procedure', '1 file'))
    await expectCold()
  })

  test.each(['ts', 'mjs'])('several edits of a module that rpc.config.%s imports', async (ending) => {
    project.write('ext.mjs', "export const importExt = 'js'\n")
    const config = "import { importExt } from './ext.mjs'\nexport default { paths: ['src/api'], importExt }\n"
    project.write(`rpc.config.${ending}`, config)
    const run = start('--watch')
    await run.until(both)
    for (const importExt of ['ts', 'js', 'ts']) {
      project.write('ext.mjs', `export const importExt = '${importExt}'\n`)
      await run.until(both)
      expect(project.read(out)).toContain(`from './api/add.${importExt}'`)
    }
    project.write('ext.mjs', "export const importExt = 'js'\nthrow new Error('not today')\n")
    await run.until(/rpc-gen: .*rpc\.config\.m?[jt]s cannot be read: not today\n/)
    await run.end('SIGINT')
  })

  test('an output that is edited or deleted is written again', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    const text = project.read(out)
    rmSync(join(project.folder, out))
    await run.until(both)
    expect(project.read(out)).toBe(text)
  })

  test('an occupied output path is reported, until it is free', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    project.write(out, 'not ours')
    await run.until(/^rpc-gen: src\/rpc\.gen\.ts was not written by rpc-gen/m)
    project.remove(out)
    await run.until(both)
    project.remove(out)
    project.write(`${out}/file`, '')
    await run.until(/^rpc-gen: src\/rpc\.gen\.ts is a folder/m)
    project.remove(out)
    await run.until(both)
    await expectCold('src/api')
  })

  test('several edits at once cause one run; irrelevant ones cause none', async () => {
    const run = start('src/api', '-w')
    await run.until(both)
    project.write('src/api/notes.md', 'nothing\n')
    project.write('src/types/name.ts', project.read('src/types/name.ts'))
    await wait(300)
    for (let i = 0; i < 20; i += 1)
      project.write('src/api/add.ts', (smallProject['src/api/add.ts'] ?? '').replace('Adds.', `Adds ${i}.`))
    await run.until(both)
    await wait(500)
    expect(project.read(out)).toContain("doc: 'Adds 19.'")
    expect(run.output().trimEnd().split('\n').length).toBeLessThanOrEqual(3)
  })

  test('an error at the start exits with 2; contradicting flags are rejected', async () => {
    expect(await project.rpcGen(['src/nowhere', '-w'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'rpc-gen: src/nowhere does not exist\n',
    })
    expect((await project.rpcGen(['src/api', '-w', '--check'])).stderr).toBe(
      'rpc-gen: --watch and --check exclude each other\n',
    )
    expect((await project.rpcGen(['src/api', '-w', '--model'])).stderr).toBe(
      'rpc-gen: --watch and --model exclude each other\n',
    )
    expect(existsSync(join(project.folder, out))).toBe(false)
  })

  test('--json: diagnostics are lines on stdout', async () => {
    const run = start('src/api', '-w', '--json')
    await run.until(both)
    edit('src/types/name.ts', 'string', 'symbol')
    const text = await run.until(/^\{.*"RPC121".*\}\n/m)
    expect(JSON.parse(text)).toMatchObject({ code: 'RPC121', position: { file: 'src/types/name.ts' } })
  })
})

test('several targets: an edit writes the outputs that it affects, and an error in one prevents all outputs', async () => {
  const targets = [
    { name: 'first', paths: 'src/api/add.ts', out: 'src/first.gen.ts' },
    { name: 'second', paths: 'src/api/greet.ts', out: 'src/second.gen.ts' },
  ]
  project.write('rpc.config.json', JSON.stringify(targets))
  const { until } = start('--watch')
  await until(/^first: 1 procedure in 1 file → src\/first\.gen\.ts; second: 1 procedure .*\n/m)
  const first = project.read('src/first.gen.ts')
  edit('src/types/name.ts', 'string', 'number')
  await until(/^first: .*; second: .*\n/m)
  expect(project.read('src/first.gen.ts')).toBe(first)
  expect(project.read('src/second.gen.ts')).toContain('first: number')
  project.write('src/api/greet.ts', '/** @rpc */\nexport function greet(f: () => void): void {}\n')
  edit('src/api/add.ts', 'a: number', 'a: string')
  await until(/^ {2}target: second\n[\s\S]*nothing was written\n/m)
  expect(project.read('src/first.gen.ts')).toBe(first)
  project.write('src/api/greet.ts', '/** @rpc */\nexport function greet(): void {}\n')
  await until(/^first: .*; second: .*\n/m)
  expect(project.read('src/first.gen.ts')).toContain('a: string')
})
