// Makes Sets and Maps of what a caller has chosen, and counts what V8 compares for it. V8 hashes texts with a secret seed, but numbers and bigints
// without one, so that a caller can send thousands that have one hash: each is compared with all before it. Other keys add nothing.
//
//   200,000 numbers of any kind  →  71,000 steps      10,000 bigints that differ from bit 64 on  →  12,500,000 steps
import type { StepLimit } from './wire.js'

/** Fewer keys take less than a millisecond, whatever they are. */
const FEW_KEYS = 256

/** What is compared for one step. */
const COMPARISONS = 4

/** Returns a Set of values that a caller has chosen. @throws what the limit of steps throws */
export function setOf(values: readonly unknown[], steps: StepLimit | undefined): Set<unknown> {
  if (!steps || values.length <= FEW_KEYS) return new Set(values)
  const set = new Set<unknown>()
  addKeys(hashesOf(values), steps, (i) => set.add(values[i]).size)
  return set
}

/** Returns a Map of entries that a caller has chosen. @throws what the limit of steps throws */
export function mapOf<Key, Each>(entries: readonly [Key, Each][], steps: StepLimit | undefined): Map<Key, Each> {
  if (!steps || entries.length <= FEW_KEYS) return new Map(entries)
  const map = new Map<Key, Each>()
  const keys = entries.map(([key]) => key)
  addKeys(hashesOf(keys), steps, (i) => map.set(...(entries[i] as [Key, Each])).size)
  return map
}

/**
 * Adds keys, and counts those that each is compared with, by the table that V8 keeps: it has one bucket for at most two keys, and twice as many when
 * there are more. Engines with other hash functions than V8 take no longer for other keys than these.
 *
 * @param hashes those of the keys; overwritten
 * @param add returns how many keys there are with the one at an index
 */
function addKeys(hashes: Int32Array, steps: StepLimit, add: (index: number) => number): void {
  let loads: Uint32Array = new Uint32Array(2)
  let size = 0
  let numbers = 0
  let comparisons = 0
  for (let i = 0; i < hashes.length; i += 1) {
    const newSize = add(i)
    const hash = hashes[i] as number
    if (hash === NO_HASH) continue
    comparisons += loads[hash & (loads.length - 1)] as number
    if (newSize > size) {
      size = newSize
      hashes[numbers] = hash
      numbers += 1
      if (size > 2 * loads.length) loads = loadsOf(hashes.subarray(0, numbers), 2 * loads.length)
      else (loads[hash & (loads.length - 1)] as number) += 1
    }
    if (comparisons < 1024) continue
    steps.take(comparisons / COMPARISONS)
    comparisons = 0
  }
}

/** Returns how many keys each bucket has. */
function loadsOf(hashes: Int32Array, buckets: number): Uint32Array {
  const loads = new Uint32Array(buckets)
  for (let i = 0; i < hashes.length; i += 1) (loads[(hashes[i] as number) & (buckets - 1)] as number) += 1
  return loads
}

/** Instead of the hash of a key that is not a number. */
const NO_HASH = -1

/** Returns the hashes of 30 bits. All in one loop, they take half the time. */
function hashesOf(keys: readonly unknown[]): Int32Array {
  const hashes = new Int32Array(keys.length)
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]
    hashes[i] = typeof key === 'number' || typeof key === 'bigint' ? hashOf(key) & 0x3fffffff : NO_HASH
  }
  return hashes
}

const bits = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8))

/** The hash function of V8 for integers of 32 bits, and for the 64 bits of other numbers or the lowest ones of a bigint (`ComputeLongHash`). */
function hashOf(key: number | bigint): number {
  if (typeof key === 'bigint') bits.setBigUint64(0, key < 0n ? -key : key)
  else if (key === (key | 0)) return hashOfInt(key)
  else bits.setFloat64(0, key)
  return hashOfBits(bits.getInt32(0), bits.getInt32(4))
}

function hashOfInt(key: number): number {
  let hash = ~key + (key << 15)
  hash ^= hash >>> 12
  hash += hash << 2
  hash ^= hash >>> 4
  hash = Math.imul(hash, 2057)
  return hash ^ (hash >>> 16)
}

/** Returns the lower half of a hash of 64 bits. With bigints instead of two halves, a Set of doubles would take half as long again. */
function hashOfBits(high: number, low: number): number {
  // bits * 2 ** 18 - bits - 1
  let sum = (~low >>> 0) + ((low << 18) >>> 0)
  let upper = ~high + ((high << 18) | (low >>> 14)) + (sum > 0xffffffff ? 1 : 0)
  let lower = sum ^ ((upper << 1) | (sum >>> 31))
  upper ^= upper >>> 31
  sum = (lower >>> 0) * 21
  upper = Math.imul(upper, 21) + Math.floor(sum / 2 ** 32)
  lower = sum ^ ((sum >>> 11) | (upper << 21))
  upper ^= upper >>> 11
  sum = (lower >>> 0) * 65
  upper = Math.imul(upper, 65) + Math.floor(sum / 2 ** 32)
  return sum ^ ((sum >>> 22) | (upper << 10))
}
