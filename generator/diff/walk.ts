// Finds where two types differ, level by level: the branches of a union, then the parts of branches that are versions of each other. What
// differs is what the relation rejects (`subtype.ts`), in one direction or in both:
//
//     { id: Int, note: string }  →  { id: number }      result-type-widened .id, result-member-removed .note
import type { Direction } from '../../runtime/schema/json-schema.js'
import { counted } from '../printable.js'
import { PairMap } from './assumptions.js'
import { type Change, type ChangeCode, type ChangeText, changeOf } from './change.js'
import { describeConstrained, describeType, wordOf } from './describe.js'
import { leastItems, mostItems } from './limits.js'
import { accepts, areApart, candidatesFor, createSubtyping, isAbsent, type Subtyping } from './subtype.js'
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
export interface Subject {
  readonly direction: Direction
  readonly method: string
  readonly path: string
  /** True if XML-RPC can call both versions. */
  readonly xml: boolean
}

/** The comparison of types. What it finds about two types is kept for all methods that use them. */
export interface Comparison {
  /** Returns each change with its path. */
  compare(old: Type, now: Type, subject: Subject): readonly Change[]
  /** The relation of params in JSON, or also in XML-RPC. */
  accepting(xml: boolean): Subtyping
}

export function createComparison(): Comparison {
  const relations = {
    json: createSubtyping('json'),
    xml: createSubtyping('xml'),
    contract: createSubtyping('contract'),
  }
  const walks = { input: new Walk(true, relations), output: new Walk(false, relations) }
  return {
    compare: (old, now, subject) => walks[subject.direction].compare(old, now, subject),
    accepting: (xml) => relations[xml ? 'xml' : 'json'],
  }
}

/** Returns the text of a change from one form to another. */
export function became(old: string, now: string): ChangeText {
  const message = old === now ? `${now} changed` : `${old} became ${now}`
  return { message, old, new: now }
}

/** A value that may be left out accepts null too, which is already reported if it had to be sent before, or has to be now. */
export function withoutNull(type: Type): Type {
  return unionOf(branchesOf(type).filter(({ kind }) => kind !== 'null'))
}

/** A pair of branches is reported at `paths` paths of a subject, and at most `pairs` pairs: shared types multiply. */
const MAX = { paths: 4, pairs: 300 }

/** Two types, or two branches that are versions of each other. Equal pairs are the same level. */
interface Level {
  readonly isBranches: boolean
  /** The changes of the level, and the levels below it. */
  steps(): readonly Step[]
}

type Step =
  | { readonly path: string; readonly code: ChangeCode; readonly text: ChangeText }
  | { readonly path: string; readonly level: Level }

/** Types of one direction. */
class Walk {
  readonly #isParam: boolean
  readonly #side: 'param' | 'result'
  readonly #relations: Readonly<Record<'json' | 'xml' | 'contract', Subtyping>>
  readonly #levels = new PairMap<Level>()
  readonly #pairs = new PairMap<Level>()

  constructor(isParam: boolean, relations: Readonly<Record<'json' | 'xml' | 'contract', Subtyping>>) {
    this.#isParam = isParam
    this.#side = isParam ? 'param' : 'result'
    this.#relations = relations
  }

  compare(old: Type, now: Type, subject: Subject): readonly Change[] {
    if (this.#isSame(old, now)) return []
    const { changes, isComplete } = this.#changes(old, now, subject)
    const breaks = changes.some(({ breaking }) => breaking)
    const whole = (code: ChangeCode, more = '') => {
      const text = became(describeType(old), describeType(now))
      return [...changes, changeOf(code, subject.method, subject.path, { ...text, message: text.message + more })]
    }
    // A change is never missed, even if it has no single path or is nested too deeply.
    if (!this.#fits('json', old, now)) return breaks ? changes : whole(`${this.#side}-type-changed`)
    if (!isComplete && changes.length === 0) return whole(this.#isParam ? 'param-type-widened' : 'result-type-narrowed')
    return breaks || !subject.xml || this.#fits('xml', old, now) ? changes : whole('signature-changed', xmlBreaks)
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

  /** Breadth first, so that shallow changes are reported if not all of them are. `isComplete`: no pair was left out. */
  #changes(old: Type, now: Type, { method, path, xml }: Subject) {
    const changes: Change[] = []
    const visits = new Map<Level, number>()
    let pairs = 0
    const queue: { path: string; level: Level; around: readonly Level[] }[] = [
      { path, level: this.#types(old, now), around: [] },
    ]
    for (const { path, level, around } of queue) {
      const count = (visits.get(level) ?? 0) + 1
      if (level.isBranches) {
        visits.set(level, count)
        pairs += 1
        // A recursive type is reported once.
        if (count > MAX.paths || pairs > MAX.pairs || around.includes(level)) continue
      }
      const inner = level.isBranches ? [...around, level] : around
      for (const step of level.steps()) {
        const at = path + step.path
        if ('level' in step) queue.push({ path: at, level: step.level, around: inner })
        else if (xml || step.code !== 'signature-changed') changes.push(changeOf(step.code, method, at, step.text))
      }
    }
    return { changes, isComplete: pairs <= MAX.pairs }
  }

  #types(old: Type, now: Type): Level {
    return this.#levels.get(old, now, () => {
      return levelOf(false, () => this.#unions(branchesOf(old), branchesOf(now)))
    })
  }

  #branches(old: Branch, now: Branch): Level {
    return this.#pairs.get(old, now, () => {
      return levelOf(true, () => [...this.#own(old, now), ...partsOf(old, now).flatMap((part) => this.#part(part))])
    })
  }

  #unions(old: readonly Branch[], now: readonly Branch[]): Step[] {
    const { areSubtypes } = this.#relations.json
    const { pairs, oldOnly, newOnly } = this.#pair(old, now)
    const next = pairs.map(([one, other]): Step => ({ path: '', level: this.#branches(one, other) }))
    const lost = oldOnly.filter((each) => !areSubtypes([each], now))
    const gained = newOnly.filter((each) => !areSubtypes([each], old))
    if (lost.length === 0 && gained.length === 0) return next
    const isValue = ({ kind }: Branch) => kind === 'literal'
    if ([...lost, ...gained].every(isValue) && old.some(isValue) && now.some(isValue)) {
      const removed = lost.map((each) => change(`${this.#side}-value-removed`, this.#lostText([each])))
      const added = gained.map((each) => change(`${this.#side}-value-added`, this.#gainedText([each])))
      return [...next, ...removed, ...added]
    }
    const way = variance(gained.length === 0, lost.length === 0)
    const isLoss = way === 'narrowed' && now.length > 0 && oldOnly.length < old.length
    const isGain = way === 'widened' && newOnly.length < now.length
    const part = isLoss ? this.#lostText(lost) : isGain ? this.#gainedText(gained) : undefined
    const text = part ?? became(describeType(unionOf(old)), describeType(unionOf(now)))
    const isBreaking = way !== (this.#isParam ? 'widened' : 'narrowed')
    const isUnknown = [...lost, ...gained].some((each) => each.kind === 'opaque' && each.keywords.length > 0)
    return [...next, change(isBreaking && isUnknown ? 'not-compared' : `${this.#side}-type-${way}`, text)]
  }

  /**
   * Pairs the branches of two versions. The same ones are left out. Objects are paired by the values that distinguish them, else by the
   * members that they share; numbers, texts and lists if there is one of the kind on both sides. Branches that other branches cover are
   * not paired.
   */
  #pair(old: readonly Branch[], now: readonly Branch[]) {
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
    return { pairs, oldOnly: [...oldOnly], newOnly: [...newOnly] }
  }

  #lostText(branches: readonly Branch[]): ChangeText {
    const old = describeType(unionOf(branches))
    return { message: `${old} is no longer ${this.#isParam ? 'accepted' : 'returned'}`, old }
  }

  #gainedText(branches: readonly Branch[]): ChangeText {
    const now = describeType(unionOf(branches))
    return { message: `${now} ${this.#isParam ? 'is accepted' : 'can be returned'} too`, new: now }
  }

  /** Branches without their parts: other words are other types; with the same one they differ in constraints, lists in their lengths. */
  #own(old: Branch, now: Branch): Step[] {
    const [newInOld, oldInNew] = [accepts(now, old), accepts(old, now)]
    const way = variance(newInOld, oldInNew)
    const [one, other] = [wordOf(old), wordOf(now)]
    const words = became(one, other)
    const isXml = this.#fits('json', old, now) && !this.#fits('xml', old, now) && partsOf(old, now).length === 0
    const xml = isXml ? [change('signature-changed', { ...words, message: words.message + xmlBreaks })] : []
    if (newInOld && oldInNew) return xml
    if (one !== other) return [change(`${this.#side}-type-${way}`, words), ...xml]
    if (old.kind === 'list' && now.kind === 'list' && old.prefix.length + now.prefix.length > 0) {
      const [before, after] = [lengthOf(old), lengthOf(now)]
      const message = `the list had ${before}, and has ${after}`
      return [change(`${this.#side}-type-${way}`, { message, old: before, new: after })]
    }
    // A constraint that is neither tighter nor looser is reported with the breaking code.
    const isTighter = way === 'narrowed' || (way === 'changed' && this.#isParam)
    const code = `${this.#side}-constraint-${isTighter ? 'tightened' : 'loosened'}` as const
    return [change(code, became(describeConstrained(old), describeConstrained(now)))]
  }

  /** A part that was removed, added or changed. */
  #part({ path, one, other }: Part): Step[] {
    const [old, now] = [isAbsent(one) ? undefined : one, isAbsent(other) ? undefined : other]
    const unknown = [old, now].map((each) => each?.type).find((type) => type && isNotCompared(type))
    if (unknown) return [change('not-compared', { message: (unknown as Opaque).text }, path)]
    const [name, verb] = path === '[]' ? ['further members', 'are'] : ['the member', 'is']
    if (!old || !now) {
      if (old) {
        const message = `${name} ${verb} no longer ${this.#isParam ? 'accepted' : 'returned'}`
        return [change(`${this.#side}-member-removed`, { message, old: describeType(old.type) }, path)]
      }
      if (!now) return []
      const [code, does] = this.#isParam
        ? now.optional
          ? (['param-member-added-optional', 'may be sent'] as const)
          : (['param-member-added-required', 'has to be sent'] as const)
        : (['result-member-added', `${verb} returned too`] as const)
      return [change(code, { message: `${name} ${does}`, new: describeType(now.type) }, path)]
    }
    if (old.optional === now.optional) return this.#inner(old.type, now.type, path)
    const words = this.#isParam ? ['has to be sent', 'may be left out'] : ['is always present', 'may be missing']
    const message = `the member ${words[now.optional ? 1 : 0]}`
    const code = `${this.#side}-member-${now.optional ? 'optional' : 'required'}` as const
    const [before, after] = this.#isParam ? [withoutNull(old.type), withoutNull(now.type)] : [old.type, now.type]
    return [change(code, { message, new: describeType(now.type) }, path), ...this.#inner(before, after, path)]
  }

  /** Continues with two types. */
  #inner(old: Type, now: Type, path: string): Step[] {
    return this.#isSame(old, now) ? [] : [{ path, level: this.#types(old, now) }]
  }
}

const xmlBreaks = ': XML-RPC callers break, for a value carries its type there'

function change(code: ChangeCode, text: ChangeText, path = ''): Step {
  return { path, code, text }
}

function levelOf(isBranches: boolean, compare: () => readonly Step[]): Level {
  let steps: readonly Step[] | undefined
  return { isBranches, steps: () => (steps ??= compare()) }
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
