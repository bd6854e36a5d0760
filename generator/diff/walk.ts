// Finds where two types differ, level by level: the branches of a union, then the members or elements of branches that are versions of
// each other. Each difference has a path and a code:
//
//     { id: Int, note: string }  →  { id: number }      result-type-widened .id, result-member-removed .note
import type { Direction } from '../../runtime/description/json-schema.js'
import { memberPath } from '../model/path.js'
import { counted } from '../printable.js'
import { type Change, type ChangeCode, type ChangeText, changeOf } from './change.js'
import { baseOf, describeConstrained, describeType } from './describe.js'
import { areApart } from './disjoint.js'
import { areLengthsWithin, candidatesFor, isConstant, type Subtyping } from './subtype.js'
import {
  type Branch,
  type BranchOf,
  branchesOf,
  elementAt,
  furtherMembers,
  type List,
  listOf,
  type Member,
  type Members,
  membersOf,
  memberTypes,
  shapeOf,
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

export function sideOf(direction: Direction): 'param' | 'result' {
  return direction === 'input' ? 'param' : 'result'
}

/** Returns the text of a change from one form to another. */
export function became(old: string, now: string): ChangeText {
  const message = old === now ? `${now} changed` : `${old} became ${now}`
  return { message, old, new: now }
}

/** A value that may be left out accepts null too, which is already reported if it had to be sent before, or has to be now. */
export function withoutNull(type: Type): Type {
  return unionOf(branchesOf(type).filter((each) => shapeOf(each) !== 'null'))
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

type Levels = Map<Type, Map<Type, Level>>

function levelIn(levels: Levels, old: Type, now: Type, isBranches: boolean, compare: () => readonly Step[]): Level {
  const byNew = levels.get(old) ?? new Map<Type, Level>()
  levels.set(old, byNew)
  let steps: readonly Step[] | undefined
  const level = byNew.get(now) ?? { isBranches, steps: () => (steps ??= compare()) }
  byNew.set(now, level)
  return level
}

/** How the values of a type changed. `changed`: some were added and some removed. */
function variance(newInOld: boolean, oldInNew: boolean): 'narrowed' | 'widened' | 'changed' {
  return newInOld ? 'narrowed' : oldInNew ? 'widened' : 'changed'
}

/** Types as JSON or as XML-RPC represents their values. */
export class Walk {
  readonly isParam: boolean
  readonly side: 'param' | 'result'
  readonly relation: Subtyping
  readonly #isSame: (old: Type, now: Type) => boolean
  readonly #typeLevels: Levels = new Map()
  readonly #branchLevels: Levels = new Map()

  constructor(direction: Direction, relation: Subtyping, isSame: (old: Type, now: Type) => boolean) {
    this.isParam = direction === 'input'
    this.side = sideOf(direction)
    this.relation = relation
    this.#isSame = isSame
  }

  /** True if callers can continue to work with the new type: params are contravariant, results covariant. */
  fits(old: Type, now: Type): boolean {
    return this.isParam ? this.relation.isSubtype(old, now) : this.relation.isSubtype(now, old)
  }

  /** Breadth first, so that shallow changes are reported if not all of them are. `isComplete`: no pair was left out. */
  changes(
    old: Type,
    now: Type,
    { method, path }: Subject,
  ): { readonly changes: readonly Change[]; readonly isComplete: boolean } {
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
        if ('code' in step) changes.push(changeOf(step.code, method, at, step.text))
        else queue.push({ path: at, level: step.level, around: inner })
      }
    }
    return { changes, isComplete: pairs <= MAX.pairs }
  }

  #types(old: Type, now: Type): Level {
    return levelIn(this.#typeLevels, old, now, false, () => this.#unions(branchesOf(old), branchesOf(now)))
  }

  #branches(old: Branch, now: Branch): Level {
    return levelIn(this.#branchLevels, old, now, true, () => {
      if (isList(old) && isList(now)) return this.#lists(old, now)
      return isObject(old) && isObject(now) ? this.#objects(membersOf(old), membersOf(now)) : this.#scalars(old, now)
    })
  }

  #change(code: ChangeCode, path: string, text: ChangeText): Step[] {
    return [{ path, code, text }]
  }

  /** Continues with two types. */
  #inner(old: Type | undefined, now: Type | undefined, path: string): Step[] {
    return old && now && !this.#isSame(old, now) ? [{ path, level: this.#types(old, now) }] : []
  }

  #unions(old: readonly Branch[], now: readonly Branch[]): Step[] {
    const { pairs, oldOnly, newOnly } = this.#pair(old, now)
    const next = pairs.map(([one, other]): Step => ({ path: '', level: this.#branches(one, other) }))
    const lost = oldOnly.filter((each) => !this.relation.areSubtypes([each], now))
    const gained = newOnly.filter((each) => !this.relation.areSubtypes([each], old))
    if (lost.length === 0 && gained.length === 0) return next
    const isValue = ({ kind }: Branch) => kind === 'literal'
    if ([...lost, ...gained].every(isValue) && old.some(isValue) && now.some(isValue)) {
      const removed = lost.flatMap((each) => this.#change(`${this.side}-value-removed`, '', this.#lostText([each])))
      const added = gained.flatMap((each) => this.#change(`${this.side}-value-added`, '', this.#gainedText([each])))
      return [...next, ...removed, ...added]
    }
    const way = variance(gained.length === 0, lost.length === 0)
    const isLoss = way === 'narrowed' && now.length > 0 && oldOnly.length < old.length
    const isGain = way === 'widened' && newOnly.length < now.length
    const part = isLoss ? this.#lostText(lost) : isGain ? this.#gainedText(gained) : undefined
    const text = part ?? became(describeType(unionOf(old)), describeType(unionOf(now)))
    const isBreaking = way !== (this.isParam ? 'widened' : 'narrowed')
    const isKnown = [...lost, ...gained].every((each) => each.kind !== 'opaque' || isConstant(each))
    const code = isBreaking && !isKnown ? 'not-compared' : (`${this.side}-type-${way}` as const)
    return [...next, ...this.#change(code, '', text)]
  }

  /**
   * Pairs the branches of two versions. The same ones are left out. Objects are paired by the values that distinguish them, else by the
   * members that they share; numbers, texts and lists if there is one of the shape on both sides. Branches that other branches cover are
   * not paired.
   */
  #pair(old: readonly Branch[], now: readonly Branch[]) {
    const { areSubtypes } = this.relation
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
      const found = isObject(branch)
        ? this.#closest(branch, [...newOnly])
        : onlyOfShape(branch, [...oldOnly], [...newOnly])
      if (!found || isCovered(branch, found)) continue
      pairs.push([branch, found])
      oldOnly.delete(branch)
      newOnly.delete(found)
    }
    return { pairs, oldOnly: [...oldOnly], newOnly: [...newOnly] }
  }

  /** Returns the object that shares most members. One with another value of a distinguishing member is a different object. */
  #closest(branch: BranchOf<'struct' | 'map'>, candidates: readonly Branch[]): Branch | undefined {
    const { declared } = membersOf(branch)
    const likeness = (other: BranchOf<'struct' | 'map'>) => {
      const names = [...membersOf(other).declared.keys()]
      return (names.filter((name) => declared.has(name)).length + 1) / (declared.size + names.length + 1)
    }
    const isDistinguished = (other: Members) =>
      [...declared].some(([name, { type, optional }]) => {
        const value = other.declared.get(name)
        if (!value || value.optional || optional || ![type, value.type].flatMap(branchesOf).every(isConstant))
          return false
        return areApart(type, value.type, this.isParam ? 'input' : 'output')
      })
    const [best] = candidates
      .filter(isObject)
      .filter((each) => !isDistinguished(membersOf(each)))
      .sort((a, b) => likeness(b) - likeness(a))
    return best
  }

  #lostText(branches: readonly Branch[]): ChangeText {
    const old = describeType(unionOf(branches))
    return { message: `${old} is no longer ${this.isParam ? 'accepted' : 'returned'}`, old }
  }

  #gainedText(branches: readonly Branch[]): ChangeText {
    const now = describeType(unionOf(branches))
    return { message: `${now} ${this.isParam ? 'is accepted' : 'can be returned'} too`, new: now }
  }

  /** Scalars with another base have another type; with the same base they differ in constraints. */
  #scalars(old: Branch, now: Branch): Step[] {
    const [newInOld, oldInNew] = [this.relation.areSubtypes([now], [old]), this.relation.areSubtypes([old], [now])]
    if (newInOld && oldInNew) return []
    const way = variance(newInOld, oldInNew)
    const [one, other] = [baseOf(old), baseOf(now)]
    if (one !== other) return this.#change(`${this.side}-type-${way}`, '', became(one, other))
    // A constraint that is neither tighter nor looser is reported with the breaking code.
    const isTighter = way === 'narrowed' || (way === 'changed' && this.isParam)
    const code = `${this.side}-constraint-${isTighter ? 'tightened' : 'loosened'}` as const
    return this.#change(code, '', became(describeConstrained(old), describeConstrained(now)))
  }

  /** The number of elements, then the elements. */
  #lists(old: BranchOf<ListKind>, now: BranchOf<ListKind>): Step[] {
    const [one, other] = [listOf(old), listOf(now)]
    const places = Array.from({ length: Math.max(one.prefix.length, other.prefix.length) }, (_, i) => i)
    const isSame = areLengthsWithin(one, other) && areLengthsWithin(other, one)
    return [
      ...(isSame ? [] : places.length === 0 ? this.#scalars(old, now) : this.#lengths(one, other)),
      ...places.flatMap((i) => this.#inner(elementAt(one, i), elementAt(other, i), `[${i}]`)),
      ...this.#inner(one.rest, other.rest, '[]'),
    ]
  }

  #lengths(old: List, now: List): Step[] {
    const way = variance(areLengthsWithin(now, old), areLengthsWithin(old, now))
    const [before, after] = [lengthOf(old), lengthOf(now)]
    const message = `the list had ${before}, and has ${after}`
    return this.#change(`${this.side}-type-${way}`, '', { message, old: before, new: after })
  }

  /** Members that were removed, added or changed, then the members without declared names. */
  #objects(old: Members, now: Members): Step[] {
    const names = new Set([...old.declared.keys(), ...now.declared.keys()])
    const patterns = new Set([...old.patterns.keys(), ...now.patterns.keys()])
    const typeIn = (members: Members, pattern: string) => members.patterns.get(pattern) ?? furtherMembers(members)
    const further = (one: Type | undefined, other: Type | undefined) =>
      this.#member(optional(one), optional(other), '[]')
    return [
      ...[...names].flatMap((name) => this.#member(memberOf(old, name), memberOf(now, name), memberPath('', name))),
      ...[...patterns].flatMap((each) => further(typeIn(old, each), typeIn(now, each))),
      ...further(furtherMembers(old), furtherMembers(now)),
    ]
  }

  #member(old: Member | undefined, now: Member | undefined, path: string): Step[] {
    if (old && now) return this.#keptMember(old, now, path)
    const [name, verb] = path === '[]' ? ['further members', 'are'] : ['the member', 'is']
    if (old) {
      const message = `${name} ${verb} no longer ${this.isParam ? 'accepted' : 'returned'}`
      return this.#change(`${this.side}-member-removed`, path, { message, old: describeType(old.type) })
    }
    if (!now) return []
    const text = (message: string) => ({ message: `${name} ${message}`, new: describeType(now.type) })
    if (!this.isParam) return this.#change('result-member-added', path, text(`${verb} returned too`))
    return now.optional
      ? this.#change('param-member-added-optional', path, text('may be sent'))
      : this.#change('param-member-added-required', path, text('has to be sent'))
  }

  #keptMember(old: Member, now: Member, path: string): Step[] {
    if (!old.optional === !now.optional) return this.#inner(old.type, now.type, path)
    const words = this.isParam ? ['has to be sent', 'may be left out'] : ['is always present', 'may be missing']
    const message = `the member ${words[now.optional ? 1 : 0]}`
    const code = `${this.side}-member-${now.optional ? 'optional' : 'required'}` as const
    const [one, other] = this.isParam ? [withoutNull(old.type), withoutNull(now.type)] : [old.type, now.type]
    return [...this.#change(code, path, { message, new: describeType(now.type) }), ...this.#inner(one, other, path)]
  }
}

type ListKind = 'array' | 'set' | 'tuple'

function isList(branch: Branch): branch is BranchOf<ListKind> {
  return branch.kind === 'array' || branch.kind === 'set' || branch.kind === 'tuple'
}

function isObject(branch: Branch): branch is BranchOf<'struct' | 'map'> {
  return branch.kind === 'struct' || branch.kind === 'map'
}

/** A member without a declared name can match a pattern, or be one of the further members. */
function memberOf(members: Members, name: string): Member | undefined {
  return members.declared.get(name) ?? optional(memberTypes(members, name)[0])
}

function optional(type: Type | undefined): Member | undefined {
  return type && { type, optional: true }
}

function lengthOf({ least, most }: List): string {
  if (least === most) return counted(least, 'element')
  return most === Infinity ? `${least} elements or more` : `${least} to ${most} elements`
}

function onlyOfShape(branch: Branch, old: readonly Branch[], now: readonly Branch[]): Branch | undefined {
  const shape = shapeOf(branch)
  const isLike = (each: Branch) => each.kind !== 'opaque' && !isConstant(each) && shapeOf(each) === shape
  const [found, ...more] = now.filter(isLike)
  const isPaired = isLike(branch) && (shape === 'number' || shape === 'text' || shape === 'list')
  return isPaired && old.filter(isLike).length === 1 && more.length === 0 ? found : undefined
}
