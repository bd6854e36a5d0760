import { header, importStatement, type TypeDeclaration, typeDeclaration } from './file.js'
import { braces, key, type Layout, print, property } from './layout.js'

/** The parts of a generated client. */
export interface ClientParts {
  /** `Procedures`, `Params` and `Errors`, then the types that they need. */
  readonly types: readonly TypeDeclaration[]
  readonly table: ClientTableParts
  /** The codecs of custom scalars. */
  readonly codecs: readonly CodecImport[]
  /** True if there is an interface `Errors`. */
  readonly hasErrors: boolean
}

/** How values that JSON cannot represent are converted. */
export interface ClientTableParts {
  readonly methods: readonly TableEntry[]
  readonly types: readonly TableEntry[]
}

/** The codec of a custom scalar, and where it is imported from. */
interface CodecImport {
  /** The name of the scalar. */
  readonly name: string
  readonly from: string
  readonly exported: string
  readonly local: string
}

export interface TableEntry {
  readonly name: string
  readonly value: Layout
}

function imports(codecs: readonly CodecImport[]): string {
  const decoded = codecs.length === 0 ? [] : ['type Decoded', 'scalarCodecs']
  const types = ['type ClientMembers', 'type ClientOptions', 'type ClientTable']
  return importStatement('import', [...types, 'createClient as create', ...decoded, 'tableCodec'], 'rpc-gen/client')
}

/** The imports of codecs, by module. */
function codecImports(codecs: readonly CodecImport[]): string[] {
  const modules = new Map<string, string[]>()
  for (const { from, exported, local } of codecs) {
    const own = exported === local ? exported : `${exported} as ${local}`
    modules.set(from, [...(modules.get(from) ?? []), own])
  }
  const all = Array.from(modules, ([from, names]) => importStatement('import', names.sort(), from))
  return all.sort()
}

function createClient(codecs: readonly CodecImport[]): string {
  const args = codecs.length === 0 ? 'table' : 'table, scalarCodecs(codecs)'
  return `/** The procedures below, and the members of every client. */
export type Client = Procedures & ClientMembers<Procedures, Params>

/** Returns a client of this API. Date, bigint, bytes, Map and Set are TypeScript values in both directions. */
export function createClient(url: string | URL, options: ClientOptions = {}): Client {
  return create(url, { codec: tableCodec(${args}), ...options }) as unknown as Client
}`
}

const errorImports = `import { isRpcError as isError, type RpcError, type RpcErrorGuard } from 'rpc-gen/client'`

const isRpcError = `/** True for a declared error of this API that has the code, which narrows its data: \`isRpcError(error, 4444)\`. */
export const isRpcError: RpcErrorGuard<Errors[keyof Errors]> = isError`

/** The text of a generated client. */
export function renderClient({ types, table, codecs, hasErrors }: ClientParts): string {
  const blocks = [
    header() + [imports(codecs), ...(hasErrors ? [errorImports] : []), ...codecImports(codecs)].join('\n'),
    renderTable(table),
    ...(codecs.length === 0 ? [] : [renderCodecs(codecs)]),
    createClient(codecs),
    ...(hasErrors ? [isRpcError] : []),
    ...types.map(typeDeclaration),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The codecs by the names that the table has for them. */
function renderCodecs(codecs: readonly CodecImport[]): string {
  const entries = codecs.map(({ name, local }) => property(name, local))
  return print(['const codecs = ', braces(entries)])
}

function renderTable({ methods, types }: ClientTableParts): string {
  const lists = [['methods', methods] as const, ...(types.length > 0 ? [['types', types] as const] : [])]
  const parts = lists.map(([name, entries]) => `  ${name}: ${renderEntries(entries)},`)
  // Without `as const`, literals of members named as those of Object.prototype are strings: TypeScript infers them by those.
  return `const table: ClientTable = {\n${parts.join('\n')}\n} as const`
}

/** One entry a line, even if they would fit in one. */
function renderEntries(entries: readonly TableEntry[]): string {
  if (entries.length === 0) return '{}'
  const lines = entries.map(({ name, value }) => `    ${print([`${key(name)}: `, value], 4, 4, 1)},`)
  return `{\n${lines.join('\n')}\n  }`
}
