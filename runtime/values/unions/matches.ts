// The types that a value matches, as a list of candidates with what was found for them, and those that an inner value matches.
//
//   { a: { x: 1 } }  for  { a: { x: int } } | { a: { x: int; y?: int } }  →  both branches; for the member `a`, both of its types
import { formOf } from './branches.js'
import type { Candidates, Inner } from './candidates.js'
import { bitsIn, type Found, foundIn, type Part } from './found.js'
import type { Matcher } from './matcher.js'

/** The types that a value matches: of some candidates, with what was found for the values in it, and of further candidates. */
export class Matches {
  readonly candidates: Candidates
  readonly bits: number
  readonly found: Found
  next: Matches | undefined

  constructor(candidates: Candidates, bits: number, found: Found) {
    this.candidates = candidates
    this.bits = bits
    this.found = found
    this.next = undefined
  }
}

/** Adds those of some candidates that a value matches, each once: several branches may have the same types. */
export function addMatches(
  first: Matches | undefined,
  candidates: Candidates,
  bits: number,
  found: Found,
): Matches | undefined {
  let matching = bits & bitsIn(found)
  let last: Matches | undefined
  for (let each = first; each; each = each.next) {
    if (each.candidates === candidates) matching &= ~each.bits
    last = each
  }
  if (matching === 0) return first
  const added = new Matches(candidates, matching, found)
  if (!last) return added
  last.next = added
  return first
}

/** How many steps it is to find the types of an inner value in several tables, or in another order than that of a table. */
const SEARCH = 64

/** Adds the types that an inner value matches, of those that it has in some branches. */
export function addInner(
  first: Matches | undefined,
  inner: Inner,
  branches: number,
  value: object,
  part: Part | undefined,
  matcher: Matcher,
): Matches | undefined {
  const form = formOf(value)
  const row = inner.row(form)
  const bits = inner.inOneSet(row, branches)
  const [only] = row.candidates
  if (bits !== undefined && only) {
    return addMatches(first, only, bits, part === undefined ? matcher.compare(only, value, bits) : foundIn(part, 0))
  }
  matcher.take(SEARCH)
  let all = first
  for (const { candidates, bits, at } of inner.matching(form, branches)) {
    const found = part === undefined ? matcher.compare(candidates, value, bits) : foundIn(part, at)
    all = addMatches(all, candidates, bits, found)
  }
  return all
}
