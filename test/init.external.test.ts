import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { call, postJson } from './support/json-rpc.js'
import { pack } from './support/package.js'
import { freePort, startProcess } from './support/process.js'
import { cli, writeFiles } from './support/project.js'
import { mustRun, run } from './support/run.js'
import { temporaryFolder } from './support/temporary-folder.js'

// `rpc-gen init` of the packed tarball, in folders of every kind, and what `npm start` serves then.

let tarball: string

beforeAll(async () => {
  tarball = (await pack()).tarball
})

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

/** Starts a script of npm, and returns the response to a call. */
async function callServed(folder: string, script: string): Promise<unknown> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/rpc`
  // npm, its shell and tsx are one group.
  const options = { cwd: folder, env: { ...process.env, PORT: `${port}` }, detached: true }
  const { stop } = await startProcess(['npm', 'run', script], { ...options, isReady: (log) => log.includes(url) })
  onTestFinished(() => stop())
  return (await fetch(url, postJson(call('greet', ['Ada'])))).json()
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

  test.each(['start', 'dev'])('npm run %s serves the example', async (script) => {
    expect(await callServed(folder, script)).toEqual(greeting)
  })

  test('has no type errors', async () => {
    expect(await run(folder, process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit')).toMatchObject({
      status: 0,
    })
  })

  test('a second run changes nothing', async () => {
    const names = ['package.json', 'rpc.config.json', 'tsconfig.json', 'src/rpc.ts', 'src/procedures/greet.ts']
    const before = names.map((name) => read(folder, name))
    const output = await mustRun(folder, process.execPath, cli, 'init')
    expect(names.map((name) => read(folder, name))).toEqual(before)
    expect(output.match(/^kept /gm)).toHaveLength(names.length)
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
  expect(output).toContain('npm run rpc:start')
  for (const [path, text] of Object.entries(existing).slice(1)) expect(read(folder, path)).toBe(text)
  expect(existsSync(join(folder, 'rpc.config.json'))).toBe(false)
  const completed = read(folder, 'package.json')
  expect(completed).toMatch(/^ {4}"name": "own",$/m)
  expect(JSON.parse(completed)).toMatchObject(own)
  await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball)
  expect(await callServed(folder, 'rpc:start')).toEqual(greeting)
  const tsc = 'node_modules/typescript/bin/tsc'
  expect(await run(folder, process.execPath, tsc, '--noEmit')).toEqual({ status: 0, output: '' })
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
