import { Hono } from 'hono'
import {
  Protocol,
  type RpcContext,
  RpcError,
  RpcInternalError,
  RpcInvalidParams,
  RpcMethodNotFound,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
  rpcMethod,
} from 'rpc-gen'
import { any, int, manifest, procedure, string, union } from 'rpc-gen/codegen/v1'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { procedures } from '../../fixtures/server/procedures.gen.js'
import { effects, quick, slow, store } from '../../fixtures/server/procedures.js'
import { call, type RpcResponse, send } from '../support/json-rpc.js'

beforeEach(() => void effects.splice(0))

const silent = () => undefined

function serverOf(options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, onError: silent, ...options })
}

function post(server: RpcServer, body: unknown, view: 'view' | 'asyncView' = 'asyncView'): Promise<unknown> {
  return send(new Hono().all('/rpc', server[view]), body, {}, '/rpc')
}

async function responseOf(server: RpcServer, method: string, params?: unknown): Promise<RpcResponse> {
  return (await post(server, call(method, params))) as RpcResponse
}

describe('view and asyncView', () => {
  const batch = [call('slow', ['a', 30], 1), call('quick', ['b'], 2), call('slow', ['c', 5], 3)]
  const responses = ['a', 'b', 'c'].map((result, i) => ({ jsonrpc: '2.0', result, id: i + 1 }))

  test('view: calls run one after another', async () => {
    expect(await post(serverOf(), batch, 'view')).toEqual(responses)
    expect(effects).toEqual(['a begins', 'a ends', 'b', 'c begins', 'c ends'])
  })

  test('asyncView: calls run concurrently, with responses in order', async () => {
    expect(await post(serverOf(), batch, 'asyncView')).toEqual(responses)
    expect(effects).toEqual(['a begins', 'b', 'c begins', 'c ends', 'a ends'])
  })

  test('router is concurrent, unless configured otherwise', async () => {
    await send(serverOf().router({ sequential: true }), batch)
    expect(() => serverOf().router({ sequential: 'yes' as never })).toThrow(
      'RpcServer.router: sequential is "yes", expected true or false',
    )
    expect(effects).toEqual(['a begins', 'a ends', 'b', 'c begins', 'c ends'])
    effects.splice(0)
    await send(serverOf().router(), batch)
    expect(effects).toEqual(['a begins', 'b', 'c begins', 'c ends', 'a ends'])
  })
})

describe('a multicall', () => {
  const entry = (name: string, ms: number) =>
    `<value><struct><member><name>methodName</name><value>slow</value></member><member><name>params</name><value><array>` +
    `<data><value>${name}</value><value><int>${ms}</int></value></data></array></value></member></struct></value>`
  const body =
    `<?xml version="1.0"?><methodCall><methodName>system.multicall</methodName><params><param><value><array><data>` +
    `${entry('a', 30)}${entry('b', 5)}</data></array></value></param></params></methodCall>`
  const init = { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body }

  test.each([
    ['view', ['a begins', 'a ends', 'b begins', 'b ends']],
    ['asyncView', ['a begins', 'b begins', 'b ends', 'a ends']],
  ] as const)('%s', async (view, expected) => {
    const response = await (await new Hono().all('/', serverOf()[view]).request('/', init)).text()
    expect(effects).toEqual(expected)
    expect(response.indexOf('<string>a</string>')).toBeLessThan(response.indexOf('<string>b</string>'))
  })
})

describe('errors', () => {
  test.each([
    ['null', null],
    ['false', false],
    ['0', 0],
    ['the empty string', ''],
    ['a struct', { a: [1, { b: null }] }],
  ])('the data of an RpcError is sent: %s', async (_what, data) => {
    expect((await responseOf(serverOf(), 'refuse', [data])).error).toEqual({ code: 1, message: 'refused', data })
  })

  test.each(['error', 'type', 'nested', 'text', 'nothing'])(
    'other errors are sent without details: %s',
    async (what) => {
      const response = await responseOf(serverOf(), 'fail', [what])
      expect(response).toEqual({ jsonrpc: '2.0', error: { code: -32603, message: 'Internal error' }, id: 1 })
    },
  )

  test('an RpcError of another copy of the package is one', async () => {
    expect((await responseOf(serverOf(), 'fail', ['foreign'])).error).toEqual({ code: 9, message: 'from another copy' })
  })

  test('onError is called for every error, with its context', async () => {
    const reported: unknown[] = []
    const server = serverOf({
      onError: (error, { procedure }) => void reported.push([procedure?.name, (error as Error).message]),
    })
    for (const [method, params] of [
      ['refuse', [1]],
      ['fail', ['error']],
      ['slow', [1]],
      ['nothing', []],
      ['broken', []],
    ]) {
      await responseOf(server, method as string, params)
    }
    await new Hono()
      .all('/', server.view)
      .request('/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' })
    expect(reported).toEqual([
      ['refuse', 'refused'],
      ['fail', 'the password is 1234'],
      ['slow', expect.stringMatching(/^Invalid params: name: expected string, received int/)],
      [undefined, 'Method not found'],
      [
        'broken',
        'broken returned a value that does not match its declared type: result[0].added: expected date, received invalid date',
      ],
      [undefined, 'Parse error'],
    ])
  })

  test('onError gets the TypeError of a getter in a result', async () => {
    const error = new TypeError('the getter failed')
    const failing = {
      get name(): string {
        throw error
      },
    }
    const named = (value: typeof failing) => ({ name: string(value?.name) })
    const procedures = manifest({ failing: procedure(() => failing, { returns: union([named, int]) }) })
    const errors: unknown[] = []
    const server = new RpcServer({ procedures, auth: 'public', onError: (each) => void errors.push(each) })
    expect((await responseOf(server, 'failing', [])).error?.code).toBe(-32603)
    expect(errors).toEqual([error])
  })

  test('onError may return an RpcError to send instead', async () => {
    const onError = (error: unknown) => (error instanceof TypeError ? new RpcError(5, 'try again') : undefined)
    expect((await responseOf(serverOf({ onError }), 'fail', ['type'])).error).toEqual({ code: 5, message: 'try again' })
    expect((await responseOf(serverOf({ onError }), 'fail', ['error'])).error?.code).toBe(-32603)
  })

  test('an onError that throws, or whose promise rejects, does not change the response', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(silent)
    const throws = () => {
      throw new Error('onError is broken')
    }
    expect((await responseOf(serverOf({ onError: throws }), 'refuse', [0])).error?.code).toBe(1)
    expect((await responseOf(serverOf({ onError: async () => throws() }), 'refuse', [0])).error?.code).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(printed).toHaveBeenCalledTimes(2)
    printed.mockRestore()
  })

  test('the default prints only errors other than RpcError', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(silent)
    const server = new RpcServer({ procedures })
    await responseOf(server, 'refuse', [0])
    expect(printed).toHaveBeenCalledTimes(0)
    await responseOf(server, 'fail', ['error'])
    expect(printed).toHaveBeenCalledTimes(1)
    printed.mockRestore()
  })
})

describe('limits.timeoutMs', () => {
  test('fails with -32096, aborts the signal, and discards a late result', async () => {
    const { error } = await responseOf(serverOf({ limits: { timeoutMs: 20 } }), 'patient')
    expect(error).toEqual({ code: -32096, message: 'Timed out' })
    expect(effects).toEqual(['aborted: Timed out'])
  })

  test('a call that ends in time is not affected', async () => {
    for (const timeoutMs of [2000, 0]) {
      expect((await responseOf(serverOf({ limits: { timeoutMs } }), 'slow', ['a', 1])).result).toBe('a')
    }
  })
})

describe('limits', () => {
  test.each<[object, string]>([
    ...['bodyBytes', 'batch', 'depth'].flatMap((name) =>
      [0, -1, 0.5, 1.5, 256.5, Number.NaN, Number.NEGATIVE_INFINITY, '10', null, true].map(
        (value): [object, string] => [
          { [name]: value },
          `RpcServer: limits.${name} is ${value === '10' ? '"10"' : value}, expected a positive integer`,
        ],
      ),
    ),
    ...[-1, Number.NaN, 2 ** 31, 2 ** 32, Number.POSITIVE_INFINITY, null].map((timeoutMs): [object, string] => [
      { timeoutMs },
      `RpcServer: limits.timeoutMs is ${timeoutMs}, expected 0 or a positive number below 2^31`,
    ]),
    ...[301, 5000, Number.POSITIVE_INFINITY].map((depth): [object, string] => [
      { depth },
      `RpcServer: limits.depth is ${depth}, expected a positive integer of at most 300: deeper values exceed the call stack`,
    ]),
  ])('%o throws when the server is made', (limits, message) => {
    expect(() => new RpcServer({ limits })).toThrow(RangeError)
    expect(() => new RpcServer({ limits })).toThrow(message)
  })

  test.each(['bodyByte', 'toString'])('%s does not exist', (name) => {
    expect(() => new RpcServer({ limits: { [name]: 1 } })).toThrow(
      new TypeError(
        `RpcServer: limits: unknown option "${name}"; the options are batch, bodyBytes, depth, responseBytes, timeoutMs`,
      ),
    )
  })

  test('procedures in the place of the options', () => {
    expect(() => new RpcServer(procedures as never)).toThrow(
      new TypeError('RpcServer: unknown option "slow"; it is a procedure: write new RpcServer({ procedures })'),
    )
    expect(() => new RpcNamespace(procedures as never)).toThrow('write new RpcNamespace({ procedures })')
  })

  test.each<[object, string]>([
    [{ limits: 1 }, 'limits is 1, expected an object'],
    [{ procedures: 'add' }, 'procedures is "add", expected the procedures of a generated module'],
    [{ procedures: { add: () => 1 } }, 'procedures is an object, expected the procedures of a generated module'],
    [
      { procedures: new RpcServer().router() },
      'procedures is an object, expected the procedures of a generated module',
    ],
    [{ info: 'Orders' }, 'info is "Orders", expected an object with a title and a version'],
    [{ onError: 'print' }, 'onError is "print", expected a function'],
    [{ errorDetails: 'all' }, "errorDetails is \"all\", expected 'types' or 'values'"],
    [{ registerSystemProcedures: 'no' }, 'registerSystemProcedures is "no", expected true or false'],
    [{ sniffContentType: 1 }, 'sniffContentType is 1, expected true or false'],
    [{ redirectGetRequestsTo: true }, 'redirectGetRequestsTo is true, expected a URL'],
  ])('%o is an error', (options, message) => {
    expect(() => new RpcServer(options)).toThrow(new TypeError(`RpcServer: ${message}`))
  })

  test('the longest time limit is not cut to a short one', async () => {
    expect((await responseOf(serverOf({ limits: { timeoutMs: 2 ** 31 - 1 } }), 'slow', ['a', 20])).result).toBe('a')
  })

  test('the deepest limit: one level more is -32600 with the message, not a full stack', async () => {
    const server = serverOf({ limits: { depth: 300 } })
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect((await responseOf(server, 'refuse', [nested(300)])).error?.code).toBe(1)
    expect((await responseOf(server, 'quick', [nested(300)])).error?.code).toBe(-32602)
    expect((await responseOf(server, 'refuse', [nested(301)])).error?.code).toBe(-32600)
  })

  test('undefined is the default limit', async () => {
    const server = serverOf({ limits: { bodyBytes: undefined, batch: undefined } as never })
    const body = Array.from({ length: 1001 }, () => call('quick', ['a']))
    expect(await post(server, body)).toMatchObject({ error: { code: -32600 } })
  })
})

describe('the time of a call', () => {
  const xml = (...entries: [string, number][]) => {
    const struct = ([name, ms]: [string, number]) =>
      `<value><struct><member><name>methodName</name><value>slow</value></member><member><name>params</name><value><array>` +
      `<data><value>${name}</value><value><int>${ms}</int></value></data></array></value></member></struct></value>`
    const list = `<array><data>${entries.map(struct).join('')}</data></array>`
    return `<methodCall><methodName>system.multicall</methodName><params><param><value>${list}</value></param></params></methodCall>`
  }

  test.each(['view', 'asyncView'] as const)('%s: of a multicall it is the time of each entry', async (view) => {
    const app = new Hono().all('/rpc', serverOf({ limits: { timeoutMs: 200 } })[view])
    const body = xml(['a', 120], ['b', 10_000], ['c', 120])
    const init = { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body }
    const responses = (await (await app.request('/rpc', init)).text()).match(/<string>[^<]*<\/string>/g)
    expect(responses).toEqual(['<string>a</string>', '<string>Timed out</string>', '<string>c</string>'])
  })

  test('it includes predicates; the result of a late one is ignored', async () => {
    const auth = () => new Promise((resolve) => setTimeout(() => resolve(true), 40))
    const { error } = await responseOf(serverOf({ auth, limits: { timeoutMs: 10 } }), 'quick', ['late'])
    expect(error).toEqual({ code: -32096, message: 'Timed out' })
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(effects).toEqual([])
  })
})

describe('the context', () => {
  test('over HTTP', async () => {
    const { result } = await responseOf(serverOf({ auth: () => ({ name: 'ada' }) }), 'about')
    expect(result).toEqual({
      transport: 'http',
      protocol: 'json-rpc',
      procedure: 'about',
      authResult: { name: 'ada' },
      path: '/rpc',
      hono: true,
    })
  })

  test('signal is always the same object', async () => {
    let context: RpcContext | undefined
    const onError = (_: unknown, about: RpcContext) => {
      context = about
    }
    await responseOf(serverOf({ onError }), 'fail', ['error'])
    expect(context?.signal).toBe(context?.signal)
  })

  test('the cause of Method not found has the requested name', async () => {
    const reported: unknown[] = []
    await responseOf(serverOf({ onError: (error) => void reported.push((error as Error).cause) }), 'subtrac')
    expect(reported).toEqual(['no method "subtrac"'])
  })

  test('signal follows a request that is aborted', async () => {
    const leaving = new AbortController()
    const app = new Hono().all('/', serverOf().view)
    const body = JSON.stringify(call('patient'))
    const headers = { 'Content-Type': 'application/json' }
    const response = app.request('/', { method: 'POST', headers, body, signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('gone')), 5)
    await response
    expect(effects).toEqual(['aborted: The client disconnected'])
  })

  test('a parameter of its type is not a parameter of the procedure', async () => {
    const responses = (await post(serverOf(), [
      call('system.methodSignature', ['about'], 1),
      call('system.methodHelp', ['about'], 2),
      call('about', { context: 1 }, 3),
    ])) as RpcResponse[]
    expect(responses[0]?.result).toEqual([['struct']])
    expect(responses[1]?.result).toBe('Tells about the call.')
    expect(responses[2]?.error?.code).toBe(-32602)
  })
})

describe('server.callJson', () => {
  const item = { name: 'x', added: new Date(0), tags: new Set(['new']) }
  const sent = { name: 'x', added: '1970-01-01T00:00:00.000Z', tags: ['new', 'stored'] }

  test('returns what a client of JSON-RPC receives, for TypeScript values', async () => {
    const result = await serverOf().callJson('store', [item])
    expect(result).toEqual(sent)
    const wire = { ...item, added: item.added.toJSON(), tags: ['new'] }
    expect((await responseOf(serverOf(), 'store', [wire])).result).toEqual(result)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  })

  test('has null for nothing, and the document of the API', async () => {
    const server = new RpcServer({
      procedures: manifest({
        nothing: procedure(() => {}),
        hidden: procedure(() => ({ secret: 1, toJSON: () => ({ shown: 1n, at: new Date(0) }) }), { returns: any }),
        omitted: procedure(() => ({ toJSON: () => undefined }), { returns: any }),
        circular: procedure(() => ({ next: (() => 1) as unknown }), { returns: any }),
      }),
      onError: silent,
    })
    expect(await server.callJson('nothing')).toBeNull()
    expect(await server.callJson('omitted')).toBeNull()
    expect(await server.callJson('hidden')).toEqual({ shown: '1', at: '1970-01-01T00:00:00.000Z' })
    expect(await server.callJson('rpc.discover')).toMatchObject({ openrpc: '1.4.1' })
    await expect(server.callJson('circular')).rejects.toMatchObject({ code: -32603 })
  })

  test('otherwise is server.call: middleware, auth with a context, errors', async () => {
    const seen: unknown[] = []
    const server = serverOf({ auth: () => false })
    server.use(async (context, next) => {
      const result = await next()
      seen.push([context.transport, context.protocol, result])
      return result
    })
    await server.callJson('store', { item })
    expect(seen).toEqual([['local', undefined, { ...item, tags: new Set(['new', 'stored']) }]])
    await expect(server.callJson('store', [item], {})).rejects.toMatchObject({ code: -32098 })
    await expect(server.callJson('store', [sent])).rejects.toMatchObject({ code: -32602 })
    await expect(server.callJson('none')).rejects.toBeInstanceOf(RpcMethodNotFound)
  })
})

describe('server.call', () => {
  const added = new Date(0)

  test('accepts and returns TypeScript values', async () => {
    const item = { name: 'x', added, tags: new Set(['new']) }
    expect(await serverOf().call('store', [item])).toEqual({ name: 'x', added, tags: new Set(['new', 'stored']) })
    expect(await serverOf().call('quick', { name: 'by name' })).toBe('by name')
  })

  test('checks arguments and result: JSON forms are not TypeScript values', async () => {
    const item = { name: 'x', added: '1970-01-01', tags: ['new'] }
    await expect(serverOf().call('store', [item])).rejects.toMatchObject({
      code: -32602,
      data: [
        { path: ['item', 'added'], received: 'string of length 10' },
        { path: ['item', 'tags'], received: 'array of length 1, not a Set' },
      ],
    })
    await expect(serverOf().call('broken')).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
    await expect(serverOf().call('nothing')).rejects.toBeInstanceOf(RpcError)
  })

  test('rejects with the error that the procedure threw', async () => {
    const thrown = await serverOf()
      .call('refuse', [0])
      .catch((error) => error)
    expect(thrown).toMatchObject({ code: 1, data: 0 })
    const inner = await serverOf()
      .call('fail', ['type'])
      .catch((error: RpcInternalError) => error)
    expect(inner).toBeInstanceOf(RpcInternalError)
    expect((inner as RpcInternalError).cause).toBeInstanceOf(TypeError)
    await expect(serverOf().call('nothing', [])).rejects.toBeInstanceOf(RpcMethodNotFound)
    await expect(serverOf().call('quick', [1])).rejects.toBeInstanceOf(RpcInvalidParams)
  })

  test('checks auth only if there is a context', async () => {
    const server = serverOf({ auth: ({ headers }) => headers.get('x-user') })
    expect(await server.call('quick', ['a'])).toBe('a')
    await expect(server.call('quick', ['a'], {})).rejects.toMatchObject({ code: -32098 })
    const request = new Request('http://localhost/here', { headers: { 'x-user': 'ada' } })
    expect(await server.call('about', [], { request, transport: 'queue' })).toEqual({
      transport: 'queue',
      protocol: undefined,
      procedure: 'about',
      authResult: 'ada',
      path: '/here',
      hono: false,
    })
  })

  test('a procedure of one protocol can be called from the same process', async () => {
    const server = new RpcServer()
    server.registerProcedure(quick, { protocol: Protocol.XML_RPC })
    expect(await server.call('quick', ['a'])).toBe('a')
    expect((await responseOf(server, 'quick', ['a'])).error?.code).toBe(-32601)
  })
})

describe('registration', () => {
  test('a duplicate name is an error that names both procedures', async () => {
    const server = serverOf({ procedures: {} })
    server.registerProcedure(quick)
    server.registerProcedure(slow, { name: 'quick' })
    await expect(server.call('quick', ['a'])).rejects.toThrow(
      'there are two procedures "quick": function quick and function slow',
    )
    const other = serverOf()
    other.registerProcedure(quick)
    await expect(other.call('quick', ['a'])).rejects.toThrow(
      '"quick": the generated procedure quick and function quick',
    )
  })

  test.each(['rpc.quick', 'system.quick'])('the name %s is rejected', async (name) => {
    const server = new RpcServer()
    server.registerProcedure(quick, { name })
    await expect(server.call(name)).rejects.toThrow(`function quick cannot be called "${name}"`)
  })

  test('a function without a compiled form is rejected, with a hint', async () => {
    const server = new RpcServer()
    server.registerProcedure(function lonely() {})
    await expect(server.call('lonely')).rejects.toThrow(/^function lonely has no compiled form: .*unchecked: true/)
  })

  test('unchecked: any arguments by position, and the context at contextTarget', async () => {
    const server = new RpcServer()
    const tell = (...args: unknown[]) => args.map((arg) => (typeof arg === 'object' ? 'context' : arg)).join(' ')
    server.registerProcedure(tell, { name: 'tell', unchecked: true, contextTarget: 1 })
    expect(await server.call('tell', ['a', 'b'])).toBe('a context b')
    const bad = { name: 'bad', unchecked: true, contextTarget: 'context' } as const
    expect(() => server.registerProcedure(tell, bad)).toThrow(
      'contextTarget of the unchecked function bad is a position',
    )
    expect(await server.call('tell', ['a', 'b'])).toBe('a context b')
  })

  test.each<readonly [options: object, message: string]>([
    [{ name: 5 }, 'registerProcedure(quick): name is 5, expected a name'],
    [{ name: '' }, 'registerProcedure(quick): name is "", expected a name'],
    [{ name: 'a', unchecked: 'yes' }, 'registerProcedure(a): unchecked is "yes", expected true or false'],
    [{ params: 'array' }, 'registerProcedure(quick): params is "array", expected \'object\''],
    [{ subscription: 1 }, 'registerProcedure(quick): subscription is 1, expected true or false'],
    ...[-1, 1.5, Number.NaN, 1e9, null, true].map((contextTarget) => {
      const expected = 'the name of a parameter, or its position from 0 to 255'
      return [
        { contextTarget },
        `registerProcedure(quick): contextTarget is ${contextTarget}, expected ${expected}`,
      ] as const
    }),
  ])('%o is rejected where it is written', (options, message) => {
    for (const owner of [new RpcServer(), new RpcNamespace()]) {
      expect(() => owner.registerProcedure(quick, { unchecked: true, ...options })).toThrow(message)
    }
  })

  test.each([5, null, {}])('a namespace is not called %j', (name) => {
    for (const owner of [new RpcServer(), new RpcNamespace()]) {
      expect(() => owner.registerNamespace(new RpcNamespace(), name as never)).toThrow(
        /^registerNamespace: the name is .*, expected a string$/,
      )
    }
  })

  test('a namespace that contains itself is rejected', async () => {
    const [outer, inner] = [new RpcNamespace(), new RpcNamespace()]
    outer.registerNamespace(inner, 'inner')
    inner.registerNamespace(outer, 'outer')
    const server = new RpcServer().registerNamespace(outer, 'outer')
    await expect(server.call('x')).rejects.toThrow('namespace cycle: the namespace outer.inner.outer contains itself')
  })

  test('a namespace may contain generated procedures', async () => {
    const server = new RpcServer().registerNamespace(new RpcNamespace({ procedures }), 'all')
    expect(await server.call('all.quick', ['a'])).toBe('a')
  })

  const wrong: [string, (server: RpcServer) => void, string][] = [
    [
      'one name twice',
      (server) => server.registerProcedure(quick),
      'there are two procedures "quick": the generated procedure quick and function quick',
    ],
    [
      'a reserved name',
      (server) => server.registerProcedure(quick, { name: 'rpc.quick' }),
      'function quick cannot be called "rpc.quick"',
    ],
    [
      'a reserved prefix',
      (server) => server.registerNamespace(new RpcNamespace({ procedures }), 'system'),
      'the generated procedure slow cannot be called "system.slow"',
    ],
    [
      'a namespace in itself',
      (server) => {
        const space = new RpcNamespace()
        server.registerNamespace(space.registerNamespace(space, 'inner'), 'outer')
      },
      'namespace cycle: the namespace outer.inner contains itself',
    ],
    [
      'an unknown function',
      (server) => server.registerProcedure(function lonely() {}),
      'function lonely has no compiled form: export it',
    ],
    [
      'an unknown function in a namespace',
      (server) => {
        const space = new RpcNamespace()
        space.registerProcedure(function lonely() {})
        server.registerNamespace(space, 'm')
      },
      'function lonely in the namespace m has no compiled form: export it',
    ],
  ]

  test.each(wrong)(
    'conflicting registrations throw when the entry point is read: %s',
    async (_what, register, message) => {
      const server = serverOf()
      register(server)
      expect(() => server.view).toThrow(message)
      expect(() => server.asyncView).toThrow(message)
      expect(() => server.openrpc).toThrow(message)
      expect(() => server.router()).toThrow(message)
      expect(() => server.router({ sequential: true })).toThrow(message)
      expect(() => server.docs({ endpoint: '/rpc' })).toThrow(message)
      await expect(server.call('slow', ['a', 1])).rejects.toThrow(message)
    },
  )

  test.each(wrong.filter(([what]) => !what.startsWith('an unknown function')))(
    'a server in use rejects a conflict immediately, and continues to serve: %s',
    async (_what, register, message) => {
      const server = serverOf()
      const app = new Hono().all('/', server.view)
      expect(() => register(server)).toThrow(message)
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
      const response = await app.request('/', { ...init, body: JSON.stringify(call('quick', ['a'])) })
      expect(await response.json()).toMatchObject({ result: 'a' })
    },
  )

  test('a server in use accepts a function that is compiled later', async () => {
    const server = new RpcServer()
    const { view } = server
    const later = (name: string) => `${name}, later`
    server.registerProcedure(later)
    expect(() => server.view).toThrow('function later has no compiled form')
    manifest({ later: procedure(later, { params: { name: string }, returns: string }) })
    expect(server.view).toBe(view)
    expect(await server.call('later', ['a'])).toBe('a, later')
  })

  test('a procedure that is added to a namespace of a server in use is served', async () => {
    const [outer, inner] = [new RpcNamespace(), new RpcNamespace()]
    const server = new RpcServer().registerNamespace(outer.registerNamespace(inner, 'b'), 'a')
    const app = new Hono().all('/', server.view)
    inner.registerProcedure(quick)
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const response = await app.request('/', { ...init, body: JSON.stringify(call('a.b.quick', ['a'])) })
    expect(await response.json()).toMatchObject({ result: 'a' })
  })

  test('a namespace that is undefined throws where it is registered', () => {
    const message = 'registerNamespace: expected an RpcNamespace, got undefined; is it part of an import cycle?'
    expect(() => new RpcServer().registerNamespace(undefined as never)).toThrow(message)
    expect(() => new RpcNamespace().registerNamespace(undefined as never, 'x')).toThrow(message)
  })

  test('a duplicate name is reported with its namespace', async () => {
    const space = new RpcNamespace()
    space.registerProcedure(quick)
    space.registerProcedure(quick)
    const server = new RpcServer().registerNamespace(space, 'm')
    await expect(server.call('x')).rejects.toThrow(
      'there are two procedures "m.quick": function quick in the namespace m, twice',
    )
  })

  test('a contextTarget that was not compiled is rejected: the client would fill the parameter', async () => {
    const server = new RpcServer()
    server.registerProcedure(quick, { contextTarget: 'name' })
    await expect(server.call('quick')).rejects.toThrow('contextTarget of function quick was not compiled')
  })

  test.each([
    [
      () => new RpcServer({ protocol: 'bogus' as 'json-rpc' }),
      `RpcServer: protocol is "bogus", expected 'json-rpc', 'xml-rpc' or a list of them`,
    ],
    [() => new RpcServer({ protocol: [] }), 'RpcServer: protocol is [], expected '],
    [() => new RpcServer({ protocol: null as never }), 'RpcServer: protocol is null, expected '],
    [
      () => new RpcServer().registerProcedure(quick, { protocol: ['json-rpc', 'x'] as never }),
      `registerProcedure(quick): protocol is ["json-rpc","x"], expected 'json-rpc', 'xml-rpc' or a list of them`,
    ],
    [() => rpcMethod(quick, { protocol: 'x' as never }), 'rpcMethod(quick): protocol is "x", expected '],
    [
      () => new RpcServer().registerProcedure(undefined as never),
      'registerProcedure: expected a function or options, got undefined; is it part of an import cycle?',
    ],
    [
      () => new RpcServer().registerProcedure('add' as never),
      'registerProcedure: expected a function or options, got "add"',
    ],
  ])('an invalid option is reported by the call that has it: %s', (make, message) => {
    expect(make).toThrow(message)
  })

  test('a procedure that is registered after the first call is served', async () => {
    const server = new RpcServer()
    await expect(server.call('store')).rejects.toMatchObject({ code: -32601 })
    server.registerProcedure(store)
    await expect(server.call('store')).rejects.toMatchObject({ code: -32602 })
  })

  test('as a decorator it requires a static method, and standard decorators', () => {
    const { registerProcedure } = new RpcServer()
    const context = (kind: string, isStatic: boolean) => ({ kind, static: isStatic, name: 'x' }) as never
    expect(() => registerProcedure(quick, context('method', false))).toThrow(
      'registerProcedure can only decorate static methods; quick is not one',
    )
    expect(() => registerProcedure({})(quick, context('getter', true))).toThrow('can only decorate static methods')
    expect(() => registerProcedure(quick, 'add' as never)).toThrow('turn experimentalDecorators off')
    expect(() => registerProcedure({})(quick, 'add' as never)).toThrow('turn experimentalDecorators off')
  })
})
