import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diagnosticCodes } from 'rpc-gen/generator'
import { describe, expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const page = readFileSync(join(root, 'docs/reference/diagnostics.md'), 'utf8')

/** The section of the page on one code. */
interface Entry {
  readonly code: string
  readonly title: string
  readonly text: string
}

const entries: readonly Entry[] = page
  .split(/^(?=##)/m)
  .flatMap((text) => (text.startsWith('### ') ? [entryOf(text)] : []))

function entryOf(text: string): Entry {
  const [head = ''] = text.split('\n', 1)
  const [, code = '', title = ''] = /^### (\S+): (.*)$/.exec(head) ?? []
  return { code, title, text }
}

/** The files of an example. Its tsconfig, if it shows none, resolves this package. */
function filesOf({ text }: Entry): readonly (readonly [path: string, content: string])[] {
  const blocks = [...text.matchAll(/^```(?:ts|json)(?: (\S+))?\n([\s\S]*?)^```$/gm)]
  const paths = { 'rpc-gen': [join(root, 'runtime/index.ts')] }
  const compilerOptions = { module: 'nodenext', lib: ['ES2023', 'DOM'], types: [], strict: true, paths }
  return [
    ['tsconfig.json', JSON.stringify({ compilerOptions })],
    ...blocks.map(([, path = 'source.ts', content = '']) => [path, content] as const),
  ]
}

async function codesOf(entry: Entry): Promise<string[]> {
  const cwd = temporaryFolder('diagnostics')
  for (const [path, content] of filesOf(entry)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), content)
  }
  const only = (flag: string) => entry.text.includes(`\nOnly with \`${flag}\`.\n`)
  const flags = { strictDocs: only('--strict-docs'), requireAuth: only('--require-auth') }
  const [, scalars = '{}'] = /^With `scalars: (.*)` in the configuration\.$/m.exec(entry.text) ?? []
  const options = { ...flags, scalars: JSON.parse(scalars) }
  const { diagnostics } = await generate({ cwd, paths: ['.'], out: 'rpc.gen.ts', ...options })
  return diagnostics.map(({ code }) => code)
}

test('the page has every code, in order, with the text of the source', () => {
  expect(entries.map(({ code, title }) => [code, title])).toEqual(Object.entries(diagnosticCodes))
})

test('every code has a rejected fixture', () => {
  const folder = join(root, 'fixtures/reject')
  const cases = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const expected = cases.map(({ name }) => readFileSync(join(folder, name, 'expected.txt'), 'utf8'))
  const shown = expected.flatMap((text) => [...text.matchAll(/^(?:\S+:\d+:\d+ )?(RPC\d+) /gm)].map(([, code]) => code))
  expect(Object.keys(diagnosticCodes).filter((code) => !shown.includes(code))).toEqual([])
})

describe('every example reports its code', () => {
  test.each(entries)('$code', async (entry) => {
    expect([...new Set(await codesOf(entry))]).toEqual([entry.code])
  })

  test.each(entries)('$code has an explanation', ({ text }) => {
    const [, last = ''] = /```\n\n((?:(?!```)[\s\S])+)$/.exec(text.replace(/\n## [\s\S]*$/, '')) ?? []
    expect(last.trim()).not.toBe('')
  })
})
