import type { Direction } from '../../runtime/description/json-schema.js'
import { accepts, candidatesFor } from './subtype.js'
import {
  type Branch,
  type BranchOf,
  branchesOf,
  elementAt,
  type List,
  listOf,
  type Members,
  membersOf,
  numberRange,
  shapeOf,
  type Type,
  textLimits,
} from './type.js'

/** Types that are nested deeper are not examined. */
const MAX_DEPTH = 4

/** True if no value is of both types. `true` is always right; `false` may be wrong. */
export function areApart(a: Type, b: Type, direction: Direction, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const inner: AreApart = (one, other) => areApart(one, other, direction, depth + 1)
  return branchesOf(a).every((one) =>
    candidatesFor(one, branchesOf(b)).every((other) => areBranchesApart(one, other, direction, inner)),
  )
}

type AreApart = (a: Type, b: Type) => boolean

function areBranchesApart(a: Branch, b: Branch, direction: Direction, inner: AreApart): boolean {
  const [shape, other] = [shapeOf(a), shapeOf(b)]
  if (shape === 'any' || other === 'any' || a.kind === 'opaque' || b.kind === 'opaque') return false
  // A param that is a bigint accepts texts and numbers.
  if (direction === 'input' && (a.kind === 'bigint' || b.kind === 'bigint'))
    return [shape, other].some((each) => each !== 'text' && each !== 'number')
  if (shape !== other) return true
  if (a.kind === 'literal') return isLiteralApart(a, b, direction)
  if (b.kind === 'literal') return isLiteralApart(b, a, direction)
  switch (shape) {
    case 'number':
      return areRangesApart(numberRange(a), numberRange(b))
    case 'text':
      return areRangesApart(textLimits(a, direction), textLimits(b, direction))
    case 'list':
      return areListsApart(listOf(a as BranchOf<'array'>), listOf(b as BranchOf<'array'>), inner)
    case 'object':
      return areMembersApart(membersOf(a as BranchOf<'struct'>), membersOf(b as BranchOf<'struct'>), inner)
    default:
      return false
  }
}

/** Formats are not tested. */
function isLiteralApart(literal: BranchOf<'literal'>, branch: Branch, direction: Direction): boolean {
  if (shapeOf(branch) === 'text' && textLimits(branch, direction).formats.length > 0) return false
  return !accepts(literal, branch, { direction, strictness: 'json', isSubtype: () => true })
}

interface Range {
  readonly least: number
  readonly most: number
}

function areRangesApart(a: Range, b: Range): boolean {
  return a.most < b.least || b.most < a.least
}

/** True if an element that both lists have is of no common value. */
function areListsApart(a: List, b: List, inner: AreApart): boolean {
  const places = Math.min(Math.max(a.least, b.least), Math.max(a.prefix.length, b.prefix.length) + 1)
  const isApart = (one: Type | undefined, other: Type | undefined) => one && other && inner(one, other)
  return (
    areRangesApart(a, b) || Array.from({ length: places }).some((_, i) => isApart(elementAt(a, i), elementAt(b, i)))
  )
}

/** True if a member that both require, as a discriminant is, is of no common value. */
function areMembersApart(a: Members, b: Members, inner: AreApart): boolean {
  return [...a.declared].some(([name, { type, optional }]) => {
    const other = b.declared.get(name)
    return other && !other.optional && !optional && inner(type, other.type)
  })
}
