import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

/** Procedures with all that an edit of the cache may be after: auth, a pattern, names, imports. */
const sources: Readonly<Record<string, string>> = {
  ...smallProject,
  'src/auth.ts': 'export const isStaff = (request: Request): boolean => request.headers.has("authorization")\n',
  'src/open.ts': 'export const isStaff = (): boolean => true\n',
  'src/api/wipe.ts':
    "import { isStaff } from '../auth.js'\n\n/**\n * @rpc\n * @auth isStaff\n */\nexport function wipe(/** @pattern ^[a-z]+$ */ name: string): string {\n  return name\n}\n\nexport { isStaff }\n",
  'tsconfig.base.json': '{ "compilerOptions": { "lib": ["ES2023", "DOM"], "types": [], "module": "nodenext" } }\n',
}
const out = 'src/rpc.gen.ts'

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(sources, true)
})
afterEach(() => {
  chmodSync(project.folder, 0o755)
  project.remove('.')
})

const cache = '.cache/rpc-gen'
const at = (path: string) => join(project.folder, path)

/** What an attacker may write into files of the cache. */
const edits: readonly (readonly [what: string, edit: (text: string) => string])[] = [
  ['no auth', (text) => JSON.stringify(JSON.parse(text, (name, value) => (name === 'auth' ? undefined : value)))],
  ['another predicate', (text) => text.replaceAll('src/auth.ts', 'src/open.ts').replaceAll('/auth.js', '/open.js')],
  ['code in a pattern', (text) => text.replaceAll('^[a-z]+$', 'x/; globalThis.broken = 1; /')],
  ['other names', (text) => text.replaceAll('"wipe"', '"wiped"')],
  ['other docs', (text) => text.replaceAll('Adds.', 'Lies.')],
]

const allEdits = (text: string): string => edits.reduce((before, [, edit]) => edit(before), text)

/** An attacker writes the right hash, too. */
function withHash(text: string): string {
  const { hash, ...content } = JSON.parse(text)
  const json = JSON.stringify(content)
  if (hash === undefined) return json
  return `{"hash":"${createHash('sha256').update(json).digest('base64')}",${json.slice(1)}`
}

/** Generates, edits what was cached and removes the manifest and the output. */
async function forge(edit: (text: string) => string): Promise<string> {
  expect(await project.rpcGen(['src/api'])).toMatchObject({ status: 0, stderr: '' })
  const honest = project.read(out)
  let changed = 0
  for (const name of readdirSync(at(cache)).filter((each) => each.endsWith('.json'))) {
    const text = project.read(`${cache}/${name}`)
    const forged = withHash(edit(text))
    if (forged !== text) changed += 1
    project.write(`${cache}/${name}`, forged)
  }
  expect(changed).toBeGreaterThan(0)
  rmSync(at(`${cache}/${readdirSync(at(cache)).find((name) => name.endsWith('.manifest.json'))}`))
  project.remove(out)
  return honest
}

test.each(edits)('a cache that is part of the checkout has no effect: %s', async (_what, edit) => {
  const honest = await forge(edit)
  // Where earlier versions stored it, and where an attacker who knows the names would store it.
  for (const folder of ['.rpc-gen', 'rpc-gen', 'src/.rpc-gen', 'node_modules/.cache/rpc-gen', 'home/.cache/rpc-gen'])
    cpSync(at(cache), at(folder), { recursive: true })
  project.remove('.cache')
  await project.rpcGen(['src/api'])
  expect(project.read(out)).toBe(honest)
})

test('the same edit of a cache that is read changes the output', async () => {
  const honest = await forge(allEdits)
  await project.rpcGen(['src/api'])
  expect(project.read(out)).not.toBe(honest)
})

const others = process.platform === 'win32' ? ['link'] : ['0777', '0770', 'link']

test.each(others)('a cache folder that other users can write is not read: %s', async (how) => {
  const honest = await forge(allEdits)
  if (how === 'link') {
    renameSync(at(cache), at('.cache/elsewhere'))
    symlinkSync(at('.cache/elsewhere'), at(cache))
  } else chmodSync(at(cache), Number.parseInt(how, 8))
  const before = readdirSync(at(cache)).sort()
  await project.rpcGen(['src/api'])
  expect(project.read(out)).toBe(honest)
  expect(readdirSync(at(cache)).sort()).toEqual(before)
})

test.each([
  ['--no-cache', ['--no-cache'], {}],
  ['in CI', [], { CI: 'true' }],
])('%s: nothing is read and nothing is written', async (_what, flags, variables) => {
  await project.rpcGen(['src/api', ...flags], undefined, variables)
  expect(existsSync(at('.cache'))).toBe(false)
  const honest = await forge(allEdits)
  const before = readdirSync(at(cache)).sort()
  const ended = await project.rpcGen(['src/api', ...flags], undefined, variables)
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  expect(project.read(out)).toBe(honest)
  expect(readdirSync(at(cache)).sort()).toEqual(before)
})

test('a forged manifest does not keep an output from being written', async () => {
  await project.rpcGen(['src/api'])
  const honest = project.read(out)
  const [manifest = ''] = readdirSync(at(cache)).filter((name) => name.endsWith('.manifest.json'))
  const { key, value } = JSON.parse(project.read(`${cache}/${manifest}`))
  const forged = { key, value: { ...value, files: [], folders: [], absent: [], links: [] } }
  project.write(out, honest.replace(/.*auth:.*\n/, ''))
  for (const folder of ['.rpc-gen', 'rpc-gen']) project.write(`${folder}/${manifest}`, JSON.stringify(forged))
  project.remove('.cache')
  await project.rpcGen(['src/api'])
  expect(project.read(out)).toBe(honest)
})

test('--check does not read the cache', async () => {
  const honest = await forge(allEdits)
  await project.rpcGen(['src/api'])
  expect(project.read(out)).toContain('Lies.')
  expect((await project.rpcGen(['src/api'])).stdout).toContain('(unchanged)')
  const before = readdirSync(at(cache)).sort()
  const stale = { status: 1, stdout: '', stderr: 'src/rpc.gen.ts is stale: run rpc-gen\n' }
  expect(await project.rpcGen(['src/api', '--check'])).toEqual(stale)
  project.write(out, honest)
  expect(await project.rpcGen(['src/api', '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(readdirSync(at(cache)).sort()).toEqual(before)
})

test('a predicate whose parameters change in another file is reported', async () => {
  const auth = (type: string) => `export type Caller = ${type}\n`
  project.write('src/caller.ts', auth('Request'))
  project.write(
    'src/auth.ts',
    "import type { Caller } from './caller.js'\nexport const isStaff = (caller: Caller): boolean => caller !== null\n",
  )
  expect(await project.rpcGen(['src/api'])).toMatchObject({ status: 0, stderr: '' })
  const before = project.read(out)
  project.write('src/caller.ts', auth('{ staff: boolean }'))
  const { status, stderr } = await project.rpcGen(['src/api'])
  expect(status).toBe(1)
  expect(stderr).toContain('src/api/wipe.ts:5:4 RPC140 the predicate isStaff is (caller: Caller) => boolean, expected')
  project.write('src/caller.ts', auth('{ readonly method: string }'))
  expect(await project.rpcGen(['src/api'])).toMatchObject({ status: 0, stderr: '' })
  expect(project.read(out)).toBe(before)
})

test('a damaged file of the cache is ignored and written again', async () => {
  const run = () => project.rpcGen(['src/api'])
  await run()
  const names = readdirSync(at(cache)).filter((name) => /\.(?:parts|texts)\.json$/.test(name))
  expect(names).toHaveLength(2)
  for (const [i, name] of names.entries()) {
    for (const part of i ? [0.7, 1] : [0, 0.3]) {
      project.write('src/api/more.ts', `/** @rpc */\nexport const more = (): number => ${i}.${part * 10}\n`)
      const bytes = readFileSync(at(`${cache}/${name}`))
      const position = Math.floor(part * (bytes.length - 1))
      bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position)
      writeFileSync(at(`${cache}/${name}`), bytes)
      expect(await run()).toMatchObject({ status: 0, stderr: '' })
      const cached = project.read(out)
      await project.rpcGen(['src/api', '--no-cache'])
      expect(cached).toBe(project.read(out))
      expect(readFileSync(at(`${cache}/${name}`)).equals(bytes)).toBe(false)
    }
  }
})

test('without a folder for the cache nothing is cached, without an error', async () => {
  mkdirSync(at('empty'))
  const ended = await project.rpcGen(['src/api'], undefined, { XDG_CACHE_HOME: at('package.json'), HOME: at('empty') })
  expect(ended).toMatchObject({ status: 0, stderr: '' })
})
