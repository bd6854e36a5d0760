import { getEventListeners } from 'node:events'
import { createClient } from 'rpc-gen/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type Hostile, startHostile } from './hostile.js'
import { connect, connectTo, failureOf, timerCount, url } from './served.js'

let hostile: Hostile | undefined
afterEach(() => hostile?.stop())

interface Sums {
  sum: (...numbers: number[]) => number
}

describe('a signal', () => {
  test('ends a call, the request and nothing else', async () => {
    let closed = () => {}
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    hostile = await startHostile((_, response) => void response.on('close', closed))
    const controller = new AbortController()
    const client = createClient<Sums>(hostile.url)
    const failure = failureOf(client.$with({ signal: controller.signal }).sum(1))
    while (hostile.count() === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const reason = new Error('enough')
    controller.abort(reason)
    expect(await failure).toBe(reason)
    await isClosed
  })

  test('without a reason gives the AbortError of the platform', async () => {
    const signal = AbortSignal.abort()
    expect(await failureOf(connect().client.$with({ signal }).sum(1))).toMatchObject({ name: 'AbortError' })
  })

  test('that is aborted before: nothing is sent', async () => {
    const { client, traffic } = connect({ signal: AbortSignal.abort('before') })
    await expect(client.sum(1)).rejects.toBe('before')
    expect(traffic.requests).toEqual([])
  })

  test('of the client applies in addition to that of $with', async () => {
    const [outer, inner] = [new AbortController(), new AbortController()]
    const client = connectTo(() => new Promise(() => {}), { signal: outer.signal })
    const [first, second] = [client.$with({ signal: inner.signal }).sum(1), client.sum(1)].map(failureOf)
    inner.abort('inner')
    expect(await first).toBe('inner')
    outer.abort('outer')
    expect(await second).toBe('outer')
  })

  test('ends a fetch that ignores the signal, too', async () => {
    const controller = new AbortController()
    const client = connectTo(() => new Promise(() => {}), { signal: controller.signal })
    const failure = failureOf(client.sum(1))
    controller.abort('deaf')
    expect(await failure).toBe('deaf')
  })

  test('that is used by many calls has no listener afterwards', async () => {
    const { signal } = new AbortController()
    const { client } = connect({ signal, batch: true })
    await Promise.all(Array.from({ length: 50 }, () => client.sum(1)))
    await client.$batch([client.$request.sum(1), client.$request.sum(2)])
    await failureOf(client.fail(1, 'no'))
    await failureOf(client.echo.any(1n))
    await client.$batchSettled([client.$request.sum(1), client.$request.echo.any(1n)])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('of the request is not aborted once the response has arrived', async () => {
    const sent: AbortSignal[] = []
    const { client } = connect()
    const noting = connectTo((_, { signal, body }) => {
      if (signal) sent.push(signal)
      const { id } = JSON.parse(`${body}`)
      return Response.json({ jsonrpc: '2.0', result: 1, id })
    })
    await client.sum(1)
    await noting.sum(1)
    await new Promise((resolve) => setTimeout(resolve))
    expect(sent.map(({ aborted }) => aborted)).toEqual([false])
  })
})

describe('timeoutMs', () => {
  test('ends a call with a TimeoutError, as AbortSignal.timeout does', async () => {
    const client = connectTo(() => new Promise(() => {}), { timeoutMs: 5 })
    const error = await failureOf(client.sum(1))
    expect(error).toBeInstanceOf(DOMException)
    expect(error).toMatchObject({ name: 'TimeoutError', message: `${url}: no response within 5 ms` })
  })

  test('applies to the body, too', async () => {
    hostile = await startHostile((_, response) => void response.writeHead(200).write('{'))
    const error = await failureOf(createClient<Sums>(hostile.url, { timeoutMs: 50 }).sum(1))
    expect(error.name).toBe('TimeoutError')
  })

  test.each([0, 2 ** 31, Number.POSITIVE_INFINITY])('%d means no limit', async (timeoutMs) => {
    const { client } = connect({ timeoutMs })
    expect(await client.later('x')).toBe('x')
  })

  test('leaves no timer behind', async () => {
    const { client } = connect({ timeoutMs: 100_000 })
    const before = timerCount()
    await client.sum(1)
    await new Promise((resolve) => setTimeout(resolve))
    expect(timerCount()).toBeLessThanOrEqual(before)
  })
})

describe('no rejection is left without a handler', () => {
  test.each(['call', '$batch', '$batchSettled', 'automatic'])('%s', async (how) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const controller = new AbortController()
    const client = connectTo(
      (_, { signal }) =>
        new Promise((_, reject) => void signal?.addEventListener('abort', () => reject(signal.reason))),
      {
        signal: controller.signal,
        batch: how === 'automatic',
      },
    )
    const requests = [client.$request.sum(1), client.$request.sum(2)] as const
    const failure = (() => {
      if (how === '$batch') return failureOf(client.$batch(requests))
      if (how === '$batchSettled') return client.$batchSettled(requests)
      return Promise.all([failureOf(client.sum(1)), failureOf(client.sum(2))])
    })()
    await new Promise((resolve) => setTimeout(resolve, 2))
    controller.abort('stop')
    await failure
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })
})
