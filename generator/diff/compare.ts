import { type Change, changeCodes, changeOf } from './change.js'
import { describeType } from './describe.js'
import { keyOf } from './groups.js'
import type { Type } from './type.js'
import { became, compareLevel, type Pair, type Step, stripped } from './walk.js'
import { createWithin, type Side, type Within } from './within.js'

/** What is compared: a param or the result of a method, and its place. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
  /** Whether XML-RPC can call both versions. */
  readonly xml: boolean
}

/**
 * Compares two types: each change at its place. `optional`: null in one of them only means that the value may be left
 * out, which is reported already.
 */
export type Compare = (old: Type, now: Type, subject: Subject, optional?: boolean) => Change[]

/** A pair of branches is shown in this many places of a subject, and so many pairs in all: shared types multiply. */
const most = { places: 4, pairs: 300 }

/** What two types or branches differ in, found out when it is needed; the same pair is the same level. */
interface Level {
  /** Whether it is of two branches; types that differ come to those. */
  readonly isBranches: boolean
  steps(): readonly Step[]
}

type Types = Extract<Pair, { optional: boolean }>

/** How two types are compared: as JSON carries values, or as XML-RPC does. */
interface View {
  levelOf(pair: Pair, side: Side): Level
  /** Every change, at its path. */
  changes(pair: Types, subject: Subject): Change[]
  /** Whether callers can go on with the new type. */
  fits(pair: Types, side: Side): boolean
}

/** Makes a comparison of grouped types; what two types differ in is found out once, however many methods have them. */
export function createComparison(): Compare {
  const inJson = createView()
  const inXml = { param: createView('param', inJson), result: createView('result', inJson) }
  return (old, now, subject, optional = false) => {
    if (old.group === now.group) return []
    const pair = { old, now, optional }
    const found = inJson.changes(pair, subject)
    // What breaks is never missed, even where no single path can be named.
    const isWhole = !found.some(({ breaking }) => breaking) && !inJson.fits(pair, subject.side)
    const all = isWhole ? [...found, wholeChange(pair, subject)] : found
    return subject.xml ? [...all, ...xmlChanges(inXml[subject.side], pair, subject, all)] : all
  }
}

function wholeChange({ old, now }: Types, { side, method, path }: Subject): Change {
  return changeOf(`${side}-type-changed`, method, path, became(describeType(old), describeType(now)))
}

const xmlBreaks = 'XML-RPC callers break, for a value carries its type there'

/** What breaks callers of XML-RPC, and no others at its path; `told` is what is reported for JSON. */
function xmlChanges(view: View, pair: Types, subject: Subject, told: readonly Change[]): Change[] {
  if (view.fits(pair, subject.side)) return []
  const paths = new Set(told.filter(({ breaking }) => breaking).map(({ path }) => path))
  const own = view.changes(pair, subject).filter(({ breaking, path }) => breaking && !paths.has(path))
  const found = own.length === 0 && paths.size === 0 ? [wholeChange(pair, subject)] : own
  return found.map((each) => ({ ...each, code: 'signature-changed', message: `${each.message}: ${xmlBreaks}` }))
}

/** With `xmlSide` a view of XML-RPC, without what breaks in `inJson` too: that is reported there, or is of a pair that is none there. */
function createView(xmlSide?: Side, inJson?: View): View {
  const within = createWithin(xmlSide)
  const byKey = new Map<string, Level>()
  const byPair = new WeakMap<Pair, Level>()
  const levelOf = (pair: Pair, side: Side): Level => {
    const known = byPair.get(pair)
    if (known) return known
    const key = `${keyOfPair(pair)} ${side}`
    const level = byKey.get(key) ?? createLevel(pair, side)
    byKey.set(key, level)
    byPair.set(pair, level)
    return level
  }
  const createLevel = (pair: Pair, side: Side): Level => {
    let steps: readonly Step[] | undefined
    return {
      isBranches: !('optional' in pair),
      steps() {
        steps ??= stepsOf(pair, side, within, inJson)
        return steps
      },
    }
  }
  return {
    levelOf,
    changes: (pair, subject) => changesIn(levelOf(pair, subject.side), subject, levelOf),
    fits({ old, now, optional }, side) {
      const [sent, accepted] = side === 'param' ? [old, now] : [now, old]
      return stripped(sent, optional).every((branch) => within.branch(branch, accepted.branches()))
    },
  }
}

function stepsOf(pair: Pair, side: Side, within: Within, inJson: View | undefined): readonly Step[] {
  const steps = compareLevel(pair, side, within.branch)
  if (!inJson || !steps.some(isBreak)) return steps
  const told = new Set(
    inJson
      .levelOf(pair, side)
      .steps()
      .filter(isBreak)
      .map(({ path }) => path),
  )
  return steps.filter((step) => !isBreak(step) || !told.has(step.path))
}

function isBreak(step: Step): boolean {
  return 'code' in step && changeCodes[step.code].breaking
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

/** Level by level, so that what is near is reported where not everything is reported. */
function changesIn(root: Level, { side, method, path }: Subject, levelOf: View['levelOf']): Change[] {
  const found: Change[] = []
  const places = new Map<Level, number>()
  let branches = 0
  const isReported = (visit: Visit): boolean => {
    if (!visit.level.isBranches) return false
    const count = places.get(visit.level) ?? 0
    places.set(visit.level, count + 1)
    branches += 1
    return count === most.places || branches > most.pairs || isInside(visit)
  }
  const queue: Visit[] = [{ level: root, path, around: undefined }]
  for (const visit of queue) {
    if (isReported(visit)) continue
    for (const step of visit.level.steps()) {
      const at = visit.path + step.path
      if ('code' in step) found.push(changeOf(step.code, method, at, step.said))
      else queue.push({ level: levelOf(step.pair, side), path: at, around: visit })
    }
  }
  return found
}

/** Whether a level is inside of itself: a recursive type is reported once. */
function isInside({ level, around }: Visit): boolean {
  for (let visit = around; visit; visit = visit.around) if (visit.level === level) return true
  return false
}
