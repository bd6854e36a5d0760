import { branchesOf, structsOf } from './branches.js'
import { describeType, nothing } from './describe.js'
import { describeIssue, type Issue } from './issue.js'
import { memberPath } from './path.js'
import { isStruct, member } from './predicates.js'
import { unlike } from './unlike.js'
import type { LazyType, UnionType, WireType } from './wire-type.js'

/** A branch of a union, and why it refuses a value. */
export interface Tried {
  readonly branch: WireType
  readonly issues: Issue[]
  /** Where these are: a set, since a value may have as many places as issues. */
  readonly paths: ReadonlySet<string>
}

/** Why no branch accepts a value: told by those that its tags name, and of these by the ones that come closest. */
export function explainNearest(
  type: UnionType<LazyType>,
  tried: readonly Tried[],
  value: unknown,
  at: string,
): Issue[] {
  const inside = tried.filter(({ paths }) => !paths.has(at))
  let named = inside
  const places = new Map<string, Place>()
  for (const each of inside) addPlaces(places, each, each.branch, value, at)
  // A tag that is left out tells nothing where a branch has none.
  for (const [path, { there, types, fitting }] of places) {
    const branches = branchesOf(types)
    const isLeftOut = there === undefined && types.length < inside.length
    const isTag = branches.some(({ kind }) => kind === 'literal') && new Set(types.map(describeType)).size > 1
    if (isLeftOut || !isTag) continue
    if (fitting.length === 0) {
      // One that is left out is told of only where no other says which branch is meant.
      if (there === undefined && named.length < inside.length) continue
      return unlike({ kind: 'union', branches }, there, path)
    }
    const both = named.filter((each) => fitting.includes(each))
    if (both.length > 0) named = both
  }
  const nearest = Math.min(...named.map(distance))
  const closest = named.filter((each) => distance(each) === nearest)
  return closest.length === 1 && closest[0] ? closest[0].issues : unlike(type, value, at, reasons(closest))
}

/** A member somewhere in a value: its types in all branches that declare it, and the branches that it fits. */
interface Place {
  readonly there: unknown
  readonly types: WireType[]
  readonly fitting: Tried[]
}

function addPlaces(places: Map<string, Place>, branch: Tried, type: WireType, value: unknown, at: string): void {
  const [struct, other] = structsOf(type)
  if (!struct || other || !isStruct(value)) return
  for (const { name, type } of struct.members) {
    const path = memberPath(at, name)
    const there = member(value, name)
    const place = places.get(path) ?? { there, types: [], fitting: [] }
    places.set(path, place)
    place.types.push(type)
    if (!branch.paths.has(path)) place.fitting.push(branch)
    addPlaces(places, branch, type, there, path)
  }
}

/** What is not there tells more about the branch that was meant than what is there and wrong. */
function distance({ issues }: Tried): number {
  return issues.filter(({ received }) => received === nothing).length * 1000 + issues.length
}

/** How many branches that are equally close an error names. */
const mostBranches = 4

/** Why the branches that come closest refuse a value, by the first reason of each. */
function reasons(closest: readonly Tried[]): string {
  const told = closest
    .slice(0, mostBranches)
    .flatMap(({ branch, issues: [first] }) => (first ? `for ${describeType(branch)} ${describeIssue(first)}` : []))
  return told.length === 0 ? '' : ` (${told.join('; ')})`
}
