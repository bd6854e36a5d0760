import type { DescribedParam, DescribedProcedure } from './description.js'

/** The lists of parameters that a procedure may be called with: one of each overload, in their order, or its only one. */
export function parameterLists({
  params,
  overloads,
}: Pick<DescribedProcedure, 'params' | 'overloads'>): readonly (readonly DescribedParam[])[] {
  return overloads?.map((each) => each.params) ?? [params]
}
