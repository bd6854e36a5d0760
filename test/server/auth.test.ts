import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import {
  type Auth,
  AuthenticationError,
  type AuthPredicate,
  type AuthRule,
  ForbiddenError,
  oncePerRequest,
  RPCEntryPoint,
  type RpcContext,
  RpcError,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
  rpcApp,
  rpcMethod,
} from 'rpc-gen'
import { authRule, manifest, methodsModulesManifest, procedure, string } from 'rpc-gen/codegen/v1'
import { mcp } from 'rpc-gen/mcp'
import { nodeHandler } from 'rpc-gen/node'
import { openTelemetry } from 'rpc-gen/opentelemetry'
import { webSocket } from 'rpc-gen/websocket'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isRobot } from '../../fixtures/generate/auth-rules/auth.js'
import { procedures as rules } from '../../fixtures/generate/auth-rules/expected.gen.js'
import { all } from '../../fixtures/generate/auth-rules/source.js'
import { procedures } from '../../fixtures/server/procedures.gen.js'
import { effects, quick } from '../../fixtures/server/procedures.js'
import { withSettings } from '../../runtime/call/procedure.js'
import { runRpcGen } from '../support/command.js'
import { compile } from '../support/compiler.js'
import { generate } from '../support/generate.js'
import { call, type RpcResponse, send } from '../support/json-rpc.js'
import { root } from '../support/paths.js'
import { callXml } from '../support/requests.js'
import { run } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

beforeEach(() => void effects.splice(0))

function serverOf(options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, onError: () => undefined, ...options })
}

function post(server: RpcServer, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  return send(new Hono().all('/', server.view), body, headers)
}

async function responseOf(server: RpcServer, method: string, params?: unknown): Promise<RpcResponse> {
  return (await post(server, call(method, params))) as RpcResponse
}

const denied = { code: -32098, message: 'Authentication failed' }

describe('auth that is not a predicate throws at the call that has it', () => {
  const levels: [string, string, (auth: never) => unknown][] = [
    ['a generated procedure', 'procedure quick: ', (auth) => manifest({ quick: procedure(() => '', { auth }) })],
    ['RpcServer', 'RpcServer: ', (auth) => new RpcServer({ auth })],
    ['RpcNamespace', 'RpcNamespace: ', (auth) => new RpcNamespace({ auth })],
    ['registerProcedure', 'registerProcedure(quick): ', (auth) => new RpcServer().registerProcedure(quick, { auth })],
    [
      'registerProcedure with a name',
      'registerProcedure(fast): ',
      (auth) => new RpcNamespace().registerProcedure(quick, { name: 'fast', auth }),
    ],
    ['a decorator', 'registerProcedure(): ', (auth) => new RpcServer().registerProcedure({ auth })],
    ['rpcMethod', 'rpcMethod(quick): ', (auth) => rpcMethod(quick, { auth })],
    ['rpcApp', 'rpcApp: ', (auth) => rpcApp(methodsModulesManifest({}), { auth })],
  ]
  const list = 'a predicate, a list of predicates, { all } or '
  const values: [string, unknown, string][] = [
    ['undefined', undefined, `auth is undefined, expected ${list}'public'. A predicate that is undefined here`],
    ['null', null, `auth is null, expected ${list}`],
    ['false', false, `auth is false, expected ${list}'public': write 'public' to let everyone call`],
    ['true', true, `auth is true, expected ${list}`],
    ['a string', 'Public', `auth is "Public", expected ${list}`],
    ['an object', {}, `auth is an object, expected ${list}`],
    ['a list with undefined', [() => true, undefined], 'auth[1] is undefined, expected a predicate. A predicate that'],
    ['a list with a hole', Array(2), 'auth[0] is undefined, expected a predicate. A predicate that'],
    ['a list with false', [false], 'auth[0] is false, expected a predicate'],
    ['a list with public', ['public'], 'auth[0] is "public", expected a predicate'],
    ['a list in a list', [[() => true]], 'auth[0] is an array, expected a predicate'],
    ['no rules', { all: [] }, 'auth.all is empty, expected a rule or more'],
    ['rules that are not a list', { all: () => true }, 'auth.all is a function, expected a list of rules'],
    ['a rule that is undefined', { all: [() => true, undefined] }, 'auth.all[1] is undefined, expected a predicate'],
    ['rules with a hole', { all: Array(1) }, 'auth.all[0] is undefined, expected a predicate'],
    ['a list with undefined in rules', { all: [[undefined]] }, 'auth.all[0][0] is undefined, expected a predicate. A'],
    ['public among rules', { all: ['public'] }, 'auth.all[0] is "public", expected a predicate'],
    ['inherited as a later rule', { all: [() => true, 'inherited'] }, 'auth.all[1] is "inherited", expected'],
    ['another key beside the rules', { all: [() => true], any: [] }, 'auth.any is an array, expected no other key'],
  ]

  for (const [level, owner, make] of levels) {
    test.each(values)(`${level}: %s`, (_what, auth, message) => {
      expect(() => make(auth as never)).toThrow(TypeError)
      expect(() => make(auth as never)).toThrow(owner + message)
    })

    test.each([
      ['a predicate', () => true],
      ['a list', [() => true]],
      ['an empty list', []],
      ['public', 'public'],
      ['rules', { all: [() => true, [() => true]] }],
    ])(`${level}: %s is accepted`, (_what, auth) => {
      expect(() => make(auth as never)).not.toThrow()
    })
  }

  const twice = () => 'twice'
  test.each<[string, string, (options: never) => unknown]>([
    ['RpcServer', 'RpcServer', (options) => new RpcServer(options)],
    ['RpcNamespace', 'RpcNamespace', (options) => new RpcNamespace(options)],
    ['registerProcedure', 'registerProcedure(twice)', (options) => new RpcServer().registerProcedure(twice, options)],
    ['… of a namespace', 'registerProcedure(twice)', (options) => new RpcNamespace().registerProcedure(twice, options)],
    ['rpcMethod', 'rpcMethod(twice)', (options) => rpcMethod(twice, options)],
    ['rpcApp', 'rpcApp', (options) => rpcApp(methodsModulesManifest({}), options)],
  ])('%s: options that are not an object', (_what, owner, make) => {
    for (const [value, text] of [
      [
        undefined,
        'undefined, expected an object. Options that are undefined here come from a value that is not exported',
      ],
      [null, 'null, expected an object'],
      [() => true, 'a function, expected an object'],
    ] as const) {
      expect(() => make(value as never)).toThrow(TypeError)
      expect(() => make(value as never)).toThrow(`${owner}: the options are ${text}`)
    }
    expect(() => make({} as never)).not.toThrow()
  })

  test.each<[string, string, (options: never) => unknown]>([
    ['RpcServer', 'RpcServer', (options) => new RpcServer(options)],
    ['RpcNamespace', 'RpcNamespace', (options) => new RpcNamespace(options)],
    ['registerProcedure', 'registerProcedure(twice)', (options) => new RpcServer().registerProcedure(twice, options)],
    ['a decorator', 'registerProcedure()', (options) => new RpcServer().registerProcedure(options)],
    ['rpcMethod', 'rpcMethod(twice)', (options) => rpcMethod(twice, options)],
    ['rpcApp', 'rpcApp', (options) => rpcApp(methodsModulesManifest({}), options)],
    ['nodeHandler', 'nodeHandler', (options) => nodeHandler(new RpcServer(), options)],
    ['webSocket', 'webSocket', (options) => webSocket(new RpcServer(), options)],
    ['mcp', 'mcp', (options) => mcp(new RpcServer(), options)],
    ['openTelemetry', 'openTelemetry', (options) => openTelemetry(options)],
    ['router', 'RpcServer.router', (options) => new RpcServer().router(options)],
    ['docs', 'RpcServer.docs', (options: object) => new RpcServer().docs({ endpoint: '/rpc', ...options })],
    [
      'asView',
      'RPCEntryPoint.asView',
      (options) => {
        rpcApp(methodsModulesManifest({}))
        return RPCEntryPoint.asView(options)
      },
    ],
  ])('%s: an unknown option, such as a misspelt auth', (_what, owner, make) => {
    expect(() => make({ atuh: () => false } as never)).toThrow(TypeError)
    expect(() => make({ atuh: () => false } as never)).toThrow(`${owner}: unknown option "atuh"; the options are `)
    expect(() => make(JSON.parse('{ "__proto__": 1 }') as never)).toThrow('unknown option "__proto__"')
  })

  test('registerNamespace: one whose auth is undefined, and what is not a namespace', () => {
    const namespace = Object.assign(new RpcNamespace({ procedures }), { auth: undefined })
    for (const level of [new RpcServer(), new RpcNamespace()]) {
      for (const [each, message] of [
        [namespace, 'registerNamespace: auth is undefined, expected'],
        [
          { procedures, registrations: [] },
          'registerNamespace: expected an RpcNamespace, got an object; is it part of',
        ],
        [undefined, 'registerNamespace: expected an RpcNamespace, got undefined; is it part of an import cycle'],
      ] as const) {
        const register = () => level.registerNamespace(each as never)
        expect(register).toThrow(TypeError)
        expect(register).toThrow(message)
      }
    }
  })

  test('oncePerRequest', () => {
    expect(() => oncePerRequest(undefined as never)).toThrow(
      /^oncePerRequest: the predicate is undefined\. .* import cycle/,
    )
  })

  test('without the key the outer level decides', async () => {
    const server = serverOf({ procedures: {}, auth: [] })
    server.registerNamespace(new RpcNamespace({ procedures }))
    expect((await responseOf(server, 'quick', ['a'])).error).toEqual(denied)
  })

  test("'public' overrides the auth of the outer levels", async () => {
    const server = serverOf({ procedures: {}, auth: [] })
    server.registerNamespace(new RpcNamespace({ procedures, auth: 'public' }))
    expect((await responseOf(server, 'quick', ['a'])).result).toBe('a')
  })
})

describe('what a predicate returns', () => {
  const thenable = (value: unknown, result?: unknown) => ({
    // biome-ignore lint/suspicious/noThenProperty: such objects are what is tested
    then(resolve: (value: unknown) => void) {
      resolve(value)
      return result
    },
  })
  const thenableFunction = (value: unknown) => Object.assign(() => value, thenable(value))
  async function* generated() {
    yield true
  }

  test.each<[string, unknown]>([
    ['true', true],
    ['an object', { name: 'ada' }],
    ['a text', 'ada'],
    ['a promise', Promise.resolve({ name: 'ada' })],
    ['a promise of another library', thenable('ada')],
  ])('%s authorises', async (_what, value) => {
    expect((await responseOf(serverOf({ auth: () => value }), 'quick', ['a'])).result).toBe('a')
  })

  test.each<[string, unknown]>([
    ...[false, 0, '', null, undefined, Number.NaN].map((value): [string, unknown] => [`${value}`, value]),
    ['a promise of false', Promise.resolve(false)],
    ['a promise of another library, of false', thenable(false, true)],
  ])('%s does not authorise, and is not an error', async (_what, value) => {
    const reported: unknown[] = []
    const server = serverOf({ auth: () => value, onError: (error) => void reported.push(`${error}`) })
    expect((await responseOf(server, 'quick', ['a'])).error).toEqual(denied)
    expect(reported).toEqual(['AuthenticationError: Authentication failed'])
  })

  async function expectUnclear(auth: () => unknown, kind: string): Promise<void> {
    const reported: unknown[] = []
    const server = serverOf({ auth: [auth, () => true], onError: (error) => void reported.push(error) })
    expect((await responseOf(server, 'quick', ['a'])).error).toEqual(denied)
    expect(reported.map(String)).toEqual(['AuthenticationError: Authentication failed'])
    expect(String((reported[0] as Error).cause)).toContain(`returned ${kind}: return a falsy value to reject the call`)
    expect(effects).toEqual([])
  }

  test.each<[string, () => unknown, string]>([
    ['a Response', () => new Response('', { status: 401 }), 'a Response'],
    ['a Response of another class', () => ({ [Symbol.toStringTag]: 'Response', ok: false }), 'a Response'],
    ['a predicate that was not called', () => () => false, 'a function'],
    ['an Error', () => new Error('no'), 'an Error'],
    ['an RpcError', () => new AuthenticationError(), 'an Error'],
    ['a generator', generated, 'a generator'],
    ['an iterator', () => new Map().values(), 'an iterator'],
    ['an iterator of a list', () => [][Symbol.iterator](), 'an iterator'],
    ['an iterator of matches', () => ''.matchAll(/x/g), 'an iterator'],
    // Not the literal, which a linter rewrites.
    ['a false in an object', () => Object(false), 'an object of Boolean'],
    ['an empty text in an object', () => Object(''), 'an object of String'],
    ['a zero in an object', () => Object(0), 'an object of Number'],
  ])('%s never authorises, immediately or later: onError gets the reason', async (_what, make, kind) => {
    await expectUnclear(make, kind)
    await expectUnclear(async () => make(), kind)
    await expectUnclear(() => thenable(make(), true), kind)
  })

  test.each<[string, () => unknown, string]>([
    ['a function with a then, of false', () => thenableFunction(false), 'a function'],
    ['a function with a then, of true', () => thenableFunction(true), 'a function'],
    ['such a function in a promise', () => thenable(thenableFunction(true)), 'a function'],
    ['a promise in a promise', () => thenable(thenable(true)), 'a promise in a promise'],
  ])('%s never authorises: onError gets the reason', async (_what, make, kind) => {
    await expectUnclear(make, kind)
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'has a then that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: such objects are what is tested
        then() {
          throw new Error('down')
        },
      }),
    ],
    [
      'has a then that cannot be read',
      () =>
        Object.defineProperty({}, 'then', {
          get() {
            throw new Error('down')
          },
        }),
    ],
  ])('a predicate that %s rejects the call, and no other is called', async (_what, auth) => {
    const reported: unknown[] = []
    const server = serverOf({
      auth: [auth, () => true],
      onError: (error) => void reported.push(`${error} (${error.cause})`),
    })
    expect((await responseOf(server, 'quick', ['a'])).error).toEqual(denied)
    expect(reported).toEqual(['AuthenticationError: Authentication failed (Error: down)'])
  })
})

describe('who calls, and what the caller may do', () => {
  const forbidden = { code: -32099, message: 'Not allowed' }
  const isUser = (request: Request) => {
    const name = request.headers.get('x-user')
    return name !== null && { name, roles: (request.headers.get('x-roles') ?? '').split(',') }
  }
  const hasRole = (role: string) => (_request: Request, context: RpcContext<{ auth: typeof isUser }>) =>
    context.authResult.roles.includes(role)
  const asAda = { 'x-user': 'ada', 'x-roles': 'clerk' }
  const outcome = async (server: RpcServer, headers: Record<string, string> = {}, method = 'quick') => {
    const { result, error } = (await post(server, call(method, ['a']), headers)) as RpcResponse
    return error ?? result
  }

  test('the first rule decides who calls, the others what the caller may do', async () => {
    const reported: string[] = []
    const onError = (error: Error) => void reported.push(error.name)
    const server = serverOf({ auth: { all: [isUser, hasRole('clerk')] }, onError })
    expect(await outcome(server)).toEqual(denied)
    expect(await outcome(server, { 'x-user': 'ada', 'x-roles': 'guest' })).toEqual(forbidden)
    expect(await outcome(server, asAda)).toBe('a')
    expect(effects).toEqual(['a'])
    expect(reported).toEqual(['AuthenticationError', 'ForbiddenError'])
  })

  test('a list that is changed after it was passed authorises the same callers', async () => {
    const either: AuthPredicate[] = [isUser]
    const rules: [AuthRule, ...AuthRule[]] = [either, hasRole('clerk')]
    const registered = new RpcServer({ onError: () => undefined })
    registered.registerProcedure(quick, { name: 'quick', auth: { all: rules } })
    const servers = [serverOf({ auth: either }), serverOf({ auth: { all: rules } }), registered]
    either.push(() => true)
    rules.length = 0
    for (const server of servers) expect(await outcome(server)).toEqual(denied)
  })

  test('a rule is a predicate or a list of which one has to authorise; an empty list rejects', async () => {
    const either = [hasRole('admin'), hasRole('clerk')]
    expect(await outcome(serverOf({ auth: { all: [isUser, either] } }), asAda)).toBe('a')
    expect(await outcome(serverOf({ auth: { all: [isUser, ...either] as never } }), asAda)).toEqual(forbidden)
    expect(await outcome(serverOf({ auth: { all: [isUser, []] } }), asAda)).toEqual(forbidden)
  })

  test('the result of the first rule is context.authResult, whatever the others return', async () => {
    const seen: unknown[] = []
    const server = serverOf({ auth: { all: [isUser, () => 'another'] } })
    server.use((context, next) => next().finally(() => seen.push(context.authResult)))
    await outcome(server, asAda)
    expect(seen).toEqual([{ name: 'ada', roles: ['clerk'] }])
  })

  test("'inherited' adds rules to those of the outer level", async () => {
    const server = serverOf({ procedures: {}, auth: isUser })
    const clerks = new RpcNamespace({ procedures, auth: { all: ['inherited', hasRole('clerk')] } })
    clerks.registerProcedure(quick, { name: 'admin', auth: { all: ['inherited', hasRole('admin')] } })
    server.registerNamespace(clerks, 'clerks')
    expect(await outcome(server, {}, 'clerks.quick')).toEqual(denied)
    expect(await outcome(server, asAda, 'clerks.quick')).toBe('a')
    expect(await outcome(server, asAda, 'clerks.admin')).toEqual(forbidden)
    expect(await outcome(server, { 'x-user': 'ada', 'x-roles': 'admin' }, 'clerks.admin')).toEqual(forbidden)
    expect(await outcome(server, { 'x-user': 'ada', 'x-roles': 'admin,clerk' }, 'clerks.admin')).toBe('a')
  })

  test("'inherited' where no outer level decides who calls throws when the server is used", () => {
    const auth = { all: ['inherited' as const, hasRole('clerk')] as const }
    expect(() => new RpcServer({ auth })).toThrow("RpcServer: its auth is 'inherited', but what is around")
    const namespace = new RpcNamespace({ procedures, auth })
    const open = () => serverOf({ procedures: {} }).registerNamespace(namespace, 'shop').view
    expect(open).toThrow("the namespace shop: its auth is 'inherited', but what is around it has no auth")
    const isPublic = () => serverOf({ procedures: {}, auth: 'public' }).registerNamespace(namespace).view
    expect(isPublic).toThrow("what is around it has the auth 'public'")
  })

  test('an auth that would drop the rules of { all } around it is an error', async () => {
    const echo = (value: string) => value
    const own = (auth: Auth) =>
      manifest({ quick: procedure(echo, { params: { value: string }, returns: string, auth }) })
    const admins = (auth: Auth) =>
      new RpcNamespace({ procedures: own(auth), auth: { all: ['inherited', hasRole('admin')] } })
    const around = (namespace: RpcNamespace) =>
      serverOf({ procedures: {}, auth: isUser }).registerNamespace(namespace, 'admin')
    for (const auth of [isUser, [isUser], { all: [isUser, hasRole('clerk')] }] satisfies Auth[]) {
      expect(() => around(admins(auth)).view).toThrow(
        "the generated procedure quick: its auth drops the rules of { all } of the namespace admin: write 'inherited' first (@auth inherited)",
      )
    }
    // So are those of { all } without 'inherited', of a namespace and of the server.
    const both = { all: [isUser, hasRole('admin')] } as const
    const complete = new RpcNamespace({ procedures: own(isUser), auth: both })
    expect(() => around(complete).view).toThrow('quick: its auth drops the rules of { all } of the namespace admin')
    const ofServer = 'drops the rules of { all } of the server'
    expect(() => serverOf({ procedures: own(isUser), auth: both }).view).toThrow(`quick: its auth ${ofServer}`)
    const plain = new RpcNamespace({ procedures: own('public'), auth: [isUser] })
    const served = (namespace: RpcNamespace) =>
      serverOf({ procedures: {}, auth: both }).registerNamespace(namespace, 'admin')
    expect(() => served(plain).view).toThrow(`the namespace admin: its auth ${ofServer}`)
    const kept = served(new RpcNamespace({ procedures: own({ all: ['inherited'] }) }))
    expect(await outcome(kept, asAda, 'admin.quick')).toEqual(forbidden)
    const open = served(new RpcNamespace({ procedures: own('public'), auth: 'public' }))
    expect(await outcome(open, {}, 'admin.quick')).toBe('a')

    const inner = new RpcNamespace().registerNamespace(new RpcNamespace({ procedures: own(isUser) }), 'inner')
    const outer = new RpcNamespace({ auth: { all: ['inherited', hasRole('admin')] } }).registerNamespace(inner)
    expect(() => around(outer).view).toThrow('drops the rules of { all } of the namespace admin')

    // What is written on purpose: everyone may call, rules that are added, and rules that are passed where it is registered.
    expect(await outcome(around(admins('public')), {}, 'admin.quick')).toBe('a')
    const added = around(admins({ all: ['inherited', hasRole('clerk')] }))
    expect(await outcome(added, asAda, 'admin.quick')).toEqual(forbidden)
    // `all` has @auth isUser and @auth hasRole('clerk').
    const registered = (options?: { auth: Auth }) => {
      const namespace = new RpcNamespace({ auth: { all: ['inherited', hasRole('admin')] } })
      namespace.registerProcedure(all, { name: 'all', ...options })
      return around(namespace)
    }
    const replaced = 'function all in the namespace admin: its auth drops the rules'
    expect(() => registered().view).toThrow(replaced)
    expect(() => registered({ auth: { all: ['inherited', hasRole('boss')] } }).view).toThrow(replaced)
    const passed = registered({ auth: [isUser] })
    expect(((await post(passed, call('admin.all'), asAda)) as RpcResponse).error).toBeUndefined()
  })

  test('the caller gets an RpcError of a predicate as it is; no later predicate is called', async () => {
    const reported: unknown[] = []
    const error = new RpcError(403, 'You need the role admin', { data: { role: 'admin' } })
    const throwing = async (request: Request) => {
      if (request.headers.has('x-user')) throw error
    }
    const server = serverOf({ auth: [throwing, () => true], onError: (each) => void reported.push(each) })
    expect(await outcome(server, asAda)).toEqual({ code: 403, message: error.message, data: { role: 'admin' } })
    const rules = serverOf({
      auth: { all: [isUser, () => Promise.reject(new ForbiddenError('You need the role admin'))] },
    })
    expect(await outcome(rules, asAda)).toEqual({ ...forbidden, message: 'You need the role admin' })
    expect(reported).toEqual([error])
  })

  test('another error of a later rule is -32099, with the error as its cause', async () => {
    const reported: unknown[] = []
    const down = () => Promise.reject(new Error('down'))
    const onError = (error: Error) => void reported.push(`${error} (${error.cause})`)
    expect(await outcome(serverOf({ auth: { all: [isUser, down] }, onError }), asAda)).toEqual(forbidden)
    expect(reported).toEqual(['ForbiddenError: Not allowed (Error: down)'])
  })

  test('without onError, what a predicate threw is printed once per request, and a rejection is not', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    try {
      const down = async (request: Request) => {
        if (request.headers.has('x-user')) throw new Error('down')
      }
      const server = new RpcServer({ procedures, auth: down })
      await post(server, [call('quick', ['a'], 1), call('quick', ['a'], 2)])
      expect(print).not.toHaveBeenCalled()
      await post(server, [call('quick', ['a'], 1), call('quick', ['a'], 2)], asAda)
      expect(print).toHaveBeenCalledTimes(1)
      expect(print.mock.calls).toMatchObject([[{ name: 'AuthenticationError', cause: { message: 'down' } }]])
    } finally {
      print.mockRestore()
    }
  })

  test('several @auth tags, arguments and `inherited`, as they are generated', async () => {
    const server = new RpcServer({ procedures: rules, auth: isRobot })
    const codeOf = async (method: string, headers: Record<string, string>) =>
      ((await post(server, call(method), headers)) as RpcResponse).error?.code ?? 'ok'
    const codes = (method: string, ...all: Record<string, string>[]) =>
      Promise.all([{}, ...all].map((headers) => codeOf(method, headers)))
    const [user, robot] = [{ 'x-user': 'ada' }, { 'x-robot': '1' }]
    expect(await codes('all', user, robot)).toEqual([-32098, 'ok', -32098])
    expect(await codes('orders.list', user, robot)).toEqual([-32098, 'ok', -32098])
    expect(await codes('orders.prices.get', user, { ...user, ...robot })).toEqual([-32098, -32099, 'ok'])
    expect(await codes('orders.prices.set', { ...user, ...robot })).toEqual([-32098, -32099])
    expect(await codes('literals', user)).toEqual([-32098, -32099])
    expect(await codes('more', user, robot)).toEqual([-32098, -32098, 'ok'])
    expect(await codes('same', user, robot)).toEqual([-32098, -32098, 'ok'])
  })

  test('`@auth inherited` on a server without auth rejects every call, and onError gets the reason', async () => {
    const reported: unknown[] = []
    const server = serverOf({ procedures: rules, onError: (error) => void reported.push(`${error.cause}`) })
    const both = { 'x-user': 'ada', 'x-robot': '1' }
    expect([await outcome(server, both, 'more'), await outcome(server, both, 'same')]).toEqual([denied, denied])
    expect(reported).toEqual(
      ['more', 'same'].map((name) =>
        expect.stringContaining(
          `the generated procedure ${name}: its auth is 'inherited', but what is around it has no auth`,
        ),
      ),
    )
  })

  test('a factory that is undefined because of an import cycle fails when the module is loaded', () => {
    expect(() =>
      manifest({ quick: procedure(quick, { auth: authRule('hasRole', undefined as never, ['clerk']) }) }),
    ).toThrow('procedure quick: auth is undefined')
  })

  test('over XML-RPC, and for the OpenRPC document', async () => {
    const server = serverOf({ auth: { all: [isUser, hasRole('clerk')] }, compatibility: { authChallenge: 'Bearer' } })
    const app = new Hono().route('/rpc', server.router())
    const headers = { 'x-user': 'ada' }
    const body = callXml('quick', '<string>a</string>')
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'text/xml' }, body }
    expect(await (await app.request('/rpc', init)).text()).toContain('<int>-32099</int>')
    const get = async (sent: Record<string, string>) => {
      const response = await app.request('/rpc/openrpc.json', { headers: sent })
      return [response.status, response.headers.get('www-authenticate')]
    }
    expect([await get({}), await get(headers), await get(asAda)]).toEqual([
      [401, 'Bearer'],
      [403, null],
      [200, null],
    ])
  })
})

describe('how often a predicate is called', () => {
  const batch = Array.from({ length: 20 }, (_each, id) => call('quick', ['a'], id))
  const entry = `<value><struct><member><name>methodName</name><value>quick</value></member><member><name>params</name>
    <value><array><data><value>a</value></data></array></value></member></struct></value>`
  const multicall = `<methodCall><methodName>system.multicall</methodName><params><param><value><array><data>
    ${entry.repeat(20)}</data></array></value></param></params></methodCall>`

  /** Sends a batch or a multicall of 20 entries; returns how many gave a result. */
  async function results(server: RpcServer, xml: boolean, concurrent: boolean): Promise<number> {
    const app = new Hono().all('/', concurrent ? server.asyncView : server.view)
    const body = xml ? multicall : JSON.stringify(batch)
    const headers = { 'Content-Type': xml ? 'text/xml' : 'application/json' }
    const text = await (await app.request('/', { method: 'POST', headers, body })).text()
    return text.split(xml ? '<string>a</string>' : '"result":"a"').length - 1
  }

  const ways = [false, true].flatMap((xml) => [false, true].map((concurrent): [boolean, boolean] => [xml, concurrent]))

  test.each(ways)('with one parameter: once for all entries (XML %s, concurrent %s)', async (xml, concurrent) => {
    for (const value of [true, false, undefined, 0]) {
      let called = 0
      const sync = (_request: Request) => {
        called += 1
        return value
      }
      const async = async (request: Request) => sync(request)
      for (const auth of [sync, async]) {
        called = 0
        expect(await results(serverOf({ auth }), xml, concurrent)).toBe(value ? 20 : 0)
        expect(called).toBe(1)
      }
    }
  })

  test.each(ways)('with two: for each call, with the call (XML %s, concurrent %s)', async (xml, concurrent) => {
    const called: unknown[] = []
    const auth = (_request: Request, context: RpcContext) => called.push(context.procedure?.name)
    expect(await results(serverOf({ auth }), xml, concurrent)).toBe(20)
    expect(called.filter((name) => name === 'quick').length).toBe(20)
  })

  test('with one parameter it gets the request only', async () => {
    const given: number[] = []
    const auth = (_request: Request, ...rest: unknown[]) => given.push(rest.length)
    await responseOf(serverOf({ auth }), 'quick', ['a'])
    expect(given).toEqual([0])
  })

  test.each(ways)(
    'with a default for the context: the request only, once for all entries (XML %s, concurrent %s)',
    async (xml, concurrent) => {
      const given: unknown[] = []
      const auth = (_request: Request, context: object = {}) => given.push(context)
      expect(await results(serverOf({ auth }), xml, concurrent)).toBe(20)
      expect(given).toEqual([{}])
    },
  )

  test('called again for another request, and for another server.call with the same request', async () => {
    let called = 0
    const server = serverOf({ auth: (request) => request.headers.has('x-user') && ++called })
    await post(server, call('quick', ['a']), { 'x-user': 'ada' })
    await post(server, call('quick', ['a']), { 'x-user': 'ada' })
    expect(called).toBe(2)
    const request = new Request('http://localhost/', { headers: { 'x-user': 'ada' } })
    await server.call('quick', ['a'], { request })
    await server.call('quick', ['a'], { request })
    expect(called).toBe(4)
  })

  test('oncePerRequest: once for a Request, also by several predicates and calls', async () => {
    let called = 0
    const userOf = oncePerRequest(async (request: Request) => {
      called += 1
      return { name: request.headers.get('x-user') }
    })
    const isAda = async (request: Request, _context: RpcContext) => (await userOf(request)).name === 'ada'
    const isBob = async (request: Request) => (await userOf(request)).name === 'bob'
    const server = serverOf({ auth: [isAda, isBob] })
    const request = new Request('http://localhost/', { headers: { 'x-user': 'bob' } })
    for (const _each of [1, 2]) expect(await server.call('quick', ['a'], { request })).toBe('a')
    expect(called).toBe(1)
    await post(server, batch, { 'x-user': 'ada' })
    expect(called).toBe(2)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('oncePerRequest: a function that %s is not called again', async (_what, fail) => {
    let called = 0
    const userOf = oncePerRequest((_request: Request): unknown => {
      called += 1
      return fail()
    })
    const request = new Request('http://localhost/')
    for (const _each of [1, 2]) await expect((async () => userOf(request))()).rejects.toThrow('down')
    expect(called).toBe(1)
  })

  test.each<[string, AuthPredicate]>([
    [
      'one parameter',
      (_request) => {
        throw new Error('down')
      },
    ],
    [
      'one parameter, async',
      async (_request) => {
        throw new Error('down')
      },
    ],
    [
      'two parameters',
      (_request, _context) => {
        throw new Error('down')
      },
    ],
    [
      'two parameters, async',
      async (_request, _context) => {
        throw new Error('down')
      },
    ],
  ])(
    'a predicate that fails, with %s: onError gets each rejected call once, with the error as its cause',
    async (_what, auth) => {
      for (const concurrent of [false, true]) {
        const reported: Error[] = []
        const server = serverOf({ auth, onError: (error) => void reported.push(error) })
        expect(await results(server, false, concurrent)).toBe(0)
        expect(reported.length).toBe(20)
        expect(new Set(reported.map((error) => `${error} (${error.cause})`))).toEqual(
          new Set(['AuthenticationError: Authentication failed (Error: down)']),
        )
      }
    },
  )
})

describe('where the server has auth, names cannot be enumerated', () => {
  const isKnown = (request: Request) => request.headers.has('x-user')
  const xmlOnly = withSettings(procedures.slow, { name: 'xmlOnly', protocols: ['xml-rpc'] })
  const jsonOnly = withSettings(procedures.slow, { name: 'jsonOnly', protocols: ['json-rpc'] })
  const own = withSettings(procedures.slow, { name: 'own', auth: [] })
  const server = serverOf({ procedures: { ...procedures, xmlOnly, jsonOnly, own }, auth: isKnown })
  const names = ['quick', 'xmlOnly', 'jsonOnly', 'own', 'nothing', '__proto__', 'constructor', 'quick ', 'system.quick']
  const reserved = ['system.listMethods', 'system.methodHelp', 'system.multicall', 'rpc.discover', 'rpc.quick']

  async function send(type: string, body: string, headers: Record<string, string>): Promise<string> {
    const init = { method: 'POST', headers: { 'Content-Type': type, ...headers }, body }
    return (await new Hono().all('/', server.view).request('/', init)).text()
  }
  const json = (name: string) => JSON.stringify(call(name, ['wrong', 'params', 'too']))
  const xml = (name: string) => callXml(name, 'x')
  const multicall = (
    name: string,
  ) => `<methodCall><methodName>system.multicall</methodName><params><param><value><array><data><value>
    <struct><member><name>methodName</name><value>${name}</value></member><member><name>params</name><value><array><data/></array>
    </value></member></struct></value></data></array></value></param></params></methodCall>`

  test.each<[string, string, (name: string) => string]>([
    ['JSON-RPC', 'application/json', json],
    ['a batch', 'application/json', (name) => `[${json(name)}]`],
    ['XML-RPC', 'text/xml', xml],
    ['a multicall', 'text/xml', multicall],
  ])('%s', async (_what, type, body) => {
    const responses = await Promise.all([...names, ...reserved].map((name) => send(type, body(name), {})))
    expect([...new Set(responses)].length).toBe(1)
    expect(responses[0]).toContain('-32098')
  })

  test('authorised callers learn that a name is unknown', async () => {
    const known = { 'x-user': 'ada' }
    for (const name of ['nothing', 'xmlOnly', '__proto__', 'system.quick', 'rpc.quick']) {
      expect(await send('application/json', json(name), known)).toContain('-32601')
    }
    for (const name of ['nothing', 'jsonOnly']) expect(await send('text/xml', xml(name), known)).toContain('-32601')
  })

  test('without auth at the server an unknown name is -32601 for everyone', async () => {
    const open = serverOf({ procedures: {} }).registerNamespace(new RpcNamespace({ procedures, auth: [] }))
    expect((await responseOf(open, 'nothing')).error?.code).toBe(-32601)
    expect((await responseOf(open, 'quick', ['a'])).error).toEqual(denied)
  })

  test('predicates with two parameters get a context without a procedure', async () => {
    const called: unknown[] = []
    const auth = (_request: Request, context: RpcContext) => called.push(context.procedure)
    expect((await responseOf(serverOf({ auth }), 'nothing')).error?.code).toBe(-32601)
    expect(called).toEqual([undefined])
  })
})

describe('a predicate in an import cycle: loading the compiled module fails', () => {
  const folder = temporaryFolder('auth')
  const files = {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2023', 'dom'],
        module: 'nodenext',
        strict: true,
        rootDir: 'src',
        outDir: 'dist',
      },
    }),
    'src/auth.ts': `import { server } from './rpc.gen.js'
      export var isStaff = async (request: Request): Promise<boolean> =>
        (await server.call('isStaffToken', [request.headers.get('authorization') ?? ''])) === true
    `,
    'src/procedures/staff.ts': `import { isStaff } from '../auth.js'
      /**
       * @rpc
       * @auth {@link isStaff}
       */
      export function wipe(): string {
        return 'WIPED'
      }
      /**
       * @rpc
       * @auth public
       */
      export function isStaffToken(token: string): boolean {
        return token === 'Bearer staff'
      }
    `,
    'src/main.ts': `import './auth.js'
      import { router } from './rpc.gen.js'
      const init = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'wipe', id: 1 }),
      }
      Promise.resolve(router.request('/', init)).then(async (response) => console.log(await response.text()))
    `,
  }

  test.each(['commonjs', 'module'])('%s', async (type) => {
    const own = join(folder, type)
    for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify({ type }) })) {
      mkdirSync(dirname(join(own, path)), { recursive: true })
      writeFileSync(join(own, path), text)
    }
    mkdirSync(join(own, 'node_modules'))
    symlinkSync(join(root, 'node_modules/hono'), join(own, 'node_modules/hono'))
    symlinkSync(root, join(own, 'node_modules/rpc-gen'))
    expect(await runRpcGen(own, 'src/procedures', '--require-auth')).toMatchObject({ status: 0 })
    expect(compile(own)).toEqual([])
    const { status, output } = await run(own, process.execPath, 'dist/main.js')
    expect(output).not.toContain('WIPED')
    expect(output).toMatch(/TypeError: procedure wipe: auth is undefined, expected .* import cycle/)
    expect(status).toBe(1)
  })
})

test('a predicate accepts a Request with type parameters, as Workers declare it', async () => {
  const cwd = temporaryFolder('generic-request')
  const compilerOptions = { module: 'nodenext', lib: ['ES2023'], types: [], strict: true }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  writeFileSync(join(cwd, 'globals.d.ts'), 'interface Request<Host = unknown> { url: string; host?: Host }\n')
  writeFileSync(
    join(cwd, 'source.ts'),
    `export const isLocal = (request: Request) => request.url.startsWith('/')
export const isEven = (count: number) => count % 2 === 0
/**
 * @auth isLocal
 * @rpc
 */
export function local(): void {}
/**
 * @auth isEven
 * @rpc
 */
export function even(): void {}
`,
  )
  const { diagnostics } = await generate({ cwd, paths: ['source.ts'] })
  expect(diagnostics.map(({ code, position }) => [code, position?.line])).toEqual([['RPC140', 9]])
})
