import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cli } from '../support/command.js'
import { freePort, startProcess } from '../support/process.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'
import { startWatching, type Watching } from '../support/watching.js'

// `rpc-gen dev`: the order of generating and restarting, and the ends of the command. The test of `rpc-gen init` runs it with tsx.

/**
 * Prints the doc of a procedure in the source and in the generated module, and responds with both until it is ended. It fails if the
 * source has a syntax error, as a program does that imports it.
 */
const serverAt = (port: number) => `import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const docIn = (path, pattern) => pattern.exec(readFileSync(path, 'utf8'))?.[1]
process.on('SIGTERM', () => {
  console.log('ending')
  process.exit()
})
process.on('SIGCONT', () => console.log('continued'))
const source = docIn('src/api/add.ts', / \\* (.*)\\n/)
const generated = docIn('src/rpc.gen.ts', /doc: '(.*?)'/)
if (readFileSync('src/api/add.ts', 'utf8').includes('const = ;')) throw new Error('syntax error')
console.log('started', source, generated)
createServer((_, response) => response.end(source + ' ' + generated)).listen(${port}, '127.0.0.1')
`

let project: TestProject
let watching: Watching | undefined

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject({ ...smallProject, 'serve.mjs': serverAt(0), 'src/db.ts': 'export const size = 1\n' })
})
afterEach(async () => {
  await watching?.end('SIGTERM')
  watching = undefined
  project.remove('.')
})

function start(...args: string[]): Watching {
  watching = startWatching(project.folder, ['dev', 'src/api', ...args])
  return watching
}

const edit = (path: string, from: string, to: string) => project.write(path, project.read(path).replace(from, to))
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const serve = ['--', process.execPath, 'serve.mjs']

describe('rpc-gen dev', () => {
  test('generates before each start of the command, and ends the running one first', async () => {
    const run = start(...serve)
    await run.until(/2 procedures .*\nstarted Adds\. Adds\.\n/)
    for (const doc of ['Sums.', 'Totals.', 'Counts.']) {
      edit('src/api/add.ts', / \* (.*)\n/.exec(project.read('src/api/add.ts'))?.[1] ?? '', doc)
      await run.until(new RegExp(`started ${doc} ${doc}\n`))
    }
    expect(run.output()).toMatch(/ending\n(?:.* → .*\n)?started Sums\. Sums\.\n/)
    for (const [, source, generated] of run.output().matchAll(/^started (\S+) (\S+)$/gm)) expect(generated).toBe(source)
  })

  test('a file of the project that is not a procedure restarts the command', async () => {
    const run = start(...serve)
    await run.until(/started/)
    edit('src/db.ts', '1', '2')
    await run.until(/\(unchanged\)[\s\S]*started/)
    project.write('src/new.ts', 'export {}\n')
    await run.until(/\(unchanged\)[\s\S]*started/)
    expect(run.output().match(/ending/g)).toHaveLength(2)
  })

  test('an error in the sources keeps the running command, which does not run while the module is generated', async () => {
    const run = start(...serve)
    await run.until(/started/)
    edit('src/types/name.ts', 'string', 'symbol')
    await run.until(/RPC121 [\s\S]*1 error, nothing was written\nrpc-gen: [\s\S]* keeps running as it is\n/)
    await run.until(/continued\n/)
    edit('src/types/name.ts', 'symbol', 'number')
    await run.until(/ending\n[\s\S]*started/)
    expect(run.output().match(/ending/g)).toHaveLength(1)
  })

  test.each(['at once', 'in the next turn', 'when the command has started'])(
    'a syntax error that is saved %s after another change leaves a command running',
    async (when) => {
      const port = await freePort()
      project.write('serve.mjs', serverAt(port))
      const run = start(...serve)
      const docs = async () => (await fetch(`http://127.0.0.1:${port}`)).text()
      await run.until(/started Adds\. Adds\.\n/)
      for (const [doc, next] of [
        ['Sums.', 'Totals.'],
        ['Counts.', 'Tallies.'],
      ]) {
        const text = (smallProject['src/api/add.ts'] ?? '').replace('Adds.', doc ?? '')
        project.write('src/api/add.ts', text)
        if (when === 'in the next turn') await new Promise(setImmediate)
        if (when === 'when the command has started') await run.until(new RegExp(`started ${doc} ${doc}\n`))
        project.write('src/api/add.ts', `${text}\nconst = ;\n`)
        await run.until(/RPC\d+ [\s\S]*nothing was written\nrpc-gen: [\s\S]* keeps running as it is\n/)
        // Either version, but not one of each.
        await expect.poll(docs).toMatch(/^(\S+) \1$/)
        project.write('src/api/add.ts', text.replace(doc ?? '', next ?? ''))
        await run.until(new RegExp(`started ${next} ${next}\n`))
      }
      expect(run.output()).not.toContain('ended with')
    },
  )

  test('after an error at the start, the command is started when it is corrected', async () => {
    edit('src/types/name.ts', 'string', 'symbol')
    const run = start(...serve)
    await run.until(/serve\.mjs is started when the errors are corrected\n/)
    edit('src/types/name.ts', 'symbol', 'number')
    await run.until(/started/)
    expect(run.output().match(/started Adds/g)).toHaveLength(1)
  })

  test('a command that ends is reported, and started again after a change', async () => {
    const run = start('--', process.execPath, '-e', 'process.exit(3)')
    await run.until(/rpc-gen: .* ended with status 3; the next change starts it again\n/)
    edit('src/db.ts', '1', '2')
    expect(await run.until(/ended with status \d+/)).toBe('ended with status 3')
  })

  test.skipIf(process.platform === 'win32').each([
    ['itself', 'process.kill(process.pid, "SIGKILL")'],
    ['behind another process, which relays it as a status', 'process.exit(128 + 9)'],
  ])('a command that SIGKILL ends, %s, is reported with the signal', async (_, script) => {
    const { until } = start('--', process.execPath, '-e', script)
    expect(await until(/ended with .*;/)).toBe('ended with SIGKILL;')
  })

  test.each([
    ['nope', 'there is no such command in PATH'],
    ['./nowhere', 'there is no such file'],
    ['./src/db.ts', 'it is not executable'],
  ])('the command %s, which cannot be started, is one error', async (command, reason) => {
    const { status, stderr } = await project.rpcGen(['dev', 'src/api', '--', command, 'a.ts'])
    expect({ status, stderr }).toEqual({ status: 2, stderr: `rpc-gen: ${command} cannot be started: ${reason}\n` })
  })

  test('a command that has been started, and is removed, is reported, and started again when it is back', async () => {
    const script = `#!/bin/sh\nexec '${process.execPath}' serve.mjs\n`
    project.write('serve.sh', script)
    chmodSync(join(project.folder, 'serve.sh'), 0o755)
    const run = start('--', './serve.sh')
    await run.until(/started/)
    project.remove('serve.sh')
    edit('src/db.ts', '1', '2')
    await run.until(
      /rpc-gen: \.\/serve\.sh cannot be started: there is no such file; the next change starts it again\n/,
    )
    project.write('serve.sh', script)
    chmodSync(join(project.folder, 'serve.sh'), 0o755)
    edit('src/db.ts', '2', '3')
    expect(await run.until(/started .*/)).toBe('started Adds. Adds.')
  })

  test('a command that does not end is killed', async () => {
    const script = "process.on('SIGTERM', () => {}); console.log('pid', process.pid); setInterval(() => {}, 1000)"
    const run = start('--', process.execPath, '-e', script)
    const pid = Number((await run.until(/pid \d+\n/)).slice(4))
    expect(await run.end('SIGTERM')).toBe(0)
    expect(run.output()).toContain('did not end within 3 s and is killed\n')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)(
    '%s ends the command and what it has started',
    async (signal) => {
      const inner = 'console.log("pid", process.pid); setInterval(() => {}, 1000)'
      const run = start('--', 'sh', '-c', `'${process.execPath}' -e '${inner}' & wait`)
      const pid = Number((await run.until(/pid \d+\n/)).slice(4))
      expect(await run.end(signal)).toBe(0)
      expect(isRunning(pid)).toBe(false)
    },
  )

  test('a signal that is sent twice, as npm does with Ctrl-C, gives the command the time to end', async () => {
    const script =
      "process.on('SIGTERM', () => setTimeout(() => process.exit(console.log('drained')), 200)); console.log('pid'); setInterval(() => {}, 1000)"
    const run = start('--', process.execPath, '-e', script)
    await run.until(/pid\n/)
    run.child.kill('SIGINT')
    expect(await run.end('SIGINT')).toBe(0)
    expect(run.output()).toContain('drained\n')
  })

  // The parent starts `rpc-gen dev` as npm and other tools do, with a shell or another program between them.
  const command = `'${process.execPath}' '${cli}' dev src/api -- '${process.execPath}' -e 'console.log("pid", process.pid); setInterval(() => {}, 1000)'`
  const wrapper = `const { spawn } = require('node:child_process')
spawn(${JSON.stringify(command)}, { shell: true, stdio: 'inherit' })
console.log('wrapper', process.pid)
setInterval(() => {}, 1000)`
  test.each([
    ['SIGKILL', 'a shell', ['sh', '-c', `${command}; true`], ''],
    ['SIGKILL', 'a program', ['node', 'wrapper.cjs'], ''],
    ['SIGTERM', 'npm', ['npm', 'run', 'dev'], command],
    ['SIGKILL', 'npm', ['npm', 'run', 'dev'], command],
    ['SIGTERM', 'npm behind a program', ['npm', 'run', 'dev'], 'node wrapper.cjs'],
  ] as const)('the end by %s of %s that started it ends it and the command', async (signal, _, parent, dev) => {
    project.write('package.json', JSON.stringify({ name: 'small', type: 'module', scripts: { dev } }))
    project.write('wrapper.cjs', wrapper)
    // The tests are a script of npm, too.
    const { npm_lifecycle_event: _event, ...env } = process.env
    const options = { cwd: project.folder, env, isReady: (log: string) => /pid \d+/.test(log) }
    const started = await startProcess(parent, options)
    const numberOf = (pattern: RegExp) => Number(pattern.exec(started.log())?.[1])
    started.kill(signal)
    await expect.poll(() => isRunning(numberOf(/pid (\d+)/)), { timeout: 10_000 }).toBe(false)
    const wrapping = numberOf(/wrapper (\d+)/)
    if (isRunning(wrapping)) process.kill(wrapping)
    // Nothing that wrote to its output is left.
    await started.ended
  })

  test.each([
    [['tsx', 'watch', 'a.ts'], 'watch'],
    [[process.execPath, '--watch-path=src', 'a.js'], '--watch-path=src'],
    [['./node_modules/.bin/nodemon', 'a.js'], './node_modules/.bin/nodemon'],
  ])('%j is a warning, because it restarts too early', async (command, word) => {
    const line = `rpc-gen: warning: ${word} restarts before the module is generated: rpc-gen dev restarts the program itself\n`
    const run = start('--', ...command)
    await run.until(/\n/)
    expect(run.output().startsWith(line)).toBe(true)
  })

  test('--no-restart starts the command once', async () => {
    const run = start('--no-restart', ...serve)
    await run.until(/started/)
    edit('src/api/add.ts', 'Adds.', 'Sums.')
    await run.until(/2 procedures/)
    expect(project.read('src/rpc.gen.ts')).toContain('Sums.')
    expect(await run.end('SIGINT')).toBe(0)
    expect(run.output().match(/started/g)).toHaveLength(1)
  })

  test.each([
    [['dev'], 'dev needs the command to start, behind --: rpc-gen dev -- tsx src/rpc.ts'],
    [['dev', 'src/api', '--'], 'dev needs the command to start, behind --: rpc-gen dev -- tsx src/rpc.ts'],
    [['dev', '--check', '--', 'true'], 'dev and --check exclude each other'],
    [['dev', '-w', '--', 'true'], 'dev and --watch exclude each other'],
    [['dev', 'src/nowhere', '--', 'true'], 'src/nowhere does not exist'],
    [['--no-restart'], '--no-restart is an option of rpc-gen dev'],
    [['src/api', 'dev'], undefined],
    [['--json', 'dev'], 'dev is a separate command and has to come first; for a folder of that name write ./dev'],
  ])('%j', async (args, message) => {
    const { status, stderr } = await project.rpcGen(args)
    if (message === undefined) expect(stderr).toBe('rpc-gen: dev does not exist\n')
    else expect({ status, stderr }).toEqual({ status: 2, stderr: `rpc-gen: ${message}\n` })
  })

  test('--help', async () => {
    expect(await project.rpcGen(['dev', '--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Usage: rpc-gen/),
    })
  })
})
