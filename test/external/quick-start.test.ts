import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Block, blocksOf, projectCommands } from '../support/blocks.js'
import { copyInstalledProject, createRepository } from '../support/clone.js'
import { root } from '../support/paths.js'
import { freePort, type Started, startProcess } from '../support/process.js'
import { mustRun, runWith } from '../support/run.js'
import { missingCommand, skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Pages that build a project from an empty folder: every file and command as written, but for those that docs/guide/install.md
// replaces before the first release. No registry has the package.

const readme = blocksOf('README.md')
const lineOf = (heading: string) => readFileSync(join(root, 'README.md'), 'utf8').split('\n').indexOf(heading)
const [start, existing, end] = ['## Quick start', '## Install in an existing project', '## Compared with others'].map(
  lineOf,
) as [number, number, number]
const between = (from: number, to: number) => readme.filter(({ line }) => line > from && line < to)
const [example, generated, python, tryIt] = between(0, start) as [Block, Block, Block, Block]
const [create, ...steps] = between(start, existing) as [Block, ...Block[]]

/** The blocks of each page in the order that a reader follows; try-it.test.ts has the commands before them. */
const pages = [
  { page: 'README.md', blocks: [create, example, ...steps, python], excerpts: generated.text.trim().split('\n\n') },
  { page: 'docs/guide/first-service.md', blocks: blocksOf('docs/guide/first-service.md'), excerpts: [] },
]

const url = /https:\S+/.exec(tryIt.text)?.[0] ?? ''

/** What docs/guide/install.md has for commands that need the registry: `npx rpc-gen init` → `npm run new -- ../books`. */
const replaced = new Map(
  [...readFileSync(join(root, 'docs/guide/install.md'), 'utf8').matchAll(/^\| `(np[^`]*)`[^|]*\| `([^`]*)`/gm)].map(
    ([, command = '', instead = '']) => [command, instead],
  ),
)

/** A clone, and its repository. */
let clone: string
let repository: string

beforeAll(() => {
  clone = copyInstalledProject()
  repository = `git+file://${createRepository()}`
  return () => rmSync(join(clone, '../books'), { recursive: true, force: true })
})

const evaluate = `import ast, sys
names = {}
for node in ast.parse(sys.argv[1]).body:
    if not isinstance(node, ast.Expr):
        exec(ast.unparse(node), names)
        continue
    try:
        print(repr(eval(ast.unparse(node), names)))
    except Exception as error:
        print(repr(error))
`

/** Blocks of other pages whose commands need a project; those of the Dockerfile remove packages at the end. */
const otherBlocks = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((page) => `docs/${page.replaceAll('\\', '/')}`)
  .filter((page) => page.endsWith('.md') && !/node_modules|first-service/.test(page))
  .flatMap(blocksOf)
  .filter((block) => projectCommands(block).length > 0)
  .sort((a, b) => Number(a.language === 'dockerfile') - Number(b.language === 'dockerfile'))

const withoutPython = skipped('the calls from Python in pages', missingCommand('python3', '--version'))

describe.each(pages)('$page', ({ page, blocks, excerpts }) => {
  let folder: string
  let address: string
  let variables: Record<string, string>
  let served: Started | undefined

  beforeAll(async () => {
    // Every page starts its own.
    rmSync(join(clone, '../books'), { recursive: true, force: true })
    folder = clone
    const port = `${await freePort()}`
    address = `127.0.0.1:${port}`
    variables = { PORT: port }
  })

  afterAll(endServed)

  const asServed = (text: string) => text.replaceAll('127.0.0.1:3000', address)

  /** Saves a block under the path in its first line. A file that `init` has written is compared with the block. */
  async function save({ text }: Block): Promise<void> {
    const [first, name = ''] = /^\/\/ (?:file: )?(\S+)\n/.exec(text) ?? ['']
    const path = join(folder, name)
    const content = text.startsWith('// file: ') ? text.slice(first.length) : text
    if (existsSync(path)) {
      expect(withoutVersions(readFileSync(path, 'utf8'))).toBe(withoutVersions(content))
      return
    }
    mkdirSync(dirname(path), { recursive: true })
    const before = startsOf(served)
    writeFileSync(path, asServed(content))
    // `npm run dev` restarts the server for a new source.
    if (served?.log().includes('rpc-gen dev')) await expect.poll(() => startsOf(served)).toBeGreaterThan(before)
  }

  /** How often the server has printed its address. */
  const startsOf = (process?: Started) => process?.log().split(`http://${address}/rpc`).length ?? 0

  /** Runs a block of commands, and compares what they print with the comments behind them. Later ones run where it ends. */
  async function runCommands({ text }: Block): Promise<void> {
    const created = text.replace('npx rpc-gen init', `${replaced.get('npx rpc-gen init')}\ncd ../books`)
    const commands = asServed(created).replace(`git+${url}`, repository)
    const { status, output } = await runWith(variables, folder, 'sh', '-ec', commands)
    expect(status, output).toBe(0)
    expectPrinted(text, output)
    if (commands.includes('npm run new')) {
      expect(output).toMatch(/Packing rpc-gen [\s\S]*\nNext:\n {2}cd \.\.\/books\n {2}npm install\n/)
    }
    for (const [, path = ''] of commands.matchAll(/^cd (.*)$/gm)) folder = join(folder, path)
  }

  /** Ends what is served; `rpc-gen dev` ends its server. */
  async function endServed(): Promise<void> {
    const ending = served
    served = undefined
    ending?.kill('SIGTERM')
    await ending?.ended
  }

  async function serve(...command: string[]): Promise<void> {
    await endServed()
    // npm, its shell and its command are one group.
    const options = { cwd: folder, env: { ...process.env, ...variables }, detached: true }
    const isReady = (log: string) => log.includes(`http://${address}/rpc`)
    served = await startProcess(command, { ...options, isReady })
    const response = await fetch(`http://${address}/rpc`, { headers: { Accept: 'text/html' } })
    expect(await response.text()).toContain('<html')
  }

  async function callFromPython({ text }: Block): Promise<void> {
    const { output } = await runWith({ no_proxy: '*' }, folder, 'python3', '-c', evaluate, asServed(text))
    expectPrinted(text, output)
  }

  /** Compares what a block printed with its comments, if it has any. */
  function expectPrinted(text: string, output: string): void {
    const expected = [...text.matchAll(/(?:^| {2})# (.*)$/gm)].map(([, line = '']) => line)
    const printed = withoutTimes(output.replaceAll(address, '127.0.0.1:3000'))
    if (expected.length > 0) expect(printed.trim().split('\n')).toEqual(expected.map(withoutTimes))
  }

  test('followed from an empty folder', async () => {
    for (const block of blocks) {
      if (/^npm (?:start|run dev)$/m.test(block.text)) await serve('sh', '-c', block.text)
      else if (block.language === 'sh') await runCommands(block)
      else if (block.language === 'python') await (withoutPython || callFromPython(block))
      else await save(block)
    }
    expect(served).toBeDefined()
    const module = readFileSync(join(folder, 'src/rpc.gen.ts'), 'utf8')
    for (const excerpt of excerpts) expect(module).toContain(excerpt)
    await mustRun(folder, process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit')
  })

  if (page === 'README.md') {
    test('the installation in an existing project', async () => {
      await endServed()
      folder = join(temporaryFolder('quick-start'), 'existing')
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      await save(example)
      const commands = between(existing, end)
      expect(commands).toHaveLength(1)
      for (const block of commands) await runCommands(block)
      expect(readFileSync(join(folder, 'src/rpc.gen.ts'), 'utf8')).toContain('quote')
    })
  } else {
    test.each(otherBlocks)('the commands of $page:$line', async (block) => {
      // `npm run dev` would generate again before the command.
      await endServed()
      // So that a command that writes the module does not report it as unchanged.
      if (block.language === '') rmSync(join(folder, 'src/rpc.gen.ts'))
      if (block.language === 'yaml') await releaseLock()
      for (const command of projectCommands(block)) {
        const { status, output } = await runWith(variables, folder, 'sh', '-ec', inFolder(command))
        expect(status, `${command}\n${output}`).toBe(0)
        const shown = block.language === '' ? block.text.split('\n').slice(1).join('\n') : ''
        if (shown !== '') expect(withoutTimes(output)).toBe(withoutTimes(shown))
      }
      for (const [, path = ''] of block.text.matchAll(/^COPY --from=build \/app\/(\S+)/gm)) {
        expect(existsSync(join(folder, path)), path).toBe(true)
      }
      const [, command] = /^CMD (.*)$/m.exec(block.text) ?? []
      if (command !== undefined) await serve(...JSON.parse(command))
    })
  }

  /** Commits a lock of the project as `origin/main`. */
  async function releaseLock(): Promise<void> {
    await mustRun(folder, 'npx', 'rpc-gen', '--lock')
    await mustRun(folder, 'git', 'init', '--quiet')
    await mustRun(folder, 'git', 'add', 'rpc.lock.json')
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org']
    await mustRun(folder, 'git', ...author, 'commit', '--quiet', '-m', 'release')
    await mustRun(folder, 'git', 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  }

  const inFolder = (command: string) => command.replace(/^rpc-gen/, 'npx rpc-gen').replaceAll('/tmp/', '')
})

const withoutVersions = (text: string) => text.replace(/"(?:\^[\d.]+|file:vendor\/rpc-gen-[\w.-]+\.tgz)"/g, '"^"')
const withoutTimes = (text: string) => text.replace(/, [\d.]+ s$/gm, ', 1 s')
