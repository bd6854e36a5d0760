import { keyOf } from './change.js'
import {
  type ArrayBranch,
  type Branch,
  bigintText,
  elementAt,
  isConstant,
  matches,
  numbersWithin,
  type ObjectBranch,
  sentDate,
  stringsWithin,
  type Type,
} from './type.js'
import { acceptsConstant } from './types.js'

/** Params: what callers may send may only grow. Results: what callers receive may only shrink. */
export type Side = 'param' | 'result'

type TypesWithin = (a: Type, b: Type) => boolean

/** True if the first type accepts only values that the second accepts. */
export interface Within extends TypesWithin {
  /** The same for a branch and the branches of a union. */
  branch(a: Branch, union: readonly Branch[]): boolean
}

/** Deeper than any type in practice; deeper pairs count as not within. */
const deepest = 300

/**
 * Makes a `Within` over grouped types. Unknown keys are ignored: senders do not send them, and receivers ignore
 * them. `true` is always right; `false` may be wrong for unions that divide the same values in another way. With a
 * side, values must also have the same type in XML-RPC.
 */
export function createWithin(xmlSide?: Side): Within {
  const known = new Map<string, boolean>()
  /** Pairs that were assumed or found to be true; taken back if an assumption turns out to be false. */
  const trail: string[] = []
  const constants = new Map<string, Type>()
  const key = knownKeys()
  let depth = 0

  /** A recursive type counts as within until it is disproved. */
  const within = (a: Type, b: Type): boolean => {
    if (a.group === b.group) return true
    const pair = `${a.group} ${b.group}`
    const before = known.get(pair)
    if (before !== undefined) return before
    if (depth > deepest) return false
    const mark = trail.push(pair) - 1
    known.set(pair, true)
    depth += 1
    const is = a.branches().every((branch) => inUnion(branch, b.branches()))
    depth -= 1
    if (!is) {
      for (const each of trail.splice(mark)) known.delete(each)
      known.set(pair, false)
    }
    return is
  }

  const inUnion = (a: Branch, union: readonly Branch[]): boolean =>
    union.some((b) => isWithin(a, b)) ||
    split(a, constants)?.every((each) => union.some((b) => isWithin(each, b))) === true

  const isWithin = (a: Branch, b: Branch): boolean => {
    if (key(a) === key(b)) return true
    if (b.opaque?.some((each) => !a.opaque?.includes(each))) return false
    if (b.kind === 'any') return true
    // Equal constants have equal keys, compared above.
    if (a.kind === 'constant' || b.kind === 'constant') return false
    if (xmlSide && !isCarriedAs(a, b, xmlSide)) return false
    if (isConstant(a)) return acceptsConstant(b, a)
    if (a.kind === 'number') return b.kind === 'number' && numbersWithin(a, b)
    if (a.kind === 'string') return b.kind === 'string' && stringsWithin(a, b)
    if (a.kind === 'array') return b.kind === 'array' && arraysWithin(a, b, within)
    return a.kind === 'object' && b.kind === 'object' && objectsWithin(a, b, within)
  }

  return Object.assign(within, { branch: inUnion })
}

/** Memoises keys, which do not change once all types are grouped. */
function knownKeys(): (branch: Branch) => string {
  const keys = new WeakMap<Branch, string>()
  return (branch) => {
    const key = keys.get(branch) ?? keyOf(branch)
    keys.set(branch, key)
    return key
  }
}

/** Returns one branch for each value of a member that has few: `{ kind: 'a' | 'b' }` is `{ kind: 'a' } | { kind: 'b' }`. */
function split(branch: Branch, constants: Map<string, Type>): Branch[] | undefined {
  if (branch.kind !== 'object') return undefined
  for (const [name, { type, required }] of branch.members) {
    const values = type.branches()
    if (!required || values.length < 2 || values.length > 64 || !values.every(isConstant)) continue
    return values.map((value) => ({
      ...branch,
      members: new Map(branch.members).set(name, { required, type: constantType(value, constants) }),
    }))
  }
  return undefined
}

/** Returns a type of one value; no type of the documents has its group. */
function constantType(value: Branch, constants: Map<string, Type>): Type {
  const key = keyOf(value)
  const group = -2 - constants.size
  const type = constants.get(key) ?? { id: group, group, branches: () => [value] }
  constants.set(key, type)
  return type
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
  const isSent = ([name, { required }]: [string, { readonly required: boolean }]) =>
    !required || a.members.get(name)?.required === true
  if (![...b.members].every(isSent)) return false
  const named = [...a.members].every(([name, { type }]) => acceptsMember(b, name, type, a, within))
  if (!named || ![...a.patterns].every(([pattern, type]) => acceptsPattern(b, pattern, type, a, within))) return false
  return typeof a.others === 'string' || acceptsOthers(b, a.others, a, within)
}

function acceptsMember(b: ObjectBranch, name: string, type: Type, a: ObjectBranch, within: TypesWithin): boolean {
  const own = b.members.get(name)
  const matching = [...b.patterns].filter(([pattern]) => matches(pattern, name))
  // Patterns that both have are compared with their patterns.
  if (!matching.every(([pattern, each]) => a.patterns.has(pattern) || within(type, each))) return false
  if (own) return within(type, own.type)
  return matching.length > 0 || acceptedByOthers(b, type, within)
}

function acceptedByOthers({ others }: ObjectBranch, type: Type, within: TypesWithin): boolean {
  if (others === 'dropped') return true
  return others === 'rejected' ? type.branches().length === 0 : within(type, others)
}

function acceptsPattern(b: ObjectBranch, pattern: string, type: Type, a: ObjectBranch, within: TypesWithin): boolean {
  const same = b.patterns.get(pattern)
  const isTaken = same ? within(type, same) : acceptedByOthers(b, type, within)
  return isTaken && acceptsUnnamed(b, type, a, within, (name) => matches(pattern, name))
}

function acceptsOthers(b: ObjectBranch, type: Type, a: ObjectBranch, within: TypesWithin): boolean {
  const isOther = (name: string) => ![...a.patterns.keys()].some((pattern) => matches(pattern, name))
  return acceptedByOthers(b, type, within) && acceptsUnnamed(b, type, a, within, isOther)
}

/** True if `b` accepts `type` for every name that `a` does not declare: by its members and by its patterns. */
function acceptsUnnamed(
  b: ObjectBranch,
  type: Type,
  a: ObjectBranch,
  within: TypesWithin,
  has: (name: string) => boolean,
): boolean {
  const declared = [...b.members].filter(([name]) => !a.members.has(name) && has(name))
  const further = [...b.patterns].filter(([pattern]) => !a.patterns.has(pattern))
  return [...declared, ...further.map(([, each]) => ['', { type: each }] as const)].every(([, each]) =>
    within(type, each.type),
  )
}

/**
 * True if XML-RPC represents the values of one branch, which is within the other in JSON, as it represents those of the other.
 * A double accepts an int, so numbers that callers send are left to JSON; so is the text of a bigint, which
 * is the JSON form only. A receiver relies on the declared type.
 */
function isCarriedAs(one: Branch, other: Branch, side: Side): boolean {
  return wireType(one, side) === wireType(other, side)
}

const int32 = { least: -(2 ** 31), most: 2 ** 31 - 1 }

function wireType(branch: Branch, side: Side): string {
  switch (branch.kind) {
    case 'literal':
      return typeof branch.value === 'number'
        ? numberType((branch.value | 0) === branch.value, side)
        : typeof branch.value
    case 'number': {
      const isInt = branch.integer && branch.least >= int32.least && branch.most <= int32.most
      return numberType(isInt, side)
    }
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
  if (!a || !b || depth >= deepestApart) return false
  return a.branches().every((one) => b.branches().every((other) => isDisjoint(one, other, depth + 1)))
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
