import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { type ClientOptions, type ClientTable, createClient, type Transport, tableCodec, xmlRpc } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { webSocket } from 'rpc-gen/client/websocket'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { fetchFrom } from '../support/json-rpc.js'
import { type ServingWebSocket, serveWebSocket } from '../websocket/serving.js'
import { Account, Broken, kinds, sampleOf } from './values.js'

/** The parameters that the server has received. */
let received: unknown[] = []

const server = new RpcServer({ onError: () => {} })
server.registerProcedure((...params: unknown[]) => void received.push(...params), { name: 'save', unchecked: true })
server.registerProcedure((params: unknown) => void received.push(params), {
  name: 'saveNamed',
  unchecked: true,
  params: 'object',
})

const app = new Hono().route('/', server.router())
let serving: ServingWebSocket

beforeAll(async () => {
  serving = await serveWebSocket(server)
})

afterAll(() => serving.stop())

beforeEach(() => {
  received = []
})

const connection = {
  async request(_subject: string, payload: Uint8Array) {
    const reply = await server.handle(new TextDecoder().decode(payload))
    return { data: new TextEncoder().encode(reply) }
  },
}

const born = new Date('1815-12-10T00:00:00.000Z')

/** A declared class with a member that the table converts. */
class Person extends Account {
  readonly born = born
  readonly tags = { passwordHash: 'SECRET' }

  override toJSON(): object {
    return { ...super.toJSON(), born: this.born.getTime(), tags: {} }
  }
}

const table: ClientTable = {
  methods: {
    save: { params: { value: ['struct', { born: 'date' }, { name: 'string', tags: 'any' }] } },
    saveNamed: { params: { born: 'date', name: 'string' } },
    records: { params: { value: ['struct', {}, {}, 'date'] } },
  },
}

const transports: Readonly<Record<string, () => { url: string; transport?: Transport }>> = {
  'JSON over HTTP': () => ({ url: 'http://localhost/' }),
  'XML-RPC over HTTP': () => ({ url: 'http://localhost/', transport: xmlRpc() }),
  NATS: () => ({ url: 'nats:tools', transport: nats(connection) }),
  WebSocket: () => ({ url: serving.url, transport: webSocket({ connect: (url) => new WebSocket(url) }) }),
}

function clientOf(connect: () => { url: string; transport?: Transport }, options: ClientOptions = {}) {
  const { url, ...of } = connect()
  const client = createClient(url, { ...of, fetch: fetchFrom(app), ...options })
  return { client, close: () => (of.transport as { close?(): void } | undefined)?.close?.() }
}

describe.each(Object.entries(transports))('%s', (name, connect) => {
  test.each(kinds)('an argument: %s', async (kind) => {
    const { client, close } = clientOf(connect)
    const value = sampleOf(kind)
    await client.$call('save', [value, [value], { owner: value }])
    await client.$batch([{ method: 'save', params: [value] }])
    const shown = JSON.parse(JSON.stringify(value))
    expect(received).toEqual([shown, [shown], { owner: shown }, shown])
    close()
  })

  test('an error of toJSON() rejects the call, and nothing is sent', async () => {
    const { client, close } = clientOf(connect)
    await expect(client.$call('save', [new Broken()])).rejects.toThrow(TypeError)
    expect(received).toEqual([])
    close()
  })

  test('members that a table converts are those of the value', async () => {
    const { client, close } = clientOf(connect, { codec: tableCodec(table) })
    await client.$call('save', [new Person('ada')])
    const sent = { name: 'ada', born: name.startsWith('XML') ? born : born.toJSON(), tags: {} }
    expect(received).toEqual([sent])
    close()
  })
})

// XML-RPC has none.
test.each(['JSON over HTTP', 'NATS', 'WebSocket'])('parameters by name: %s', async (name) => {
  for (const options of [{}, { codec: tableCodec(table) }]) {
    const { client, close } = clientOf(transports[name] as never, options)
    await client.$call('saveNamed', new Account('ada') as never)
    close()
  }
  expect(received).toEqual([{ name: 'ada' }, { name: 'ada' }])
})

describe('tableCodec', () => {
  const codec = tableCodec(table)

  test('the members of an index signature are those of toJSON()', () => {
    const value = { first: born, passwordHash: 'SECRET', toJSON: () => ({ first: born }) }
    expect(codec.encode('records', [value], false)).toEqual([{ first: born.toJSON() }])
    expect(codec.encode('records', [{ first: born }], false)).toEqual([{ first: born.toJSON() }])
  })

  test('a masked member stays masked', () => {
    const value = { born, name: 'SECRET', toJSON: () => ({ born: 'a day', name: '***' }) }
    expect(codec.encode('save', [value], false)).toEqual([{ born: born.toJSON(), name: '***' }])
  })

  test('the result of toJSON() is an object where the table has one', () => {
    expect(() => codec.encode('save', [{ toJSON: () => 'text' }], false)).toThrow('save: value: expected object')
    expect(() => codec.encode('saveNamed', { toJSON: () => 'text' } as never, false)).toThrow('saveNamed: params')
  })
})
