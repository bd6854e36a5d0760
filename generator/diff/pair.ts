import { keyOf } from './groups.js'
import { isConstant } from './meet.js'
import type { Branch, ObjectBranch } from './type.js'

/** The branches of two unions: those that are one branch in two versions, and those that stand alone. */
export interface Pairing {
  readonly pairs: readonly (readonly [old: Branch, now: Branch])[]
  readonly oldOnly: readonly Branch[]
  readonly newOnly: readonly Branch[]
}

/** Whether some branches take all that one does. */
type BranchWithin = (branch: Branch, union: readonly Branch[]) => boolean

/**
 * Finds which branch became which. Equal ones are left out; objects go together by the values that tell them apart, else
 * by the members that they share; numbers, strings and lists where there is one of the kind on both sides. What another
 * branch, or several, take over is no pair.
 */
export function pairBranches(old: readonly Branch[], now: readonly Branch[], isWithin: BranchWithin): Pairing {
  const isOther = (one: Branch, other: Branch) =>
    (isWithin(one, now) && !isWithin(one, [other])) || (isWithin(other, old) && !isWithin(other, [one]))
  const oldOnly = without(old, now)
  const newOnly = without(now, old)
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

function without(branches: readonly Branch[], others: readonly Branch[]): Branch[] {
  const keys = new Set(others.map(keyOf))
  return branches.filter((each) => !keys.has(keyOf(each)))
}

function onlyOfKind({ kind, opaque }: Branch, old: readonly Branch[], now: readonly Branch[]): Branch | undefined {
  if (opaque || !['number', 'string', 'array'].includes(kind)) return undefined
  const own = old.filter((each) => each.kind === kind)
  const [found, ...more] = now.filter((each) => each.kind === kind)
  return own.length === 1 && more.length === 0 && !found?.opaque ? found : undefined
}

type Objects = Branch & ObjectBranch

/** The object that shares most members; one that another value tells apart is not the same. */
function closest(branch: Objects, candidates: readonly Branch[]): Objects | undefined {
  const objects = candidates.filter((each): each is Objects => each.kind === 'object')
  const alike = objects.filter((each) => !toldApart(branch, each))
  const scored = alike.map((each) => ({ each, score: likeness(branch, each) }))
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (found, next) => (!found || next.score > found.score ? next : found),
    undefined,
  )
  return best && (best.score > 0 || objects.length === 1) ? best.each : undefined
}

/** Whether a member of both has values, and none in common. */
function toldApart(a: ObjectBranch, b: ObjectBranch): boolean {
  return [...a.members].some(([name, { type, required }]) => {
    const other = b.members.get(name)
    if (!required || !other?.required) return false
    const [own, others] = [type.branches(), other.type.branches()]
    if (own.length === 0 || ![...own, ...others].every(isConstant)) return false
    const keys = new Set(own.map(keyOf))
    return others.every((each) => !keys.has(keyOf(each)))
  })
}

function likeness(a: ObjectBranch, b: ObjectBranch): number {
  const shared = [...a.members.keys()].filter((name) => b.members.has(name)).length
  return (shared + 1) / (a.members.size + b.members.size + 1)
}
