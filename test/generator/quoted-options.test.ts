import { expect, test } from 'vitest'
import { prepare } from '../support/compile-module.js'
import { generate } from '../support/generate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

test('quoted names of options are those options', async () => {
  const cwd = temporaryFolder('quoted-options')
  prepare(
    cwd,
    'api.ts',
    `import { defineScalar, RpcServer } from 'rpc-gen'
const server = new RpcServer()
export function guarded(ctx: unknown, a: string): string { return a }
function local(): void {}
server.registerProcedure(guarded, { 'auth': () => true, 'contextTarget': 'ctx' })
server.registerProcedure(local, { 'unchecked': true })
export class Money { readonly #cents = 1; cents(): number { return this.#cents } }
export const money = defineScalar<Money, number>({
  decode: () => new Money(), encode: (value) => value.cents(), 'schema': { 'format': 'cents' },
})
`,
  )
  const scalars = { Money: 'api.ts' }
  const { model, diagnostics } = await generate({ cwd, paths: ['api.ts'], requireAuth: true, scalars })
  expect(diagnostics).toEqual([])
  expect(model.procedures.map(({ name, contextAt }) => [name, contextAt])).toEqual([['guarded', [0]]])
})
