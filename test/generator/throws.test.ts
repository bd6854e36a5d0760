import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { isRpcError, type RpcError, RpcServer } from 'rpc-gen'
import type { Transport } from 'rpc-gen/client'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import {
  createClient as createDataClient,
  isRpcError as isDeclaredData,
  type OrderId,
  type PaymentRequiredData,
} from '../../fixtures/generate/error-data/api/expected.client.gen.js'
import { router as dataRouter } from '../../fixtures/generate/error-data/expected.gen.js'
import { Decimal } from '../../fixtures/generate/error-data/scalars.js'
import { createClient, isRpcError as isDeclared } from '../../fixtures/generate/errors/expected.client.gen.js'
import { router } from '../../fixtures/generate/errors/expected.gen.js'
import { Subscriptions } from '../../runtime/client/subscriptions.js'
import { generate } from '../support/generate.js'
import { paths } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const errors = `import { RpcError, RpcInvalidParams } from 'rpc-gen'

const gone = 410

export class Gone extends RpcError {
  constructor(id: number) {
    super(gone, 'Gone', { data: { id } })
  }
}
export class LongGone extends Gone {}
export class Busy extends RpcError {
  override readonly code = 503
}
export class WrongDate extends RpcInvalidParams {
  constructor() {
    super('a date in the future')
  }
}
export class Computed extends RpcError {
  constructor(code: number) {
    super(code, 'computed')
  }
}
export interface Shelf {
  name: string
  emptied: Date
}
export class NoSuchOrder extends RpcError<4444, { id: number }> {}
export class EmptyShelf extends NoSuchOrder {
  declare readonly data: { id: number; shelf: Shelf }
}
export class SamePlace extends NoSuchOrder {}
export class Nothing extends RpcError<4004, null> {}
export class Generic<Data> extends RpcError<4005, Data> {}
export class Foreign extends Error {
  readonly code = 4007
  readonly data = { run: () => 1 }
}
export class NotSerialisable extends RpcError<4006, { run: () => void }> {}
export namespace deep {
  export class Inner extends RpcError<4008, string> {}
}
export type Any = Nothing | deep.Inner
`

let cwd: string

beforeAll(() => {
  cwd = temporaryFolder('throws')
  const compilerOptions = {
    module: 'nodenext',
    lib: ['ES2023', 'DOM'],
    types: [],
    strict: true,
    paths,
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(cwd, 'errors.ts'), errors)
  writeFileSync(join(cwd, 'barrel.ts'), "export * from './errors.js'\nexport { Gone as Renamed } from './errors.js'\n")
})

test.each([
  ['{Gone} when it is gone', { name: 'Gone', code: 410, text: 'when it is gone' }],
  ['{LongGone} even before', { name: 'LongGone', code: 410, text: 'even before' }],
  ['{Busy} at noon', { name: 'Busy', code: 503, text: 'at noon' }],
  ['{WrongDate} often', { name: 'WrongDate', code: -32602, text: 'often' }],
  ['{RpcInternalError} never', { name: 'RpcInternalError', code: -32603, text: 'never' }],
  ['{RpcTimeout} under load', { name: 'RpcTimeout', code: -32096, text: 'under load' }],
  ['{RpcResponseTooLarge} then', { name: 'RpcResponseTooLarge', code: -32097, text: 'then' }],
  ['-32050 for a number', { name: '-32050', code: -32050, text: 'for a number' }],
  ['{RpcError} 404 when there is none', { name: 'RpcError', code: 404, text: '404 when there is none' }],
  ['{Computed} by its caller', { name: 'Computed', text: 'by its caller' }],
  ['{Beside} in the same file', { name: 'Beside', code: 4001, text: 'in the same file' }],
  ['{Elsewhere} 404 out of scope', { name: 'Elsewhere', code: 404, text: '404 out of scope' }],
  ['{string} of the language', { name: 'string', text: 'of the language' }],
  ['words without a name', { name: '', text: 'words without a name' }],
  [
    '{NoSuchOrder} with data',
    {
      name: 'NoSuchOrder',
      code: 4444,
      text: 'with data',
      data: { kind: 'ref', name: 'NoSuchOrderData' },
    },
  ],
  [
    '{EmptyShelf} with other data than its base class',
    {
      name: 'EmptyShelf',
      code: 4444,
      text: 'with other data than its base class',
      data: { kind: 'ref', name: 'EmptyShelfData' },
    },
  ],
  [
    '{SamePlace} with that of its base class',
    {
      name: 'SamePlace',
      code: 4444,
      text: 'with that of its base class',
      data: { kind: 'ref', name: 'NoSuchOrderData' },
    },
  ],
  ['{Nothing} with null', { name: 'Nothing', code: 4004, text: 'with null', data: { kind: 'null' } }],
  ['{Generic} with any data', { name: 'Generic', code: 4005, text: 'with any data' }],
  ['{Foreign} without its data', { name: 'Foreign', code: 4007, text: 'without its data' }],
  ['{RangeError} of the language', { name: 'RangeError', text: 'of the language' }],
])('@throws %s', async (tag, throws) => {
  const { model, diagnostics } = await generated(tag)
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.throws).toEqual([throws])
})

test.each([
  ['{Gone} 410 when it is gone', []],
  ['{Computed} 410 by its caller', []],
  ['{Gone} 404 when it is gone', ['@throws {Gone}: the code of the class is 410, the text has 404']],
  ['{NoSuchOrder} -32001 at night', ['@throws {NoSuchOrder}: the code of the class is 4444, the text has -32001']],
])('@throws %s: the codes are compared', async (tag, messages) => {
  const { diagnostics } = await generated(tag)
  const hint = 'remove the number, or begin the text with a word'
  const position = { file: 'source.ts', line: 18, column: 4 }
  expect(diagnostics).toEqual(messages.map((message) => ({ code: 'RPC130', message, position, hint })))
})

test.each([
  ['{Elsewhere} out of scope', 'Elsewhere'],
  ['{Gonee} misspelt', 'Gonee'],
  ['{Gone | Losst} either', 'Losst'],
  ['{@link Elsewhere} linked', 'Elsewhere'],
])('@throws %s: a name that refers to nothing is an error', async (tag, name) => {
  const { diagnostics } = await generated(tag)
  expect(diagnostics).toEqual([
    {
      code: 'RPC130',
      message: `@throws {${name}}: there is no ${name} in this file’s scope`,
      position: { file: 'source.ts', line: 18, column: 4 },
      hint: `import the class here, or write its code: @throws {${name}} 404 …; or name no class, for readers only: @throws …`,
    },
  ])
})

const gone = { name: 'Gone', code: 410 }
const inner = { name: 'Inner', code: 4008, data: { kind: 'string' } }
const nothing = { name: 'Nothing', code: 4004, data: { kind: 'null' } }

test.each([
  ['{errors.Gone}', [gone]],
  ['{barrel.Gone}', [gone]],
  ['{barrel.Renamed}', [{ ...gone, name: 'Renamed' }]],
  ['{barrel.deep.Inner}', [inner]],
  ['{@link errors.deep.Inner}', [inner]],
  ['{!errors.Gone}', [gone]],
  ['{Gone | errors.deep.Inner}', [gone, inner]],
  ['{(Gone|Nothing)}', [gone, nothing]],
  ['{Gone | null}', [gone, { name: 'null' }]],
  ['{errors.Any}', [inner, nothing]],
])('@throws %s: each class of a dotted name, a union or an alias', async (tag, throws) => {
  const { model, diagnostics } = await generated(`${tag} then`)
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.throws).toEqual(throws.map((each) => ({ ...each, text: 'then' })))
})

test(':raises errors.Gone, Nothing: as in Python', async () => {
  const { model, diagnostics } = await generated('', ':raises errors.Gone, Nothing: then')
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.throws).toEqual([gone, nothing].map((each) => ({ ...each, text: 'then' })))
})

test.each([
  ['{errors.Losst}', 'there is no errors.Losst in this file’s scope'],
  ['{barrel.deep.Losst}', 'there is no barrel.deep.Losst in this file’s scope'],
  ["{import('./errors.js').Gone}", 'this type does not name the classes of errors'],
  ['{Gone[]}', 'this type does not name the classes of errors'],
  ['{RpcError<5, string>}', 'this type does not name the classes of errors'],
])('@throws %s: one error', async (tag, message) => {
  const { diagnostics } = await generated(`${tag} then`)
  const [, type] = /^\{(.*)\}$/.exec(tag) ?? []
  expect(diagnostics.map((each) => [each.code, each.message])).toEqual([['RPC130', `@throws {${type}}: ${message}`]])
})

test('a text that begins with the code needs no class', async () => {
  const { model, diagnostics } = await generated('{Losst | Elsewhere} 404 then')
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.throws?.map(({ name, code }) => [name, code])).toEqual([
    ['Losst', 404],
    ['Elsewhere', 404],
  ])
})

test('an unknown class in the comment of another overload is an error', async () => {
  const source = `/**
 * @rpc
 */
export function fail(a: string): void
/**
 * @throws {Losst} then
 */
export function fail(a: number): void
export function fail(): void {}
`
  writeFileSync(join(cwd, 'overloads.ts'), source)
  const { diagnostics } = await generate({ cwd, paths: ['overloads.ts'] })
  expect(diagnostics.map(({ message, position }) => [message, position?.line])).toEqual([
    ['@throws {Losst}: there is no Losst in this file’s scope', 6],
  ])
})

test('data that cannot be serialised is an error of the build', async () => {
  const { diagnostics } = await generated('{NotSerialisable} always')
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([['RPC121', 'fail @throws NotSerialisable.run']])
})

test('a client gets code and data of a declared error', async () => {
  const app = new Hono().route('/rpc', router)
  const client = createClient('http://localhost/rpc', { fetch: app.request })
  const error: unknown = await client.shelf.find('x').catch((reason: unknown) => reason)
  expect(isDeclared(error, 4444) && error.data).toEqual({ name: 'x', emptied: new Date(0) })
  expect([isDeclared(error, 4445), isRpcError(error, 4444), isRpcError(error, 4445), isRpcError(error)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([undefined, null, 4444, { code: 4444 }, new Error('x')].map((each) => isRpcError(each, 4444))).not.toContain(
    true,
  )
})

describe('the data of declared errors', () => {
  const app = new Hono().route('/rpc', dataRouter)
  const client = createDataClient('http://localhost/rpc', { fetch: app.request })
  const order = 'a-1' as OrderId
  const data = { price: new Decimal(1250n), due: new Date(0), number: 2n ** 60n, order }
  const rejected = (call: Promise<unknown>) => call.then(String, (reason: unknown) => reason)
  const sent = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request('/rpc', { method: 'POST', headers, body })
    return ((await response.json()) as { error: { data?: unknown } }).error.data
  }

  test('is sent by its declared type, without further members, or else as it is', async () => {
    const declared = { price: '1250', due: '1970-01-01T00:00:00.000Z', number: `${2n ** 60n}`, order }
    expect(await sent('order.pay', ['a-1', 'declared'])).toEqual(declared)
    expect(await sent('order.pay', ['a-1', 'other'])).toEqual({ due: 'never', internal: true })
  })

  test('has the values of its types in a client, in calls, batches and subscriptions', async () => {
    const error = await rejected(client.order.pay(order, 'declared'))
    if (!isDeclaredData(error, 4020)) throw error
    expectTypeOf(error.data).toEqualTypeOf<PaymentRequiredData | undefined>()
    expect(error.data).toEqual(data)
    const [settled] = await client.$batchSettled([client.$request.order.pay(order, 'declared')])
    expect(settled.status === 'rejected' && (settled.reason as RpcError).data).toEqual(data)
    expect(await watched(order)).toEqual(data)
  })

  test('remains as it was received if it is not of the type', async () => {
    const error = await rejected(client.order.pay(order, 'other'))
    expect(isRpcError(error, 4020) && error.data).toEqual({ due: 'never', internal: true })
  })

  test('may have several types for one code', async () => {
    const all = [1, 2, 3, 4].map(async (id) => {
      const error = await rejected(client.shelf.open(id))
      return isRpcError(error) && error.data
    })
    expect(await Promise.all(all)).toEqual([{ until: new Date(0) }, { to: 'cellar' }, null, { id: 4 }])
  })

  test('is on the docs page', async () => {
    const { procedures } = await import('../../fixtures/generate/error-data/expected.gen.js')
    const page = new RpcServer({ procedures, docs: true }).router()
    const text = await (await page.request('/', { headers: { Accept: 'text/html' } })).text()
    const errors = text.slice(text.indexOf('Errors</h4>'))
    expect(errors).toMatch(/4020.*PaymentRequired.*href="#[^"]*PaymentRequiredData"/s)
  })

  /** The data of the error by which a subscription ends; the client gets it over WebSocket. */
  async function watched(of: OrderId): Promise<unknown> {
    const error = { code: 4020, message: 'Payment required', data: await sent('order.pay', [of, 'declared']) }
    const subscribed: Transport = {
      ...({ contentType: 'application/json', native: false } as Transport),
      subscribe: (calls, request, options) => subscriptions.subscribe(calls, request, options),
      write: String,
      join: String,
      read: () => ['s'],
      exchange: async () => ({ ok: true, status: 200, bytes: new Uint8Array(), text: '', url: '' }),
    }
    const subscriptions = new Subscriptions()
    const items = createDataClient('http://localhost/rpc', { transport: subscribed }).order.watch(of)
    const next = items.next()
    await Promise.resolve()
    setTimeout(() => subscriptions.receive('order.watch', { subscription: 's', error }, 1))
    return next.catch((reason: RpcError) => reason.data)
  }
})

function generated(tag: string, line = `@throws ${tag}`) {
  const source = `import { RpcError, RpcInternalError, RpcResponseTooLarge, RpcTimeout } from 'rpc-gen'
import { Busy, Computed, EmptyShelf, Foreign, Generic, Gone, LongGone, NoSuchOrder, NotSerialisable, Nothing, SamePlace, WrongDate } from './errors.js'
import * as errors from './errors.js'
import type * as barrel from './barrel.js'

export class Beside extends RpcError {
  constructor() {
    super(4001, 'Beside')
  }
}

export const all = [RpcError, RpcInternalError, RpcResponseTooLarge, RpcTimeout, Busy, Computed, Gone, LongGone, WrongDate]

/**
 * Fails.
 *
 * @rpc
 * ${line}
 */
export function fail(): void {}
`
  writeFileSync(join(cwd, 'source.ts'), source)
  return generate({ cwd, paths: ['source.ts'], out: 'rpc.gen.ts' })
}
