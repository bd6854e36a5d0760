import { type Change, type ChangeCode, changeCodes, changeOf } from './change.js'
import { describeType } from './describe.js'
import { keyOf } from './groups.js'
import type { Side } from './side.js'
import type { Type } from './type.js'
import { compareLevel, type Pair, type Step, stripped } from './walk.js'
import { became } from './walk-limits.js'
import { createWithin, type Within } from './within.js'

/** What is compared: a param or the result of a method, and its place. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
  /** Whether XML-RPC can call both versions. */
  readonly xml: boolean
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
  const inJson = { within, levelOf: createLevels(within) }
  const inXml = { param: xmlViewOf('param', inJson), result: xmlViewOf('result', inJson) }
  return (old, now, subject, optional = false) => {
    if (old.group === now.group) return []
    const pair = { old, now, optional }
    const found = changesBy(inJson, pair, subject)
    // What breaks is never missed, even where no single place can be named.
    const all = breaks(found) || fits(inJson, pair, subject) ? found : [...found, wholeChange(pair, subject)]
    return subject.xml ? [...all, ...xmlChanges(inXml[subject.side], pair, subject, all)] : all
  }
}

/** How two types are looked at: as JSON carries values, or as XML-RPC does. */
interface View {
  readonly within: Within
  levelOf(pair: Pair, side: Side): Level
}

type Types = Extract<Pair, { optional: boolean }>

function xmlViewOf(side: Side, inJson: View): View {
  const within = createWithin(side)
  return { within, levelOf: createLevels(within, inJson) }
}

function changesBy({ levelOf }: View, pair: Types, subject: Subject): Change[] {
  return changesIn(levelOf(pair, subject.side), subject)
}

function fits({ within }: View, { old, now, optional }: Types, { side }: Subject): boolean {
  const [taken, takes] = side === 'param' ? [old, now] : [now, old]
  return stripped(taken, optional).every((branch) => within.branch(branch, takes.branches()))
}

function wholeChange({ old, now }: Types, { side, method, path }: Subject): Change {
  return changeOf(`${side}-type-changed`, method, path, became(describeType(old), describeType(now)))
}

function breaks(changes: readonly Change[]): boolean {
  return changes.some(({ breaking }) => breaking)
}

const xmlBreaks = 'XML-RPC callers break, for a value carries its type there'

/** What breaks callers of XML-RPC, and at its place no others; `told` is what breaks in JSON. */
function xmlChanges(view: View, pair: Types, subject: Subject, told: readonly Change[]): Change[] {
  if (fits(view, pair, subject)) return []
  const places = new Set(told.filter(({ breaking }) => breaking).map(({ path }) => path))
  const own = changesBy(view, pair, subject).filter(({ breaking, path }) => breaking && !places.has(path))
  const isSilent = own.length === 0 && places.size === 0
  const found = isSilent ? [wholeChange(pair, subject)] : own
  return found.map((each) => ({ ...each, code: 'signature-changed', message: `${each.message}: ${xmlBreaks}` }))
}

/** `plainly`: what breaks by it too is left out, for it is told elsewhere, or is of a pair that is none there. */
function createLevels(within: Within, plainly?: View): View['levelOf'] {
  const known = new Map<string, Level>()
  const levelOf = (pair: Pair, side: Side): Level => {
    const key = `${keyOfPair(pair)} ${side}`
    const before = known.get(key)
    if (before) return before
    let steps: readonly LevelStep[] | undefined
    const find = () =>
      stepsOf(pair, side, within, plainly).map((step): LevelStep => {
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

function stepsOf(pair: Pair, side: Side, within: Within, plainly: View | undefined): Step[] {
  const steps = compareLevel(pair, side, within.branch)
  const isBreak = (step: { readonly code: ChangeCode }) => changeCodes[step.code].breaking
  if (!plainly || !steps.some((step) => 'code' in step && isBreak(step))) return steps
  const known = plainly.levelOf(pair, side).steps()
  const told = new Set(known.flatMap((step) => ('change' in step && isBreak(step.change) ? [step.path] : [])))
  return steps.filter((step) => !('code' in step && isBreak(step) && told.has(step.path)))
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
