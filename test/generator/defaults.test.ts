import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { createTestProject } from '../support/project.js'

// Defaults as values: the same on every machine, or none.

const dates: readonly (readonly [code: string, value: string | undefined])[] = [
  ['0', '1970-01-01T00:00:00.000Z'],
  ["'2026-01-02'", '2026-01-02T00:00:00.000Z'],
  ["'2026-01-02T03:04Z'", '2026-01-02T03:04:00.000Z'],
  ["'2026-01-02T03:04:05+01:00'", '2026-01-02T02:04:05.000Z'],
  ['2026, 0, 2', undefined],
  ["'2026-01-02T03:04'", undefined],
  ["'Jan 2, 2026'", undefined],
  ["'1-2-2026'", undefined],
  ['', undefined],
]

test('a date that depends on the time zone of the machine is not a default', async () => {
  const params = dates.map(([code], i) => `p${i} = new Date(${code})`).join(', ')
  const source = `/** @rpc */\nexport function f(${params}): void {}\n`
  const { folder, remove } = createTestProject({ 'api.ts': source })
  const { model, diagnostics } = await generate({ cwd: folder, paths: ['api.ts'] })
  remove('.')
  expect(diagnostics).toEqual([])
  expect(model.procedures[0]?.params.map((each) => each.default)).toEqual(dates.map(([, value]) => value))
})

test('a default that is documented as undefined is none', async () => {
  const source = `/** @rpc
 * @param [b=undefined] One
 */
export function f(a: { /** @default undefined */ note?: string; /** @default null */ other?: null }, b?: string): void {}\n`
  const { folder, remove } = createTestProject({ 'api.ts': source })
  const { model } = await generate({ cwd: folder, paths: ['api.ts'] })
  remove('.')
  const [type] = model.types.map((each) => each.type)
  expect(type?.kind === 'struct' && type.members).toEqual([
    { name: 'note', type: { kind: 'string' }, optional: true },
    { name: 'other', type: { kind: 'null' }, optional: true, default: null },
  ])
  expect(model.procedures[0]?.params[1]).toEqual({ name: 'b', type: { kind: 'string' }, optional: true, doc: 'One' })
})
