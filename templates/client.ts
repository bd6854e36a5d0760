import { header, type TypeDeclaration, typeDeclaration } from './file.js'
import { key, type Layout, print } from './layout.js'

/** The parts of a generated client. */
export interface ClientParts {
  /** `Procedures`, `Params` and `Errors`, then the types that they need. */
  readonly types: readonly TypeDeclaration[]
  readonly table: ClientTableParts
  /** True if there is an interface `Errors`. */
  readonly hasErrors: boolean
}

/** How values that JSON has no form for are converted. */
export interface ClientTableParts {
  readonly methods: readonly TableEntry[]
  readonly types: readonly TableEntry[]
}

export interface TableEntry {
  readonly name: string
  readonly value: Layout
}

const imports = `import {
  type ClientMembers, type ClientOptions, type ClientTable, createClient as create, tableCodec,
} from 'rpc-gen/client'`

const createClient = `/** The procedures below, and the members of every client. */
export type Client = Procedures & ClientMembers<Procedures, Params>

/** Returns a client of this API. Date, bigint, bytes, Map and Set are TypeScript values in both directions. */
export function createClient(url: string | URL, options: ClientOptions = {}): Client {
  return create(url, { codec: tableCodec(table), ...options }) as unknown as Client
}`

const errorImports = `import { isRpcError as isError, type RpcError, type RpcErrorGuard } from 'rpc-gen/client'`

const isRpcError = `/** True for a declared error of this API that has the code, which narrows its data: \`isRpcError(error, 4444)\`. */
export const isRpcError: RpcErrorGuard<Errors[keyof Errors]> = isError`

/** The text of a generated client. */
export function renderClient({ types, table, hasErrors }: ClientParts): string {
  const blocks = [
    header() + imports + (hasErrors ? `\n${errorImports}` : ''),
    renderTable(table),
    createClient,
    ...(hasErrors ? [isRpcError] : []),
    ...types.map(typeDeclaration),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderTable({ methods, types }: ClientTableParts): string {
  const lists = [['methods', methods] as const, ...(types.length > 0 ? [['types', types] as const] : [])]
  const parts = lists.map(([name, entries]) => `  ${name}: ${renderEntries(entries)},`)
  return `const table: ClientTable = {\n${parts.join('\n')}\n}`
}

/** One entry a line, also if they would fit in one. */
function renderEntries(entries: readonly TableEntry[]): string {
  if (entries.length === 0) return '{}'
  const lines = entries.map(({ name, value }) => `    ${print([`${key(name)}: `, value], 4, 4, 1)},`)
  return `{\n${lines.join('\n')}\n  }`
}
