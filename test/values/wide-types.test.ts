import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import type { ModelType } from '../../generator/model/model.js'
import { writeValue } from '../../runtime/xmlrpc/encode.js'
import { stepCounter } from '../support/step-counter.js'
import { compileModel } from '../types/compile-model.js'
import { procedureOf } from '../types/models.js'

// The work for an element does not grow with the number of literals or optional members of its type.

const sizes = [60, 1900] as const

const countSteps = stepCounter()

/** What the text of one error may take; 400 elements that are compared with 1,900 literals or members take more than 700,000 steps. */
const oneError = 200_000

const literals = (count: number, start = 'x'): ModelType[] => {
  return Array.from({ length: count }, (_, i) => ({ kind: 'literal', value: `${start}${i}` }))
}
const struct = (count: number, type: ModelType): ModelType => ({
  kind: 'struct',
  members: Array.from({ length: count }, (_, i) => ({ name: `o${i}`, type, optional: true })),
})
const union = (...branches: ModelType[]): ModelType => ({ kind: 'union', branches })

/** For each form of type: the type of a size, a valid element, and a bad one. */
const forms: Record<string, readonly [typeOf: (count: number) => ModelType, good: unknown, bad: unknown]> = {
  literals: [(count) => union(...literals(count)), 'x59', 'z'],
  numbers: [(count) => union(...literals(count).map((_, i): ModelType => ({ kind: 'literal', value: i }))), 59, -1],
  mixed: [(count) => union(...literals(count), { kind: 'int' }, { kind: 'null' }), 'x59', 'z'],
  members: [(count) => struct(count, { kind: 'int' }), { o59: 1, o1: 2 }, { o1: true }],
  empty: [(count) => struct(count, { kind: 'string' }), {}, 1],
  structs: [
    (count) => union(struct(count, { kind: 'int' }), struct(count, union({ kind: 'string' }, { kind: 'int' }))),
    { o59: 1 },
    { o1: true },
  ],
  inside: [
    (count) =>
      union(
        ...['a', 'b'].map((name): ModelType => {
          const members = [
            { name: 'k', type: union(...literals(count, name)) },
            { name, type: { kind: 'int' } as const, optional: true },
          ]
          return { kind: 'struct', members }
        }),
      ),
    { k: 'b59' },
    { k: 'z' },
  ],
}

const entries = Object.entries(forms)
const all = entries.flatMap(([, [typeOf]], i) =>
  sizes.map((size, k) => procedureOf(2 * i + k, { kind: 'array', element: typeOf(size) }, new Map())),
)
const { folder, procedures } = await compileModel({ version: 1, types: [], procedures: all })
const router = new RpcServer({ procedures, onError: () => {} }).router()

async function post(type: string, body: string): Promise<string> {
  return (await router.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })).text()
}

const protocols: Record<string, (method: string, value: unknown) => Promise<string>> = {
  json: (method, value) => post('application/json', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [value] })),
  xml(method, value) {
    const text = writeValue({ kind: 'any' }, value)
    return post(
      'text/xml',
      `<methodCall><methodName>${method}</methodName><params><param>${text}</param></params></methodCall>`,
    )
  },
}

describe.each(Object.entries(protocols))('%s', (_, call) => {
  test.each(entries.map(([name, form], i) => [name, form, i] as const))('%s', async (_, [, good, bad], i) => {
    const valid = Array.from({ length: 400 }, () => good)
    for (const value of [valid, [...valid, bad]]) {
      const counts: number[] = []
      for (const [k] of sizes.entries()) {
        const method = `p${2 * i + k}`
        const text = await call(method, value)
        expect(/"error"|<fault>/.test(text)).toBe(value !== valid)
        counts.push(await countSteps(folder, () => call(method, value)))
      }
      const [few = 0, many = 0] = counts
      expect(many, `steps: ${counts.join(', ')}`).toBeLessThan(few * 1.2 + oneError)
    }
  })
})
