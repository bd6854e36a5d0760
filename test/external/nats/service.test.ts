import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Protocol, RpcServer } from 'rpc-gen'
import { createClient, type Transport } from 'rpc-gen/client'
import { nats } from 'rpc-gen/client/nats'
import { type NatsHeaders, type NatsOptions, type NatsService, serveNats } from 'rpc-gen/nats'
import ts from 'typescript'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { server } from '../../nats/server.js'
import {
  type Connection,
  connect,
  createHeaders,
  discover,
  noNats,
  programs,
  shown,
  startNats,
  writePrograms,
} from '../../nats/start.js'
import { root } from '../../support/paths.js'
import { skipped } from '../../support/skip.js'

interface Api {
  add: (a: number, b: number) => number
  burn: (ms: number) => number
  repeat: (text: string, times: number) => string
  secret: () => string
  where: () => { header: string | null; subject: string; transport: string }
  work: (key: string, ms: number) => [key: string, pid: number]
  none: () => void
}

const json = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

describe.skipIf(skipped('rpc-gen/nats', noNats))('a service', () => {
  let url: string
  let stopNats: () => Promise<void>
  let connection: Connection
  let caller: Connection

  beforeAll(async () => {
    const running = await startNats('max_payload: 100000\n')
    url = running.url
    stopNats = running.stop
    caller = await connect(url)
  })

  afterAll(async () => {
    await caller?.close()
    await stopNats?.()
  })

  beforeEach(async () => {
    connection = await connect(url)
    onTestFinished(() => connection.close())
  })

  async function serve(options: Partial<NatsOptions> = {}, of: RpcServer = server): Promise<NatsService> {
    const service = await serveNats(of, connection, { name: 'tools', version: '1.0.0', ...options })
    onTestFinished(() => service.stop())
    return service
  }

  async function request(payload: Uint8Array, subject = 'tools'): Promise<string> {
    const { data } = await caller.request(subject, payload, { timeout: 5000 })
    return new TextDecoder().decode(data)
  }

  const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', method, params, id: 1 })

  test('calls, batches, notifications, and invalid messages', async () => {
    await serve()
    expect(await request(json(call('add', 1, 2)))).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
    const batch = [call('add', 1, 2), { jsonrpc: '2.0', method: 'add' }, call('none')]
    expect(JSON.parse(await request(json(batch)))).toMatchObject([{ result: 3 }, { error: { code: -32601 } }])
    expect(await request(json({ jsonrpc: '2.0', method: 'add', params: [1, 2] }))).toBe('')
    expect(JSON.parse(await request(json('{')))).toMatchObject({ error: { code: -32700 }, id: null })
    expect(JSON.parse(await request(new Uint8Array([0x22, 0xff, 0x22])))).toMatchObject({ error: { code: -32700 } })
  })

  test('is JSON-RPC 2.0, whatever the compatibility of the server is', async () => {
    const compatibility = { lenientVersion: true, jsonMulticall: true }
    await serve({}, new RpcServer({ compatibility, onError: () => {} }))
    expect(JSON.parse(await request(json({ method: 'system.listMethods', id: 1 })))).toMatchObject({
      error: { code: -32600 },
    })
    expect(JSON.parse(await request(json(call('system.multicall', []))))).toMatchObject({ error: { code: -32601 } })
  })

  test('errors have the headers of a NATS service', async () => {
    await serve()
    const headersOf = async (body: unknown) => {
      const response = await caller.request('tools', json(body), { timeout: 5000 })
      const { headers } = response as { readonly data: Uint8Array; readonly headers?: NatsHeaders }
      return ['Nats-Service-Error-Code', 'Nats-Service-Error'].map((name) => headers?.values(name))
    }
    expect(await headersOf(call('secret'))).toEqual([['-32098'], ['Authentication failed']])
    expect(await headersOf('{')).toEqual([['-32700'], [expect.stringContaining('Parse error')]])
    expect(await headersOf(call('repeat', 'a', 200_000))).toMatchObject([['-32097'], ['Response too large']])
    expect(await headersOf(call('add', 1, 2))).toEqual([undefined, undefined])
  })

  test('a message without a reply subject runs', async () => {
    let calls = 0
    const own = new RpcServer()
    own.registerProcedure(() => void calls++, { name: 'count', unchecked: true })
    await serve({}, own)
    caller.publish('tools', JSON.stringify(call('count')))
    await expect.poll(() => calls).toBe(1)
  })

  test('the typed client: results, errors, batches, notifications, headers', async () => {
    await serve({ subject: 'eu.tools' })
    const transport = nats(caller, { createHeaders }) as Transport
    const client = createClient<Api>('nats:eu.tools', { transport })
    expect(await client.add(1, 2)).toBe(3)
    expect(await client.repeat('ä', 10_000)).toBe('ä'.repeat(10_000))
    await expect(client.none()).rejects.toMatchObject({ code: -32601 })
    expect(await client.$batch([client.$request.add(1, 2), client.$request.add(3, 4)])).toEqual([3, 7])
    expect(await client.$notify.add(1, 2)).toBeUndefined()
    await expect(client.secret()).rejects.toMatchObject({ code: -32098 })
    const signed = client.$with({ headers: { Authorization: 'Bearer sesame', 'X-Test': 'seen' } })
    expect(await signed.secret()).toBe('open')
    expect(await signed.where()).toEqual({ header: 'seen', subject: 'eu.tools', transport: 'nats' })
  })

  test('headers that HTTP does not allow are dropped, and the others are kept', async () => {
    await serve()
    const headers = createHeaders()
    headers.append('X-Price', '1 €')
    headers.append('X-Test', 'seen')
    const { data } = await caller.request('tools', json(call('where')), { timeout: 5000, headers })
    expect(JSON.parse(new TextDecoder().decode(data))).toMatchObject({ result: { header: 'seen' } })
  })

  test('a call that cannot be sent rejects before a request', async () => {
    const client = createClient<Api>('nats:tools', { transport: nats(caller) })
    await expect(client.repeat('x'.repeat(100_000), 1)).rejects.toThrow(
      /^the request has 100\d\d\d bytes, the NATS server accepts 100000 \(max_payload\)$/,
    )
    await expect(client.$with({ headers: { a: 'b' } }).add(1, 2)).rejects.toThrow('pass { createHeaders: headers }')
    for (const wrong of ['tools', 'nats:', 'nats:a.*', 'nats:a b', 'nats://tools']) {
      await expect(createClient<Api>(wrong, { transport: nats(caller) }).add(1, 2)).rejects.toThrow(
        `${JSON.stringify(wrong)} is not "nats:" and a subject`,
      )
    }
  })

  test('a response that is larger than max_payload is an error of its call', async () => {
    await serve()
    const client = createClient<Api>('nats:tools', { transport: nats(caller) })
    await expect(client.repeat('x', 100_001)).rejects.toMatchObject({ code: -32097 })
    const requests = [client.$request.add(1, 2), client.$request.repeat('x', 100_001), client.$request.add(1, 2)]
    expect(await client.$batchSettled(requests)).toMatchObject([
      { status: 'fulfilled', value: 3 },
      { status: 'rejected', reason: { code: -32097 } },
      { status: 'rejected', reason: { code: -32097 } },
    ])
    // The errors alone exceed it.
    const many = Array.from({ length: 990 }, () => client.$request.none())
    const outcomes = await client.$batchSettled(many)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await client.add(1, 2)).toBe(3)
  })

  test('a client without a service gets an error at once', async () => {
    const client = createClient<Api>('nats:unserved', { transport: nats(caller) })
    const start = performance.now()
    await expect(client.add(1, 2)).rejects.toMatchObject({
      name: 'RpcTransportError',
      message: 'nats:unserved: no service listens on the subject',
    })
    await expect(client.$notify.add(1, 2)).rejects.toMatchObject({ name: 'RpcTransportError' })
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test('a call has timeoutMs of the client, else of the transport', async () => {
    await serve()
    const transport = nats(caller, { timeoutMs: 50 })
    const client = createClient<Api>('nats:tools', { transport })
    const late = { name: 'TimeoutError', message: expect.stringContaining('nats:tools: no response within 50 ms') }
    await expect(client.work('a', 1000)).rejects.toMatchObject(late)
    expect(await client.$with({ timeoutMs: 5000 }).work('a', 100)).toEqual(['a', process.pid])
    const stopped = client.$with({ timeoutMs: 5000, signal: AbortSignal.timeout(20) })
    await expect(stopped.work('a', 1000)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('maxMessages: a further message is rejected and not handled', async () => {
    await serve({ maxMessages: 2 })
    const client = createClient<Api>('nats:tools', { transport: nats(caller) })
    const both = [client.work('a', 200), client.work('b', 200)]
    await expect(client.work('c', 0)).rejects.toMatchObject({
      code: -32000,
      message: 'Server busy: it is handling 2 messages',
    })
    await Promise.all(both)
    expect(await client.work('d', 0)).toEqual(['d', process.pid])
  })

  test('large responses that are sent at once', async () => {
    await serve()
    const client = createClient<Api>('nats:tools', { transport: nats(caller) })
    // 45 MB: more than may be sent before the NATS server has received earlier ones.
    const results = await Promise.all(Array.from({ length: 500 }, () => client.repeat('x', 90_000)))
    expect(results.every(({ length }) => length === 90_000)).toBe(true)
  })

  test('stop: delivered messages are handled, later ones have no responders', async () => {
    const service = await serve()
    const client = createClient<Api>('nats:tools', { transport: nats(caller) })
    const running = Array.from({ length: 100 }, (_, i) => client.work(`${i}`, 100))
    await sleep(20)
    // The NATS server has all of them then.
    await caller.flush()
    await service.stop()
    expect(await Promise.all(running)).toHaveLength(100)
    await expect(client.add(1, 2)).rejects.toThrow('no service listens on the subject')
    expect(connection.isClosed()).toBe(false)
  })

  test('a connection that is closed while a call runs: the error is passed to onError', async () => {
    const errors: Error[] = []
    const own = new RpcServer({ onError: (error) => void errors.push(error) })
    let [begin, end] = [() => {}, () => {}]
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const slow = () => {
      begin()
      return ended
    }
    own.registerProcedure(slow, { name: 'slow', unchecked: true })
    const closing = await connect(url)
    const service = await serveNats(own, closing, { name: 'closing', version: '1.0.0' })
    const response = caller.request('closing', json(call('slow')), { timeout: 500 })
    const rejection = expect(response).rejects.toThrow()
    await begun
    await closing.close()
    end()
    await service.stop()
    await rejection
    expect(errors).toHaveLength(1)
  })

  test('discovery: ping, info and statistics, as the official client reads them', async () => {
    const options = { description: 'Tools', metadata: { region: 'eu' }, subject: 'tools.rpc', queue: 'all' }
    const one = await serve(options)
    const second = await connect(url)
    onTestFinished(() => second.close())
    const two = await serveNats(server, second, { name: 'tools', version: '1.0.0', ...options })
    const read = async (found: Promise<AsyncIterable<Readonly<Record<string, unknown>>>>) => {
      const all = []
      for await (const each of await found) all.push(each)
      return all
    }
    const pings = await read(discover(caller).ping('tools'))
    expect(pings.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort())
    expect(await read(discover(caller).ping())).toHaveLength(2)
    const endpoint = { name: 'rpc', subject: 'tools.rpc', queue_group: 'all' }
    expect(await read(discover(caller).info('tools', one.id))).toEqual([
      {
        type: 'io.nats.micro.v1.info_response',
        name: 'tools',
        id: one.id,
        version: '1.0.0',
        description: 'Tools',
        metadata: { region: 'eu' },
        endpoints: [{ ...endpoint, metadata: { protocol: 'JSON-RPC 2.0' } }],
      },
    ])
    const client = createClient<Api>('nats:tools.rpc', { transport: nats(caller) })
    await two.stop()
    await client.work('a', 100)
    await expect(client.none()).rejects.toThrow()
    const [stats] = (await read(discover(caller).stats('tools'))) as [{ endpoints: [Record<string, number>] }]
    const [counted] = stats.endpoints
    expect(counted).toMatchObject({
      ...endpoint,
      num_requests: 2,
      num_errors: 1,
      last_error: '-32601 Method not found',
    })
    // In nanoseconds, the time that the procedure waited included.
    expect(counted['processing_time']).toBeGreaterThan(90e6)
    expect(counted['average_processing_time']).toBe(Math.round((counted['processing_time'] ?? 0) / 2))
  })

  test.each([
    [{ name: 'a b' }, 'name is "a b", expected letters'],
    [{ version: '1' }, 'version is "1", expected a version'],
    [{ subject: 'a.>' }, 'subject is "a.>", expected a subject'],
    [{ queue: '' }, 'queue is "", expected a name'],
    [{ metadata: { a: 1 } as never }, 'metadata is an object, expected an object of strings'],
    [{ maxMessages: 0 }, 'maxMessages is 0, expected a positive integer'],
  ])('%o is an error', async (options, message) => {
    await expect(serve(options)).rejects.toThrow(message)
  })

  test('a server without JSON-RPC is an error', async () => {
    await expect(serve({}, new RpcServer({ protocol: Protocol.XML_RPC }))).rejects.toThrow('does not accept JSON-RPC')
  })

  test('subscriptions that the NATS server does not permit are an error', async () => {
    const config =
      'authorization { users = [{ user: a, password: b, permissions: { subscribe: ["$SRV.>", "_INBOX.>"] } }] }'
    const strict = await startNats(config)
    onTestFinished(() => strict.stop())
    const limited = await connect(strict.url, { user: 'a', pass: 'b' })
    onTestFinished(() => limited.close())
    const serving = serveNats(server, limited, { name: 'tools', version: '1.0.0' })
    await expect(serving).rejects.toThrow(/^serveNats: cannot subscribe to tools: /)
  })

  test('the programs of docs/guide/nats.md have no type errors', async () => {
    await writePrograms()
    const gen = join(programs, 'rpc.gen.ts')
    ts.sys.writeFile(gen, 'export interface JsonProcedures { add: (a: number, b: number) => number }\n')
    ts.sys.writeFile(
      join(programs, 'server.ts'),
      "import { RpcServer } from 'rpc-gen'\nexport const server = new RpcServer()\n",
    )
    const page = readFileSync(join(root, 'docs/guide/nats.md'), 'utf8')
    const [headers = ''] = /^import \{ connect, headers[\s\S]*?(?=^```)/m.exec(page) ?? []
    const imports = ["'rpc-gen/client'", "'rpc-gen/client/nats'"].map(
      (from, i) => `import { ${['createClient', 'nats'][i]} } from ${from}\n`,
    )
    const rest =
      "import type { JsonProcedures } from './rpc.gen.js'\nconst connection = await connect()\nconst token = ''\n"
    ts.sys.writeFile(join(programs, 'headers.ts'), `${imports.join('')}${rest}${headers}`)
    const files = [...shown.keys(), 'headers.ts'].map((file) => join(programs, file))
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      types: ['node'],
      configFilePath: join(programs, 'tsconfig.json'),
      module: ts.ModuleKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
    })
    const errors = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(errors).toEqual([])
  })
})
