import type { DescribedParam, DescribedProcedure } from './description.js'

/** The lists of parameters that a procedure may be called with: one of each overload, in their order, or its only one. */
export function parameterLists({
  params,
  overloads,
}: Pick<DescribedProcedure, 'params' | 'overloads'>): readonly (readonly DescribedParam[])[] {
  return overloads?.map((each) => each.params) ?? [params]
}

/** What has parameters, and perhaps overloads with parameters of their own. */
interface Overloaded<Param> {
  readonly params: readonly Param[]
  readonly overloads?: readonly { readonly params: readonly Param[] }[] | undefined
}

/** Every parameter that a doc may be about, none twice: those of the procedure, then those of a name that an overload alone has. */
export function parametersByName<Param extends { readonly name: string }>(of: Overloaded<Param>): readonly Param[] {
  const { params, overloads = [] } = of
  const own = new Set(params.map(({ name }) => name))
  const others = overloads.flatMap((each) => each.params).filter(({ name }) => !own.has(name))
  return [...params, ...new Map(others.map((each) => [each.name, each])).values()]
}
