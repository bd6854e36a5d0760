import { type Compatibility, extractBasicAuth, RpcNamespace, RpcServer } from 'rpc-gen'
import { createClient, xmlRpc } from 'rpc-gen/client'
import { manifest, procedure } from 'rpc-gen/codegen/v1'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type EntryPoint, entryPoints } from '../support/listen.js'
import { callJson, callXml, json, jsonText, post, serverOf, xml, xmlText } from '../support/requests.js'
import { serveWebSocket } from '../websocket/serving.js'

// The cases of each switch over the wire are in fixtures/wire/compatibility.

describe('invalid switches', () => {
  test.each<[unknown, string]>([
    [{ jsonRPC1: true }, 'RpcServer: compatibility: unknown option "jsonRPC1"; the options are authChallenge, '],
    [JSON.parse('{"__proto__": true}'), 'RpcServer: compatibility: unknown option "__proto__"'],
    [{ constructor: true }, 'RpcServer: compatibility: unknown option "constructor"'],
    [{ jsonRpc1: 'yes' }, 'compatibility.jsonRpc1 is "yes", expected true or false'],
    [{ jsonMulticall: null }, 'compatibility.jsonMulticall is null, expected true or false'],
    [{ xmlRpcVoid: '' }, "compatibility.xmlRpcVoid is \"\", expected 'nil', 'emptyString' or 'true'"],
    [{ xmlRpcVoid: true }, "compatibility.xmlRpcVoid is true, expected 'nil', 'emptyString' or 'true'"],
    [{ xmlRpcBigint: 'int' }, "compatibility.xmlRpcBigint is \"int\", expected 'i8', 'string' or 'double'"],
    [{ xmlRpcInvalidText: true }, "compatibility.xmlRpcInvalidText is true, expected 'error' or 'replace'"],
    [{ httpStatus: 401 }, 'compatibility.httpStatus is 401, expected true or false'],
    [
      { authChallenge: true },
      'compatibility.authChallenge is true, expected a scheme such as \'Basic realm="orders"\'',
    ],
    [{ authChallenge: '' }, 'compatibility.authChallenge is "", expected a scheme'],
    [{ authChallenge: 'Basic\r\nX: y' }, 'compatibility.authChallenge is "Basic\\r\\nX: y", expected a scheme'],
    [{ authChallenge: 'Basic realm="é"' }, 'expected a scheme'],
    [true, 'RpcServer: compatibility is true, expected an object'],
    [null, 'RpcServer: compatibility is null, expected an object'],
  ])('%j', (compatibility, message) => {
    expect(() => new RpcServer({ compatibility: compatibility as Compatibility })).toThrow(message)
  })

  test('a switch that is undefined is off', async () => {
    const options = { compatibility: { lenientVersion: undefined } as unknown as Compatibility }
    const response = await serverOf(options).handle('{"method":"sum","id":1}')
    expect(response).toContain('-32600')
  })
})

describe.each(Object.entries(entryPoints))('%s', (_, open) => {
  const served = (server: RpcServer) => {
    let entryPoint: EntryPoint
    beforeAll(async () => {
      entryPoint = await open(server)
    })
    afterAll(() => entryPoint.close())
    return (init: RequestInit) => entryPoint.request(init)
  }

  describe('formAndTextBodies', () => {
    const request = served(serverOf({ compatibility: { formAndTextBodies: true } }))
    const strict = served(serverOf({ sniffContentType: true }))
    const onlyJson = served(serverOf({ protocol: 'json-rpc', compatibility: { formAndTextBodies: true } }))
    const form = 'application/x-www-form-urlencoded'

    test.each([form, 'text/plain', 'TEXT/PLAIN; charset=utf-8'])('%s', async (type) => {
      const responses = [
        await request(post(json, { 'Content-Type': type })),
        await request(post(xml, { 'Content-Type': type })),
      ]
      expect(await Promise.all(responses.map((response) => response.text()))).toEqual([jsonText, xmlText])
    })

    test.each([
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Referer', 'https://evil.example/'],
      ['Cookie', 'session=1'],
    ])('%s: %s shows a browser', async (name, value) => {
      for (const type of [form, 'text/plain']) {
        // A standard Request has no such headers; browsers add them.
        const response = await request(withHeader(post(json, { 'Content-Type': type }), name, value))
        expect(response.status).toBe(415)
        expect(await response.text()).toMatch(/^Content-Type \S+ is not served here: .* not from a browser\.$/)
      }
      // What needs a preflight is not affected.
      const response = await request(withHeader(post(json, { 'Content-Type': 'application/json' }), name, value))
      expect(response.status).toBe(200)
    })

    test.each([
      ['a form that is one', form, 'method=sum'],
      ['no body', form, ''],
      ['other text', 'text/plain', 'sum'],
      ['another type', 'multipart/form-data; boundary=x', json],
      ['HTML', 'text/html', xml],
    ])('%s', async (_, type, body) => {
      expect((await request(post(body, { 'Content-Type': type }))).status).toBe(415)
    })

    test('a protocol that is not served', async () => {
      expect((await onlyJson(post(xml, { 'Content-Type': 'text/plain' }))).status).toBe(415)
    })

    test('off, whatever sniffContentType is', async () => {
      expect((await strict(post(json, { 'Content-Type': 'text/plain' }))).status).toBe(415)
    })

    test('a request without Content-Type is left to sniffContentType', async () => {
      expect((await request(post(json))).status).toBe(415)
    })
  })

  describe('authChallenge and httpStatus', () => {
    const auth = (sent: Request) => extractBasicAuth(sent)?.password === 'secret'
    const options = { auth, introspection: { auth: 'public' as const } }
    const authChallenge = 'Basic realm="orders"'
    const request = served(serverOf({ ...options, compatibility: { authChallenge, httpStatus: true } }))
    const onlyAuth = served(serverOf({ ...options, compatibility: { authChallenge } }))
    const onlyStatus = served(serverOf({ ...options, compatibility: { httpStatus: true } }))
    const Authorization = `Basic ${btoa('ada:secret')}`
    const headersFor = (body: string) => ({ 'Content-Type': body.startsWith('<') ? 'text/xml' : 'application/json' })
    const types = { json: 'application/json' }

    test.each([
      ['JSON-RPC', json],
      ['an unknown method', callJson('nothing', '[]')],
      ['XML-RPC', xml],
      ['a multicall', callXml('system.multicall', '<array><data></data></array>')],
    ])('401 with a challenge: %s', async (_, body) => {
      for (const send of [request, onlyAuth]) {
        const response = await send(post(body, headersFor(body)))
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, authChallenge])
        expect(await response.text()).toContain('Authentication failed')
      }
      const response = await onlyStatus(post(body, headersFor(body)))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        body.startsWith('<') ? 200 : 403,
        null,
      ])
    })

    const withRules = { ...options, auth: { all: [auth, () => false] as const } }
    for (const [compatibility, status] of [
      [{ authChallenge, httpStatus: true }, 403],
      [{ httpStatus: true }, 403],
      [{ authChallenge }, 200],
    ] as const) {
      const send = served(serverOf({ ...withRules, compatibility }))
      test(`a caller that is known and not allowed gets ${status}: ${Object.keys(compatibility)}`, async () => {
        const response = await send(post(json, { 'Content-Type': types.json, Authorization }))
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([status, null])
        expect(await response.json()).toMatchObject({ error: { code: -32099, message: 'Not allowed' } })
      })
    }

    test('a batch is 200', async () => {
      expect((await request(post(`[${json}]`, headersFor(json)))).status).toBe(200)
    })

    test('other errors with authChallenge alone are 200', async () => {
      const response = await onlyAuth(post(callJson('nothing', '[]'), { 'Content-Type': types.json, Authorization }))
      expect(response.status).toBe(200)
    })

    test('an authorised caller', async () => {
      const response = await request(post(json, { 'Content-Type': types.json, Authorization }))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([200, null])
    })

    test('413 and 415 are unchanged', async () => {
      expect((await request(post(json, { 'Content-Type': 'text/html' }))).status).toBe(415)
      const large = `${' '.repeat(4 * 1024 * 1024)}${json}`
      expect((await request(post(large, { 'Content-Type': types.json }))).status).toBe(413)
    })

    test('the typed client reads the errors of every status', async () => {
      const fetchHere = (_: unknown, init: RequestInit) => request(init)
      for (const transport of [undefined, xmlRpc()]) {
        const client = createClient<{ sum: (a: number) => number }>('http://localhost/rpc', {
          fetch: fetchHere as typeof fetch,
          ...(transport && { transport }),
        })
        await expect(client.sum(1)).rejects.toMatchObject({ name: 'RpcError', code: -32098 })
      }
    })
  })
})

function withHeader(init: RequestInit, name: string, value: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set(name, value)
  return { ...init, headers }
}

describe('ownSystemNames', () => {
  const compatibility = { ownSystemNames: true }

  function serverWithNames(options: { readonly compatibility?: Compatibility } = {}): RpcServer {
    const server = serverOf(options)
    server.registerProcedure(() => ['aria2.onDownloadStart'], { name: 'system.listNotifications', unchecked: true })
    return server
  }

  async function result(server: RpcServer, method: string, params = '[]'): Promise<unknown> {
    return JSON.parse((await server.handle(callJson(method, params))) ?? '').result
  }

  test('are an error without the switch', () => {
    expect(() => serverWithNames().view).toThrow(
      'function without a name cannot be called "system.listNotifications": names that begin with system. are reserved, ' +
        'unless compatibility.ownSystemNames is true',
    )
  })

  test('are called, listed and described', async () => {
    const server = serverWithNames({ compatibility })
    expect(await result(server, 'system.listNotifications')).toEqual(['aria2.onDownloadStart'])
    expect(await result(server, 'system.listMethods')).toContain('system.listNotifications')
    const { methods } = (await result(server, 'rpc.discover')) as { methods: { name: string }[] }
    expect(methods.map(({ name }) => name).filter((name) => /^(system|rpc)\./.test(name))).toEqual([
      'system.listNotifications',
    ])
  })

  test('replace those of the server', async () => {
    const server = serverOf({ compatibility })
    server.registerProcedure((token: string) => [token], { name: 'system.listMethods', unchecked: true })
    expect(await result(server, 'system.listMethods', '["mine"]')).toEqual(['mine'])
    expect(await result(server, 'system.methodHelp', '["system.listMethods"]')).toBe('')
    expect(await server.handle(callXml('system.listMethods', 'mine'), { protocol: 'xml-rpc' })).toContain('mine')
  })

  test('of a namespace', async () => {
    const namespace = new RpcNamespace()
    namespace.registerProcedure(() => '1.37.0', { name: 'getVersion', unchecked: true })
    const server = serverOf({ compatibility }).registerNamespace(namespace, 'system')
    expect(await result(server, 'system.getVersion')).toBe('1.37.0')
  })

  test('on a server without procedures of its own', async () => {
    const server = new RpcServer({ compatibility, registerSystemProcedures: false })
    server.registerProcedure(() => [], { name: 'system.listMethods', unchecked: true })
    expect(await result(server, 'system.listMethods')).toEqual([])
  })

  test.each(['system.multicall', 'rpc.discover', 'rpc.own'])('%s cannot be replaced', (name) => {
    const server = serverOf({ compatibility })
    server.registerProcedure(() => [], { name, unchecked: true })
    expect(() => server.view).toThrow(
      /^function without a name cannot be called ".*": names that begin with (?:rpc|system)\. are reserved$/,
    )
  })
})

describe('jsonMulticall', () => {
  test('its entries run concurrently, each with its auth', async () => {
    const server = new RpcServer({ compatibility: { jsonMulticall: true }, auth: 'public', onError: () => {} })
    let started = 0
    const both = async () => {
      started += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      return started
    }
    server.registerProcedure(both, { name: 'both', unchecked: true })
    server.registerProcedure(() => 1, { name: 'closed', unchecked: true, auth: () => false })
    const entries = JSON.stringify([['both', 'closed', 'both'].map((methodName) => ({ methodName, params: [] }))])
    const response = JSON.parse((await server.handle(callJson('system.multicall', entries))) ?? '')
    expect(response.result).toEqual([[2], { code: -32098, message: 'Authentication failed' }, [2]])
  })

  test('the limit of batches', async () => {
    const server = serverOf({ compatibility: { jsonMulticall: true }, limits: { batch: 2 } })
    const response = await server.handle(callJson('system.multicall', '[[1, 2, 3]]'))
    expect(response).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request: a multicall of more than 2 entries"},"id":1}',
    )
  })

  test('the limit of the response', async () => {
    const server = serverOf({ compatibility: { jsonMulticall: true }, limits: { responseBytes: 100 } })
    const entry = (length: number) => ({ methodName: 'echo.string', params: ['x'.repeat(length)] })
    const response = await server.handle(
      callJson('system.multicall', JSON.stringify([[entry(5), entry(200), entry(1)]])),
    )
    expect(JSON.parse(response ?? '').result).toEqual([
      ['xxxxx'],
      { code: -32097, message: 'Response too large' },
      { code: -32097, message: expect.stringContaining('not called') },
    ])
  })

  test('is a method of JSON-RPC for its docs too', async () => {
    const methods = async (server: RpcServer) =>
      JSON.parse((await server.handle(callJson('system.listMethods', '[]'))) ?? '')
    expect((await methods(serverOf({ compatibility: { jsonMulticall: true } }))).result).toContain('system.multicall')
    expect((await methods(serverOf())).result).not.toContain('system.multicall')
  })
})

test('system.methodSignature names a void result in the same way whatever selects the encoder', async () => {
  const call =
    '<methodCall><methodName>system.methodSignature</methodName><params><param><value>nothing</value></param></params></methodCall>'
  const signatures = async (compatibility: Compatibility) => {
    const server = new RpcServer({ compatibility, procedures: manifest({ nothing: procedure(() => undefined, {}) }) })
    return server.handle(call, { protocol: 'xml-rpc' })
  }
  const plain = await signatures({})
  expect(plain).toContain('<value><array><data><value><string>nil</string></value></data></array></value>')
  const switches: Compatibility[] = [
    { xmlRpcBigint: 'string' },
    { xmlRpcBigint: 'double' },
    { xmlRpcInvalidText: 'replace' },
    { xmlRpcFaultData: true },
    { xmlRpcVoid: 'nil' },
    { xmlRpcVoid: 'nil', xmlRpcFaultData: true },
  ]
  for (const each of switches) expect(await signatures(each)).toBe(plain)
  expect(await signatures({ xmlRpcVoid: 'emptyString' })).toBe(plain?.replace('>nil<', '>string<'))
  expect(await signatures({ xmlRpcVoid: 'true', xmlRpcFaultData: true })).toBe(plain?.replace('>nil<', '>boolean<'))
})

describe('over WebSocket', () => {
  test('the versions and the multicall of JSON-RPC', async () => {
    const compatibility = { jsonRpc1: true, lenientVersion: true, jsonMulticall: true }
    const serving = await serveWebSocket(serverOf({ compatibility }))
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    peer.send('{"method":"sum","params":[1],"id":1}')
    peer.send('{"json-rpc":"2.0","method":"sum","params":[2],"id":2}')
    peer.send(callJson('system.multicall', '[[{"methodName":"sum","params":[3]}]]'))
    expect([await peer.next(), await peer.next(), await peer.next()]).toEqual([
      { result: 1, error: null, id: 1 },
      { jsonrpc: '2.0', result: 2, id: 2 },
      { jsonrpc: '2.0', result: [[3]], id: 1 },
    ])
  })

  test('null as params', async () => {
    const serving = await serveWebSocket(serverOf({ compatibility: { nullParams: true } }))
    onTestFinished(() => serving.stop())
    const peer = await serving.connect()
    peer.send(callJson('get_data', 'null'))
    peer.send(`[${callJson('get_data', 'null')}]`)
    const response = { jsonrpc: '2.0', result: ['hello', 5], id: 1 }
    expect([await peer.next(), await peer.next()]).toEqual([response, [response]])
  })
})
