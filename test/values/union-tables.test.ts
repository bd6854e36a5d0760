import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import type { ModelType, NamedType } from '../../generator/model/model.js'
import { stepCounter } from '../support/step-counter.js'
import { compileModel } from '../types/compile-model.js'
import { procedureOf } from '../types/models.js'

// The work for unions without tags is that of their types and of the size of a value, whichever branches the value chooses at each level.

const countSteps = stepCounter()

const int: ModelType = { kind: 'int' }
const ref = (name: string): ModelType => ({ kind: 'ref', name })
const union = (...branches: ModelType[]): ModelType => ({ kind: 'union', branches })
const struct = (members: Readonly<Record<string, ModelType>>): ModelType => ({
  kind: 'struct',
  members: Object.entries(members).map(([name, type]) => ({ name, type, optional: true })),
})
const list = (...branches: ModelType[]): ModelType => ({ kind: 'array', element: union(...branches) })
const unique = (type: ModelType): ModelType => ({ ...type, constraints: { uniqueItems: true } })

/** Each path of `a` and `b` leads to a different set of these structs. */
const last = 18
const sets = Array.from({ length: last + 1 }, (_, i): NamedType => {
  const next = ref(`Q${i + 1}`)
  const [a, b] = i === 0 ? [union(ref('Q0'), next), ref('Q0')] : [next, next]
  return { name: `Q${i}`, type: struct({ ...(i < last && { a, b }), ...(i > 0 && { [`p${i}`]: int }) }) }
})

/** Structs that contain each other; `count` is that of all. */
const wide = (count: number): NamedType[] => {
  const all = Array.from({ length: count }, (_, i): NamedType => {
    const own = struct({ c: i % 17 ? { kind: 'any' } : union(ref(`All${count}`), { kind: 'null' }), [`m${i}`]: int })
    return { name: `W${count}x${i}`, type: own }
  })
  return [{ name: `All${count}`, type: union(...all.map(({ name }) => ref(name))) }, ...all]
}

/** Lists that contain each other, and structs with such lists, with and without equal elements. */
const lists = ['Free', 'Unique'].flatMap((name): NamedType[] => {
  const limit = name === 'Unique' ? unique : (type: ModelType) => type
  const [a, b] = [ref(`${name}A`), ref(`${name}B`)]
  return [
    { name: `${name}List`, type: union(ref(`${name}L`), ref(`${name}M`)) },
    { name: `${name}L`, type: limit(list(ref(`${name}List`), int)) },
    { name: `${name}M`, type: limit(list(ref(`${name}List`), { kind: 'string' })) },
    { name: `${name}Struct`, type: union(a, b) },
    { name: `${name}A`, type: struct({ k: limit(list(a, b)), p: int }) },
    { name: `${name}B`, type: struct({ k: limit(list(a, b, int)), q: int }) },
  ]
})

const types = [...sets, ...wide(26), ...wide(34), ...lists]
const byName = new Map(types.map((each) => [each.name, each]))
const methods: Record<string, ModelType> = {
  sets: union(ref('Q0'), ref('Q1')),
  wide26: list(ref('All26')),
  wide34: list(ref('All34')),
  ...Object.fromEntries(
    ['FreeList', 'UniqueList', 'FreeStruct', 'UniqueStruct'].map((name) => [name, list(ref(name))]),
  ),
}
const names = Object.keys(methods)
const all = Object.values(methods).map((type, i) => procedureOf(i, type, byName))
const { folder, procedures } = await compileModel({ version: 1, types, procedures: all })
const routers = (['strip', 'reject'] as const).map((unknownKeys) =>
  new RpcServer({ procedures, unknownKeys, onError: () => {} }).router(),
)

/** Returns the steps for a byte of a call. */
async function stepsOf(method: string, value: unknown, isValid = true): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `p${names.indexOf(method)}`, params: [value] })
  const call = async () => {
    for (const router of routers) {
      const headers = { 'Content-Type': 'application/json' }
      const text = await (await router.request('/', { method: 'POST', headers, body })).text()
      expect(text.slice(0, 300)).toContain(isValid ? '"result"' : '-32602')
    }
  }
  return (await countSteps(folder, call)) / body.length
}

function nest(leaf: unknown, around: (inner: unknown) => unknown, depth: number): unknown {
  return depth === 0 ? leaf : around(nest(leaf, around, depth - 1))
}

test('a value chooses another set of branches on each of its paths', async () => {
  const tree = (depth: number) => nest({}, (inner) => ({ a: inner, b: inner }), depth)
  await stepsOf('sets', tree(2))
  // Tables are made by the first call, as many as the types need.
  const [first, again] = [await stepsOf('sets', tree(12)), await stepsOf('sets', tree(12))]
  expect(first, `steps for a byte: ${first}, ${again}`).toBeLessThan(again * 1.3)
})

test('the tables of a union of more than 30 structs are found once', async () => {
  const value = Array.from({ length: 20 }, () => nest({}, (c) => ({ c }), 30))
  for (const method of ['wide26', 'wide34']) await stepsOf(method, value)
  const [one, two] = [await stepsOf('wide26', value), await stepsOf('wide34', value)]
  expect(two, `steps for a byte: ${one}, ${two}`).toBeLessThan(one * 5)
})

/** Without the constraint the lists are not even converted. */
describe('lists without equal elements', () => {
  const deep = (leaf: unknown, i: number) => [i, nest([leaf], (inner) => [inner], 100)]
  const inStructs = (leaf: unknown) => nest({ k: [leaf] }, (inner) => ({ k: [inner] }), 60)
  test.each([
    ['List', Array.from({ length: 20 }, (_, i) => deep(i, i)), true, 7],
    ['List', [...Array.from({ length: 20 }, (_, i) => deep(i, i)), [true]], false, 7],
    ['Struct', Array.from({ length: 20 }, (_, i) => inStructs(i)), true, 2.2],
    ['Struct', [...Array.from({ length: 20 }, (_, i) => inStructs(i)), { k: [true] }], false, 2.2],
  ])('%s', async (name, value, isValid, times) => {
    // The tables are made before.
    for (const kind of ['Free', 'Unique']) await stepsOf(`${kind}${name}`, value, isValid)
    const free = await stepsOf(`Free${name}`, value, isValid)
    const limited = await stepsOf(`Unique${name}`, value, isValid)
    expect(limited, `steps for a byte: ${free}, ${limited}`).toBeLessThan(free * times)
  })
})
