/** Returns a function that computes its result for an object once, such as a type, which never changes. */
export function memoize<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = compute(key)
    results.set(key, result)
    return result
  }
}

/**
 * Results for pairs of a key and a value, each computed once. A recursive type checks the same pair of a type and an object
 * once for every branch that contains it; without the cache the work doubles at each level of nesting.
 */
export class PairCache<Key, Result> {
  readonly #results = new Map<Key, Map<unknown, Result>>()

  /** Returns the result for a pair, from `compute` the first time. Only objects and strings are kept: the rest is cheap. */
  get(key: Key, value: unknown, compute: () => Result): Result {
    if ((typeof value !== 'object' && typeof value !== 'string') || value === null) return compute()
    const results = this.#results.get(key) ?? new Map<unknown, Result>()
    this.#results.set(key, results)
    const known = results.get(value)
    if (known !== undefined || results.has(value)) return known as Result
    const result = compute()
    results.set(value, result)
    return result
  }
}
