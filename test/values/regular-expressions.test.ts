import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { slowPartOf } from '../../generator/model/slow-pattern.js'
import { root } from '../support/paths.js'
import { dividedAt } from '../support/polynomial.js'

// Every regular expression of the runtime takes linear time, whatever the text. Shown by an analysis of the expressions, never by time.

interface Found {
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** Expressions that are not linear for every text, and why they are for the texts that they get. */
const allowed: Readonly<Record<string, string>> = {
  'client/call.ts /.*@/s': 'the URL of the caller of the client',
  'client/connection.ts /.*@/s': 'the URL of the caller of the client',
  'codegen-node.ts /^\\s*at (?:.*\\()?((?:file:\\/\\/)?[^()]*?)(?:\\?[^()]*)?:\\d+:\\d+\\)?$/m':
    'the stack of the module that is loaded',
  'jsonrpc/parse.ts /"|(?<![\\w.+-])-?[1-9]\\d{15,}(?![\\w.])/g':
    'the lookbehind: the search begins at the first digit of a run only',
  'mcp/input-schema.ts /\\\\.|\\(\\?(?:<?[=!]|<[^>\\]]*>|:|[a-z-]+:)|./gsu': 'patterns of the sources',
  'description/description.ts /\\n\\s*\\n/': 'docs of the sources',
  'page/sample.ts /(?:[*+?]|\\{(\\d+)(,?)(\\d*)\\})\\??/y': 'patterns of the sources',
  'page/browser/response.ts /("(?:[^"\\\\]|\\\\.)*")|([[{])\\s*([\\]}])?|([\\]}])|,|:|\\s+/g':
    'JSON.parse has accepted the text: strings are closed',
  'page/procedure.tsx /[ \\t]+(?=\\/\\/ ?=>)/': 'docs of the sources',
  'page/prose.tsx /^#{1,6}\\s+(.*)$/': 'docs of the sources',
  'page/prose.tsx /`([^`\\n]+)`|\\*\\*([^*\\n]+)\\*\\*|(?<![\\w*])\\*([^*\\s](?:[^*\\n]*[^*\\s])?)\\*(?![\\w*])|\\[([^[\\]\\n]+)\\]\\((https?:\\/\\/[^\\s()<>"]+)\\)|(https?:\\/\\/[^\\s()<>"\'`]*[^\\s()<>"\'`.,;:!?])/g':
    'docs of the sources',
  'page/sample.ts /\\$\\{([^}]*)\\}/g': 'types of the sources',
  'page/browser/headers.ts /^basic\\s+(.*:.*)$/i': 'what the reader of the page types',
  'xmlrpc/fallback.ts /<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<!--[\\s\\S]*?-->|<\\?[\\s\\S]*?\\?>/g':
    'checkWellFormed has accepted the text: markup is closed',
}

function literalsIn(file: string): Found[] {
  const text = readFileSync(join(root, 'runtime', file), 'utf8')
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? []
      found.push({ file, source, flags })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext))
  return found
}

const files = readdirSync(join(root, 'runtime'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.gen.ts'))

const constructed: Found[] = []

beforeAll(async () => {
  // What modules build from parts when they are loaded.
  vi.resetModules()
  const Original = RegExp
  vi.stubGlobal(
    'RegExp',
    new Proxy(Original, {
      construct(target, args: [string | RegExp, string?]) {
        const made = Reflect.construct(target, args) as RegExp
        constructed.push({ file: 'made', source: made.source, flags: made.flags })
        return made
      },
    }),
  )
  for (const file of [
    'values/format',
    'values/more-formats',
    'xmlrpc/decode',
    'xmlrpc/parse',
    'description/json-schema',
  ]) {
    await import(join(root, 'runtime', `${file}.ts`))
  }
  vi.stubGlobal('RegExp', Original)
})

afterAll(() => void vi.unstubAllGlobals())

const nameOf = ({ file, source, flags }: Found) => `${file} /${source}/${flags}`

const isSlow = ({ source, flags }: Found) => dividedAt(source, flags) !== undefined || slowPartOf(source) !== undefined

test('the expressions in the sources of the runtime are linear, but for those in the list', () => {
  const all = files.flatMap(literalsIn)
  expect(all.length).toBeGreaterThan(120)
  expect(all.filter(isSlow).map(nameOf).sort()).toEqual(Object.keys(allowed).sort())
})

test('expressions that modules build from parts are linear', () => {
  expect(constructed.length).toBeGreaterThan(5)
  expect(constructed.filter(isSlow).map(nameOf)).toEqual([])
})

test('the expressions of template literal types are linear', () => {
  const patterns = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^\^.*\$$/s.test(node.text)) patterns.add(node.text)
    ts.forEachChild(node, visit)
  }
  for (const fixture of ['templates', 'index-signatures', 'map-keys', 'text-unions']) {
    const path = join(root, 'fixtures/generate', fixture, 'expected.gen.ts')
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext))
  }
  expect(patterns.size).toBeGreaterThan(10)
  // A placeholder ends where the text after it begins: `(?:(?!-)[\s\S])*` is `[^-]*`.
  const plain = [...patterns].map((each) => each.replace(/\(\?:\(\?!(\\?.)\)\[\\s\\S\]\)/g, '[^$1]'))
  expect(plain.filter((source) => isSlow({ file: 'template', source, flags: '' }))).toEqual([])
})

test.each([
  ['\\s+$', true],
  ['^\\s+', false],
  ['^\\S+@\\S+$', true],
  ['a+b', true],
  ['^(?:a*b)*c*$', false],
  ['^(?:a|aa)+$', true],
  ['\\de\\+?\\d{3}|\\b\\d{200}', false],
])('%s: the analysis finds that it is slow: %s', (source, expected) => {
  expect(isSlow({ file: '', source, flags: '' })).toBe(expected)
})
