import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepository } from '../support/clone.js'
import { pack } from '../support/package.js'
import { root } from '../support/paths.js'
import { mustRun } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// What each consumer installs, and the ways to install the package before the first release: docs/guide/install.md.

const page = readFileSync(join(root, 'docs/guide/install.md'), 'utf8')
const consumers = [...page.matchAll(/^\| (.*?) \| `(npm install .*?)` \| ([\d.]+) MB \|$/gm)].map(
  ([, consumer = '', command = '', size = '']) => ({ consumer, command, size: Number(size) }),
)

function createProject(): string {
  const folder = temporaryFolder('consumer')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** Returns the bytes of all files in a folder. */
function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const stats = paths.map((path) => lstatSync(join(folder, path)))
  return stats.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0)
}

test.each(consumers)('$consumer: the size on the page is within a tenth', async ({ command, size }) => {
  const folder = createProject()
  const { tarball } = await pack()
  await mustRun(folder, 'sh', '-ec', command.replace('rpc-gen', tarball))
  const megabytes = sizeOf(join(folder, 'node_modules')) / 1e6
  expect(Math.abs(megabytes / size - 1), `${megabytes} MB`).toBeLessThan(0.1)
})

test('the page has each consumer that installs something', () => {
  expect(consumers).toHaveLength(3)
})

test('a front end gets neither a server nor a compiler, and the client works', async () => {
  const folder = createProject()
  await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', (await pack()).tarball)
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(names.sort()).toEqual(['@standard-schema', 'rpc-gen'])
  const program = `import { createClient, xmlRpc } from 'rpc-gen/client'
const fetch = async () => Response.json({ jsonrpc: '2.0', result: 3, id: 1 })
console.log(await createClient('http://localhost/rpc', { fetch }).add(1, 2), typeof xmlRpc)`
  const output = await mustRun(folder, process.execPath, '--input-type=module', '--eval', program)
  expect(output).toBe('3 function\n')
})

test.each([
  ['its URL', (repository: string) => `git+file://${repository}`],
  ['its folder', (repository: string) => repository],
])('the repository is installed by %s', async (_, specifier) => {
  const folder = createProject()
  await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', specifier(createRepository()))
  expect(await mustRun(folder, 'npx', 'rpc-gen', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  const program = "import { createClient } from 'rpc-gen/client'; console.log(typeof createClient)"
  expect(await mustRun(folder, process.execPath, '--input-type=module', '--eval', program)).toBe('function\n')
})
