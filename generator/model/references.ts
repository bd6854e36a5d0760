import { referencedNames } from '../../runtime/schema/described-types.js'
import type { ProcedureModel } from './model.js'

/** The names that each type of a procedure refers to: its parameters, its result, those of its overloads, the data of its errors. */
export function referencesOf({ params, returns, overloads = [], throws = [] }: ProcedureModel): string[][] {
  const signatures = [{ params, returns }, ...overloads].flatMap((each) => [
    ...each.params.map(({ type }) => referencedNames(type)),
    referencedNames(each.returns.type),
  ])
  return [...signatures, ...throws.map(({ data }) => (data ? referencedNames(data) : []))]
}

/** Whether two procedures refer to the same names in the same places. */
export function refersAlike(one: ProcedureModel, other: ProcedureModel): boolean {
  const shape = (each: ProcedureModel) => [each.params.length, each.overloads?.map(({ params }) => params.length)]
  const all = [one, other].map((each) => JSON.stringify([shape(each), referencesOf(each)]))
  return all[0] === all[1]
}
