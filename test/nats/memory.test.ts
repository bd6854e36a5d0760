import { createClient } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { serveNats } from 'rpc-gen/nats'
import { expect, test } from 'vitest'
import { MemoryHeaders, MemoryNats } from './memory.js'
import { server } from './server.js'

// The server and the client over the interface of a NATS connection. With a NATS server and its packages: service.external.test.ts.

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
