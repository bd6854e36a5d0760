import { RpcServer } from 'rpc-gen'
import { createClient, tableCodec } from 'rpc-gen/client'
import {
  array,
  bigint,
  boolean,
  constrained,
  int,
  manifest,
  map,
  number,
  procedure,
  set,
  union,
} from 'rpc-gen/codegen/v1'
import { describe, expect, test } from 'vitest'
import { responseTo } from '../support/json-rpc.js'

// V8 hashes numbers without a secret seed: a caller may send thousands that have one hash, each of which is compared with all before it. What is
// compared is counted in steps, so that nothing here measures time.

const bigints = set(bigint)
const size = (values: unknown) => (values as { readonly size: number }).size
const keys = { pattern: '^.*$', numeric: 'number', text: 'number' } as const
const procedures = manifest({
  ints: procedure(size, { params: { values: set(int) }, returns: number }),
  numbers: procedure(size, { params: { values: set(number) }, returns: number }),
  bigints: procedure(size, { params: { values: bigints }, returns: number }),
  inUnion: procedure(size, { params: { values: union([set(bigint), set(boolean)]) }, returns: number }),
  map: procedure(size, { params: { values: map(number, keys) }, returns: number }),
  unique: procedure((values: unknown[]) => values.length, {
    params: { values: constrained(array(union([bigint, number])), { uniqueItems: true }) },
    returns: number,
  }),
})
const router = new RpcServer({ procedures, onError: () => {} }).router()

/** The hash function of V8 for 32 bits. */
function hashOf(key: number): number {
  let hash = (~key + (key << 15)) >>> 0
  hash = (hash ^ (hash >>> 12)) >>> 0
  hash = (hash + (hash << 2)) >>> 0
  hash = (hash ^ (hash >>> 4)) >>> 0
  hash = Math.imul(hash, 2057) >>> 0
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Integers whose hashes end with as many zeros. */
function intsOfOneHash(count: number, zeros = 13): number[] {
  const found: number[] = []
  for (let key = 0; found.length < count; key += 1) if ((hashOf(key) & (2 ** zeros - 1)) === 0) found.push(key)
  return found
}

const mask = 2n ** 64n - 1n

/** Undoes `hash ^ (hash >> bits)`. */
function unshifted(hash: bigint, bits: bigint): bigint {
  let found = hash
  for (let i = bits; i < 64n; i += bits) found = hash ^ (found >> bits)
  return found
}

/** Returns the number of 64 bits by which another one is divided. */
function inverse(of: bigint): bigint {
  let found = 1n
  for (let i = 0; i < 6; i += 1) found = (found * (2n - of * found)) & mask
  return found & mask
}

/** The 64 bits that V8 gives a hash; the inverse of its hash function. */
function bitsOf(hash: bigint): bigint {
  const first = unshifted((unshifted(hash, 22n) * inverse(65n)) & mask, 11n)
  return ((unshifted((first * inverse(21n)) & mask, 31n) + 1n) * inverse(2n ** 18n - 1n)) & mask
}

/** Texts of integers with one hash: they differ in the bits above the hash, or above those that V8 looks at. */
const bigintsOfOneHash = (count: number) =>
  Array.from({ length: count }, (_, i) => `${bitsOf((BigInt(i) << 30n) | 5n)}`)
const bigintsWithoutLowBits = (count: number) => Array.from({ length: count }, (_, i) => `${BigInt(i) << 64n}`)

function numbersOfOneHash(count: number): number[] {
  const bits = new BigUint64Array(1)
  const [all, found] = [new Float64Array(bits.buffer), [] as number[]]
  for (let i = 1n; found.length < count; i += 1n) {
    bits[0] = bitsOf((i << 30n) | 5n)
    const [value = 0] = all
    if (Number.isFinite(value)) found.push(value)
  }
  return found
}

const count = 9500
const membersOf = (values: readonly unknown[]) => Object.fromEntries(values.map((each) => [`${each}`, 1]))
const tooMany = { error: { code: -32600, data: 'more than 10000000 steps to read values' } }

describe('many numbers of one hash', () => {
  test.each([
    ['ints', intsOfOneHash(count)],
    ['numbers', numbersOfOneHash(count)],
    ['bigints', bigintsOfOneHash(count)],
    ['bigints', bigintsWithoutLowBits(count)],
    ['inUnion', bigintsWithoutLowBits(count)],
    ['map', membersOf(numbersOfOneHash(count))],
  ])('%s are counted', async (method, value) => {
    expect(await responseTo(router, method, [value])).toMatchObject(tooMany)
  })

  test('are counted when they are repeated', async () => {
    // They have one bucket in the table for 4,000 keys, and eight in one for the whole list.
    const values = intsOfOneHash(4000, 11)
    const repeated = Array.from({ length: 20_000 }, (_, i) => values[i % 100])
    expect(await responseTo(router, 'ints', [values])).toMatchObject({ result: 4000 })
    expect(await responseTo(router, 'ints', [[...values, ...repeated]])).toMatchObject(tooMany)
  })

  test('are compared as texts in a list without equal elements', async () => {
    const values = [...bigintsWithoutLowBits(count), ...numbersOfOneHash(count)]
    expect(await responseTo(router, 'unique', [values])).toMatchObject({ result: 2 * count })
    const [first] = numbersOfOneHash(1)
    expect(await responseTo(router, 'unique', [[...values, first]])).toMatchObject({ error: { code: -32602 } })
  })

  test('are counted in a client', async () => {
    const table = {
      methods: {
        bigints: { params: {}, result: ['set', 'bigint'] },
        map: { params: {}, result: ['map', 'any', 'number'] },
      },
      types: {},
    } as const
    let result: unknown
    const fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, result })
    const clientOf = () =>
      createClient('https://server.example/', { codec: tableCodec(table), fetch }) as unknown as {
        bigints(): Promise<Set<bigint>>
        map(): Promise<Map<number, number>>
      }
    result = bigintsWithoutLowBits(count)
    await expect(clientOf().bigints()).rejects.toThrow('bigints: result: expected at most 10000000 steps')
    result = membersOf(numbersOfOneHash(count))
    await expect(clientOf().map()).rejects.toThrow('map: result: expected at most 10000000 steps')
    result = bigintsOfOneHash(count / 10)
    expect((await clientOf().bigints()).size).toBe(count / 10)
  })
})

test('other large Sets and Maps take few steps', async () => {
  const values = Array.from({ length: 300_000 }, (_, i) => i * 8)
  expect(await responseTo(router, 'ints', [values])).toMatchObject({ result: 300_000 })
  expect(await responseTo(router, 'ints', [Array(300_000).fill(7)])).toMatchObject({ result: 1 })
  const large = values.slice(0, 100_000).map((each) => `${BigInt(each) * 10n ** 12n}`)
  expect(await responseTo(router, 'bigints', [large])).toMatchObject({ result: 100_000 })
  expect(await responseTo(router, 'map', [membersOf(large.map((each) => Number(each) / 3))])).toMatchObject({
    result: 100_000,
  })
})
