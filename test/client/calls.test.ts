import { RpcError as ServersError } from 'rpc-gen'
import { createClient, isRpcError, RpcError } from 'rpc-gen/client'
import { expect, test } from 'vitest'
import { app, connect, connectTo, failureOf, overEveryEntryPoint, url } from './served.js'

overEveryEntryPoint('a call', () => {
  test('by position', async () => {
    const { client, traffic } = connect()
    expect(await client.subtract(42, 23)).toBe(19)
    expect(traffic.requests).toEqual(['{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}'])
  })

  test('of a dotted name, as a member of a member and by its whole name', async () => {
    const { client, traffic } = connect()
    expect(await client.echo.struct({ name: 'Ada', age: 36 })).toEqual({ name: 'Ada', age: 36 })
    expect(await client['echo.string']('x')).toBe('x')
    expect(traffic.requests.map((text) => JSON.parse(text).method)).toEqual(['echo.struct', 'echo.string'])
  })

  test('of a name that is both a procedure and the beginning of others', async () => {
    const { client } = connect()
    expect(await failureOf(client.fail(7, 'no'))).toMatchObject({ code: 7 })
    expect(await failureOf(client.fail.null())).toBeInstanceOf(RpcError)
  })

  test('by name', async () => {
    const { client, traffic } = connect()
    expect(await client.$named.subtract({ subtrahend: 23, minuend: 42 })).toBe(19)
    expect(await client.$named.echo.string({ value: 'x' })).toBe('x')
    expect(await client.$named.get_data()).toEqual(['hello', 5])
    expect(traffic.requests.map((text) => JSON.parse(text).params)).toEqual([
      { subtrahend: 23, minuend: 42 },
      { value: 'x' },
      {},
    ])
  })

  test('by a name that is known at run time', async () => {
    const { client, traffic } = connect()
    expect(await client.$call<number>('subtract', [3, 2])).toBe(1)
    expect(await client.$call('subtract', { minuend: 3, subtrahend: 2 })).toBe(1)
    for (const name of ['$cost', 'then', 'toString']) {
      expect(await failureOf(client.$call(name))).toMatchObject({ code: -32601 })
    }
    expect(traffic.requests.at(-1)).toBe('{"jsonrpc":"2.0","method":"toString","params":[],"id":5}')
  })

  test('without a result returns null', async () => {
    expect(await connect().client.update(1, 2)).toBeNull()
  })

  test('sends trailing undefined as null, which represents an omitted parameter', async () => {
    const { client, traffic } = connect()
    expect(await client.greet('Ada', undefined)).toBe(await client.greet('Ada'))
    expect(JSON.parse(traffic.requests[0] ?? '').params).toEqual(['Ada', null])
  })

  test('through the request function of a Hono app as fetch', async () => {
    const client = createClient<{ subtract: (a: number, b: number) => number }>('/rpc', { fetch: app.request })
    expect(await client.subtract(3, 1)).toBe(2)
    const bound = createClient<{ subtract: (a: number, b: number) => number }>(new URL(url), { fetch: app.request })
    expect(await bound.subtract(3, 1)).toBe(2)
  })

  test('of a value that cannot be serialised rejects, and nothing is sent', async () => {
    const { client, traffic } = connect()
    expect(await failureOf(client.echo.any(1n))).toBeInstanceOf(TypeError)
    expect(traffic.requests).toEqual([])
  })
})

overEveryEntryPoint('an error response', () => {
  test('is the RpcError of the package, with code, message and data', async () => {
    const error = await failureOf(connect().client.fail(404, 'No such order', { id: 7 }))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toBeInstanceOf(ServersError)
    expect(isRpcError(error)).toBe(true)
    expect(error).toMatchObject({ code: 404, message: 'No such order', data: { id: 7 } })
  })

  test('without data has no member data', async () => {
    const error = await failureOf(connect().client.fail(404, 'No such order'))
    expect('data' in error).toBe(false)
  })

  test('reports invalid parameters', async () => {
    const error = await failureOf(connect().client.$call('subtract', [1, 'x']))
    expect(error).toMatchObject({
      code: -32602,
      data: [{ path: ['subtrahend'], expected: 'number', received: 'string of length 1' }],
    })
  })
})

overEveryEntryPoint('a notification', () => {
  test('is sent without an id, and resolves to undefined', async () => {
    const { client, traffic } = connect()
    expect(await client.$notify.update(1, 2)).toBeUndefined()
    expect(await client.$notify.echo.string('x')).toBeUndefined()
    expect(traffic).toEqual({
      requests: [
        '{"jsonrpc":"2.0","method":"update","params":[1,2]}',
        '{"jsonrpc":"2.0","method":"echo.string","params":["x"]}',
      ],
      responses: ['', ''],
    })
  })

  test.each(['', ' \r\n', '{}', '{"jsonrpc":"2.0","result":1,"id":null}', '[]', 'null'])(
    'ignores the body %s',
    async (body) => {
      expect(await connectTo(() => new Response(body)).$notify.update()).toBeUndefined()
    },
  )

  test.each([
    ['text/html', '<!doctype html><title>Log in</title>'],
    ['application/json', '{"jsonrpc":"2.0","resu'],
    ['text/plain', 'OK'],
  ])('rejects with a body that is not JSON: %s %s', async (type, body) => {
    const client = connectTo(() => new Response(body, { headers: { 'Content-Type': type } }))
    const error = { name: 'RpcTransportError', status: 200, contentType: type, body }
    expect(await failureOf(client.$notify.update())).toMatchObject(error)
    expect(await failureOf(client.$batch([client.$request.$notify.update()]))).toMatchObject(error)
  })

  test('accepts an empty body', async () => {
    expect(await connectTo(() => new Response(null, { status: 204 })).$notify.update()).toBeUndefined()
  })

  test('rejects with an error if the server responds with one', async () => {
    const { client, traffic } = connect()
    const large = 'x'.repeat(5_000_000)
    expect(await failureOf(client.$notify.echo.string(large))).toMatchObject({ status: 413 })
    expect(traffic.responses.length).toBe(1)
    const body = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}'
    for (const status of [200, 400]) {
      const rejecting = connectTo(() => new Response(body, { status }))
      expect(await failureOf(rejecting.$notify.update())).toMatchObject({ code: -32600 })
    }
  })

  test.each(['', '{"message":"broken"}'])('rejects with a status other than success, and the body %s', async (body) => {
    const client = connectTo(() => new Response(body, { status: 500 }))
    expect(await failureOf(client.$notify.update())).toMatchObject({ name: 'RpcTransportError', status: 500 })
  })
})
