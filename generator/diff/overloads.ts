// Compares the calls of overloaded methods: a call uses the first signature that accepts it. The calls that a signature accepts are a
// tuple of its params, and are divided by the branches of each param, so that several signatures can accept them together:
//
//     f(x: Int | string, y?: Int)  →  [Int], [string], [Int, Int], [string, Int]
import { type Change, changeOf } from './change.js'
import type { Method, Param, Signature } from './contract.js'
import { describeType } from './describe.js'
import { areApart } from './disjoint.js'
import type { Subtyping } from './subtype.js'
import { type BranchOf, branchesOf, shapeOf, type Type, unionOf } from './type.js'

type Calls = BranchOf<'tuple'>

/** How the calls of the old version are handled by the new one. */
export interface Handling {
  /** Calls that are no longer accepted, and new ones. */
  readonly changes: readonly Change[]
  /** The signatures that handled a call and may handle it now. */
  readonly pairs: readonly (readonly [old: Signature, now: Signature])[]
}

/** `isReported`: the params of all signatures together already have a change that breaks. */
export function compareOverloads(old: Method, now: Method, { isSubtype }: Subtyping, isReported: boolean): Handling {
  const [before, after] = [old.overloads ?? [old], now.overloads ?? [now]]
  const longest = Math.max(...[...before, ...after].map(({ params }) => params.length))
  const isAccepted = (calls: Calls, by: readonly Signature[]) => by.some((each) => isSubtype(calls, callsOf(each)))
  const pairs: (readonly [Signature, Signature])[] = []
  const changes = before.flatMap((one, i) => {
    // Calls that an earlier signature accepted are compared with that one.
    const partsFor = (signature: Signature) =>
      partsOf(callsOf(signature), longest).filter((calls) => !isAccepted(calls, before.slice(0, i)))
    const candidates = after.map((other) => ({ other, parts: partsFor(other) }))
    const handling = new Set<Signature>()
    const lost = partsFor(one).filter((calls) => {
      for (const { other, parts } of candidates) {
        if (areApart(calls, callsOf(other), 'input')) continue
        if (parts.some((each) => !areApart(each, calls, 'input'))) handling.add(other)
        if (isSubtype(calls, callsOf(other))) return false
      }
      return !isReported || isSubtype(calls, callsOf(now))
    })
    pairs.push(...Array.from(handling, (other) => [one, other] as const))
    return lost.length > 0 ? [lostChange(now.name, one, lost)] : []
  })
  const isNew = (one: Signature) => partsOf(callsOf(one), longest).some((calls) => !isAccepted(calls, before))
  const added = (now.overloads ?? []).filter(isNew).map((each) => {
    const text = describeSignature(each)
    return changeOf('overload-added', old.name, old.name, { message: `calls with ${text} are accepted too`, new: text })
  })
  return { changes: [...changes, ...added], pairs }
}

const calls = new WeakMap<Signature, Calls>()

/** A rest parameter is a list by name; by position each of its elements is an argument. */
function callsOf(signature: Signature): Calls {
  const known = calls.get(signature)
  if (known) return known
  const fixed = signature.params.filter(({ rest }) => !rest)
  const rest = signature.params.find((each) => each.rest)
  const made: Calls = {
    kind: 'tuple',
    elements: fixed.map(({ type }) => type),
    required: fixed.findLastIndex(({ required }) => required) + 1,
    ...(rest && {
      rest: unionOf(branchesOf(rest.type).flatMap((each) => (each.kind === 'array' ? [each.element] : []))),
    }),
  }
  calls.set(signature, made)
  return made
}

/** More combinations of branches than these are not divided. */
const MAX_PARTS = 512

/** Divides calls. Those with more than `longest` arguments are one length: further arguments may be of different branches. */
function partsOf({ elements, required, rest }: Calls, longest: number): Calls[] {
  const most = rest ? longest : elements.length
  const lengths = Array.from({ length: most - required + 1 }, (_, i) => required + i)
  const first = (length: number) => divided(Array.from({ length }, (_, i) => elements[i] ?? rest ?? unionOf([])))
  return [
    ...lengths.flatMap((length) =>
      first(length).map((each): Calls => ({ kind: 'tuple', elements: each, required: length })),
    ),
    ...(rest
      ? first(longest).map((each): Calls => ({ kind: 'tuple', elements: [...each, rest], required: longest + 1, rest }))
      : []),
  ]
}

function divided(types: readonly Type[]): Type[][] {
  const branches = types.map(branchesOf)
  if (branches.reduce((count, each) => count * each.length, 1) > MAX_PARTS) return [[...types]]
  return branches.reduce<Type[][]>((all, next) => all.flatMap((each) => next.map((type) => [...each, type])), [[]])
}

/** If there are more calls, the rest is counted. */
const MAX_SHOWN = 3

function lostChange(name: string, signature: Signature, lost: readonly Calls[]): Change {
  // A call with null is reported as the call without that argument.
  const plain = lost.filter(({ elements }) =>
    elements.every((each) => branchesOf(each).some((branch) => shapeOf(branch) !== 'null')),
  )
  const all = [...new Set((plain.length > 0 ? plain : lost).map(describeCalls))]
  const more = all.length > MAX_SHOWN ? [`${all.length - MAX_SHOWN} more`] : []
  const message = `calls with ${[...all.slice(0, MAX_SHOWN), ...more].join(' or ')} are no longer accepted`
  return changeOf('overload-removed', name, name, { message, old: describeSignature(signature) })
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
function describeCalls({ elements, rest }: Calls): string {
  return `(${[...elements.map((each) => describeType(each)), ...(rest ? ['…'] : [])].join(', ')})`
}
