import { type ClientOptions, createClient } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { failureOf, responseOf, timerCount, url } from './served.js'

interface Procedures {
  read: () => number
  write: () => number
}

const soon = { attempts: 2, baseMs: 1, maxMs: 2 }

/** A server that gives these responses one after the other, then 7; `sent` lists the requests. */
function clientFor(
  responses: readonly (Response | (() => Response | Promise<Response>))[],
  options: ClientOptions = {},
) {
  const sent: string[] = []
  const client = createClient<Procedures>(url, {
    idempotent: ['read'],
    retries: soon,
    ...options,
    fetch: (_, { body }) => {
      const response = responses[sent.length]
      sent.push(`${body}`)
      if (response) return typeof response === 'function' ? response() : response
      const entries = [JSON.parse(`${body}`)].flat().map(({ id }) => ({ jsonrpc: '2.0', result: 7, id }))
      return responseOf(`${body}`.startsWith('[') ? entries : entries[0])
    },
  })
  return { client, sent }
}

const status = (code: number, headers: Record<string, string> = {}) => new Response('busy', { status: code, headers })
const offline = () => Promise.reject(new TypeError('fetch failed'))
const cut = () =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }))
const silent = () => new Promise<Response>(() => {})

describe('a call of an idempotent procedure is sent again', () => {
  test.each([
    ['502', () => status(502)],
    ['503', () => status(503)],
    ['504', () => status(504)],
    ['429', () => status(429)],
    ['no response', offline],
    ['a body that broke off', cut],
    ['no response in time', silent],
  ])('after %s', async (_, response) => {
    const { client, sent } = clientFor([response, response], { timeoutMs: 20 })
    expect(await client.read()).toBe(7)
    expect(new Set(sent).size).toBe(1)
    expect(sent.length).toBe(3)
  })

  test('until no attempts are left', async () => {
    const { client, sent } = clientFor([status(503), status(503), status(502)])
    expect(await failureOf(client.read())).toMatchObject({ status: 502 })
    expect(sent.length).toBe(3)
  })

  test('as often as $with specifies', async () => {
    const { client, sent } = clientFor([status(503), status(503), status(503)])
    expect(await client.$with({ retries: 3 }).read()).toBe(7)
    expect(sent.length).toBe(4)
    expect(
      await failureOf(
        clientFor([status(503)])
          .client.$with({ retries: 0 })
          .read(),
      ),
    ).toMatchObject({ status: 503 })
  })

  test.each([-1, Number.NaN])('never, with retries of %d', async (retries) => {
    const { client, sent } = clientFor([status(503), status(503)])
    expect(await failureOf(client.$with({ retries }).read())).toMatchObject({ status: 503 })
    expect(sent.length).toBe(1)
  })

  test.each([0, 0.5, -1, Number.NaN])('also where calls are sent one by one, with a maxSize of %d', async (maxSize) => {
    const { client, sent } = clientFor([], { batch: { maxSize } })
    expect(await Promise.all([client.read(), client.read()])).toEqual([7, 7])
    expect(sent.length).toBe(2)
  })

  test('if a function returns true for it', async () => {
    const { client } = clientFor([status(503)], { idempotent: (method) => method.startsWith('r') })
    expect(await client.read()).toBe(7)
  })

  test('if the codec lists it, to which a list adds; a function replaces both', async () => {
    const codec = {
      encode: (_: string, params: readonly unknown[] | Readonly<Record<string, unknown>>) => params,
      decode: (_: string, result: unknown) => result,
      isIdempotent: () => true,
    }
    const url = 'http://localhost/'
    const fetch = (sent: number[]) => () => {
      sent.push(1)
      return sent.length === 1 ? status(503) : responseOf({ jsonrpc: '2.0', result: 7, id: 1 })
    }
    expect(await createClient<Procedures>(url, { codec, retries: soon, fetch: fetch([]) }).read()).toBe(7)
    const more = createClient<Procedures>(url, { codec, retries: soon, fetch: fetch([]), idempotent: ['write'] })
    expect(await more.read()).toBe(7)
    const strict = createClient<Procedures>(url, { codec, retries: soon, fetch: fetch([]), idempotent: () => false })
    expect(await failureOf(strict.read())).toMatchObject({ status: 503 })
  })

  test('with newly computed headers', async () => {
    const tokens: number[] = []
    const { client } = clientFor([status(503)], { headers: () => ({ 'X-Token': `${tokens.push(1)}` }) })
    await client.read()
    expect(tokens.length).toBe(2)
  })

  test('in a batch of such calls only', async () => {
    const { client, sent } = clientFor([status(503)])
    expect(await client.$batch([client.$request.read(), client.$request.read()])).toEqual([7, 7])
    expect(sent.length).toBe(2)
    const mixed = clientFor([status(503)])
    const { $request } = mixed.client
    expect(await failureOf(mixed.client.$batch([$request.read(), $request.write()]))).toMatchObject({ status: 503 })
    expect(mixed.sent.length).toBe(1)
  })
})

describe('a call is not sent again', () => {
  test('when its procedure is not known to be idempotent', async () => {
    const { client, sent } = clientFor([status(503)])
    expect(await failureOf(client.write())).toMatchObject({ status: 503 })
    expect(sent.length).toBe(1)
  })

  test.each([
    ['an RpcError', () => responseOf({ jsonrpc: '2.0', error: { code: 1, message: 'no' }, id: 1 }, { status: 500 })],
    ['a page', () => new Response('<html>')],
    ['500', () => status(500)],
    ['401', () => status(401)],
    ['another id', () => responseOf({ jsonrpc: '2.0', result: 1, id: 9 })],
  ])('after %s', async (_, response) => {
    const { client, sent } = clientFor([response])
    await failureOf(client.read())
    expect(sent.length).toBe(1)
  })

  test('after the caller has aborted, during an attempt or between two', async () => {
    const before = timerCount()
    for (const response of [silent, () => status(503)]) {
      const controller = new AbortController()
      const { client, sent } = clientFor([response], { retries: { attempts: 5, baseMs: 100_000, maxMs: 100_000 } })
      const failure = failureOf(client.$with({ signal: controller.signal }).read())
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.abort('enough')
      expect(await failure).toBe('enough')
      expect(sent.length).toBe(1)
    }
    expect(timerCount()).toBeLessThanOrEqual(before)
  })
})

describe('Retry-After', () => {
  test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])(
    '%s is longer than maxMs: the call fails immediately with that reason',
    async (value) => {
      const { client, sent } = clientFor([status(503, { 'Retry-After': value })])
      const error = await failureOf(client.read())
      expect(sent.length).toBe(1)
      expect('retryAfterMs' in error && Math.round(Number(error.retryAfterMs) / 10_000)).toBe(360)
    },
  )

  test.each(['0', 'soon', new Date(0).toUTCString(), ''])('%s means no wait', async (value) => {
    expect(await clientFor([status(503, { 'Retry-After': value })]).client.read()).toBe(7)
  })

  test('of attempts beyond the 1,024th, without a delay of its own', async () => {
    const responses = Array(1030).fill(() => status(503))
    const { client } = clientFor(responses, { retries: { attempts: 1030, baseMs: 0 } })
    expect(await client.read()).toBe(7)
  }, 20_000)

  test('delays the next attempt', async () => {
    const { client } = clientFor([status(429, { 'Retry-After': '1' })], { retries: { attempts: 1, baseMs: 0 } })
    const start = performance.now()
    expect(await client.read()).toBe(7)
    expect(performance.now() - start).toBeGreaterThan(950)
  })
})
