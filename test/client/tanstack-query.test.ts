import { Hono } from 'hono'
import type { RpcError } from 'rpc-gen'
import { createClient as createUntyped, type Fetch, RpcValueError } from 'rpc-gen/client'
import { tanstackQuery } from 'rpc-gen/client/tanstack-query'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createClient } from '../../fixtures/generate/api-docs/expected.client.gen.js'
import { type JsonParams, type JsonProcedures, router } from '../../fixtures/generate/api-docs/expected.gen.js'
import {
  createClient as createDataClient,
  isRpcError,
  type OrderId,
  type PaymentRequiredData,
} from '../../fixtures/generate/error-data/api/expected.client.gen.js'
import { router as dataRouter } from '../../fixtures/generate/error-data/expected.gen.js'

// React and TanStack Query themselves are in test/external/client/.

const app = new Hono().route('/rpc', router).route('/data', dataRouter)
const fetch: Fetch = (url, init) => app.request(url, init)
const client = createClient('https://example.org/rpc', { fetch })
const rpc = tanstackQuery(client)
const data = tanstackQuery(createDataClient('https://example.org/data', { fetch }))

const order = { sku: 'a-1', due: new Date('2026-01-02T00:00:00Z'), from: { country: 'CH' as const } }
const sent = { ...order, due: '2026-01-02T00:00:00.000Z' }
const context = () => ({ signal: new AbortController().signal })

/** A symbol as TanStack Query exports it. */
const skipToken: unique symbol = Symbol('skipToken')

/** As TanStack Query compares a key with the beginning of another: deeply, by the members of the second. */
function begins(key: unknown, start: unknown): boolean {
  if (key === start) return true
  if (typeof key !== 'object' || typeof start !== 'object' || !key || !start) return false
  return Object.entries(start).every(([name, each]) => begins(key[name as never], each))
}

describe('queryOptions', () => {
  test('calls by position and by name', async () => {
    const options = rpc.order.create.queryOptions([order, true])
    expectTypeOf(options.queryFn).returns.resolves.toEqualTypeOf<'open' | 'sent'>()
    expect(await options.queryFn(context())).toBe('sent')
    expect(await rpc.order.create.queryOptions({ order }).queryFn(context())).toBe('open')
    expect(await rpc.order.count.queryOptions().queryFn(context())).toBe(4)
  })

  test('has a key of the name and the parameters as JSON has them', () => {
    const { queryKey } = rpc.order.create.queryOptions([order, true])
    expect(queryKey).toEqual([['order', 'create'], { type: 'query', params: [sent, true] }])
    expect(JSON.parse(JSON.stringify(queryKey))).toEqual(queryKey)
    expect(rpc.order.create.queryOptions({ order }).queryKey[1]?.params).toEqual({ order: sent })
    expect(rpc.order.count.queryOptions().queryKey).toEqual([['order', 'count'], { type: 'query', params: [] }])
  })

  test('pathKey is the beginning of the keys of a procedure, of a namespace, and of all', () => {
    const { queryKey } = rpc.order.count.queryOptions(['open'])
    const keys = [rpc.order.count.pathKey(), rpc.order.pathKey(), rpc.pathKey()]
    expect(keys.map((key) => begins(queryKey, key))).toEqual([true, true, true])
    expect([rpc.order.create.pathKey(), rpc.legacy.pathKey()].map((key) => begins(queryKey, key))).toEqual([
      false,
      false,
    ])
    expect(tanstackQuery(client, { prefix: 'shop' }).order.pathKey()).toEqual([['shop', 'order']])
  })

  test('passes the signal on', async () => {
    const controller = new AbortController()
    const running = rpc.order.count.queryOptions(['open']).queryFn(controller)
    controller.abort(new Error('unmounted'))
    await expect(running).rejects.toThrow('unmounted')
  })

  test('passes skipToken on', () => {
    const options = rpc.order.count.queryOptions(order.sku === '' ? ['open'] : skipToken)
    expect(options.queryFn).toBe(skipToken)
    expect(begins(options.queryKey, rpc.order.count.pathKey())).toBe(true)
  })

  test('has null for undefined, which TanStack Query does not have', async () => {
    const nothing = tanstackQuery(
      createDataClient('https://example.org/', {
        fetch: (_url, { body }) => Response.json({ jsonrpc: '2.0', result: null, id: JSON.parse(`${body}`).id }),
      }),
    ).shelf.open.queryOptions([1])
    expectTypeOf(nothing.queryFn).returns.resolves.toEqualTypeOf<null>()
    expect(await nothing.queryFn(context())).toBeNull()
  })

  test('rejects with declared errors, whose data is typed, and with others', async () => {
    const options = data.order.pay.queryOptions(['a-1' as OrderId, 'declared'])
    type Failure = Parameters<Extract<typeof options.retry, (...params: never) => unknown>>[1]
    expectTypeOf<Extract<Failure, RpcError<4020>>['data']>().toEqualTypeOf<PaymentRequiredData | undefined>()
    expectTypeOf<Error>().toExtend<Failure>()
    const error = await options.queryFn(context()).catch((reason: Failure) => reason)
    expect(isRpcError(error, 4020) && error.data?.due).toEqual(new Date(0))
  })

  test('does not throw for a value that cannot be sent, but its call does', async () => {
    const wrong = rpc.order.create.queryOptions([{ ...order, due: 'today' as never }])
    await expect(wrong.queryFn(context())).rejects.toThrow(RpcValueError)
  })
})

test('mutationOptions calls with the variables', async () => {
  const options = rpc.order.create.mutationOptions()
  expect([options.mutationKey, await options.mutationFn([order, true]), await options.mutationFn({ order })]).toEqual([
    [['order', 'create']],
    'sent',
    'open',
  ])
  expect(await rpc.order.count.mutationOptions().mutationFn()).toBe(4)
  // @ts-expect-error a parameter is required
  await expect(rpc.order.create.mutationOptions().mutationFn()).rejects.toThrow()
})

test('infiniteOptions calls with the parameters of each page', async () => {
  const options = rpc.order.count.infiniteOptions((year: number | null) => ['open', year ?? 0, 1], null)
  expectTypeOf(options.initialPageParam).toEqualTypeOf<number | null>()
  expect(await options.queryFn({ ...context(), pageParam: 7 })).toBe(6)
  expect(options.queryKey).toEqual([['order', 'count'], { type: 'infinite', params: ['open', 0, 1] }])
})

test('a client without generated types, whose procedures have dotted names', async () => {
  const untyped = tanstackQuery(createUntyped<JsonProcedures, JsonParams>('https://example.org/rpc', { fetch }))
  const options = untyped.order.create.queryOptions([sent])
  expectTypeOf(options.queryFn).returns.resolves.toEqualTypeOf<'open' | 'sent'>()
  expect(await options.queryFn(context())).toBe('open')
  // @ts-expect-error over JSON a date is a text
  const wrong = untyped.order.create.queryOptions([order])
  expect(wrong.queryKey[0]).toEqual(['order', 'create'])
})

test('what is not an option is a compile error and a TypeError', () => {
  // @ts-expect-error a procedure is not called itself
  expect(() => rpc.order.count('open')).toThrow('order.count is not queryOptions')
  // @ts-expect-error a namespace has a key only
  expect(() => rpc.queryOptions()).toThrow('queryOptions is not')
  // @ts-expect-error a wrong parameter
  expect(rpc.order.count.queryOptions([7]).queryKey[0]).toEqual(['order', 'count'])
  // @ts-expect-error a subscription has no result to keep
  expect(data.order.watch.queryOptions).toBeTypeOf('function')
})
