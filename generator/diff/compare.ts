import type { Direction } from '../../runtime/description/json-schema.js'
import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import { createSubtyping, type Strictness, type Subtyping } from './subtype.js'
import type { Type } from './type.js'
import { became, type Subject, sideOf, Walk } from './walk.js'

/** The comparison of types. What it finds about two types is kept for all methods that use them. */
export interface Comparison {
  /** Returns each change with its path. */
  compare(old: Type, now: Type, subject: Subject): readonly Change[]
  isSame(old: Type, now: Type, direction: Direction): boolean
  /** The relation of params in JSON, or also in XML-RPC. */
  accepting(xml: boolean): Subtyping
}

export function createComparison(): Comparison {
  const walksOf = (direction: Direction) => {
    const subtyping = (strictness: Strictness) => createSubtyping(direction, strictness)
    const contract = subtyping('contract')
    const isSame = (old: Type, now: Type) => contract.isSubtype(old, now) && contract.isSubtype(now, old)
    const walk = (relation: Subtyping) => new Walk(direction, relation, isSame)
    return { isSame, json: walk(subtyping('json')), xml: walk(subtyping('xml')) }
  }
  const walks = { input: walksOf('input'), output: walksOf('output') }
  return {
    compare(old, now, subject) {
      const { isSame, json, xml } = walks[subject.direction]
      if (isSame(old, now)) return []
      const { changes, isComplete } = json.changes(old, now, subject)
      const fits = json.fits(old, now)
      // A change is never missed, even if it has no single path or is nested too deeply.
      const isFound = fits ? isComplete || changes.length > 0 : changes.some(({ breaking }) => breaking)
      const all = isFound ? changes : [...changes, wholeChange(old, now, subject, fits)]
      return subject.xml && !xml.fits(old, now) ? [...all, ...xmlChanges(xml, old, now, subject, all)] : all
    },
    isSame: (old, now, direction) => walks[direction].isSame(old, now),
    accepting: (xml) => walks.input[xml ? 'xml' : 'json'].relation,
  }
}

function wholeChange(old: Type, now: Type, { direction, method, path }: Subject, fits: boolean): Change {
  const compatible = direction === 'input' ? 'param-type-widened' : 'result-type-narrowed'
  const code = fits ? compatible : (`${sideOf(direction)}-type-changed` as const)
  return changeOf(code, method, path, became(describeType(old), describeType(now)))
}

/**
 * Returns the changes that break only callers of XML-RPC at their path: of types, since members, values and constraints are the same in
 * JSON. `reported` are the changes that are reported for JSON.
 */
function xmlChanges(walk: Walk, old: Type, now: Type, subject: Subject, reported: readonly Change[]): Change[] {
  const paths = new Set(reported.filter(({ breaking }) => breaking).map(({ path }) => path))
  const types = walk
    .changes(old, now, subject)
    .changes.filter(({ code, breaking, path }) => breaking && /^(?:param|result)-type-/.test(code) && !paths.has(path))
  const found = types.length === 0 && paths.size === 0 ? [wholeChange(old, now, subject, false)] : types
  const breaks = 'XML-RPC callers break, for a value carries its type there'
  return found.map((each) => ({ ...each, code: 'signature-changed', message: `${each.message}: ${breaks}` }))
}
