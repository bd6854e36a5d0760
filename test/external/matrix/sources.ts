/** What a project's own imports end in. */
export type Ending = '.js' | '.ts' | ''

const types = `/** A price in cents. */
export type Cents = number & { readonly __cents?: true }

export const Colour = { Red: 'red', Green: 'green' } as const
export type Colour = (typeof Colour)[keyof typeof Colour]

export interface Page<T> {
  readonly items: readonly T[]
  readonly next?: number
}

export type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'group'; parts: Shape[] }

export interface Item {
  name: string
  price: Cents
  colour: Colour
  added: Date
  photo?: Uint8Array
  serial: bigint
  tags: Set<string>
  stock: Map<string, number>
  note: string | null
  pair: readonly [x: number, y?: number]
  attributes: Record<string, string | number>
  code: \`item-\${string}\`
}
`

const auth = `/** True if the caller has identified itself. */
export function isKnown(request: Request): string | null {
  return request.headers.get('x-user')
}
`

const procedures = (ending: Ending, library: string) => `import type { Double, Int, RpcContext } from 'rpc-gen'
import { Colour, type Item, type Page, type Shape } from '${library}'

/**
 * Adds numbers.
 *
 * :param a: First number
 *
 * @rpc
 */
export function add(a: Int, b: Int = 1, ...more: Int[]): Int {
  return more.reduce((sum, each) => sum + each, a + b)
}

/**
 * Finds items.
 *
 * @param text What is in the name
 * @rpc shop.find
 */
export async function find(text: string, page?: Int, context?: RpcContext): Promise<Page<Item>> {
  const item: Item = {
    name: \`\${text} \${context?.protocol ?? ''}\`,
    price: 100,
    colour: Colour.Red,
    added: new Date(0),
    serial: 9007199254740993n,
    tags: new Set(['a']),
    stock: new Map([['here', 1]]),
    note: null,
    pair: [1],
    attributes: { a: 1 },
    code: 'item-1',
  }
  return page === undefined ? { items: [item] } : { items: [item], next: page + 1 }
}

/**
 * Stores an item, and returns its value.
 *
 * @rpc shop.store
 */
export const store = (item: Item, count: Double): Double => item.price * count

/** @rpc */
export function area(shape: Shape): Double {
  return shape.kind === 'circle' ? shape.radius ** 2 : shape.parts.map(area).reduce((sum, each) => sum + each, 0)
}

/** @rpc */
export function describe(value: Int): string
export function describe(value: string, loud: boolean): string
export function describe(value: Int | string, loud?: boolean): string {
  return loud ? \`\${value}!\` : \`\${value}\`
}

export { whoAmI } from './own${ending}'
`

const own = (ending: Ending) => `import type { RpcContext } from 'rpc-gen'
import { isKnown } from '../auth${ending}'

/**
 * Returns the caller.
 *
 * @rpc
 * @auth isKnown
 */
export function whoAmI({ authResult }: RpcContext): string {
  return isKnown.name === '' ? '' : String(authResult)
}
`

const main = (ending: Ending) => `import { RpcServer } from 'rpc-gen'
import { type JsonProcedures, type Procedures, procedures, router } from './rpc.gen${ending}'

const call = (id: number, method: string, params: unknown) => ({ jsonrpc: '2.0', id, method, params })

export const server = new RpcServer({ procedures })
export const date = (item: Parameters<Procedures['shop.store']>[0]): Date => item.added
export const text = (item: Parameters<JsonProcedures['shop.store']>[0]): string => item.added

async function ask(type: string, body: string): Promise<void> {
  const headers = { 'Content-Type': type, 'X-User': 'ada' }
  const response = await router.request('/', { method: 'POST', headers, body })
  console.log(response.status, await response.text())
}

async function main(): Promise<void> {
  const item = {
    name: 'x', price: 2, colour: 'green', added: '2024-02-29T00:00:00Z', photo: 'AAE=', serial: '1', tags: [], stock: {},
    note: null, pair: [1, 2], attributes: {}, code: 'item-x',
  }
  const shape = { kind: 'group', parts: [{ kind: 'circle', radius: 2 }, { kind: 'group', parts: [] }] }
  await ask('application/json', JSON.stringify([
    call(1, 'add', [1, 2, 3]),
    call(2, 'add', { a: 1 }),
    call(3, 'shop.find', ['thing', 1]),
    call(4, 'shop.store', [item, 1.5]),
    call(5, 'shop.store', [{ ...item, colour: 'blue' }, 1.5]),
    call(6, 'area', [shape]),
    call(7, 'describe', ['a', true]),
    call(8, 'whoAmI', []),
  ]))
  await ask('text/xml', '<methodCall><methodName>shop.find</methodName><params><param><value>a thing</value></param></params></methodCall>')
}

main().catch((error: unknown) => {
  console.error(error)
  throw error
})
`

/** A project's sources by path. \`library\` is how its procedures import their types. */
export function sourcesOf(ending: Ending, library = `../types${ending}`): Readonly<Record<string, string>> {
  return {
    'src/types.ts': types,
    'src/auth.ts': auth,
    'src/procedures/shop.ts': procedures(ending, library),
    'src/procedures/own.ts': own(ending),
    'src/main.ts': main(ending),
  }
}
