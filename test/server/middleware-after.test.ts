import { AsyncLocalStorage } from 'node:async_hooks'
import { Hono } from 'hono'
import {
  type Auth,
  type Middleware,
  type Next,
  type NextResult,
  type RpcContext,
  RpcError,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
} from 'rpc-gen'
import { manifest, procedure, string } from 'rpc-gen/codegen/v1'
import type { WebSocketOptions } from 'rpc-gen/websocket'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { procedures } from '../../fixtures/server/procedures.gen.js'
import { call, postJson } from '../support/json-rpc.js'
import { callXml } from '../support/requests.js'
import { type Peer, serveWebSocket } from '../websocket/serving.js'

interface User {
  readonly name: string
}

const isUser = (request: Request): User | false => {
  const name = request.headers.get('x-user')
  return name !== null && { name }
}
const asAda = { 'x-user': 'ada' }

/** Adds the tenant of the caller. */
async function withTenant(
  context: RpcContext<{ auth: typeof isUser }>,
  next: Next,
): Promise<NextResult<{ tenant: string }>> {
  return next({ tenant: `${context.authResult.name} Ltd` })
}

/** Adds a client of the database, inferred, and commits. */
const withClient = (async (_context, next) => {
  const result = await next({ client: { queries: ['BEGIN'] } })
  return result
}) satisfies Middleware

const silent = () => undefined

function serverOf(options: RpcServerOptions = {}): RpcServer {
  return new RpcServer({ procedures, auth: isUser, onError: silent, ...options })
}

async function post(server: RpcServer, message: unknown, headers: Record<string, string> = asAda): Promise<unknown> {
  return (await new Hono().route('/rpc', server.router()).request('/rpc', postJson(message, headers))).json()
}

/** Logs the names of the calls that it runs around, and how they end. */
function logging(log: string[], label: string): Middleware {
  return async ({ method }, next) => {
    log.push(`${label} ${method}`)
    try {
      return await next()
    } catch (error) {
      log.push(`${label} ${method} failed ${error instanceof RpcError ? error.code : String(error)}`)
      throw error
    }
  }
}

describe('which calls run it', () => {
  function logged() {
    const log: string[] = []
    const server = serverOf()
      .use(logging(log, 'validation'), { after: 'validation' })
      .use(logging(log, 'auth'), { after: 'auth' })
      .use(logging(log, 'around'), {})
    return { log, server }
  }

  test('after auth inside of what is around, after validation inside of both, whatever the order of `use`', async () => {
    const { log, server } = logged()
    expect(await post(server, call('quick', ['a']))).toMatchObject({ result: 'a' })
    expect(log).toEqual(['around quick', 'auth quick', 'validation quick'])
  })

  test('neither an unknown name nor a rejected caller reaches it; invalid params are what after validation does not see', async () => {
    const { log, server } = logged()
    await post(server, call('nothing'))
    await post(server, call('quick', ['a']), {})
    expect(log).toEqual([
      'around nothing',
      'around nothing failed -32601',
      'around quick',
      'around quick failed -32098',
    ])
    log.length = 0
    await post(server, call('quick', [1]))
    expect(log).toEqual(['around quick', 'auth quick', 'auth quick failed -32602', 'around quick failed -32602'])
  })

  test('1,000 anonymous calls in a batch open no transaction', async () => {
    let transactions = 0
    const server = serverOf({ limits: { batch: 1000 } }).use(
      async (_context, next) => {
        transactions += 1
        return next()
      },
      { after: 'auth' },
    )
    const batch = Array.from({ length: 1000 }, (_, id) => call('quick', ['a'], id))
    const codes = (replies: unknown) =>
      new Set((replies as { error?: { code: number } }[]).map(({ error }) => error?.code))
    expect(codes(await post(server, batch, {}))).toEqual(new Set([-32098]))
    expect(transactions).toBe(0)
    expect(codes(await post(server, batch))).toEqual(new Set([undefined]))
    expect(transactions).toBe(1000)
  })

  test('entries of a multicall; not the procedures of the server itself', async () => {
    const { log, server } = logged()
    const app = new Hono().route('/rpc', server.router())
    const entry =
      '<struct><member><name>methodName</name><value>quick</value></member><member><name>params</name><value><array><data><value>a</value></data></array></value></member></struct>'
    const body = callXml('system.multicall', `<array><data><value>${entry}</value></data></array>`)
    const response = await app.request('/rpc', {
      method: 'POST',
      headers: { ...asAda, 'Content-Type': 'text/xml' },
      body,
    })
    expect(await response.text()).toContain('<string>a</string>')
    await post(server, call('system.listMethods'))
    expect(log).toEqual([
      'around system.multicall',
      'around quick',
      'auth quick',
      'validation quick',
      'around system.listMethods',
    ])
  })

  test('of a namespace inside of that of its server, for its calls only', async () => {
    const log: string[] = []
    const shop = new RpcNamespace({ procedures }).use(logging(log, 'shop'), { after: 'auth' })
    const server = serverOf().registerNamespace(shop, 'shop').use(logging(log, 'server'), { after: 'auth' })
    await post(server, [call('shop.quick', ['a'], 1), call('quick', ['a'], 2)])
    expect(log.sort()).toEqual(['server quick', 'server shop.quick', 'shop shop.quick'])
  })

  test('`server.call` and `server.handle`, and from the next request on if the server is in use', async () => {
    const log: string[] = []
    const server = new RpcServer({ procedures })
    await server.call('quick', ['a'])
    server.use(logging(log, 'auth'), { after: 'auth' })
    await server.call('quick', ['a'])
    await server.handle(JSON.stringify(call('quick', ['a'])))
    expect(log).toEqual(['auth quick', 'auth quick'])
  })
})

describe('the result', () => {
  test('is what it returns, which has to match the declared type', async () => {
    const changing = (value: unknown) =>
      serverOf().use((_context, next) => next().then(() => value), { after: 'validation' })
    expect(await post(changing('b'), call('quick', ['a']))).toMatchObject({ result: 'b' })
    expect(await post(changing(1), call('quick', ['a']))).toMatchObject({ error: { code: -32603 } })
  })

  test('of the wrong type is an error to it, so that it rolls back', async () => {
    const log: string[] = []
    const wrong = manifest({ wrong: procedure(() => 1, { returns: string }) })
    const server = serverOf({ procedures: wrong }).use(logging(log, 'auth'), { after: 'auth' })
    await post(server, call('wrong'))
    expect(log[1]).toContain('auth wrong failed TypeError')
  })

  test('of a call that has timed out is an error to it, when its procedure ends', async () => {
    const log: string[] = []
    const server = new RpcServer({ limits: { timeoutMs: 20 }, onError: silent })
    const slow = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 60, 'late')))
    server.registerProcedure(slow, { name: 'slow', unchecked: true })
    server.use(logging(log, 'auth'), { after: 'auth' })
    await expect(server.call('slow')).rejects.toMatchObject({ code: -32096 })
    await expect.poll(() => log).toEqual(['auth slow', 'auth slow failed -32096'])
    server.use(
      async (_context, next) => {
        await new Promise((resolve) => setTimeout(resolve, 60))
        return next()
      },
      { after: 'auth' },
    )
    await expect(server.call('slow')).rejects.toMatchObject({ code: -32096 })
    await expect.poll(() => log.length).toBe(4)
    expect(slow).toHaveBeenCalledTimes(1)
  })
})

describe('next({ … }) adds to context.state', () => {
  test('what the procedure and inner middleware get, with types', async () => {
    const seen: unknown[] = []
    const server = serverOf()
    server.registerProcedure(
      (context: RpcContext<{ auth: typeof isUser; use: [typeof withTenant, typeof withClient] }>) => {
        const { tenant, client } = context.state
        client.queries.push(tenant.toUpperCase())
        return client.queries
      },
      { name: 'state', unchecked: true, contextTarget: 0 },
    )
    server.use((context, next) => next().finally(() => seen.push(context.state)))
    server.use(withTenant, { after: 'auth' }).use(withClient, { after: 'validation' })
    expect(await post(server, call('state'))).toMatchObject({ result: ['BEGIN', 'ADA LTD'] })
    expect(seen).toEqual([{ tenant: 'ada Ltd', client: { queries: ['BEGIN', 'ADA LTD'] } }])
  })

  test('for callers that a predicate authorises, beside a public procedure', async () => {
    const withPlan = (async (
      { authResult }: RpcContext<{ auth: [typeof isUser, 'public'] }>,
      next,
    ): Promise<NextResult<{ plan?: string }>> =>
      authResult ? next({ plan: `plan of ${authResult.name}` }) : next({})) satisfies Middleware
    const planOf = (context: RpcContext<{ use: typeof withPlan }>) => context.state.plan?.toUpperCase() ?? 'none'
    const server = serverOf({ procedures: {} }).use(withPlan, { after: 'auth' })
    const options = { unchecked: true, contextTarget: 0 }
    server.registerProcedure(planOf, { ...options, name: 'own' })
    server.registerProcedure(planOf, { ...options, name: 'open', auth: 'public' })
    expect(await post(server, [call('own', [], 1), call('open', [], 2)])).toMatchObject([
      { result: 'PLAN OF ADA' },
      { result: 'none' },
    ])
  })

  test('of one call only', async () => {
    const server = new RpcServer()
    const state = (context: RpcContext) => context.state
    server.registerProcedure(state, { name: 'state', unchecked: true, contextTarget: 0 })
    server.use((context, next) => ((context.params as unknown[]).length > 0 ? next({ given: context.params }) : next()))
    expect(await server.call('state', [1])).toEqual({ given: [1] })
    expect(await server.call('state')).toEqual({})
  })

  test.each([[1], ['a'], [null]])('next(%j) throws', async (value) => {
    const server = serverOf().use((_context, next) => next(value as never), { after: 'auth' })
    await expect(server.call('quick', ['a'])).rejects.toMatchObject({
      cause: { message: expect.stringContaining('expected an object') },
    })
  })
})

describe('subscriptions', () => {
  const storage = new AsyncLocalStorage<string>()

  async function connect(
    middleware: Middleware,
    after?: 'auth' | 'validation',
    ended: unknown[] = [],
    options: RpcServerOptions = {},
    webSocketOptions: WebSocketOptions = {},
  ): Promise<Peer> {
    async function* ticks(what: string, { signal }: RpcContext): AsyncGenerator<string> {
      try {
        yield `${what} ${storage.getStore()}`
        await Promise.resolve()
        yield `${what} ${storage.getStore()}`
        if (what === 'error') throw new RpcError(7, 'failed')
        if (what === 'hang')
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        if (what === 'yield') while (true) yield what
      } finally {
        ended.push(`${what} ended in ${storage.getStore()}`)
      }
    }
    const server = new RpcServer({ onError: silent, ...options })
    server.registerProcedure(ticks, { unchecked: true, subscription: true, contextTarget: 1 })
    server.use(middleware, ...(after ? [{ after }] : []))
    const serving = await serveWebSocket(server, webSocketOptions)
    onTestFinished(() => serving.stop())
    return serving.connect()
  }

  async function itemsOf(peer: Peer, count: number): Promise<unknown[]> {
    const found: unknown[] = []
    for (let i = 0; i < count; i += 1) found.push(((await peer.next()) as { params: object }).params)
    return found.map((each) => Object.values(each as object)[1])
  }

  /** Logs when it begins and ends. */
  const around = (log: unknown[]): Middleware => {
    return (_context, next) =>
      storage.run('store', async () => {
        log.push('begin')
        try {
          const result = await next()
          log.push('commit')
          return result
        } catch (error) {
          log.push(`rollback ${(error as Error).message}`)
          throw error
        }
      })
  }

  test.each([undefined, 'auth', 'validation'] as const)(
    'their bodies have the AsyncLocalStorage of middleware: after %s',
    async (after) => {
      const ended: unknown[] = []
      const peer = await connect((_context, next) => storage.run('store', next), after, ended)
      peer.call(1, 'ticks', 'a')
      expect(await peer.next()).toMatchObject({ result: expect.any(String) })
      expect(await itemsOf(peer, 3)).toEqual(['a store', 'a store', true])
      peer.call(2, 'ticks', 'yield')
      const { result } = (await peer.next()) as { result: string }
      peer.call(3, 'rpc.unsubscribe', result)
      await expect.poll(() => ended).toEqual(['a ended in store', 'yield ended in store'])
    },
  )

  test.each(['auth', 'validation'] as const)('after %s it is around their items', async (after) => {
    const log: unknown[] = []
    const peer = await connect(around(log), after, log)
    peer.call(1, 'ticks', 'a')
    await peer.next()
    expect(await itemsOf(peer, 3)).toEqual(['a store', 'a store', true])
    expect(log).toEqual(['begin', 'a ended in store', 'commit'])
    log.length = 0
    peer.call(2, 'ticks', 'error')
    await peer.next()
    expect((await itemsOf(peer, 3))[2]).toEqual({ code: 7, message: 'failed' })
    expect(log).toEqual(['begin', 'error ended in store', 'rollback failed'])
  })

  test.each(['hang', 'yield'])('it ends when the client unsubscribes, or is gone: %s', async (what) => {
    const log: unknown[] = []
    const peer = await connect(around(log), 'auth', log)
    peer.call(1, 'ticks', what)
    const { result } = (await peer.next()) as { result: string }
    peer.call(2, 'rpc.unsubscribe', result)
    await expect.poll(() => log).toHaveLength(3)
    expect(log.slice(0, 2)).toEqual(['begin', `${what} ended in store`])
    log.length = 0
    peer.call(3, 'ticks', what)
    await peer.next()
    peer.socket.terminate()
    await expect.poll(() => log).toHaveLength(3)
    expect(log.slice(0, 2)).toEqual(['begin', `${what} ended in store`])
  })

  test.each([
    ['hang', 'auth', -32098],
    ['yield', 'validation', -32098],
    ['hang', 'validation', -32099],
    ['yield', 'auth', -32099],
  ] as const)(
    'whose caller loses the right to them (%s, after %s) rejects with the error of the client: %i',
    async (what, after, code) => {
      const log: unknown[] = []
      const onError = vi.fn()
      let isAllowed = true
      const rule = () => isAllowed
      const auth: Auth = code === -32098 ? rule : { all: [() => true, rule] }
      const peer = await connect(around(log), after, log, { auth, onError }, { reauthorizeMs: 10 })
      peer.call(1, 'ticks', what)
      await peer.next()
      isAllowed = false
      const error = () => peer.received.find((each) => JSON.stringify(each).includes('"error"'))
      await expect.poll(error).toMatchObject({ params: { error: { code } } })
      const message = code === -32098 ? 'Authentication failed' : 'Not allowed'
      await expect.poll(() => log).toEqual(['begin', `${what} ended in store`, `rollback ${message}`])
      expect(onError).toHaveBeenCalledTimes(1)
    },
  )

  test('a call whose items cannot be sent does not reach it, whatever its parameters', async () => {
    const log: string[] = []
    const server = new RpcServer({ onError: silent })
    async function* ticks() {
      yield 1
    }
    server.registerProcedure(ticks, { unchecked: true, subscription: true })
    server.use(logging(log, 'auth'), { after: 'auth' }).use(logging(log, 'validation'), { after: 'validation' })
    const ticking = call('ticks', [1])
    const code = async (response: Promise<unknown>) => ((await response) as { error: { code: number } }).error.code
    expect(await code(post(server, ticking))).toBe(-32601)
    const batch = (await post(server, [ticking, ticking], { accept: 'text/event-stream' })) as object[]
    expect(batch).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }])
    const app = server.router()
    const accept = { accept: 'text/event-stream' }
    await app.request('/', postJson({ jsonrpc: '2.0', method: 'ticks' }, accept))
    expect(
      await (
        await app.request('/', {
          method: 'POST',
          headers: { 'Content-Type': 'text/xml', ...accept, ...asAda },
          body: callXml('ticks'),
        })
      ).text(),
    ).toContain('-32601')
    await expect(server.call('ticks', [])).rejects.toMatchObject({ code: -32601 })
    await server.handle(JSON.stringify(ticking))
    expect(log).toEqual([])
    expect(await (await app.request('/', postJson(ticking, accept))).text()).toContain('"result":1')
    expect(log).toEqual(['auth ticks', 'validation ticks'])
  })

  test('an error before the first item is that of the call, and one after the last item that of the subscription', async () => {
    const peer = await connect(async ({ params }, next) => {
      const [what] = params as [string]
      if (what === 'early') throw new RpcError(1, 'early')
      if (what === 'none') return 1
      await next()
      throw new RpcError(2, 'late')
    }, 'auth')
    peer.call(1, 'ticks', 'early')
    expect(await peer.next()).toMatchObject({ error: { code: 1 } })
    peer.call(2, 'ticks', 'none')
    expect(await peer.next()).toMatchObject({ error: { code: -32603 } })
    peer.call(3, 'ticks', 'late')
    expect(await peer.next()).toMatchObject({ result: expect.any(String) })
    expect((await itemsOf(peer, 3))[2]).toEqual({ code: 2, message: 'late' })
  })
})

test.each([
  [undefined, 'the options are undefined, expected an object'],
  [{ before: 'auth' }, 'unknown option "before"; the options are after'],
  [{ after: undefined }, "after is undefined, expected 'auth' or 'validation'"],
  [{ after: 'call' }, `after is "call", expected 'auth' or 'validation'`],
])('use(middleware, %j) throws', (options, message) => {
  const middleware: Middleware = (_context, next) => next()
  expect(() => new RpcServer().use(middleware, options as never)).toThrow(`RpcServer.use: ${message}`)
  expect(() => new RpcNamespace().use(middleware, options as never)).toThrow(`RpcNamespace.use: ${message}`)
})
