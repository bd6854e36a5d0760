import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import {
  ErrorCode,
  isRpcError,
  type RegisterOptions,
  type RpcContext,
  RpcError,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
  RpcTimeout,
} from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { procedures } from '../../fixtures/limits/procedures.gen.js'
import { effects, large, long, other, short, small, untagged } from '../../fixtures/limits/procedures.js'
import { listen } from '../support/listen.js'
import { callJson, callXml, post, request } from '../support/requests.js'

beforeEach(() => void effects.splice(0))

const hour = 3_600_000
const types = { 'json-rpc': 'application/json', 'xml-rpc': 'text/xml' }
const protocols = ['json-rpc', 'xml-rpc'] as const
type ProtocolName = (typeof protocols)[number]

function setUp(options: RpcServerOptions = {}) {
  const errors: Error[] = []
  const server = new RpcServer({ procedures, onError: (error) => void errors.push(error), ...options })
  return { server, errors, app: () => new Hono().route('/rpc', server.router()) }
}

function text(protocol: ProtocolName, method: string, param?: number): string {
  if (protocol === 'json-rpc') return callJson(method, param === undefined ? '[]' : `[${param}]`)
  return param === undefined
    ? `<methodCall><methodName>${method}</methodName></methodCall>`
    : callXml(method, `<int>${param}</int>`)
}

/** The results of a response in either protocol; an error is its code and message. */
function outcomesOf(response: string): unknown[] {
  if (!response.startsWith('<')) return [JSON.parse(response)].flat().map(({ result, error }) => error ?? result)
  const outcomes =
    /<name>faultCode<\/name><value><int>(-?\d+)<\/int>.*?<string>(.*?)<\/string>|<string>(.*?)<\/string>/g
  return [...response.matchAll(outcomes)].map(([, code, message, result]) =>
    code === undefined ? result : { code: Number(code), message },
  )
}

async function call(app: Hono, protocol: ProtocolName, body: string, headers: Record<string, string> = {}) {
  const { status, text } = await request(app, post(body, { 'Content-Type': types[protocol], ...headers }))
  return { status, text, outcomes: status === 200 ? outcomesOf(text) : [] }
}

/** A batch of JSON-RPC, a multicall of XML-RPC. */
function several(protocol: ProtocolName, calls: readonly (readonly [method: string, param?: number])[]): string {
  if (protocol === 'json-rpc') return `[${calls.map(([method, param]) => text(protocol, method, param)).join()}]`
  const structs = calls.map(([method, param]) => {
    const params = param === undefined ? '' : `<value><int>${param}</int></value>`
    return (
      `<value><struct><member><name>methodName</name><value>${method}</value></member><member><name>params</name>` +
      `<value><array><data>${params}</data></array></value></member></struct></value>`
    )
  })
  return callXml('system.multicall', `<array><data>${structs.join('')}</data></array>`)
}

const timedOut = { code: -32096, message: 'Timed out' }

describe.each(protocols)('time limits over %s', (protocol) => {
  test('the tag applies without a limit of the server; signal and onError get the RpcTimeout', async () => {
    const { app, errors } = setUp()
    expect((await call(app(), protocol, text(protocol, 'short'))).outcomes).toEqual([timedOut])
    expect(effects).toEqual(['aborted: RpcTimeout: Timed out'])
    expect(errors).toEqual([new RpcTimeout()])
  })

  test('the tag replaces a longer and a shorter limit of the server', async () => {
    const shorter = setUp({ limits: { timeoutMs: 1 } }).app()
    expect(
      (await call(setUp({ limits: { timeoutMs: hour } }).app(), protocol, text(protocol, 'short'))).outcomes,
    ).toEqual([timedOut])
    expect((await call(shorter, protocol, text(protocol, 'long', 30))).outcomes).toEqual(['done'])
    expect((await call(shorter, protocol, text(protocol, 'untagged'))).outcomes).toEqual([timedOut])
  })

  test.each(['view', 'asyncView'] as const)(
    '%s: each entry has its own limit, and the whole has none',
    async (view) => {
      const { server } = setUp({ limits: { timeoutMs: 10 } })
      const body = several(protocol, [['long', 30], ['short'], ['untagged'], ['long', 30]])
      const { outcomes } = await call(new Hono().all('/rpc', server[view]), protocol, body)
      expect(outcomes).toEqual(['done', timedOut, timedOut, 'done'])
    },
  )

  test('includes predicates: a call that times out in one does not run', async () => {
    let admit = (_: boolean) => {}
    const auth = () => new Promise<boolean>((resolve) => (admit = resolve))
    const { app } = setUp({ auth })
    expect((await call(app(), protocol, text(protocol, 'short'))).outcomes).toEqual([timedOut])
    admit(true)
    await new Promise((resolve) => setTimeout(resolve))
    expect(effects).toEqual([])
  })
})

test('a notification times out too, and onError gets it', async () => {
  const { app, errors } = setUp()
  expect((await call(app(), 'json-rpc', '{"jsonrpc":"2.0","method":"short"}')).status).toBe(204)
  expect(errors).toEqual([new RpcTimeout()])
})

test('server.call rejects with an RpcTimeout', async () => {
  const error: unknown = await setUp()
    .server.call('short')
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RpcTimeout)
  expect(isRpcError(error) && error.code).toBe(ErrorCode.TIMEOUT)
})

const limits = { bodyBytes: 4096 }
/** `large` has the largest bound of all. */
const bounds = [
  ['small', 1024],
  ['other', 4096],
  ['large', 65_536],
] as const

const tooLarge = (bound: number) => ({ status: 413, text: `The body is larger than ${bound} bytes.`, outcomes: [] })
const rejected = (name: string, bound: number) => ({
  code: -32600,
  message: `Invalid Request: the body is larger than the ${bound} bytes that ${name} accepts`,
})

function chunked(body: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + 1000))
      at += 1000
    },
  })
}

/** The same body in each form that it can be sent in. */
const forms: [string, (body: string) => Parameters<typeof post>, Record<string, string>][] = [
  ['with its length', (body) => [body], {}],
  ['in chunks', (body) => [chunked(body)], {}],
  ['with gzip', (body) => [gzipSync(body)], { 'Content-Encoding': 'gzip' }],
]

describe.each(protocols)('body limits over %s', (protocol) => {
  describe.each(forms)('%s', (_, sent, headers) => {
    test.each(bounds)('%s accepts %d bytes, and one more is 413', async (name, bound) => {
      const { app } = setUp({ limits })
      const responses = [bound, bound + 1].map(async (length) => {
        const [body] = sent(text(protocol, name).padEnd(length))
        const init = post(body, { 'Content-Type': types[protocol], ...headers })
        const { status, text: response } = await request(app(), init)
        return { status, text: status === 200 ? '' : response, outcomes: status === 200 ? outcomesOf(response) : [] }
      })
      expect(await Promise.all(responses)).toEqual([{ status: 200, text: '', outcomes: [name] }, tooLarge(bound)])
      expect(effects).toEqual([name])
    })
  })

  test.each(['view', 'asyncView', 'fetch'] as const)('%s: an entry beyond its bound fails alone', async (view) => {
    const { server, errors } = setUp({ limits })
    const app = new Hono().all('/rpc', view === 'fetch' ? (c) => server.fetch(c.req.raw) : server[view])
    const calls: [string][] = [['small'], ['other'], ['large']]
    const send = (length: number) => call(app, protocol, several(protocol, calls).padEnd(length))
    expect((await send(1024)).outcomes).toEqual(['small', 'other', 'large'])
    expect((await send(1025)).outcomes).toEqual([rejected('small', 1024), 'other', 'large'])
    expect((await send(4097)).outcomes).toEqual([rejected('small', 1024), rejected('other', 4096), 'large'])
    expect(errors.map(({ message }) => message)).toEqual([
      rejected('small', 1024).message,
      rejected('small', 1024).message,
      rejected('other', 4096).message,
    ])
    expect(await send(65_537)).toEqual(tooLarge(65_536))
  })

  test('an unauthorised caller gets -32098, for procedures that exist and others', async () => {
    const { app } = setUp({ limits, auth: () => false })
    for (const name of ['small', 'other', 'nothing']) {
      const { outcomes } = await call(app(), protocol, text(protocol, name).padEnd(10_000))
      expect(outcomes).toEqual([{ code: -32098, message: 'Authentication failed' }])
    }
  })

  test('an unknown name is -32601, a system procedure has the limit of the server', async () => {
    const { app } = setUp({ limits })
    const unknown = await call(app(), protocol, text(protocol, 'nothing').padEnd(5000))
    expect(unknown.outcomes).toEqual([{ code: -32601, message: 'Method not found' }])
    expect(await call(app(), protocol, text(protocol, 'system.listMethods').padEnd(5000))).toEqual(tooLarge(4096))
  })

  test('onError gets the error of a single call, and may replace it', async () => {
    const { app, errors } = setUp({ limits })
    expect(await call(app(), protocol, text(protocol, 'small').padEnd(2000))).toEqual(tooLarge(1024))
    expect(errors.map(({ message }) => message)).toEqual([rejected('small', 1024).message])
    const other = setUp({ limits, onError: () => new RpcError(7, 'too much') })
    const { outcomes } = await call(other.app(), protocol, text(protocol, 'small').padEnd(2000))
    expect(outcomes).toEqual([{ code: 7, message: 'too much' }])
  })

  test('server.handle counts the bytes of the text', async () => {
    const { server } = setUp({ limits })
    const handle = async (name: string, length: number) => {
      const padded = text(protocol, name).padEnd(length)
      return outcomesOf((await server.handle(padded, { protocol })) ?? '')
    }
    expect(await handle('small', 1024)).toEqual(['small'])
    expect(await handle('small', 1025)).toEqual([rejected('small', 1024)])
    expect(await handle('large', 65_536)).toEqual(['large'])
    expect(await handle('large', 65_537)).toMatchObject([{ code: -32600 }])
  })

  test('a middleware sees the error', async () => {
    const { server, app } = setUp({ limits })
    const seen: unknown[] = []
    server.use((context, next) =>
      next().catch((error) => {
        seen.push(`${context.method}: ${error.message}`)
        throw error
      }),
    )
    expect(await call(app(), protocol, text(protocol, 'small').padEnd(2000))).toEqual(tooLarge(1024))
    expect(seen).toEqual([`small: ${rejected('small', 1024).message}`])
  })
})

test('a notification beyond its bound is 413 alone, and does not run in a batch', async () => {
  const { app, errors } = setUp({ limits })
  const notification = '{"jsonrpc":"2.0","method":"small"}'
  expect(await call(app(), 'json-rpc', notification.padEnd(1025))).toEqual(tooLarge(1024))
  expect((await call(app(), 'json-rpc', `[${notification}]`.padEnd(1025))).status).toBe(204)
  expect(errors).toHaveLength(2)
  expect(effects).toEqual([])
})

test('no more bytes than the largest bound are read', async () => {
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1024))
      },
    },
    { highWaterMark: 0 },
  )
  const init = post(endless, { 'Content-Type': 'application/json' })
  expect((await request(setUp({ limits }).app(), init)).status).toBe(413)
  expect(pulled).toBe(65)
})

test.each(protocols)('nodeHandler: the same limits over %s', async (protocol) => {
  const { url, close } = await listen(nodeHandler(setUp({ limits }).server))
  onTestFinished(close)
  const send = async (body: string) => {
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': types[protocol] }, body })
    return { status: response.status, text: await response.text() }
  }
  for (const [name, bound] of bounds) {
    const accepted = await send(text(protocol, name).padEnd(bound))
    expect(outcomesOf(accepted.text)).toEqual([name])
    expect(await send(text(protocol, name).padEnd(bound + 1))).toMatchObject({
      status: 413,
      text: tooLarge(bound).text,
    })
  }
  const entries = await send(several(protocol, [['small'], ['large']]).padEnd(2000))
  expect(outcomesOf(entries.text)).toEqual([rejected('small', 1024), 'large'])
  expect(outcomesOf((await send(text(protocol, 'short'))).text)).toEqual([timedOut])
})

test('server.call has no body', async () => {
  expect(await setUp({ limits: { bodyBytes: 1 } }).server.call('small')).toBe('small')
})

describe('registerProcedure', () => {
  function registered(options: RegisterOptions, limits: RpcServerOptions['limits'] = {}) {
    const server = new RpcServer({ onError: () => {}, limits })
    const inner = new RpcNamespace()
    for (const level of [server, inner]) {
      level.registerProcedure(short, options)
      level.registerProcedure(untagged, options)
      level.registerProcedure(long, options)
      level.registerProcedure(small, options)
      level.registerProcedure(large, options)
      level.registerProcedure(other, options)
      const wait = (context: RpcContext) => untagged(context)
      level.registerProcedure(wait, { ...options, name: 'unchecked', unchecked: true, contextTarget: 0 })
    }
    server.registerNamespace(inner, 'inner')
    return new Hono().route('/rpc', server.router())
  }

  test.each(['', 'inner.'])('timeoutMs replaces tag and server: %s', async (prefix) => {
    const app = registered({ timeoutMs: 5 }, { timeoutMs: hour })
    for (const method of ['short', 'untagged', 'unchecked']) {
      expect((await call(app, 'json-rpc', callJson(prefix + method, '[]'))).outcomes).toEqual([timedOut])
    }
    expect((await call(app, 'json-rpc', callJson(`${prefix}long`, '[3600000]'))).outcomes).toEqual([timedOut])
    for (const timeoutMs of [hour, 0]) {
      const patient = registered({ timeoutMs }, { timeoutMs: 1 })
      expect((await call(patient, 'json-rpc', callJson(`${prefix}long`, '[30]'))).outcomes).toEqual(['done'])
    }
  })

  test.each(['', 'inner.'])('bodyBytes replaces tag and server, smaller or larger: %s', async (prefix) => {
    for (const name of ['small', 'other', 'large']) {
      const send = (bodyBytes: number, length: number) =>
        call(registered({ bodyBytes }, limits), 'json-rpc', callJson(prefix + name, '[]').padEnd(length))
      expect((await send(100, 100)).outcomes).toEqual([name])
      expect(await send(100, 101)).toEqual(tooLarge(100))
      expect((await send(100_000, 100_000)).outcomes).toEqual([name])
      expect(await send(100_000, 100_001)).toEqual(tooLarge(100_000))
    }
  })

  test('a registration after the first request raises what is read', async () => {
    const server = new RpcServer({ onError: () => {}, limits })
    const app = new Hono().route('/rpc', server.router())
    const body = callJson('large', '[]').padEnd(65_536)
    expect(await call(app, 'json-rpc', body)).toEqual(tooLarge(4096))
    server.registerProcedure(large)
    expect((await call(app, 'json-rpc', body)).outcomes).toEqual(['large'])
  })

  test('undefined leaves it to the tag, in namespaces too', async () => {
    const app = registered({ timeoutMs: undefined, bodyBytes: undefined } as never, { timeoutMs: hour })
    expect((await call(app, 'json-rpc', callJson('inner.short', '[]'))).outcomes).toEqual([timedOut])
  })

  test('one function has the limits of each registration', async () => {
    const server = new RpcServer({ onError: () => {} })
    server.registerProcedure(long, { name: 'quick', timeoutMs: 5 })
    server.registerProcedure(long, { name: 'slow', timeoutMs: hour })
    const app = new Hono().route('/rpc', server.router())
    const body = `[${callJson('quick', '[3600000]')},${callJson('slow', '[30]')}]`
    expect((await call(app, 'json-rpc', body)).outcomes).toEqual([timedOut, 'done'])
  })

  test.each<[object, string]>([
    ...[0, -1, 1.5, Number.NaN, '10', null, true].map((bodyBytes): [object, string] => [
      { bodyBytes },
      `registerProcedure(other): bodyBytes is ${bodyBytes === '10' ? '"10"' : bodyBytes}, expected a positive integer`,
    ]),
    ...[-1, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY, null, true].map((timeoutMs): [object, string] => [
      { timeoutMs },
      `registerProcedure(other): timeoutMs is ${timeoutMs}, expected 0 or a positive number below 2^31`,
    ]),
    [{ name: 'renamed', bodyBytes: 0 }, 'registerProcedure(renamed): bodyBytes is 0, expected a positive integer'],
  ])('%o throws where it is written', (options, message) => {
    for (const level of [new RpcServer(), new RpcNamespace()]) {
      expect(() => level.registerProcedure(other, options)).toThrow(RangeError)
      expect(() => level.registerProcedure(other, options)).toThrow(message)
    }
  })
})
