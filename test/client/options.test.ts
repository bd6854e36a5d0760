import { createClient } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { connect, failureOf, responseOf, url } from './served.js'

/** A client that only notes with what `fetch` was called. */
function note(options: Parameters<typeof createClient>[1] = {}) {
  const calls: { url: string; init: RequestInit; headers: Record<string, string> }[] = []
  const client = createClient<{ sum: (...numbers: number[]) => number }>(url, {
    ...options,
    fetch: (to, init) => {
      calls.push({ url: to, init, headers: Object.fromEntries(init.headers as Headers) })
      return responseOf({ jsonrpc: '2.0', result: 1, id: JSON.parse(`${init.body}`).id })
    },
  })
  return { client, calls }
}

const own = { 'content-type': 'application/json', accept: 'application/json' }

describe('headers', () => {
  test('are those of a POST of JSON by default', async () => {
    const { client, calls } = note()
    await client.sum(1)
    expect(calls[0]).toMatchObject({ url, headers: own, init: { method: 'POST' } })
  })

  test.each([[{ 'X-A': '1' }], [[['X-A', '1']] as [string, string][]], [new Headers({ 'X-A': '1' })]])(
    'as %j',
    async (headers) => {
      const { client, calls } = note({ headers })
      await client.sum(1)
      expect(calls[0]?.headers).toEqual({ ...own, 'x-a': '1' })
    },
  )

  test('of a function are computed for each request', async () => {
    let token = 0
    const { client, calls } = note({ headers: async () => ({ Authorization: `Bearer ${++token}` }) })
    await client.sum(1)
    await client.sum(1)
    expect(calls.map(({ headers }) => headers['authorization'])).toEqual(['Bearer 1', 'Bearer 2'])
  })

  test('of $with replace those of the client by name', async () => {
    const { client, calls } = note({ headers: { 'X-A': '1', 'X-B': '1' } })
    const other = client.$with({ headers: { 'x-b': '2' } }).$with({ headers: () => ({ 'X-C': '3' }) })
    await other.sum(1)
    await client.sum(1)
    expect(calls.map(({ headers }) => headers)).toEqual([
      { ...own, 'x-a': '1', 'x-b': '2', 'x-c': '3' },
      { ...own, 'x-a': '1', 'x-b': '1' },
    ])
  })
})

describe('auth without one valid secret rejects the call, and is not in the error', () => {
  const empty = 'is empty, or has a line break'
  const several = 'is incomplete, or several secrets'

  test.each<[object, string]>([
    [{ bearer: undefined }, `auth: bearer ${empty}`],
    [{ bearer: '' }, `auth: bearer ${empty}`],
    [{ bearer: async () => '' }, `auth: bearer ${empty}`],
    [{ bearer: 'hidden\nhidden' }, `auth: bearer ${empty}`],
    [{ username: '', password: '' }, `auth: username and password ${empty}`],
    [{ apiKey: 'hidden' }, `auth: apiKey ${several}`],
    [{ apiKey: undefined, header: 'X-Api-Key' }, `auth: apiKey and header ${several}`],
    [{ apiKey: 'hidden', header: '' }, `auth: apiKey and header ${several}`],
    [{ username: 'hidden' }, `auth: username ${several}`],
    [{ bearer: 'hidden', apiKey: 'hidden', header: 'X-Api-Key' }, `auth: bearer and apiKey and header ${several}`],
  ])('%o', async (auth, message) => {
    const { client, calls } = note({ auth: auth as { bearer: string } })
    await expect(client.sum(1)).rejects.toThrow(new TypeError(message))
    expect(calls).toEqual([])
  })
})

test('init is passed to fetch, and does not replace the settings of a call', async () => {
  const init = { credentials: 'include', keepalive: true, method: 'PUT' } as const
  const { client, calls } = note({ init })
  await client.sum(1)
  expect(calls[0]?.init).toMatchObject({ credentials: 'include', keepalive: true, method: 'POST' })
})

test('ids continue across $with', async () => {
  const { client, traffic } = connect()
  await client.sum(1)
  await client.$with({ timeoutMs: 10_000 }).sum(1)
  await client.sum(1)
  expect(traffic.requests.map((text) => JSON.parse(text).id)).toEqual([1, 2, 3])
})

test('without `fetch` the one of the platform is looked up for each call', async () => {
  const client = createClient<{ sum: () => number }>(url)
  const { fetch } = globalThis
  globalThis.fetch = async () => responseOf({ jsonrpc: '2.0', result: 7, id: 1 })
  try {
    expect(await client.sum()).toBe(7)
  } finally {
    globalThis.fetch = fetch
  }
  expect(await failureOf(createClient<{ sum: () => number }>('http://127.0.0.1:1/').sum())).toMatchObject({
    name: 'RpcTransportError',
  })
})
