import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cli } from '../support/command.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

let project: TestProject

function git(...args: string[]): void {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...author, ...args], { cwd: project.folder, stdio: 'pipe' })
}

function diff(...args: string[]) {
  // The folders of tests may be inside of a repository.
  return project.rpcGen(['diff', ...args], [], { GIT_CEILING_DIRECTORIES: dirname(project.folder), LC_ALL: 'C' })
}

/** A repository with one commit. */
function repository(): void {
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'release')
}

/** Commits a lock and a document as `origin/main`, and changes the sources. */
async function released(lock = 'rpc.lock.json'): Promise<void> {
  await project.rpcGen(['src/api', '--lock', '--openrpc', 'openrpc.json'])
  if (lock !== 'rpc.lock.json') {
    project.write(lock, project.read('rpc.lock.json'))
    project.remove('rpc.lock.json')
  }
  repository()
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  project.write(
    'src/api/add.ts',
    project.read('src/api/add.ts').replace('b: number', 'b: string').replace('return a + b', 'return a'),
  )
}

const empty = '{ "openrpc": "1.4.1", "info": { "title": "A", "version": "1" }, "methods": [] }\n'
const change = 'add(b): number became string'

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject({ ...smallProject, 'openrpc.json': empty })
})

describe('rpc-gen diff --base', () => {
  test('compares the lock of a revision with the sources, whatever the lock of the working tree is', async () => {
    await released()
    await project.rpcGen(['src/api', '--lock'])
    const { status, stdout } = await diff('--base', 'origin/main', 'src/api')
    expect([status, stdout]).toEqual([1, expect.stringContaining(change)])
    git('add', '.')
    git('commit', '--quiet', '-m', 'next')
    expect(await diff('--base', 'HEAD', 'src/api')).toEqual({ status: 0, stdout: 'no changes\n', stderr: '' })
    expect((await diff('--base', 'HEAD~1', 'src/api')).stdout).toContain(change)
  })

  test('the lock is the one of the configuration', async () => {
    await released('api/the.lock.json')
    project.write('rpc.config.json', '{ "paths": "src/api", "lock": "api/the.lock.json" }')
    expect((await diff('--base', 'origin/main')).stdout).toContain(change)
  })

  test('a file of the revision, with the sources or with another file', async () => {
    await released()
    expect((await diff('--base', 'origin/main', 'openrpc.json', 'src/api')).stdout).toContain(change)
    await project.rpcGen(['src/api', '--openrpc', 'openrpc.json'])
    expect((await diff('--base', 'origin/main', 'openrpc.json', './openrpc.json')).stdout).toContain(change)
  })

  test('a path from a folder below that of the repository', async () => {
    repository()
    const below = { cwd: join(project.folder, 'src'), encoding: 'utf8' } as const
    const args = ['diff', '--base', 'HEAD', '../openrpc.json', '../openrpc.json']
    expect(execFileSync(process.execPath, [cli, ...args], below)).toBe('no changes\n')
  })

  test.each([
    ['outside of a repository', 'HEAD', 'rpc-gen: --base needs a git repository: not a git repository'],
    ['an unknown revision', 'origin/next', 'rpc-gen: --base: the repository has no revision origin/next'],
    ['a flag of git', '--output=x', "rpc-gen: --base: '--output=x' is not a git revision"],
    [
      'a path in the revision',
      'HEAD:openrpc.json',
      'rpc-gen: --base: the repository has no revision HEAD:openrpc.json',
    ],
    ['nothing', '', "rpc-gen: --base: '' is not a git revision"],
  ])('%s: one line on stderr, exit 2', async (what, revision, message) => {
    if (what !== 'outside of a repository') repository()
    const { status, stdout, stderr } = await diff(`--base=${revision}`, 'old.json', 'openrpc.json')
    expect([status, stdout, stderr.split('\n').length, stderr]).toEqual([2, '', 2, expect.stringContaining(message)])
  })

  test('a file that the revision does not have', async () => {
    repository()
    const { status, stderr } = await diff('--base', 'HEAD', 'other.json', 'openrpc.json')
    const message = 'rpc-gen: --base: HEAD has no file other.json: write it there with --lock and commit it\n'
    expect([status, stderr]).toEqual([2, message])
  })
})
