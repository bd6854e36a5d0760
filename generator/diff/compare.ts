import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import { keyOf } from './groups.js'
import type { Side } from './side.js'
import type { Type } from './type.js'
import { became, compareLevel, type Pair, type Step, stripped } from './walk.js'
import { createWithin, type Within } from './within.js'

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

/** One pair and what is said of it, found out when it is asked for; the same pair is the same level. */
interface Level {
  /** Whether it is of two branches; types that differ come to those. */
  readonly isBranches: boolean
  steps(): readonly LevelStep[]
}

type LevelStep =
  | { readonly path: string; readonly change: Omit<Extract<Step, { code: unknown }>, 'path'> }
  | { readonly path: string; readonly level: Level }

/** Makes a comparison of grouped types; what two types differ in is found out once, however many methods have them. */
export function createComparison(): Compare {
  const within = createWithin()
  const levelOf = createLevels(within)
  return (old, now, subject, optional = false) => {
    if (old.group === now.group) return []
    const { side, method, path } = subject
    const found = changesIn(levelOf({ old, now, optional }, side), subject)
    const [taken, takes] = side === 'param' ? [old, now] : [now, old]
    const fits = stripped(taken, optional).every((branch) => within.branch(branch, takes.branches()))
    // What breaks is never missed, even where no single place can be named.
    if (fits || found.some(({ breaking }) => breaking)) return found
    return [...found, changeOf(`${side}-type-changed`, method, path, became(describeType(old), describeType(now)))]
  }
}

function createLevels(within: Within): (pair: Pair, side: Side) => Level {
  const known = new Map<string, Level>()
  const levelOf = (pair: Pair, side: Side): Level => {
    const key = `${keyOfPair(pair)} ${side}`
    const before = known.get(key)
    if (before) return before
    let steps: readonly LevelStep[] | undefined
    const find = () =>
      compareLevel(pair, side, within.branch).map((step): LevelStep => {
        const { path } = step
        return 'pair' in step ? { path, level: levelOf(step.pair, side) } : { path, change: step }
      })
    const level: Level = {
      isBranches: !('optional' in pair),
      steps() {
        steps ??= find()
        return steps
      },
    }
    known.set(key, level)
    return level
  }
  return levelOf
}

function keyOfPair(pair: Pair): string {
  if ('optional' in pair) return `${pair.old.group} ${pair.now.group} ${pair.optional}`
  return `${keyOf(pair.old)} => ${keyOf(pair.now)}`
}

/** A level at its place, and those around it. */
interface Visit {
  readonly level: Level
  readonly path: string
  readonly around: Visit | undefined
}

/** Level by level, so that what is near is told where not everything is. */
function changesIn(root: Level, { method, path }: Subject): Change[] {
  const found: Change[] = []
  const places = new Map<Level, number>()
  let branches = 0
  const isTold = (visit: Visit): boolean => {
    if (!visit.level.isBranches) return false
    const count = places.get(visit.level) ?? 0
    places.set(visit.level, count + 1)
    branches += 1
    return count === most.places || branches > most.pairs || isInside(visit)
  }
  const queue: Visit[] = [{ level: root, path, around: undefined }]
  for (const visit of queue) {
    if (isTold(visit)) continue
    for (const step of visit.level.steps()) {
      const at = visit.path + step.path
      if ('change' in step) found.push(changeOf(step.change.code, method, at, step.change.said))
      else queue.push({ level: step.level, path: at, around: visit })
    }
  }
  return found
}

/** Whether a level stands inside of itself: what contains itself is told once. */
function isInside({ level, around }: Visit): boolean {
  for (let visit = around; visit; visit = visit.around) if (visit.level === level) return true
  return false
}
