/** What renaming made of things, while the names are the same: who renames again gets the very same objects. */
export interface Renamed {
  readonly names: ReadonlyMap<string, string>
  readonly results: WeakMap<object, object>
}

/** What is known, where it was made with these names; else nothing yet. */
export function renamedWith(names: ReadonlyMap<string, string>, known: Renamed | undefined): Renamed {
  return known && isSame(names, known.names) ? known : { names: new Map(names), results: new WeakMap() }
}

/** The result of an earlier time, or of now. */
export function onceRenamed<Thing extends object, Result extends object>(
  thing: Thing,
  { results }: Renamed,
  rename: (thing: Thing) => Result,
): Result {
  const result = (results.get(thing) as Result | undefined) ?? rename(thing)
  results.set(thing, result)
  return result
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false
  for (const [name, to] of one) if (other.get(name) !== to) return false
  return true
}
