import { RpcError } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { connect, connectTo, failureOf, overEveryEntryPoint, responseOf } from './served.js'

overEveryEntryPoint('$batch', () => {
  test('is one request; the results are a tuple', async () => {
    const { client, traffic } = connect()
    const { $request } = client
    const [difference, person, nothing] = await client.$batch([
      $request.subtract(42, 23),
      $request.echo.struct({ name: 'Ada', age: 36 }),
      $request.update(1),
    ])
    const numbers: readonly [number, string, null] = [difference, person.name, nothing]
    expect(numbers).toEqual([19, 'Ada', null])
    expect(traffic.requests).toEqual([
      '[{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1},' +
        '{"jsonrpc":"2.0","method":"echo.struct","params":[{"name":"Ada","age":36}],"id":2},' +
        '{"jsonrpc":"2.0","method":"update","params":[1],"id":3}]',
    ])
  })

  test('accepts calls by name and notifications', async () => {
    const { client, traffic } = connect()
    const results = await client.$batch([
      client.$request.$named.subtract({ minuend: 3, subtrahend: 2 }),
      client.$request.$notify.update(1),
      client.$request.sum(1, 2),
    ])
    expect(results).toEqual([1, undefined, 3])
    expect(JSON.parse(traffic.responses[0] ?? '').length).toBe(2)
  })

  test('of notifications only', async () => {
    const { client, traffic } = connect()
    expect(await client.$batch([client.$request.$notify.update(1), client.$request.$notify.update(2)])).toEqual([
      undefined,
      undefined,
    ])
    expect(traffic.responses).toEqual([''])
  })

  test('of nothing sends nothing', async () => {
    const { client, traffic } = connect()
    expect(await client.$batch([])).toEqual([])
    expect(await client.$batchSettled([])).toEqual([])
    expect(traffic.requests).toEqual([])
  })

  test('of a list that is made at run time', async () => {
    const { client } = connect()
    const requests = [1, 2, 3].map((value) => client.$request.echo.int(value))
    const results: number[] = await client.$batch(requests)
    expect(results).toEqual([1, 2, 3])
  })

  test('requests are plain data', () => {
    const { client } = connect()
    expect(client.$request.subtract(1, 2)).toEqual({ method: 'subtract', params: [1, 2] })
    expect(client.$request.$notify.update(1)).toEqual({ method: 'update', params: [1], notify: true })
  })

  test('rejects with the first error; $batchSettled returns the outcome of each', async () => {
    const { client } = connect()
    const requests = [
      client.$request.sum(1, 2),
      client.$request.fail(7, 'seven'),
      client.$request.fail(8, 'eight', 'data'),
    ] as const
    expect(await failureOf(client.$batch(requests))).toMatchObject({ code: 7, message: 'seven' })
    const settled = await client.$batchSettled(requests)
    expect(settled).toEqual([
      { status: 'fulfilled', value: 3 },
      { status: 'rejected', reason: new RpcError(7, 'seven') },
      { status: 'rejected', reason: new RpcError(8, 'eight', { data: 'data' }) },
    ])
  })

  test('is rejected as a whole if the server does so', async () => {
    const { client } = connect()
    const requests = Array.from({ length: 1001 }, (_, i) => client.$request.echo.int(i))
    const settled = await client.$batchSettled(requests)
    expect(new Set(settled.map((each) => each.status === 'rejected' && each.reason.data))).toEqual(
      new Set(['a batch of more than 1000 entries']),
    )
    expect(settled.length).toBe(1001)
  })

  test('sends nothing when one of the calls cannot be written', async () => {
    const { client, traffic } = connect()
    const settled = await client.$batchSettled([client.$request.sum(1), client.$request.echo.any(1n)])
    expect(settled.map((each) => each.status === 'rejected' && each.reason.name)).toEqual(['TypeError', 'TypeError'])
    expect(traffic.requests).toEqual([])
  })

  test('with an aborted signal sends nothing', async () => {
    const { client, traffic } = connect()
    const aborted = client.$with({ signal: AbortSignal.abort('why') })
    await expect(aborted.$batch([aborted.$request.sum(1)])).rejects.toBe('why')
    expect(traffic.requests).toEqual([])
  })
})

const entry = (id: unknown, result: unknown = id) => ({ jsonrpc: '2.0', result, id })
const rejected = { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid Request' }, id: null }

async function settle(entries: unknown, status = 200) {
  const client = connectTo(() => responseOf(entries, { status }))
  const { $request } = client
  const settled = await client.$batchSettled([$request.sum(1), $request.sum(2), $request.sum(3)])
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))
}

const before = 'http://localhost/rpc: '

describe('the responses to a batch', () => {
  test('are found by their ids, in any order', async () => {
    expect(await settle([entry(3), entry(1), entry(2)])).toEqual([1, 2, 3])
  })

  test('a missing one is an error of its call', async () => {
    const [one, two, three] = await settle([entry(1), entry(3)])
    expect([one, three]).toEqual([1, 3])
    expect(two).toBe(
      `${before}no response with the id 2: received 200, application/json, ` +
        JSON.stringify(JSON.stringify([entry(1), entry(3)])),
    )
  })

  test('an error without an id applies to the calls without a response', async () => {
    expect(await settle([entry(1), rejected, entry(3)])).toEqual([1, 'Invalid Request', 3])
    expect(await settle(rejected)).toEqual(Array(3).fill('Invalid Request'))
    expect(await settle(rejected, 400)).toEqual(Array(3).fill('Invalid Request'))
  })

  test.each([
    ['twice the same id', [entry(1), entry(2), entry(2)], 'no call with the id 2'],
    ['an unknown id', [entry(1), entry(2), entry(4)], 'no call with the id 4'],
    ['an id of another type', [entry('1'), entry(2), entry(3)], 'no call with the id "1"'],
    ['a result without an id', [entry(1), entry(2), entry(null)], 'no call with the id null'],
    ['no list', entry(1), 'the response is not a list'],
    ['an entry that is not a response', [entry(1), entry(2), 3], 'the response is not JSON-RPC 2.0'],
    ['null for an entry', [entry(1), entry(2), null], 'the response is not JSON-RPC 2.0'],
  ])('%s is an error of all', async (_, entries, reason) => {
    const messages = await settle(entries)
    expect(messages.map((message) => `${message}`.split(': received')[0])).toEqual(Array(3).fill(before + reason))
  })
})
