import { type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { cli } from '../support/command.js'
import { createTestProject, requireBuild, smallProject } from '../support/project.js'
import { missingCommand, skipped } from '../support/skip.js'

beforeAll(requireBuild)

test.skipIf(process.platform === 'win32')(
  'an output that is neither a file nor a folder is an error, and not opened',
  async () => {
    const project = createTestProject(smallProject)
    // A relative path: that of a socket has at most some 100 characters.
    const listen = "require('node:net').createServer().listen('api.json', () => process.kill(process.pid, 'SIGKILL'))"
    spawnSync(process.execPath, ['-e', listen], { cwd: project.folder })
    expect(lstatSync(join(project.folder, 'api.json')).isSocket()).toBe(true)
    const { status, stderr } = await project.rpcGen(['src/api', '--openrpc', 'api.json'])
    expect([status, stderr]).toEqual([2, 'rpc-gen: api.json is neither a file nor a folder: name a file\n'])
  },
)

test.skipIf(skipped('a pipe in the place of a file', missingCommand('mkfifo', '--version')))(
  'nor is one in the place of a file of an earlier run',
  async () => {
    for (const [path, expected] of [['src/rpc.gen.ts', 2] as const, ['src/api/add.ts', 0] as const]) {
      const project = createTestProject(smallProject, true)
      expect((await project.rpcGen(['src/api'])).status).toBe(0)
      project.remove(path)
      spawnSync('mkfifo', [join(project.folder, path)])
      expect([path, (await project.rpcGen(['src/api'])).status]).toEqual([path, expected])
    }
  },
)

test('a run removes old drafts of its outputs, and nothing else', async () => {
  const project = createTestProject(smallProject)
  const hoursAgo = new Date(Date.now() - 3_600_000)
  const write = (name: string, isOld: boolean) => {
    project.write(name, 'draft')
    if (isOld) utimesSync(join(project.folder, name), hoursAgo, hoursAgo)
    return name
  }
  const draft = (name: string) => `src/${name}.${randomUUID()}.tmp`
  const left = write(draft('rpc.gen.ts'), true)
  const kept = [
    write(draft('rpc.gen.ts'), false),
    write(draft('other.ts'), true),
    write('src/rpc.gen.ts.tmp', true),
    write(`src/rpc.gen.ts.${'a'.repeat(36)}.tmp`, true),
    write(`${draft('rpc.gen.ts')}.bak`, true),
  ]
  const folder = draft('rpc.gen.ts')
  mkdirSync(join(project.folder, folder))
  utimesSync(join(project.folder, folder), hoursAgo, hoursAgo)
  expect((await project.rpcGen(['src/api'])).status).toBe(0)
  expect(existsSync(join(project.folder, left))).toBe(false)
  for (const each of [...kept, folder]) expect([each, existsSync(join(project.folder, each))]).toEqual([each, true])
})

/** Runs the command with readers that are gone before it writes. */
function unread(folder: string, args: readonly string[]): Promise<readonly [status: number | null, stderr: string]> {
  return new Promise((resolve) => {
    const env = { ...process.env, CI: '' }
    const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.once('close', (status) => resolve([status, stderr]))
  })
}

test('a reader that leaves ends the command quietly, and its status is not that of success', async () => {
  const project = createTestProject(smallProject)
  const method = (i: number) => ({ name: `m${i}`, params: [], result: { name: 'r', schema: { type: 'string' } } })
  const document = (methods: readonly object[]) => JSON.stringify({ openrpc: '1.3.2', info: {}, methods })
  project.write('old.json', document(Array.from({ length: 5000 }, (_, i) => method(i))))
  project.write('new.json', document([]))
  const commands = [
    ['--help'],
    ['diff', '--help'],
    ['diff', 'old.json', 'new.json'],
    ['src/api', '--model'],
    ['src/api'],
  ]
  // The last one again, as it then only reads the cache.
  for (const args of [...commands, ['src/api']]) {
    const [status, stderr] = await unread(project.folder, args)
    expect([args, status, stderr]).toEqual([args, 141, ''])
  }
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is an error without a stack trace', async () => {
  const project = createTestProject(smallProject, true)
  const env = { ...process.env, CI: '', XDG_CACHE_HOME: join(project.folder, '.cache') }
  const expected = 'rpc-gen: the output cannot be written: ENOSPC: no space left on device, write\n'
  const run = (args: readonly string[], at: 1 | 2) => {
    const full = openSync('/dev/full', 'w')
    const stdio = ['ignore', at === 1 ? full : 'pipe', at === 2 ? full : 'pipe'] satisfies StdioOptions
    const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: project.folder, env, stdio })
    closeSync(full)
    return [args, status, String(stderr ?? '')]
  }
  // The last one again, as it then only reads the cache.
  for (const args of [['--version'], ['src/api', '--model'], ['src/api'], ['src/api']])
    expect(run(args, 1)).toEqual([args, 2, expected])
  const check = ['src/api', '--check', '--lock']
  expect(run(check, 2)).toEqual([check, 2, ''])
})

test.skipIf(!existsSync('/dev/zero'))('devices and pipes in the place of a file are not read', async () => {
  const project = createTestProject(smallProject)
  const args = ['src/api', '--lock']
  expect((await project.rpcGen(args)).status).toBe(0)
  for (const path of ['rpc.lock.json', 'src/rpc.gen.ts']) {
    const text = project.read(path)
    project.remove(path)
    symlinkSync('/dev/zero', join(project.folder, path))
    const { status, stderr } = await project.rpcGen([...args, '--check'])
    expect([status, stderr]).toEqual([2, `rpc-gen: ${path} is neither a file nor a folder: name a file\n`])
    project.remove(path)
    project.write(path, text)
  }
  symlinkSync('/dev/zero', join(project.folder, 'zero.json'))
  for (const each of [
    ['zero.json', 'rpc.lock.json'],
    ['rpc.lock.json', 'zero.json'],
  ]) {
    const { status, stderr } = await project.rpcGen(['diff', ...each])
    expect([status, stderr]).toEqual([2, 'rpc-gen: zero.json is a device, not a file\n'])
  }
})
