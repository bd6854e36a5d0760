import { Hono } from 'hono'
import {
  ErrorCode,
  isRpcError,
  type RegisterOptions,
  type RpcContext,
  RpcNamespace,
  RpcServer,
  type RpcServerOptions,
  RpcTimeout,
} from 'rpc-gen'
import { beforeEach, describe, expect, test } from 'vitest'
import { procedures } from '../fixtures/limits/procedures.gen.js'
import { effects, large, long, other, short, small, untagged } from '../fixtures/limits/procedures.js'
import { ask, callJson, callXml, post } from './http/ask.js'

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
  const { status, text } = await ask(app, post(body, { 'Content-Type': types[protocol], ...headers }))
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
  test('the tag holds without a limit of the server; signal and onError get the RpcTimeout', async () => {
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

  test.each(['view', 'asyncView'] as const)('%s: each entry has its own, and the whole has none', async (view) => {
    const { server } = setUp({ limits: { timeoutMs: 10 } })
    const body = several(protocol, [['long', 30], ['short'], ['untagged'], ['long', 30]])
    const { outcomes } = await call(new Hono().all('/rpc', server[view]), protocol, body)
    expect(outcomes).toEqual(['done', timedOut, timedOut, 'done'])
  })

  test('predicates are in it: a call that times out in one is never made', async () => {
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
    const patient = registered({ timeoutMs: hour }, { timeoutMs: 1 })
    expect((await call(patient, 'json-rpc', callJson(`${prefix}long`, '[30]'))).outcomes).toEqual(['done'])
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
    ...['timeoutMs', 'bodyBytes'].flatMap((name) =>
      [0, -1, Number.NaN, '10', null, true].map((value): [object, string] => [
        { [name]: value },
        `registerProcedure(other): ${name}: expected a positive number, got ${value}`,
      ]),
    ),
    ...[2 ** 31, Number.POSITIVE_INFINITY].map((timeoutMs): [object, string] => [
      { timeoutMs },
      `registerProcedure(other): timeoutMs: expected at most 2147483647, got ${timeoutMs}: no timer is longer; leave it out for no limit`,
    ]),
    [{ name: 'renamed', timeoutMs: 0 }, 'registerProcedure(renamed): timeoutMs: expected a positive number, got 0'],
  ])('%o throws where it is written', (options, message) => {
    for (const level of [new RpcServer(), new RpcNamespace()]) {
      expect(() => level.registerProcedure(other, options)).toThrow(RangeError)
      expect(() => level.registerProcedure(other, options)).toThrow(message)
    }
  })
})
