import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { isRpcError } from 'rpc-gen'
import { beforeAll, expect, test } from 'vitest'
import { createClient, isRpcError as isDeclared } from '../fixtures/generate/errors/expected.client.gen.js'
import { router } from '../fixtures/generate/errors/expected.gen.js'
import { generate } from './support/generate.js'
import { paths } from './support/paths.js'
import { temporaryFolder } from './support/temporary-folder.js'

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
export class Nothing extends RpcError<4004, null> {}
export class Generic<Data> extends RpcError<4005, Data> {}
export class Foreign extends Error {
  readonly code = 4007
  readonly data = { run: () => 1 }
}
export class NotSerialisable extends RpcError<4006, { run: () => void }> {}
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
  ['{Elsewhere} out of scope', { name: 'Elsewhere', text: 'out of scope' }],
  [
    '{NoSuchOrder} with data',
    {
      name: 'NoSuchOrder',
      code: 4444,
      text: 'with data',
      data: { kind: 'ref', name: 'FailThrowsNoSuchOrder' },
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
  const position = { file: 'source.ts', line: 16, column: 4 }
  expect(diagnostics).toEqual(messages.map((message) => ({ code: 'RPC130', message, position, hint })))
})

test('data that cannot be serialised is an error of the build', async () => {
  const { diagnostics } = await generated('{NotSerialisable} always')
  expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([['RPC121', 'fail @throws NotSerialisable.run']])
})

test('a client gets code and data of a declared error', async () => {
  const app = new Hono().route('/rpc', router)
  const client = createClient('http://localhost/rpc', { fetch: app.request })
  const error: unknown = await client.shelf.find('x').catch((reason: unknown) => reason)
  expect(isDeclared(error, 4444) && error.data).toEqual({ name: 'x', emptied: '1970-01-01T00:00:00.000Z' })
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

function generated(tag: string) {
  const source = `import { RpcError, RpcInternalError, RpcResponseTooLarge, RpcTimeout } from 'rpc-gen'
import { Busy, Computed, EmptyShelf, Foreign, Generic, Gone, LongGone, NoSuchOrder, NotSerialisable, Nothing, WrongDate } from './errors.js'

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
 * @throws ${tag}
 */
export function fail(): void {}
`
  writeFileSync(join(cwd, 'source.ts'), source)
  return generate({ cwd, paths: ['source.ts'], out: 'rpc.gen.ts' })
}
