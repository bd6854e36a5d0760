/** Memoises a function of two objects. */
export function memoised<A, B, Result>(make: (a: A, b: B) => Result): (a: A, b: B) => Result {
  const known = new Map<A, Map<B, Result>>()
  return (a, b) => {
    let results = known.get(a)
    if (!results) {
      results = new Map()
      known.set(a, results)
    }
    const before = results.get(b)
    if (before !== undefined) return before
    const result = make(a, b)
    results.set(b, result)
    return result
  }
}
