import { partsOf, type Type } from './type.js'

/** The types of one group, and the key that they have in common. */
interface Group {
  readonly members: Set<Type>
  key: string
}

/**
 * Groups types that contain themselves: all are taken for the same until their keys, which have the groups of their
 * parts, tell them apart; then whatever contains them is looked at again. Groups are numbered from `first`. The largest
 * part of a group stays what it was, so that few are looked at again.
 */
export function refine(types: readonly Type[], first: number, keyOf: (type: Type) => string): void {
  const groups: Group[] = [{ members: new Set(types), key: '' }]
  for (const type of types) type.group = first
  const users = usersOf(types)
  let unsure: Iterable<Type> = types
  for (;;) {
    const parted = partsByKey(unsure, keyOf)
    const moved: Type[] = []
    for (const [number, byKey] of parted) {
      for (const [key, members] of leaving(groups[number - first], byKey)) {
        const group = first + groups.length
        groups.push({ members, key })
        for (const type of members) type.group = group
        moved.push(...members)
      }
    }
    if (moved.length === 0) return
    unsure = new Set(moved.flatMap((type) => users.get(type) ?? []))
  }
}

/** Which types contain one. */
function usersOf(types: readonly Type[]): ReadonlyMap<Type, readonly Type[]> {
  const users = new Map<Type, Type[]>(types.map((type) => [type, []]))
  for (const type of types) {
    for (const part of new Set(type.branches().flatMap(partsOf))) users.get(part)?.push(type)
  }
  return users
}

/** By group, then by key. */
function partsByKey(types: Iterable<Type>, keyOf: (type: Type) => string): Map<number, Map<string, Set<Type>>> {
  const found = new Map<number, Map<string, Set<Type>>>()
  for (const type of types) {
    const byKey = found.get(type.group) ?? new Map<string, Set<Type>>()
    found.set(type.group, byKey)
    const key = keyOf(type)
    const same = byKey.get(key) ?? new Set<Type>()
    byKey.set(key, same.add(type))
  }
  return found
}

/** Parts of a group that have to leave it. Whoever was not looked at has the key that the group had. */
function leaving(group: Group | undefined, byKey: ReadonlyMap<string, Set<Type>>): [string, Set<Type>][] {
  if (!group) return []
  let rest = group.members.size
  for (const members of byKey.values()) rest -= members.size
  const parts = [...byKey]
  if (rest > 0) {
    const looked = new Set(parts.flatMap(([, members]) => [...members]))
    const same = byKey.get(group.key) ?? new Set<Type>()
    for (const type of group.members) if (!looked.has(type)) same.add(type)
    if (!byKey.has(group.key)) parts.push([group.key, same])
  }
  const [largest, ...others] = parts.sort(([, a], [, b]) => b.size - a.size)
  if (largest) group.key = largest[0]
  for (const [, members] of others) for (const type of members) group.members.delete(type)
  return others
}
