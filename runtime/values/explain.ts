import type { Procedure } from '../call/manifest.js'
import {
  accepts,
  acceptsKind,
  createVerdicts,
  elementType,
  hasLengthOf,
  indexedKeys,
  type Verdicts,
} from './accepts.js'
import { branchesOf, memberTypes, namedStruct, structsOf } from './branches.js'
import { describeType, describeValue, nothing } from './describe.js'
import { collectIssues, describeIssue, type Issue, typeMismatch } from './issue.js'
import { PairCache } from './pair-cache.js'
import type { Param } from './param.js'
import { memberPath } from './path.js'
import { isStruct, member, type Struct } from './predicates.js'
import type { LazyType, Member, StructType, TupleType, UnionType, WireType } from './wire-type.js'

/** What one explanation has found out already: each pair of a recursive type and an object is looked at once. */
interface Known {
  readonly verdicts: Verdicts
  readonly issues: PairCache<WireType, Issue[]>
}

function createKnown(): Known {
  return { verdicts: createVerdicts(), issues: new PairCache() }
}

/**
 * Returns why a procedure rejects its arguments, which are TypeScript values; empty if it accepts them. Of several overloads
 * the one with the fewest issues is explained. Takes time linear in the size of the arguments.
 */
export function explainCall(
  { params, overloads }: Pick<Procedure, 'params' | 'overloads'>,
  args: readonly unknown[],
): Issue[] {
  const known = createKnown()
  const issues = explainArguments(params, args, known)
  if (!overloads || issues.length > 0) return issues
  const tried = overloads.map((each) => explainArguments(each, args, known))
  return tried.reduce((one, other) => (other.length < one.length ? other : one))
}

function explainArguments(params: readonly Param[], args: readonly unknown[], known: Known): Issue[] {
  const rest = params.at(-1)?.rest ? params.length - 1 : undefined
  if (rest === undefined && args.length > params.length) {
    return [{ path: 'params', expected: atMost(params.length), received: `${args.length}` }]
  }
  const issues = params.slice(0, rest).flatMap((param, i) => {
    if (args[i] === undefined && param.optional) return []
    return i < args.length
      ? explainPart(param.type, args[i], () => param.name, known)
      : typeMismatch(param.type, undefined, param.name)
  })
  if (rest === undefined) return issues
  const { name, type } = params[rest] as Param
  const path = (i: number) => `${name}[${i}]`
  return issues.concat(collectIssues(args.slice(rest), (arg, i) => explainPart(type, arg, () => path(i), known)))
}

function atMost(count: number): string {
  return count === 0 ? 'no parameters' : `at most ${count} parameter${count === 1 ? '' : 's'}`
}

/** Returns why a TypeScript value is not of a type; empty if it is. */
export function explain(type: WireType, value: unknown, path: string): Issue[] {
  return explainPart(type, value, () => path, createKnown())
}

/** Describes only what is rejected: what is accepted costs no path and no text. */
function explainPart(type: WireType, value: unknown, path: () => string, known: Known): Issue[] {
  return accepts(type, value, known.verdicts) ? [] : explainRejected(type, value, path(), known)
}

function explainRejected(type: WireType, value: unknown, path: string, known: Known): Issue[] {
  if (type.kind === 'ref') {
    const target = type.type()
    const issues = known.issues.get(target, value, () => explainPart(target, value, () => path, known))
    if (issues.length > 0) return issues
  }
  if (type.constraints && acceptsKind(type, value, known.verdicts)) return typeMismatch(type, value, path)
  return explainKind(type, value, path, known)
}

function explainKind(type: WireType, value: unknown, path: string, known: Known): Issue[] {
  switch (type.kind) {
    case 'array':
      return Array.isArray(value) ? explainItems(type.element, value, path, known) : typeMismatch(type, value, path)
    case 'set':
      return value instanceof Set ? explainItems(type.element, value, path, known) : notOf('Set', type, value, path)
    case 'map':
      return value instanceof Map
        ? collectIssues(value, ([name, each]) => explainEntry(type.value, name, each, path, known))
        : notOf('Map', type, value, path)
    case 'tuple':
      return Array.isArray(value) ? explainTuple(type, value, path, known) : typeMismatch(type, value, path)
    case 'struct':
      return isStruct(value) ? explainStruct(type, value, path, known) : typeMismatch(type, value, path)
    case 'union':
      return known.issues.get(type, value, () => explainUnion(type, value, path, known))
    default:
      return typeMismatch(type, value, path)
  }
}

function explainItems(type: WireType, items: Iterable<unknown>, path: string, known: Known): Issue[] {
  return collectIssues(items, (each, i) => explainPart(type, each, () => `${path}[${i}]`, known))
}

function explainEntry(type: WireType, name: unknown, value: unknown, path: string, known: Known): Issue[] {
  if (typeof name === 'string') return explainPart(type, value, () => memberPath(path, name), known)
  return [{ path, expected: 'names that are strings', received: describeValue(name) }]
}

function explainTuple(type: TupleType<LazyType>, value: readonly unknown[], path: string, known: Known): Issue[] {
  if (!hasLengthOf(type, value)) return typeMismatch(type, value, path)
  return collectIssues(value, (each, i) => {
    const element = elementType(type, each, i)
    return element ? explainPart(element, each, () => `${path}[${i}]`, known) : []
  })
}

function explainStruct(type: StructType<LazyType>, value: Struct, path: string, known: Known): Issue[] {
  const issues = collectIssues(type.members, (each) => explainMember(each, value, path, known))
  const { rest } = type
  if (!rest) return issues
  const others = collectIssues(indexedKeys(type, value), (name) =>
    explainPart(rest, value[name], () => memberPath(path, name), known),
  )
  return issues.concat(others)
}

function explainMember({ name, type, optional }: Member, value: Struct, path: string, known: Known): Issue[] {
  const there = member(value, name)
  if (there === undefined && optional) return []
  if (accepts(type, there, known.verdicts)) return []
  const at = memberPath(path, name)
  return there === undefined ? typeMismatch(type, there, at) : explainRejected(type, there, at, known)
}

/** On the wire a Set is an array and a Map an object; only a call from the same process can bring one for the other. */
function notOf(name: 'Set' | 'Map', type: WireType, value: unknown, path: string): Issue[] {
  const form = name === 'Set' ? Array.isArray(value) : isStruct(value)
  return typeMismatch(type, value, path, form ? `, not a ${name}` : '')
}

/** By the branch that the discriminant names, if there is one; otherwise by the best-matching branches. */
function explainUnion(type: UnionType<LazyType>, value: unknown, path: string, known: Known): Issue[] {
  const { discriminant, branches } = type
  if (discriminant !== undefined && isStruct(value)) {
    const named = namedStruct(type, discriminant, value)
    if (named) return explainRejected(named, value, path, known)
    const tags = memberTypes(structsOf(type), discriminant)
    return typeMismatch({ kind: 'union', branches: tags }, member(value, discriminant), memberPath(path, discriminant))
  }
  const attempts = branches.map((branch): Attempt => {
    const issues = explainRejected(branch, value, path, known)
    return { branch, issues, paths: new Set(issues.map((issue) => issue.path)) }
  })
  return explainBestMatch(type, attempts, value, path)
}

/** A branch of a union, and why it rejects a value. */
interface Attempt {
  readonly branch: WireType
  readonly issues: Issue[]
  /** The paths of the issues. */
  readonly paths: ReadonlySet<string>
}

/**
 * Explains by the branches that the value's tags name (members whose types are literals) and, of these, by the ones that come
 * closest.
 */
function explainBestMatch(
  type: UnionType<LazyType>,
  attempts: readonly Attempt[],
  value: unknown,
  path: string,
): Issue[] {
  const inside = attempts.filter(({ paths }) => !paths.has(path))
  let named = inside
  for (const [at, { there, types, fitting }] of membersOf(inside, value, path)) {
    // A missing tag says nothing if a branch has none.
    if (there === undefined && types.length < inside.length) continue
    if (!areTags(types)) continue
    if (fitting.length === 0) {
      // Reported only if no other tag has narrowed the branches.
      if (there === undefined && named.length < inside.length) continue
      return typeMismatch({ kind: 'union', branches: branchesOf(types) }, there, at)
    }
    const both = named.filter((each) => fitting.includes(each))
    if (both.length > 0) named = both
  }
  const best = Math.min(...named.map(penalty))
  const closest = named.filter((each) => penalty(each) === best)
  return closest.length === 1 && closest[0] ? closest[0].issues : typeMismatch(type, value, path, reasons(closest))
}

/** A member somewhere in a value: its types in all branches that declare it, and the branches that it fits. */
interface TriedMember {
  readonly there: unknown
  readonly types: WireType[]
  readonly fitting: Attempt[]
}

/** The members of all branches by path, of structs within structs too. With one branch there is nothing to tell apart. */
function membersOf(attempts: readonly Attempt[], value: unknown, path: string): ReadonlyMap<string, TriedMember> {
  const members = new Map<string, TriedMember>()
  if (attempts.length > 1) for (const each of attempts) addMembers(members, each, each.branch, value, path)
  return members
}

function addMembers(
  members: Map<string, TriedMember>,
  attempt: Attempt,
  type: WireType,
  value: unknown,
  path: string,
): void {
  const [struct, other] = structsOf(type)
  if (!struct || other || !isStruct(value)) return
  for (const { name, type } of struct.members) {
    const at = memberPath(path, name)
    const there = member(value, name)
    const tried = members.get(at) ?? { there, types: [], fitting: [] }
    members.set(at, tried)
    tried.types.push(type)
    if (!attempt.paths.has(at)) tried.fitting.push(attempt)
    addMembers(members, attempt, type, there, at)
  }
}

/** True if a member is of different types in the branches, literals among them. */
function areTags(types: readonly WireType[]): boolean {
  return branchesOf(types).some(({ kind }) => kind === 'literal') && new Set(types.map(describeType)).size > 1
}

/** A missing member is stronger evidence against a branch than a wrong one. */
function penalty({ issues }: Attempt): number {
  return issues.filter(({ received }) => received === nothing).length * 1000 + issues.length
}

/** The most branches that an error describes where several come equally close, and the most characters of it. */
const MAX_BRANCHES = 4
const MAX_REASONS = 500

/** Why the closest branches reject a value, by the first issue of each. */
function reasons(closest: readonly Attempt[]): string {
  const all = closest
    .slice(0, MAX_BRANCHES)
    .flatMap(({ branch, issues: [first] }) => (first ? `for ${describeType(branch)} ${describeIssue(first)}` : []))
    .join('; ')
  if (all === '') return ''
  return ` (${all.length > MAX_REASONS ? `${all.slice(0, MAX_REASONS)}…` : all})`
}
