import { RpcError, RpcServer } from 'rpc-gen'
import { createClient } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { serveNats } from 'rpc-gen/nats'
import { expect, test } from 'vitest'
import { MemoryHeaders, MemoryNats } from './memory.js'
import { server } from './server.js'

// The server and the client over the interface of a NATS connection. With a NATS server and its packages: test/external/nats/.

interface Api {
  add: (a: number, b: number) => number
  repeat: (text: string, times: number) => string
  secret: () => string
  where: () => { header: string | null; subject: string; transport: string }
}

const options = { name: 'tools', version: '1.0.0' }

function clientOf(connection: MemoryNats) {
  return createClient<Api>('nats:tools', { transport: nats(connection, { createHeaders: () => new MemoryHeaders() }) })
}

test('calls, batches, errors and headers', async () => {
  const connection = new MemoryNats()
  const service = await serveNats(server, connection, options)
  const client = clientOf(connection)
  expect(await client.add(1, 2)).toBe(3)
  expect(await client.$batch([client.$request.add(1, 2), client.$request.repeat('é', 2)])).toEqual([3, 'éé'])
  await expect(client.$call('unknown')).rejects.toMatchObject({ code: -32601 })
  await expect(client.secret()).rejects.toMatchObject({ code: -32098 })
  const trusted = client.$with({ headers: { Authorization: 'Bearer sesame', 'X-Test': 'seen' } })
  expect(await trusted.secret()).toBe('open')
  expect(await trusted.where()).toMatchObject({ subject: 'tools', transport: 'nats' })
  await service.stop()
  await expect(client.add(1, 2)).rejects.toMatchObject({ name: 'RpcTransportError' })
})

test('discovery: each process responds to a ping', async () => {
  const connection = new MemoryNats()
  const service = await serveNats(server, connection, options)
  const { data } = await connection.request('$SRV.PING.tools', new Uint8Array())
  expect(JSON.parse(new TextDecoder().decode(data))).toMatchObject({ name: 'tools', version: '1.0.0' })
  await service.stop()
})

test('an error has the headers of a NATS service, a result and a batch have none', async () => {
  const connection = new MemoryNats()
  const own = new RpcServer({ onError: () => {} })
  const text = `no\r\nNats-X: ${'é'.repeat(300)}`
  const fail = () => {
    throw new RpcError(4444, text)
  }
  own.registerProcedure(fail, { name: 'fail', unchecked: true })
  own.registerProcedure(() => 1, { name: 'one', unchecked: true })
  const service = await serveNats(own, connection, options)
  const headersOf = async (body: unknown) => {
    const { headers } = await connection.request('tools', new TextEncoder().encode(JSON.stringify(body)))
    return headers?.keys().map((name) => [name, ...headers.values(name)])
  }
  const call = { jsonrpc: '2.0', method: 'fail', params: [], id: 1 }
  expect(await headersOf(call)).toEqual([
    ['Nats-Service-Error', `no Nats-X: ${'é'.repeat(188)}`],
    ['Nats-Service-Error-Code', '4444'],
  ])
  expect(await headersOf({ ...call, method: 'unknown' })).toContainEqual(['Nats-Service-Error-Code', '-32601'])
  expect(await headersOf({ method: 'one' })).toContainEqual(['Nats-Service-Error-Code', '-32600'])
  expect(await headersOf({ ...call, method: 'one' })).toBeUndefined()
  expect(await headersOf([call])).toBeUndefined()
  await service.stop()
})

test('null as params, by the switch nullParams and no other', async () => {
  const connection = new MemoryNats()
  const own = new RpcServer({ compatibility: { nullParams: true, jsonRpc1: true, jsonMulticall: true } })
  own.registerProcedure(() => 1, { name: 'one', unchecked: true })
  const service = await serveNats(own, connection, options)
  const send = async (body: unknown) => {
    const { data } = await connection.request('tools', new TextEncoder().encode(JSON.stringify(body)))
    return JSON.parse(new TextDecoder().decode(data))
  }
  const call = { jsonrpc: '2.0', method: 'one', params: null, id: 1 }
  expect(await send(call)).toEqual({ jsonrpc: '2.0', result: 1, id: 1 })
  expect(await send([call])).toEqual([{ jsonrpc: '2.0', result: 1, id: 1 }])
  expect(await send({ method: 'one', id: 1 })).toMatchObject({ error: { code: -32600 } })
  expect(await send({ ...call, method: 'system.multicall', params: [[]] })).toMatchObject({ error: { code: -32601 } })
  await service.stop()
})
