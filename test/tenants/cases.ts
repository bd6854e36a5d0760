import type { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createApp } from '../../fixtures/tenants/app.js'
import { createClient, isRpcError } from '../../fixtures/tenants/client.gen.js'
import { postJson } from '../support/json-rpc.js'

/** The keys of the members in every store: a clerk and a manager of one tenant, and a clerk of another. */
export const keys = { clerk: 'key-of-ada', manager: 'key-of-bob', other: 'key-of-eve' } as const

export const members = {
  [keys.clerk]: { name: 'Ada', tenant: 'Acme', roles: ['clerk'] },
  [keys.manager]: { name: 'Bob', tenant: 'Acme', roles: ['clerk', 'manager'] },
  [keys.other]: { name: 'Eve', tenant: 'Globex', roles: ['clerk'] },
} as const

/** The application of fixtures/tenants over a store. */
export interface Application {
  /** With the default statuses, and with those of HTTP. */
  readonly app: Hono
  readonly strict: Hono
  /** The errors that were passed to `onError`. */
  readonly reported: unknown[]
  /** How many transactions the store has begun. */
  transactions(): number
}

export function applicationOf(transactions: () => number): Application {
  const reported: unknown[] = []
  const onError = (error: unknown) => reported.push(error)
  const compatibility = { httpStatus: true, authChallenge: 'ApiKey realm="invoices"' }
  return { app: createApp({ onError }), strict: createApp({ onError, compatibility }), reported, transactions }
}

export const asJson = (method: string, params: unknown = [], id = 1) => ({ jsonrpc: '2.0', method, params, id })

/** The tests of the application, whatever its store is. */
export function testApplication(of: () => Application): void {
  const clientOf = (apiKey: string) =>
    createClient('http://localhost/rpc', {
      fetch: of().app.request,
      auth: { apiKey, header: 'X-Api-Key' },
    })

  async function post(app: Hono, body: unknown, key?: string): Promise<Response> {
    return app.request('/rpc', postJson(body, key === undefined ? {} : { 'X-Api-Key': key }))
  }

  async function codes(body: readonly unknown[], key?: string): Promise<unknown[]> {
    const replies = (await (await post(of().app, body, key)).json()) as { error?: { code: number } }[]
    return [...new Set(replies.map(({ error }) => error?.code))]
  }

  test('a tenant sees its own rows, and no others', async () => {
    const [ada, eve] = [clientOf(keys.clerk), clientOf(keys.other)]
    const own = await ada.invoices.write('Smith', 1500)
    const others = await eve.invoices.write('Jones', 900)
    expect(own).toEqual({ number: expect.any(Number), customer: 'Smith', cents: 1500, paid: false })
    expect(await ada.invoices.list()).toEqual([own])
    expect(await eve.invoices.list()).toEqual([others])
    const error = await ada.invoices.pay([others.number]).catch((reason) => reason)
    expect(isRpcError(error, 4040) && error.data).toEqual({ number: others.number })
    expect(await eve.invoices.list()).toEqual([others])
  })

  test('an error rolls back what the call has done', async () => {
    const ada = clientOf(keys.clerk)
    const { number } = await ada.invoices.write('Miller', 100)
    await expect(ada.invoices.pay([number, 999_999])).rejects.toMatchObject({ code: 4040 })
    const paid = async () => (await ada.invoices.list()).find((each) => each.number === number)?.paid
    expect(await paid()).toBe(false)
    await ada.invoices.pay([number])
    expect(await paid()).toBe(true)
  })

  test('the procedure knows the caller and the tenant', async () => {
    const bob = clientOf(keys.manager)
    const { number } = await bob.invoices.write('Brown', 100)
    expect(await bob.invoices.remove(number)).toBe('Bob of Acme')
  })

  test('no key, a wrong key, a role that is missing: two errors, each reported once', async () => {
    const { app, strict, reported } = of()
    const remove = asJson('invoices.remove', [1])
    for (const [key, code, status] of [
      [undefined, -32098, 401],
      ['wrong', -32098, 401],
      [keys.clerk, -32099, 403],
    ] as const) {
      reported.length = 0
      const response = await post(app, remove, key)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ error: { code } })
      expect(reported).toEqual([expect.objectContaining({ code })])
      expect((await post(strict, remove, key)).status).toBe(status)
      expect(reported).toHaveLength(2)
    }
    // A name that does not exist cannot be distinguished without a key.
    expect(await codes([asJson('nothing')])).toEqual([-32098])
    expect(await codes([asJson('nothing')], keys.clerk)).toEqual([-32601])
  })

  test('everyone may call what is public, without a transaction', async () => {
    const before = of().transactions()
    const response = await post(of().app, asJson('version'))
    expect(await response.json()).toMatchObject({ result: '1.0' })
    expect(of().transactions()).toBe(before)
  })

  test('1,000 calls in a batch that are not authorised open no transaction; nor do invalid params', async () => {
    const { reported, transactions } = of()
    const batch = (method: string, params: unknown) =>
      Array.from({ length: 1000 }, (_, id) => asJson(method, params, id))
    const before = transactions()
    reported.length = 0
    expect(await codes(batch('invoices.list', []))).toEqual([-32098])
    expect(reported).toHaveLength(1000)
    expect(await codes(batch('invoices.remove', [1]), keys.clerk)).toEqual([-32099])
    expect(await codes(batch('invoices.write', ['', 0]), keys.clerk)).toEqual([-32602])
    expect(transactions()).toBe(before)
    expect(await codes([asJson('invoices.list'), asJson('invoices.list', [], 2)], keys.clerk)).toEqual([undefined])
    expect(transactions()).toBe(before + 2)
  })
}
