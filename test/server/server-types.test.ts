import { describe, expect, test } from 'vitest'
import { openCaller } from '../client/caller-file.js'

const { errorsOf } = openCaller(`import { type RpcContext, RpcNamespace, RpcServer } from 'rpc-gen'
import { procedures as collections } from '../../fixtures/generate/collections/expected.gen.js'
import { procedures as contexts, server as contextServer } from '../../fixtures/generate/context/expected.gen.js'
import { procedures as overloaded } from '../../fixtures/generate/overloads/expected.gen.js'
import { procedures, server as generated } from '../../fixtures/server/procedures.gen.js'

declare function plus(context: RpcContext, a: number, more?: string): Promise<bigint>
declare function last(a?: string, context?: RpcContext): Date
declare function rest(first: string, context: RpcContext, ...all: number[]): void
declare function loose(a: any, b: unknown, c: undefined): any
interface Extra {
  plus: typeof plus
  last: typeof last
  rest: typeof rest
  loose: typeof loose
}
declare const name: string
const server = new RpcServer({ procedures })
const overloads = new RpcServer({ procedures: overloaded })
const context = new RpcServer({ procedures: contexts })
const extra = new RpcServer<Extra>({ procedures: contexts })
const several = new RpcServer({ procedures: { ...contexts, ...overloaded } })
const open: RpcServer = server
const empty = new RpcServer()
`)

describe('server.call accepts what the procedures declare', () => {
  test.each([
    'const sum: Promise<number> = context.call("middle", [1, 2])',
    'const sum: Promise<number> = contextServer.call("middle", [1, 2])',
    'const sum: Promise<number> = context.call("middle", { a: 1, b: 2 })',
    'const sum: Promise<number> = context.call("middle", [1, 2], { request: new Request("http://localhost/") })',
    // Every parameter is optional
    'const text: Promise<string> = context.call("alone")',
    'const sum: Promise<number> = context.call("behindOptional")',
    'const sum: Promise<number> = context.call("behindOptional", { b: 1 })',
    'const sum: Promise<number> = context.call("beforeRest", [1, 2, 3, 4])',
    // A readonly list, and another one
    'const list = [1, 2] as const; context.call("middle", list)',
    'const list: [number, number] = [1, 2]; context.call("middle", list)',
    // Overloads: the parameters of any, the result of any
    'const found: Promise<string | string[]> = overloads.call("find", [1])',
    'const found: Promise<string | string[]> = overloads.call("find", ["a", 1])',
    'const found: Promise<string | string[]> = overloads.call("find", { name: "a", limit: 1 })',
    'const found: Promise<string | string[]> = overloads.call("find", { key: { born: new Date() }, limit: 1, more: [1] })',
    // Contexts are not parameters, in types that are written by hand either
    'const sum: Promise<bigint> = extra.call("plus", [1])',
    'const sum: Promise<bigint> = extra.call("plus", [1, "a"])',
    'const date: Promise<Date> = extra.call("last")',
    'const date: Promise<Date> = extra.call("last", ["a"])',
    'const none: Promise<void> = extra.call("rest", ["a", 1, 2, 3])',
    'extra.call("loose", [1, 2, undefined])',
    // The procedures of the system
    'const names: Promise<string[]> = server.call("system.listMethods")',
    'const help: Promise<string> = server.call("system.methodHelp", ["add"])',
    // Where the names are not known: any name, any parameters, a result of type unknown
    'const result: Promise<unknown> = open.call(name, [1, "a"], {})',
    'const result: Promise<unknown> = open.call("whatever", { a: 1 })',
    'const result: Promise<unknown> = empty.call("whatever")',
    'const result: Promise<unknown> = several.call("whatever")',
    // The result as JSON has it
    'const text: Promise<string> = context.callJson("alone")',
    'const items: Promise<{ name: string; added: string; tags: string[] }> = server.callJson("store", [{ name: "x", added: new Date(), tags: new Set<string>() }])',
    'const items: Promise<{ added: string }> = generated.callJson("store", [{ name: "x", added: new Date(), tags: new Set<string>() }])',
    'const document: Promise<{ openrpc: string }> = generated.callJson("rpc.discover")',
    'const result: Promise<unknown> = open.callJson(name, [1, "a"], {})',
    'const result: Promise<unknown> = extra.callJson("plus", [1])',
    // A server is one of unknown names
    'function mount(any: RpcServer): void {}; mount(server); mount(overloads); mount(extra)',
    'const again: RpcServer<Extra> = new RpcServer<Extra>()',
    'empty.registerNamespace(new RpcNamespace({ procedures }), "inner")',
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })
})

describe('server.call rejects other calls', () => {
  test.each([
    [
      'const wrong: Promise<{ added: Date }> = generated.callJson("store", [{ name: "x", added: new Date(), tags: new Set<string>() }])',
      expect.stringContaining('is not assignable to type'),
    ],
    [
      'generated.callJson("store", [{ name: "x", added: "1970", tags: new Set<string>() }])',
      expect.stringContaining('is not assignable to type'),
    ],
    [
      'context.call("subtract", [1])',
      expect.stringMatching(/^Argument of type '"subtract"' .* '.*"first" \| "middle"/),
    ],
    [
      'context.call(name)',
      expect.stringContaining("Argument of type 'string' is not assignable to parameter of type '\""),
    ],
    ['context.call("first", ["1"])', "Type 'string' is not assignable to type 'Int'."],
    [
      'context.call("middle", [1])',
      expect.stringContaining("Argument of type '[number]' is not assignable to parameter"),
    ],
    ['context.call("middle", [1, 2, 3])', "Type 'number' is not assignable to type 'undefined'."],
    ['context.call("middle")', 'Expected 2-3 arguments, but got 1.'],
    [
      'context.call("middle", { a: 1 })',
      expect.stringContaining("Argument of type '{ a: number; }' is not assignable"),
    ],
    [
      'context.call("middle", { a: 1, b: 2, c: 3 })',
      expect.stringContaining("Object literal may only specify known properties, and 'c' does not exist"),
    ],
    ['context.call("middle", { a: 1, b: "2" })', "Type 'string' is not assignable to type 'Int'."],
    ['const text: Promise<string> = context.call("first", [1])', expect.stringContaining("'Promise<Int>' is not")],
    ['extra.call("plus", [{} as RpcContext, 1])', expect.stringContaining("'RpcContext<any>' is not assignable")],
    ['extra.call("add", [1, 2])', expect.stringContaining('"add"\' is not assignable to parameter of type \'"')],
    ['overloads.call("find", [true])', expect.stringContaining("'[boolean]' is not assignable")],
    ['const sum: number = await empty.call("x")', "Type 'unknown' is not assignable to type 'number'."],
    ['server.call("system.methodHelp", [1])', "Type 'number' is not assignable to type 'string'."],
  ])('%s', (body, message) => {
    expect(errorsOf(`async function run() {\n${body}\n}`)).toEqual([message])
  })
})

describe('what is known of a procedure, without how it runs', () => {
  const { errorsOf } =
    openCaller(`import { type Manifest, type ProcedureInfo, type RpcContext, RpcNamespace, RpcServer } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { procedures } from '../../fixtures/server/procedures.gen.js'
declare const context: RpcContext
declare const procedure: ProcedureInfo
`)

  test.each([
    'const called: ProcedureInfo | undefined = context.procedure',
    'const known: ProcedureInfo = procedures.store',
    'const all: Manifest = procedures; new RpcServer({ procedures: all })',
    'mcp(new RpcServer(), { tools: ({ name, readonly }) => readonly === true && name !== "add" })',
    'const tag: string | undefined = procedure.since; const limit: number | undefined = procedure.bodyBytes',
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })

  test.each([
    ['context.procedure?.invoke', "Property 'invoke' does not exist on type 'ProcedureInfo'."],
    ['procedure.middleware', "Property 'middleware' does not exist on type 'ProcedureInfo'."],
    ['new RpcNamespace().registrations', "Property 'registrations' does not exist on type 'RpcNamespace'."],
  ])('%s', (body, message) => {
    expect(errorsOf(body)).toEqual([message])
  })
})

describe('a hover shows the values', () => {
  const { hover, errorsOf } = openCaller(`import { type RpcContext, type RpcServerOptions } from 'rpc-gen'
import type { McpOptions } from 'rpc-gen/mcp'
declare const context: RpcContext
declare const options: RpcServerOptions & McpOptions
`)

  test.each([
    ['context.transport', '"http" | "websocket" | "nats" | "mcp" | "local" | "text"'],
    ['options.errorDetails', '"types" | "values"'],
    ['options.tools', '"all" | ((procedure: ProcedureInfo) => boolean)'],
  ])('of %s', (piece, shown) => {
    expect(hover(piece).shown).toContain(shown)
  })

  test('a transport of your own is a string too', () => {
    expect(errorsOf('if (context.transport === "queue") {}; const name: string = context.transport')).toEqual([])
    expect(errorsOf('const own: RpcContext["transport"] = String(1)')).toEqual([])
  })
})

describe('options have types that complete', () => {
  const { errorsOf } = openCaller(`import { type Limits, RpcServer, type StreamOptions } from 'rpc-gen'
import { createClient, type Retries } from 'rpc-gen/client'
import { webSocket as connect } from 'rpc-gen/client/websocket'
import { type ConnectionLimits, webSocket } from 'rpc-gen/websocket'
`)

  test.each([
    'const limits: Limits = { batch: 10 }; new RpcServer({ limits })',
    'const streams: StreamOptions = { durationMs: 10 }; new RpcServer({ streams })',
    'const limits: ConnectionLimits = { calls: 10 }; webSocket(new RpcServer(), { limits })',
    'const retries: Retries = { attempts: 1 }; createClient("/", { retries }); connect({ reconnect: retries })',
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })
})

describe('context.authResult has the type of the predicate', () => {
  const { errorsOf } = openCaller(`import { oncePerRequest, type RpcContext, type RpcEnv } from 'rpc-gen'
interface User { name: string }
declare const users: Map<string, User>
const isUser = (request: Request) => users.get(request.url)
const isLater = async (request: Request, context: RpcContext): Promise<User | false | null> => null
const isRemembered = oncePerRequest(isLater as (request: Request) => Promise<User | undefined>)
const isFlag = (request: Request) => request.url === '' || 0
const isAnyone = (): unknown => true
interface AppEnv { Bindings: { key: string }; Variables: { tenant: string } }
type Result<E extends RpcEnv> = RpcContext<E>['authResult']
`)

  test.each([
    ['{ auth: typeof isUser }', 'User'],
    ['{ auth: typeof isLater }', 'User'],
    ['{ auth: typeof isRemembered }', 'User'],
    ['{ auth: typeof isFlag }', 'true'],
    ['{ auth: typeof isAnyone }', 'unknown'],
    ['{ auth: [typeof isUser, typeof isFlag] }', 'true | User'],
    ["{ auth: [typeof isUser, 'public'] }", 'User | undefined'],
    ['{ auth: readonly (typeof isUser)[] }', 'User'],
    ['AppEnv & { auth: typeof isUser }', 'User'],
    ['AppEnv', 'unknown'],
    ['any', 'unknown'],
  ])('RpcContext<%s>: %s', (env, expected) => {
    const same = '(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false'
    expect(errorsOf(`type Same<A, B> = ${same}\nconst same: Same<Result<${env}>, ${expected}> = true`)).toEqual([])
  })

  test('beside the Env of Hono', () => {
    const body = `function run(context: RpcContext<AppEnv & { auth: typeof isUser }>): string[] {
  return [context.authResult.name, context.honoContext?.get('tenant') ?? '', context.env?.key ?? '']
}
declare const plain: RpcContext
run(plain)
const predicates: ((request: Request, context: RpcContext) => unknown)[] = [isUser, isLater, isRemembered]`
    expect(errorsOf(body)).toEqual([])
  })

  test.each([
    ['const name: string = context.authResult.name', "'context.authResult' is of type 'unknown'.", 'RpcContext'],
    ['context.authResult.age', "Property 'age' does not exist on type 'User'.", 'RpcContext<{ auth: typeof isUser }>'],
    ['', "Type '{ auth: string; }' does not satisfy the constraint 'RpcEnv'.", 'RpcContext<{ auth: string }>'],
  ])('%s', (statement, message, type) => {
    expect(errorsOf(`function run(context: ${type}) {\n${statement}\n}`)).toEqual([message])
  })
})
