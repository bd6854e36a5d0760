import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { install } from './support/install.js'
import { mustRun } from './support/run.js'
import { skipped } from './support/skip.js'
import { temporaryFolder } from './support/temporary-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The pages that show calls; test/hosts has those that show programs of hosts. */
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((page) => page.endsWith('.md') && !/(?:^|[/\\])(?:node_modules|hosts)[/\\]/.test(page))
  .filter((page) => /^curl localhost/m.test(readFileSync(join(root, 'docs', page), 'utf8')))

/** Packages that examples import, beside those of the project. */
const packages = join(root, 'test/docs-examples')
const notInstalled = await install(packages)
const added = Object.keys(JSON.parse(readFileSync(join(packages, 'package.json'), 'utf8')).dependencies)

/** Returns the packages that a page imports. */
function addedOf(page: string): string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return added.filter((name) => new RegExp(` from '${name}['/]`).test(text))
}

const skips = pages.filter((page) => addedOf(page).length > 0 && skipped(`the examples of docs/${page}`, notInstalled))

/** A curl line of a page, and the response that it shows. */
interface Exchange {
  readonly curl: string
  readonly answer: string
}

/** The files that a page shows: blocks that begin with `// file: src/app.ts`. */
function filesOf(text: string): { path: string; content: string }[] {
  const blocks = [...text.matchAll(/^```(?:ts|json)\n\/\/ file: (\S+)\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, path = '', content = '']) => ({ path, content }))
}

function exchangesOf(text: string): Exchange[] {
  return [...text.matchAll(/^(curl localhost.*)\n# (.*)$/gm)].map(([, curl = '', answer = '']) => ({ curl, answer }))
}

/** Reads the few options of curl that the pages use. */
function requestOf(curl: string): { path: string; headers: Record<string, string>; body: string } {
  const words = [...curl.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const headers: Record<string, string> = {}
  let body = ''
  for (const [i, word] of words.entries()) {
    const value = words[i + 1] ?? ''
    if (word === '-H') headers[value.slice(0, value.indexOf(':'))] = value.slice(value.indexOf(':') + 2)
    if (word === '-u') headers['Authorization'] = `Basic ${btoa(value)}`
    if (word === '-d') body = value
  }
  return { path: (words[1] ?? '').replace('localhost', ''), headers, body }
}

/** Declarations of other packages may need packages that are not installed. */
const tsconfigOf = (skipLibCheck: boolean) => ({
  compilerOptions: {
    skipLibCheck,
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    rootDir: 'src',
    outDir: 'built',
    types: ['node'],
  },
  include: ['src'],
})

const client = `import { app } from './built/app.js'
const requests = JSON.parse(process.argv[2])
const answers = []
for (const { path, headers, body } of requests) {
  answers.push(await (await app.request(path, { method: 'POST', headers, body })).text())
}
console.log(JSON.stringify(answers))
`

describe.each(pages.filter((page) => !skips.includes(page)))('docs/%s', (page) => {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const exchanges = exchangesOf(text)
  const folder = temporaryFolder('docs')
  let answers: string[] = []

  beforeAll(async () => {
    mkdirSync(join(folder, 'node_modules'))
    for (const name of ['hono', '@types'])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    symlinkSync(root, join(folder, 'node_modules', 'rpc-gen'))
    const imported = addedOf(page)
    for (const name of imported) symlinkSync(join(packages, 'node_modules', name), join(folder, 'node_modules', name))
    const files = filesOf(text)
    const fixed = [
      { path: 'package.json', content: '{"type":"module"}' },
      { path: 'tsconfig.json', content: JSON.stringify(tsconfigOf(imported.length > 0)) },
      { path: 'client.js', content: client },
    ]
    for (const { path, content } of [...fixed, ...files]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const paths = files.some(({ path }) => path.startsWith('rpc.config')) ? [] : ['src/procedures']
    await mustRun(folder, process.execPath, join(root, 'dist/generator/cli.cjs'), ...paths)
    await mustRun(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'))
    const requests = exchanges.map(({ curl }) => requestOf(curl))
    const tests = files
      .filter(({ path }) => path.endsWith('.test.ts'))
      .map(({ path }) => path.replace(/^src(.*)ts$/, 'built$1js'))
    if (tests.length > 0) await mustRun(folder, process.execPath, '--test', ...tests)
    answers = JSON.parse(await mustRun(folder, process.execPath, 'client.js', JSON.stringify(requests)))
  })

  test('shows calls', () => {
    expect(exchanges.length).toBeGreaterThan(0)
  })

  test.each(exchanges.map((exchange, i) => ({ ...exchange, i })))('$curl', ({ answer, i }) => {
    expect(answers[i]).toBe(answer)
  })
})
