import { header } from './header.js'
import { type AliasPlan, type InterfacePlan, renderInterface, renderType } from './interface.js'
import { key, list } from './text.js'

/** A generated client, decided. */
export interface ClientPlan {
  /** `Procedures` and `Params`. */
  readonly interfaces: readonly InterfacePlan[]
  /** The types that they need. */
  readonly types: readonly (InterfacePlan | AliasPlan)[]
  readonly table: ClientTablePlan
  /** Whether there is an interface `Errors`. */
  readonly hasErrors: boolean
}

/** How values travel that JSON has no form for, each as an expression. */
export interface ClientTablePlan {
  readonly methods: readonly EntryPlan[]
  readonly types: readonly EntryPlan[]
}

export interface EntryPlan {
  readonly name: string
  readonly text: string
}

const imports = `import { type ClientMembers, type ClientOptions, type ClientTable, createClient as create, tableCodec } from 'rpc-gen/client'`

const createClient = `/** The procedures as they stand below, which take the compiler no work, and what every client has. */
export type Client = Procedures & ClientMembers<Procedures, Params>

/** A client of this API. Date, bigint, bytes, Map and Set go and come as what they are. */
export function createClient(url: string | URL, options: ClientOptions = {}): Client {
  return create(url, { codec: tableCodec(table), ...options }) as unknown as Client
}`

const errorImports = `import { isRpcError as isError, type RpcError, type RpcErrorGuard } from 'rpc-gen/client'`

const isRpcError = `/** True for a declared error of this API that has the code, which narrows its data: \`isRpcError(error, 4444)\`. */
export const isRpcError: RpcErrorGuard<Errors[keyof Errors]> = isError`

/** The text of a generated client. */
export function renderClient({ interfaces, types, table, hasErrors }: ClientPlan): string {
  const blocks = [
    header() + imports + (hasErrors ? `\n${errorImports}` : ''),
    renderTable(table),
    createClient,
    ...(hasErrors ? [isRpcError] : []),
    ...interfaces.map((each) => renderInterface(each)),
    ...types.map(renderType),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderTable({ methods, types }: ClientTablePlan): string {
  const parts = [`methods: ${renderEntries(methods)}`, ...(types.length > 0 ? [`types: ${renderEntries(types)}`] : [])]
  return list('const table: ClientTable = {', parts, '}')
}

function renderEntries(entries: readonly EntryPlan[]): string {
  return list(
    '{',
    entries.map(({ name, text }) => `${key(name)}: ${text}`),
    '}',
    lineEnd,
  )
}

/** One entry a line, also where they would fit in one. */
const lineEnd = 120
