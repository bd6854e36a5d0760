import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixtures, generatedClient } from '../../python/clients.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { run } from '../../support/run.js'
import { missingCommand, skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const tools = join(root, 'test/python/tools')
const notInstalled = await install(tools)
const golden = join(root, 'fixtures/generate/python-client')

/** Clients of all fixtures, the client with Python classes, and a program that uses it. */
let folder: string
let files: readonly string[]

beforeAll(async () => {
  folder = temporaryFolder('python-lint')
  for (const name of fixtures) if (name !== 'python-client') await generatedClient(name, folder)
  for (const [from, name] of [
    [golden, 'expected_client.py'],
    [join(root, 'test/python'), 'shop.py'],
    [join(root, 'test/python'), 'caller.py'],
  ] as const) {
    writeFileSync(join(folder, name), readFileSync(join(from, name)))
  }
  files = readdirSync(folder)
}, 300_000)

/** The lines of the program that are wrong. */
function wrongLines(): number[] {
  const lines = readFileSync(join(root, 'test/python/caller.py'), 'utf8').split('\n')
  return lines.flatMap((line, i) => (line.endsWith('# error') ? [i + 1] : []))
}

describe.skipIf(skipped('pyright and ruff', notInstalled))('every generated client', () => {
  test('passes pyright in strict mode, and types its callers', async () => {
    const config = { typeCheckingMode: 'strict', pythonVersion: '3.9', include: ['.'] }
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(config))
    const pyright = join(tools, 'node_modules/pyright/index.js')
    const { output } = await run(folder, process.execPath, pyright, '--outputjson', '-p', folder)
    const { generalDiagnostics, summary } = JSON.parse(output.slice(output.indexOf('{')))
    expect(summary.filesAnalyzed).toBeGreaterThan(fixtures.length)
    const found: { file: string; line: number; message: string }[] = generalDiagnostics.map(
      (each: { file: string; message: string; range: { start: { line: number } } }) => {
        return { file: each.file.slice(folder.length + 1), line: each.range.start.line + 1, message: each.message }
      },
    )
    expect(found.filter(({ file }) => file !== 'caller.py')).toEqual([])
    expect([...new Set(found.map(({ line }) => line))].sort((a, b) => a - b)).toEqual(wrongLines())
  }, 300_000)

  test('has its imports from modules that name all they use', async () => {
    const config = {
      pythonVersion: '3.9',
      include: [join(root, 'templates/python/runtime')],
      reportUnusedImport: 'error',
    }
    const own = temporaryFolder('python-runtime')
    writeFileSync(join(own, 'pyrightconfig.json'), JSON.stringify(config))
    const pyright = join(tools, 'node_modules/pyright/index.js')
    const { output } = await run(own, process.execPath, pyright, '-p', own)
    expect(output.trim()).toMatch(/^0 errors, 0 warnings, .*/)
  }, 300_000)

  test('passes ruff, and is formatted as it formats', () => {
    const { Workspace, PositionEncoding } = createRequire(join(tools, 'package.json'))('@astral-sh/ruff-wasm-nodejs')
    const workspace = new Workspace({ 'target-version': 'py39' }, PositionEncoding.Utf16)
    for (const name of files.filter((each) => each.endsWith('_client.py'))) {
      const text = readFileSync(join(folder, name), 'utf8')
      const problems: { code: string; start_location: { row: number } }[] = workspace.check(text)
      expect([name, problems.map(({ code, start_location: { row } }) => `${row}: ${code}`)]).toEqual([name, []])
      expect(workspace.format(text) === text ? name : `${name} is formatted otherwise`).toBe(name)
    }
  })
})

/** All clients have the same part, and mypy needs minutes for all of them. */
const some = [
  'expected',
  'unions',
  'overloads',
  'odd_names',
  'api_docs',
  'errors',
  'scalars',
  'auth_schemes',
  'member_docs',
].map((name) => `${name}_client.py`)

// Later ones do not check for Python 3.9.
test.skipIf(skipped('mypy', missingCommand('mypy', '--python-version', '3.9', '--version')))(
  'mypy in strict mode accepts generated clients, and types their callers',
  async () => {
    const checked = [...some, 'caller.py', 'shop.py']
    const { output } = await run(
      folder,
      'mypy',
      '--strict',
      '--no-error-summary',
      '--python-version',
      '3.9',
      ...checked,
    )
    const lines = output.split('\n').filter((line) => line.includes(': error:'))
    expect(lines.filter((line) => !line.startsWith('caller.py:'))).toEqual([])
    expect([...new Set(lines.map((line) => Number(line.split(':')[1])))]).toEqual(wrongLines())
  },
  300_000,
)

test.skipIf(skipped('black', missingCommand('black', '--version')))(
  'black leaves generated clients as they are',
  async () => {
    const { status, output } = await run(folder, 'black', '--check', '--diff', '--quiet', ...some)
    expect({ status, output }).toEqual({ status: 0, output: '' })
  },
  300_000,
)
