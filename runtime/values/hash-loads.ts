// Counts what a Set or a Map of numbers takes to make. V8 hashes texts with a secret seed, but numbers and bigints without one, so that a caller can
// send hundreds of thousands that have one hash: each is compared with all before it. Other values add nothing.
//
//   200,000 numbers of any kind  →  30,000 steps      10,000 bigints that differ from bit 64 on  →  12,500,000 steps
import type { StepLimit } from './wire.js'

/** Fewer keys take less than a millisecond, whatever they are. */
export const FEW_KEYS = 256

/** What is compared for one step. */
const COMPARISONS = 4

/** How many keys each bucket of a hash table has. Engines with other hash functions than V8 take no longer for other keys than these. */
export class HashLoads {
  readonly #loads: Uint32Array
  readonly #steps: StepLimit
  #comparisons = 0

  constructor(size: number, steps: StepLimit) {
    // V8 has one bucket for at most two keys.
    this.#loads = new Uint32Array(2 ** Math.floor(Math.log2(size)))
    this.#steps = steps
  }

  /** Counts the keys that one is compared with when it is looked up. `isNew`: it was added. @throws what the limit of steps throws */
  count(key: unknown, isNew = true): void {
    if (typeof key !== 'number' && typeof key !== 'bigint') return
    const bucket = hashOf(key) & (this.#loads.length - 1)
    const load = this.#loads[bucket] as number
    if (isNew) this.#loads[bucket] = load + 1
    this.#comparisons += load
    if (this.#comparisons < 1024) return
    this.#steps.take(this.#comparisons / COMPARISONS)
    this.#comparisons = 0
  }
}

/** Returns what counts the keys of a table, or undefined if they are few or the request is small. */
export function hashLoadsOf(size: number, steps: StepLimit | undefined): HashLoads | undefined {
  return steps && size > FEW_KEYS ? new HashLoads(size, steps) : undefined
}

/** Returns a Set of values that a caller has chosen. */
export function setOf(values: readonly unknown[], steps: StepLimit | undefined): Set<unknown> {
  const loads = hashLoadsOf(values.length, steps)
  if (!loads) return new Set(values)
  const set = new Set<unknown>()
  for (const each of values) {
    const { size } = set
    loads.count(each, set.add(each).size > size)
  }
  return set
}

/** Returns a Map of entries with different keys that a caller has chosen. */
export function mapOf<Key, Each>(entries: readonly [Key, Each][], steps: StepLimit | undefined): Map<Key, Each> {
  const loads = hashLoadsOf(entries.length, steps)
  const map = new Map<Key, Each>()
  for (const [key, each] of entries) {
    loads?.count(key)
    map.set(key, each)
  }
  return map
}

const double = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8))

/** The hash function of V8 for integers of 32 bits, and for the 64 bits of other numbers or the lowest ones of a bigint (`ComputeLongHash`). */
function hashOf(key: number | bigint): number {
  if (typeof key === 'number') {
    if (key === (key | 0)) return hashOfInt(key)
    double.setFloat64(0, key)
    return hashOfBits(double.getBigUint64(0))
  }
  return hashOfBits(BigInt.asUintN(64, key < 0n ? -key : key))
}

function hashOfInt(key: number): number {
  let hash = ~key + (key << 15)
  hash ^= hash >>> 12
  hash += hash << 2
  hash ^= hash >>> 4
  hash = Math.imul(hash, 2057)
  return hash ^ (hash >>> 16)
}

function hashOfBits(bits: bigint): number {
  let hash = BigInt.asUintN(64, (bits << 18n) - bits - 1n)
  hash = BigInt.asUintN(64, (hash ^ (hash >> 31n)) * 21n)
  hash = BigInt.asUintN(64, (hash ^ (hash >> 11n)) * 65n)
  return Number(BigInt.asUintN(30, hash ^ (hash >> 22n)))
}
