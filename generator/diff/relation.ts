// The relation of types: one is a subtype of another if the other accepts each of its values. Params are contravariant (a new type
// has to be a supertype), results covariant (a new type has to be a subtype):
//
//     Int <: number      'a' <: 'a' | 'b'      { a: Int, b: Int } <: { a: number }
import { hasWithin, isWithin, stepsWithin } from './limits.js'
import { isAbsent, type MemberPair, memberPairsOf } from './members.js'
import type { Steps } from './steps.js'
import { Branch, isConstant, literal, type Type } from './type.js'

/**
 * What of two types has to agree. `json`: their values in JSON. `xml`: also the elements of these values in XML-RPC. `contract`: also which
 * members are declared, which receivers in JSON do not notice.
 */
export type Strictness = 'json' | 'xml' | 'contract'

/** True if the values of `sub` are values of `sup`, apart from their elements and members. Takes the steps to compare limits and texts. */
export function isBranchWithin(sub: Branch, sup: Branch, steps: Steps): boolean {
  if (sup.kind !== 'any' && sub.kind !== sup.kind) return false
  steps.take(`${sub.text ?? sub.value}`.length >> 8)
  if (sup.value !== undefined) return sub.value === sup.value
  const value = sup.kind === 'any' ? undefined : sub.value
  steps.take(stepsWithin(value === undefined ? sub.limits : [['pattern', `${value}`]], sup.limits))
  if (sup.kind !== 'any' && sub.text !== sup.text) return false
  return value === undefined ? isWithin(sub.limits, sup.limits) : hasWithin(value, sup.limits)
}

/** Values by two types, or two branches. */
export class PairMap<Value, Key extends object = Type> {
  readonly #values = new WeakMap<Key, WeakMap<Key, Value>>()

  /** Returns the value of two keys, and makes it first if there is none. */
  get(one: Key, other: Key, make: () => Value): Value {
    const byOther = this.#values.get(one) ?? new WeakMap<Key, Value>()
    const value = byOther.get(other) ?? make()
    this.#values.set(one, byOther.set(other, value))
    return value
  }
}

/** Whether one type is a subtype of another, or the parts of one branch of those of another. */
interface Verdict {
  readonly test: () => boolean
  /** Undefined until it is examined. */
  holds: boolean | undefined
  /** The verdicts that rely on this one. */
  readonly dependents: Set<Verdict>
}

/** Types that are nested deeper are compared later, so that the stack does not overflow. */
const MAX_DEPTH = 100

/** A branch is divided into no more parts than these, which together have its values: values and elements multiply. */
const MAX_PARTS = 64

/**
 * The relation. `true` is always right; `false` may be wrong for unions that divide the same values in another way. Unknown keys are
 * ignored: senders do not send them, and receivers ignore them. What is found about two types is kept.
 *
 * A recursive type contains itself, so a type is assumed to be a subtype until it is disproved; then what relies on it is compared again.
 */
export class Relation {
  readonly #strictness: Strictness
  readonly #steps: Steps
  readonly #verdicts = new PairMap<Verdict>()
  readonly #ofBranches = new PairMap<Verdict, Branch>()
  readonly #divisions = new WeakMap<Branch, readonly Branch[]>()
  /** Verdicts to examine, again or for the first time. */
  readonly #open: Verdict[] = []
  #current: Verdict | undefined
  #depth = 0
  /** Of the schemas in a `not` or a `oneOf`, those members count too that receivers ignore: what one of them rejects is accepted. */
  readonly #exact: Relation

  constructor(strictness: Strictness, steps: Steps) {
    this.#strictness = strictness
    this.#steps = steps
    this.#exact = strictness === 'contract' ? this : new Relation('contract', steps)
  }

  isSubtype(sub: Type, sup: Type): boolean {
    return this.#settled(() => this.#isSubtype(sub, sup))
  }

  /** True if a type accepts the values of branches. */
  areWithin(branches: readonly Branch[], sup: Type): boolean {
    this.#steps.take(1)
    return this.#settled(() => this.#areWithin(branches, sup))
  }

  /** Repeats a test until no assumption is open. */
  #settled(test: () => boolean): boolean {
    while (test()) {
      if (this.#open.length === 0) return true
      for (let next = this.#open.pop(); next; next = this.#open.pop()) if (next.holds !== false) this.#examine(next)
    }
    return false
  }

  #isSubtype(sub: Type, sup: Type): boolean {
    if (sub === sup) return true
    // A constant has no parts: there is nothing to assume.
    const [only, more] = sub.branches
    if (only && !more && isConstant(only)) return this.#areWithin(sub.branches, sup)
    return this.#holds(this.#verdicts, sub, sup, () => this.#areWithin(sub.branches, sup))
  }

  /** Returns what is known or assumed about two types or branches. */
  #holds<Key extends object>(known: PairMap<Verdict, Key>, sub: Key, sup: Key, test: () => boolean): boolean {
    const verdict = known.get(sub, sup, () => ({ test, holds: undefined, dependents: new Set() }))
    if (verdict.holds === undefined && this.#depth < MAX_DEPTH) this.#examine(verdict)
    else if (verdict.holds === undefined) this.#open.push(verdict)
    if (verdict.holds !== false && this.#current) verdict.dependents.add(this.#current)
    return verdict.holds !== false
  }

  #examine(verdict: Verdict): void {
    const outer = this.#current
    this.#current = verdict
    this.#depth += 1
    verdict.holds = true
    verdict.holds = verdict.test()
    this.#depth -= 1
    this.#current = outer
    if (!verdict.holds) for (const each of verdict.dependents) this.#open.push(each)
  }

  #areWithin(branches: readonly Branch[], sup: Type, most = MAX_PARTS): boolean {
    return branches.every((one, i) => {
      // Versions of a union mostly have the same order.
      const same = sup.branches[i]
      if (same && this.#isWithin(one, same)) return true
      this.#steps.take(1)
      if (sup.candidatesFor(one, this.#steps).some((other) => this.#isWithin(one, other))) return true
      const parts = this.#divided(one)
      return parts.length > 0 && parts.length <= most && this.#areWithin(parts, sup, most / parts.length)
    })
  }

  #isWithin(sub: Branch, sup: Branch): boolean {
    this.#steps.take(1)
    if (sub === sup) return true
    if (this.#strictness !== 'json' && sup.kind !== 'any' && !agreeInXml(sub, sup)) return false
    if (!isBranchWithin(sub, sup, this.#steps)) return false
    const hasParts = sub.kind === sup.kind && /^(?:list|object|opaque)$/.test(sub.kind)
    // Many unions may have one object.
    return !hasParts || this.#holds(this.#ofBranches, sub, sup, () => this.#areMembersWithin(sub, sup))
  }

  #areMembersWithin(sub: Branch, sup: Branch): boolean {
    const pairs = memberPairsOf(sub, sup, this.#steps)
    if (!sub.isExact || this.#exact === this) return pairs.every((pair) => this.#isMemberWithin(pair))
    return pairs.every(({ one, other }) => one && other && this.#exact.isSubtype(one.type, other.type))
  }

  /** Divides a branch, into the same objects each time: what is found about their types is kept. */
  #divided(branch: Branch): readonly Branch[] {
    const parts = this.#divisions.get(branch) ?? divided(branch, this.#steps)
    this.#divisions.set(branch, parts)
    return parts
  }

  #isMemberWithin({ one, other, unknown }: MemberPair): boolean {
    if (unknown !== undefined) return false
    const isExact = this.#strictness === 'contract'
    if (isExact && isAbsent(one) !== isAbsent(other)) return false
    if (!one || !other) return !other || other.optional
    if (isExact ? one.optional !== other.optional : one.optional && !other.optional) return false
    return this.#isSubtype(one.type, other.type)
  }
}

/** True if the values of a branch have the elements in XML-RPC that the other one has: a receiver relies on them. */
function agreeInXml({ element }: Branch, sup: Branch): boolean {
  return element === sup.element || (sup.element === 'number' && (element === 'int' || element === 'double'))
}

/**
 * Divides a branch into two or more that together have its values, for several branches may accept them: `true` and `false`, the branches of
 * one of its elements, or the values of a member that has few. None if these are more than are compared.
 */
function divided(branch: Branch, steps: Steps): readonly Branch[] {
  const { kind, members } = branch
  if (isConstant(branch)) return []
  if (kind === 'boolean') return [true, false].flatMap((each) => literal(each, true).branches)
  for (const [name, { type, optional }] of members) {
    const { branches } = type
    steps.take(branches.length >> 4)
    const isDivided = kind === 'list' || (!optional && branches.every(isConstant))
    if (!isDivided || branches.length < 2) continue
    if (branches.length > MAX_PARTS) return []
    steps.take(branches.length * branch.size)
    const withPart = ({ single: type }: Branch) => new Map(members).set(name, { type, optional })
    return branches.map((each) => new Branch({ ...branch, members: withPart(each) }))
  }
  return []
}
