import { Hono } from 'hono'
import { defineAuth, extractBearerToken, type OpenRpc, type RpcContext, RpcNamespace, RpcServer } from 'rpc-gen'
import { type ClientAuth, createClient, xmlRpc } from 'rpc-gen/client'
import { mcp } from 'rpc-gen/mcp'
import { describe, expect, test } from 'vitest'
import { procedures as schemes } from '../fixtures/generate/auth-schemes/expected.gen.js'

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
    [{ apiKey: 'key', header: 'X-Api-Key' }, 'key'],
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
  ])('a secret that is missing is an error, and nothing is sent: %j', async (auth) => {
    sent.length = 0
    const client = createClient<Api>('http://localhost/rpc', { fetch, auth: auth as ClientAuth })
    await expect(client.whoAmI()).rejects.toThrow('auth has no secret')
    expect(sent).toEqual([])
  })

  test('identifies the caller; `$with` replaces it, and so do headers', async () => {
    const client = createClient<Api>('http://localhost/rpc', { fetch, auth: { bearer: 'ada' } })
    expect(await client.whoAmI()).toBe('ada')
    expect(await client.$with({ auth: { bearer: 'bob' } }).whoAmI()).toBe('bob')
    expect(await client.$with({ headers: { Authorization: 'Bearer eve' } }).whoAmI()).toBe('eve')
  })
})

test.each([
  [{ scheme: 'digest' }, 'scheme is "digest", expected basic, bearer, apiKey, cookie'],
  [{ scheme: 'apiKey' }, 'header is undefined, expected the name of a header'],
  [{ scheme: 'apiKey', header: 'a b' }, 'header is "a b", expected the name of a header'],
  [{ scheme: 'cookie', cookie: '' }, 'cookie is "", expected the name of a cookie'],
  [undefined, 'scheme is undefined'],
])('defineAuth(%j) throws', (scheme, message) => {
  expect(() => defineAuth(scheme as never, () => true)).toThrow(`defineAuth: ${message}`)
  expect(() => defineAuth({ scheme: 'basic' }, undefined as never)).toThrow('defineAuth: the predicate is undefined')
})
