import type { Method, Param, Signature } from './api.js'
import { type Change, changeOf } from './change.js'
import { describeType } from './describe.js'
import { type ArrayBranch, elementAt, type Type, unionType } from './type.js'
import { createWithin, createXmlWithin, isDisjoint, type Relation } from './within.js'

/** Compares versions of a method of which at least one is overloaded: a call uses the first signature that accepts it. */
export interface OverloadComparison {
  /** Returns calls that are no longer accepted, and new ones; `reported` are the changes of the params of all signatures together. */
  calls(old: Method, now: Method, reported: readonly Change[]): Change[]
  /**
   * Returns which signatures of the new version may handle calls that one of the old version accepted. Undefined if a version does
   * not have the result of each overload.
   */
  handling(old: Method, now: Method): readonly (readonly [old: Signature, now: Signature])[] | undefined
}

/** True if either version has more than one signature. */
export function isOverloaded(old: Method, now: Method): boolean {
  return old.overloads !== undefined || now.overloads !== undefined
}

export function createOverloadComparison(): OverloadComparison {
  const within = createWithin()
  // If an overload accepts a Date, a string may be a date: its type in XML-RPC decides which overload accepts it.
  const surely = createXmlWithin('param')
  return {
    calls(old, now, reported) {
      const versions = versionsOf(old, now)
      return [...lostCalls(versions, now, reported, { within, surely }), ...addedOverloads(versions, now, within)]
    },
    handling: (old, now) => handlingPairs(versionsOf(old, now), surely),
  }
}

/** A signature with the calls by position that it accepts, as lists of arguments. */
interface Accepted {
  readonly signature: Signature
  readonly calls: ArrayBranch
  /** The same calls by their lengths and by the branches of each argument, so that several signatures can accept them together. */
  readonly parts: readonly ArrayBranch[]
}

interface Versions {
  readonly before: readonly Accepted[]
  readonly after: readonly Accepted[]
}

function versionsOf(old: Method, now: Method): Versions {
  const [before, after] = [signaturesOf(old), signaturesOf(now)]
  const longest = Math.max(...[...before, ...after].map((each) => callsOf(each).prefix.length))
  const accepted = (signature: Signature): Accepted => {
    const calls = callsOf(signature)
    return { signature, calls, parts: partsOf(calls, longest) }
  }
  return { before: before.map(accepted), after: after.map(accepted) }
}

function signaturesOf(method: Method): readonly Signature[] {
  return method.overloads ?? [method]
}

/** A rest parameter is a list by name; by position each of its elements is an argument. */
function callsOf({ params }: Signature): ArrayBranch {
  const fixed = params.filter(({ rest }) => !rest)
  const rest = params.find((each) => each.rest)
  return {
    kind: 'array',
    prefix: fixed.map(({ type }) => type),
    rest: rest && elementsOf(rest.type),
    least: fixed.findLastIndex(({ required }) => required) + 1,
    most: rest ? Infinity : fixed.length,
    unique: false,
  }
}

function elementsOf(type: Type): Type {
  return unionType(type.branches().flatMap((each) => (each.kind === 'array' ? (each.rest?.branches() ?? []) : [])))
}

/** More combinations of branches than these are not divided. */
const mostParts = 512

/** Divides calls. Those with more than `longest` arguments are one length: further arguments may be of different branches. */
function partsOf(calls: ArrayBranch, longest: number): ArrayBranch[] {
  const lengths = Array.from({ length: Math.min(calls.most, longest) - calls.least + 1 }, (_, i) => calls.least + i)
  const first = (length: number) => Array.from({ length }, (_, i) => elementAt(calls, i) ?? unionType([]))
  return [
    ...lengths.flatMap((length) =>
      divided(first(length)).map((prefix) => ({ ...calls, prefix, rest: undefined, least: length, most: length })),
    ),
    ...(calls.rest ? divided(first(longest)).map((prefix) => ({ ...calls, prefix, least: longest + 1 })) : []),
  ]
}

function divided(types: readonly Type[]): Type[][] {
  const branches = types.map((type) => type.branches().map((branch) => unionType([branch])))
  if (branches.reduce((count, each) => count * each.length, 1) > mostParts) return [[...types]]
  return branches.reduce<Type[][]>((all, next) => all.flatMap((each) => next.map((type) => [...each, type])), [[]])
}

function isAccepted(part: ArrayBranch, by: readonly Accepted[], within: Relation): boolean {
  return by.some(({ calls }) => within.unions([part], [calls]))
}

/** True if calls may use a signature: it accepts some of them, and no earlier one accepts all of them. */
function mayUse(part: ArrayBranch, all: readonly Accepted[], index: number, within: Relation): boolean {
  const [own, earlier] = [all.slice(index, index + 1), all.slice(0, index)]
  const accepts = isAccepted(part, own, within) || own.some(({ calls }) => !isDisjoint(part, calls))
  return accepts && !isAccepted(part, earlier, within)
}

function handlingPairs({ before, after }: Versions, within: Relation): (readonly [Signature, Signature])[] | undefined {
  if ([...before, ...after].some(({ signature }) => !signature.result)) return undefined
  return before.flatMap((one, i) => {
    const own = one.parts.filter((part) => mayUse(part, before, i, within))
    return after.flatMap((other, j): [Signature, Signature][] => {
      // Calls that an earlier signature accepted are compared with that one.
      const isHandled =
        own.some((part) => mayUse(part, after, j, within)) &&
        other.parts.some((part) => mayUse(part, before, i, within))
      return isHandled ? [[one.signature, other.signature]] : []
    })
  })
}

/** Returns changes for calls that an overload accepted and that are rejected now, unless they are reported as changes of params. */
function lostCalls(
  { before, after }: Versions,
  now: Method,
  reported: readonly Change[],
  { within, surely }: Readonly<Record<'within' | 'surely', Relation>>,
): Change[] {
  const isReported = reported.some(({ breaking }) => breaking)
  const isAcceptedByParams = (part: ArrayBranch) => within.unions([part], [callsOf(now)])
  // If some overload still accepts each argument with its old type, the other overloads do not receive the call.
  const isKnown = ({ prefix, rest }: ArrayBranch) =>
    [...prefix, ...(rest ? [rest] : [])].every((type, at) => {
      const union = after.flatMap(({ calls }) => elementAt(calls, at)?.branches() ?? [])
      return surely.unions(type.branches(), union)
    })
  return before.flatMap(({ signature, parts }, i) => {
    const accepting = [...before.slice(0, i), ...after]
    const rejected = (by: Relation) => parts.filter((part) => !isAccepted(part, accepting, by))
    const plainly = rejected(within).filter((part) => !isReported || isAcceptedByParams(part))
    const lost = plainly.length > 0 ? plainly : rejected(surely).filter(isKnown)
    return lost.length > 0 ? [lostChange(now, signature, lost)] : []
  })
}

/** If there are more calls, the rest is counted. */
const shownCalls = 3

function lostChange({ name }: Method, signature: Signature, parts: readonly ArrayBranch[]): Change {
  // A call with null is reported as the call without that argument.
  const isPlain = ({ prefix }: ArrayBranch) =>
    prefix.every((type) => type.branches().some(({ kind }) => kind !== 'null'))
  const plain = parts.filter(isPlain)
  const all = [...new Set(joined(plain.length > 0 ? plain : parts).map(describeCalls))]
  const more = all.length > shownCalls ? [`${all.length - shownCalls} more`] : []
  const message = `calls with ${[...all.slice(0, shownCalls), ...more].join(' or ')} are no longer accepted`
  return changeOf('overload-removed', name, name, { message, old: describeSignature(signature) })
}

/** Joins calls that differ in one argument: `(true, string)` and `(false, string)` are `(boolean, string)`. */
function joined(parts: readonly ArrayBranch[]): readonly ArrayBranch[] {
  const longest = Math.max(...parts.map(({ prefix }) => prefix.length))
  return Array.from({ length: longest }, (_, i) => i).reduce<readonly ArrayBranch[]>((all, position) => {
    const found = new Map<string, ArrayBranch>()
    for (const part of all) {
      const { prefix } = part
      const key = `${prefix.length} ${describeCalls({ ...part, prefix: prefix.toSpliced(position, 1) })}`
      const [own, other] = [prefix[position], found.get(key)?.prefix[position]]
      const type = own && other && unionType([...other.branches(), ...own.branches()])
      found.set(key, type ? { ...part, prefix: prefix.with(position, type) } : part)
    }
    return [...found.values()]
  }, parts)
}

/** Overloads that accept calls which were rejected. */
function addedOverloads({ before, after }: Versions, { name, overloads }: Method, within: Relation): Change[] {
  if (!overloads) return []
  const added = after.filter(({ parts }) => parts.some((part) => !isAccepted(part, before, within)))
  return added.map(({ signature }) => {
    const text = describeSignature(signature)
    return changeOf('overload-added', name, name, { message: `calls with ${text} are accepted too`, new: text })
  })
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: Signature): string {
  const word = ({ name, required, rest, type }: Param) => {
    const text = describeType(type)
    return rest
      ? `...${name}: ${text}`
      : `${name}${required ? '' : '?'}: ${required ? text : text.replace(/ \| null$/, '')}`
  }
  return `(${params.map(word).join(', ')})`
}

/** `(Int, string)` */
function describeCalls({ prefix, rest }: ArrayBranch): string {
  const words = prefix.map((type) => describeType(type))
  return `(${[...words, ...(rest ? [describeType(rest), '…'] : [])].join(', ')})`
}
