import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { createHost } from '../support/compiler.js'
import { root } from '../support/paths.js'

// Fragments are the ts blocks of the docs that are not files of a project which another test runs. They are type-checked: what they
// import from rpc-gen, the options that they pass, and the types of results. Names that they do not declare have any type.

/** Pages whose blocks other tests compare or run. */
const otherTests = /^(?:reference\/(?:api\/.*|diagnostics|generated-module)|(?:.*\/)?node_modules\/.*)\.md$/

interface Fragment {
  readonly page: string
  readonly line: number
  readonly text: string
}

/** Returns the fragments of a page. `<!-- not checked: why -->` before a block excludes it. */
function fragmentsOf(page: string): Fragment[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = [...text.matchAll(/(<!-- not checked: .+ -->\n)?^```ts.*\n([\s\S]*?)^```$/gm)]
  return blocks.flatMap(({ 1: unchecked, 2: block = '', index }) => {
    if (unchecked || block.startsWith('// file: ')) return []
    return [{ page, line: text.slice(0, index).split('\n').length, text: block }]
  })
}

const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((page) => page.replaceAll('\\', '/'))
  .filter((page) => page.endsWith('.md') && !otherTests.test(page))
const fragments = pages.flatMap(fragmentsOf)

/** What fragments use without declaring it: the objects that their pages have introduced. */
const introduced: Readonly<Record<string, string>> = {
  server: "import('rpc-gen').RpcServer",
  app: "import('hono').Hono",
  procedures: "import('rpc-gen').Manifest",
}

/** Exports that fragments use without importing them, by the entry point to import them from. */
const imported: Readonly<Record<string, readonly string[]>> = {
  'rpc-gen': ['RpcServer', 'RpcError', 'constantTimeEqual', 'extractBearerToken'],
  'rpc-gen/client': ['createClient'],
  'rpc-gen/mcp': ['mcp', 'serveStdio'],
  'rpc-gen/vite': ['rpcGen'],
}

/** Returns the source of a fragment, with declarations on the line before it. */
function sourceOf({ page, text }: Fragment): string {
  const isUsed = (name: string) => new RegExp(`(?<![.'\\w])${name}\\b`).test(text)
  const isDeclared = (name: string) => new RegExp(`(?:import\\b[^\\n]*|const |let |function )\\b${name}\\b`).test(text)
  const isMissing = (name: string) => isUsed(name) && !isDeclared(name)
  const webSocket = page.startsWith('reference/client') ? 'rpc-gen/client/websocket' : 'rpc-gen/websocket'
  const imports = Object.entries({ ...imported, [webSocket]: ['webSocket'] }).flatMap(([module, names]) =>
    names.filter(isMissing).map((name) => `import { ${name} } from '${module}';`),
  )
  const objects = Object.entries(introduced).filter(([name]) => isMissing(name))
  const declarations = objects.map(([name, type]) => `declare const ${name}: ${type};`)
  return `export {};${[...imports, ...declarations].join(' ')}\n${text}`
}

/** Unknown names and modules: those of the reader's project, and packages that are not installed here. */
const unknown = [2304, 2307, 2503, 2552, 2580, 18004]

function problems(): ReadonlyMap<Fragment, string[]> {
  const byPath = new Map(fragments.map((each, i) => [join(root, `test/fragment-${i}.ts`), each]))
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys as never)
  const options = {
    ...config?.options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    noImplicitAny: false,
    noPropertyAccessFromIndexSignature: false,
  }
  const host = createHost(options)
  const { getSourceFile, fileExists, readFile } = host
  const textOf = (path: string) => {
    const fragment = byPath.get(path)
    return fragment && sourceOf(fragment)
  }
  host.fileExists = (path) => byPath.has(path) || fileExists(path)
  host.readFile = (path) => textOf(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = textOf(path)
    return text === undefined
      ? getSourceFile(path, target, ...rest)
      : ts.createSourceFile(
          path,
          text,
          { languageVersion: ts.ScriptTarget.ES2023, impliedNodeFormat: ts.ModuleKind.ESNext },
          true,
        )
  }
  const program = ts.createProgram([...byPath.keys()], options, host)
  return new Map(
    [...byPath].map(([path, fragment]) => {
      const file = program.getSourceFile(path)
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      const texts = found
        .filter(({ code }) => !unknown.includes(code))
        .map(({ code, start = 0, messageText }) => {
          const line = fragment.line + (file?.getLineAndCharacterOfPosition(start).line ?? 0)
          return `docs/${fragment.page}:${line} TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
        })
      return [fragment, texts]
    }),
  )
}

describe('the fragments of the docs', () => {
  test('exist', () => {
    expect(fragments.length).toBeGreaterThan(20)
  })

  test('have no type errors', () => {
    expect([...problems().values()].flat()).toEqual([])
  })
})
