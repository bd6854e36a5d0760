import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/mixed-recursion/expected.gen.js'
import type { Procedure } from '../../runtime/call/types.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { responseTo } from '../support/json-rpc.js'

/** Deep enough that exponential work would take minutes. */
const levels = 28

const at = '2020-01-02T03:04:05.000Z'

function nest(leaf: unknown, around: (inner: unknown, level: number) => unknown): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner, _, level) => around(inner, level), leaf)
}

/** A value of each procedure around a leaf, with its branches in turn. */
const towers: Readonly<Record<string, (leaf: unknown) => unknown>> = {
  inline: (leaf) =>
    nest(leaf, (inner, level) => ({ kids: ['text', inner], ...(level % 2 ? { type: 'em', at } : { type: 'b' }) })),
  sum: (leaf) => nest(leaf, (inner, level) => (level % 2 ? { a: inner, op: '+' } : { b: inner, op: 'neg', at })),
  numeric: (leaf) =>
    nest(leaf, (inner, level) => (level % 2 ? { left: 1, right: inner, op: 'add' } : { of: inner, op: 'negate' })),
  listed: (leaf) =>
    nest(leaf, (inner, level) => [{ a: inner, op: '+' }, { b: inner, op: 'neg', at }, [inner]][level % 3]),
  blocks: (leaf) => [
    nest(leaf, (inner, level) => ({
      kids: [inner],
      ...(level % 2 ? { said: at, type: 'quote' } : { type: 'section' }),
    })),
  ],
  sided: (leaf) => nest(leaf, (inner, level) => (level % 2 ? { a: inner, op: '+' } : { b: inner, op: 'neg', at })),
  opened: (leaf) =>
    nest(leaf, (inner, level) => (level % 2 ? { next: inner, type: 'open' } : { in: [inner], type: 'shut' })),
}

const leaves: Readonly<Record<string, unknown>> = {
  inline: 'leaf',
  sum: 'leaf',
  numeric: 1.5,
  listed: [],
  blocks: 'leaf',
  sided: [at],
  opened: null,
}

const server = new RpcServer({ procedures, unknownKeys: 'reject' })

const call = (method: string, value: unknown) => responseTo(server.router(), method, [value])

function datesIn(value: unknown): number {
  if (value instanceof Date) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + datesIn(each), 0)
}

async function quickly<T>(act: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await act()
  expect(performance.now() - start).toBeLessThan(30_000)
  return result
}

describe.each(Object.keys(towers))('%s: a union of structs with a tag, and of other types', (method) => {
  const tower = (leaf: unknown) => towers[method]?.(leaf)

  test('deep values are accepted and returned unchanged', async () => {
    const value = tower(leaves[method])
    expect((await quickly(() => call(method, value))).result).toEqual(value)
  })

  test.each([[true], [{}], [{ op: 'other', type: 'other' }], [{ b: 'x', op: 'neg', at: 'no date' }]])(
    'a deep mismatch is rejected: %j',
    async (leaf) => {
      expect((await quickly(() => call(method, tower(leaf)))).error?.code).toBe(-32602)
    },
  )

  test('dates in it are Dates to the function, at every level', () => {
    const procedure: Procedure = procedures[method as keyof typeof procedures]
    const value = [tower(leaves[method])]
    const sent = JSON.stringify(value).split(at).length - 1
    expect(datesIn(procedure.read(value, jsonWires.decode))).toBe(sent)
  })
})
