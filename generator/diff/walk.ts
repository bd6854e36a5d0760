import { memberPath } from '../model/path.js'
import { counted } from '../printable.js'
import type { ChangeCode, ChangeText } from './change.js'
import { baseOf, constraintsOf, describeBranch, describeType, describeUnion } from './describe.js'
import { memoised } from './memoised.js'
import {
  type ArrayBranch,
  type Branch,
  elementAt,
  furtherMembers,
  hasBranch,
  isConstant,
  type Member,
  memberTypes,
  type ObjectBranch,
  type Type,
  unionType,
} from './type.js'
import { areApart, lengthsWithin, type Relation, type Side } from './within.js'

/** The differences of two types or of two branches of one kind, computed when they are first read. */
export interface Level {
  /** True for two branches. Types that differ lead to these. */
  readonly isBranches: boolean
  steps(): readonly Step[]
}

/** A change of a level, or a level below it. */
export type Step =
  | { readonly path: string; readonly code: ChangeCode; readonly text: ChangeText }
  | { readonly path: string; readonly level: Level }

function lazyLevel(isBranches: boolean, compare: () => readonly Step[]): Level {
  let known: readonly Step[] | undefined
  return {
    isBranches,
    steps() {
      known ??= compare()
      return known
    },
  }
}

/** A value that may be left out accepts null too, which is already reported if it had to be sent before, or has to be now. */
export function withoutNull(type: Type): Type {
  return unionType(type.branches().filter(({ kind }) => kind !== 'null'))
}

/** Returns the text of a change from one form to another. */
export function became(old: string, now: string): ChangeText {
  const message = old === now ? `${now} changed` : `${old} became ${now}`
  return { message, old, new: now }
}

/** How the values of a type changed. `changed`: some were added and some removed. */
type Direction = 'narrowed' | 'widened' | 'changed'

function directionOf(newWithinOld: boolean, oldWithinNew: boolean): Direction {
  if (newWithinOld) return 'narrowed'
  return oldWithinNew ? 'widened' : 'changed'
}

/** Compares types level by level; the same two types or branches are the same level. */
export class Levels {
  readonly side: Side
  readonly isParam: boolean
  readonly within: Relation
  readonly same: Relation

  constructor(side: Side, within: Relation, same: Relation) {
    this.side = side
    this.isParam = side === 'param'
    this.within = within
    this.same = same
  }

  readonly ofTypes = memoised((old: Type, now: Type) =>
    lazyLevel(false, () => this.unions(old.branches(), now.branches())),
  )

  readonly ofBranches = memoised((old: Branch, now: Branch) =>
    lazyLevel(true, () => {
      if (old.kind === 'array' && now.kind === 'array') return this.arrays(old, now)
      return old.kind === 'object' && now.kind === 'object' ? this.objects(old, now) : this.limits(old, now)
    }),
  )

  change(code: ChangeCode, path: string, text: ChangeText): Step[] {
    return [{ path, code, text }]
  }

  /** Continues with two types. */
  inner(old: Type | undefined, now: Type | undefined, path: string): Step[] {
    return old && now && !this.same.types(old, now) ? [{ path, level: this.ofTypes(old, now) }] : []
  }

  unions(old: readonly Branch[], now: readonly Branch[]): Step[] {
    const { pairs, oldOnly, newOnly } = this.pair(old, now)
    const next = pairs.map(([one, other]): Step => ({ path: '', level: this.ofBranches(one, other) }))
    const lost = oldOnly.filter((each) => !this.within.unions([each], now))
    const gained = newOnly.filter((each) => !this.within.unions([each], old))
    if (lost.length === 0 && gained.length === 0) return next
    const isValue = ({ kind }: Branch) => kind === 'literal'
    if ([...lost, ...gained].every(isValue) && old.some(isValue) && now.some(isValue)) {
      const removed = lost.flatMap((each) => this.change(`${this.side}-value-removed`, '', this.lostText([each])))
      const added = gained.flatMap((each) => this.change(`${this.side}-value-added`, '', this.gainedText([each])))
      return [...next, ...removed, ...added]
    }
    const direction = directionOf(gained.length === 0, lost.length === 0)
    const isLoss = direction === 'narrowed' && now.length > 0 && oldOnly.length < old.length
    const isGain = direction === 'widened' && newOnly.length < now.length
    const part = isLoss ? this.lostText(lost) : isGain ? this.gainedText(gained) : undefined
    const text = part ?? became(describeUnion(old), describeUnion(now))
    return [...next, ...this.change(`${this.side}-type-${direction}`, '', text)]
  }

  /**
   * Pairs the branches of two versions. The same ones are left out. Objects are paired by the values that distinguish them, else
   * by the members that they share; numbers, strings and lists if there is one of the kind on both sides. Branches that
   * other branches cover are not paired.
   */
  pair(old: readonly Branch[], now: readonly Branch[]): Pairing {
    const isOther = (one: Branch, other: Branch) =>
      (this.within.unions([one], now) && !this.within.unions([one], [other])) ||
      (this.within.unions([other], old) && !this.within.unions([other], [one]))
    const oldOnly = old.filter((one, i) => !hasBranch(now, one, i, (other) => this.same.unions([one], [other])))
    const newOnly = now.filter((one, i) => !hasBranch(old, one, i, (other) => this.same.unions([one], [other])))
    const pairs: [Branch, Branch][] = []
    for (const branch of [...oldOnly]) {
      const found = branch.kind === 'object' ? closest(branch, newOnly) : onlyOfKind(branch, oldOnly, newOnly)
      if (!found || isOther(branch, found)) continue
      pairs.push([branch, found])
      oldOnly.splice(oldOnly.indexOf(branch), 1)
      newOnly.splice(newOnly.indexOf(found), 1)
    }
    return { pairs, oldOnly, newOnly }
  }

  lostText(branches: readonly Branch[]): ChangeText {
    const old = describeUnion(branches)
    return { message: `${old} is no longer ${this.isParam ? 'accepted' : 'returned'}`, old }
  }

  gainedText(branches: readonly Branch[]): ChangeText {
    const now = describeUnion(branches)
    return { message: `${now} ${this.isParam ? 'is accepted' : 'can be returned'} too`, new: now }
  }

  /** Scalars with another base have another type; with the same base they differ in constraints. */
  limits(old: Branch, now: Branch): Step[] {
    const direction = directionOf(this.within.unions([now], [old]), this.within.unions([old], [now]))
    const [one, other] = [baseOf(old), baseOf(now)]
    if (one !== other) return this.change(`${this.side}-type-${direction}`, '', became(one, other))
    // A constraint that is neither tighter nor looser is reported with the breaking code.
    const isTighter = direction === 'narrowed' || (direction === 'changed' && this.isParam)
    const [before, after] = [old, now].map((each) => `${describeBranch(each)} ${constraintsOf(each)}`.trimEnd())
    return this.change(
      `${this.side}-constraint-${isTighter ? 'tightened' : 'loosened'}`,
      '',
      became(before ?? '', after ?? ''),
    )
  }

  /** The number of elements, then the elements. */
  arrays(old: ArrayBranch, now: ArrayBranch): Step[] {
    const places = Array.from({ length: Math.max(old.prefix.length, now.prefix.length) }, (_, i) => i)
    return [
      ...(lengthsWithin(old, now) && lengthsWithin(now, old) ? [] : this.lengths(old, now)),
      ...places.flatMap((i) => this.inner(elementAt(old, i), elementAt(now, i), `[${i}]`)),
      ...this.inner(old.rest, now.rest, '[]'),
    ]
  }

  lengths(old: ArrayBranch, now: ArrayBranch): Step[] {
    if (old.prefix.length === 0 && now.prefix.length === 0) return this.limits(old, now)
    const direction = directionOf(lengthsWithin(now, old), lengthsWithin(old, now))
    const [before, after] = [lengthOf(old), lengthOf(now)]
    const message = `the list had ${before}, and has ${after}`
    return this.change(`${this.side}-type-${direction}`, '', { message, old: before, new: after })
  }

  /** Members that were removed, added or changed, then the members without declared names. */
  objects(old: ObjectBranch, now: ObjectBranch): Step[] {
    const names = new Set([...old.members.keys(), ...now.members.keys()])
    const patterns = new Set([...old.patterns.keys(), ...now.patterns.keys()])
    const typeIn = (object: ObjectBranch, pattern: string) => object.patterns.get(pattern) ?? furtherMembers(object)
    return [
      ...[...names].flatMap((name) => this.member(memberOf(old, name), memberOf(now, name), memberPath('', name))),
      ...[...patterns].flatMap((each) => this.further(typeIn(old, each), typeIn(now, each))),
      ...this.further(furtherMembers(old), furtherMembers(now)),
    ]
  }

  /** Compares members without declared names; `[]` is the path of all of them. */
  further(old: Type | undefined, now: Type | undefined): Step[] {
    return this.member(optional(old), optional(now), '[]')
  }

  member(old: Member | undefined, now: Member | undefined, path: string): Step[] {
    if (old && now) return this.keptMember(old, now, path)
    const [name, verb] = path === '[]' ? ['further members', 'are'] : ['the member', 'is']
    if (old) {
      const message = `${name} ${verb} no longer ${this.isParam ? 'accepted' : 'returned'}`
      return this.change(`${this.side}-member-removed`, path, { message, old: describeType(old.type) })
    }
    if (!now) return []
    const text = (message: string) => ({ message: `${name} ${message}`, new: describeType(now.type) })
    if (!this.isParam) return this.change('result-member-added', path, text(`${verb} returned too`))
    return now.required
      ? this.change('param-member-added-required', path, text('has to be sent'))
      : this.change('param-member-added-optional', path, text('may be sent'))
  }

  keptMember(old: Member, now: Member, path: string): Step[] {
    if (old.required === now.required) return this.inner(old.type, now.type, path)
    const words = this.isParam ? ['has to be sent', 'may be left out'] : ['is always present', 'may be missing']
    const message = `the member ${now.required ? words[0] : words[1]}`
    const code = `${this.side}-member-${now.required ? 'required' : 'optional'}` as const
    return [
      ...this.change(code, path, { message, new: describeType(now.type) }),
      ...(this.isParam
        ? this.inner(withoutNull(old.type), withoutNull(now.type), path)
        : this.inner(old.type, now.type, path)),
    ]
  }
}

/** A member without a declared name can match a pattern, or be one of the further members. */
function memberOf(object: ObjectBranch, name: string): Member | undefined {
  return object.members.get(name) ?? optional(memberTypes(object, name)[0])
}

function optional(type: Type | undefined): Member | undefined {
  return type && { type, required: false }
}

function lengthOf({ least, most }: ArrayBranch): string {
  if (least === most) return counted(least, 'element')
  return most === Infinity ? `${least} elements or more` : `${least} to ${most} elements`
}

/** The branches of two unions: pairs that are versions of each other, and branches without a counterpart. */
interface Pairing {
  readonly pairs: readonly (readonly [old: Branch, now: Branch])[]
  readonly oldOnly: readonly Branch[]
  readonly newOnly: readonly Branch[]
}

function onlyOfKind({ kind, opaque }: Branch, old: readonly Branch[], now: readonly Branch[]): Branch | undefined {
  if (opaque || !['number', 'string', 'array'].includes(kind)) return undefined
  const own = old.filter((each) => each.kind === kind)
  const [found, ...more] = now.filter((each) => each.kind === kind)
  return own.length === 1 && more.length === 0 && !found?.opaque ? found : undefined
}

type Objects = Branch & ObjectBranch

/** Returns the object that shares most members. One with another value of a distinguishing member is a different object. */
function closest(branch: Objects, candidates: readonly Branch[]): Objects | undefined {
  const objects = candidates.filter((each): each is Objects => each.kind === 'object')
  const likeness = ({ members }: Objects) => {
    const shared = [...branch.members.keys()].filter((name) => members.has(name)).length
    return (shared + 1) / (branch.members.size + members.size + 1)
  }
  const [best] = objects.filter((each) => !isDistinguished(branch, each)).sort((a, b) => likeness(b) - likeness(a))
  return best
}

/** True if a member of both has values, and none in common. */
function isDistinguished(a: ObjectBranch, b: ObjectBranch): boolean {
  return [...a.members].some(([name, { type, required }]) => {
    const other = b.members.get(name)
    if (!required || !other?.required) return false
    const [own, others] = [type.branches(), other.type.branches()]
    return own.length > 0 && [...own, ...others].every(isConstant) && areApart(own, others)
  })
}
