import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import type { RpcServer as Server } from 'rpc-gen'
import type { NatsMessage } from 'rpc-gen/nats'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Manifest } from '../../runtime/call/types.js'
import { readResponse } from '../../runtime/xmlrpc/response.js'
import { call, postJson } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import type { ServingWebSocket } from '../websocket/serving.js'
import { kinds, objects, sampleOf } from './values.js'

// The legacy application is installed for the whole process: no function of another test file may be marked.
vi.resetModules()
const { RPCEntryPoint, RpcServer, rpcApp, rpcMethod } = await import('rpc-gen')
const { methodsModulesManifest } = await import('rpc-gen/codegen/v1')
const { mcp } = await import('rpc-gen/mcp')
const { serveNats } = await import('rpc-gen/nats')
const { serveWebSocket } = await import('../websocket/serving.js')
const { compileModule } = await import('../support/compile-module.js')

// Values without a declared type are what JSON.stringify makes of them, wherever they are and however they are sent.

/** The text that was sent, and the decoded result or error. */
interface Sent {
  readonly text: string
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly data?: unknown } | undefined
}

type Transport = (method: string, kind: string) => Promise<Sent>

let server: Server
let procedures: Manifest
let app: Hono
let webSocket: ServingWebSocket
let errors: Error[] = []

beforeAll(async () => {
  const folder = temporaryFolder('to-json')
  cpSync(join(import.meta.dirname, 'values.ts'), join(folder, 'values.ts'))
  const source = readFileSync(join(import.meta.dirname, 'procedures.ts'), 'utf8')
  procedures = await compileModule(folder, 'procedures.ts', source)
  const onError = (error: Error) => void errors.push(error)
  server = withUnchecked(new RpcServer({ procedures, onError }))
  const around = withUnchecked(new RpcServer({ procedures, onError })).use((_context, next) => next())
  const { byAny } = (await import(join(folder, 'procedures.ts'))) as { byAny: (kind: string) => unknown }
  app = new Hono()
    .use(rpcApp(methodsModulesManifest({}), { onError }))
    .route('/rpc', server.router())
    .route('/around', around.router())
    .route('/mcp', mcp(server, { tools: 'all' }))
  rpcMethod(byAny)
  app.all('/legacy', RPCEntryPoint.asView())
  webSocket = await serveWebSocket(server)
})

afterAll(() => webSocket.stop())

/** Over MCP, arguments are by name, and an unchecked function has no names: each value has a function of its own. */
function withUnchecked(to: Server): Server {
  for (const kind of [...kinds, 'broken']) {
    to.registerProcedure(() => sampleOf(kind), { name: `unchecked_${kind}`, unchecked: true })
    to.registerProcedure(async () => ({ owner: sampleOf(kind) }), { name: `uncheckedMember_${kind}`, unchecked: true })
  }
  return to
}

beforeEach(() => {
  errors = []
})

function fromJson(text: string): Sent {
  const { result, error } = JSON.parse(text)
  return { text, result, error }
}

function fromXml(text: string): Sent {
  const { value, isFault } = readResponse(text, () => undefined)
  return isFault ? { text, error: { code: (value as { faultCode: number }).faultCode } } : { text, result: value }
}

const postTo =
  (path: string): Transport =>
  async (method, kind) =>
    fromJson(await (await app.request(path, postJson(call(method, [kind])))).text())

const xmlOf = (method: string, kind: string) =>
  `<methodCall><methodName>${method}</methodName><params><param><value>${kind}</value></param></params></methodCall>`

/** A NATS connection that delivers one message. */
async function overNats(method: string, kind: string): Promise<Sent> {
  let handle = (_message: NatsMessage) => {}
  const connection = {
    subscribe(subject: string, { callback }: { callback(error: null, message: NatsMessage): void }) {
      if (subject === 'tools') handle = (message) => callback(null, message)
      return { drain: async () => {} }
    },
    flush: async () => {},
    isClosed: () => false,
    closed: () => new Promise(() => {}),
  }
  await serveNats(server, connection, { name: 'tools', version: '1.0.0' })
  const data = new TextEncoder().encode(JSON.stringify(call(method, [kind])))
  return new Promise((resolve) => {
    const respond = (payload: Uint8Array | string = '') => {
      resolve(fromJson(typeof payload === 'string' ? payload : new TextDecoder().decode(payload)))
      return true
    }
    handle({ subject: 'tools', data, respond })
  })
}

async function overMcp(method: string, kind: string): Promise<Sent> {
  const key = 'io.modelcontextprotocol/'
  const version = '2026-07-28'
  const meta = { [`${key}protocolVersion`]: version, [`${key}clientCapabilities`]: {} }
  const message = call('tools/call', { name: method, arguments: kind === '' ? {} : { kind }, _meta: meta })
  const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': method, Host: 'localhost' }
  const response = await app.request('/mcp', postJson(message, { ...headers, Accept: 'application/json' }))
  const text = await response.text()
  const { result } = JSON.parse(text)
  if (!result.isError) return { text, result: result.structuredContent }
  const [, data] = result.content[0].text.split('\n')
  return { text, error: { code: data ? 7 : -32603, ...(data && { data: JSON.parse(data) }) } }
}

async function inProcess(method: string, kind: string): Promise<Sent> {
  try {
    const result = await (server as Server).call(method, [kind])
    // Values stay as they are, and the caller serialises them.
    const text = JSON.stringify(result, (_, each) =>
      each instanceof Map ? Object.fromEntries(each) : each instanceof Set ? [...each] : each,
    )
    return { text, result: JSON.parse(text) }
  } catch (error) {
    const { code, data } = error as { code: number; data: unknown }
    return { text: JSON.stringify(data) ?? '', error: { code, ...(data !== undefined && { data }) } }
  }
}

async function overWebSocket(method: string, kind: string): Promise<Sent> {
  const peer = await webSocket.connect()
  peer.call(1, method, kind)
  const { result, error } = (await peer.next()) as Sent
  peer.close()
  return { text: JSON.stringify([result, error]), result, error }
}

const transports: Readonly<Record<string, Transport>> = {
  'JSON-RPC over HTTP': postTo('/rpc'),
  'JSON-RPC around middleware': postTo('/around'),
  'XML-RPC over HTTP': async (method, kind) => {
    const headers = { 'Content-Type': 'text/xml' }
    const response = await app.request('/rpc', { method: 'POST', headers, body: xmlOf(method, kind) })
    return fromXml(await response.text())
  },
  'JSON-RPC by handle': async (method, kind) =>
    fromJson((await server.handle(JSON.stringify(call(method, [kind])))) ?? ''),
  'XML-RPC by handle': async (method, kind) =>
    fromXml((await server.handle(xmlOf(method, kind), { protocol: 'xml-rpc' })) ?? ''),
  WebSocket: overWebSocket,
  NATS: overNats,
  MCP: overMcp,
  'the same process': inProcess,
}

/** Where the value is in the result. */
const paths: Readonly<Record<string, (value: unknown) => unknown>> = {
  byAny: (value) => value,
  byUnknown: (value) => value,
  inRecord: (owner) => ({ owner }),
  inMap: (owner) => ({ owner }),
  inSet: (value) => [value],
  inList: (value) => [value],
  inTuple: (value) => [1, value],
  inMember: (value) => ({ note: value, more: value }),
  inUnion: (value) => [value],
  inAny: (value) => ({ map: { owner: value }, set: [value], list: [[value]] }),
  asRecord: (value) => value,
  asIndex: (value) => ({ ...(value as object), id: 7 }),
  unchecked: (value) => value,
  uncheckedMember: (owner) => ({ owner }),
}

/** A record whose type is that of a text is not possible. */
function kindsFor(method: string): readonly string[] {
  return method.startsWith('as') ? objects : kinds
}

function sendTo(send: Transport, method: string, kind: string): Promise<Sent> {
  return method.startsWith('unchecked') ? send(`${method}_${kind}`, '') : send(method, kind)
}

const shown = (value: unknown) => JSON.parse(JSON.stringify(value))

describe.each(Object.entries(transports))('%s', (transport, send) => {
  test.each(Object.entries(paths))('%s', async (method, wrap) => {
    for (const kind of kindsFor(method)) {
      const { text, result, error } = await sendTo(send, method, kind)
      expect(error, kind).toBeUndefined()
      expect(result, kind).toEqual(wrap(shown(sampleOf(kind))))
      expect(text, kind).not.toMatch(/SECRET|passwordHash/)
    }
    expect(errors).toEqual([])
  })

  test.each(Object.keys(paths))('%s: an error of toJSON() fails the call', async (method) => {
    const { text, error } = await sendTo(send, method, 'broken')
    expect(error?.code).toBe(-32603)
    expect(text).not.toMatch(/SECRET|passwordHash/)
    expect(errors.length).toBe(1)
    expect(errors[0]).toMatchObject({ name: 'SerializationError', cause: { name: 'TypeError' } })
  })

  test.each(Object.entries({ fails: paths['inRecord'], failsWith: paths['byAny'] }))('%s', async (method, wrap) => {
    for (const kind of kinds) {
      const { text, error } = await send(method, kind)
      expect(error?.code, kind).toBe(7)
      // A fault has no data. The caller in the same process has the error itself.
      const data = transport === 'the same process' ? shown(error?.data) : error?.data
      if (!transport.startsWith('XML')) expect(data, kind).toEqual(wrap?.(shown(sampleOf(kind))))
      expect(text, kind).not.toMatch(/SECRET|passwordHash/)
    }
  })
})

test('an error of toJSON() in the data of an error: the error is sent without it', async () => {
  const { error } = await postTo('/rpc')('fails', 'broken')
  expect(error).toEqual({ code: 7, message: 'failed' })
  expect(errors.map(({ name }) => name)).toEqual(['RpcError', 'SerializationError'])
})

test.each(kinds)('legacy entry points: %s', async (kind) => {
  const { text, result } = await postTo('/legacy')('byAny', kind)
  expect(result).toEqual(shown(sampleOf(kind)))
  expect(text).not.toMatch(/SECRET|passwordHash/)
})

test('a batch and a multicall fail in the entry of the call alone', async () => {
  const batch = [call('byAny', ['broken'], 1), call('byAny', ['money'], 2)]
  expect(await (await app.request('/rpc', postJson(batch))).json()).toEqual([
    { jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: 1 },
    { jsonrpc: '2.0', result: '19.99', id: 2 },
  ])
  const entry = (kind: string) =>
    `<value><struct><member><name>methodName</name><value>byAny</value></member><member><name>params</name><value><array>` +
    `<data><value>${kind}</value></data></array></value></member></struct></value>`
  const multicall = `<methodCall><methodName>system.multicall</methodName><params><param><value><array><data>${entry('broken')}${entry('account')}</data></array></value></param></params></methodCall>`
  const { result } = fromXml((await server.handle(multicall, { protocol: 'xml-rpc' })) ?? '')
  expect(result).toEqual([{ faultCode: -32603, faultString: 'Internal error' }, [{ name: 'ada' }]])
})

describe('over a connection', () => {
  test.each(kinds)('notifications and subscriptions: %s', async (kind) => {
    const value = shown(sampleOf(kind))
    const peer = await webSocket.connect()
    peer.call(1, 'notifies', kind)
    expect(await peer.next()).toEqual({ jsonrpc: '2.0', method: 'said', params: [value] })
    await peer.next()
    peer.call(2, 'notifiesWith', kind)
    const notified = await peer.next()
    if (objects.includes(kind as never)) {
      expect(notified).toEqual({ jsonrpc: '2.0', method: 'said', params: value })
      await peer.next()
    } else {
      expect(notified).toMatchObject({ id: 2, error: { code: -32603 } })
    }
    peer.call(2, 'items', kind)
    await peer.next()
    expect(await peer.next()).toMatchObject({ method: 'items', params: { result: value } })
    expect(await peer.next()).toMatchObject({ params: { done: true } })
    peer.call(3, 'failingItems', kind)
    await peer.next()
    await peer.next()
    expect(await peer.next()).toMatchObject({ params: { error: { code: 7, data: value } } })
    peer.close()
  })

  test('an error of toJSON()', async () => {
    const peer = await webSocket.connect()
    peer.call(1, 'notifies', 'broken')
    expect(await peer.next()).toMatchObject({ id: 1, error: { code: -32603 } })
    peer.call(2, 'items', 'broken')
    await peer.next()
    expect(await peer.next()).toMatchObject({ params: { error: { code: -32603, message: 'Internal error' } } })
    expect(errors.map(({ name }) => name)).toEqual(['SerializationError', 'SerializationError'])
    peer.close()
  })
})

describe('declared types', () => {
  test.each(['JSON-RPC over HTTP', 'XML-RPC over HTTP', 'the same process'])('%s', async (transport) => {
    const send = transports[transport] as Transport
    expect((await send('declared', 'team')).result).toEqual({ name: 'ada', lead: { name: 'grace' } })
    expect((await send('asTexts', 'account')).result).toEqual({ name: 'ada' })
    expect(errors).toEqual([])
  })

  test('a list is its elements', async () => {
    const message = JSON.stringify(call('declaredList'))
    expect(JSON.parse((await server.handle(message)) ?? '').result).toEqual(['a', 'b'])
    expect(await (server as Server).call('declaredList')).toEqual(['a', 'b'])
  })

  test.each([
    ['asCounts', 'account', 'result.name: expected int, received string of length 3'],
    ['asRecord', 'money', 'result: expected object of any, received object whose toJSON() returns something else'],
  ])('%s of %s does not match', async (method, kind, reason) => {
    for (const transport of ['JSON-RPC over HTTP', 'XML-RPC over HTTP', 'the same process']) {
      expect((await transports[transport]?.(method, kind))?.error?.code).toBe(-32603)
    }
    const message = `${method} returned a value that does not match its declared type: ${reason}`
    expect(errors.map((each) => each.message)).toEqual([message, message, message])
  })

  test('an argument of the same process has the members of toJSON()', async () => {
    expect(await (server as Server).call('saved', [sampleOf('account')])).toEqual({ name: 'ada' })
  })
})
