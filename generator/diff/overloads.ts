import { type Change, changeOf } from './change.js'
import type { Method, Param, Signature } from './contract.js'
import { describeType } from './describe.js'
import { areApart, type Subtyping } from './subtype.js'
import { branchesOf, type List, list, unionOf } from './type.js'

/** How the calls of the old version are handled by the new one. */
export interface Handling {
  /** Calls that are no longer accepted, and new ones. */
  readonly changes: readonly Change[]
  /** The signatures that handled a call and may handle it now. */
  readonly pairs: readonly (readonly [old: Signature, now: Signature])[]
}

/**
 * Compares the calls that signatures accept; a call is handled by the first one that accepts it. `isReported`: the params of all
 * signatures together already have a change that breaks.
 */
export function compareOverloads(old: Method, now: Method, relation: Subtyping, isReported: boolean): Handling {
  const { name } = old
  const [before, after] = [old, now].map(({ overloads, ...own }) => (overloads ?? [own]).map(callsOf)) as [
    Calls[],
    Calls[],
  ]
  const isAccepted = ({ list: one }: Calls, by: readonly Calls[]) =>
    relation.areSubtypes(
      [one],
      by.map((each) => each.list),
    )
  const lost = before.filter((one) => !isAccepted(one, after) && (!isReported || isAccepted(one, [callsOf(now)])))
  const added = after.filter((each) => now.overloads && !isAccepted(each, before))
  const pairs = before.flatMap((one, i) => {
    // Calls that an earlier signature accepted are compared with that one.
    const candidates = after.filter(
      (other) => !areApart(one.list, other.list) && !isAccepted(other, before.slice(0, i)),
    )
    const last = candidates.findIndex((other) => isAccepted(one, [other]))
    return candidates.slice(0, last < 0 ? candidates.length : last + 1).map((other) => [one.of, other.of] as const)
  })
  const changes = [
    ...lost.map(({ of }) => {
      const text = describeSignature(of)
      return changeOf('overload-removed', name, name, { message: `not all calls with ${text} are accepted`, old: text })
    }),
    ...added.map(({ of }) => {
      const text = describeSignature(of)
      return changeOf('overload-added', name, name, { message: `calls with ${text} are accepted too`, new: text })
    }),
  ]
  return { changes, pairs }
}

/** The arguments by position that a signature accepts. */
interface Calls {
  readonly of: Signature
  readonly list: List
}

/** A rest parameter is a list by name; by position each of its elements is an argument. */
function callsOf(of: Signature): Calls {
  const fixed = of.params.filter(({ rest }) => !rest)
  const rest = of.params.find((each) => each.rest)
  const further = rest && branchesOf(rest.type).flatMap((each) => (each.kind === 'list' ? (each.rest ?? []) : []))
  const required = fixed.findLastIndex((each) => each.required) + 1
  return {
    of,
    list: list(
      fixed.map(({ type }) => type),
      required,
      further && unionOf(further),
    ),
  }
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: Signature): string {
  const word = ({ name, required, rest, type }: Param) => {
    const text = describeType(type)
    if (rest) return `...${name}: ${text}`
    return required ? `${name}: ${text}` : `${name}?: ${text.replace(/ \| null$/, '')}`
  }
  return `(${params.map(word).join(', ')})`
}
