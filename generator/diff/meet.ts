import { holds } from './expand.js'
import { matches, meetNumbers, meetStrings, numbersWithin, sorted, stringsWithin } from './limits.js'
import { type ArrayBranch, type Branch, elementAt, type Member, type ObjectBranch, type Type } from './type.js'

/** The values that several types have in common. */
export type Meeting = (...types: readonly Type[]) => Type

/** The values that all of several unions take. */
export function meetAll(unions: readonly (readonly Branch[])[], meeting: Meeting): Branch[] {
  const [first = [], ...more] = unions
  return more.reduce<Branch[]>(
    (met, union) => met.flatMap((a) => union.flatMap((b) => meet(a, b, meeting) ?? [])),
    [...first],
  )
}

function meet(a: Branch, b: Branch, meeting: Meeting): Branch | undefined {
  const met = meetPlain(a, b, meeting)
  const opaque = sorted([...(a.opaque ?? []), ...(b.opaque ?? [])])
  return met && opaque.length > 0 ? { ...met, opaque } : met
}

function meetPlain(a: Branch, b: Branch, meeting: Meeting): Branch | undefined {
  if (a.kind === 'any') return b
  if (b.kind === 'any') return a
  if (isConstant(b)) return holds(a, b) ? b : undefined
  if (isConstant(a)) return holds(b, a) ? a : undefined
  if (a.kind === 'number' && b.kind === 'number') return { kind: 'number', ...meetNumbers(a, b) }
  if (a.kind === 'string' && b.kind === 'string') return { kind: 'string', ...meetStrings(a, b) }
  if (a.kind === 'array' && b.kind === 'array') return meetArrays(a, b, meeting)
  if (a.kind === 'object' && b.kind === 'object') return meetObjects(a, b, meeting)
  return undefined
}

export function isConstant({ kind }: Branch): boolean {
  return kind === 'null' || kind === 'literal' || kind === 'constant'
}

function meetArrays(a: ArrayBranch, b: ArrayBranch, meeting: Meeting): ArrayBranch {
  const most = Math.min(a.most, b.most)
  const both = (x: Type | undefined, y: Type | undefined) => (x && y ? meeting(x, y) : undefined)
  const length = Math.min(most, Math.max(a.prefix.length, b.prefix.length))
  const prefix = Array.from({ length }, (_, i) => both(elementAt(a, i), elementAt(b, i)))
  return {
    kind: 'array',
    prefix: prefix.filter((each) => each !== undefined),
    rest: most > length ? both(a.rest, b.rest) : undefined,
    least: Math.max(a.least, b.least),
    most,
    unique: a.unique || b.unique,
  }
}

function meetObjects(a: ObjectBranch, b: ObjectBranch, meeting: Meeting): ObjectBranch {
  const names = sorted([...a.members.keys(), ...b.members.keys()])
  const members = names.map((name): [string, Member] => {
    const all = [a, b].flatMap((each) => memberTypes(each, name))
    const required = [a, b].some((each) => each.members.get(name)?.required)
    return [name, { type: meeting(...all), required }]
  })
  const patterns = new Map(a.patterns)
  for (const [pattern, type] of b.patterns) {
    const own = patterns.get(pattern)
    patterns.set(pattern, own ? meeting(own, type) : type)
  }
  return { kind: 'object', members: new Map(members), patterns, others: meetOthers(a, b, meeting) }
}

/** What is said of a member by one of two; by one of them at least there is something. */
function memberTypes({ members, patterns, others }: ObjectBranch, name: string): Type[] {
  const own = members.get(name)
  const matching = [...patterns].flatMap(([pattern, type]) => (matches(pattern, name) ? [type] : []))
  if (own) return [own.type]
  return matching.length > 0 || typeof others === 'string' ? matching : [others]
}

function meetOthers(
  { others: a }: ObjectBranch,
  { others: b }: ObjectBranch,
  meeting: Meeting,
): ObjectBranch['others'] {
  if (a === 'refused' || b === 'refused') return 'refused'
  if (a === 'dropped') return b
  return b === 'dropped' ? a : meeting(a, b)
}

/** A union without the branches that others of it take too, as far as that is told by looking at scalars. */
export function withoutCovered(branches: readonly Branch[]): Branch[] {
  const every = branches.find((each) => each.kind === 'any' && !each.opaque)
  if (every) return [every]
  return branches.filter((branch, i) =>
    branches.every((other, j) => i === j || !covers(other, branch) || (covers(branch, other) && i < j)),
  )
}

/** Whether a branch takes all that another does; said of scalars only. */
function covers(other: Branch, branch: Branch): boolean {
  if (other.opaque || branch.opaque) return false
  if (branch.kind === 'null' || branch.kind === 'literal') return holds(other, branch)
  if (branch.kind === 'number' && other.kind === 'number') return numbersWithin(branch, other)
  return branch.kind === 'string' && other.kind === 'string' && stringsWithin(branch, other)
}
