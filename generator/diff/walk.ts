// Finds where two types differ: in the branches of a union, then in the parts of branches that are versions of each other. What differs
// is what the relation rejects (`subtype.ts`), in one direction or in both:
//
//     { id: Int, note: string }  →  { id: number }      result-type-widened .id, result-member-removed .note
import type { Direction } from '../../runtime/description/json-schema.js'
import { counted } from '../diagnostics/printable.js'
import { PairMap } from './assumptions.js'
import { type Change, type ChangeCode, Changes } from './change.js'
import { describeConstrained, describeType, wordOf } from './describe.js'
import { leastItems, mostItems } from './limits.js'
import {
  accepts,
  areApart,
  candidatesFor,
  createSubtyping,
  isAbsent,
  type Strictness,
  type Subtyping,
} from './subtype.js'
import {
  allLimits,
  type Branch,
  branchesOf,
  isConstant,
  isNotCompared,
  type List,
  type Obj,
  type Opaque,
  type Part,
  partsOf,
  type Type,
  unionOf,
} from './type.js'

/** What is compared: a param (`input`) or the result (`output`) of a method, and its path. */
interface Subject {
  readonly direction: Direction
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

/** The relations, and the branches that they pair. What they find about two types is kept for all methods that use them. */
export interface Relations extends Readonly<Record<Strictness, Subtyping>> {
  readonly pairings: PairMap<Pairing>
}

export function createRelations(): Relations {
  const [json, xml, contract] = [createSubtyping('json'), createSubtyping('xml'), createSubtyping('contract')]
  return { json, xml, contract, pairings: new PairMap() }
}

/** Returns the changes from one type to another. */
export function compareTypes(old: Type, now: Type, subject: Subject, relations: Relations): readonly Change[] {
  const walk = new Walk(subject, relations)
  walk.compare(old, now)
  return walk.changes.all
}

/** A value that may be left out accepts null too, which is already reported if it had to be sent before, or has to be now. */
export function withoutNull(type: Type): Type {
  return unionOf(branchesOf(type).filter(({ kind }) => kind !== 'null'))
}

/** Further pairs of branches are not reported one by one: each of many methods may use each of many types. */
const MAX_PAIRS = 100

const xmlBreaks = ': XML-RPC callers break, for a value carries its type there'

class Walk {
  readonly changes: Changes
  readonly #subject: Subject
  readonly #relations: Relations
  readonly #isParam: boolean
  readonly #side: 'param' | 'result'
  readonly #seen = new Map<Branch, Set<Branch>>()
  #pairs = 0

  constructor(subject: Subject, relations: Relations) {
    this.changes = new Changes(subject.method)
    this.#subject = subject
    this.#relations = relations
    this.#isParam = subject.direction === 'input'
    this.#side = this.#isParam ? 'param' : 'result'
  }

  /** A change is never missed, even if it has no single path or is nested too deeply. */
  compare(old: Type, now: Type): void {
    const { path, xml } = this.#subject
    this.#types(old, now, path)
    const { all, breaks } = this.changes
    const isComplete = this.#pairs <= MAX_PAIRS
    const whole = (code: ChangeCode, more?: string) => {
      this.changes.became(code, path, describeType(old), describeType(now), more)
    }
    if (!this.#fits('json', old, now)) {
      if (!breaks || !isComplete) whole(`${this.#side}-type-changed`)
    } else if (!isComplete && all.length === 0) whole(this.#isParam ? 'param-type-widened' : 'result-type-narrowed')
    else if (!breaks && xml && !this.#fits('xml', old, now)) whole('signature-changed', xmlBreaks)
  }

  /** True if callers can continue to work with the new type: params are contravariant, results covariant. */
  #fits(strictness: 'json' | 'xml', old: Type, now: Type): boolean {
    const { isSubtype } = this.#relations[strictness]
    return this.#isParam ? isSubtype(old, now) : isSubtype(now, old)
  }

  #isSame(old: Type, now: Type): boolean {
    const { isSubtype } = this.#relations.contract
    return isSubtype(old, now) && isSubtype(now, old)
  }

  #types(old: Type, now: Type, path: string): void {
    if (this.#isSame(old, now)) return
    const [before, after] = [branchesOf(old), branchesOf(now)]
    const { pairs, lost, gained } = this.#relations.pairings.get(old, now, () => this.#pair(before, after))
    this.#unions(before, after, lost, gained, path)
    for (const [one, other] of pairs) this.#branches(one, other, path)
  }

  /** The parts of two types are reported once, at the first path. */
  #branches(old: Branch, now: Branch, path: string): void {
    const seen = this.#seen.get(old) ?? new Set()
    const parts = partsOf(old, now)
    if ((parts.length > 0 && seen.has(now)) || this.#pairs > MAX_PAIRS) return
    this.#seen.set(old, seen.add(now))
    this.#pairs += 1
    this.#own(old, now, path)
    for (const part of parts) this.#part(part, path + part.path)
  }

  /** Reports the branches that only one version has. */
  #unions(
    old: readonly Branch[],
    now: readonly Branch[],
    lost: readonly Branch[],
    gained: readonly Branch[],
    path: string,
  ): void {
    if (lost.length === 0 && gained.length === 0) return
    const isValue = ({ kind }: Branch) => kind === 'literal'
    const isUnknown = [...lost, ...gained].some((each) => each.kind === 'opaque' && each.keywords.length > 0)
    const way = variance(gained.length === 0, lost.length === 0)
    const isBreaking = way !== (this.#isParam ? 'widened' : 'narrowed')
    const code = isUnknown && isBreaking ? 'not-compared' : (`${this.#side}-type-${way}` as const)
    if ([...lost, ...gained].every(isValue) && old.some(isValue) && now.some(isValue)) {
      for (const each of lost) this.#lost(`${this.#side}-value-removed`, path, [each])
      for (const each of gained) this.#gained(`${this.#side}-value-added`, path, [each])
    } else if (way === 'narrowed' && now.length > 0 && lost.length < old.length) this.#lost(code, path, lost)
    else if (way === 'widened' && gained.length < now.length) this.#gained(code, path, gained)
    else this.changes.became(code, path, describeType(unionOf(old)), describeType(unionOf(now)))
  }

  #lost(code: ChangeCode, path: string, branches: readonly Branch[]): void {
    const old = describeType(unionOf(branches))
    this.changes.add(code, path, `${old} is no longer ${this.#isParam ? 'accepted' : 'returned'}`, old)
  }

  #gained(code: ChangeCode, path: string, branches: readonly Branch[]): void {
    const now = describeType(unionOf(branches))
    this.changes.add(code, path, `${now} ${this.#isParam ? 'is accepted' : 'can be returned'} too`, undefined, now)
  }

  /**
   * Pairs the branches of two versions. The same ones are left out. Objects are paired by the values that distinguish them, else by the
   * members that they share; numbers, texts and lists if there is one of the kind on both sides. Branches that other branches cover are
   * not paired.
   */
  #pair(old: readonly Branch[], now: readonly Branch[]): Pairing {
    const { areSubtypes } = this.#relations.json
    const isCovered = (one: Branch, other: Branch) =>
      (areSubtypes([one], now) && !areSubtypes([one], [other])) ||
      (areSubtypes([other], old) && !areSubtypes([other], [one]))
    const isKept = (one: Branch, union: readonly Branch[], i: number) =>
      [...union.slice(i, i + 1), ...candidatesFor(one, union)].some((other) => this.#isSame(one, other))
    const oldOnly = new Set(old.filter((one, i) => !isKept(one, now, i)))
    const newOnly = new Set(now.filter((one, i) => !isKept(one, old, i)))
    const pairs: (readonly [Branch, Branch])[] = []
    for (const branch of oldOnly) {
      if (isConstant(branch)) continue
      const found = branch.kind === 'object' ? closest(branch, newOnly) : onlyOfKind(branch, oldOnly, newOnly)
      if (!found || isCovered(branch, found)) continue
      pairs.push([branch, found])
      oldOnly.delete(branch)
      newOnly.delete(found)
    }
    const lost = [...oldOnly].filter((each) => !areSubtypes([each], now))
    return { pairs, lost, gained: [...newOnly].filter((each) => !areSubtypes([each], old)) }
  }

  /** Branches without their parts: other words are other types; with the same one they differ in constraints, lists in their lengths. */
  #own(old: Branch, now: Branch, path: string): void {
    const [newInOld, oldInNew] = [accepts(now, old), accepts(old, now)]
    const isSame = newInOld && oldInNew
    const way = variance(newInOld, oldInNew)
    const [one, other] = [wordOf(old), wordOf(now)]
    if (one !== other && !isSame) this.changes.became(`${this.#side}-type-${way}`, path, one, other)
    if (old.kind === 'number' || old.kind === 'text') {
      const breaksXml = this.#subject.xml && this.#fits('json', old, now) && !this.#fits('xml', old, now)
      if (breaksXml) this.changes.became('signature-changed', path, one, other, xmlBreaks)
    }
    if (one !== other || isSame) return
    if (old.kind === 'list' && now.kind === 'list' && old.prefix.length + now.prefix.length > 0) {
      const [before, after] = [lengthOf(old), lengthOf(now)]
      this.changes.add(`${this.#side}-type-${way}`, path, `the list had ${before}, and has ${after}`, before, after)
      return
    }
    // A constraint that is neither tighter nor looser is reported with the breaking code.
    const isTighter = way === 'narrowed' || (way === 'changed' && this.#isParam)
    const code = `${this.#side}-constraint-${isTighter ? 'tightened' : 'loosened'}` as const
    this.changes.became(code, path, describeConstrained(old), describeConstrained(now))
  }

  /** A part that was removed, added or changed. */
  #part({ one, other }: Part, path: string): void {
    const [old, now] = [isAbsent(one) ? undefined : one, isAbsent(other) ? undefined : other]
    const [name, verb] = path.endsWith('[]') ? ['further members', 'are'] : ['the member', 'is']
    const unknown = [old?.type, now?.type].find((type) => type && isNotCompared(type))
    if (unknown) this.changes.add('not-compared', path, (unknown as Opaque).text)
    else if (old && now && old.optional === now.optional) this.#types(old.type, now.type, path)
    else if (old && now) {
      const words = this.#isParam ? ['has to be sent', 'may be left out'] : ['is always present', 'may be missing']
      const code = `${this.#side}-member-${now.optional ? 'optional' : 'required'}` as const
      this.changes.add(code, path, `the member ${words[now.optional ? 1 : 0]}`, undefined, describeType(now.type))
      const [before, after] = [old.type, now.type].map((type) => (this.#isParam ? withoutNull(type) : type))
      if (before && after) this.#types(before, after, path)
    } else if (old) {
      const message = `${name} ${verb} no longer ${this.#isParam ? 'accepted' : 'returned'}`
      this.changes.add(`${this.#side}-member-removed`, path, message, describeType(old.type))
    } else if (now && this.#isParam) {
      const code = now.optional ? 'param-member-added-optional' : 'param-member-added-required'
      const message = `${name} ${now.optional ? 'may' : 'has to'} be sent`
      this.changes.add(code, path, message, undefined, describeType(now.type))
    } else if (now) {
      this.changes.add('result-member-added', path, `${name} ${verb} returned too`, undefined, describeType(now.type))
    }
  }
}

/** How the values of a type changed. `changed`: some were added and some removed. */
function variance(newInOld: boolean, oldInNew: boolean): 'narrowed' | 'widened' | 'changed' {
  return newInOld ? 'narrowed' : oldInNew ? 'widened' : 'changed'
}

/** Returns the object that shares most members. One with another value of a distinguishing member is a different object. */
function closest(branch: Obj, candidates: Iterable<Branch>): Branch | undefined {
  const likeness = (other: Obj) => {
    const names = [...other.members.keys()]
    return (names.filter((name) => branch.members.has(name)).length + 1) / (branch.members.size + names.length + 1)
  }
  const isDistinguished = (other: Obj) =>
    [...branch.members].some(([name, { type, optional }]) => {
      const value = other.members.get(name)
      if (!value || value.optional || optional) return false
      return [type, value.type].flatMap(branchesOf).every(isConstant) && areApart(type, value.type)
    })
  const [best] = [...candidates]
    .filter((each) => each.kind === 'object')
    .filter((each) => !isDistinguished(each))
    .sort((a, b) => likeness(b) - likeness(a))
  return best
}

function onlyOfKind({ kind }: Branch, old: Iterable<Branch>, now: Iterable<Branch>): Branch | undefined {
  const [before, after] = [old, now].map((all) => [...all].filter((each) => each.kind === kind))
  const isPaired = kind === 'number' || kind === 'text' || kind === 'list'
  return isPaired && before?.length === 1 && after?.length === 1 ? after[0] : undefined
}

function lengthOf(of: List): string {
  const [least, most] = [leastItems(allLimits(of)), mostItems(allLimits(of))]
  if (least === most) return counted(least, 'element')
  return most === Infinity ? `${least} elements or more` : `${least} to ${most} elements`
}
