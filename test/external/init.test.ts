import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cli } from '../support/command.js'
import { call, postJson } from '../support/json-rpc.js'
import { pack } from '../support/package.js'
import { freePort, type Started, startProcess } from '../support/process.js'
import { writeFiles } from '../support/project.js'
import { mustRun, run, runWith } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// `rpc-gen init` of the packed tarball, in folders of every kind, and what `npm start` serves then.

const require = createRequire(import.meta.url)

let tarball: string

beforeAll(async () => {
  tarball = (await pack()).tarball
})

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

/** A served script of npm. */
interface Served extends Started {
  /** Returns the response to a call. */
  call(method: string, params: unknown): Promise<unknown>
  readonly url: string
}

/** Starts a script of npm, and waits until it serves. */
async function serve(folder: string, script: string): Promise<Served> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/rpc`
  const options = { cwd: folder, env: { ...process.env, PORT: `${port}` }, detached: true }
  const started = await startProcess(['npm', 'run', script], { ...options, isReady: (log) => log.includes(url) })
  onTestFinished(async () => {
    // `rpc-gen dev` ends the server that it started.
    started.kill('SIGTERM')
    await started.ended
  })
  return {
    ...started,
    url,
    call: async (method, params) => (await fetch(url, postJson(call(method, params)))).json(),
  }
}

const greeting = { jsonrpc: '2.0', result: 'Hello, Ada', id: 1 }

describe('in an empty folder', () => {
  let folder: string

  beforeAll(async () => {
    folder = temporaryFolder('init-empty')
    await mustRun(folder, 'npx', '--yes', '--package', tarball, 'rpc-gen', 'init')
    // The version that package.json names is not published.
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball)
  })

  test('npm run dev serves a changed procedure with its own validators, and a changed app', async () => {
    const { url, call, log } = await serve(folder, 'dev')
    expect(await call('greet', ['Ada'])).toEqual(greeting)
    const procedure = read(folder, 'src/procedures/greet.ts')
    const write = (text: string) => writeFiles(folder, { 'src/procedures/greet.ts': text })
    const types = [
      '{ name: string }',
      '{ name: string; title?: string }',
      '{ name: string; title?: string; age: number }',
    ]
    for (const [i, type] of types.entries()) {
      // A member that the validators do not know is dropped, and one that they know is not.
      write(`/** @rpc */\nexport const greet = (who: ${type}): string => \`${i} \${Object.keys(who).sort()}\`\n`)
      const sent = { age: 36, name: 'Ada', title: 'Countess' }
      const expected = `${i} ${['age', 'name', 'title'].filter((name) => type.includes(name))}`
      let result: string | undefined
      // The first response of the new version is that of its own validators.
      while (result?.[0] !== `${i}`) {
        const response = await call('greet', [sent]).catch(() => undefined)
        result = (response as { result?: string } | undefined)?.result
        await sleep(10)
      }
      expect(result).toBe(expected)
    }
    write(procedure)
    const app = read(folder, 'src/rpc.ts')
    writeFiles(folder, { 'src/rpc.ts': app.replace('docs: true', 'docs: false') })
    await expect.poll(async () => (await fetch(url).catch(() => undefined))?.status).toBe(405)
    writeFiles(folder, { 'src/rpc.ts': app })
    expect(log()).not.toContain('Error')
  })

  test('npm start before npm run build, and npm test without tests, say what is missing', async () => {
    const last = (output: string) => output.trimEnd().split('\n').at(-1)
    const started = await run(folder, 'npm', 'start')
    expect({ ...started, output: last(started.output) }).toEqual({
      status: 1,
      output: 'dist/rpc.js does not exist: run npm run build first',
    })
    const text = read(folder, 'src/greet.test.ts')
    rmSync(join(folder, 'src/greet.test.ts'))
    const tested = await run(folder, 'npm', 'test')
    expect({ ...tested, output: last(tested.output) }).toEqual({ status: 1, output: 'src has no *.test.ts yet' })
    writeFiles(folder, { 'src/greet.test.ts': text })
  })

  test('npm start serves what npm run build has compiled, with the name and the version of the package', async () => {
    await mustRun(folder, 'npm', 'run', 'build')
    expect(readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.js'))).toEqual(['rpc.gen.js', 'rpc.js'])
    const { url, call } = await serve(folder, 'start')
    expect(await call('greet', ['Ada'])).toEqual(greeting)
    const page = await (await fetch(url, { headers: { Accept: 'text/html' } })).text()
    expect(page).toContain(JSON.parse(read(folder, 'package.json')).name)
    expect(page).toContain('0.1.0')
  })

  test('a port that is in use is one line', async () => {
    const { url } = await serve(folder, 'start')
    const { port } = new URL(url)
    const command = ['npx', 'tsx', 'src/rpc.ts']
    const { log, ended } = await startProcess(command, { cwd: folder, env: { ...process.env, PORT: port } })
    expect(await ended).toBe(1)
    const line = `Port ${port} is in use. Set the variable PORT to choose another one, for instance to ${Number(port) + 1}.\n`
    expect(log()).toBe(line)
  })

  test('tsx without rpc-gen dev: one warning if the module is older than its sources', async () => {
    const env = { ...process.env, CI: '', NODE_ENV: '', XDG_CACHE_HOME: join(folder, 'node_modules/.cache'), PORT: '0' }
    const start = async () => {
      const isReady = (log: string) => log.includes('/rpc')
      const { log, stop } = await startProcess(['npx', 'tsx', 'src/rpc.ts'], {
        cwd: folder,
        env,
        detached: true,
        isReady,
      })
      await stop()
      return log().replace(/http:.*\n/, '')
    }
    await runWith({ CI: '', XDG_CACHE_HOME: env.XDG_CACHE_HOME }, folder, 'npx', 'rpc-gen')
    expect(await start()).toBe('')
    const procedure = read(folder, 'src/procedures/greet.ts')
    writeFiles(folder, { 'src/procedures/greet.ts': procedure.replace('name: string', 'name: string, title?: string') })
    expect(await start()).toMatch(/^rpc-gen: src\/rpc\.gen\.ts is older than src\/procedures\/greet\.ts: .*\n$/)
    writeFiles(folder, { 'src/procedures/greet.ts': procedure })
    expect(await start()).toBe('')
  })

  test('npm test passes', async () => {
    const { status, output } = await run(folder, 'npm', 'test')
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/pass 1\b/) })
  })

  test('npm run check passes, and fails with a stale module and with a type error', async () => {
    expect(await run(folder, 'npm', 'run', 'check')).toMatchObject({ status: 0 })
    writeFiles(folder, { 'src/wrong.ts': 'export const wrong: string = 1\n' })
    expect((await run(folder, 'npm', 'run', 'check')).output).toContain('TS2322')
    rmSync(join(folder, 'src/wrong.ts'))
    writeFiles(folder, { 'src/procedures/more.ts': '/** @rpc */\nexport const more = (): number => 1\n' })
    expect((await run(folder, 'npm', 'run', 'check')).output).toContain('src/rpc.gen.ts is stale: run rpc-gen')
    rmSync(join(folder, 'src/procedures/more.ts'))
  })

  test('git ignores what is installed and compiled', async () => {
    await mustRun(folder, 'git', 'init', '--quiet')
    const files = (await mustRun(folder, 'git', 'ls-files', '--others', '--exclude-standard')).trim().split('\n')
    expect(files).toEqual([
      '.gitignore',
      'package-lock.json',
      'package.json',
      'rpc.config.json',
      'src/greet.test.ts',
      'src/procedures/greet.ts',
      'src/rpc.gen.ts',
      'src/rpc.ts',
      'tsconfig.build.json',
      'tsconfig.json',
    ])
  })

  test('a second run changes nothing', async () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      return /^(?:src|[^/]+$)/.test(name) && statSync(join(folder, name)).isFile()
    })
    const before = names.map((name) => read(folder, name))
    const output = await mustRun(folder, process.execPath, cli, 'init')
    expect(names.map((name) => read(folder, name))).toEqual(before)
    expect(output.match(/^kept /gm)).toHaveLength(8)
    expect(output).not.toMatch(/^(?:wrote|completed) /m)
  })
})

test('in a CommonJS project of TypeScript: existing files are kept, and the scripts have other names', async () => {
  const own = {
    name: 'own',
    type: 'commonjs',
    scripts: { start: 'node dist/main.js', dev: 'true' },
    dependencies: { hono: '^4.6.0' },
    license: 'MIT',
  }
  const existing = {
    'package.json': `${JSON.stringify(own, null, 4)}\n`,
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": ["node"] } }',
    'src/procedures/greet.ts': `/** @rpc */\nexport const greet = (name: string): string => \`Hello, \${name}\`\n`,
    'rpc.config.mjs': "export default { paths: 'src/procedures', out: 'src/rpc.gen.ts' }\n",
  }
  const folder = writeFiles(temporaryFolder('init-cjs'), existing)
  const output = await mustRun(folder, process.execPath, cli, 'init')
  expect(output).toContain('npm run rpc:dev')
  // The procedure is not the one that the test is for.
  expect(existsSync(join(folder, 'src/greet.test.ts'))).toBe(false)
  for (const [path, text] of Object.entries(existing).slice(1)) expect(read(folder, path)).toBe(text)
  expect(existsSync(join(folder, 'rpc.config.json'))).toBe(false)
  const completed = read(folder, 'package.json')
  expect(completed).toMatch(/^ {4}"name": "own",$/m)
  expect(JSON.parse(completed)).toMatchObject(own)
  const names = ['build', 'rpc:dev', 'prerpc:start', 'rpc:start', 'pretest', 'test', 'check', 'start', 'dev']
  expect(Object.keys(JSON.parse(completed).scripts)).toEqual(names)
  await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball)
  expect(await (await serve(folder, 'rpc:dev')).call('greet', ['Ada'])).toEqual(greeting)
  const tsc = 'node_modules/typescript/bin/tsc'
  expect(await run(folder, process.execPath, tsc, '--noEmit')).toEqual({ status: 0, output: '' })
})

test('after npm init and tsc --init: npm run build, npm start and npm test work', async () => {
  const folder = temporaryFolder('init-over')
  await mustRun(folder, 'npm', 'init', '--yes')
  await mustRun(folder, 'npm', 'pkg', 'set', 'type=module')
  // Without rootDir and outDir, and `"types": []`.
  await mustRun(folder, process.execPath, require.resolve('typescript/bin/tsc'), '--init')
  const config = read(folder, 'tsconfig.json')
  expect(await mustRun(folder, process.execPath, cli, 'init')).toContain('kept tsconfig.json\n')
  expect(read(folder, 'tsconfig.json')).toBe(config)
  await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball)
  await mustRun(folder, 'npm', 'run', 'build')
  expect(readdirSync(join(folder, 'src')).sort()).toEqual(['greet.test.ts', 'procedures', 'rpc.gen.ts', 'rpc.ts'])
  expect(await (await serve(folder, 'start')).call('greet', ['Ada'])).toEqual(greeting)
  expect((await run(folder, 'npm', 'test')).output).toMatch(/pass 1\b/)
})

test('a package.json without a type stays without one', async () => {
  const folder = writeFiles(temporaryFolder('init-untyped'), { 'package.json': '{ "name": "own" }' })
  await mustRun(folder, process.execPath, cli, 'init')
  expect(JSON.parse(read(folder, 'package.json'))).not.toHaveProperty('type')
})

test.each([
  ['{', 'package.json: '],
  ['[]', 'package.json: expected an object'],
])('a package.json that is %s is an error, and nothing is written', async (text, message) => {
  const folder = writeFiles(temporaryFolder('init-broken'), { 'package.json': text })
  const { status, output } = await run(folder, process.execPath, cli, 'init')
  expect({ status, output }).toEqual({ status: 2, output: expect.stringContaining(`rpc-gen: ${message}`) })
  expect(readdirSync(folder)).toEqual(['package.json'])
})

test('an argument is an error', async () => {
  const folder = temporaryFolder('init-argument')
  expect(await run(folder, process.execPath, cli, 'init', 'src')).toEqual({
    status: 2,
    output: 'rpc-gen: init has no arguments: src\n',
  })
  expect(readdirSync(folder)).toEqual([])
})
