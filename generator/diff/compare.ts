import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import type { Type } from './type.js'
import { became, type Level, Levels } from './walk.js'
import { createWithin, createXmlWithin, type Relation, type Side } from './within.js'

/** What is compared: a param or the result of a method, and its path. */
export interface Subject {
  readonly side: Side
  readonly method: string
  readonly path: string
  /** True if XML-RPC can call both versions. */
  readonly xml: boolean
}

/** Compares two types and returns each change with its path. */
export type Compare = (old: Type, now: Type, subject: Subject) => Change[]

/** A pair of branches is reported at this many paths of a subject, with a limit for all pairs: shared types multiply. */
const most = { paths: 4, pairs: 300 }

/** The comparison of types as JSON or as XML-RPC represents their values. */
interface View {
  /** The changes, each at its path. */
  changes(old: Type, now: Type, subject: Subject): Found
  /** True if callers can continue to work with the new type. */
  fits(old: Type, now: Type): boolean
}

interface Found {
  readonly changes: readonly Change[]
  /** False if there are more pairs than are examined. */
  readonly isComplete: boolean
}

/** Makes a comparison. The differences of two types are computed once, however many methods use them. */
export function createComparison(same: Relation): Compare {
  const within = createWithin()
  const viewsOf = (side: Side) => ({
    json: createView(side, within, same),
    xml: createView(side, createXmlWithin(side), same),
  })
  const views = { param: viewsOf('param'), result: viewsOf('result') }
  return (old, now, subject) => {
    if (same.types(old, now)) return []
    const { json, xml } = views[subject.side]
    const { changes, isComplete } = json.changes(old, now, subject)
    const fits = json.fits(old, now)
    // A change is never missed, even if it has no single path or is nested too deeply.
    const isFound = fits ? isComplete || changes.length > 0 : changes.some(({ breaking }) => breaking)
    const all = isFound ? changes : [...changes, wholeChange(old, now, subject, fits)]
    return [...all, ...(subject.xml ? xmlChanges(xml, old, now, subject, all) : [])]
  }
}

function wholeChange(old: Type, now: Type, { side, method, path }: Subject, fits: boolean): Change {
  const compatible = side === 'param' ? 'param-type-widened' : 'result-type-narrowed'
  const code = fits ? compatible : (`${side}-type-changed` as const)
  return changeOf(code, method, path, became(describeType(old), describeType(now)))
}

const xmlBreaks = 'XML-RPC callers break, for a value carries its type there'

/**
 * Returns the changes that break only callers of XML-RPC at their path: of types, since members, values and constraints are
 * the same in JSON. `reported` are the changes that are reported for JSON.
 */
function xmlChanges(view: View, old: Type, now: Type, subject: Subject, reported: readonly Change[]): Change[] {
  if (view.fits(old, now)) return []
  const paths = new Set(reported.filter(({ breaking }) => breaking).map(({ path }) => path))
  const own = view
    .changes(old, now, subject)
    .changes.filter(
      ({ code, breaking, path }) => breaking && code.startsWith(`${subject.side}-type-`) && !paths.has(path),
    )
  const found = own.length === 0 && paths.size === 0 ? [wholeChange(old, now, subject, false)] : own
  return found.map((each) => ({ ...each, code: 'signature-changed', message: `${each.message}: ${xmlBreaks}` }))
}

function createView(side: Side, within: Relation, same: Relation): View {
  const levels = new Levels(side, within, same)
  return {
    changes: (old, now, subject) => changesIn(levels.ofTypes(old, now), subject),
    fits: (old, now) => (side === 'param' ? within.types(old, now) : within.types(now, old)),
  }
}

/** A level with its path, and the pairs of branches around it. */
interface Visit {
  readonly path: string
  readonly level: Level
  readonly around: readonly Level[]
}

/** Breadth first, so that shallow changes are reported if not all of them are. */
function changesIn(root: Level, { method, path }: Subject): Found {
  const changes: Change[] = []
  const paths = new Map<Level, number>()
  let pairs = 0
  const isReported = ({ level, around }: Visit): boolean => {
    const count = (paths.get(level) ?? 0) + 1
    paths.set(level, count)
    pairs += 1
    // A recursive type is reported once.
    return count > most.paths || pairs > most.pairs || around.includes(level)
  }
  const queue: Visit[] = [{ path, level: root, around: [] }]
  for (const visit of queue) {
    if (visit.level.isBranches && isReported(visit)) continue
    const around = visit.level.isBranches ? [...visit.around, visit.level] : visit.around
    for (const step of visit.level.steps()) {
      const at = visit.path + step.path
      if ('code' in step) changes.push(changeOf(step.code, method, at, step.text))
      else queue.push({ path: at, level: step.level, around })
    }
  }
  return { changes, isComplete: pairs <= most.pairs }
}
