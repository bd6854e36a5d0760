// What a comparison has found: the candidates that a list or an object matches and, if there are others in it, what was found for these. Of several
// candidates, what was found for those that a value matches is a list.
//
//   [[1], ['x']]  for  (int[] | string[])[]  →  the list matches the candidate 0b1; the lists in it match 0b01 and 0b10
import type { Candidates } from './candidates.js'

/** What was found for a list or an object; a number if nothing was found for values in it. */
export type Found = number | Comparison

/** What was found for a value inside of another one: by candidates, if there are several. */
export type Part = Found | readonly Found[]

/** The comparison of a list or an object with candidates. */
export class Comparison {
  /** The candidates that match what was compared so far. */
  bits: number
  /**
   * What was found for the lists and objects in it: by element, or by the position of the name among those of the object. If there is one element or
   * name, it is what was found for that one, without a list: the most deeply nested values take half of the memory so.
   */
  parts: Part | (Part | undefined)[] | undefined
  /** The number of the elements or names; 0 if what is found for them is not kept. */
  readonly size: number

  constructor(bits: number, size: number) {
    this.bits = bits
    this.parts = undefined
    this.size = size
  }

  keep(index: number, part: Part): void {
    if (this.size > 1) {
      this.parts ??= new Array(this.size)
      ;(this.parts as Part[])[index] = part
    } else if (this.size === 1) this.parts = part
  }
}

/** Returns the candidates that a value matches. */
export function bitsIn(found: Found): number {
  return typeof found === 'number' ? found : found.bits
}

/** Returns what was found for an inner value; undefined if it has to be compared. */
export function partOf(found: Found, index: number): Part | undefined {
  if (typeof found === 'number') return undefined
  if (found.size > 1) return (found.parts as Part[] | undefined)?.[index]
  return index === 0 ? (found.parts as Part | undefined) : undefined
}

/** Returns what was found for an inner value with one of several candidates. */
export function foundIn(part: Part, at: number): Found {
  return Array.isArray(part) ? (part[at] ?? 0) : (part as Found)
}

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
