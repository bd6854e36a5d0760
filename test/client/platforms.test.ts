import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { createHost } from '../support/compiler.js'
import { root } from '../support/paths.js'

const common = { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: false }

function optionsOf(more: object): ts.CompilerOptions {
  return ts.convertCompilerOptionsFromJson({ ...common, ...more }, root).options
}

/** The declarations of the client, as a package has them, by the paths of their sources. */
function declarations(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const options = optionsOf({ declaration: true, emitDeclarationOnly: true, types: ['node'], lib: ['es2023', 'dom'] })
  ts.createProgram([join(root, 'runtime/client/index.ts')], options, createHost(options)).emit(
    undefined,
    (path, text) => {
      found.set(path, text)
    },
  )
  return found
}

const caller = join(root, 'runtime/client/caller.ts')
const call = `import { createClient, type HeadersSource, tableCodec, xmlRpc } from './index.js'
const headers: HeadersSource = async () => [['X-A', '1']]
export const one = createClient<{ add: (a: number) => number }>('x', { headers, init: { keepalive: true } })
export const two = one.$with({ headers: { 'X-A': '1' }, signal: new AbortController().signal })
export const three = createClient('x', { fetch: (url, init) => fetch(url, init), transport: xmlRpc() })
export const four = createClient('x', { headers: new Headers(), codec: tableCodec({ methods: {} }) })
// @ts-expect-error: no headers
createClient('x', { headers: 7 })
`
const written = declarations()

test.each([
  ['Node, without the DOM', { types: ['node'], lib: ['es2022'] }],
  ['the DOM, without Node', { types: [], lib: ['es2022', 'dom', 'dom.iterable'] }],
])('the types need nothing but those of %s', (_, platform) => {
  const options = optionsOf({ ...platform, noEmit: true })
  const host = createHost(options)
  const { readFile, fileExists, getSourceFile } = host
  // This program has no sources: a user has only their declarations.
  const textOf = (path: string) => (path === caller ? call : written.get(path))
  const isSource = (path: string) => dirname(path).startsWith(join(root, 'runtime')) && path.endsWith('.ts')
  host.fileExists = (path) => (isSource(path) ? textOf(path) !== undefined : fileExists(path))
  host.readFile = (path) => (isSource(path) ? textOf(path) : readFile(path))
  host.getSourceFile = (path, version, ...more) => {
    const text = textOf(path)
    return text === undefined ? getSourceFile(path, version, ...more) : ts.createSourceFile(path, text, version)
  }
  const program = ts.createProgram([caller], options, host)
  const own = program.getSourceFiles().filter(({ fileName }) => fileName === caller || written.has(fileName))
  expect(own.length).toBeGreaterThan(10)
  const errors = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ])
  expect(
    errors.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  ).toEqual([])
})
