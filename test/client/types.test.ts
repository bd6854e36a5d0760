import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { file, openCaller } from './caller-file.js'

const { service, write, hover, errorsOf } = openCaller(`import { createClient } from 'rpc-gen/client'
interface User { id: number; name: string }
interface Procedures {
  /** Adds two numbers. */
  add: (a: number, b: number) => number
  /** Makes a user. */
  'user.create': (name: string, joined: string, tags?: string[]) => User
  /** Finds a user. */
  'user.find': (name: string) => User | null
  /** Returns the caller. */
  user: () => string
  /** Deep down. */
  'a.b.c': (...parts: string[]) => string
  /** Promises already. */
  later: () => Promise<number>
}
interface Params {
  add: { a: number; b: number }
  'user.create': { name: string; joined: string; tags?: string[] }
  'user.find': { name: string }
  user: Record<string, never>
  'a.b.c': { parts?: string[] }
}
const plain = createClient<Procedures>('http://localhost/')
const client = createClient<Procedures, Params>('http://localhost/')
`)

describe('a hover shows the docs of the procedure itself', () => {
  test.each([
    ['client.add', 'add: (a: number, b: number) => Promise<number>', 'Adds two numbers.'],
    ['client.user.create', '', 'Makes a user.'],
    ['client.user.find', '(name: string) => Promise<User | null>', 'Finds a user.'],
    ['client.a.b.c', '=> Promise<string>', 'Deep down.'],
    ["client['user.find']", '(name: string) => Promise<User | null>', 'Finds a user.'],
    ['client.$named.add', '(params: {', 'Adds two numbers.'],
    ['client.$named.user.find', '(params: {', 'Finds a user.'],
    ['client.$notify.user.find', '(name: string) => Promise<void>', 'Finds a user.'],
    ['client.$request.user.find', '(name: string) => RpcRequest<User | null>', 'Finds a user.'],
    ['client.$batch', '', 'Makes several calls in one request.'],
  ])('%s', (piece, shown, docs) => {
    const info = hover(piece)
    expect(info.shown).toContain(shown)
    expect(info.docs).toContain(docs)
  })

  test('also where it is called', () => {
    const text = write("client.user.create('a', 'b')")
    const info = service.getQuickInfoAtPosition(file, text.lastIndexOf('create'))
    expect(ts.displayPartsToString(info?.documentation)).toBe('Makes a user.')
  })

  test('and leads to its declaration', () => {
    const text = write('client.user.create')
    const [definition] = service.getDefinitionAtPosition(file, text.lastIndexOf('create')) ?? []
    expect(text.slice(definition?.textSpan.start).startsWith("'user.create'")).toBe(true)
  })

  test('a member offers its names', () => {
    const text = write('client.user.')
    const names = service.getCompletionsAtPosition(file, text.length, {})?.entries.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['create', 'find']))
    expect(names).not.toContain('add')
  })
})

describe('what is accepted', () => {
  test.each([
    'const sum: Promise<number> = client.add(1, 2)',
    "const user: Promise<User> = client.user.create('a', 'b', ['c'])",
    'const who: Promise<string> = client.user()',
    'const number: Promise<number> = client.later()',
    'const sum: Promise<number> = client.$named.add({ a: 1, b: 2 })',
    "const user: Promise<User> = client.$named.user.create({ name: 'a', joined: 'b' })",
    'const who: Promise<string> = client.$named.user()',
    'const deep: Promise<string> = client.$named.a.b.c()',
    'const any: Promise<number> = plain.$named.add({ whatever: 1 })',
    'const notified: Promise<void> = client.$notify.add(1, 2)',
    `async function run() {
       const { $request } = client
       const [sum, user, none, named]: [number, User | null, void, string] = await client.$batch([
         $request.add(1, 2), $request.user.find('a'), $request.$notify.add(1, 2), $request.$named.user()])
       const [settled] = await client.$batchSettled([$request.add(1, 2)])
       const value: number = settled.status === 'fulfilled' ? settled.value : 0
       const many: number[] = await client.$batch([1, 2].map((each) => $request.add(each, 1)))
     }`,
    'const same: typeof client = client.$with({ timeoutMs: 1 })',
    "const cast: Promise<User> = client.$call<User>('user.find', ['a'])",
    "const untyped: Promise<unknown> = createClient('http://localhost/').$call('x')",
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })
})

describe('what TypeScript rejects, with its error', () => {
  test.each([
    ["client.add('1', 2)", "Argument of type 'string' is not assignable to parameter of type 'number'."],
    ['client.add(1)', 'Expected 2 arguments, but got 1.'],
    ["client.user.create('a')", 'Expected 2-3 arguments, but got 1.'],
    [
      'const text: Promise<string> = client.add(1, 2)',
      "Type 'Promise<number>' is not assignable to type 'Promise<string>'.",
    ],
    [
      "client.$named.user.find({ nme: 'a' })",
      "Object literal may only specify known properties, but 'nme' does not exist in type '{ name: string; }'. Did you mean to write 'name'?",
    ],
    ['client.$named.user.find()', 'Expected 1 arguments, but got 0.'],
    [
      'client.$batch([client.add(1, 2)])',
      "Type 'Promise<number>' is missing the following properties from type 'RpcRequest<unknown>': method, params",
    ],
  ])('%s', (body, message) => {
    expect(errorsOf(body)).toEqual([message])
  })

  test('an unknown name', () => {
    expect(errorsOf('client.subtract(1)')[0]).toMatch(/^Property 'subtract' does not exist on type /)
    expect(errorsOf('client.user.remove(1)')[0]).toMatch(/^Property 'remove' does not exist on type /)
  })
})

test('without strictNullChecks a procedure that returns null is not a subscription', () => {
  const { errorsOf } = openCaller(
    `import { createClient } from 'rpc-gen/client'
interface Procedures {
  remove: (id: number) => null
  watch: () => AsyncIterable<number>
}
const client = createClient<Procedures>('http://localhost/')
`,
    { strict: false },
  )
  expect(
    errorsOf(`async function run() {
      const removed: Promise<null> = client.remove(1)
      const watched: AsyncIterableIterator<number> = client.watch()
      const [none, id]: [null, string] = await client.$batch([client.$request.remove(1), client.$request.watch()])
      const notText: number = id
    }`),
  ).toEqual(["Type 'string' is not assignable to type 'number'."])
})

describe('an interface with members of members', () => {
  test('has the types and docs of dotted names', () => {
    const text = write(`interface Api {
  user: {
    /** Finds. */
    find: (name: string) => number
  }
}
const nested = createClient<Api, { user: { find: { name: string } } }>('http://localhost/')
const found: Promise<number> = nested.user.find('a')
const named: Promise<number> = nested.$named.user.find({ name: 'a' })
nested.user.find(1)
nested.user.find`)
    const messages = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)
    expect(messages).toEqual(["Argument of type 'number' is not assignable to parameter of type 'string'."])
    const info = service.getQuickInfoAtPosition(file, text.length - 1)
    expect(ts.displayPartsToString(info?.documentation)).toBe('Finds.')
  })
})

describe('a transport and a codec of your own', () => {
  const { errorsOf } =
    openCaller(`import { createClient, RpcTransportError, scalarCodecs, tableCodec } from 'rpc-gen/client'
import type { CustomScalars, ReceivedResponse, RpcCall, RpcParams, SubscribeOptions, SubscribingClient, Transport, TransportResponse, TransportSettings } from 'rpc-gen/client'
import type { CallParams } from 'rpc-gen'
declare const decimal: Parameters<typeof scalarCodecs>[0][string]
`)

  test.each([
    'const custom: CustomScalars = scalarCodecs({ Decimal: decimal }); tableCodec({ methods: {} }, custom)',
    'function fail(received: ReceivedResponse): never { throw new RpcTransportError("lost", received) }',
    `class Queue implements Transport {
      contentType = 'application/json'; native = false
      write(call: RpcCall): unknown { return call }
      join(written: readonly unknown[]): string { return JSON.stringify(written) }
      read({ text }: TransportResponse, _calls: readonly RpcCall[], _batch: boolean, settings: TransportSettings): unknown[] { return [text, settings.url] }
      async exchange(body: string, _calls: readonly RpcCall[], { url, timeoutMs }: TransportSettings, signal: AbortSignal): Promise<TransportResponse> {
        return { url, ok: !signal.aborted, bytes: new Uint8Array(timeoutMs), text: body }
      }
      subscribe(client: SubscribingClient, { method }: { method: string }, options: SubscribeOptions): AsyncIterableIterator<unknown> {
        throw [client, method, options]
      }
    }
    createClient('queue:', { transport: new Queue() })`,
    'declare const sent: CallParams; const params: RpcParams = sent; const again: CallParams = params',
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })
})

describe('the errors of a client that is made by hand', () => {
  const { errorsOf } = openCaller(`import { type Client, createClient } from 'rpc-gen/client'
import { tanstackQuery } from 'rpc-gen/client/tanstack-query'
import type { JsonErrors, JsonParams, JsonProcedures } from '../../fixtures/generate/errors/expected.gen.js'
const client: Client<JsonProcedures, JsonParams, JsonErrors> = createClient<JsonProcedures, JsonParams, JsonErrors>('/')
const { retry } = tanstackQuery(client).order.find.queryOptions([1])
type Failure = Parameters<Extract<typeof retry, (...args: never) => unknown>>[1]
declare const failure: Failure
`)

  test.each([
    ["if ('code' in failure && failure.code === 4444) { const id: number | undefined = failure.data?.id }", undefined],
    [
      "if ('code' in failure && failure.code === 4444) failure.data?.name",
      "Property 'name' does not exist on type 'NoSuchOrderDataJson'.",
    ],
    ['const more: typeof client = client.$with({ timeoutMs: 10 })', undefined],
    ['const plain: Client<JsonProcedures, JsonParams> = client', undefined],
  ])('%s', (body, message) => {
    expect(errorsOf(body)).toEqual(message === undefined ? [] : [message])
  })
})

describe('declared errors', () => {
  const { errorsOf } = openCaller(`import { isRpcError, RpcError, type RpcErrorGuard } from 'rpc-gen/client'
import { isRpcError as isDeclared } from '../../fixtures/generate/errors/expected.client.gen.js'
import type { JsonErrors } from '../../fixtures/generate/errors/expected.gen.js'
const isFindError: RpcErrorGuard<JsonErrors['order.find']> = isRpcError
declare const error: unknown
`)

  test.each([
    'if (isRpcError(error)) { const code: number = error.code; const data: unknown = error.data }',
    'if (isRpcError(error, 7)) { const code: 7 = error.code; const data: unknown = error.data }',
    // Of one procedure
    'if (isFindError(error, 4444)) { const code: 4444 = error.code; const id: number | undefined = error.data?.id }',
    'if (isFindError(error, 4445)) { const name: string | undefined = error.data?.[0]?.name }',
    // Of the whole API: two procedures declare 4444
    "if (isDeclared(error, 4444) && error.data && 'emptied' in error.data) { const emptied: Date = error.data.emptied }",
    'if (isDeclared(error, 4446)) { const data: unknown = error.data }',
    'const list: RpcError[] = [new RpcError(4444, "", { data: { id: 1 } }), new RpcError(1, "")]',
  ])('%s', (body) => {
    expect(errorsOf(body)).toEqual([])
  })

  test.each([
    ['isFindError(error, 4446)', "Argument of type '4446' is not assignable to parameter of type '4444 | 4445'."],
    [
      'isDeclared(error, 1)',
      "Argument of type '1' is not assignable to parameter of type '4444 | 4445 | -32602 | 4446'.",
    ],
    ['if (isRpcError(error, 4444)) error.data.id', "'error.data' is of type 'unknown'."],
    ['if (isFindError(error, 4444)) error.data?.name', "Property 'name' does not exist on type 'NoSuchOrderDataJson'."],
    [
      'class Wrong extends RpcError<1, { id: number }> { constructor() { super(2, "") } }',
      "Argument of type '2' is not assignable to parameter of type '1'.",
    ],
  ])('%s', (body, message) => {
    expect(errorsOf(body)).toEqual([message])
  })
})

/** How many types the compiler makes for a caller of ten groups, of so many names in groups of ten. */
function instantiations(count: number): number {
  const names = Array.from({ length: count }, (_, i) => `g${Math.floor(i / 10)}.p${i % 10}`)
  const calls = Array.from({ length: 10 }, (_, i) => `client.g${Math.floor((i * count) / 100)}.p1(1)`)
  const members = names.map((name) => `'${name}': (a: number) => string`)
  const client = "const many = createClient<Many>('http://localhost/')"
  write(`interface Many {\n${members.join('\n')}\n}\n${client}\n${calls.join('\n').replaceAll('client', 'many')}\n`)
  const program = service.getProgram()
  const before = program?.getInstantiationCount() ?? 0
  expect(program?.getSemanticDiagnostics(program.getSourceFile(file))).toEqual([])
  return (program?.getInstantiationCount() ?? 0) - before
}

test('a caller costs at most one pass over the names, however many members it uses', () => {
  const each = (instantiations(2000) - instantiations(1000)) / 1000
  expect(each).toBeGreaterThan(0)
  expect(each).toBeLessThan(16)
})

test('the caller of these tests is not a file', () => {
  expect(() => readFileSync(file)).toThrow()
})
