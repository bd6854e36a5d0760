import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { root } from './support/paths.js'

interface Import {
  readonly from: string
  /** Relative to the project's root, or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
}

function filesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name))
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

/** Every import, export … from and import() of a file. */
function importsOf(path: string): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteral(specifier)) {
      const { text } = specifier
      found.push({ from: path, to: text.startsWith('.') ? join(dirname(path), text) : text, typeOnly })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause))
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false)
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    ts.forEachChild(node, visit)
  }
  visit(parse(path))
  return found
}

/** `import type { A }`, and `import { type A }` with nothing else in it. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const { name, namedBindings } = clause
  if (name || !namedBindings || ts.isNamespaceImport(namedBindings)) return false
  return namedBindings.elements.length > 0 && namedBindings.elements.every((each) => each.isTypeOnly)
}

const runtime = filesIn('runtime').flatMap(importsOf)
const templates = filesIn('templates').flatMap(importsOf)
const generator = filesIn('generator').flatMap(importsOf)

function isBuiltin(to: string): boolean {
  return to.startsWith('node:') || builtinModules.includes(to)
}

/** What the runtime and the generator both use. */
const shared =
  /^runtime\/(?:description\/|(?:error|source-record|values\/(?:cache|constraints|format|more-formats|types))\.[jt]s$)/

describe('the rules', () => {
  test('1: runtime imports hono; one file each imports fast-xml-parser, OpenTelemetry and the types of Node', () => {
    const foreign = runtime.filter(({ to }) => !to.startsWith('runtime/') && !/^hono(\/|$)/.test(to))
    const allowed = (each: Import) => each.to === 'fast-xml-parser' && each.from === 'runtime/xmlrpc/fallback.ts'
    const telemetry = (each: Import) => each.to === '@opentelemetry/api' && each.from === 'runtime/opentelemetry.ts'
    const types = (each: Import) => each.to === '@standard-schema/spec' && each.typeOnly
    const node = (each: Import) => isBuiltin(each.to) && each.typeOnly && each.from === 'runtime/node.ts'
    expect(foreign.filter((each) => !allowed(each) && !telemetry(each) && !types(each) && !node(each))).toEqual([])
    expect(foreign.filter(allowed).length).toBe(1)
    expect(foreign.filter(node).length).toBeGreaterThan(0)
    expect(runtime.length).toBeGreaterThan(100)
  })

  test('2: templates import each other, descriptions and constraints, and types of the model and the runtime', () => {
    const values = templates.filter(({ typeOnly }) => !typeOnly).map(({ to }) => to)
    const isOwn = (to: string) => to.startsWith('templates/') || to === 'generator/text.js'
    expect(values.filter((to) => !isOwn(to) && !shared.test(to))).toEqual([])
    const known = /^(?:(?:templates|generator\/model|runtime)\/|generator\/text\.js$)/
    expect(templates.filter(({ to }) => !known.test(to))).toEqual([])
    expect(templates.length).toBeGreaterThan(50)
  })

  test('2: only generator/build imports templates, and the two languages do not import each other', () => {
    const users = generator.filter(({ to }) => to.startsWith('templates/'))
    expect(users.filter(({ from }) => !from.startsWith('generator/build/'))).toEqual([])
    expect(users.length).toBeGreaterThan(3)
    const languageOf = (path: string) => /^templates\/(\w+)\//.exec(path)?.[1]
    const across = templates.filter(({ from, to }) => languageOf(to) && languageOf(to) !== languageOf(from))
    expect(across).toEqual([])
    expect(importsOf('generator/text.ts')).toEqual([])
  })

  test('3: generator imports templates, the types of runtime, and what both use: error codes, source records, descriptions and constraints', () => {
    const inside = generator.filter(({ to }) => to.startsWith('runtime/') || to.startsWith('rpc-gen'))
    const values = inside.filter(({ typeOnly }) => !typeOnly)
    expect(values.filter(({ to }) => !shared.test(to))).toEqual([])
    expect(values.length).toBeGreaterThan(10)
    const known = /^(generator|templates|runtime)\/|^(ts-morph|comment-parser|tinyglobby)$/
    const vite = ({ from, to, typeOnly }: Import) => from === 'generator/vite.ts' && to === 'vite' && typeOnly
    expect(generator.filter((each) => !known.test(each.to) && !isBuiltin(each.to) && !vite(each))).toEqual([])
  })

  test('3: descriptions and constraints import values from each other only', () => {
    const started = [
      ...new Set(
        [...generator, ...templates].map(({ to }) => to.replace(/\.js$/, '.ts')).filter((to) => shared.test(to)),
      ),
    ]
    const values = runtime.filter(({ typeOnly }) => !typeOnly)
    const all = new Set(started.flatMap((path) => [path, ...reached(path, values)]))
    expect([...all].filter((path) => !shared.test(path))).toEqual([])
  })

  test('3: ts-morph stays in generator/source, comment-parser in generator/doc-comments', () => {
    const home: Record<string, string> = {
      'ts-morph': 'generator/source/',
      'comment-parser': 'generator/doc-comments/',
    }
    expect(generator.filter(({ from, to }) => home[to] !== undefined && !from.startsWith(home[to]))).toEqual([])
  })

  test('4: a generated file imports rpc-gen/codegen/v1 and the modules of its user', () => {
    const generated = filesIn('fixtures').filter((path) => path.endsWith('.gen.ts'))
    const imports = generated.flatMap(importsOf)
    const ours = /^rpc-gen\/(?:codegen\/v1|client)$/
    expect(imports.filter(({ to }) => !ours.test(to) && !to.startsWith('fixtures/'))).toEqual([])
    expect(generated.length).toBeGreaterThan(20)
  })

  test('5: the protocols never import each other', () => {
    const other: Record<string, string> = { jsonrpc: 'runtime/xmlrpc/', xmlrpc: 'runtime/jsonrpc/' }
    const crossing = runtime.filter(({ from, to }) => to.startsWith(other[from.split('/')[1] ?? ''] ?? '-'))
    expect(crossing).toEqual([])
  })

  test('5: the protocols have the same file names for the same role', () => {
    expect(namesIn('runtime/xmlrpc')).toEqual([...namesIn('runtime/jsonrpc'), ...Object.keys(onlyInXml)].sort())
  })
})

/** Roles that JSON-RPC does not have, and why. */
const onlyInXml: Readonly<Record<string, string>> = {
  elements: 'the elements of a document; JSON-RPC checks a parsed object',
  encode: 'values become elements by their types; JSON.stringify writes JSON',
  response:
    'responses of other servers, with what they send beyond the specification; JSON-RPC responses are read by the client',
  fallback: 'fast-xml-parser for documents with another prefix; JSON has no second reader',
}

function namesIn(folder: string): string[] {
  return filesIn(folder)
    .map((path) => basename(path, '.ts'))
    .sort()
}

/** The source of a module. */
function pathOf(to: string): string {
  const path = to.replace(/\.js$/, '.ts')
  return existsSync(join(root, `${path}x`)) ? `${path}x` : path
}

/** The files that a file imports, and those that these import. */
function reached(from: string, imports: readonly Import[], seen = new Set<string>()): Set<string> {
  for (const { to } of imports.filter((each) => each.from === from)) {
    const path = pathOf(to)
    if (seen.has(path)) continue
    seen.add(path)
    reached(path, imports, seen)
  }
  return seen
}

test.each([
  ['generator', generator],
  ['templates', templates],
  ['runtime', runtime],
])('no module of %s imports itself through others, types included', (folder, imports) => {
  expect(filesIn(folder).filter((path) => reached(path, imports).has(path))).toEqual([])
})

/**
 * Returns the directory of a file. A file beside directories counts as one: an entry point, such as `runtime/index.ts`, is above
 * them, and `runtime/error.ts` below them.
 */
function directoryOf(path: string): string {
  const folder = dirname(path)
  return parents.has(folder) ? path.replace(/\.[jt]sx?$/, '') : folder
}

const parents = new Set([
  'generator',
  ...['runtime', 'templates'].flatMap(filesIn).map((path) => dirname(dirname(path))),
])

test('6: no two directories import each other, types included', () => {
  const edges = new Set<string>()
  const own = /^(?:runtime|templates|generator)\//
  for (const { from, to } of [...runtime, ...templates, ...generator]) {
    if (own.test(to)) edges.add(`${directoryOf(from)} → ${directoryOf(to)}`)
  }
  const mutual = [...edges].filter((edge) => {
    const [from, to] = edge.split(' → ') as [string, string]
    return from < to && edges.has(`${to} → ${from}`)
  })
  expect(mutual.sort()).toEqual([])
  expect(edges.size).toBeGreaterThan(200)
})

test('6: no two directories of the generator import each other, with what is below them', () => {
  const topOf = (path: string) => path.split('/').slice(0, 2).join('/')
  const edges = new Set(generator.map(({ from, to }) => `${topOf(from)} → ${topOf(to)}`))
  const reversed = (edge: string) => edge.split(' → ').toReversed().join(' → ')
  const mutual = [...edges].filter((edge) => edge !== reversed(edge) && edges.has(reversed(edge)))
  expect(mutual).toEqual([])
  expect(edges.size).toBeGreaterThan(50)
})

/** What a directory of the runtime imports of the others, types included. Those that are not listed import more than they leave out. */
const inside: Readonly<Record<string, readonly string[]>> = {
  platform: ['error', 'values'],
  values: [],
  types: ['call', 'description'],
  description: ['error', 'protocols', 'values'],
  call: ['description', 'error', 'option-table', 'platform', 'protocols', 'values'],
  // The codecs are also those of the server, whose types they import.
  client: ['description', 'error', 'jsonrpc', 'platform', 'types', 'values', 'xmlrpc'],
}

test.each(Object.entries(inside))('runtime/%s imports %j', (directory, others) => {
  const found = runtime.filter(({ from }) => from.startsWith(`runtime/${directory}/`))
  const names = found.flatMap(({ to }) => /^runtime\/([\w-]+)/.exec(to)?.[1] ?? [])
  expect(names.filter((name) => name !== directory && !others.includes(name))).toEqual([])
})

test('http imports neither the server, the legacy entry points nor the client', () => {
  const above = /^runtime\/(?:server|legacy|client)\//
  expect(runtime.filter(({ from, to }) => from.startsWith('runtime/http/') && above.test(to))).toEqual([])
})

test('each directory of generator/source imports those before it', () => {
  const order = ['program', 'comments', 'constraints', 'types', 'procedures']
  const levelOf = (path: string) => order.indexOf(/^generator\/source\/(\w+)\//.exec(path)?.[1] ?? '')
  const inside = generator.filter(({ from, to }) => levelOf(from) >= 0 && to.startsWith('generator/source/'))
  expect(inside.length).toBeGreaterThan(150)
  expect(inside.filter(({ from, to }) => levelOf(to) < 0 || levelOf(to) > levelOf(from))).toEqual([])
})

test('generator/diff shares descriptions, options and texts with the rest', () => {
  const shared =
    /^generator\/(?:diff|options|diagnostics)\/|^generator\/text\.js$|^runtime\/(?:description\/|(?:values\/(?:types|constraints)|error)\.js$)/
  const isInside = (path: string) => path.startsWith('generator/diff/')
  expect(generator.filter(({ from, to }) => isInside(from) && !isBuiltin(to) && !shared.test(to))).toEqual([])
  const users = generator.filter(({ from, to }) => !isInside(from) && isInside(to)).map(({ from }) => from)
  expect([...new Set(users)].sort()).toEqual([
    'generator/build/render.ts',
    'generator/command/diff.ts',
    'generator/command/main.ts',
  ])
})

test('generator and templates have no state in modules: a run has objects of its own', () => {
  expect([...filesIn('generator'), ...filesIn('templates')].flatMap(moduleState)).toEqual([])
  const source =
    'let a = 1\nconst b = new Map()\nconst c = [new WeakMap<object, string>()]\nclass A { static d = new Set() }'
  expect(stateIn(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true))).toEqual([
    ...['let a = 1', 'new Map()', 'new WeakMap<object, string>()', 'new Set()'],
  ])
})

function moduleState(path: string): string[] {
  return stateIn(parse(path)).map((text) => `${path}: ${text}`)
}

/** Returns the variables of a module that can be assigned, and its empty collections, except those that are typed as read-only. */
function stateIn(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isPropertyDeclaration(node) && !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
      return
    if (ts.isVariableDeclaration(node) && /^Readonly(?:Map|Set)\b/.test(node.type?.getText() ?? '')) return
    const isAssignable = ts.isVariableDeclarationList(node) && !(node.flags & ts.NodeFlags.Const)
    const isEmpty =
      ts.isNewExpression(node) && /^(?:Weak)?(?:Map|Set)$/.test(node.expression.getText()) && !node.arguments?.length
    if (isAssignable || isEmpty) found.push(node.getText())
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('the sizes', () => {
  const files = ['runtime', 'templates', 'generator'].flatMap(filesIn)

  test('no file is longer than 500 lines', () => {
    const lengths = files.map((path) => ({
      path,
      lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length,
    }))
    expect(lengths.filter(({ lines }) => lines > 500)).toEqual([])
  })

  test('no function is longer than 50 lines', () => {
    expect(files.flatMap(functionsOf).filter(({ lines }) => lines > 50)).toEqual([])
  })
})

function functionsOf(path: string): { readonly at: string; readonly lines: number }[] {
  const source = parse(path)
  const found: { readonly at: string; readonly lines: number }[] = []
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node) {
      const first = line(node.getStart())
      found.push({ at: `${relative('.', path)}:${first + 1}`, lines: line(node.end) - first + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
