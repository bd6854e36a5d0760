import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Hono } from 'hono'
import { type ClientOptions, type Fetch, xmlRpc } from 'rpc-gen/client'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import type { Generated } from '../../generator/build/generated.js'
import { formatDiagnostic } from '../../generator/diagnostics/diagnostic.js'
import { jsonText } from '../../generator/diagnostics/printable.js'
import { compareVersions, parseVersion } from '../../generator/diff/version.js'
import { isMethodName } from '../../generator/model/public-names.js'
import { checkedErrors } from '../support/checked.js'
import { generate } from '../support/generate.js'
import { compilerOptions, root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Texts that mean something to a language that an output is in, or to a tool that shows it. */
const marks = [
  ...[
    '[',
    ']',
    "'",
    '"',
    '`',
    '\\',
    ';',
    '\n',
    '\r',
    '\t',
    '*/',
    '/*',
    '//',
    '${',
    '}',
    '<',
    '</script>',
    '<!--',
    '&',
    '#',
  ],
  ...[
    '__proto__',
    '__@',
    '...',
    '|',
    '?',
    '~',
    '%',
    ' ',
    '\0',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u200b',
    '\u200d',
  ],
  ...['\u2028', '\u202e', '\u2066', '\u3164', '\ufe0f', '\ufeff', '\ue000', '\u{e0041}'],
]
const canary = '(globalThis as any).PWNED = 1'
const indexSignature = `[k: string]: any }; ${canary}; interface Q { [k: string]`

/** Each mark first, and last behind a statement; code for the places that outputs have names in; names that objects have. */
const allNames: readonly string[] = [
  ...new Set([
    ...marks.flatMap((mark) => [`${mark}x`, `${canary}${mark}`]),
    ...[
      indexSignature,
      '[draft]',
      `'];${canary};['`,
      `"];${canary};["`,
      `\${${canary}}`,
      `*/${canary}/*`,
      `\n${canary}\n`,
    ],
    ...[
      '',
      '0',
      '-1',
      '__proto__',
      '1e3',
      'constructor',
      'toString',
      'hasOwnProperty',
      'then',
      'toJSON',
      'default',
      '\ue000url',
    ],
    ...['x | undefined | y', '` & `', 'a#b', 'readonly x', 'ref(x)'],
  ]),
]
/** XML cannot represent the other characters. */
const isXml = (name: string) => [...name].every((each) => each >= ' ' || '\t\n\r'.includes(each))
const names = allNames.filter(isXml)
const jsonNames = allNames.filter((name) => !isXml(name))
/** For types that take TypeScript long to compare. */
const someNames = names.filter((_, i) => i % 5 === 0)

/** Characters that no generated source has: they are escaped. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const quoted = (text: string) => JSON.stringify(text)
const lines = (each: (name: string, i: number) => string, all = names) => all.map(each).join('\n')
/** A text in a comment, which it cannot end. */
const commented = (text: string) => text.replaceAll('*/', '*\u200b/').replace(/[\n\r\u2028]/g, ' ')
const inTemplate = (text: string) => text.replace(/[\\`$]/g, '\\$&').replaceAll('\r', '\\r')
const allCommented = commented(names.join(' '))
const prose = marks.map((mark) => ` * ${commented(mark)} word ${commented(mark)}`).join('\n')
/** Words after a tag. */
const wireNames = marks.filter((mark) => !/\s|\*\/|^\ufeff$/.test(mark))
/** Template literal types begin and end with these. */
const templateMarks = marks.filter(isXml)

/** Names of types that objects have, or that change an object which has them as keys. */
const typeNames = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'then', 'toJSON']

const echoes = {
  members: 'Members',
  jsonMembers: 'JsonMembers',
  optional: 'Optional',
  computed: 'Computed',
  nested: 'Nested',
  words: 'Words[]',
  level: 'Level[]',
  tagged: 'Tagged[]',
  keys: 'Keys',
  templates: 'Templates[]',
  both: '(readonly Both[])[]',
  record: 'Record<Words, string>',
  map: 'Map<Words, string>',
  renamed: 'Renamed',
  money: 'Money',
}

const api = `
import { defineScalar, RpcNamespace } from 'rpc-gen'
${lines((name, i) => `export const K${i} = ${quoted(name)} as const`)}

/**
 * A type.
${prose}
 */
export interface Members {
${lines((name) => `  /** The doc of ${commented(name)} */\n  ${quoted(name)}: string`)}
}
export interface JsonMembers {
${lines((name) => `  ${quoted(name)}: string`, jsonNames)}
}
export interface Optional {
${lines((name) => `  ${quoted(name)}?: number`)}
}
export interface Computed {
${lines((_, i) => `  [K${i}]: boolean`)}
}
export interface Nested {
${lines((name) => `  ${quoted(name)}: { ${quoted(name)}: { ${quoted(name)}?: string }[] }`, someNames)}
}
export type Words = ${names.map(quoted).join(' | ')}
export enum Level {
${lines((name) => `  ${quoted(`k${name}`)} = ${quoted(name)},`)}
}
export type Tagged =
${lines((name) => `  | { '[tag]': ${quoted(name)}; ${quoted(name)}: string }`, someNames)}
export interface Keys {
${lines((mark) => `  [key: \`${inTemplate(mark)}-\${string}-${inTemplate(mark)}\`]: string`, templateMarks)}
}
export type Templates = ${templateMarks.map((mark) => `\`${inTemplate(mark)}\${number}${inTemplate(mark)}\``).join(' | ')}
export type Both = \`x\\\` & \\\`\${string}\` & \`\${string}\\\` & \\\`y\`
interface Renamed { n: number }
export type { Renamed as '[Renamed*/' }
export class Money { constructor(readonly text: string) {} }
const codec = defineScalar<Money, string>({ decode: (text) => new Money(text), encode: ({ text }) => text })
export { codec as ${quoted(`codec*/];${canary}`)} }
${Object.entries(echoes)
  .map(([name, type]) => `/** @rpc */\nexport function ${name}(value: ${type}): ${type} { return value }`)
  .join('\n')}

/**
 * Has docs.
${prose}
 *
 * @param value ${allCommented}
 * @returns ${allCommented}
 * @throws {Odd[Error} 4001 ${allCommented}
 * @throws {'];${canary};['} 4002 ${allCommented}
 * @example
 * documented(${quoted(commented(marks.join(' ')))})
 * @deprecated ${allCommented}
 * @since ${allCommented}
 * @rpc
 */
export function documented(value: string): string { return value }
/** @rpc */
export function early(value: 'x | undefined | y' = 'x | undefined | y', last: string): string { return value + last }
/** @rpc */
export function labels(...value: [eval: string, $: string, __proto__?: string]): string[] { return value as string[] }
/** @rpc exported.oddly */
function exported(): string { return 'exported' }
export { exported as ${quoted(`[odd*/;${canary}//`)} }
${typeNames
  .map(
    (name, i) => `
export interface ${name} { name: string; next: ${name} | null }
/** @rpc type.n${i} */
export function type${i}(value: ${name}): ${name} { return value }`,
  )
  .join('\n')}
const namespace = new RpcNamespace()
export class Users {
  @namespace.registerProcedure({ name: 'odd' })
  static ${quoted(`'];${canary};['`)}(): string { return 'member' }
}
${lines(
  (mark, i) => `
/**
 * @wireName a ${mark}a
 * @wireName b a${mark}
 * @rpc wire.n${i}
 */
export function wire${i}(a: string, b: string): string[] { return [a, b] }`,
  wireNames,
)}
`

/** Marks that the name of a file or a folder may have, and that an import may have. */
const fileMarks = marks.filter((mark) => !/[/\\\n\r\t\u2028#?%\0]|^\./.test(mark))
const fileMember = (mark: string) => (isXml(mark) ? mark : 'xml')
const files = fileMarks.map((mark, i) => {
  const text = `
export interface Local { ${quoted(fileMember(mark))}: string }
/** @rpc file.n${i} */
export function file(value: Local): Local { return value }
`
  return [`src/${mark}d*/${mark}f${mark}.ts`, text] as const
})

const folder = temporaryFolder('odd-names')
let generated: Generated
/** The procedures by name, as they are called by position with one value. */
type Call = (...params: unknown[]) => Promise<unknown>
type Calls = Readonly<Record<string, Call & Readonly<Record<string, Call>>>>
let client: (options: ClientOptions) => Calls
let router: Pick<Hono, 'request'>
let server: { docs(options: object): typeof router }

function textOf(name: string): string {
  return generated.files.find(({ path }) => path === join(folder, name))?.text ?? ''
}

function optionsIn(cwd: string) {
  return {
    ...{ cwd, paths: ['src'], out: 'rpc.gen.ts', client: 'client.gen.ts', clientCodecs: true },
    ...{ openrpc: 'openrpc.json', jsonSchema: 'schema.json', lock: 'rpc.lock.json' },
    info: { title: allNames.join(' '), version: allNames.join(' '), description: allNames.join(' ') },
    scalars: { Money: 'src/api.ts' },
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(async () => {
  requireBuild()
  const strict = { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true }
  write('package.json', '{ "type": "module" }')
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...strict }, include: ['**/*'] }))
  const sources = [['src/api.ts', api] as const, ...files]
  for (const [path, text] of sources) write(path, text)
  generated = await generate(optionsIn(folder))
  expect(generated.diagnostics.map(formatDiagnostic)).toEqual([])
  for (const { path, text } of generated.files) writeFileSync(path, text)
  // As Node loads them: Vitest leaves what is in node_modules to Node, and cannot load files with these names itself.
  const outputs = ['rpc.gen.ts', 'client.gen.ts'].map((path) => [path, textOf(path)] as const)
  for (const [path, text] of [...sources, ...outputs]) {
    const compiled = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, ...strict } })
    write(`node_modules/odd/${path.replace(/ts$/, 'js')}`, compiled.outputText)
  }
  write('node_modules/odd/package.json', '{ "type": "module" }')
  write('node_modules/odd/mcp.js', "export { mcp } from 'rpc-gen/mcp'")
  symlinkSync(root, join(folder, 'node_modules/rpc-gen'))
  ;({ router, server } = await import(join(folder, 'node_modules/odd/rpc.gen.js')))
  const { createClient } = await import(join(folder, 'node_modules/odd/client.gen.js'))
  client = (options) => createClient('http://localhost/', { fetch: handle, ...options })
})

const handle: Fetch = async (url, init) => router.request(`${url}`, init as RequestInit)

/** The values that are sent, to the procedures that return them. */
const objectOf = <Value>(value: (name: string) => Value, all = names) =>
  Object.fromEntries(all.map((name) => [name, value(name)]))
const values: Readonly<Record<string, unknown>> = {
  members: objectOf((name) => `value of ${name}`),
  optional: objectOf((name) => name.length),
  computed: objectOf(() => true),
  nested: objectOf((name) => objectOf(() => [objectOf(() => 'inner', [name])], [name]), someNames),
  words: names,
  level: names,
  tagged: someNames.map((name) => ({ '[tag]': name, ...objectOf(() => 'v', [name]) })),
  keys: objectOf(
    (name) => name,
    templateMarks.map((mark) => `${mark}-odd-${mark}`),
  ),
  templates: templateMarks.map((mark) => `${mark}1${mark}`),
  both: [['x` & ` ` & `y']],
  record: objectOf((name) => name),
  renamed: { n: 1 },
  documented: 'text',
}

test('every marked function is a procedure', () => {
  const found = new Set(generated.model.procedures.map(({ name }) => name))
  const expected = [...wireNames.map((_, i) => `wire.n${i}`), ...fileMarks.map((_, i) => `file.n${i}`)]
  expect([...Object.keys(values), ...expected].filter((name) => !found.has(name))).toEqual([])
})

test('the outputs compile without @ts-nocheck', () => {
  expect(checkedErrors(join(folder, 'tsconfig.json'))).toEqual([])
})

test('importing them runs nothing of a name', () => {
  expect(globalThis).not.toHaveProperty('PWNED')
})

test.each(['rpc.gen.ts', 'client.gen.ts'])('%s has only characters that can be seen', (name) => {
  expect(textOf(name)).not.toBe('')
  expect(unseen.exec(textOf(name).replace(/\/\*\*.*?\*\//gs, ''))).toBeNull()
  // Comments have format characters of words and emoji, and none that acts on the text around it.
  expect(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.exec(textOf(name))).toBeNull()
})

const protocols = [
  ['JSON-RPC', {}],
  ['XML-RPC', { transport: xmlRpc() }],
] as const

test.each(protocols)('names are unchanged on the wire, over %s', async (_, options) => {
  const calls = client(options)
  for (const [name, value] of Object.entries(values)) expect([name, await calls[name]?.(value)]).toEqual([name, value])
})

test('so are names that XML cannot represent, over JSON-RPC', async () => {
  const value = objectOf((name) => `value of ${name}`, jsonNames)
  expect(await client({})['jsonMembers']?.(value)).toEqual(value)
})

test.each(protocols)('names of the sources do not decide what is called, over %s', async (_, options) => {
  const calls = client(options)
  expect(await calls['exported']?.['oddly']?.()).toBe('exported')
  expect(await calls['early']?.('x | undefined | y', '!')).toBe('x | undefined | y!')
  expect(await calls['labels']?.('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
  for (const i of wireNames.keys()) expect(await calls['wire']?.[`n${i}`]?.('1', '2')).toEqual(['1', '2'])
  for (const [i, mark] of fileMarks.entries()) {
    const value = objectOf(() => 'v', [fileMember(mark)])
    expect(await calls['file']?.[`n${i}`]?.(value)).toEqual(value)
  }
})

test('parameters have their names on the wire', async () => {
  for (const [i, mark] of wireNames.entries()) {
    const params = objectOf((name) => name, [`${mark}a`, `a${mark}`])
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `wire.n${i}`, params })
    const response = await router.request('/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect(await response.json()).toMatchObject({ result: [`${mark}a`, `a${mark}`] })
  }
})

/** Characters that act on a terminal or an editor; a document has them as escapes. */
const acting = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

test.each(['openrpc.json', 'schema.json', 'rpc.lock.json'])('%s has the names, and no character that acts', (name) => {
  const { components, $defs, types } = JSON.parse(textOf(name))
  expect(acting.exec(textOf(name))).toBeNull()
  expect(new Set(types ? membersInLock(types) : membersOf((components?.schemas ?? $defs).Members))).toEqual(
    new Set(names),
  )
})

/** The places that a document has references to, below `at`. */
function refsIn(document: object): readonly string[] {
  return [...JSON.stringify(document).matchAll(/"\$ref":"#\/(.*?)"/g)].map(([, pointer]) => pointer as string)
}

const at = (document: object, pointer: string) =>
  pointer
    .split('/')
    .reduce(
      (value: unknown, key) => (Object.hasOwn(value as object, key) ? (value as never)[key] : undefined),
      document,
    )

test.each(['openrpc.json', 'schema.json'])('%s has every type that it refers to', (name) => {
  const document = JSON.parse(textOf(name))
  const refs = refsIn(document)
  expect(refs.map((ref) => ref.split('/').at(-1))).toEqual(
    expect.arrayContaining(['__proto__', '__defineGetter__', 'Constructor']),
  )
  expect(refs.filter((ref) => at(document, ref) === undefined)).toEqual([])
})

test('a tool has every type that it refers to', async () => {
  const { mcp } = await import(join(folder, 'node_modules/odd/mcp.js'))
  const response = await mcp(server, { tools: 'all' }).request('/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', Host: 'localhost' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  const { tools }: { tools: { name: string; inputSchema?: object }[] } = (await response.json()).result
  for (const i of typeNames.keys()) {
    const { inputSchema } = tools.find(({ name }) => name === `type_n${i}`) ?? {}
    const refs = refsIn(inputSchema as object)
    expect(refs).not.toEqual([])
    expect(refs.filter((ref) => at(inputSchema as object, ref) === undefined)).toEqual([])
  }
})

/** A member `__proto__` is described by a pattern. */
function membersOf({ properties, patternProperties = {} }: Readonly<Record<string, object>>): string[] {
  return [...Object.keys(properties ?? {}), ...Object.keys(patternProperties).map((each) => each.slice(1, -1))]
}

function membersInLock(types: readonly { name: string; type: { members: readonly { name: string }[] } }[]): string[] {
  return types.find(({ name }) => name === 'Members')?.type.members.map(({ name }) => name) ?? []
}

test('the info of the document is that of the options', () => {
  expect(JSON.parse(textOf('openrpc.json')).info).toMatchObject({
    title: allNames.join(' '),
    version: allNames.join(' '),
  })
})

test('a lock and a document do not differ from themselves', () => {
  for (const name of ['rpc.lock.json', 'openrpc.json']) {
    const [old, now] = [parseVersion(textOf(name), 'old'), parseVersion(textOf(name), 'new')]
    expect(compareVersions(old, now)).toEqual([])
  }
})

test('the model has the names, and is printed without characters that act', () => {
  const text = jsonText(generated.model, 2)
  expect(acting.exec(text)).toBeNull()
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(generated.model)))
})

test('the page has the names in its data, and markup of none', async () => {
  const page = await (await server.docs({ endpoint: '/rpc' }).request('/')).text()
  const data = JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page)?.[1] ?? '')
  const members = data.types.find((each: { name: string }) => each.name === 'Members').type.members
  expect(new Set(members.map((each: { name: string }) => each.name))).toEqual(new Set(names))
  // The style and the script of the page, the data, and the addresses of nothing else.
  expect(page.match(/<script\b/g)).toHaveLength(2)
  expect(page).not.toContain('<!--')
})

test.each(marks.map((mark) => [mark]))('a procedure has %j in its name only if that is allowed', async (mark) => {
  const cwd = temporaryFolder('odd-procedure')
  writeFileSync(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib: ['es2023'] } }),
  )
  writeFileSync(
    join(cwd, 'api.ts'),
    `/** @rpc */\nfunction f(): string { return '' }\nexport { f as ${quoted(`${mark}f`)} }\n`,
  )
  const { diagnostics, files: written } = await generate({ cwd, paths: ['api.ts'], out: 'rpc.gen.ts' })
  expect(diagnostics.map(({ code }) => code)).toEqual(isMethodName(`${mark}f`) ? [] : ['RPC113'])
  for (const { text } of written) expect(unseen.exec(text)).toBeNull()
  expect(acting.exec(diagnostics.map(formatDiagnostic).join('\n'))).toBeNull()
})

/** Sources that no import can name, or that no pattern finds: all of them are errors. */
const unusable = [
  'a\\b.ts',
  'a\\b/c.ts',
  'a\tb.ts',
  'a\nb.ts',
  'a\rb.ts',
  'a#b.ts',
  'a?b.ts',
  'a%b.ts',
  '\nb.ts',
  '\u2028b.ts',
  '\rd/c.ts',
]

test.each(unusable.map((name) => [name]))('the source %j is not skipped silently', async (name) => {
  const cwd = temporaryFolder('odd-source')
  for (const each of ['ok.ts', name]) {
    mkdirSync(dirname(join(cwd, 'src', each)), { recursive: true })
    writeFileSync(join(cwd, 'src', each), `/** @rpc f${each.length} */\nexport function f(): string { return '' }\n`)
  }
  const run = generate({ cwd, paths: ['src'], out: 'rpc.gen.ts' })
  if (/[\n\r\u2028]/.test(name)) await expect(run).rejects.toThrow(/has a line break: rename it$/)
  else
    expect((await run).diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['RPC113', 'rename the file or the folder'],
    ])
})
