import { memoised } from './memoised.js'
import {
  type ArrayBranch,
  acceptingConstant,
  acceptsConstant,
  type Branch,
  bigintText,
  elementAt,
  furtherMembers,
  hasBranch,
  isConstant,
  isInt32,
  type Member,
  memberTypes,
  type ObjectBranch,
  scalarsWithin,
  sentDate,
  startOfNames,
  type Type,
  unionType,
  withoutConstants,
} from './type.js'

/** Params: what callers may send may only grow. Results: what callers receive may only shrink. */
export type Side = 'param' | 'result'

/** A relation of types, and of unions. */
export interface Relation {
  types(a: Type, b: Type): boolean
  unions(a: readonly Branch[], b: readonly Branch[]): boolean
}

type TypesWithin = (a: Type, b: Type) => boolean

/**
 * Makes the relation that is true if the second type accepts every value of the first. `true` is always right; `false` may be
 * wrong for unions that divide the same values in another way. Unknown keys are ignored: senders do not send them, and
 * receivers ignore them. Branches also have to agree.
 */
export function createWithin(agree: (a: Branch, b: Branch) => boolean = () => true): Relation {
  const splits = new Map<Branch, readonly Branch[] | undefined>()
  const splitOf = (branch: Branch): readonly Branch[] | undefined => {
    if (!splits.has(branch)) splits.set(branch, split(branch))
    return splits.get(branch)
  }

  const unionsWithin = (a: readonly Branch[], b: readonly Branch[]): boolean =>
    a.every(
      (one, i) =>
        hasBranch(b, one, i, (other) => branchWithin(one, other)) ||
        splitOf(one)?.every((each) => withoutConstants(b).some((other) => branchWithin(each, other))) === true,
    )

  const branchWithin = (a: Branch, b: Branch): boolean => {
    if (a === b) return true
    if (b.opaque?.some((each) => !a.opaque?.includes(each))) return false
    if (b.kind === 'any') return true
    if (!agree(a, b)) return false
    if (a.kind === 'array') return b.kind === 'array' && arraysWithin(a, b, typesWithin)
    if (a.kind === 'object') return b.kind === 'object' && objectsWithin(a, b, typesWithin)
    return scalarsWithin(a, b)
  }

  const { typesWithin, settled } = createVerdicts(unionsWithin)
  return {
    types: (a, b) => settled(() => typesWithin(a, b)),
    unions: (a, b) => settled(() => unionsWithin(a, b)),
  }
}

/** Whether one type is within another; undefined if the two were not compared yet. */
interface Verdict {
  readonly a: Type
  readonly b: Type
  holds: boolean | undefined
  /** Verdicts that were reached with this one, if it is true. */
  dependents?: Set<Verdict>
}

/** Types that are nested deeper are compared later, so that the stack does not overflow. */
const deepest = 50

/**
 * Compares types by their unions. A recursive type contains itself, so types count as within each other until they are
 * disproved; then the verdicts that depend on this one are reached again. `settled` returns the result of a test when no
 * verdict is open.
 */
function createVerdicts(unionsWithin: Relation['unions']) {
  const verdictOf = memoised((a: Type, b: Type): Verdict => ({ a, b, holds: undefined }))
  const open: Verdict[] = []
  let current: Verdict | undefined
  let depth = 0

  const examine = (verdict: Verdict): void => {
    const outer = current
    current = verdict
    depth += 1
    verdict.holds = unionsWithin(verdict.a.branches(), verdict.b.branches())
    depth -= 1
    current = outer
    if (!verdict.holds) for (const each of verdict.dependents ?? []) open.push(each)
  }

  const typesWithin = (a: Type, b: Type): boolean => {
    if (a === b) return true
    const verdict = verdictOf(a, b)
    if (verdict.holds === undefined) {
      verdict.holds = true
      if (depth < deepest) examine(verdict)
      else open.push(verdict)
    }
    if (verdict.holds && current) {
      verdict.dependents ??= new Set()
      verdict.dependents.add(current)
    }
    return verdict.holds
  }

  const settled = (test: () => boolean): boolean => {
    while (test()) {
      if (open.length === 0) return true
      for (let next = open.pop(); next; next = open.pop()) if (next.holds) examine(next)
    }
    return false
  }
  return { typesWithin, settled }
}

/** Makes the relation of types with the same contract, regardless of names and of the order of branches and members. */
export function createSame(): Relation {
  const within = createWithin(declaresMembersOf)
  return {
    types: (a, b) => within.types(a, b) && within.types(b, a),
    unions: (a, b) => within.unions(a, b) && within.unions(b, a),
  }
}

/** True if an object declares the members of another one. In JSON one without an optional member is within one with it. */
function declaresMembersOf(b: Branch, a: Branch): boolean {
  if (a.kind !== 'object' || b.kind !== 'object') return true
  const { members, patterns } = b
  return (
    [...a.members].every(([name, { required }]) => members.get(name)?.required === required) &&
    [...a.patterns.keys()].every((pattern) => patterns.has(pattern)) &&
    (furtherMembers(a) === undefined) === (furtherMembers(b) === undefined)
  )
}

/** Returns one branch for each value of a member that has few: `{ kind: 'a' | 'b' }` is `{ kind: 'a' } | { kind: 'b' }`. */
function split(branch: Branch): Branch[] | undefined {
  if (branch.kind !== 'object') return undefined
  for (const [name, { type, required }] of branch.members) {
    const values = type.branches()
    if (!required || values.length < 2 || values.length > 64 || !values.every(isConstant)) continue
    return values.map((value) => ({
      ...branch,
      members: new Map(branch.members).set(name, { required, type: unionType([value]) }),
    }))
  }
  return undefined
}

export function lengthsWithin(a: ArrayBranch, b: ArrayBranch): boolean {
  return a.least >= b.least && a.most <= b.most && (a.unique || !b.unique || a.most <= 1)
}

/** True if every list of one branch is a list of the other. */
function arraysWithin(a: ArrayBranch, b: ArrayBranch, within: TypesWithin): boolean {
  if (!lengthsWithin(a, b)) return false
  const places = Math.min(a.most, Math.max(a.prefix.length, b.prefix.length) + 1)
  return Array.from({ length: places }).every((_, i) => {
    const own = elementAt(a, i)
    const other = elementAt(b, i)
    return !own || (other !== undefined && within(own, other))
  })
}

/** True if every object of one branch is an object of the other. */
function objectsWithin(a: ObjectBranch, b: ObjectBranch, within: TypesWithin): boolean {
  const isSent = ([name, { required }]: [string, Member]) => !required || a.members.get(name)?.required === true
  if (![...b.members].every(isSent)) return false
  const isAccepted = (name: string) => {
    const own = memberTypes(a, name)
    return own.length === 0 || memberTypes(b, name, b.others).every((each) => own.some((type) => within(type, each)))
  }
  if (![...a.members.keys(), ...b.members.keys()].every(isAccepted)) return false
  // Names that match a pattern of both are compared with that pattern.
  const added = [...b.patterns].filter(([pattern]) => !a.patterns.has(pattern))
  const acceptsNames = (pattern: string, type: Type, accepted = b.others) =>
    (!accepted || within(type, accepted)) &&
    added.every(([each, other]) => areNamesApart(pattern, each) || within(type, other))
  return (
    [...a.patterns].every(([pattern, type]) => acceptsNames(pattern, type, b.patterns.get(pattern))) &&
    (!a.others || acceptsNames('', a.others))
  )
}

/** True if no name matches both patterns, as they begin differently. `false` may be wrong. */
function areNamesApart(a: string, b: string): boolean {
  const [one, other] = [startOfNames(a).text, startOfNames(b).text]
  return !one.startsWith(other) && !other.startsWith(one)
}

/**
 * Makes the relation for XML-RPC, where values also have to have the same type. A double accepts an int, so numbers that
 * callers send are left to JSON; so is the text of a bigint, which is the JSON form only. A receiver relies on the declared type.
 */
export function createXmlWithin(side: Side): Relation {
  return createWithin((a, b) => wireType(a, side) === wireType(b, side))
}

function wireType(branch: Branch, side: Side): string {
  switch (branch.kind) {
    case 'literal':
      return typeof branch.value === 'number'
        ? numberType((branch.value | 0) === branch.value, side)
        : typeof branch.value
    case 'number':
      return numberType(isInt32(branch), side)
    case 'string':
      return stringType(branch, side)
    default:
      return branch.kind
  }
}

function numberType(isInt: boolean, side: Side): string {
  return side === 'result' && isInt ? 'int' : 'double'
}

function stringType({ formats, patterns }: Extract<Branch, { kind: 'string' }>, side: Side): string {
  if (formats.includes(side === 'param' ? sentDate : 'date-time')) return 'dateTime.iso8601'
  if (formats.includes('base64')) return 'base64'
  return side === 'result' && patterns.includes(bigintText) ? 'i8' : 'string'
}

/** Parts that are nested deeper are not examined. */
const deepestApart = 4

/** True if no value is of both branches. `true` is always right; `false` may be wrong. */
export function isDisjoint(a: Branch, b: Branch, depth = 0): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (isConstant(a)) return !mayAcceptConstant(b, a)
  if (isConstant(b)) return !mayAcceptConstant(a, b)
  if (a.kind === 'number' && b.kind === 'number') return a.most < b.least || b.most < a.least
  if (a.kind === 'string' && b.kind === 'string') return a.most < b.least || b.most < a.least
  if (a.kind === 'array' && b.kind === 'array') return areListsApart(a, b, depth)
  if (a.kind === 'object' && b.kind === 'object') return areObjectsApart(a, b, depth)
  return true
}

/** Formats are not examined, nor are constant lists and objects. */
function mayAcceptConstant(branch: Branch, constant: Branch): boolean {
  if (branch.kind === 'string' && branch.formats.length > 0) return constant.kind === 'literal'
  return constant.kind === 'constant' || acceptsConstant(branch, constant)
}

function areTypesApart(a: Type | undefined, b: Type | undefined, depth: number): boolean {
  return a !== undefined && b !== undefined && depth < deepestApart && areApart(a.branches(), b.branches(), depth + 1)
}

/** True if no value is of both unions. */
export function areApart(a: readonly Branch[], b: readonly Branch[], depth = 0): boolean {
  // A constant list or object may be accepted by others.
  const rivals = (one: Branch) => (one.kind === 'constant' ? b : acceptingConstant(b, one))
  return a.every((one) => rivals(one).every((other) => isDisjoint(one, other, depth)))
}

function areListsApart(a: ArrayBranch, b: ArrayBranch, depth: number): boolean {
  if (a.most < b.least || b.most < a.least) return true
  const places = Math.min(Math.max(a.least, b.least), Math.max(a.prefix.length, b.prefix.length) + 1)
  return Array.from({ length: places }).some((_, i) => areTypesApart(elementAt(a, i), elementAt(b, i), depth))
}

/** A member that is required in both, as a discriminant is. */
function areObjectsApart(a: ObjectBranch, b: ObjectBranch, depth: number): boolean {
  return [...a.members].some(([name, { type, required }]) => {
    const other = b.members.get(name)
    return required && other?.required === true && areTypesApart(type, other.type, depth)
  })
}
