import type { Type } from './type.js'

/** Values by two types. */
export class PairMap<Value> {
  readonly #values = new Map<Type, Map<Type, Value>>()

  /** Returns the value of two types, and makes it first if there is none. */
  get(one: Type, other: Type, make: () => Value): Value {
    const byOther = this.#values.get(one) ?? new Map<Type, Value>()
    this.#values.set(one, byOther)
    const known = byOther.get(other)
    if (known !== undefined) return known
    const made = make()
    byOther.set(other, made)
    return made
  }
}

/** Whether one type is a subtype of another. */
interface Verdict {
  readonly compare: () => boolean
  isExamined: boolean
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
  const verdicts = new PairMap<Verdict>()
  const open: Verdict[] = []
  let current: Verdict | undefined
  let depth = 0

  const examine = (verdict: Verdict): void => {
    const outer = current
    current = verdict
    depth += 1
    verdict.isExamined = true
    verdict.holds = verdict.compare()
    depth -= 1
    current = outer
    if (!verdict.holds) open.push(...verdict.dependents)
  }

  const isSubtype = (sub: Type, sup: Type): boolean => {
    if (sub === sup) return true
    const verdict = verdicts.get(sub, sup, () => {
      return { compare: () => compare(sub, sup), isExamined: false, holds: true, dependents: new Set<Verdict>() }
    })
    if (!verdict.isExamined && depth < MAX_DEPTH) examine(verdict)
    else if (!verdict.isExamined) open.push(verdict)
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
