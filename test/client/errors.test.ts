import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { type ClientOptions, createClient, RpcError, RpcTransportError } from 'rpc-gen/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type Hostile, startHostile } from './hostile.js'
import { connectTo, failureOf, responseOf } from './served.js'

interface Sums {
  sum: (...numbers: number[]) => number
}

let hostile: Hostile | undefined
afterEach(() => hostile?.stop())

async function fail(listener: RequestListener, options: ClientOptions = {}): Promise<RpcTransportError> {
  hostile = await startHostile(listener)
  const error = await failureOf(createClient<Sums>(hostile.url, options).sum(1))
  expect(error).toBeInstanceOf(RpcTransportError)
  return error as RpcTransportError
}

/** The message of an error, without the port. */
const words = ({ message }: Error) => message.replace(/127\.0\.0\.1:\d+/, 'host')

describe('responses that are not of the protocol', () => {
  test.each([
    [200, 'text/html', '<!doctype html>\n<title>App</title>', 'the response is not JSON'],
    [200, 'application/json', '{"jsonrpc":"2.0","resu', 'the response is not JSON'],
    [404, 'text/html', '<h1>Not Found</h1>', 'HTTP status 404'],
    [401, 'text/plain', 'Unauthorized', 'HTTP status 401'],
    [413, 'text/plain', 'Too large', 'HTTP status 413'],
    [415, 'text/plain; charset=UTF-8', 'Content-Type?', 'HTTP status 415'],
    [500, 'application/json', '{"message":"broken"}', 'HTTP status 500'],
    [500, 'application/json', '{"jsonrpc":"2.0","result":1,"id":1}', 'HTTP status 500'],
    [502, 'text/html', '<center>nginx</center>', 'HTTP status 502'],
    [200, 'application/json', '"text"', 'the response is not JSON-RPC 2.0'],
    [200, 'application/json', 'null', 'the response is not JSON-RPC 2.0'],
    [200, 'application/json', '[{"jsonrpc":"2.0","result":1,"id":1}]', 'the response is a list'],
    [200, 'application/json', '{"result":1,"id":1}', 'the response is not JSON-RPC 2.0'],
    [200, 'application/json', '{"jsonrpc":"2.0","id":1}', 'the response is not JSON-RPC 2.0'],
    [
      200,
      'application/json',
      '{"jsonrpc":"2.0","result":1,"error":{"code":1,"message":""},"id":1}',
      'the response is not JSON-RPC 2.0',
    ],
    [200, 'application/json', '{"jsonrpc":"2.0","error":"no","id":1}', 'the response is not JSON-RPC 2.0'],
    [200, 'application/json', '{"jsonrpc":"2.0","result":1,"id":2}', 'no call with the id 2'],
    [200, 'application/json', '{"jsonrpc":"2.0","result":1,"id":null}', 'no call with the id null'],
    [200, 'application/json', '{"jsonrpc":"2.0","result":1}', 'no call with the id null'],
    [200, 'application/json', '{"jsonrpc":"2.0","error":{"code":1,"message":"x"},"id":7}', 'no call with the id 7'],
  ])('%i %s %s', async (status, type, body, reason) => {
    const error = await fail((_, response) => {
      response.writeHead(status, { 'Content-Type': type }).end(body)
    })
    expect(words(error)).toBe(`http://host/rpc: ${reason}: received ${status}, ${type}, ${JSON.stringify(body)}`)
    expect(error).toMatchObject({ name: 'RpcTransportError', status, contentType: type, body, url: hostile?.url })
  })

  test('an empty body, and a response without a body', async () => {
    expect(words(await fail((_, response) => void response.end()))).toBe(
      'http://host/rpc: the response is not JSON: received 200, no content type, ""',
    )
    hostile?.stop()
    expect(words(await fail((_, response) => void response.writeHead(204).end()))).toBe(
      'http://host/rpc: the response is not JSON: received 204, no content type, ""',
    )
  })

  const following: ClientOptions = { init: { redirect: 'follow' } }

  test('a redirect that turns the call into a GET', async () => {
    const error = await fail(({ method }, response) => {
      if (method === 'POST') response.writeHead(302, { Location: '/login' }).end()
      else response.end('<form>')
    }, following)
    expect(words(error)).toBe(
      'redirected to http://host/login: the response is not JSON: received 200, no content type, "<form>"',
    )
    expect(error.url).toBe(`${new URL('/login', hostile?.url)}`)
  })

  test('a redirect to a URL that rejects GET', async () => {
    const error = await fail(({ method }, response) => {
      if (method === 'POST') response.writeHead(301, { Location: '/rpc/' }).end()
      else response.writeHead(405).end()
    }, following)
    expect(words(error)).toBe('redirected to http://host/rpc/: HTTP status 405: received 405, no content type, ""')
  })

  test('a redirect that is not followed', async () => {
    hostile = await startHostile((_, response) => void response.writeHead(301, { Location: '/x' }).end())
    const client = createClient<Sums>(hostile.url, { init: { redirect: 'manual' } })
    expect(await failureOf(client.sum(1))).toMatchObject({ status: 301 })
  })

  test('of a long page the message contains the beginning', async () => {
    const error = await fail((_, response) => void response.end('é'.repeat(10_000)))
    expect(error.body).toBe('é'.repeat(200))
    expect(error.message.length).toBeLessThan(400)
  })

  test('a body that breaks off', async () => {
    const error = await fail((_, response) => {
      response.writeHead(200, { 'Content-Length': '1000', 'Content-Type': 'application/json' })
      response.write('{"jsonrpc":', () => response.destroy())
    })
    expect(words(error)).toMatch(
      /^http:\/\/host\/rpc: no response: .*: received 200, application\/json, part of a body$/,
    )
    expect(error).toMatchObject({ status: 200, contentType: 'application/json', body: undefined })
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('a server of another protocol', async () => {
    const server = createServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const error = await failureOf(createClient<Sums>(`http://127.0.0.1:${port}/`).sum(1))
    server.close()
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error.message).toMatch(/^http:\/\/127.0.0.1:\d+\/: no response: fetch failed: /)
  })

  test('no response, because no server listens', async () => {
    hostile = await startHostile(() => {})
    const { url } = hostile
    hostile.stop()
    const error = await failureOf(createClient<Sums>(url).sum(1))
    expect(error.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/rpc: no response: fetch failed: .*ECONNREFUSED/)
    const { port } = new URL(url)
    const named = await failureOf(createClient<Sums>(`http://localhost:${port}/`).sum(1))
    expect(named.message).toMatch(/^http:\/\/localhost:\d+\/: no response: fetch failed: .*ECONNREFUSED/)
  })
})

describe('an error of JSON-RPC is an RpcError whatever the status is', () => {
  test.each([200, 400, 401, 404, 429, 500, 503])('%i', async (status) => {
    const body = { jsonrpc: '2.0', error: { code: -32005, message: 'limit', data: null }, id: 1 }
    const error = await failureOf(connectTo(() => responseOf(body, { status })).sum(1))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: -32005, message: 'limit', data: null })
  })

  test('without an id: a call that the server could not read', async () => {
    const body = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } }
    expect(await failureOf(connectTo(() => responseOf(body)).sum(1))).toMatchObject({ code: -32700 })
    expect(await failureOf(connectTo(() => responseOf({ ...body, id: null })).sum(1))).toMatchObject({ code: -32700 })
  })
})

describe('a wrong URL is named', () => {
  test.each(['/rpc', 'rpc', '', 'localhost:3000/rpc', 'ftp://x/', 'file:///rpc', 'http://', 'https:///x', 'HTTP://?'])(
    '%s',
    async (url) => {
      const error = await failureOf(createClient<Sums>(url).sum(1))
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).toBe(`${JSON.stringify(url)} is not an http(s) URL`)
    },
  )

  test.each(['https://[', 'http://a b/'])('%s', async (url) => {
    expect((await failureOf(createClient<Sums>(url).sum(1))).message).toContain(`${url}: no response: `)
  })
})

describe('a URL', () => {
  const fetches = (url: string, sent: string[]) =>
    createClient<Sums>(url, {
      idempotent: ['sum'],
      retries: { baseMs: 0 },
      fetch: (to) => {
        sent.push(to)
        return Promise.reject(new TypeError(`no way to ${to}`))
      },
    })

  test.each(['http://ada:secret@host/rpc', 'HTTPS://ada:secret@host', 'http://ada@host?x'])(
    'with credentials is rejected by every fetch, and does not reveal the password: %s',
    async (url) => {
      const sent: string[] = []
      for (const client of [createClient<Sums>(url), fetches(url, sent)]) {
        const error = await failureOf(client.sum(1))
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toBe(`"@host${url.split('host')[1]}" has credentials: use headers`)
      }
      expect(sent).toEqual([])
    },
  )

  test('with another scheme, or without one, does not reveal the password either', async () => {
    const messages = ['ftp://ada:secret@host/', 'http://ada:secret@'].map(
      async (url) => (await failureOf(createClient<Sums>(url).sum(1))).message,
    )
    expect(await Promise.all(messages)).toEqual(['"@host/" is not an http(s) URL', '"@" is not an http(s) URL'])
  })

  test('may be written in any case', async () => {
    hostile = await startHostile((_, response) => void response.end('{"jsonrpc":"2.0","result":7,"id":1}'))
    expect(await createClient<Sums>(hostile.url.replace('http', 'HTTP')).sum(1)).toBe(7)
  })

  test.each(['/rpc', 'app://host/rpc', 'http://host/@scope/rpc?a=b@c'])(
    'of any scheme is passed to a custom fetch: %s',
    async (url) => {
      const sent: string[] = []
      expect(await failureOf(fetches(url, sent).sum(1))).toMatchObject({ name: 'RpcTransportError' })
      expect(sent).toEqual([url, url, url])
    },
  )
})

describe('what is thrown instead of an Error', () => {
  const thrown = [undefined, null, 'offline', 7, Symbol('offline'), { code: 7 }].map((each) => [each] as const)

  test.each(thrown)('by fetch: %s', async (cause) => {
    for (const fetch of [
      () => Promise.reject(cause),
      () => {
        throw cause
      },
    ]) {
      const error = await failureOf(createClient<Sums>('http://host/rpc', { fetch }).sum(1))
      expect(error).toBeInstanceOf(RpcTransportError)
      expect(error.message).toBe(`http://host/rpc: no response: ${String(cause)}`)
      expect(error.cause).toBe(cause)
    }
  })

  test.each(thrown)('by the body: %s', async (cause) => {
    const body = () => new ReadableStream({ start: (controller) => controller.error(cause) })
    const error = await failureOf(createClient<Sums>('http://host/rpc', { fetch: () => new Response(body()) }).sum(1))
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error.message).toContain(`no response: ${String(cause)}: received 200`)
  })

  test.each(thrown)('by a stream of events: %s', async (cause) => {
    const headers = { 'Content-Type': 'text/event-stream' }
    const body = () => new ReadableStream({ start: (controller) => controller.error(cause) })
    const options = { subscriptions: ['ticks'], fetch: () => new Response(body(), { headers }) }
    const ticks = createClient<{ ticks: () => AsyncIterable<number> }>('http://host/rpc', options).ticks()
    const error = await failureOf(ticks[Symbol.asyncIterator]().next())
    expect(error).toBeInstanceOf(RpcTransportError)
    expect(error.message).toContain(`no response: ${String(cause)}: received 200`)
  })

  test('a call of an idempotent procedure is sent again', async () => {
    let sent = 0
    const fetch = () => {
      sent += 1
      if (sent < 3) throw undefined
      return new Response('{"jsonrpc":"2.0","id":1,"result":7}')
    }
    const client = createClient<Sums>('http://host/rpc', { fetch, idempotent: ['sum'], retries: { baseMs: 0 } })
    expect(await client.sum(1)).toBe(7)
  })
})

test('a function for headers may fail, and its error is passed on unchanged', async () => {
  const reason = new Error('no token')
  const client = connectTo(() => responseOf('{}'), { headers: () => Promise.reject(reason) })
  await expect(client.sum(1)).rejects.toBe(reason)
})
