import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { root } from '../support/paths.js'
import { startProcess } from '../support/process.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'
import { startWatching } from '../support/watching.js'

// A server in development whose generated module is older than its sources prints one warning. Node starts the sources here; the test of
// `rpc-gen init` does it with tsx.

/** Loads TypeScript as tsx does, on every supported version of Node. */
const loader = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(`
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
const ts = createRequire('${pathToFileURL(join(root, 'package.json'))}')('typescript')
export function resolve(specifier, context, next) {
  const source = specifier.startsWith('.') ? new URL(specifier.replace(/(?:\\.js)?$/, '.ts'), context.parentURL) : undefined
  return source && existsSync(source) ? { url: source.href, shortCircuit: true } : next(specifier, context)
}
export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), { compilerOptions: { module: 'esnext', target: 'es2022' } })
  return { format: 'module', source: outputText, shortCircuit: true }
}`)}))
`

let project: TestProject

beforeAll(requireBuild)
beforeEach(async () => {
  const files = {
    ...smallProject,
    'package.json': '{ "type": "module" }',
    'loader.mjs': loader,
    'src/main.ts': "import { server } from './rpc.gen.js'\nconsole.log(await server.call('add', [1, 2]))\n",
  }
  project = createTestProject(files, true)
  project.write('node_modules/README.md', '')
  for (const [name, target] of Object.entries({ hono: 'node_modules/hono', 'rpc-gen': '.' })) {
    symlinkSync(join(root, target), join(project.folder, 'node_modules', name), 'junction')
  }
  await generate()
})
afterEach(() => project.remove('.'))

async function generate(...args: string[]): Promise<void> {
  expect(await project.rpcGen(['src/api', ...args])).toMatchObject({ status: 0, stderr: '' })
}

async function start(variables: Readonly<Record<string, string>> = {}, file = 'src/main.ts'): Promise<string> {
  const env = { ...process.env, CI: '', NODE_ENV: '', XDG_CACHE_HOME: join(project.folder, '.cache'), ...variables }
  const started = await startProcess([process.execPath, '--import', './loader.mjs', file], { cwd: project.folder, env })
  await started.ended
  return started.log()
}

const edit = (path: string, from: string, to: string) => project.write(path, project.read(path).replace(from, to))
const olderThan = (path: string) =>
  `rpc-gen: src/rpc.gen.ts is older than ${path}: run rpc-gen, or start the server by rpc-gen dev\n3\n`

test('no warning for a module that is up to date, whatever the times of the files are', async () => {
  expect(await start()).toBe('3\n')
  for (const path of ['src/api/add.ts', 'src/types/name.ts']) project.write(path, project.read(path))
  project.write('src/other.ts', 'export {}\n')
  project.write('src/api/add.test.ts', 'export {}\n')
  expect(await start()).toBe('3\n')
})

test.each(['src/api/add.ts', 'src/types/name.ts'])(
  'one warning after a change of %s, until it is generated',
  async (path) => {
    edit(path, '\n', '\n\n')
    edit('src/types/name.ts', '\n', '\n\n')
    expect(await start()).toBe(olderThan(path))
    expect(await start({ NODE_ENV: 'production' })).toBe('3\n')
    expect(await start({ CI: 'true' })).toBe('3\n')
    await generate('--no-cache')
    expect(await start()).toBe('3\n')
  },
)

test('one warning after a source was added', async () => {
  project.write('src/api/more.ts', '/** @rpc */\nexport const more = (): number => 1\n')
  expect(await start()).toBe(olderThan('src/api/more.ts'))
  await generate()
  expect(await start()).toBe('3\n')
})

test('no warning without a record: after a checkout of another version, of another machine, and in a bundle', async () => {
  edit('src/api/add.ts', '\n', '\n\n')
  project.write('src/rpc.gen.ts', `${project.read('src/rpc.gen.ts')}\n`)
  expect(await start()).toBe('3\n')
  await generate()
  edit('src/api/add.ts', '\n', '\n\n')
  expect(await start({ XDG_CACHE_HOME: join(project.folder, 'elsewhere') })).toBe('3\n')
  project.write(
    'dist/rpc.gen.js',
    "import { manifest } from 'rpc-gen/codegen/v1'\nmanifest({})\nconsole.log('bundled')\n",
  )
  expect(await start({}, 'dist/rpc.gen.js')).toBe('bundled\n')
})

test('under rpc-gen dev the warning says to correct the errors', async () => {
  project.write(
    'later.mjs',
    `import { existsSync } from 'node:fs'
console.log('waiting')
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
process.argv.push(await import('./src/main.ts'))
console.log('loaded')
`,
  )
  const command = ['--', process.execPath, '--import', './loader.mjs', 'later.mjs']
  const watching = startWatching(project.folder, ['dev', '--no-restart', 'src/api', ...command])
  await watching.until(/waiting\n/)
  edit('src/types/name.ts', 'string', 'symbol')
  await watching.until(/nothing was written\n/)
  project.write('go', '')
  const remedy = 'correct the errors above, if there are any; rpc-gen dev generates it then'
  await watching.until(
    new RegExp(`rpc-gen: src/rpc\\.gen\\.ts is older than src/types/name\\.ts: ${remedy}\n[\\s\\S]*loaded\n`),
  )
  await watching.end('SIGTERM')
})

test('--watch records each run', async () => {
  const watching = startWatching(project.folder, ['src/api', '--watch'])
  await watching.until(/2 procedures .*\(unchanged\).*\n/)
  edit('src/api/add.ts', '\n', '\n\n')
  await watching.until(/2 procedures .*\(unchanged\).*\n/)
  await watching.end('SIGTERM')
  expect(await start()).toBe('3\n')
})
