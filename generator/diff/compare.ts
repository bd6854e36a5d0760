import { type Change, changeCodes, changeOf, keyOf } from './change.js'
import { describeType } from './describe.js'
import type { Type } from './type.js'
import { became, compareLevel, type Pair, type Step, stripped } from './walk.js'
import { createWithin, type Side, type Within } from './within.js'

/** What is compared: a param or the result of a method, and its path. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
  /** True if XML-RPC can call both versions. */
  readonly xml: boolean
}

/**
 * Compares two types and returns each change with its path. `optional`: null in only one of them means that the value may be left
 * out, which is already reported.
 */
export type Compare = (old: Type, now: Type, subject: Subject, optional?: boolean) => Change[]

/** A pair of branches is reported at this many paths of a subject, with a limit for all pairs: shared types multiply. */
const most = { places: 4, pairs: 300 }

/** The differences of two types or branches, computed when needed; the same pair is the same level. */
interface Level {
  /** True for two branches. Types that differ lead to these. */
  readonly isBranches: boolean
  steps(): readonly Step[]
}

type Types = Extract<Pair, { optional: boolean }>

/** True if types are compared as JSON or as XML-RPC represents their values. */
interface View {
  levelOf(pair: Pair, side: Side): Level
  /** Every change, at its path. */
  changes(pair: Types, subject: Subject): Change[]
  /** True if callers can continue to work with the new type. */
  fits(pair: Types, side: Side): boolean
}

/** Makes a comparison of grouped types. The differences of two types are computed once, however many methods use them. */
export function createComparison(): Compare {
  const inJson = createView()
  const inXml = { param: createView('param', inJson), result: createView('result', inJson) }
  return (old, now, subject, optional = false) => {
    if (old.group === now.group) return []
    const pair = { old, now, optional }
    const found = inJson.changes(pair, subject)
    // A breaking change is never missed, even if it has no single path.
    const isWhole = !found.some(({ breaking }) => breaking) && !inJson.fits(pair, subject.side)
    const all = isWhole ? [...found, wholeChange(pair, subject)] : found
    return subject.xml ? [...all, ...xmlChanges(inXml[subject.side], pair, subject, all)] : all
  }
}

function wholeChange({ old, now }: Types, { side, method, path }: Subject): Change {
  return changeOf(`${side}-type-changed`, method, path, became(describeType(old), describeType(now)))
}

const xmlBreaks = 'XML-RPC callers break, for a value carries its type there'

/** Returns the changes that break only callers of XML-RPC at their path. `reported` are the changes that are reported for JSON. */
function xmlChanges(view: View, pair: Types, subject: Subject, reported: readonly Change[]): Change[] {
  if (view.fits(pair, subject.side)) return []
  const paths = new Set(reported.filter(({ breaking }) => breaking).map(({ path }) => path))
  const own = view.changes(pair, subject).filter(({ breaking, path }) => breaking && !paths.has(path))
  const found = own.length === 0 && paths.size === 0 ? [wholeChange(pair, subject)] : own
  return found.map((each) => ({ ...each, code: 'signature-changed', message: `${each.message}: ${xmlBreaks}` }))
}

/** With `xmlSide` the levels of XML-RPC, without the changes that break JSON too: those are already reported. */
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
  const reported = new Set(
    inJson
      .levelOf(pair, side)
      .steps()
      .filter(isBreak)
      .map(({ path }) => path),
  )
  return steps.filter((step) => !isBreak(step) || !reported.has(step.path))
}

function isBreak(step: Step): boolean {
  return 'code' in step && changeCodes[step.code].breaking
}

function keyOfPair(pair: Pair): string {
  if ('optional' in pair) return `${pair.old.group} ${pair.now.group} ${pair.optional}`
  return `${keyOf(pair.old)} => ${keyOf(pair.now)}`
}

/** A level with its path, and the levels around it. */
interface Visit {
  readonly level: Level
  readonly path: string
  readonly around: Visit | undefined
}

/** Breadth first, so that shallow changes are reported if not all of them are. */
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
      if ('code' in step) found.push(changeOf(step.code, method, at, step.text))
      else queue.push({ level: levelOf(step.pair, side), path: at, around: visit })
    }
  }
  return found
}

/** True if a level contains itself: a recursive type is reported once. */
function isInside({ level, around }: Visit): boolean {
  for (let visit = around; visit; visit = visit.around) if (visit.level === level) return true
  return false
}
