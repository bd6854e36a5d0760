import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(smallProject)
})
afterEach(() => project.remove('.'))

const clients = ['--client', 'src/client.gen.ts', '--python-client', 'client.py']
const all = ['--openrpc', 'openrpc.json', ...clients, '--lock', '--json-schema', 'schema.json']
const names = ['src/rpc.gen.ts', 'schema.json', 'openrpc.json', 'src/client.gen.ts', 'client.py', 'rpc.lock.json']

function withoutTime(line: string): string {
  return line.replace(/, \d+\.\d+ s\n$/, '\n')
}

describe('outputs in addition to the module', () => {
  test('are written in one run, and not rewritten in the next', async () => {
    const first = await project.rpcGen(['src/api', ...all])
    expect([first.status, first.stderr]).toEqual([0, ''])
    expect(withoutTime(first.stdout)).toMatch(new RegExp(` → ${names.join(', ')}\n$`))
    const again = await project.rpcGen(['src/api', ...all])
    expect(withoutTime(again.stdout)).toMatch(new RegExp(`${names.join(', ')} \\(unchanged\\)\n$`))
    expect(await project.rpcGen(['src/api', ...all, '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('are written again when one of them is missing', async () => {
    await project.rpcGen(['src/api', ...all])
    const before = project.read('openrpc.json')
    project.remove('openrpc.json')
    await project.rpcGen(['src/api', ...all])
    expect(project.read('openrpc.json')).toBe(before)
  })

  test('are compared by --check, which reports the changes of the lock', async () => {
    await project.rpcGen(['src/api', ...all])
    const source = project.read('src/api/add.ts')
    project.write('src/api/add.ts', source.replace('b: number', 'b: string').replace('return a + b', 'return a'))
    const { status, stdout, stderr } = await project.rpcGen(['src/api', ...all, '--check'])
    expect([status, stdout]).toEqual([1, ''])
    const stale = names.slice(0, -1).map((name) => `${name} is stale: run rpc-gen\n`)
    expect(stderr).toBe(
      `${stale.join('')}rpc.lock.json is stale: 1 breaking change: run rpc-gen\n` +
        '  param-type-changed add(b): number became string\n',
    )
  })

  test('nothing is written if a source has an error', async () => {
    project.write('src/api/add.ts', '/** @rpc */\nexport function add(f: () => void): void {\n  f()\n}\n')
    expect((await project.rpcGen(['src/api', ...all])).status).toBe(1)
    expect(names.filter((name) => existsSync(join(project.folder, name)))).toEqual([])
  })

  test('name and version are those of the package, unless the configuration has others', async () => {
    const manifest = JSON.parse(project.read('package.json'))
    project.write('package.json', JSON.stringify({ ...manifest, name: 'shop', version: '1.2.3' }))
    await project.rpcGen(['src/api', '--openrpc', 'openrpc.json'])
    expect(JSON.parse(project.read('openrpc.json')).info).toEqual({ title: 'shop', version: '1.2.3' })
    project.write('package.json', JSON.stringify({ ...manifest, name: 'shop', version: '1.2.4' }))
    await project.rpcGen(['src/api', '--openrpc', 'openrpc.json'])
    expect(JSON.parse(project.read('openrpc.json')).info.version).toBe('1.2.4')
    const info = { title: 'The shop', version: '2', servers: [{ url: 'https://example.org/rpc' }] }
    project.write('rpc.config.json', JSON.stringify({ paths: 'src/api', openrpc: 'made/api.json', lock: true, info }))
    expect((await project.rpcGen([])).status).toBe(0)
    const document = JSON.parse(project.read('made/api.json'))
    expect([document.info, document.servers]).toEqual([{ title: 'The shop', version: '2' }, info.servers])
    expect(project.read('rpc.lock.json')).not.toContain('shop')
  })

  const info = { title: 'x', version: '1' }
  const noServers = 'info.servers: expected a list of objects with url, a string'

  test.each([
    ['info that is a string', { info: 'x' }, 'info: expected an object with title and version, which are strings'],
    ['info without a version', { info: { title: 'x' } }, 'info.version: expected a string'],
    ['a description that is a number', { info: { ...info, description: 5 } }, 'info.description: expected a string'],
    ['servers that are not a list', { info: { ...info, servers: 5 } }, noServers],
    ['a server without a URL', { info: { ...info, servers: [{}] } }, noServers],
    ['a server that is null', { info: { ...info, servers: [null] } }, noServers],
    [
      'a key of info that does not exist',
      { info: { ...info, server: [] } },
      'unknown key info.server: the keys are title, version, description, servers',
    ],
    ['a lock that is a number', { lock: 1 }, 'lock: expected true, false or a string'],
  ])('%s is rejected', async (_what, config, sentence) => {
    project.write('rpc.config.json', JSON.stringify({ paths: 'src/api', ...config }))
    const { status, stderr } = await project.rpcGen([])
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  test.each([
    ['a client that is not a source', ['--client', 'client.js'], 'client.js is not a TypeScript source'],
    ['a client over a source', ['--client', 'src/api/add.ts'], 'src/api/add.ts was not written by rpc-gen'],
    ['a document over another JSON file', ['--openrpc', 'package.json'], 'package.json was not written by rpc-gen'],
    ['no name of a document', ['--openrpc', ''], '--openrpc names no file'],
    ['one file for two', ['--openrpc', 'a.json', '--json-schema', './a.json'], 'a.json is the path of two outputs'],
    ['a client in Python that is not one', ['--python-client', 'a.ts'], 'a.ts is not a Python source: expected .py'],
    ['the client over the module', ['-o', 'a.ts', '--client', 'a.ts'], 'a.ts is the path of two outputs'],
  ])('%s: one line on stderr, exit 2', async (_what, args, sentence) => {
    const { status, stderr } = await project.rpcGen(['src/api', ...args])
    expect([status, stderr]).toEqual([2, expect.stringContaining(`rpc-gen: ${sentence}`)])
  })

  test('minified outputs are current or overwritten', async () => {
    await project.rpcGen(['src/api', ...all])
    const documents = names.filter((name) => name.endsWith('.json'))
    const texts = documents.map(project.read)
    for (const [i, name] of documents.entries()) project.write(name, JSON.stringify(JSON.parse(texts[i] ?? '')))
    expect((await project.rpcGen(['src/api', '--lock', '--check'])).status).toBe(0)
    expect((await project.rpcGen(['src/api', ...all])).status).toBe(0)
    expect(documents.map(project.read)).toEqual(texts)
  })

  test('a file that is not a lock is not overwritten', async () => {
    for (const text of ['{ "packages": {} }', '{ "methods": [], "rpcLock": 1 }']) {
      project.write('rpc.lock.json', text)
      const { status, stderr } = await project.rpcGen(['src/api', '--lock'])
      expect([status, stderr]).toEqual([2, expect.stringContaining('rpc.lock.json was not written by rpc-gen')])
    }
  })
})

describe('rpc-gen diff', () => {
  const changed = (from: string, to: string) =>
    project.write('src/api/add.ts', project.read('src/api/add.ts').replace(from, to))

  test.each(['openrpc.json', 'rpc.lock.json'])('compares %s with the sources', async (old) => {
    await project.rpcGen(['src/api', ...all])
    const same = await project.rpcGen(['diff', old, 'src/api'])
    expect(same).toEqual({ status: 0, stdout: 'no changes\n', stderr: '' })
    changed('b: number', 'b: number, c?: number')
    const { status, stdout } = await project.rpcGen(['diff', old, 'src/api'])
    expect([status, stdout]).toEqual([0, expect.stringContaining('param-added-optional')])
    changed('c?: number', 'c: string')
    expect((await project.rpcGen(['diff', old, 'src/api'])).status).toBe(1)
    expect((await project.rpcGen(['diff', old, 'src/api', '--allow', 'param-added-required'])).status).toBe(0)
  })

  test('uses the paths of the configuration', async () => {
    project.write('rpc.config.json', '{ "paths": "src/api", "lock": true }')
    await project.rpcGen([])
    changed('b: number', 'b: string')
    expect((await project.rpcGen(['diff', 'rpc.lock.json'])).stdout).toContain('add(b): number became string')
  })

  test('a procedure for XML-RPC only is in the lock, and is not reported against a document', async () => {
    const source = '/** @rpc\n * @protocol xml-rpc */\nexport function old(): void {}\n'
    project.write('src/api/old.ts', source)
    await project.rpcGen(['src/api', ...all])
    for (const old of ['openrpc.json', 'rpc.lock.json']) {
      expect((await project.rpcGen(['diff', old, 'src/api'])).stdout, old).toBe('no changes\n')
    }
    project.remove('src/api/old.ts')
    expect((await project.rpcGen(['diff', 'openrpc.json', 'src/api'])).stdout).toBe('no changes\n')
    expect((await project.rpcGen(['diff', 'rpc.lock.json', 'src/api'])).status).toBe(1)
  })

  test.each([
    ['nothing to compare', ['diff'], 'rpc-gen diff needs an old version'],
    ['a missing file', ['diff', 'gone.json'], 'gone.json'],
    ['no document', ['diff', 'package.json', 'src/api'], 'package.json'],
    ['flags before it', ['--json', 'diff', 'x.json'], 'diff is a separate command and has to come first'],
    ['an unknown flag', ['diff', '--what', 'x.json'], "Unknown option '--what'"],
  ])('%s: one line on stderr, exit 2', async (_what, args, sentence) => {
    const { status, stdout, stderr } = await project.rpcGen(args)
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)])
  })

  test('sources with errors are reported, exit 1', async () => {
    await project.rpcGen(['src/api', ...all])
    changed('b: number', 'b: () => void')
    const { status, stderr } = await project.rpcGen(['diff', 'openrpc.json', 'src/api'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('a function cannot be serialised')])
  })
})
