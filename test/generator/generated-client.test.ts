import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Hono } from 'hono'
import { type Manifest, RpcServer } from 'rpc-gen'
import { type ClientOptions, type Fetch, xmlRpc } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../fixtures/generate/api-docs/expected.client.gen.js'
import { procedures } from '../../fixtures/generate/api-docs/expected.gen.js'
import { createClient as createNamed } from '../../fixtures/generate/client-names/expected.client.gen.js'
import type { Procedure } from '../../runtime/call/types.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { jsonForms, samples } from '../parity/samples.js'
import { compile } from '../support/compiler.js'
import { generate } from '../support/generate.js'
import { paths, root } from '../support/paths.js'
import { INVALID, read, written } from '../support/procedure-values.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const cases = readdirSync(join(root, 'fixtures/generate'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

/** What a generated client exports, whatever the procedures are. */
interface Generated {
  createClient(
    url: string,
    options: ClientOptions,
  ): { $call(name: string, params: readonly unknown[]): Promise<unknown> }
}

const folder = temporaryFolder('clients')
const clients = new Map<string, Promise<Generated>>()

function clientOf(name: string): Promise<Generated> {
  const client = clients.get(name) ?? generatedClient(name)
  clients.set(name, client)
  return client
}

async function generatedClient(name: string): Promise<Generated> {
  const cwd = join(root, 'fixtures/generate', name)
  const options = readdirSync(cwd).includes('options.json')
    ? JSON.parse(readFileSync(join(cwd, 'options.json'), 'utf8'))
    : {}
  const path = join(folder, `${name}.client.ts`)
  const more = { client: path, clientCodecs: true }
  const { files, diagnostics } = await generate({ paths: ['.'], out: 'x.gen.ts', cwd, ...options, ...more })
  expect(diagnostics).toEqual([])
  writeFileSync(path, files.find((each) => each.path === path.replaceAll('\\', '/'))?.text ?? '')
  return import(pathToFileURL(path).href)
}

async function lastItem(client: object, name: string, params: readonly unknown[]): Promise<unknown> {
  const member = name.split('.').reduce<unknown>((members, each) => Reflect.get(Object(members), each), client)
  let last: unknown
  for await (const item of (member as (...params: unknown[]) => AsyncIterable<unknown>)(...params)) last = item
  return last
}

/** The request of a client, and the decoded response; a subscription ends without an item. */
async function exchange(
  client: Generated,
  { name, subscription }: Procedure,
  params: readonly unknown[],
  result: unknown,
) {
  let sent: { readonly params?: unknown; readonly id?: unknown } = {}
  const fetch: Fetch = (_url, { body }) => {
    sent = JSON.parse(String(body))
    const message = { jsonrpc: '2.0', id: sent.id, result }
    if (!subscription) return Response.json(message)
    return new Response(`data: ${JSON.stringify(message)}\n\n`, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  const made = client.createClient('https://example.org/', { fetch })
  const response = subscription ? await lastItem(made, name, params) : await made.$call(name, params)
  // A params object is the only argument.
  const { params: given = [] } = sent
  return { params: Array.isArray(given) ? given : [given], response }
}

function decoded(procedure: Procedure, params: readonly unknown[]): readonly unknown[] | typeof INVALID {
  return read(procedure, params, jsonWires.decode)
}

describe('a client and its server convert every value alike', () => {
  test.each(cases)('%s', async (name) => {
    const client = await clientOf(name)
    const module: { readonly procedures: Manifest } = await import(
      pathToFileURL(join(root, 'fixtures/generate', name, 'expected.gen.ts')).href
    )
    let compared = 0
    for (const procedure of Object.values(module.procedures)) {
      // The result of a call that subscribes is an id, and no item.
      const results = procedure.subscription ? [] : samples(procedure.returns.type, jsonForms)
      for (const wire of procedure.overloads ? [] : argumentLists(procedure)) {
        const values = decoded(procedure, wire)
        if (values === INVALID) continue
        const { params } = await exchange(client, procedure, values, results[0] ?? null)
        expect(decoded(procedure, params), `${procedure.name}(${JSON.stringify(wire)})`).toEqual(values)
        compared += 1
      }
      for (const wire of results) {
        const { response } = await exchange(client, procedure, [], wire)
        const encoded = written(procedure, response, jsonWires.encode)
        // The client has bytes as Uint8Array, whatever the server wants them in.
        if (!JSON.stringify(procedure.returns.type).match(/"as":"(Array)?Buffer"/)) {
          expect(encoded, `${procedure.name}() of ${JSON.stringify(wire)}`).not.toBe(INVALID)
          const again = await exchange(client, procedure, [], encoded)
          expect(withoutNulls(written(procedure, again.response, jsonWires.encode)), procedure.name).toEqual(
            withoutNulls(encoded),
          )
        }
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(0)
  })
})

/** A member that may be undefined is null on the wire, or not there. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (_name, each) => (each === null ? undefined : each)) ?? 'null')
}

/** Each parameter with each of its samples, the others with their first. */
function argumentLists({ params }: Procedure): readonly (readonly unknown[])[] {
  const values = params.map(({ type }) => samples(type, jsonForms))
  const first = values.map((each) => each[0])
  return [first, ...values.flatMap((each, i) => each.map((value) => first.with(i, value)))]
}

test('every client is valid under the strictest options of TypeScript, without the server', async () => {
  for (const name of cases) await clientOf(name)
  const alone = temporaryFolder('client')
  mkdirSync(join(alone, 'src'))
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8')
    // A client with codecs imports these: it is checked beside them, with the fixtures.
    if (!text.includes('const codecs =')) writeFileSync(join(alone, 'src', name), text)
  }
  const options = JSON.parse(readFileSync(join(root, 'fixtures/generate/tsconfig.json'), 'utf8')).compilerOptions
  const compilerOptions = {
    ...options,
    types: [],
    exactOptionalPropertyTypes: true,
    paths,
  }
  writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(alone, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  expect(compile(alone).filter((line) => line.includes('src/'))).toEqual([])
})

describe('a client that was generated', () => {
  const app = new Hono().route('/rpc', new RpcServer({ procedures, onError: () => {} }).router())
  const fetch: Fetch = (url, init) => app.request(url, init)
  const order = { sku: 'a-1', due: new Date('2026-01-02T00:00:00Z'), from: { country: 'CH' as const } }

  test('calls by position and by name, with values of TypeScript', async () => {
    const client = createClient('https://example.org/rpc', { fetch })
    expect(await client.order.create(order, true)).toBe('sent')
    expect(await client.$named.order.create({ order })).toBe('open')
    expect(await client.order.count('open', 1, 2)).toBe(6)
  })

  test('calls over XML-RPC', async () => {
    const client = createClient('https://example.org/rpc', { fetch, transport: xmlRpc() })
    expect(await client.order.create(order)).toBe('open')
    expect(await client.legacy()).toEqual([])
  })

  test('rejects a value that is not a Date before anything is sent', async () => {
    const client = createClient('https://example.org/rpc', { fetch })
    const wrong = { ...order, due: 'tomorrow' as unknown as Date }
    await expect(client.order.create(wrong)).rejects.toThrow('order.create: order.due')
  })

  test('has a member for a procedure whose name is the prefix of others', async () => {
    const sent: string[] = []
    const respond: Fetch = (_url, { body }) => {
      const { method, id } = JSON.parse(String(body))
      sent.push(method)
      return Response.json({ jsonrpc: '2.0', id, result: null })
    }
    const client = await createNamed('https://example.org/', { fetch: respond })
    await client.user(1)
    await client.user.delete(1)
    await client.user.name(1)
    await client.user.length()
    await client.user.home.town('x')
    await client['phone.call']('1')
    await client.phone.dial('1')
    await client['then.again'](1)
    await client.call(1)
    await client.$named.math.double({ x: 'x' })
    for (const name of ['then', '$odd', 'toString']) await client.$call(name, [1])
    const names =
      'user user.delete user.name user.length user.home.town phone.call phone.dial then.again call math.double'
    expect(sent).toEqual([...names.split(' '), 'then', '$odd', 'toString'])
  })
})
