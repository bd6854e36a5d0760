import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { procedures } from '../../../fixtures/generate/wire-params/expected.gen.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { skipped } from '../../support/skip.js'
import { type ServingWebSocket, serveWebSocket } from '../../websocket/serving.js'

// The client library of language servers, whose params are one object.

const folder = join(root, 'test/clients/websocket')
const missing = await install(folder)

/** What is used of its connection. */
interface Connection {
  listen(): void
  sendRequest(method: unknown, ...params: unknown[]): Promise<unknown>
  sendNotification(method: string, ...params: unknown[]): Promise<void>
  dispose(): void
}

describe.skipIf(skipped('vscode-jsonrpc 10.0.0 (npm)', missing))('vscode-jsonrpc', () => {
  let serving: ServingWebSocket
  let connection: Connection
  let ofPosition: unknown
  const sent: string[] = []

  beforeAll(async () => {
    serving = await serveWebSocket(new RpcServer({ procedures }))
    const entry = join(folder, 'node_modules/vscode-jsonrpc/lib/node/main.js')
    const module = await import(pathToFileURL(entry).href)
    const { AbstractMessageReader, AbstractMessageWriter, createMessageConnection, ParameterStructures, RequestType1 } =
      module.default ?? module
    ofPosition = new RequestType1('textDocument/didOpen', ParameterStructures.byPosition)
    const socket = new WebSocket(serving.url)
    await once(socket, 'open')
    class Reader extends AbstractMessageReader {
      listen(callback: (message: unknown) => void) {
        socket.on('message', (data) => callback(JSON.parse(`${data}`)))
        return { dispose: () => socket.close() }
      }
    }
    class Writer extends AbstractMessageWriter {
      async write(message: unknown) {
        sent.push(JSON.stringify(message))
        socket.send(JSON.stringify(message))
      }
      end() {}
    }
    connection = createMessageConnection(new Reader(), new Writer())
    connection.listen()
  })

  afterAll(async () => {
    connection?.dispose()
    await serving?.stop()
  })

  test('requests', async () => {
    const init = { processId: null, since: '1970-01-01T00:00:00.000Z', capabilities: {} }
    expect(await connection.sendRequest('initialize', init)).toEqual({ server: 'for null since 0', folders: 0 })
    expect(await connection.sendRequest('textDocument/didOpen', { uri: 'a.ts' })).toBe('a.ts 0')
    expect(JSON.parse(sent.at(-1) as string)).toMatchObject({ params: { uri: 'a.ts' } })
    expect(await connection.sendRequest(ofPosition, { uri: 'b.ts' })).toBe('b.ts 0')
    expect(JSON.parse(sent.at(-1) as string)).toMatchObject({ params: [{ uri: 'b.ts' }] })
    expect(await connection.sendRequest('area')).toBe(0)
    await expect(connection.sendRequest('initialize', {})).rejects.toMatchObject({ code: -32602 })
  })

  test('a notification', async () => {
    const before = (await connection.sendRequest('$/cancelRequest', { id: 1 })) as number
    await connection.sendNotification('$/cancelRequest', { id: 2 })
    expect(await connection.sendRequest('$/cancelRequest', { id: 3 })).toBe(before + 2)
  })
})
