/** Files of a user's project, by path, from the README. */
export const sources = {
  'src/procedures/math.ts': `import type { Int } from 'rpc-gen'

/**
 * Adds two numbers.
 *
 * :param a: First number
 * :param b: Second number
 * :return: Sum of a and b
 *
 * @rpc
 */
export function add(a: Int, b: Int): Int {
  return a + b
}
`,
  'src/procedures/shop.ts': `import { type Double, type Int, type RpcContext, RpcError } from 'rpc-gen'

export interface Order {
  id: Int
  placed: Date
  label?: Uint8Array
  lines: { name: string; price: Double }[]
}

/**
 * Takes an order.
 *
 * @param order What somebody wants
 * @returns The same order, a day later
 * @rpc shop.place
 */
export async function placeOrder(order: Order, context: RpcContext): Promise<Order> {
  if (order.lines.length === 0) throw new RpcError(422, \`Nothing ordered over \${context.protocol}\`)
  return { ...order, placed: new Date(order.placed.getTime() + 86_400_000) }
}
`,
  'src/server.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { generate } from 'rpc-gen/generator'
import { mcp } from 'rpc-gen/mcp'
import { type NodeHandler, nodeHandler } from 'rpc-gen/node'
import { procedures, router } from './rpc.gen.js'

const app = new Hono()
app.route('/rpc', router)

const server = new RpcServer({ procedures })
app.all('/own', server.view)
export const onNode: NodeHandler = nodeHandler(server)
app.route('/mcp', mcp(server, { tools: ({ name }) => name === 'add' }))

export const name: string = procedures.add.name
// @ts-expect-error The types are exported: an unknown procedure is an error.
export const unknown = () => procedures.subtract
// @ts-expect-error So do those of the generator.
export const wrong = () => generate(42)

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) }, (address) => {
  console.log(\`http://127.0.0.1:\${address.port}\`)
})
`,
} as const

/** A tsconfig for those sources. */
export function tsconfig(module: string): string {
  return JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      module,
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      rootDir: 'src',
      outDir: 'dist',
    },
    include: ['src'],
  })
}

/** A module hook that writes down every address that an import resolves to, and what runs under it. */
export const tracing = {
  'trace.mjs': `import { register } from 'node:module'
register('./hooks.mjs', import.meta.url)
`,
  'hooks.mjs': `import { writeSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  writeSync(1, resolved.url + '\\n')
  return resolved
}
`,
  'doors.mjs': `import 'rpc-gen'
import 'rpc-gen/codegen/v1'
import 'rpc-gen/mcp'
import 'rpc-gen/node'
import 'rpc-gen/websocket'
import 'rpc-gen/nats'
import 'rpc-gen/client/websocket'
import 'rpc-gen/client/tanstack-query'
import 'rpc-gen/client/nats'
`,
  'ask.mjs': `import { router } from './dist/rpc.gen.js'
const [type, body, expected] = process.argv.slice(2)
const response = await router.request('/', { method: 'POST', headers: { 'content-type': type }, body })
if (!(await response.text()).includes(expected)) process.exit(1)
`,
  'control.mjs': `import 'ts-morph'
import 'hono'
`,
} as const

/** Serves requests of every kind without a port, and prints the status, the type and whether the body is as it should be. */
export const serving = `import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures } from './dist/rpc.gen.js'

const app = new Hono().route('/rpc', new RpcServer({ procedures, docs: true }).router())
const json = '{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}'
const xml =
  '<methodCall><methodName>add</methodName><params><param><value><int>1</int></value></param>' +
  '<param><value><int>2</int></value></param></params></methodCall>'
const post = (type, body) => ({ method: 'POST', headers: { 'Content-Type': type }, body })
const requests = [
  ['/rpc', post('application/json', json), '"result":3'],
  ['/rpc', post('text/xml', xml), '<int>3</int>'],
  ['/rpc/openrpc.json', {}, '"openrpc"'],
  ['/rpc', { headers: { Accept: 'text/html' } }, '<!doctype html>'],
  ['/rpc', {}, 'POST'],
]
const seen = []
for (const [path, init, part] of requests) {
  const response = await app.request(path, init)
  seen.push([response.status, response.headers.get('content-type'), (await response.text()).includes(part)])
}
console.log(JSON.stringify(seen))
`

/** Loads every entry point by `import` or `require` and prints whether they share their classes and their state. */
export const sharing = `import { createRequire } from 'node:module'
const [how, folder] = process.argv.slice(2)
const load = how === 'import' ? (name) => import(name) : createRequire(import.meta.url)
const { procedures, server } = await load(folder + '/rpc.gen.js')
const { add } = await load(folder + '/procedures/math.js')
const main = await load('rpc-gen')
const codegen = await load('rpc-gen/codegen/v1')
const client = await load('rpc-gen/client')
const { mcp } = await load('rpc-gen/mcp')
const { nodeHandler } = await load('rpc-gen/node')

const registered = new main.RpcServer({ procedures })
registered.registerProcedure(add, { name: 'plus' })
const call = async (method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const response = await registered.router().request('/', { method: 'POST', headers, body })
  return response.json()
}
const tool = async (name, args) => {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: args }, id: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const response = await mcp(registered, { tools: 'all' }).request('/', { method: 'POST', headers, body })
  return response.json()
}
const order = { id: 1, placed: '2026-05-04T09:00:00Z', lines: [] }
console.log(
  JSON.stringify({
    imported: (await import('rpc-gen')).RpcServer === main.RpcServer,
    codegen: codegen.RpcServer === main.RpcServer && server instanceof main.RpcServer,
    client: client.RpcError === main.RpcError && client.isRpcError(new main.RpcInvalidParams()),
    node: typeof nodeHandler(registered),
    registered: (await call('plus', [1, 2])).result,
    tool: (await tool('plus', { a: 1, b: 2 })).result.content[0].text,
    thrown: (await call('shop.place', [order])).error.code,
  }),
)
`
