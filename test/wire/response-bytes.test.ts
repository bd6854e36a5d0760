import { Hono } from 'hono'
import { ErrorCode, RpcError, RpcResponseTooLarge, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/wire/procedures.gen.js'
import { callXml, post } from '../support/requests.js'

const tooLarge = { code: ErrorCode.RESPONSE_TOO_LARGE, message: 'Response too large' }
const notCalled = { code: ErrorCode.RESPONSE_TOO_LARGE, message: 'Response too large: not called' }

interface Setup {
  readonly sequential: boolean
  readonly options?: RpcServerOptions
  readonly responseBytes?: number
  /** How many calls of `large.async` wait for each other: they have all begun before the first one ends. */
  readonly together?: number
}

function setUp({ sequential, options, responseBytes, together = 1 }: Setup) {
  const ran: number[] = []
  let begin = () => {}
  const allBegun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const reported: unknown[] = []
  const limits = responseBytes === undefined ? {} : { responseBytes }
  const server = new RpcServer({ procedures, limits, onError: (error) => void reported.push(error), ...options })
  const large = (index: number, text: string, length: number) => {
    ran.push(index)
    return text.repeat(length)
  }
  server.registerProcedure(large, { unchecked: true, name: 'large' })
  server.registerProcedure(
    async (index: number, text: string, length: number) => {
      const result = large(index, text, length)
      if (ran.length >= together) begin()
      await allBegun
      return result
    },
    { unchecked: true, name: 'large.async' },
  )
  server.registerProcedure(
    (length: number) => {
      throw new RpcError(1, 'large', { data: 'x'.repeat(length) })
    },
    { unchecked: true, name: 'large.error' },
  )
  const app = new Hono().route('/rpc', server.router({ sequential }))
  const send = async (type: string, body: string) =>
    (await app.request('/rpc', post(body, { 'Content-Type': type }))).text()
  return { ran, reported, send }
}

type Entry = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}
type Send = ReturnType<typeof setUp>['send']

async function sendBatch(send: Send, calls: readonly [method: string, params?: unknown][]): Promise<[Entry[], number]> {
  const batch = calls.map(([method, params = []], id) => ({ jsonrpc: '2.0', method, params, id }))
  const text = await send('application/json', JSON.stringify(batch))
  const entries = JSON.parse(text) as Entry[]
  expect(entries.map(({ id }) => id)).toEqual(batch.map(({ id }) => id))
  return [entries, new TextEncoder().encode(text).byteLength]
}

const xmlValue = (value: unknown): string =>
  typeof value === 'number' ? `<value><int>${value}</int></value>` : `<value><string>${value}</string></value>`

async function sendMulticall(send: Send, method: string, params: readonly unknown[], count: number): Promise<string> {
  const list = `<value><array><data>${params.map(xmlValue).join('')}</data></array></value>`
  const entry =
    `<value><struct><member><name>methodName</name><value>${method}</value></member>` +
    `<member><name>params</name>${list}</member></struct></value>`
  return send('text/xml', callXml('system.multicall', `<array><data>${entry.repeat(count)}</data></array>`))
}

/** Results first, then errors, and as many results as fit. */
function expectSplit(entries: readonly Entry[], fitting: number, errors: readonly object[]): void {
  expect(entries.findIndex(({ error }) => error)).toBe(fitting)
  for (const [at, { error }] of entries.slice(fitting).entries())
    expect(error).toEqual(errors[Math.min(at, errors.length - 1)])
}

describe.each([true, false])('sequential: %s', (sequential) => {
  test.each(['large', 'large.async'])('a batch of large results: %s', async (method) => {
    const called = sequential || method === 'large'
    const { send, ran, reported } = setUp({ sequential, responseBytes: 10_500, together: called ? 1 : 100 })
    const [entries] = await sendBatch(
      send,
      Array.from({ length: 100 }, (_, i) => [method, [i, 'x', 1000]]),
    )
    expectSplit(entries, 10, called ? [tooLarge, notCalled] : [tooLarge])
    expect(ran).toHaveLength(called ? 11 : 100)
    expect(reported).toHaveLength(90)
    for (const error of reported) expect(error).toBeInstanceOf(RpcResponseTooLarge)
  })

  test.each([
    ['a', 1],
    ['ü', 2],
    ['€', 3],
    ['😀', 4],
  ])('bytes of UTF-8 are counted: %s', async (text, size) => {
    const envelope = '{"jsonrpc":"2.0","result":"","id":0}'.length
    const [length, calls] = [1200 / size, 10]
    const responseBytes = calls * (envelope + 1200)
    const batch: [string, unknown][] = Array.from({ length: calls }, (_, i) => ['large', [i, text, length]])
    const [all] = await sendBatch(setUp({ sequential, responseBytes }).send, batch)
    expect(all.filter(({ error }) => error)).toEqual([])
    const [most] = await sendBatch(setUp({ sequential, responseBytes: responseBytes - 1 }).send, batch)
    expectSplit(most, 9, [tooLarge])
  })

  test('a batch of large errors', async () => {
    const { send } = setUp({ sequential, responseBytes: 10_000 })
    const [entries, bytes] = await sendBatch(send, Array(50).fill(['large.error', [3000]]))
    expect(entries.filter(({ error }) => error?.code === 1)).toHaveLength(3)
    expect(bytes).toBeLessThan(10_000 + 50 * 120)
  })

  test('notifications run, whatever is before them', async () => {
    const { send, ran } = setUp({ sequential, responseBytes: 100 })
    const calls = [{ id: 1 }, {}, { id: 2 }, {}].map((id, i) => {
      return { jsonrpc: '2.0', method: 'large', params: [i, 'x', 1000], ...id }
    })
    await send('application/json', JSON.stringify(calls))
    expect(ran).toEqual([0, 1, 3])
  })

  test('a multicall of large results', async () => {
    const { send, ran } = setUp({ sequential, responseBytes: 10_800 })
    const text = await sendMulticall(send, 'large', [1, 'x', 1000], 100)
    expect(text.match(/x{1000}/g)).toHaveLength(10)
    expect(text.match(/Response too large</g)).toHaveLength(1)
    expect(text.match(/Response too large: not called</g)).toHaveLength(89)
    expect(ran).toHaveLength(11)
  })

  test('one result that is too large, in both protocols', async () => {
    const { send } = setUp({ sequential, responseBytes: 1000 })
    const json = (length: number) =>
      send('application/json', JSON.stringify({ jsonrpc: '2.0', method: 'large', params: [0, 'x', length], id: 7 }))
    expect(JSON.parse(await json(900)).result).toHaveLength(900)
    expect(JSON.parse(await json(1000))).toEqual({ jsonrpc: '2.0', error: tooLarge, id: 7 })
    const xml = (length: number) => {
      const params = [0, 'x', length].map((each) => `<param>${xmlValue(each)}</param>`).join('')
      return send('text/xml', `<methodCall><methodName>large</methodName><params>${params}</params></methodCall>`)
    }
    // With its document.
    expect(await xml(800)).toContain('x'.repeat(800))
    expect(await xml(900)).toContain('<int>-32097</int>')
    expect(await xml(1000)).toContain('<int>-32097</int></value></member><member><name>faultString</name>')
  })

  test('the default: 1,000 results of 1 MiB are not more than 8 MiB', async () => {
    const { send } = setUp({ sequential })
    const [entries, bytes] = await sendBatch(
      send,
      Array.from({ length: 1000 }, (_, i) => ['large', [i, 'x', 2 ** 20]]),
    )
    expect(entries.filter(({ result }) => result)).toHaveLength(7)
    expect(bytes).toBeLessThan(2 ** 23)
  })
})

test('an error of onError has the same limit', async () => {
  const onError = () => new RpcError(1, 'x'.repeat(10_000))
  const { send } = setUp({ sequential: true, responseBytes: 100, options: { onError } })
  const [entries] = await sendBatch(send, Array(5).fill(['large', [0, 'x', 1000]]))
  expectSplit(entries, 0, [tooLarge, notCalled])
})

test('a limit beyond the length of strings is rejected', () => {
  const serverWith = (responseBytes: number) => () => new RpcServer({ limits: { responseBytes } })
  expect(serverWith(2 ** 28)).not.toThrow()
  expect(serverWith(2 ** 28 + 1)).toThrow(
    'limits.responseBytes is 268435457, expected a positive integer of at most 268435456',
  )
  expect(serverWith(Number.POSITIVE_INFINITY)).toThrow('limits.responseBytes is Infinity')
})

test('the OpenRPC document is encoded once, and is the same text everywhere', async () => {
  const server = new RpcServer({ procedures })
  const app = new Hono().route('/rpc', server.router())
  const document = (await (await app.request('/rpc/openrpc.json')).text()) as string
  const body = '{"jsonrpc":"2.0","method":"rpc.discover","id":1}'
  const text = await (await app.request('/rpc', post(body, { 'Content-Type': 'application/json' }))).text()
  expect(text).toBe(`{"jsonrpc":"2.0","result":${document},"id":1}`)
  expect(await server.call('rpc.discover')).toEqual(JSON.parse(document))
})
