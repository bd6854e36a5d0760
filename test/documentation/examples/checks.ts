import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runRpcGen } from '../../support/command.js'
import { compile } from '../../support/compiler.js'
import { generate } from '../../support/generate.js'
import { root } from '../../support/paths.js'
import { requireBuild, writeFiles } from '../../support/project.js'
import { mustRun, run } from '../../support/run.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** The pages that show calls; test/hosts has those that show programs of hosts. */
const all = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((page) => page.endsWith('.md') && !/(?:^|[/\\])(?:node_modules|hosts)[/\\]/.test(page))
  .filter((page) => /^curl 127\.0\.0\.1:3000/m.test(readFileSync(join(root, 'docs', page), 'utf8')))

/** Packages that examples import, beside those of the project. */
export const packages = import.meta.dirname
export const added = Object.keys(JSON.parse(readFileSync(join(packages, 'package.json'), 'utf8')).dependencies)

/** Returns the packages that a page imports. */
function addedOf(page: string): string[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  return added.filter((name) => new RegExp(` from '${name}['/]`).test(text))
}

/** The pages whose examples import packages of the project alone, and the other ones. */
export const ownPages = all.filter((page) => addedOf(page).length === 0)
export const externalPages = all.filter((page) => addedOf(page).length > 0)

/** A curl line of a page, and the response that it shows, in lines that begin with `#`. */
interface Exchange {
  readonly curl: string
  readonly response: string
}

/** The files that a page shows: blocks that begin with `// file: src/app.ts`. */
function filesOf(text: string): { path: string; content: string }[] {
  const blocks = [...text.matchAll(/^```(?:ts|json)\n\/\/ file: (\S+)\n([\s\S]*?)^```$/gm)]
  return blocks.map(([, path = '', content = '']) => ({ path, content }))
}

function exchangesOf(text: string): Exchange[] {
  return [...text.matchAll(/^(curl 127\.0\.0\.1:3000.*)((?:\n#.*)+)/gm)].map(([, curl = '', response = '']) => ({
    curl,
    response: response.slice(1).replace(/^# ?/gm, ''),
  }))
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
  return { path: (words[1] ?? '').replace('127.0.0.1:3000', ''), headers, body }
}

const tsconfig = {
  compilerOptions: {
    // test/external/package.test.ts checks the declarations of this package.
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    rootDir: '.',
    outDir: 'built',
    types: ['node'],
  },
  include: ['*/src'],
}

const client = `const { app } = await import(process.argv[2])
const requests = JSON.parse(process.argv[3])
const responses = []
for (const { path, headers, body } of requests) {
  responses.push(await (await app.request(path, { method: 'POST', headers, body })).text())
}
console.log(JSON.stringify(responses))
`

/** Tests the examples of pages; `linked` are the packages that they import beside those of the project. */
export function describeExamples(pages: readonly string[], linked: readonly string[] = []): void {
  const shown = pages.map((page) => ({
    page,
    name: page.replace(/\.md$/, '').replace(/[/\\]/g, '-'),
    text: readFileSync(join(root, 'docs', page), 'utf8'),
  }))

  /** One project with a folder for each page: TypeScript checks the declarations of packages once. */
  let base: string
  const errors = new Map<string, string>()

  beforeAll(async () => {
    requireBuild()
    base = temporaryFolder('docs')
    const packageJson = '{"type":"module"}'
    writeFiles(base, { 'package.json': packageJson, 'tsconfig.json': JSON.stringify(tsconfig), 'client.js': client })
    mkdirSync(join(base, 'node_modules'))
    for (const name of ['hono', '@types']) link(name, join(root, 'node_modules', name))
    for (const name of linked) link(name, join(packages, 'node_modules', name))
    link('rpc-gen', root)
    for (const { name, text } of shown) {
      const files = Object.fromEntries(filesOf(text).map(({ path, content }) => [path, content]))
      const own = { extends: '../tsconfig.json', include: ['src'] }
      const folder = writeFiles(join(base, name), {
        'package.json': packageJson,
        'tsconfig.json': JSON.stringify(own),
        ...files,
      })
      errors.set(name, await generateIn(folder))
    }
    for (const line of compile(base)) {
      const name = line.slice(0, line.indexOf('/'))
      if (!errors.has(name)) throw new Error(line)
      errors.set(name, `${errors.get(name)}${line}\n`)
    }
  })

  function link(name: string, target: string): void {
    symlinkSync(target, join(base, 'node_modules', name))
  }

  /** Generates the module of a page. Returns the errors. */
  async function generateIn(folder: string): Promise<string> {
    if (readdirSync(folder).some((name) => name.startsWith('rpc.config'))) {
      const { status, output } = await runRpcGen(folder)
      return status === 0 ? '' : output
    }
    const { files, diagnostics } = await generate({ cwd: folder, paths: ['src/procedures'] })
    for (const { path, text } of files) writeFileSync(path, text)
    return files.length > 0 ? '' : JSON.stringify(diagnostics)
  }

  describe.each(shown)('docs/$page', ({ name, text }) => {
    const exchanges = exchangesOf(text)
    const tests = filesOf(text).flatMap(({ path }) => (path.endsWith('.test.ts') ? [path.replace(/ts$/, 'js')] : []))
    let responses: string[] = []

    beforeAll(async () => {
      expect(errors.get(name)).toBe('')
      const requests = JSON.stringify(exchanges.map(({ curl }) => requestOf(curl)))
      const app = join(base, 'built', name, 'src/app.js')
      responses = JSON.parse(await mustRun(join(base, name), process.execPath, '../client.js', app, requests))
    })

    if (tests.length > 0) {
      test('the tests pass', async () => {
        const { status, output } = await run(join(base, 'built', name), process.execPath, '--test', ...tests)
        expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('# fail 0') })
      })
    }

    test('shows calls', () => {
      expect(exchanges.length).toBeGreaterThan(0)
    })

    test.each(exchanges.map((exchange, i) => ({ ...exchange, i })))('$curl', ({ response, i }) => {
      // The lines of a stream end with an empty one.
      expect(responses[i]?.trimEnd()).toBe(response)
    })
  })
}
