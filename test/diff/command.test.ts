import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Compile, diffCommand, diffUsage } from '../../generator/command/diff.js'
import { UsageError } from '../../generator/diagnostics/diagnostic.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { documentOf, oneSided, procedureOf } from './documents.js'

const folder = temporaryFolder('diff')
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const old = file('old.json', JSON.stringify(oneSided('param', { type: 'string' })))
const now = { procedures: [procedureOf('f', { kind: 'int' }, { returns: { type: { kind: 'null' } } })], types: [] }

interface DiffRun {
  readonly status: number
  readonly text: string
  readonly queries: Parameters<Compile>[]
}

/** What the command does where the sources give a description, or errors. */
async function runDiff(
  argv: readonly string[],
  compiled: ReturnType<Compile> = Promise.resolve({ description: now }),
): Promise<DiffRun> {
  let text = ''
  const queries: Parameters<Compile>[] = []
  const output = { write: (more: string) => (text += more) }
  const compile: Compile = (...each) => {
    queries.push(each)
    return compiled
  }
  const status = await diffCommand(argv, compile, output)
  return { status, text, queries }
}

describe('the source of the new version', () => {
  test('the paths of the configuration, without any path', async () => {
    const { status, queries } = await runDiff([old])
    expect({ status, queries }).toEqual({ status: 1, queries: [[[], {}]] })
  })

  test('paths, and what they are compiled with', async () => {
    const { queries } = await runDiff([old, 'src/a', 'src/*.ts', '-p', 'tsconfig.app.json', '-c', 'rpc.json'])
    expect(queries).toEqual([[['src/a', 'src/*.ts'], { project: 'tsconfig.app.json', config: 'rpc.json' }]])
  })

  test('another document', async () => {
    const { status, text, queries } = await runDiff([old, old])
    expect({ status, text, queries }).toEqual({ status: 0, text: 'no changes\n', queries: [] })
  })

  test('nothing is compared if the sources have errors', async () => {
    const { status, text } = await runDiff([old], Promise.resolve(undefined))
    expect({ status, text }).toEqual({ status: 1, text: '' })
  })
})

describe('--allow', () => {
  test.each([
    [[], 1],
    [['--allow', 'param-type-changed'], 0],
    [['--allow', 'param-type-changed:f'], 0],
    [['--allow', 'param-type-changed:g'], 1],
    [['--allow', 'param-removed', '--allow', 'param-type-changed'], 0],
  ])('%j', async (flags, status) => {
    expect((await runDiff([old, ...flags])).status).toBe(status)
  })
})

test('--help prints the usage', async () => {
  const { status, text } = await runDiff(['--help'])
  expect({ status, text }).toEqual({ status: 0, text: diffUsage })
})

test('colour on a terminal only', async () => {
  let text = ''
  const output = { isTTY: true, write: (more: string) => (text += more) }
  const { NO_COLOR, TERM } = process.env
  try {
    delete process.env['NO_COLOR']
    process.env['TERM'] = 'xterm'
    await diffCommand([old], () => Promise.resolve({ description: now }), output)
    expect(text).toContain('\u001b[31mbreaking\u001b[39m')
    text = ''
    process.env['NO_COLOR'] = '1'
    await diffCommand([old], () => Promise.resolve({ description: now }), output)
    expect(text).toMatch(/^breaking\n/)
  } finally {
    if (NO_COLOR === undefined) delete process.env['NO_COLOR']
    else process.env['NO_COLOR'] = NO_COLOR
    if (TERM === undefined) delete process.env['TERM']
    else process.env['TERM'] = TERM
  }
})

describe('wrong usage: one line on stderr', () => {
  const at = (name: string) => join(folder, name)

  test.each([
    [
      [],
      'rpc-gen diff needs an old version: a document (rpc-gen diff old.openrpc.json), or a git revision with a lock (rpc-gen diff --base main)',
    ],
    [[at('none.json')], `${at('none.json')} does not exist`],
    [[at('old.json/below.json')], `${at('old.json/below.json')} does not exist`],
    [[folder], `${folder} is a folder, not a file`],
    [[file('text.json', 'rpc-gen')], `${at('text.json')} is not JSON: Unexpected token 'r'`],
    [[old, at('none.json')], `${at('none.json')} does not exist`],
    [[old, 'src', old], `${old} is a document: give it without further paths`],
    [
      [old, '--allow', 'gone'],
      '--allow: unknown change gone; https://github.com/rpc-gen/rpc-gen/blob/main/docs/reference/diff.md lists all of them',
    ],
    [[old, '--allow'], "Option '--allow <code>' argument missing"],
    [[old, '--strict'], "Unknown option '--strict'"],
  ])('%j', async (argv, message) => {
    await expect(runDiff(argv)).rejects.toThrow(new UsageError(message))
  })

  test('a byte order mark is ignored', async () => {
    const marked = file('marked.json', `\uFEFF${JSON.stringify(documentOf([]))}`)
    expect((await runDiff([marked, marked])).text).toBe('no changes\n')
  })
})
