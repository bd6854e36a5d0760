import { readdirSync, renameSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(smallProject, true)
})
afterEach(() => project.remove('.'))

const out = 'src/rpc.gen.ts'
const quick = /^2 procedures in 2 files → src\/rpc\.gen\.ts \(unchanged\), \d+\.\d\d s\n$/

/** Runs and returns the modules that were loaded besides node's own: their last two names, those of chunks without the hash. */
async function loaded(...args: string[]): Promise<{ stdout: string; modules: string[] }> {
  const list = join(project.folder, 'loaded.txt')
  const hook = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  if (!url.startsWith('node:') && !url.startsWith('data:')) appendFileSync(${JSON.stringify(list)}, url + '\\n')
  return next(url, context)
}`
  const asUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
  const register = `import { register } from 'node:module'\nregister(${JSON.stringify(asUrl(hook))})`
  writeFileSync(list, '')
  const { stdout, status } = await project.rpcGen(args, ['--import', asUrl(register)])
  expect(status).toBe(0)
  return {
    stdout,
    modules: project
      .read('loaded.txt')
      .trimEnd()
      .split('\n')
      .map((url) =>
        url
          .split('/')
          .slice(-2)
          .join('/')
          .replace(/-[\w-]{8}\.js$/, '.js'),
      ),
  }
}

/** A run after some change, which has to do the work; and what a run without any cache makes of the same files. */
async function afterChange(...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await project.rpcGen(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const cached = project.read(out)
  project.remove('.cache')
  await project.rpcGen(args)
  expect(project.read(out)).toBe(cached)
  return stdout
}

describe('a run with nothing to do', () => {
  test('loads nothing but node built-ins', async () => {
    const first = await loaded('src/api')
    expect(first.modules).toContain('generator/main.js')
    const time = statSync(join(project.folder, out)).mtimeMs
    // Files that have just changed are compared by their bytes; what was compared is noted.
    await wait(2100)
    expect(await loaded('src/api')).toEqual({
      stdout: expect.stringMatching(quick),
      modules: ['generator/cli.cjs', 'generator/store.js', 'generator/fresh.js'],
    })
    const settled = await loaded('src/api')
    expect(settled).toEqual({ stdout: expect.stringMatching(quick), modules: ['generator/cli.cjs'] })
    expect(statSync(join(project.folder, out)).mtimeMs).toBe(time)
  })

  test('is cached by its folder and its arguments, outside of the checkout', async () => {
    await project.rpcGen(['src/api'])
    expect(readdirSync(project.folder).sort()).toEqual([
      '.cache',
      'package.json',
      'src',
      'tsconfig.base.json',
      'tsconfig.json',
    ])
    expect(statSync(join(project.folder, '.cache/rpc-gen')).mode & 0o777).toBe(0o700)
    expect((await loaded('src/api')).modules).not.toContain('generator/main.js')
    expect((await loaded('src/api', '-o', out)).modules).toContain('generator/main.js')
    expect((await loaded('src/api', '--json')).modules).toContain('generator/main.js')
    const quiet = await project.rpcGen(['src/api', '--json'])
    expect(quiet).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(quick) })
  })

  test('cache files of commands that were not run for 30 days are removed', async () => {
    await project.rpcGen(['src/api'])
    const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000)
    for (const [name, age] of [
      ['old', 31],
      ['young', 29],
    ] as const) {
      project.write(`.cache/rpc-gen/${name}.parts.json`, '{}')
      utimesSync(join(project.folder, `.cache/rpc-gen/${name}.parts.json`), days(age), days(age))
    }
    await project.rpcGen(['src/api', '-o', out])
    const names = readdirSync(join(project.folder, '.cache/rpc-gen')).filter((name) => name.endsWith('.json'))
    expect(names).toContain('young.parts.json')
    expect(names).not.toContain('old.parts.json')
    expect(names).toHaveLength(8)
  })

  test('touching and rewriting the same bytes has no effect', async () => {
    await project.rpcGen(['src/api'])
    utimesSync(join(project.folder, 'src/api/add.ts'), new Date(), new Date())
    project.write('src/types/name.ts', project.read('src/types/name.ts'))
    project.write('src/api/notes.md', 'nothing\n')
    expect((await loaded('src/api')).modules).not.toContain('generator/main.js')
  })

  test('an edit of a file that is not a source and has no ambient types does not change the output', async () => {
    project.write('src/main.ts', "import { router } from './rpc.gen.js'\nexport const app = router\n")
    await project.rpcGen(['src/api'])
    utimesSync(join(project.folder, out), 1000, 1000)
    project.write('src/main.ts', "import { server } from './rpc.gen.js'\nexport const app = server\n")
    expect((await project.rpcGen(['src/api'])).stdout).toMatch(quick)
    expect(statSync(join(project.folder, out)).mtimeMs).toBe(1_000_000)
  })
})

describe('changes that cause a new run', () => {
  const edit = (path: string, from: string, to: string) => project.write(path, project.read(path).replace(from, to))

  test('a new source with a hidden name, which is an error', async () => {
    await project.rpcGen(['src/api'])
    project.write('src/api/.add.ts', project.read('src/api/add.ts'))
    const { status, stderr } = await project.rpcGen(['src/api'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('RPC142') })
  })

  test('a source with the same size and modification time', async () => {
    await project.rpcGen(['src/api'])
    const path = join(project.folder, 'src/api/add.ts')
    const { atime, mtime } = statSync(path)
    edit('src/api/add.ts', 'Adds.', 'Sums.')
    utimesSync(path, atime, mtime)
    await afterChange('src/api')
    expect(project.read(out)).toContain("doc: 'Sums.'")
  })

  test('a file that sources import', async () => {
    await project.rpcGen(['src/api'])
    edit('src/types/name.ts', 'string', 'number')
    await afterChange('src/api')
    expect(project.read(out)).toContain('first: number')
  })

  test('added, renamed and deleted files, in a new folder too', async () => {
    await project.rpcGen(['src/api'])
    project.write(
      'src/api/deep/er/twice.ts',
      '/** @rpc */\nexport function twice(a: number): number {\n  return a * 2\n}\n',
    )
    expect(await afterChange('src/api')).toMatch(/^3 procedures in 3 files/)
    renameSync(join(project.folder, 'src/api/deep'), join(project.folder, 'src/api/moved'))
    expect(await afterChange('src/api')).toMatch(/^3 procedures in 3 files/)
    expect(project.read(out)).toContain('./api/moved/er/twice.js')
    project.remove('src/api/moved')
    expect(await afterChange('src/api')).toMatch(/^2 procedures in 2 files/)
  })

  test('a file that a glob finds', async () => {
    await project.rpcGen(['src/{api,more}/*.ts', '-o', out])
    project.write('src/more/twice.ts', '/** @rpc */\nexport function twice(a: number): number {\n  return a * 2\n}\n')
    expect(await afterChange('src/{api,more}/*.ts', '-o', out)).toMatch(/^3 procedures in 3 files/)
  })

  test('the tsconfig that another one extends', async () => {
    await project.rpcGen(['src/api'])
    edit('tsconfig.base.json', '"lib"', '"noEmit": true, "allowImportingTsExtensions": true, "lib"')
    await afterChange('src/api')
    expect(project.read(out)).toContain("from './api/add.ts'")
  })

  test('a tsconfig that is nearer', async () => {
    await project.rpcGen(['src/api'])
    project.write(
      'src/tsconfig.json',
      smallProject['tsconfig.base.json']?.replace(
        '"lib"',
        '"noEmit": true, "allowImportingTsExtensions": true, "lib"',
      ) ?? '',
    )
    await afterChange('src/api')
    expect(project.read(out)).toContain("from './api/add.ts'")
  })

  test('ambient types that no source imports', async () => {
    project.write('src/api/where.ts', '/** @rpc */\nexport function where(a: Place): void {\n  a\n}\n')
    project.write('src/place.d.ts', 'interface Place { x: number }\n')
    await project.rpcGen(['src/api'])
    project.write('src/more.d.ts', 'interface Place { y: number }\n')
    await afterChange('src/api')
    expect(project.read(out)).toContain('y: number(v')
  })

  test('an edited and a deleted output', async () => {
    await project.rpcGen(['src/api'])
    const text = project.read(out)
    project.write(out, text.replace('Adds.', 'Sums.'))
    await project.rpcGen(['src/api'])
    expect(project.read(out)).toBe(text)
    project.remove(out)
    await project.rpcGen(['src/api'])
    expect(project.read(out)).toBe(text)
  })

  test('the types of a package: other bytes, another folder, another link', async () => {
    const types = (member: string) => `export interface Thing { ${member}: string }\n`
    const manifest = '{ "name": "things", "version": "1.0.0", "types": "./index.d.ts" }\n'
    project.write('store/one/index.d.ts', types('one'))
    project.write('store/one/package.json', manifest)
    project.write('store/two/index.d.ts', types('two'))
    project.write('store/two/package.json', manifest)
    project.write('node_modules/things/package.json', manifest)
    project.write('node_modules/things/index.d.ts', types('first'))
    project.write(
      'src/api/thing.ts',
      "import type { Thing } from 'things'\n\n/** @rpc */\nexport function thing(a: Thing): void {\n  a\n}\n",
    )
    await project.rpcGen(['src/api'])
    expect(project.read(out)).toContain('first: ')
    project.write('node_modules/things/index.d.ts', types('other'))
    await afterChange('src/api')
    expect(project.read(out)).toContain('other: ')
    project.write('src/node_modules/things/package.json', manifest)
    project.write('src/node_modules/things/index.d.ts', types('nearer'))
    await afterChange('src/api')
    expect(project.read(out)).toContain('nearer: ')
    project.remove('src/node_modules')
    project.remove('node_modules/things')
    symlinkSync(join(project.folder, 'store/one'), join(project.folder, 'node_modules/things'))
    await afterChange('src/api')
    expect(project.read(out)).toContain('one: ')
    unlinkSync(join(project.folder, 'node_modules/things'))
    symlinkSync(join(project.folder, 'store/two'), join(project.folder, 'node_modules/things'))
    await afterChange('src/api')
    expect(project.read(out)).toContain('two: ')
  })

  test('the configuration and its imports; it is not evaluated if nothing has changed', async () => {
    project.write('paths.mjs', "export const paths = ['src/api']\n")
    const config = (text: string) =>
      `import { appendFileSync } from 'node:fs'\nimport { paths } from './paths.mjs'\nappendFileSync('runs.txt', '.')\nexport default { paths${text} } as { paths: string[] }\n`
    project.write('rpc.config.ts', config(''))
    // A process evaluates the same configuration once.
    const run = (...args: string[]) => project.rpcGen(args, [])
    await run()
    await run()
    expect(project.read('runs.txt')).toBe('.')
    project.write('paths.mjs', "export const paths = ['src/api/add.ts']\n")
    expect((await run()).stdout).toMatch(/^1 procedure in 1 file → src\/api\/rpc\.gen\.ts/)
    expect(project.read('runs.txt')).toBe('..')
    project.write('rpc.config.ts', config(", out: 'src/rpc.gen.ts'"))
    expect((await run()).stdout).toMatch(/^1 procedure in 1 file → src\/rpc\.gen\.ts/)
    await run('--check')
    expect(project.read('runs.txt')).toBe('....')
    project.remove('rpc.config.ts')
    expect((await run()).status).toBe(2)
  })

  test('a configuration that is added', async () => {
    await project.rpcGen(['src/api'])
    project.write('rpc.config.json', '{ "importExt": "ts" }')
    await afterChange('src/api')
    expect(project.read(out)).toContain("from './api/add.ts'")
  })

  test('another version of rpc-gen', async () => {
    await project.rpcGen(['src/api'])
    const name =
      readdirSync(join(project.folder, '.cache/rpc-gen')).find((each) => each.endsWith('.manifest.json')) ?? ''
    const { key, value: manifest } = JSON.parse(project.read(`.cache/rpc-gen/${name}`))
    const own = manifest.files.filter(([path]: [string]) => /\/(?:package\.json|generator\/main\.js)$/.test(path))
    expect(own.length).toBeGreaterThan(2)
    const other = (entry: [string, string, string]) =>
      entry[0].endsWith('generator/main.js') ? [entry[0], '', 'other'] : entry
    const value = { ...manifest, files: manifest.files.map(other) }
    project.write(`.cache/rpc-gen/${name}`, JSON.stringify({ key, value }))
    expect((await loaded('src/api')).modules).toContain('generator/main.js')
  })
})

describe('an invalid cache is not an error', () => {
  test.each([
    ['no JSON', '{"key'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no key', '{"value":{}}'],
    ['another key', '{"key":"[]","value":{}}'],
  ])('%s', async (_what, text) => {
    await project.rpcGen(['src/api'])
    const names = readdirSync(join(project.folder, '.cache/rpc-gen')).filter((name) => name.endsWith('.json'))
    expect(names).toHaveLength(4)
    for (const name of names) project.write(`.cache/rpc-gen/${name}`, text)
    expect((await loaded('src/api')).modules).toContain('generator/main.js')
    expect((await loaded('src/api')).modules).not.toContain('generator/main.js')
  })

  function spoilt(value: object): object {
    const members = Object.entries(value).map(([key, each]) => {
      if (Array.isArray(each) || key === 'ambient') return [key, 7]
      return [key, typeof each === 'object' && each !== null ? spoilt(each) : each]
    })
    return Object.fromEntries(members)
  }

  test('members of other types', async () => {
    await project.rpcGen(['src/api'])
    for (const name of readdirSync(join(project.folder, '.cache/rpc-gen')).filter((each) => each.endsWith('.json'))) {
      const file = JSON.parse(project.read(`.cache/rpc-gen/${name}`))
      // The record of the sources has no key.
      const other = 'key' in file ? { ...file, value: spoilt(file.value) } : spoilt(file)
      project.write(`.cache/rpc-gen/${name}`, JSON.stringify(other))
    }
    expect((await loaded('src/api')).modules).toContain('generator/main.js')
  })

  test('a file at the path of the folder', async () => {
    project.write('.cache/rpc-gen', 'mine\n')
    expect(await project.rpcGen(['src/api'])).toEqual({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('2 procedures'),
    })
    expect(project.read('.cache/rpc-gen')).toBe('mine\n')
  })
})

test('several runs at once, of one command and of others', async () => {
  const commands = [['src/api'], ['src/api'], ['src/api', '-o', 'one.gen.ts'], ['src/api/add.ts', '-o', 'two.gen.ts']]
  const ended = await Promise.all(commands.map((args) => project.rpcGen(args, [])))
  expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(commands.map(() => [0, '']))
  // The output of one is a file in a folder that another one lists.
  for (const args of commands) await project.rpcGen(args)
  for (const args of commands) expect((await loaded(...args)).modules).not.toContain('generator/main.js')
  expect(readdirSync(join(project.folder, '.cache/rpc-gen')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(readdirSync(project.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
