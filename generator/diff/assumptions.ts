import type { Type } from './type.js'

/** Whether one type is a subtype of another. */
interface Verdict {
  readonly sub: Type
  readonly sup: Type
  holds: boolean
  /** The verdicts that rely on this one. */
  readonly dependents: Set<Verdict>
}

/** Types that are nested deeper are compared later, so that the stack does not overflow. */
const MAX_DEPTH = 50

/**
 * A recursive type contains itself, so a type is assumed to be a subtype until it is disproved; then what relies on it is compared again.
 * `settled` repeats a test until no assumption is open.
 */
export function createAssumptions(compare: (sub: Type, sup: Type) => boolean) {
  const verdicts = new Map<Type, Map<Type, Verdict>>()
  const open: Verdict[] = []
  let current: Verdict | undefined
  let depth = 0

  const examine = (verdict: Verdict): void => {
    const outer = current
    current = verdict
    depth += 1
    verdict.holds = compare(verdict.sub, verdict.sup)
    depth -= 1
    current = outer
    if (!verdict.holds) open.push(...verdict.dependents)
  }

  const isSubtype = (sub: Type, sup: Type): boolean => {
    if (sub === sup) return true
    const bySup = verdicts.get(sub) ?? new Map<Type, Verdict>()
    verdicts.set(sub, bySup)
    let verdict = bySup.get(sup)
    if (!verdict) {
      verdict = { sub, sup, holds: true, dependents: new Set() }
      bySup.set(sup, verdict)
      if (depth < MAX_DEPTH) examine(verdict)
      else open.push(verdict)
    }
    if (verdict.holds && current) verdict.dependents.add(current)
    return verdict.holds
  }

  const settled = (test: () => boolean): boolean => {
    while (test()) {
      if (open.length === 0) return true
      for (let next = open.pop(); next; next = open.pop()) if (next.holds) examine(next)
    }
    return false
  }
  return { isSubtype, settled }
}
