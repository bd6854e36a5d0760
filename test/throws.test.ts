import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from 'rpc-gen/generator'
import { afterAll, beforeAll, expect, test } from 'vitest'

const runtime = fileURLToPath(new URL('../runtime/index.ts', import.meta.url))
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
`

let cwd: string

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'rpc-gen-throws-'))
  const compilerOptions = {
    module: 'nodenext',
    lib: ['ES2023', 'DOM'],
    types: [],
    strict: true,
    paths: { 'rpc-gen': [runtime] },
  }
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(cwd, 'errors.ts'), errors)
})

afterAll(() => rmSync(cwd, { recursive: true }))

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
  ['{RangeError} of the language', { name: 'RangeError', text: 'of the language' }],
])('@throws %s', async (tag, throws) => {
  const source = `import { RpcError, RpcInternalError, RpcResponseTooLarge, RpcTimeout } from 'rpc-gen'
import { Busy, Computed, Gone, LongGone, WrongDate } from './errors.js'

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
  const { model, diagnostics } = await generate({ cwd, paths: ['source.ts'], out: 'rpc.gen.ts' })
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.throws).toEqual([throws])
})
