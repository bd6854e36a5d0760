import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Null is a value for one branch of a union, and an omitted member for another one.

const members = ['?: Int', '?: Int | null', ': Int | null', ': null', '?: null', ': Int'] as const

/** Every struct of a member or two. */
const structs = members.flatMap((a) => [`{ a${a} }`, ...members.map((b) => `{ a${a}; b${b} }`)])
const pairs = structs.flatMap((first, i) => structs.slice(i + 1).map((second) => `${first} | ${second}`))
const unions = pairs.filter((_, i) => i % 8 === 0)

const values = [{}, { a: null }, { a: 1 }].flatMap((a) => [{}, { b: null }, { b: 1 }].map((b) => ({ ...a, ...b })))

const folder = temporaryFolder('null-members')

test('what a union accepts can be sent back, and is accepted again', async () => {
  const source = unions.map((union, i) => `/** @rpc */\nexport const u${i} = (v: ${union}): ${union} => v\n`)
  const procedures = await compileModule(
    folder,
    'null-members.ts',
    `import type { Int } from 'rpc-gen'\n${source.join('')}`,
  )
  const app = new RpcServer({ procedures, onError: () => {} }).router()
  const wrong: unknown[] = []
  let accepted = 0
  for (const [i, union] of unions.entries()) {
    for (const value of values) {
      const { result, error } = await responseTo(app, `u${i}`, [value])
      if (error?.code === -32602) continue
      accepted += 1
      const again = error ?? (await responseTo(app, `u${i}`, [result])).error
      if (again) wrong.push([union, value, result, again])
    }
  }
  expect(wrong).toEqual([])
  expect(accepted).toBeGreaterThan(300)
})

test('a struct whose first member is itself or null: what is no such struct is invalid, not an endless search', async () => {
  const source = `import type { Int } from 'rpc-gen'
    export interface Node { next: Node | null; value?: Int }
    export interface Left { right: Right | null }
    export interface Right { left: Left | null }
    /** @rpc */
    export const chain = (v: Node): Node => v
    /** @rpc */
    export const pair = (v: Left): Left => v\n`
  const procedures = await compileModule(temporaryFolder('chains'), 'chains.ts', source)
  const app = new RpcServer({ procedures, onError: () => {} }).router()
  const valid = { chain: { next: { next: null, value: 1 } }, pair: { right: { left: { right: null } } } }
  for (const [name, value] of Object.entries(valid)) {
    expect(await responseTo(app, name, [value])).toMatchObject({ result: value })
    for (const wrong of [1, 'x', true, {}, [], { next: 1 }, { next: {} }, { right: 1 }, { right: {} }]) {
      expect([wrong, (await responseTo(app, name, [wrong])).error?.code]).toEqual([wrong, -32602])
    }
  }
})
