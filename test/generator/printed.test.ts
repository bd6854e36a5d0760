import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatDiagnostic } from '../../generator/diagnostics/diagnostic.js'
import { jsonText, printable, terminalText } from '../../generator/diagnostics/printable.js'
import { generate } from '../support/generate.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'
import { inapplicable } from '../support/skip.js'

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(smallProject)
})
afterEach(() => project.remove('.'))

/** What must not reach a terminal: a title, a cleared screen, C1, DEL, and text that runs backwards. */
const hostile = '\u001b]0;title\u0007\u001b[2J\u009b31m\u007f\u202egnp.\u2066x\u2069'
const acting = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

describe('control characters', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('')

  test('are escaped, the tab and every other character are unchanged', () => {
    expect(printable(all)).not.toMatch(acting)
    expect(printable('a\tb\u001bc\nd\u202ee')).toBe('a\tb\\u001bc\\u000ad\\u202ee')
    const kept = [...all].filter((each) => printable(each) === each)
    expect(all.length - kept.length).toBe(31 + 1 + 32 + 2 + 12)
  })

  test('are the same characters in JSON', () => {
    expect(jsonText({ [all]: all })).not.toMatch(acting)
    expect(JSON.parse(jsonText({ [all]: [all] }, 2))).toEqual({ [all]: [all] })
  })

  test('are printed only by our styles', () => {
    expect(terminalText([['a\u001b[31m', ['red', 'b\u001b[0m']]], true)).toBe(
      'a\\u001b[31m\u001b[31mb\\u001b[0m\u001b[39m\n',
    )
  })
})

const onWindows = process.platform === 'win32' ? 'Windows has no such names of files' : undefined
const isSkipped = inapplicable('control characters in names of files', onWindows)
const clean = (text: string) => expect(text).not.toMatch(acting)

describe.skipIf(isSkipped)('foreign names and documents are escaped on the terminal', () => {
  test('names of files and members in diagnostics, as text and as JSON', async () => {
    const bad = `/** @rpc */\nexport function bad(a: { ${JSON.stringify(hostile)}: symbol }): void {\n  throw a\n}\n`
    project.write(`src/api/${hostile}.ts`, bad)
    const text = await project.rpcGen(['src/api'])
    expect(text).toMatchObject({ status: 1, stderr: expect.stringContaining('\\u001b]0;title\\u0007\\u001b[2J') })
    clean(text.stderr)
    const json = await project.rpcGen(['src/api', '--json'])
    clean(json.stdout + json.stderr)
    const [line = ''] = json.stdout.split('\n')
    expect(JSON.parse(line).position.file).toBe(`src/api/${hostile}.ts`)
    const { diagnostics } = await generate({ cwd: project.folder, paths: ['src/api'] })
    clean(diagnostics.map(formatDiagnostic).join('\n'))
  })

  test('outputs, stale outputs, and the line of a run with nothing to do', async () => {
    const out = `src/${hostile}.gen.ts`
    const runs = [['--check'], [], []]
    for (const flags of runs) {
      const { stdout, stderr } = await project.rpcGen(['src/api', '-o', out, ...flags])
      expect(stdout + stderr).toContain('\\u202egnp')
      clean(stdout + stderr)
    }
  })

  test('arguments, configurations and their errors', async () => {
    for (const args of [
      [`src/${hostile.replaceAll(/[[\]]/g, '')}`],
      [`--${hostile}`],
      ['-c', `${hostile}.json`],
      ['-p', hostile, 'src/api'],
    ]) {
      const { status, stderr } = await project.rpcGen(args)
      expect(status).toBe(2)
      clean(stderr)
    }
    for (const text of [
      `throw new Error(${JSON.stringify(hostile)})`,
      `export default { ${JSON.stringify(hostile)}: 1 }`,
    ]) {
      project.write('rpc.config.mjs', text)
      const { status, stderr } = await project.rpcGen(['src/api'])
      expect(status).toBe(2)
      expect(stderr).toContain('\\u001b')
      clean(stderr)
    }
  })

  test('documents that are compared', async () => {
    const method = (name: string) => ({ name, params: [], result: { name: 'r', schema: { type: 'string' } } })
    const document = (name: string) =>
      JSON.stringify({ openrpc: '1.3.2', info: { title: '', version: '' }, methods: [method(name)] })
    project.write('old.json', document(hostile))
    project.write('new.json', document(`${hostile}2`))
    project.write('broken.json', `{ "openrpc": ${JSON.stringify(hostile)}, "methods": [] }`)
    for (const args of [
      ['old.json', 'new.json'],
      ['old.json', 'new.json', '--json'],
      ['broken.json', 'new.json'],
    ]) {
      const { stdout, stderr } = await project.rpcGen(['diff', ...args])
      expect(stdout + stderr).toContain('\\u202e')
      clean(stdout + stderr)
    }
  })
})
