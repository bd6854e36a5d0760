import { once } from 'node:events'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from './support/package.js'
import { freePort, type Started, startProcess } from './support/process.js'
import { root } from './support/project.js'
import { mustRun, runWith } from './support/run.js'
import { lacks, skipped } from './support/skip.js'
import { temporaryFolder } from './support/temporary-folder.js'

// The README from the top in an empty folder: every command as written, with the packed tarball as the published package.

const readme = readFileSync(join(root, 'README.md'), 'utf8')

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }))
}

const start = readme.indexOf('## Quick start')
const introduction = blocksOf(readme.slice(0, start))
const steps = blocksOf(readme.slice(start, readme.indexOf('\n## ', start + 1)))

const [example, generated, python] = introduction as [Block, Block, Block]

let folder: string
let address: string
let variables: Record<string, string>
let registry: Server
let served: Started | undefined

beforeAll(async () => {
  folder = temporaryFolder('quick-start')
  registry = await startRegistry((await pack()).tarball)
  address = `127.0.0.1:${await freePort()}`
  const port = address.split(':')[1] ?? ''
  // npx asks for confirmation before it installs a package: yes.
  variables = { npm_config_registry: urlOf(registry), npm_config_yes: 'true', PORT: port }
})

afterAll(async () => {
  registry?.close()
  await served?.stop()
})

/** Starts a registry that has this package, and redirects requests for other packages to the one of the user's npm. */
async function startRegistry(tarball: string): Promise<Server> {
  const others = (await mustRun(root, 'npm', 'config', 'get', 'registry')).trim().replace(/\/$/, '')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version } = manifest
  const server = createServer((request, response) => {
    if (request.url === '/rpc-gen.tgz') return void createReadStream(tarball).pipe(response)
    if (request.url !== '/rpc-gen') return void response.writeHead(302, { Location: others + request.url }).end()
    const published = { ...manifest, dist: { tarball: `${urlOf(server)}/rpc-gen.tgz` } }
    const document = { name: 'rpc-gen', 'dist-tags': { latest: version }, versions: { [version]: published } }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const asServed = (text: string) => text.replaceAll('127.0.0.1:3000', address)

/** Saves a block under the path in its first line. */
function save({ text }: Block): void {
  const path = join(folder, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? '')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, asServed(text))
}

/** Runs a block of commands, and compares what they print with the comments behind them. */
async function runCommands({ text }: Block): Promise<void> {
  const { status, output } = await runWith(variables, folder, 'sh', '-ec', asServed(text))
  expect(status, output).toBe(0)
  const expected = [...text.matchAll(/^# (.*)$/gm)].map(([, line]) => line)
  if (expected.length > 0) expect(output.trim().split('\n')).toEqual(expected)
}

async function serve({ text }: Block): Promise<void> {
  // npm, its shell and tsx are one group.
  const options = { cwd: folder, env: { ...process.env, ...variables }, detached: true }
  const isReady = (log: string) => log.includes(`http://${address}/rpc`)
  served = await startProcess(['sh', '-c', text], { ...options, isReady })
}

test('the quick start', async () => {
  expect(steps.map(({ language }) => language)).toEqual(['sh', 'sh', 'sh', 'ts', 'sh'])
  const [install, npmStart, ...calls] = steps as [Block, Block, ...Block[]]
  await runCommands(install)
  save(example)
  await serve(npmStart)
  const page = await fetch(`http://${address}/rpc`, { headers: { Accept: 'text/html' } })
  expect(await page.text()).toContain('quote')
  const module = readFileSync(join(folder, 'src/rpc.gen.ts'), 'utf8')
  for (const part of generated.text.trim().split('\n\n')) expect(module).toContain(part)
  for (const step of calls) await (step.language === 'ts' ? Promise.resolve(save(step)) : runCommands(step))
  await mustRun(folder, process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit')
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

test.skipIf(skipped('the calls from Python in the README', lacks('python3', '--version')))(
  'the calls from Python',
  async () => {
    const { output } = await runWith({ no_proxy: '*' }, folder, 'python3', '-c', evaluate, asServed(python.text))
    const expected = [...python.text.matchAll(/# (.*)$/gm)].map(([, line]) => line)
    expect(expected).toHaveLength(2)
    expect(output.trim().split('\n')).toEqual(expected)
  },
)
