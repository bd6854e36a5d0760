import { existsSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blocksOf } from '../support/blocks.js'
import { createRepository } from '../support/clone.js'
import { freePort, startProcess } from '../support/process.js'
import { runWith } from '../support/run.js'
import { missingCommand, skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// The first commands of the README, as printed, from a fresh clone and with an empty cache of npm.

const [clone = '', enter = '', demo = '', ...others] =
  blocksOf('README.md')
    .find(({ text }) => text.startsWith('git clone'))
    ?.text.trim()
    .split('\n') ?? []
const url = clone.replace('git clone ', '')

/** Node, git, and what their scripts and those of Chromium use of POSIX. */
const programs = [
  'node',
  'npm',
  'git',
  'sh',
  'env',
  'uname',
  'dirname',
  'basename',
  'sed',
  'cat',
  'grep',
  'rm',
  'sleep',
]

/** A newcomer's environment: the repository has the address in the README, and there are no other programs. */
function newcomer(repository: string): Record<string, string> {
  const git = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`, GIT_CONFIG_VALUE_0: url }
  const bin = temporaryFolder('bin')
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const name of programs) {
    const found = folders.map((folder) => join(folder, name)).find(existsSync)
    if (found) symlinkSync(found, join(bin, name))
  }
  return { ...git, PATH: bin, npm_config_cache: temporaryFolder('empty-cache'), RPC_GEN_REQUIRE: '' }
}

test('the demo and the tests', async () => {
  const variables = newcomer(createRepository())
  const folder = temporaryFolder('newcomer')
  expect((await runWith(variables, folder, 'sh', '-ec', clone)).output).toBe('')
  const inClone = join(folder, enter.replace('cd ', ''))

  const port = await freePort()
  const env = { ...process.env, ...variables, PORT: `${port}` }
  const options = { cwd: inClone, env, detached: true, isReady: (log: string) => log.includes('Ctrl-C') }
  const started = await startProcess(['sh', '-c', demo], options)
  onTestFinished(() => started.stop())
  const steps = [...started.log().matchAll(/^(\w+) .* \.\.\. \d+\.\d s$/gm)].map(([, verb]) => verb)
  expect(steps).toEqual(['Installing', 'Building', 'Generating', 'Compiling', 'Serving'])
  expect(started.log()).toContain(`http://127.0.0.1:${port}/rpc\n`)

  for (const [, title = '', command = ''] of started.log().matchAll(/^# (.*)\n(.*)$/gm)) {
    const [program = ''] = command.split(' ')
    if (skipped(title, missingCommand(program, '--version'))) continue
    const { status, output } = await runWith({ no_proxy: '*' }, folder, 'sh', '-c', command)
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/Circular saw.*13\.5/s) })
  }
  await started.stop()

  expect(others).toEqual(['npm test'])
  const tested = await runWith({ ...variables, CI: '' }, inClone, 'sh', '-ec', others.join('\n'))
  // The end has the summary of lint, types or tests.
  const failures = tested.output.match(/^.*(?:FAIL|Error).*$/gm) ?? []
  expect(tested.status, [...failures, tested.output.slice(-3000)].join('\n')).toBe(0)
  // Nothing but the packages of the clone.
  const installed = await runWith(
    {},
    inClone,
    'git',
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
  )
  const modules = installed.output.split('\n').filter((path) => path.endsWith('node_modules/'))
  expect(modules.filter((path) => !path.includes('dist'))).toEqual(['node_modules/'])
}, 3_600_000)
