import type { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClient, xmlRpc } from 'rpc-gen/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf } from '../../client/served.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { skipped } from '../../support/skip.js'

const date = new Date('2024-07-10T12:34:56Z')
const bytes = Uint8Array.of(0, 255, 10)

const folder = join(root, 'test/clients/xmlrpc')
const notInstalled = await install(folder)

interface NpmServer {
  on(
    method: string,
    respond: (error: unknown, params: unknown[], done: (error: unknown, value?: unknown) => void) => void,
  ): void
  readonly httpServer: ReturnType<typeof createServer>
}

describe.skipIf(skipped("npm xmlrpc's server", notInstalled))("npm xmlrpc's server", () => {
  let server: NpmServer | undefined
  let address = ''

  beforeAll(async () => {
    const { createServer } = createRequire(join(folder, 'package.json'))('xmlrpc')
    const started: NpmServer = createServer({ host: '127.0.0.1', port: 0 })
    server = started
    started.on('echo', (_, [value], done) => done(null, value))
    started.on('fail', (_, _params, done) => done({ faultCode: 5, faultString: 'no' }))
    await new Promise<void>((resolve) => void started.httpServer.once('listening', () => resolve()))
    address = `http://127.0.0.1:${(started.httpServer.address() as AddressInfo).port}/`
  })
  afterAll(() => void server?.httpServer.close())

  test('reads and writes', async () => {
    const client = createClient<{ echo: (value: unknown) => unknown; fail: () => null }>(address, {
      transport: xmlRpc(),
    })
    const value = { text: 'é <', list: [1, 1.5, true, null], when: date, data: bytes }
    const echoed = (await client.echo(value)) as typeof value
    expect({ ...echoed, when: 0 }).toEqual({ ...value, when: 0 })
    expect(echoed.when).toBeInstanceOf(Date)
    expect(await failureOf(client.fail())).toMatchObject({ code: 5, message: 'no' })
    expect(await failureOf(client.$call('missing'))).toMatchObject({ name: 'RpcTransportError', status: 404 })
  })
})
