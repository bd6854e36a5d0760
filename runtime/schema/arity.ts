import type { DescribedParam } from './description.js'

/**
 * The least number of arguments by position: a parameter with a default before one that must be there has a place all the
 * same, and null or nothing in it takes the default.
 */
export function leastArguments(params: readonly Pick<DescribedParam, 'optional' | 'rest'>[]): number {
  return params.findLastIndex(({ optional, rest }) => !optional && !rest) + 1
}
