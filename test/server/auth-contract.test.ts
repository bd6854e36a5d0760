import { Hono } from 'hono'
import {
  type Auth,
  AuthenticationError,
  type Compatibility,
  defineAuth,
  extractBearerToken,
  type OpenRpc,
  type RpcContext,
  RpcNamespace,
  RpcServer,
} from 'rpc-gen'
import { type ClientAuth, createClient, xmlRpc } from 'rpc-gen/client'
import { mcp } from 'rpc-gen/mcp'
import { describe, expect, test } from 'vitest'
import { procedures as schemes } from '../../fixtures/generate/auth-schemes/expected.gen.js'

// One description of the authorised callers: OpenRPC, the page, help texts, MCP and clients show it.

const isUser = defineAuth(
  { scheme: 'bearer', name: 'isUser', description: 'A token of your *profile*.' },
  (request: Request) => {
    const name = extractBearerToken(request)
    return name !== undefined && { name }
  },
)
const isClerk = (_request: Request, context: RpcContext<{ auth: typeof isUser }>) => context.authResult.name === 'clerk'

function serverOf() {
  const shop = new RpcNamespace({ auth: { all: ['inherited', isClerk] } })
  const whoAmI = (context: RpcContext<{ auth: typeof isUser }>) => context.authResult.name
  shop.registerProcedure(whoAmI, { name: 'refund', unchecked: true, contextTarget: 0 })
  const server = new RpcServer({
    auth: isUser,
    introspection: { auth: 'public' },
    docs: true,
    onError: () => undefined,
  })
  server.registerProcedure(whoAmI, { name: 'whoAmI', unchecked: true, contextTarget: 0 })
  server.registerProcedure(() => 'noon', { name: 'time', unchecked: true, auth: 'public' })
  return server.registerNamespace(shop, 'shop')
}

test('OpenRPC has the rules, the schemes and the errors', async () => {
  const document = (await serverOf().call('rpc.discover')) as {
    methods: { name: string; errors?: { code: number }[]; 'x-security'?: unknown }[]
    'x-security-schemes': unknown
  }
  const shown = document.methods.map(({ name, errors, 'x-security': security }) => {
    return [name, security, errors?.map(({ code }) => code)]
  })
  const user = [{ rule: 'isUser', scheme: 'isUser' }]
  expect(shown).toEqual([
    ['whoAmI', [user], [-32098]],
    ['time', [], undefined],
    ['shop.refund', [user, [{ rule: 'isClerk' }]], [-32098, -32099]],
  ])
  expect(document['x-security-schemes']).toEqual({
    isUser: { scheme: 'bearer', description: 'A token of your *profile*.' },
  })
})

test('the rules of generated procedures have their arguments and the names of their schemes', async () => {
  const server = new RpcServer({ procedures: schemes })
  const document = (await server.call('rpc.discover')) as OpenRpc
  expect(document.methods.map((method) => [method.name, method['x-security']])).toEqual([
    [
      'either',
      [
        [
          { rule: 'isUser', scheme: 'isUser' },
          { rule: 'isRobot', scheme: 'robots' },
        ],
      ],
    ],
    [
      'session',
      [[{ rule: 'hasSession', args: ['session'], scheme: 'hasSession' }], [{ rule: 'isStaff', scheme: 'isStaff' }]],
    ],
    ['everyone', []],
    ['inherits', [[{ rule: 'inherited' }], [{ rule: 'isUser', scheme: 'isUser' }]]],
    ['none', undefined],
  ])
  expect(await server.call('system.methodHelp', ['session'])).toBe(
    "A session of the staff.\n\nRequires hasSession('session'), and isStaff.",
  )
  expect(await server.call('system.methodHelp', ['everyone'])).toBe('')
})

test('the docs page marks procedures, and has a form for each scheme', async () => {
  const page = async (server: RpcServer) => {
    const response = await server.router().request('/', { headers: { Accept: 'text/html' } })
    return response.text()
  }
  const text = await page(serverOf())
  expect(text).toContain('>Requires isUser, and isClerk</li>')
  expect(text).toMatch(
    /<form data-header="Authorization" data-prefix="Bearer "><fieldset><legend>isUser<\/legend>.*<em>profile<\/em>/,
  )
  const all = await page(new RpcServer({ procedures: schemes, docs: true }))
  expect(all).toContain('<form data-header="X-Api-Key" data-prefix=""><fieldset><legend>robots</legend>')
  expect(all).toContain('<form data-header="Authorization" data-prefix="Basic "><fieldset><legend>isStaff</legend>')
  expect(all).toContain('The browser sends the cookie <code>sid</code>.')
  expect(await page(new RpcServer({ docs: true }))).not.toContain('Authorize</summary>')
})

test('MCP lists the tools that the caller may call', async () => {
  const app = new Hono().route('/mcp', mcp(serverOf(), { tools: 'all' }))
  const tools = async (headers: Record<string, string>) => {
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', params: {}, id: 1 }),
    })
    const { result } = (await response.json()) as { result: { tools: { name: string; description?: string }[] } }
    return result.tools.map(({ name, description }) => [name, description])
  }
  const [time, whoAmI] = [
    ['time', undefined],
    ['whoAmI', 'Requires isUser.'],
  ]
  expect(await tools({})).toEqual([time])
  expect(await tools({ Authorization: 'Bearer ada' })).toEqual([whoAmI, time])
  expect(await tools({ Authorization: 'Bearer clerk' })).toEqual([
    whoAmI,
    time,
    ['shop_refund', 'Requires isUser, and isClerk.'],
  ])
})

describe('createClient({ auth })', () => {
  const sent: (string | null)[] = []
  const app = new Hono().all('/rpc', serverOf().view)
  const fetch = (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    sent.push(headers.get('authorization') ?? headers.get('x-api-key'))
    return app.request(url, init)
  }
  interface Api {
    whoAmI(): string
  }

  test.each<[ClientAuth, string]>([
    [{ bearer: 'ada' }, 'Bearer ada'],
    [{ bearer: async () => 'renewed' }, 'Bearer renewed'],
    [{ username: 'ada', password: 'ä:b' }, 'Basic YWRhOsOkOmI='],
    [{ username: 'key', password: '' }, 'Basic a2V5Og=='],
    [{ apiKey: 'key', header: 'X-Api-Key' }, 'key'],
    [{ apiKey: async () => 'renewed', header: 'X-Api-Key' }, 'renewed'],
  ])('%j', async (auth, header) => {
    for (const transport of [undefined, xmlRpc()]) {
      sent.length = 0
      const client = createClient<Api>('http://localhost/rpc', { fetch, auth, ...(transport && { transport }) })
      await client.whoAmI().catch(() => undefined)
      expect(sent).toEqual([header])
    }
  })

  test.each<unknown>([
    { bearer: undefined },
    { bearer: () => null },
    { token: 'ada' },
    { apiKey: undefined, header: 'X-Api-Key' },
    { username: 'ada' },
    { password: 'word' },
    { username: 'ada', password: null },
    { username: '', password: '' },
    { bearer: '' },
    { bearer: async () => '' },
    { apiKey: '', header: 'X-Api-Key' },
    { apiKey: () => undefined, header: 'X-Api-Key' },
    { apiKey: 'key', header: undefined },
    { apiKey: 'key', header: '' },
    { header: 'X-Api-Key' },
    {},
    null,
    // The error of Headers would contain it.
    { bearer: 'ada\nbob' },
    { apiKey: async () => 'ada\0', header: 'X-Api-Key' },
    // Of two kinds.
    { bearer: 'ada', apiKey: 'key', header: 'X-Api-Key' },
    { bearer: 'ada', header: 'X-Api-Key' },
    { bearer: '', apiKey: 'key', header: 'X-Api-Key' },
    { username: 'ada', password: 'word', bearer: 'ada' },
  ])('a secret that is missing or not valid is an error without it, and nothing is sent: %j', async (auth) => {
    sent.length = 0
    const client = createClient<Api>('http://localhost/rpc', { fetch, auth: auth as ClientAuth })
    const error = await client.whoAmI().catch((each: unknown) => each)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).not.toContain('ada')
    expect(sent).toEqual([])
  })

  test('identifies the caller; `$with` replaces it, and so do headers', async () => {
    const client = createClient<Api>('http://localhost/rpc', { fetch, auth: { bearer: 'ada' } })
    expect(await client.whoAmI()).toBe('ada')
    expect(await client.$with({ auth: { bearer: 'bob' } }).whoAmI()).toBe('bob')
    expect(await client.$with({ headers: { Authorization: 'Bearer eve' } }).whoAmI()).toBe('eve')
  })

  test('`$with` drops the credentials before it, whatever their header, and keeps the headers of the user', async () => {
    const seen: Record<string, string>[] = []
    const record = (url: string, init: RequestInit) => {
      const { accept: _a, 'content-type': _c, ...others } = Object.fromEntries(new Headers(init.headers))
      seen.push(others)
      return app.request(url, init)
    }
    const client = createClient<Api>('http://localhost/rpc', {
      fetch: record,
      auth: { apiKey: 'key-bob', header: 'X-Api-Key' },
      headers: { 'X-Trace': '7' },
    })
    const calls = [
      client,
      client.$with({ timeoutMs: 1000 }),
      client.$with({ auth: { bearer: 'ada' } }),
      client.$with({ headers: { 'X-More': '1' } }).$with({ auth: { bearer: 'ada' }, headers: { 'X-Trace': '8' } }),
      client.$with({ auth: { bearer: 'ada' } }).$with({ auth: { apiKey: 'key-eve', header: 'X-Other' } }),
      client.$with({ auth: undefined }),
      client.$with({ auth: undefined }).$with({ auth: { bearer: 'ada' } }),
      client.$with({ headers: { 'X-Api-Key': 'own' } }).$with({ auth: undefined }),
    ]
    for (const each of calls) await each.whoAmI().catch(() => undefined)
    const trace = { 'x-trace': '7' }
    expect(seen).toEqual([
      { ...trace, 'x-api-key': 'key-bob' },
      { ...trace, 'x-api-key': 'key-bob' },
      { ...trace, authorization: 'Bearer ada' },
      { 'x-trace': '8', 'x-more': '1', authorization: 'Bearer ada' },
      { ...trace, 'x-other': 'key-eve' },
      trace,
      { ...trace, authorization: 'Bearer ada' },
      { ...trace, 'x-api-key': 'own' },
    ])
  })
})

test.each([
  [{ scheme: 'digest' }, 'scheme is "digest", expected basic, bearer, apiKey, cookie'],
  [{ scheme: 'apiKey' }, 'header is undefined, expected the name of a header'],
  [{ scheme: 'apiKey', header: 'a b' }, 'header is "a b", expected the name of a header'],
  [{ scheme: 'cookie', cookie: '' }, 'cookie is "", expected the name of a cookie'],
  [{ scheme: 'basic', name: '' }, 'name is "", expected a text'],
  [{ scheme: 'basic', name: 5 }, 'name is 5, expected a text'],
  [{ scheme: 'cookie', cookie: 'session', description: {} }, 'description is an object, expected a text'],
  [{ scheme: 'bearer', header: 'x' }, 'unknown option "header"; the options are description, name, scheme'],
  [{ scheme: 'apiKey', header: 'x', cookie: 'y' }, 'unknown option "cookie"'],
  [{ rule: '' }, 'rule is "", expected the name of a predicate'],
  [{ rule: undefined }, 'rule is undefined, expected the name of a predicate'],
  [{ rule: 'inherited' }, 'rule is "inherited", expected the name of a predicate'],
  [{ rule: 'public' }, 'rule is "public", expected the name of a predicate'],
  [{ rule: "hasRole('admin')" }, `rule is "hasRole('admin')", expected the name of a predicate`],
  [{ rule: 'hasRole', args: [null] }, 'args has something other than strings'],
  [{ rule: 'hasRole', args: 'admin' }, 'args has something other than strings'],
  [{ rule: 'hasRole', scheme: 'bearer' }, 'unknown option "scheme"; the options are args, rule'],
  [undefined, 'scheme is undefined'],
])('defineAuth(%j) throws', (scheme, message) => {
  expect(() => defineAuth(scheme as never, () => true)).toThrow(`defineAuth: ${message}`)
  expect(() => defineAuth({ scheme: 'basic' }, undefined as never)).toThrow('defineAuth: the predicate is undefined')
})

describe('predicates that functions make', () => {
  const documentOf = async (server: RpcServer) => {
    const document = (await server.call('rpc.discover')) as OpenRpc
    return [document.methods[0]?.['x-security'], document['x-security-schemes']]
  }

  test('are described by the name and the arguments of `defineAuth`, as by `@auth`', async () => {
    const hasRole = (role: string) => defineAuth({ rule: 'hasRole', args: [role] }, () => true)
    const server = new RpcServer({ auth: isUser, introspection: { auth: 'public' }, docs: true })
    const auth = { all: ['inherited', [hasRole('admin'), function isBoss() {}]] } as const
    server.registerProcedure(() => 1, { name: 'purge', unchecked: true, auth: auth as never })
    expect(await documentOf(server)).toEqual([
      [[{ rule: 'isUser', scheme: 'isUser' }], [{ rule: 'hasRole', args: ['admin'] }, { rule: 'isBoss' }]],
      { isUser: { scheme: 'bearer', description: 'A token of your *profile*.' } },
    ])
    expect(await server.call('system.methodHelp', ['purge'])).toBe("Requires isUser, and hasRole('admin') or isBoss.")
    const page = await server.router().request('/', { headers: { Accept: 'text/html' } })
    expect(await page.text()).toMatch(/Requires isUser, and hasRole\((?:'|&#39;)admin(?:'|&#39;)\) or isBoss/)
  })

  test('may have a scheme as well, and predicates without a name have schemes of their own', async () => {
    const hasKey = (area: string) =>
      defineAuth(
        { rule: 'hasKey', args: [area] },
        defineAuth({ scheme: 'apiKey', header: 'X-Key' }, () => true),
      )
    const server = new RpcServer({
      auth: [hasKey('eu'), hasKey('us'), defineAuth({ scheme: 'basic' }, () => true)],
      introspection: { auth: 'public' },
    })
    server.registerProcedure(() => 1, { name: 'one', unchecked: true })
    expect(await documentOf(server)).toEqual([
      [
        [
          { rule: 'hasKey', args: ['eu'], scheme: 'hasKey' },
          { rule: 'hasKey', args: ['us'], scheme: 'hasKey' },
          { rule: 'a predicate without a name', scheme: 'basic' },
        ],
      ],
      { hasKey: { scheme: 'apiKey', header: 'X-Key' }, basic: { scheme: 'basic' } },
    ])
  })

  test('schemes that differ and have one name are an error of the description', async () => {
    const errors: unknown[] = []
    const server = new RpcServer({
      auth: [
        defineAuth({ scheme: 'bearer', name: 'callers' }, () => true),
        defineAuth({ scheme: 'basic', name: 'callers' }, () => true),
      ],
      introspection: { auth: 'public' },
      onError: (error) => void errors.push(error),
    })
    server.registerProcedure(() => 1, { name: 'one', unchecked: true })
    expect(await server.handle('{"jsonrpc":"2.0","method":"rpc.discover","id":1}')).toContain('-32603')
    expect(`${errors}`).toContain('TypeError: two schemes of callers have the name callers')
  })
})

describe('challenges by schemes', () => {
  const nobody = () => false
  const bearer = defineAuth({ scheme: 'bearer' }, () => false)
  const basic = defineAuth({ scheme: 'basic', name: 'stäff "1"' }, () => false)
  const apiKey = defineAuth({ scheme: 'apiKey', header: 'X-Api-Key' }, () => false)
  const cookie = defineAuth({ scheme: 'cookie', cookie: 'sid' }, () => false)
  const httpStatus = { httpStatus: true }

  test.each<[Auth, Compatibility, (number | string | null)[]]>([
    [bearer, httpStatus, [401, 'Bearer']],
    [basic, httpStatus, [401, 'Basic realm="st_ff _1_"']],
    [apiKey, httpStatus, [401, 'ApiKey header="X-Api-Key"']],
    [cookie, httpStatus, [401, 'Cookie name="sid"']],
    [[bearer, nobody, apiKey], httpStatus, [401, 'Bearer, ApiKey header="X-Api-Key"']],
    [{ all: [bearer, apiKey] }, httpStatus, [401, 'Bearer']],
    [{ all: [() => true, bearer] }, httpStatus, [403, null]],
    [nobody, httpStatus, [403, null]],
    [bearer, { httpStatus: true, authChallenge: 'Negotiate' }, [401, 'Negotiate']],
    [bearer, {}, [200, null]],
  ])('%#', async (auth, compatibility, expected) => {
    const server = new RpcServer({ auth, compatibility, onError: () => undefined })
    server.registerProcedure(() => 1, { name: 'one', unchecked: true })
    const app = new Hono().route('/rpc', server.router()).route('/mcp', mcp(server, { tools: 'all' }))
    const post = (path: string, body: string, type = 'application/json') =>
      app.request(path, {
        method: 'POST',
        headers: { 'Content-Type': type, Accept: 'application/json, text/event-stream' },
        body,
      })
    const shown = ({ status, headers }: Response) => [status, headers.get('www-authenticate')]
    for (const method of ['one', 'nothing', 'rpc.discover']) {
      expect(shown(await post('/rpc', `{"jsonrpc":"2.0","method":"${method}","id":1}`))).toEqual(expected)
    }
    const xml = '<methodCall><methodName>one</methodName></methodCall>'
    const isOwn = compatibility.authChallenge !== undefined
    expect(shown(await post('/rpc', xml, 'text/xml'))).toEqual(isOwn ? expected : [200, null])
    const described = shown(await app.request('/rpc/openrpc.json'))
    expect(described).toEqual(compatibility.httpStatus ? expected : [403, null])
    const tools = shown(await post('/mcp', '{"jsonrpc":"2.0","method":"tools/list","params":{},"id":1}'))
    if (tools[0] === 401) expect(tools[1]).toBe(expected[1] ?? 'Bearer')
    expect(tools[0]).toBe(expected[0] === 403 && auth !== nobody ? 403 : 401)
  })

  test('by the auth of the procedure, and not of what it calls', async () => {
    const server = new RpcServer({ auth: 'public', compatibility: httpStatus, onError: () => undefined })
    server.registerProcedure(() => 1, { name: 'keyed', unchecked: true, auth: apiKey })
    const fail = () => {
      throw new AuthenticationError()
    }
    server.registerProcedure(fail, { name: 'open', unchecked: true })
    const status = async (method: string) => {
      const body = `{"jsonrpc":"2.0","method":"${method}","id":1}`
      const response = await server
        .router()
        .request('/', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
      return [response.status, response.headers.get('www-authenticate')]
    }
    expect([await status('keyed'), await status('open')]).toEqual([
      [401, 'ApiKey header="X-Api-Key"'],
      [403, null],
    ])
  })
})
