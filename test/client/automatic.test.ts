import { expect, test } from 'vitest'
import { connect, connectTo, failureOf, overEveryEntryPoint, responseOf } from './served.js'

const sizes = (requests: readonly string[]) =>
  requests.map((text) => {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value.length : 'alone'
  })

overEveryEntryPoint('with automatic batching', () => {
  test('the calls of one tick are one request', async () => {
    const { client, traffic } = connect({ batch: true })
    const later = async () => {
      await null
      return client.$named.echo.string({ value: 'x' })
    }
    const results = await Promise.all([client.sum(1, 2), later(), client.$notify.update(1), client.$call('sum', [3])])
    expect(results).toEqual([3, 'x', undefined, 3])
    expect(sizes(traffic.requests)).toEqual([4])
  })

  test('a single call is not sent as a batch', async () => {
    const { client, traffic } = connect({ batch: true })
    await client.sum(1)
    await client.sum(2)
    expect(traffic.requests.map((text) => JSON.parse(text).method)).toEqual(['sum', 'sum'])
  })

  test('each call resolves or rejects separately', async () => {
    const { client } = connect({ batch: true })
    const [sum, failure, other] = await Promise.allSettled([client.sum(1), client.fail(7, 'no'), client.echo.int(2)])
    expect([sum, failure, other]).toMatchObject([{ value: 1 }, { reason: { code: 7 } }, { value: 2 }])
  })

  test('a tick larger than maxSize is split, and so is one larger than 1000 by default', async () => {
    const small = connect({ batch: { maxSize: 2 } })
    expect(await Promise.all([1, 2, 3, 4, 5].map((value) => small.client.echo.int(value)))).toEqual([1, 2, 3, 4, 5])
    expect(sizes(small.traffic.requests)).toEqual([2, 2, 'alone'])
    const { client, traffic } = connect({ batch: {} })
    await Promise.all(Array.from({ length: 1001 }, (_, i) => client.echo.int(i)))
    expect(sizes(traffic.requests)).toEqual([1000, 'alone'])
  })

  test('an aborted call does not affect the others', async () => {
    const { client, traffic } = connect({ batch: true })
    const controller = new AbortController()
    const aborted = client.$with({ signal: controller.signal })
    const calls = [client.sum(1), aborted.sum(2), client.sum(3)]
    controller.abort('enough')
    expect(await Promise.allSettled(calls)).toMatchObject([{ value: 1 }, { reason: 'enough' }, { value: 3 }])
    expect(sizes(traffic.requests)).toEqual([2])
  })

  test('an aborted call does not affect the others while the request runs; the last one aborts the request', async () => {
    const sent: AbortSignal[] = []
    const client = connectTo(
      (_, { signal }) => {
        if (signal) sent.push(signal)
        return new Promise(() => {})
      },
      { batch: true },
    )
    const controllers = [new AbortController(), new AbortController()]
    const calls = controllers.map(({ signal }) => failureOf(client.$with({ signal }).sum(1)))
    await new Promise((resolve) => setTimeout(resolve))
    controllers[0]?.abort('first')
    expect(await calls[0]).toBe('first')
    expect(sent.map(({ aborted }) => aborted)).toEqual([false])
    controllers[1]?.abort('second')
    expect(await calls[1]).toBe('second')
    expect(sent.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('calls with other headers are separate requests', async () => {
    const { client, traffic } = connect({ batch: true })
    const other = client.$with({ headers: { 'X-A': '1' } })
    await Promise.all([client.sum(1), other.sum(2), client.sum(3), other.sum(4)])
    expect(sizes(traffic.requests)).toEqual([2, 2])
  })

  test('$batch is a separate request', async () => {
    const { client, traffic } = connect({ batch: true })
    await Promise.all([client.sum(1), client.$batch([client.$request.sum(2)])])
    expect(sizes(traffic.requests)).toEqual([1, 'alone'])
  })

  test('a failed request rejects every call', async () => {
    const client = connectTo(() => responseOf('<html>', { status: 502 }), { batch: true })
    const failures = await Promise.all([failureOf(client.sum(1)), failureOf(client.sum(2))])
    expect(failures.map((error) => 'status' in error && error.status)).toEqual([502, 502])
  })
})
