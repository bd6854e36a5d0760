import type { AuthScheme, DescribedSecurity } from './security.js'

/**
 * Returns the schemes of rules by their names.
 *
 * @throws TypeError if two that differ have one name
 */
export function schemesIn(all: Iterable<{ readonly security?: DescribedSecurity }>): ReadonlyMap<string, AuthScheme> {
  const found = new Map<string, AuthScheme>()
  for (const { security = [] } of all) {
    for (const { scheme } of security.flat()) {
      if (!scheme) continue
      const { name, ...rest } = scheme
      const known = found.get(name) ?? (rest as AuthScheme)
      if (!isSameScheme(known, scheme)) {
        throw new TypeError(`two schemes of callers have the name ${name}: give each a name of its own in defineAuth`)
      }
      found.set(name, known)
    }
  }
  return found
}

/** True if two schemes are the same but for their names. */
export function isSameScheme(one: AuthScheme, other: AuthScheme): boolean {
  const [first, second] = [one, other].map(({ name: _, ...rest }) => JSON.stringify(Object.entries(rest).sort()))
  return first === second
}
