// Finds where two types differ: in the branches of a union, then in the members of branches that are versions of each other. What differs
// is what the relation rejects (`relation.ts`), in one direction or in both:
//
//     { id: Int, note: string }  →  { id: number }      result-type-widened .id, result-member-removed .note
import { counted } from '../diagnostics/printable.js'
import { type Change, type ChangeCode, Changes } from './change.js'
import { describeConstrained, describeType } from './describe.js'
import { lengthsOf } from './limits.js'
import { isAbsent, type MemberPair, memberPairsOf } from './members.js'
import { isBranchWithin, PairMap, Relation, type Strictness } from './relation.js'
import type { Steps } from './steps.js'
import { type Branch, isConstant, Type } from './type.js'

/** What is compared: a param or the result of a method, and its path. */
interface Subject {
  readonly side: 'param' | 'result'
  readonly method: string
  readonly path: string
  /** True if XML-RPC can call both versions. */
  readonly xml: boolean
}

/** The branches of two versions of a type: those that are versions of each other, and the values that only one has. */
interface Pairing {
  readonly pairs: readonly (readonly [Branch, Branch])[]
  readonly lost: readonly Branch[]
  readonly gained: readonly Branch[]
}

/** The relations, and the branches that they pair. What is found about two types is kept for all methods that use them. */
export interface Relations extends Readonly<Record<Strictness, Relation>> {
  readonly pairings: PairMap<Pairing>
  readonly steps: Steps
  /** For the changes. */
  readonly report: Steps
}

export function createRelations(steps: Steps, report: Steps): Relations {
  const relation = (strictness: Strictness) => new Relation(strictness, steps)
  const [json, xml, contract] = [relation('json'), relation('xml'), relation('contract')]
  return { json, xml, contract, pairings: new PairMap(), steps, report }
}

/** Returns the changes from one type to another. */
export function compareTypes(old: Type, now: Type, subject: Subject, relations: Relations): readonly Change[] {
  const walk = new Walk(subject, relations)
  walk.compare(old, now)
  return walk.changes.all
}

/** The same for two params, one of which may be missing. */
export function comparePair(pair: MemberPair, subject: Subject, relations: Relations): readonly Change[] {
  const walk = new Walk(subject, relations)
  const types = walk.member(pair, subject.path, 'param')
  if (types) walk.compare(...types)
  return walk.changes.all
}

/** Further pairs of branches are not reported one by one: each of many methods may use each of many types. */
const MAX_PAIRS = 100

const xmlBreaks = ': XML-RPC callers break, for a value carries its type there'

class Walk {
  readonly changes: Changes
  readonly #subject: Subject
  readonly #relations: Relations
  readonly #isParam: boolean
  readonly #seen = new Map<Branch, Set<Branch>>()
  #pairs = 0

  constructor(subject: Subject, relations: Relations) {
    this.changes = new Changes(subject.method, relations.report)
    this.#subject = subject
    this.#relations = relations
    this.#isParam = subject.side === 'param'
  }

  /** A change is never missed, even if it has no single path or is nested too deeply. */
  compare(old: Type, now: Type): void {
    const { path, side, xml } = this.#subject
    this.#types(old, now, path)
    const { all, breaks } = this.changes
    const isComplete = this.#pairs <= MAX_PAIRS
    const whole = (code: ChangeCode, more?: string) =>
      this.changes.became(code, path, describeType(old), describeType(now), more)
    if (!this.#fits('json', old, now)) {
      if (!breaks || !isComplete) whole(`${side}-type-changed`)
    } else if (!isComplete && all.length === 0) whole(this.#isParam ? 'param-type-widened' : 'result-type-narrowed')
    else if (!breaks && xml && !this.#fits('xml', old, now)) whole('signature-changed', xmlBreaks)
  }

  /** True if callers can continue to work with the new type: params are contravariant, results covariant. */
  #fits(strictness: 'json' | 'xml', old: Type, now: Type): boolean {
    const relation = this.#relations[strictness]
    return this.#isParam ? relation.isSubtype(old, now) : relation.isSubtype(now, old)
  }

  #isSame(old: Type, now: Type): boolean {
    const { contract } = this.#relations
    return contract.isSubtype(old, now) && contract.isSubtype(now, old)
  }

  #types(old: Type, now: Type, path: string): void {
    if (this.#isSame(old, now)) return
    this.changes.expectRoom()
    const pairing = this.#relations.pairings.get(old, now, () => this.#pair(old, now))
    this.#unions(old, now, pairing, path)
    for (const [one, other] of pairing.pairs) this.#branches(one, other, path)
  }

  /** The members and elements of two types are reported once, at the first path. */
  #branches(old: Branch, now: Branch, path: string): void {
    const seen = this.#seen.get(old) ?? new Set()
    if (seen.has(now) || this.#pairs > MAX_PAIRS) return
    const members = memberPairsOf(old, now, this.#relations.steps)
    if (members.length > 0) this.#seen.set(old, seen.add(now))
    this.#pairs += 1
    this.#own(old, now, path)
    for (const pair of members) {
      const types = this.member(pair, path + pair.path, 'member')
      if (types) this.#types(...types, path + pair.path)
    }
  }

  /** Reports the branches that only one version has. */
  #unions(oldType: Type, nowType: Type, { pairs, lost, gained }: Pairing, path: string): void {
    const only = [...lost, ...gained]
    if (only.length === 0 && pairs.length > 0) return
    const { side } = this.#subject
    const [old, now] = [oldType.branches, nowType.branches]
    this.#relations.steps.take(only.length + ((old.length + now.length) >> 8))
    const add = (code: ChangeCode, isLost: boolean, branches: readonly Branch[]) => {
      const text = describeType(new Type(branches))
      const verb = this.#isParam ? 'accepted' : 'returned'
      if (isLost) this.changes.add(code, path, `${text} is no longer ${verb}`, text)
      else this.changes.add(code, path, `${text} ${this.#isParam ? 'is' : 'can be'} ${verb} too`, undefined, text)
    }
    const isValue = (branch: Branch) => isConstant(branch) && branch.kind !== 'null'
    const compatible = this.#isParam ? 'widened' : 'narrowed'
    const way = only.length === 0 ? compatible : variance(gained.length === 0, lost.length === 0)
    const isUnknown = way !== compatible && only.some(({ kind }) => kind === 'opaque')
    const code = isUnknown ? 'not-compared' : (`${side}-type-${way}` as const)
    if (only.length > 0 && only.every(isValue) && old.some(isValue) && now.some(isValue)) {
      for (const each of lost) add(`${side}-value-removed`, true, [each])
      for (const each of gained) add(`${side}-value-added`, false, [each])
      return
    }
    const [some, all] = way === 'narrowed' ? [lost, old] : [gained, now]
    if (way !== 'changed' && some.length > 0 && some.length < all.length) add(code, way === 'narrowed', some)
    else this.changes.became(code, path, describeType(oldType), describeType(nowType))
  }

  /**
   * Pairs the branches of two versions. The same ones are left out. Objects with one tag, and schemas with one text, are versions of each other; so
   * are objects, numbers, texts and lists if there is one of the kind on both sides. Branches that other branches cover are not paired.
   */
  #pair(old: Type, now: Type): Pairing {
    const { json, steps } = this.#relations
    steps.take(old.branches.length + now.branches.length)
    const isCovered = (one: Branch, of: Type, other: Branch) => {
      return json.areWithin([one], of) && !json.areWithin([one], other.single)
    }
    const isSame = (one: Branch, other: Branch) => {
      steps.take(1)
      return this.#isSame(one.single, other.single)
    }
    const without = (of: Type, others: Type) => {
      const isKept = (one: Branch, i: number) =>
        [...others.branches.slice(i, i + 1), ...others.candidatesFor(one, steps)].some((other) => isSame(one, other))
      return new Set(of.branches.filter((one, i) => !isKept(one, i)))
    }
    const [lost, gained] = [without(old, now), without(now, old)]
    const pairs: (readonly [Branch, Branch])[] = []
    for (const keyOf of [tagOf, ({ kind, text = '' }: Branch) => kind + text]) {
      const after = onlyByKey([...gained].filter(hasVersions), keyOf)
      for (const [key, one] of onlyByKey([...lost].filter(hasVersions), keyOf)) {
        const other = after.get(key)
        const isVersion = one && other && (tagOf(one) === tagOf(other) || one.tags.length * other.tags.length === 0)
        if (!isVersion || isCovered(one, now, other) || isCovered(other, old, one)) continue
        pairs.push([one, other])
        lost.delete(one)
        gained.delete(other)
      }
    }
    const outside = (branches: Iterable<Branch>, of: Type) =>
      [...branches].filter((each) => !json.areWithin([each], of))
    return { pairs, lost: outside(lost, now), gained: outside(gained, old) }
  }

  /** Branches without their members: other words are other types; with the same one they differ in constraints, lists in their lengths. */
  #own(old: Branch, now: Branch, path: string): void {
    const { steps } = this.#relations
    const { side, xml } = this.#subject
    const [newInOld, oldInNew] = [isBranchWithin(now, old, steps), isBranchWithin(old, now, steps)]
    const isSame = newInOld && oldInNew
    const way = variance(newInOld, oldInNew)
    const [one, other] = [old.word, now.word]
    if (one !== other && !isSame) this.changes.became(`${side}-type-${way}`, path, one, other)
    if (xml && (old.kind === 'number' || old.kind === 'text')) {
      const [before, after] = [old.single, now.single]
      if (this.#fits('json', before, after) && !this.#fits('xml', before, after))
        this.changes.became('signature-changed', path, one, other, xmlBreaks)
    }
    if (one !== other || isSame) return
    if (old.kind === 'list' && old.members.size + now.members.size > 0) {
      const [before, after] = [lengthOf(old), lengthOf(now)]
      this.changes.add(`${side}-type-${way}`, path, `the list had ${before}, and has ${after}`, before, after)
      return
    }
    // A constraint that is neither tighter nor looser is reported with the breaking code.
    const isTighter = way === 'narrowed' || (way === 'changed' && this.#isParam)
    const code = `${side}-constraint-${isTighter ? 'tightened' : 'loosened'}` as const
    this.changes.became(code, path, describeConstrained(old), describeConstrained(now))
  }

  /** Reports a param or a member that was removed or added, or may now be left out. Returns the types that are still to be compared. */
  member(pair: MemberPair, path: string, noun: 'param' | 'member'): readonly [Type, Type] | undefined {
    const { one, other, unknown, isFurther } = pair
    const [old, now] = [isAbsent(one) ? undefined : one, isAbsent(other) ? undefined : other]
    const [name, verb] = isFurther ? ['further members', 'are'] : [`the ${noun}`, 'is']
    const prefix = noun === 'param' ? noun : (`${this.#subject.side}-member` as const)
    const add = (code: ChangeCode, message: string) =>
      this.changes.add(code, path, `${name} ${message}`, undefined, now && describeType(now.type))
    const presence = now?.optional ? 'optional' : 'required'
    if (unknown !== undefined) {
      this.changes.add('not-compared', path, `names like ${unknown} are not compared with other patterns`)
    } else if (old && now) {
      if (old.optional === now.optional) return [old.type, now.type]
      const words = this.#isParam ? ['has to be sent', 'may be left out'] : ['is always present', 'may be missing']
      add(`${prefix}-${presence}`, words[now.optional ? 1 : 0] as string)
      // In a document of another tool, a param that may be left out need not accept null.
      const acceptedNull = now.optional && old.type.kinds.has('null')
      return this.#isParam && !acceptedNull ? [old.type.withoutNull, now.type.withoutNull] : [old.type, now.type]
    } else if (old) {
      const message = `${name} ${verb} no longer ${this.#isParam ? 'accepted' : 'returned'}`
      this.changes.add(`${prefix}-removed`, path, message, describeType(old.type))
    } else if (now) {
      if (prefix === 'result-member') add(`${prefix}-added`, `${verb} returned too`)
      else add(`${prefix}-added-${presence}`, `${now.optional ? 'may' : 'has to'} be sent`)
    }
    return undefined
  }
}

/** How the values of a type changed. `changed`: some were added and some removed. */
function variance(newInOld: boolean, oldInNew: boolean): 'narrowed' | 'widened' | 'changed' {
  return newInOld ? 'narrowed' : oldInNew ? 'widened' : 'changed'
}

/** Returns values by a key; undefined for a key that several have. */
export function onlyByKey<Value>(values: Iterable<Value>, keyOf: (value: Value) => string) {
  const found = new Map<string, Value | undefined>()
  for (const value of values) {
    const key = keyOf(value)
    found.set(key, found.has(key) ? undefined : value)
  }
  return found
}

/** True for a branch that may be a version of another one: not for constants, booleans and what has to stay the same. */
function hasVersions(branch: Branch): boolean {
  if (branch.kind === 'opaque') return !branch.isExact
  return !isConstant(branch) && /^(?:number|text|list|object)$/.test(branch.kind)
}

function tagOf({ kind, text, tags }: Branch): string {
  return `${kind} ${text ?? tags[0] ?? ''}`
}

function lengthOf(of: Branch): string {
  const [least, most] = lengthsOf(of.limits)
  if (least === most) return counted(least, 'element')
  return most === Infinity ? `${least} elements or more` : `${least} to ${most} elements`
}
