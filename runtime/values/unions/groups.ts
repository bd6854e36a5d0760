// The types that a member or an element has in the branches of a union, each once. A set of branches is a number with a bit for each.
//
//   the member `a` of  { a: int } | { a: int; b: string } | { a: string }  →  int in 0b011, string in 0b100
import { isOmitted } from '../struct-types.js'
import type { WireType } from '../types.js'
import type { Wire } from '../wire.js'

/** A type of an inner value, and the branches in which it has this type. */
export interface Group {
  readonly type: WireType
  /** True if the value may be omitted. */
  readonly optional: boolean
  readonly branches: number
  /** The branches that convert the value by this type: of several index signatures that match a name the last one does. */
  readonly converting: number
}

/** Collects the types of an inner value, each once. */
export class Groups {
  readonly all: { type: WireType; optional: boolean; branches: number; converting: number }[] = []

  add(type: WireType, branch: number, optional = false, isConverting = true): void {
    let group = this.all.find((each) => each.type === type && each.optional === optional)
    if (!group) {
      group = { type, optional, branches: 0, converting: 0 }
      this.all.push(group)
    }
    group.branches |= branch
    if (isConverting) group.converting |= branch
  }
}

/** Returns the types by which some branches convert a value, in the order of the first branches that have them. */
export function convertedTypes(groups: readonly Group[], among: number): readonly WireType[] {
  const having = groups.filter(({ converting }) => (converting & among) !== 0)
  if (having.length > 1) having.sort((a, b) => lowest(a.converting & among) - lowest(b.converting & among))
  return [...new Set(having.map(({ type }) => type))]
}

/** True if a value means that an inner value of a group is omitted. */
export function isOmittedIn({ optional, type }: Group, value: unknown, wire: Wire): boolean {
  return optional && isOmitted(type, value, wire)
}

/** Returns a set of types. */
export function maskOf(types: readonly WireType[], isWanted: (type: WireType) => boolean): number {
  return types.reduce((mask, type, i) => (isWanted(type) ? mask | (1 << i) : mask), 0)
}

/** Returns the number of the lowest bit. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
