import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/** More than any list that people keep by hand; a template literal type multiplies into such a number in no time. */
const mostBranches = 2000

/** Refuses a union, or an enum, whose validator would be longer than the program that it is for. */
export function refuseTooLong(count: number, place: Place, { refuse }: Resolver): ModelType | undefined {
  if (count <= mostBranches) return undefined
  const hint = 'declare string, and look it up in a list of your own'
  return refuse(place, 'RPC124', `the union has ${count} members: ${mostBranches} are the most`, hint)
}

/** The same of a struct, whose keys may come of such a literal. */
export function refuseTooWide(count: number, place: Place, { refuse }: Resolver): ModelType | undefined {
  if (count <= mostBranches) return undefined
  const hint = 'declare Record<string, …>, and look the keys up in a list of your own'
  return refuse(place, 'RPC124', `the struct has ${count} members: ${mostBranches} are the most`, hint)
}
