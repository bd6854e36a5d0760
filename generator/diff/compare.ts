import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import { keyOf } from './groups.js'
import type { Side } from './side.js'
import type { Type } from './type.js'
import { became, compareLevel, type Pair, type Step, stripped } from './walk.js'
import { createWithin } from './within.js'

/** What is compared: a param or the result of a method, and its place. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
}

/**
 * Compares two types: each change at its place. `optional`: null in one of them says no more than that the value may be
 * left out; that is told already.
 */
export type Compare = (old: Type, now: Type, subject: Subject, optional?: boolean) => Change[]

/** A pair of branches is shown in this many places of a subject, and so many pairs in all: shared types multiply. */
const most = { places: 4, pairs: 300 }

/** Makes a comparison of grouped types; what two types differ in is found out once, however many methods have them. */
export function createComparison(): Compare {
  const within = createWithin()
  const levels = new Map<string, readonly Step[]>()
  const levelOf = (pair: Pair, side: Side): readonly Step[] => {
    const key = `${keyOfPair(pair)} ${side}`
    const known = levels.get(key) ?? compareLevel(pair, side, within.branch)
    levels.set(key, known)
    return known
  }
  return (old, now, subject, optional = false) => {
    if (old.group === now.group) return []
    const { side, method, path } = subject
    const found = changesIn({ old, now, optional }, subject, (pair) => levelOf(pair, side))
    const [taken, takes] = side === 'param' ? [old, now] : [now, old]
    const fits = stripped(taken, optional).every((branch) => within.branch(branch, takes.branches()))
    // What breaks is never missed, even where no single place can be named.
    if (fits || found.some(({ breaking }) => breaking)) return found
    return [...found, changeOf(`${side}-type-changed`, method, path, became(describeType(old), describeType(now)))]
  }
}

function keyOfPair(pair: Pair): string {
  if ('optional' in pair) return `${pair.old.group} ${pair.now.group} ${pair.optional}`
  return `${keyOf(pair.old)} => ${keyOf(pair.now)}`
}

/** A pair at its place, and the pairs around it. */
interface Visit {
  readonly pair: Pair
  readonly path: string
  readonly around: Visit | undefined
}

/** Level by level, so that what is near is told where not everything is. */
function changesIn(root: Pair, { method, path }: Subject, levelOf: (pair: Pair) => readonly Step[]): Change[] {
  const found: Change[] = []
  const places = new Map<string, number>()
  let branches = 0
  const isTold = (visit: Visit): boolean => {
    if ('optional' in visit.pair) return false
    const key = keyOfPair(visit.pair)
    const count = places.get(key) ?? 0
    places.set(key, count + 1)
    branches += 1
    return count === most.places || branches > most.pairs || isInside(visit, key)
  }
  const queue: Visit[] = [{ pair: root, path, around: undefined }]
  for (const visit of queue) {
    if (isTold(visit)) continue
    for (const step of levelOf(visit.pair)) {
      const at = visit.path + step.path
      if ('code' in step) found.push(changeOf(step.code, method, at, step.said))
      else queue.push({ pair: step.pair, path: at, around: visit })
    }
  }
  return found
}

/** Whether a pair stands inside of itself: what contains itself is told once. */
function isInside({ around }: Visit, key: string): boolean {
  for (let visit = around; visit; visit = visit.around) {
    if (!('optional' in visit.pair) && keyOfPair(visit.pair) === key) return true
  }
  return false
}
