import { type Branch, innerTypesOf, type Type } from './type.js'

/** The types of one group, and their common key. */
interface Group {
  readonly members: Set<Type>
  key: string
}

/**
 * Gives types that accept the same values the same `group`, regardless of their names and the order of their branches: partition
 * refinement over everything that the types contain. All start in one group, until their keys, which contain the groups of their
 * parts, differ; then the types that contain them are examined again. The largest part of a group keeps its number, so that few
 * types are examined again.
 */
export function groupTypes(roots: Iterable<Type>): void {
  const users = usersOf(roots)
  const groups: Group[] = [{ members: new Set(users.keys()), key: '' }]
  for (const type of users.keys()) type.group = 0
  let unsure: Iterable<Type> = users.keys()
  for (;;) {
    const moved: Type[] = []
    for (const [group, byKey] of partsByKey(unsure, groups)) {
      for (const [key, members] of leaving(group, byKey)) {
        for (const type of members) type.group = groups.length
        groups.push({ members, key })
        moved.push(...members)
      }
    }
    if (moved.length === 0) return
    unsure = new Set(moved.flatMap((type) => users.get(type) ?? []))
  }
}

/** Every type that the roots contain, with those that contain it. */
function usersOf(roots: Iterable<Type>): ReadonlyMap<Type, readonly Type[]> {
  const users = new Map<Type, Type[]>(Array.from(roots, (type) => [type, []]))
  for (const [type] of users) {
    for (const part of new Set(type.branches().flatMap(innerTypesOf))) {
      const known = users.get(part)
      if (known) known.push(type)
      else users.set(part, [type])
    }
  }
  return users
}

function partsByKey(types: Iterable<Type>, groups: readonly Group[]): Map<Group, Map<string, Set<Type>>> {
  const found = new Map<Group, Map<string, Set<Type>>>()
  for (const type of types) {
    const group = groups[type.group] as Group
    const byKey = found.get(group) ?? new Map<string, Set<Type>>()
    found.set(group, byKey)
    const key = keyOfType(type)
    byKey.set(key, (byKey.get(key) ?? new Set<Type>()).add(type))
  }
  return found
}

/** The parts of a group that leave it. Members that were not examined have the key of the group. */
function leaving(group: Group, byKey: ReadonlyMap<string, Set<Type>>): [string, Set<Type>][] {
  const examined = new Set([...byKey.values()].flatMap((members) => [...members]))
  const parts = new Map(byKey)
  if (examined.size < group.members.size) {
    const rest = [...group.members].filter((type) => !examined.has(type))
    parts.set(group.key, new Set([...(byKey.get(group.key) ?? []), ...rest]))
  }
  const [largest, ...others] = [...parts].sort(([, a], [, b]) => b.size - a.size)
  if (largest) group.key = largest[0]
  for (const [, members] of others) for (const type of members) group.members.delete(type)
  return others
}

function keyOfType(type: Type): string {
  return [...new Set(type.branches().map(keyOf))].sort().join(' | ')
}

/** A key that branches which accept the same values share, once their parts are grouped. */
export function keyOf(branch: Branch): string {
  const { opaque } = branch
  return opaque ? `${plainKey(branch)} ${opaque.join()}` : plainKey(branch)
}

function plainKey(branch: Branch): string {
  switch (branch.kind) {
    case 'literal':
      return JSON.stringify(branch.value)
    case 'constant':
      return branch.text
    case 'number': {
      const { integer, least, most, above, below, steps } = branch
      return `number ${integer};${least};${most};${above};${below};${steps}`
    }
    case 'string': {
      const { least, most, patterns, formats } = branch
      return `string ${least};${most};${JSON.stringify(patterns)};${formats}`
    }
    case 'array': {
      const { prefix, rest, least, most, unique } = branch
      return `array ${prefix.map(({ group }) => group)};${rest?.group};${least};${most};${unique}`
    }
    case 'object': {
      const { members, patterns, others } = branch
      const named = Array.from(
        members,
        ([name, { type, required }]) => `${JSON.stringify(name)},${required},${type.group}`,
      )
      const matching = Array.from(patterns, ([pattern, type]) => `${JSON.stringify(pattern)},${type.group}`)
      const further = typeof others === 'string' ? others : others.group
      return `object ${named.sort().join(';')} ${matching.sort().join(';')} ${further}`
    }
    default:
      return branch.kind
  }
}
